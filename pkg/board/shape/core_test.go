package shape

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestSwallowed: holes that lie wholly inside a larger one of the same layers and plating.
func TestSwallowed(t *testing.T) {
	t.Parallel()
	const um = geom.Micrometre
	hit := func(x, d int64) pcb.Hole { return pcb.Hole{A: geom.Pt(x*um, 0), B: geom.Pt(x*um, 0), Diameter: d * um} }
	slot := func(x0, x1, d int64) pcb.Hole {
		return pcb.Hole{Kind: pcb.SlotHole, A: geom.Pt(x0*um, 0), B: geom.Pt(x1*um, 0), Diameter: d * um}
	}
	change := func(h pcb.Hole, by func(*pcb.Hole)) pcb.Hole { by(&h); return h }
	plated := func(h *pcb.Hole) { h.Plating = pcb.Plated }
	bare := func(h *pcb.Hole) { h.Plating = pcb.NonPlated }
	for _, c := range []struct {
		name  string
		holes []pcb.Hole
		want  []bool
	}{
		{"in the middle", []pcb.Hole{hit(0, 500), hit(0, 1000)}, []bool{true, false}},
		{"up to the wall", []pcb.Hole{hit(250, 500), hit(0, 1000)}, []bool{true, false}},
		{"a micrometre beyond it", []pcb.Hole{hit(251, 500), hit(0, 1000)}, []bool{true, false}},
		{"farther", []pcb.Hole{hit(252, 500), hit(0, 1000)}, []bool{false, false}},
		{"of one size", []pcb.Hole{hit(0, 500), hit(0, 500)}, []bool{false, false}},
		{"beside", []pcb.Hole{hit(2000, 500), hit(0, 1000)}, []bool{false, false}},
		{"a hit at the end of a slot", []pcb.Hole{hit(3000, 500), slot(0, 3000, 1000)}, []bool{true, false}},
		{"a slot in a slot", []pcb.Hole{slot(500, 2500, 500), slot(0, 3000, 1000)}, []bool{true, false}},
		{"a slot that is longer", []pcb.Hole{slot(500, 3500, 500), slot(0, 3000, 1000)}, []bool{false, false}},
		{"a slot in a hit", []pcb.Hole{slot(-200, 200, 500), hit(0, 1000)}, []bool{true, false}},
		{"plated in non-plated", []pcb.Hole{change(hit(0, 500), plated), change(hit(0, 1000), bare)}, []bool{false, false}},
		{"plated in one that nobody states", []pcb.Hole{change(hit(0, 500), plated), hit(0, 1000)}, []bool{true, false}},
		{"of other layers", []pcb.Hole{hit(0, 500), change(hit(0, 1000), func(h *pcb.Hole) { h.From, h.To = 2, 3 })}, []bool{false, false}},
		{"of the same inner layers", []pcb.Hole{
			change(hit(0, 500), func(h *pcb.Hole) { h.From, h.To = 2, 3 }), change(hit(0, 1000), func(h *pcb.Hole) { h.From, h.To = 2, 3 }),
		}, []bool{true, false}},
		{"in a way of the cutter", []pcb.Hole{hit(0, 500), change(hit(0, 1000), func(h *pcb.Hole) { h.Kind = pcb.RoutedHole })}, []bool{false, false}},
		{"in a back drill", []pcb.Hole{hit(0, 500), change(hit(0, 1000), func(h *pcb.Hole) { h.Function = pcb.FuncBackDrill })}, []bool{false, false}},
		{"without a size", []pcb.Hole{hit(0, 0), hit(0, 1000), hit(0, 500)}, []bool{false, false, true}},
		{"three in each other", []pcb.Hole{hit(0, 1000), hit(0, 500), hit(0, 250)}, []bool{false, true, true}},
		{"none", nil, []bool{}},
	} {
		b := pcb.NewBoard("x")
		b.Holes = c.holes
		if diff := cmp.Diff(c.want, FindContained(b, pcb.Meter{})); diff != "" {
			t.Errorf("%s: swallowed of %+v (-want +got):\n%s", c.name, c.holes, diff)
		}
	}
}

// TestJoinPairs: boxes that touch are joined, through any number of others, as by looking at all pairs.
func TestJoinPairs(t *testing.T) {
	t.Parallel()
	box := func(x, y int64) geom.Box { return geom.Box{Min: geom.Pt(x, y), Max: geom.Pt(x+10, y+10)} }
	var chain, apart, grid []geom.Box
	for i := range int64(100) {
		chain, apart = append(chain, box(10*i, 0)), append(apart, box(12*i, 0))
		grid = append(grid, box(15*(i%10), 15*(i/10)))
	}
	for _, c := range []struct {
		name  string
		boxes []geom.Box
		reach int64
		skip  int // every so many is skipped; 0 for none
		sets  int
	}{
		{"a chain", chain, 0, 0, 1}, {"apart", apart, 0, 0, 100}, {"apart, within reach", apart, 2, 0, 1}, {"apart, nearly within reach", apart, 1, 0, 100}, {"a grid within reach", grid, 5, 0, 1},
		{"a grid apart", grid, 4, 0, 100}, {"a chain of which each tenth is skipped", chain, 0, 10, 20}, {"two", chain[:2], 0, 0, 1}, {"one", chain[:1], 0, 0, 1}, {"none", nil, 0, 0, 0},
	} {
		sets := NewSets(len(c.boxes))
		skip := func(i int) bool { return c.skip > 0 && i%c.skip == 0 }
		NewIndex(c.boxes).JoinPairs(c.reach, sets, skip, func(i, j int) bool { return c.boxes[i].Grow(c.reach).Overlaps(c.boxes[j]) })
		roots := map[int32]bool{}
		for i := range sets {
			roots[sets.Find(int32(i))] = true
		}
		if len(roots) != c.sets {
			t.Errorf("%s: %d boxes within %d make %d sets, want %d", c.name, len(c.boxes), c.reach, len(roots), c.sets)
		}
	}
}

