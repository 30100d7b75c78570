package check

import (
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
)

func TestWeigh(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		raises dfm.Finding // which contradicts evidence
		fault  dfm.Name
		keeps  bool
	}{
		{"a short, nets at odds", dfm.Finding{Check: dfm.NetsContradict, Level: dfm.Warning}, dfm.Short, false},
		{"a gap, nets at odds", dfm.Finding{Check: dfm.NetsContradict, Level: dfm.Warning}, dfm.PadClearance, false},
		{"a drill, nets at odds", dfm.Finding{Check: dfm.NetsContradict, Level: dfm.Warning}, dfm.DrillSize, true},
		{"a track across the edge, which nobody knows", dfm.Finding{Check: dfm.OutlineMissing, Level: dfm.MustFix}, dfm.CopperOutside, false},
		{"a track across the edge, found elsewhere", dfm.Finding{Check: dfm.OutlineMissing, Level: dfm.Warning}, dfm.CopperOutside, true},
		{"a short, edge not known", dfm.Finding{Check: dfm.OutlineMissing, Level: dfm.MustFix}, dfm.Short, true},
		{"a ring, two files for one layer", dfm.Finding{Check: dfm.LayerExtra, Level: dfm.MustFix}, dfm.ViaRing, false},
		{"a ring, two files for one mask", dfm.Finding{Check: dfm.LayerExtra, Level: dfm.Warning}, dfm.ViaRing, true},
		{"a short, a layer missing", dfm.Finding{Check: dfm.LayerMissing, Level: dfm.MustFix}, dfm.Short, true},
		{"a ring, holes beside all lands", dfm.Finding{Check: dfm.Registration, Level: dfm.MustFix}, dfm.AnnularRing, false},
		{"a ring, holes a little beside all lands", dfm.Finding{Check: dfm.Registration, Level: dfm.Warning}, dfm.AnnularRing, true},
		{"a ring, holes that meet no copper", dfm.Finding{Check: dfm.HoleWithoutCopper, Level: dfm.MustFix}, dfm.ViaRing, false},
		{"a missing connection, holes that meet no copper", dfm.Finding{Check: dfm.HoleWithoutCopper, Level: dfm.MustFix}, dfm.Open, false},
		{"a ring, some holes that meet no copper", dfm.Finding{Check: dfm.HoleWithoutCopper, Level: dfm.Warning}, dfm.ViaRing, true},
		{"a gap, holes that meet no copper", dfm.Finding{Check: dfm.HoleWithoutCopper, Level: dfm.MustFix}, dfm.TrackClearance, true},
	} {
		r := &dfm.Report{
			Findings: []dfm.Finding{{Check: c.fault, Level: dfm.MustFix, What: "A fault."}, c.raises},
			Measures: []dfm.Measure{{Check: c.fault}},
		}
		weigh(r)
		f, m := r.Findings[0], r.Measures[0]
		if kept := f.Level == dfm.MustFix; kept != c.keeps || kept != (m.Doubt == "") || kept != (f.What == "A fault.") || !strings.HasPrefix(f.What, "A fault.") {
			t.Errorf("%s: weigh of %+v with %+v gives %+v and measure %+v, want must fix kept: %v", c.name, c.fault, c.raises, f, m, c.keeps)
		}
		if r.Findings[1].Level != c.raises.Level {
			t.Errorf("%s: the level of what contradicts is %v, want %v", c.name, r.Findings[1].Level, c.raises.Level)
		}
	}
}
