package outline

import (
	"testing"

	"boardorder/pkg/board/geom"
)

// TestSidesDrawnTwice: a board of 10 by 8 mm, however its sides are drawn.
func TestSidesDrawnTwice(t *testing.T) {
	t.Parallel()
	const mm = geom.Millimetre
	line := func(x0, y0, x1, y1 int64) geom.Edge { return geom.Line(geom.Pt(x0, y0), geom.Pt(x1, y1)) }
	arc := func(x0, y0, x1, y1, cx, cy int64) geom.Edge {
		return geom.ArcEdge(geom.Pt(x0, y0), geom.Pt(x1, y1), geom.Pt(cx, cy), true)
	}
	open := []geom.Edge{line(0, 0, 0, 8*mm), line(0, 8*mm, 10*mm, 8*mm), line(10*mm, 8*mm, 10*mm, 0)}
	for name, sides := range map[string][]geom.Edge{
		"whole and in parts":             {line(0, 0, 10*mm, 0), line(0, 0, 4*mm, 0), line(4*mm, 0, 10*mm, 0)},
		"two that overlap":               {line(0, 0, 6*mm, 0), line(5*mm, 0, 10*mm, 0)},
		"two that overlap far":           {line(0, 0, 9*mm, 0), line(mm, 0, 10*mm, 0)},
		"whole and a part":               {line(0, 0, 10*mm, 0), line(3*mm, 0, 5*mm, 0)},
		"longer than the side":           {line(-2*mm, 0, 12*mm, 0)},
		"rounded to another grid":        {line(0, 0, 10*mm, 0), line(3_000, 2_000, 10*mm-4_000, -3_000)},
		"specks at a corner":             {line(0, 0, 10*mm, 0), arc(0, 0, 2_000, 2_000, 2_000, 0)},
		"a dimension line ends on it":    {line(0, 0, 10*mm, 0), line(5*mm, 0, 5*mm, -9*mm)},
		"a dimension line at the corner": {line(0, 0, 10*mm, 0), line(0, 0, 0, -9*mm)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := Find(t.Context(), concat(open, sides)).Outline
			if len(o.Areas) != 1 {
				t.Fatalf("%d areas, %d open; want one area", len(o.Areas), len(o.Open))
			}
			if a := o.Areas[0].Area() / 1e12; a < 79.9 || a > 80.1 {
				t.Errorf("area %.3f mm², want 80 within 0.1", a)
			}
		})
	}
}

func TestArcsDrawnTwice(t *testing.T) {
	t.Parallel()
	const mm = geom.Millimetre
	at := func(x, y int64) geom.Point { return geom.Pt(x*mm, y*mm) }
	half := geom.ArcEdge(at(5, 0), at(-5, 0), at(0, 0), false)
	parts := []geom.Edge{geom.ArcEdge(at(5, 0), at(0, 5), at(0, 0), false), geom.ArcEdge(at(3, 4), at(-5, 0), at(0, 0), false)}
	o := Find(t.Context(), concat([]geom.Edge{geom.Line(at(-5, 0), at(5, 0)), half}, parts)).Outline
	if len(o.Areas) != 1 || !o.Closed {
		t.Fatalf("%d areas, %d open, closed %v; want one area, closed", len(o.Areas), len(o.Open), o.Closed)
	}
	if a := o.Areas[0].Area() / 1e12; a < 39.2 || a > 39.3 {
		t.Errorf("area %.3f mm², want 39.2 to 39.3", a)
	}
}
