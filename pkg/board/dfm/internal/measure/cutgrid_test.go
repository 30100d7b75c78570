package measure

import (
	"math/rand/v2"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestCutGrid compares what squares tell with what the outline itself does, on a
// board with slanted and round edges and cutouts.
func TestCutGrid(t *testing.T) {
	t.Parallel()
	outer := poly(0, 0, 30000, 0, 40000, 12000, 38000, 30000, 2000, 26000)
	outer.ArcTo(geom.Pt(-3*geom.Millimetre, 10*geom.Millimetre), geom.Pt(-6*geom.Millimetre, 20*geom.Millimetre), true)
	round := geom.Path{Closed: true}
	round.LineTo(geom.Pt(12*geom.Millimetre, 10*geom.Millimetre))
	round.ArcTo(geom.Pt(12*geom.Millimetre, 10*geom.Millimetre), geom.Pt(15*geom.Millimetre, 10*geom.Millimetre), false)
	b := pcb.NewBoard("")
	b.Outline.Areas = []geom.Polygon{
		{Outer: outer, Holes: []geom.Path{round, poly(25000, 8000, 27000, 22000, 28000, 9000)}},
		{Outer: poly(50000, 0, 60000, 0, 60000, 5000, 50000, 5000)},
	}
	r := newBorder(b, pcb.Meter{})
	random := rand.New(rand.NewPCG(3, 4))
	cut := 0
	for range 20_000 {
		p := geom.Pt(random.Int64N(70*geom.Millimetre)-5*geom.Millimetre, random.Int64N(40*geom.Millimetre)-5*geom.Millimetre)
		if got, want := r.Contains(p), r.contains(p); got != want {
			t.Fatalf("%v inside: %v, want %v", p, got, want)
		}
		if r.grid.cellAt(p) == cellCut {
			cut++
		}
		reach := random.Int64N(2 * geom.Millimetre)
		least := geom.BoxOf(p).Grow(reach)
		if !r.grid.clear(least) {
			continue
		}
		for _, e := range r.edges {
			if q, _ := e.Nearest(p); least.Contains(q) {
				t.Fatalf("%v passes squares near %v that are said to be clear", e, p)
			}
		}
	}
	if limit := 20_000 / 5; cut > limit {
		t.Errorf("%d of 20000 points had to be measured, want %d at most", cut, limit)
	}
}

// poly is a closed path through points given in micrometres.
func poly(xy ...int64) geom.Path {
	p := geom.Path{Closed: true}
	for i := 0; i+1 < len(xy); i += 2 {
		p.LineTo(geom.Pt(xy[i]*geom.Micrometre, xy[i+1]*geom.Micrometre))
	}
	return p
}
