package limits_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/limits"
	"boardorder/pkg/board/geom"
)

const um = geom.Micrometre

func TestStandardLimits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		layers int
		oz     float64
		check  dfm.Name
		inner  bool
		want   dfm.Limit
	}{
		"two layers":                      {2, 1, dfm.TrackWidth, false, dfm.Limit{Min: 100 * um, Recommended: 127 * um}},
		"the usual copper when not said":  {2, 0, dfm.TrackWidth, false, dfm.Limit{Min: 100 * um, Recommended: 127 * um}},
		"heavy copper":                    {2, 2, dfm.TrackWidth, false, dfm.Limit{Min: 160 * um}},
		"between two weights":             {2, 3, dfm.TrackClearance, false, dfm.Limit{Min: 250 * um}},
		"heavier than published":          {4, 3, dfm.TrackClearance, false, dfm.Limit{}},
		"four layers":                     {4, 1, dfm.TrackClearance, false, dfm.Limit{Min: 90 * um}},
		"inner layers keep their copper":  {4, 2, dfm.TrackClearance, true, dfm.Limit{Min: 90 * um}},
		"ring of two layers":              {2, 1, dfm.AnnularRing, false, dfm.Limit{Min: 180 * um, Recommended: 250 * um}},
		"ring of four layers":             {4, 1, dfm.AnnularRing, false, dfm.Limit{Min: 150 * um, Recommended: 200 * um}},
		"small drills cost more":          {2, 1, dfm.DrillSize, false, dfm.Limit{Min: 150 * um, Recommended: 200 * um}},
		"one layer is drilled with ease":  {1, 1, dfm.DrillSize, false, dfm.Limit{Min: 300 * um}},
		"a limit for every copper weight": {2, 4.5, dfm.CopperToEdge, false, dfm.Limit{Min: 200 * um}},
		"board of six layers":             {6, 1, dfm.BoardLength, false, dfm.Limit{Min: 656 * geom.Millimetre}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(c.want, limits.Standard(c.layers, c.oz).LimitOf(c.check, c.inner)); d != "" {
				t.Errorf("%s, %d layers of %v oz, inner %v (-want +got):\n%s", c.check, c.layers, c.oz, c.inner, d)
			}
		})
	}
}

func TestProcessWithoutExtraCharge(t *testing.T) {
	t.Parallel()
	c, err := limits.Primary()
	if err != nil {
		t.Fatal(err)
	}
	got := c.Limits(dfm.Build{Layers: 4, Process: dfm.StandardProcess}).LimitOf(dfm.DrillSize, false)
	if d := cmp.Diff(dfm.Limit{Min: 200 * um}, got); d != "" {
		t.Errorf("drill size of four layers in the standard process (-want +got):\n%s", d)
	}
}

// TestSmallestIsLookedForAsFarAsLimitsAsk: what a board's narrowest track and gap are is
// held against the limits of any copper that a customer may choose later.
func TestSmallestIsLookedForAsFarAsLimitsAsk(t *testing.T) {
	t.Parallel()
	c, err := limits.Primary()
	if err != nil {
		t.Fatal(err)
	}
	for layers := 1; layers <= 32; layers++ {
		reach := dfm.Options{}.WithSmallest(layers).Reach
		for _, f := range c.Figures {
			far, looked := reach[f.Check]
			if !looked || f.Layers != [2]int{} && (layers < f.Layers[0] || layers > f.Layers[1]) {
				continue
			}
			if want := int64(max(f.Min, f.Recommended) * float64(geom.Millimetre)); far < want {
				t.Errorf("%s of %d layers is looked for up to %d nm, the limit for up to %v oz is %d nm", f.Check, layers, far, f.UpToOz, want)
			}
		}
	}
}
