package foil

import (
	"testing"

	"boardorder/pkg/board/pcb"
)

func TestWeights(t *testing.T) {
	t.Parallel()
	for nm, want := range map[int64]struct{ inner, outer float64 }{
		15_200: {0.5, 0.5}, // as fabricators publish half an ounce between the layers
		17_500: {0.5, 0.5}, 17_800: {0.5, 0.5}, 30_400: {1, 1}, 35_000: {1, 1}, 34_800: {1, 1}, 35_560: {1, 1},
		20_000: {0.5, 0.5}, 20_500: {0.59, 0.59}, 45_000: {1.5, 1}, // with its plating
		46_000: {1.5, 1.5}, 70_000: {2, 2}, 104_400: {3, 3}, 8_700: {0.25, 0.25},
		25_000: {0.72, 0.72}, // near none
	} {
		if in, out := Inner(nm), Outer(nm); in != want.inner || out != want.outer {
			t.Errorf("%d nm: %v oz inner, %v outer; want %v, %v", nm, in, out, want.inner, want.outer)
		}
	}
	for oz, want := range map[float64]float64{0.5: 1, 0.25: 0.25, 1: 1, 2: 2} {
		if got := WeightAsBuilt(oz); got != want {
			t.Errorf("%v oz outside finishes as %v; want %v", oz, got, want)
		}
	}
}

func TestMixedCopperIsStated(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		layers                 []int64
		outer, inner           float64
		mixedOuter, mixedInner string
	}{
		"all the same":           {[]int64{35_000, 35_000, 35_000, 35_000}, 1, 1, "", ""},
		"lighter within":         {[]int64{35_000, 15_200, 17_500, 35_000}, 1, 0.5, "", ""},
		"two and two within":     {[]int64{17_500, 35_000, 17_500, 17_500, 35_000, 17_500}, 0.5, 1, "", "1 oz on 2 layers, 0.5 oz on 2 layers"},
		"another bottom":         {[]int64{70_000, 35_000}, 2, 0, "2 oz on 1 layer, 1 oz on 1 layer", ""},
		"a bottom to be plated":  {[]int64{35_600, 17_800}, 1, 0, "", ""},
		"one layer":              {[]int64{35_000}, 1, 0, "", ""},
		"of unlike rounding too": {[]int64{35_000, 30_400, 35_000, 34_800}, 1, 1, "", ""},
	} {
		var f pcb.Facts
		State(&f, tt.layers, func(oz float64) pcb.Fact[float64] { return pcb.State(oz, pcb.Source{File: "a"}, 0.9, "stack") })
		if f.OuterCopper.Value != tt.outer || f.InnerCopper.Value != tt.inner || f.MixedOuter.Value != tt.mixedOuter || f.MixedInner.Value != tt.mixedInner {
			t.Errorf("%s: %v oz %q outside, %v oz %q within; want %v oz %q, %v oz %q", name, f.OuterCopper.Value, f.MixedOuter.Value, f.InnerCopper.Value, f.MixedInner.Value, tt.outer, tt.mixedOuter, tt.inner, tt.mixedInner)
		}
	}
}
