package check

import (
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/pcb"
)

// thinBoard is a board with a track of this width between two vias, of which the left one lies so
// far from the edge, in micrometres.
func thinBoard(width, margin int64) *pcb.Board {
	k := kit.New()
	k.AddVia("A", margin, 5000, 800, 300)
	k.AddVia("A", 15_000, 5000, 800, 300)
	k.Track("A", margin, 5000, 15_000, 5000, width)
	return k.Board
}

// TestFlexible: what goes beyond the limits of rigid boards is a warning on a board that is known
// to be flexible, which people then look at; what no limit decides stays a fault.
func TestFlexible(t *testing.T) {
	t.Parallel()
	limits := kit.Limits(map[dfm.Name]int64{dfm.TrackWidth: 100 * kit.Micron, dfm.CopperToEdge: 200 * kit.Micron})
	flex := func(f *pcb.Facts) { f.Flex = pcb.State(true, pcb.Source{}, 0.9, "test") }
	for name, c := range map[string]struct {
		width, margin int64
		facts         func(*pcb.Facts)
		fault         dfm.Name // that stays one; "" for none
		soft          dfm.Name // that is said softly
	}{
		"a thin track, rigid":          {40, 5000, func(*pcb.Facts) {}, dfm.TrackWidth, ""},
		"a thin track":                 {40, 5000, flex, "", dfm.TrackWidth},
		"a thin track, of polyimide":   {40, 5000, func(f *pcb.Facts) { f.Material = pcb.State("Polyimide", pcb.Source{}, 0.9, "test") }, "", dfm.TrackWidth},
		"a thin track, of FR-4":        {40, 5000, func(f *pcb.Facts) { f.Material = pcb.State("FR-4", pcb.Source{}, 0.9, "test") }, dfm.TrackWidth, ""},
		"a thin track, with stiffener": {40, 5000, func(f *pcb.Facts) { f.Needs(pcb.State(pcb.Stiffening, pcb.Source{}, 0.9, "test")) }, "", dfm.TrackWidth},
		"a wide track":                 {300, 5000, flex, "", ""},
		"a track across the edge":      {300, -5000, flex, dfm.CopperOutside, ""},
	} {
		b := thinBoard(c.width, c.margin)
		c.facts(&b.Facts)
		r, err := Inspect(t.Context(), b, limits)
		if err != nil {
			t.Fatal(err)
		}
		faults, soft := map[dfm.Name]bool{}, map[dfm.Name]bool{}
		for _, f := range r.Findings {
			faults[f.Check] = faults[f.Check] || f.Level == dfm.MustFix && (f.Check == dfm.TrackWidth || f.Check == dfm.CopperOutside)
			soft[f.Check] = soft[f.Check] || f.Level == dfm.Warning && strings.Contains(f.What, "flexible")
		}
		if c.fault != "" && !faults[c.fault] || c.fault == "" && (faults[dfm.TrackWidth] || faults[dfm.CopperOutside]) || soft[dfm.TrackWidth] != (c.soft == dfm.TrackWidth) {
			t.Errorf("%s: findings %+v; want fault %q, softly %q", name, r.Findings, c.fault, c.soft)
		}
		needed := false
		for _, p := range b.Facts.Processes {
			needed = needed || p.Value == pcb.FineFlex
		}
		if needed != (c.soft != "") {
			t.Errorf("%s: processes %+v, want people to look %v", name, b.Facts.Processes, c.soft != "")
		}
		for _, m := range r.Measures {
			if m.Check == dfm.TrackWidth && (m.Doubt != "") != (c.soft != "") {
				t.Errorf("%s: measure %+v, want a doubt %v", name, m, c.soft != "")
			}
		}
	}
}
