package conductor

import (
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/geom"
)

// TestGapsWithinRounding: what a gap lacks by no more than the steps of the file's
// coordinates is a warning, and no verdict rests on it.
func TestGapsWithinRounding(t *testing.T) {
	t.Parallel()
	const inchTenThousandth = geom.Inch / 10_000
	for _, c := range []struct {
		name      string
		step, gap int64
		x, y      string // nets
		must      bool   // be fixed
		measured  bool   // for certain
	}{
		{"steps not known", 0, 97 * kit.Micron, "A", "B", true, true},
		{"a fine file", 1, 97 * kit.Micron, "A", "B", true, true},
		{"a grid of a tenth of a mil, in a fine file", 1, 98 * kit.Micron, "A", "B", false, false},
		{"within a step of the limit", inchTenThousandth, 98 * kit.Micron, "A", "B", false, false},
		{"beyond a step", inchTenThousandth, 96 * kit.Micron, "A", "B", true, true},
		{"a step apart, of two nets", inchTenThousandth, 2 * kit.Micron, "A", "B", true, true},
		{"a step apart, nets not known", inchTenThousandth, 2 * kit.Micron, "", "", false, true},
		{"a step apart, one net known", inchTenThousandth, 2 * kit.Micron, "A", "", false, true},
		{"farther apart, nets not known", inchTenThousandth, 5 * kit.Micron, "", "", true, true},
		{"lands of a library in inches, in a fine file", 1, 1270, "", "", false, true},
		{"the same, of two nets", 1, 1270, "A", "B", true, true},
		{"near in a fine file, nets not known", 1, 2 * kit.Micron, "", "", true, true},
	} {
		k := kit.New()
		k.Top.Layer.Step = c.step
		k.Pair(c.gap, c.x, c.y)
		k.AddVia(c.x, 5000, 10000, 200, 100)
		k.AddVia(c.y, 20000, 10200+c.gap/kit.Micron, 200, 100)
		k.Track(c.x, 5000, 10000, 5000, 5000, 200)
		k.Track(c.y, 20000, 10200+c.gap/kit.Micron, 20000, 15000, 200)
		r := k.Judge(clearances, map[dfm.Name]int64{dfm.TrackClearance: 100 * kit.Micron, dfm.PadClearance: 100 * kit.Micron})
		must, warned := false, false
		for _, f := range r.Findings {
			must, warned = must || f.Level == dfm.MustFix, warned || f.Level == dfm.Warning
		}
		if must != c.must || !must && !warned {
			t.Errorf("%s: a gap of %d nm gives %+v, want a must fix: %v, and otherwise a warning", c.name, c.gap, r.Findings, c.must)
		}
		for _, m := range r.Measures {
			if (m.Doubt == "") != c.measured {
				t.Errorf("%s: a gap of %d nm is measured as %+v, want it without doubt: %v", c.name, c.gap, m, c.measured)
			}
		}
	}
}

// TestGapsToFills: where the file holds the outline of a pour only, its edge is not the
// tool's own, so a gap beside it is no fault for certain.
func TestGapsToFills(t *testing.T) {
	t.Parallel()
	for file, level := range map[string]dfm.Level{"x.brd": dfm.Warning, "x.gbr": dfm.MustFix} {
		k := kit.New()
		k.Top.Layer.File = file
		k.Area("GND", kit.Poly(5000, 5000, 15000, 5000, 15000, 10000, 5000, 10000))
		k.AddVia("GND", 10000, 7000, 600, 300)
		k.Track("A", 5000, 10150, 15000, 10150, 200)
		k.AddVia("A", 16000, 10150, 600, 300)
		k.Track("A", 15000, 10150, 16000, 10150, 200)
		r := k.Judge(clearances, map[dfm.Name]int64{dfm.TrackClearance: 100 * kit.Micron})
		kit.Want(t, &r, dfm.TrackClearance, level, len(r.Findings[0].Places))
		kit.Want(t, &r, dfm.TrackClearance, dfm.MustFix+dfm.Warning-level, 0)
	}
}
