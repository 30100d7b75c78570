package geom_test

import (
	"testing"

	"boardorder/pkg/board/geom"
)

func TestTurnsAndOverlap(t *testing.T) {
	t.Parallel()
	const mm = geom.Millimetre
	path := func(xy ...int64) geom.Path {
		p := geom.Path{Closed: true}
		for i := 0; i < len(xy); i += 2 {
			p.LineTo(geom.Pt(xy[i]*mm, xy[i+1]*mm))
		}
		return p
	}
	for name, c := range map[string]struct {
		path    geom.Path
		turns   int
		overlap bool
	}{
		"square":                    {path(0, 0, 10, 0, 10, 10, 0, 10), 1, false},
		"square, clockwise":         {path(0, 0, 0, 10, 10, 10, 10, 0), -1, false},
		"circle":                    {geom.Circle(geom.Pt(0, 0), mm), 1, false},
		"capsule":                   {geom.Capsule(geom.Pt(0, 0), geom.Pt(5*mm, mm), mm), 1, false},
		"star":                      {path(0, 0, 4, 1, 5, 5, 6, 1, 10, 0, 6, -1, 5, -5, 4, -1), -1, false},
		"eight":                     {path(0, 0, 10, 10, 10, 0, 0, 10), 0, false},
		"cut-in":                    {path(0, 0, 10, 0, 10, 10, 5, 10, 5, 7, 7, 7, 7, 3, 3, 3, 3, 7, 5, 7, 5, 10, 0, 10), 1, false},
		"cut-in the same way round": {path(0, 0, 10, 0, 10, 10, 5, 10, 5, 7, 3, 7, 3, 3, 7, 3, 7, 7, 5, 7, 5, 10, 0, 10), 2, true},
		"twice round":               {path(0, 0, 10, 0, 10, 10, 0, 10, 0, 0, 10, 0, 10, 10, 0, 10), 2, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if n := c.path.Turns(); n != c.turns {
				t.Errorf("%d turns, want %d", n, c.turns)
			}
			if at, ok := c.path.Overlap(64, 0); ok != c.overlap {
				t.Errorf("overlaps %v at %v, want %v", ok, at, c.overlap)
			}
		})
	}
}

// TestOverlapOfWidth: a place that a path runs round twice is told of when there is room
// in it for the width asked for.
func TestOverlapOfWidth(t *testing.T) {
	t.Parallel()
	const um = geom.Micrometre
	for width, want := range map[int64]bool{9 * um: false, 11 * um: true} {
		p := geom.Path{Closed: true}
		for _, q := range [][2]int64{{0, 0}, {1000 * um, 0}, {1000 * um, 1000 * um}, {300 * um, 1000 * um}, {300 * um, 300 * um}, {300*um + width, 300 * um},
			{300*um + width, 700 * um}, {300 * um, 700 * um}, {300 * um, 1000 * um}, {0, 1000 * um}} {
			p.LineTo(geom.Pt(q[0], q[1]))
		}
		if _, ok := p.Overlap(64, 10*um); ok != want {
			t.Errorf("a place of %d nm: overlaps %v, want %v", width, ok, want)
		}
	}
}
