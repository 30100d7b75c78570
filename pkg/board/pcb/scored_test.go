package pcb

import (
	"testing"

	"boardorder/pkg/board/geom"
)

// TestScored: pieces that share straight edges are parted by V-scores; those that a cutter
// parts, and those that only meet at a corner, are not.
func TestScored(t *testing.T) {
	t.Parallel()
	box := func(x0, y0, x1, y1 float64) geom.Polygon {
		var p geom.Path
		for _, c := range [4][2]float64{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}} {
			p.Points = append(p.Points, geom.Pt(geom.MM(c[0]), geom.MM(c[1])))
		}
		p.Closed = true
		return geom.Polygon{Outer: p}
	}
	notched := box(20, 0, 40, 30) // its side at x = 20 in two parts
	notched.Outer.Points = append(notched.Outer.Points, geom.Pt(geom.MM(20), geom.MM(16)), geom.Pt(geom.MM(22), geom.MM(15)), geom.Pt(geom.MM(20), geom.MM(14)))
	slanted := func(dx float64) geom.Polygon {
		p := box(0, 0, 20, 30)
		p.Outer.Points[1].X += geom.MM(dx)
		return p
	}
	ell := box(0, 0, 40, 30)
	ell.Outer.Points = append(ell.Outer.Points[:2:2], geom.Pt(geom.MM(40), geom.MM(10)), geom.Pt(geom.MM(20), geom.MM(10)), geom.Pt(geom.MM(20), geom.MM(30)), geom.Pt(0, geom.MM(30)))
	for name, c := range map[string]struct {
		areas []geom.Polygon
		want  bool
	}{
		"one board":                      {[]geom.Polygon{box(0, 0, 20, 30)}, false},
		"two that share a side":          {[]geom.Polygon{box(0, 0, 20, 30), box(20, 0, 40, 30)}, true},
		"a level side":                   {[]geom.Polygon{box(0, 0, 20, 30), box(0, 30, 20, 60)}, true},
		"a small one and a large one":    {[]geom.Polygon{box(0, 0, 5, 5), box(5, 0, 45, 30)}, true},
		"a side with a notch":            {[]geom.Polygon{box(0, 0, 20, 30), notched}, true},
		"parted by a cutter":             {[]geom.Polygon{box(0, 0, 20, 30), box(22, 0, 42, 30)}, false},
		"a tenth of a millimetre apart":  {[]geom.Polygon{box(0, 0, 20, 30), box(20.1, 0, 42, 30)}, false},
		"that meet at a corner":          {[]geom.Polygon{box(0, 0, 20, 30), box(20, 30, 40, 60)}, false},
		"that meet over two millimetres": {[]geom.Polygon{box(0, 0, 20, 30), box(20, 28, 40, 58)}, false},
		"slanted sides":                  {[]geom.Polygon{slanted(3), box(20, 0, 40, 30)}, false},
		"a third beside":                 {[]geom.Polygon{box(0, 0, 20, 30), box(20, 0, 40, 30), box(60, 0, 80, 30)}, false},
		"a T":                            {[]geom.Polygon{box(0, 0, 30, 20), box(30, 0, 60, 10), box(30, 10, 60, 20)}, false},
		"a T, level":                     {[]geom.Polygon{box(0, 0, 20, 30), box(0, 30, 10, 60), box(10, 30, 20, 60)}, false},
		"a box in the notch of an L":     {[]geom.Polygon{ell, box(20, 10, 40, 30)}, false},
		"boards between rails":           {[]geom.Polygon{box(0, 0, 80, 5), box(0, 5, 40, 35), box(40, 5, 80, 35), box(0, 35, 80, 40)}, true},
		"a grid":                         {[]geom.Polygon{box(0, 0, 20, 30), box(20, 0, 40, 30), box(0, 30, 20, 60), box(20, 30, 40, 60)}, true},
	} {
		if got := (Outline{Areas: c.areas}).IsScored(); got != c.want {
			t.Errorf("%s: pieces %v are parted by V-scores: %v, want %v", name, c.areas, got, c.want)
		}
	}
}
