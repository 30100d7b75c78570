package measure_test

import (
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

const (
	micron = geom.Micrometre
	milli  = geom.Millimetre
)

// inputOf prepares a board with no options.
func inputOf(t *testing.T, k *kit.Kit) *measure.Input {
	t.Helper()
	return measure.New(t.Context(), k.Board, dfm.Options{})
}

// TestAssumptions: the thickness and the copper that a board is judged by: the options', else what
// the files state, else what is usual, and said so.
func TestAssumptions(t *testing.T) {
	t.Parallel()
	src := pcb.Source{File: "x"}
	for _, c := range []struct {
		name      string
		options   dfm.Options
		thickness pcb.Fact[int64]
		copper    pcb.Fact[float64]
		want      int64
		ounces    float64
		assumed   int
	}{
		{"nothing", dfm.Options{}, pcb.Fact[int64]{}, pcb.Fact[float64]{}, 1600 * micron, 1, 2},
		{"stated", dfm.Options{}, pcb.State(800*micron, src, 1, ""), pcb.State(2.0, src, 1, ""), 800 * micron, 2, 0},
		{"a tool's preset", dfm.Options{}, pcb.Preset(800*micron, src, ""), pcb.Preset(2.0, src, ""), 1600 * micron, 1, 2},
		{"the options go first", dfm.Options{Thickness: milli, CopperOz: 3}, pcb.State(800*micron, src, 1, ""), pcb.State(2.0, src, 1, ""), milli, 3, 0},
		{"a stated nothing", dfm.Options{}, pcb.State(int64(0), src, 1, ""), pcb.State(0.0, src, 1, ""), 1600 * micron, 1, 2},
		{"half an ounce is plated to one", dfm.Options{}, pcb.State(800*micron, src, 1, ""), pcb.State(0.5, src, 1, ""), 800 * micron, 1, 0},
	} {
		k := kit.New()
		k.Facts.Thickness, k.Facts.OuterCopper = c.thickness, c.copper
		in := measure.New(t.Context(), k.Board, c.options)
		if in.Thickness != c.want || in.CopperOz != c.ounces || len(in.Assumed) != c.assumed {
			t.Errorf("%s: %d nm, %v oz, assumed %q; want %d, %v and %d assumptions", c.name, in.Thickness, in.CopperOz, in.Assumed, c.want, c.ounces, c.assumed)
		}
	}
}

// TestCopperLayers: how many copper layers a board has, those that are missing counted.
func TestCopperLayers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		orders []int
		stated int
		want   int
	}{
		{"as many as there are", []int{1, 2}, 0, 2},
		{"one is missing", []int{1, 4}, 0, 4},
		{"more are stated", []int{1, 2}, 6, 6},
		{"fewer are stated", []int{1, 4}, 2, 4},
		{"no numbers", []int{0, 0, 0}, 0, 3},
		{"none", nil, 0, 0},
	} {
		b := pcb.NewBoard("x")
		for _, n := range c.orders {
			l := pcb.NewLayer("l", "l.gbr")
			l.Role, l.Order = pcb.RoleCopper, n
			b.Layers = append(b.Layers, l)
		}
		if c.stated > 0 {
			b.Facts.CopperLayers = pcb.State(c.stated, pcb.Source{}, 1, "")
		}
		if got := measure.New(t.Context(), b, dfm.Options{}).Layers; got != c.want {
			t.Errorf("%s: layers of orders %v with %d stated: %d, want %d", c.name, c.orders, c.stated, got, c.want)
		}
	}
}

// TestReach: how far a check looks: what is asked for, else twice the larger of its limits.
func TestReach(t *testing.T) {
	t.Parallel()
	limits := dfm.Limits{Outer: map[dfm.Name]dfm.Limit{dfm.HoleToHole: {Min: 200 * micron, Recommended: 300 * micron}, dfm.ViaRing: {Min: 100 * micron}}}
	in := measure.New(t.Context(), kit.New().Board, dfm.Options{Limits: limits, Reach: map[dfm.Name]int64{dfm.DrillSize: 7, dfm.AnnularRing: measure.Unasked}})
	for n, want := range map[dfm.Name]int64{dfm.HoleToHole: 600 * micron, dfm.ViaRing: 200 * micron, dfm.DrillSize: 7, dfm.AnnularRing: measure.Unasked, dfm.AspectRatio: 0} {
		if got := in.Reach(n, false); got != want {
			t.Errorf("reach of %s: %d nm, want %d", n, got, want)
		}
	}
}

// TestWords: what holes and layers are called.
func TestWords(t *testing.T) {
	t.Parallel()
	for want, h := range map[string]pcb.Hole{
		"hole": {}, "plated hole": {Plating: pcb.Plated}, "non-plated hole": {Plating: pcb.NonPlated}, "via": {Function: pcb.FuncViaDrill, Plating: pcb.Plated},
		"slot": {Kind: pcb.SlotHole}, "plated slot": {Kind: pcb.RoutedHole, Plating: pcb.Plated}, "non-plated slot": {Kind: pcb.SlotHole, Plating: pcb.NonPlated},
	} {
		if got := measure.HoleWords(&h); got != want {
			t.Errorf("words of %+v: %q, want %q", h, got, want)
		}
	}
	for in, want := range map[[2]string]string{{"F.Cu", "x.gbr"}: "F.Cu", {"", "x.gbr"}: "x.gbr"} {
		if got := measure.LayerWords(pcb.NewLayer(in[0], in[1])); got != want {
			t.Errorf("words of layer %q of %q: %s, want %s", in[0], in[1], got, want)
		}
	}
}

// TestDistant: boxes that are farther apart than a reach, of which corners are measured aslant.
func TestDistant(t *testing.T) {
	t.Parallel()
	at := func(x, y int64) geom.Box { return geom.Box{Min: geom.Pt(x, y), Max: geom.Pt(x+100, y+100)} }
	for _, c := range []struct {
		name string
		b    geom.Box
		want bool
	}{
		{"the same box", at(0, 0), false},
		{"touching", at(100, 0), false},
		{"to the right, within", at(150, 0), false},
		{"to the right, at the reach and its slack", at(152, 0), false},
		{"to the right, beyond", at(153, 0), true},
		{"to the left, beyond", at(-153, 0), true},
		{"above, beyond", at(0, 153), true},
		{"below, within", at(0, -152), false},
		{"aslant, 30 and 40 are 50", at(130, 140), false},
		{"aslant, 40 and 40 are 57", at(140, 140), true},
	} {
		if got := measure.Distant(at(0, 0), c.b, 50); got != c.want {
			t.Errorf("%s: boxes %v and %v are farther apart than 50: %v, want %v", c.name, at(0, 0), c.b, got, c.want)
		}
	}
}

// TestPrecedes: points in order from the left, of those above each other from below.
func TestPrecedes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p, q geom.Point
		want bool
	}{
		{geom.Pt(0, 9), geom.Pt(1, 0), true}, {geom.Pt(1, 0), geom.Pt(0, 9), false}, {geom.Pt(1, 0), geom.Pt(1, 1), true}, {geom.Pt(1, 1), geom.Pt(1, 0), false}, {geom.Pt(1, 1), geom.Pt(1, 1), false},
	} {
		if got := measure.Precedes(c.p, c.q); got != c.want {
			t.Errorf("Precedes(%v, %v) = %v, want %v", c.p, c.q, got, c.want)
		}
	}
}
