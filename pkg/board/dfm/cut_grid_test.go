package dfm

import (
	"math/rand/v2"
	"testing"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// TestCutGrid compares what squares tell with what the outline itself does, on a
// board with slanted and round edges and cutouts.
func TestCutGrid(t *testing.T) {
	t.Parallel()
	outer := poly(0, 0, 30000, 0, 40000, 12000, 38000, 30000, 2000, 26000)
	outer.ArcTo(geom.Pt(-3*milli, 10*milli), geom.Pt(-6*milli, 20*milli), true)
	round := geom.Path{Closed: true}
	round.LineTo(geom.Pt(12*milli, 10*milli))
	round.ArcTo(geom.Pt(12*milli, 10*milli), geom.Pt(15*milli, 10*milli), false)
	b := board.NewBoard("")
	b.Outline.Areas = []geom.Polygon{
		{Outer: outer, Holes: []geom.Path{round, poly(25000, 8000, 27000, 22000, 28000, 9000)}},
		{Outer: poly(50000, 0, 60000, 0, 60000, 5000, 50000, 5000)},
	}
	r := newBorder(b, board.Meter{})
	random := rand.New(rand.NewPCG(3, 4))
	cut := 0
	for range 20_000 {
		p := geom.Pt(random.Int64N(70*milli)-5*milli, random.Int64N(40*milli)-5*milli)
		if got, want := r.inside(p), r.contains(p); got != want {
			t.Fatalf("%v inside: %v, want %v", p, got, want)
		}
		if r.grid.at(p) == cellCut {
			cut++
		}
		reach := random.Int64N(2 * milli)
		least := geom.Bound(p).Grow(reach)
		if !r.grid.clear(least) {
			continue
		}
		for _, e := range r.edges {
			if q, _ := e.Nearest(p); least.Contains(q) {
				t.Fatalf("%v passes squares near %v that are said to be clear", e, p)
			}
		}
	}
	if cut > 20_000/5 {
		t.Errorf("%d of 20000 points had to be measured", cut)
	}
}