// TestCores: what shapes say of themselves.
func TestCores(t *testing.T) {
	t.Parallel()
	p := geom.Polygon{Outer: geom.Rect(geom.Box{Max: geom.Pt(100, 60)})}
	far := geom.Polygon{Outer: geom.Rect(geom.Box{Min: geom.Pt(0, 0), Max: geom.Pt(100, 60)}), Holes: []geom.Path{geom.Rect(geom.Box{Min: geom.Pt(20, 20), Max: geom.Pt(80, 40)})}}
	for _, c := range []struct {
		name  string
		s     Shape
		area  bool
		width float64
		point geom.Point
		box   geom.Box
	}{
		{"a disc", Circle(geom.Pt(5, 6), 8), false, 8, geom.Pt(5, 6), geom.Box{Min: geom.Pt(1, 2), Max: geom.Pt(9, 10)}},
		{"a stroke", Stroke(geom.Pt(0, 0), geom.Pt(10, 0), 4), false, 4, geom.Pt(5, 0), geom.Box{Min: geom.Pt(-2, -2), Max: geom.Pt(12, 2)}},
		{"an odd width", Stroke(geom.Pt(0, 0), geom.Pt(10, 0), 3), false, 3, geom.Pt(5, 0), geom.Box{Min: geom.Pt(-2, -2), Max: geom.Pt(12, 2)}},
		{"an area", Area(p, 0), true, 0, geom.Pt(50, 30), geom.Box{Max: geom.Pt(100, 60)}},
		{"an area, grown", Area(p, 10), true, 10, geom.Pt(50, 30), geom.Box{Min: geom.Pt(-5, -5), Max: geom.Pt(105, 65)}},
		{"an area whose middle is a hole", Area(far, 0), true, 0, geom.Pt(0, 0), geom.Box{Max: geom.Pt(100, 60)}},
		{"a border", Border(p, 0), true, 0, geom.Pt(0, 0), geom.Box{Max: geom.Pt(100, 60)}},
		{"an area of nothing", Area(geom.Polygon{}, 0), true, 0, geom.Pt(0, 0), geom.EmptyBox()},
	} {
		if c.s.IsArea() != c.area || c.s.Width() != c.width || c.s.CorePoint() != c.point || c.s.Bounds() != c.box {
			t.Errorf("%s: an area %v, %v wide, core at %v, in %v; want %v, %v, %v, %v", c.name, c.s.IsArea(), c.s.Width(), c.s.CorePoint(), c.s.Bounds(), c.area, c.width, c.point, c.box)
		}
		if got, want := len(c.s.Polygon().Outer.Points) > 0, c.area && c.name != "an area of nothing"; got != want {
			t.Errorf("%s has a polygon: %v, want %v", c.name, got, want)
		}
	}
}

// TestHolds: shapes that lie inside an area whose border they do not come near.
func TestHolds(t *testing.T) {
	t.Parallel()
	ring := geom.Polygon{Outer: geom.Rect(geom.Box{Max: geom.Pt(100, 100)}), Holes: []geom.Path{geom.Rect(geom.Box{Min: geom.Pt(40, 40), Max: geom.Pt(60, 60)})}}
	square := func(a, b int64) geom.Polygon {
		return geom.Polygon{Outer: geom.Rect(geom.Box{Min: geom.Pt(a, a), Max: geom.Pt(b, b)})}
	}
	for _, c := range []struct {
		name        string
		s, o        Shape
		holds, hole bool
	}{
		{"a dot inside", Area(ring, 0), Circle(geom.Pt(20, 20), 2), true, false},
		{"a dot in its hole", Area(ring, 0), Circle(geom.Pt(50, 50), 2), false, false},
		{"a dot outside", Area(ring, 0), Circle(geom.Pt(150, 50), 2), false, false},
		{"an area inside", Area(ring, 0), Area(square(10, 20), 0), true, false},
		{"an area round a hole", Area(square(30, 70), 0), Area(ring, 0), false, true},
		{"an area in a hole", Area(square(45, 55), 0), Area(ring, 0), false, false},
		{"a border holds nothing", Border(ring, 0), Circle(geom.Pt(20, 20), 2), false, false},
		{"a disc holds nothing", Circle(geom.Pt(0, 0), 100), Circle(geom.Pt(0, 0), 2), false, false},
		{"nothing is held", Area(ring, 0), Area(geom.Polygon{}, 0), false, false},
	} {
		if holds, hole := c.s.Holds(&c.o), c.s.HoldsHole(&c.o); holds != c.holds || hole != c.hole {
			t.Errorf("%s: holds it %v, a hole of it %v; want %v, %v", c.name, holds, hole, c.holds, c.hole)
		}
	}
}
