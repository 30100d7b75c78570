package outline

import (
	"math"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestWeld: what runs on past a crossing or a corner by no more than overrun is cut off.
func TestWeld(t *testing.T) {
	t.Parallel()
	line := func(x0, y0, x1, y1 int64) geom.Edge { return geom.Line(geom.Pt(x0, y0), geom.Pt(x1, y1)) }
	across := func(by int64) []geom.Edge {
		return []geom.Edge{line(0, 0, 10*mm, 0), line(10*mm-by, -4*mm, 10*mm-by, 4*mm)}
	}
	corner := func(by int64) []geom.Edge {
		return []geom.Edge{line(0, 0, 10*mm, 0), line(10*mm, 0, 10*mm, 8*mm), line(10*mm, 0, 10*mm+by, 0)}
	}
	var many []geom.Edge
	for i := range int64(250) {
		many = append(many, line(0, 10*mm+i*mm, 5*mm, 10*mm+i*mm))
	}
	for name, tt := range map[string]struct {
		edges  []geom.Edge
		length int64 // of what is left
	}{
		"past a crossing":             {across(overrun), 18*mm - overrun},
		"far past a crossing":         {across(overrun + 1000), 18 * mm},
		"past a corner":               {corner(overrun), 18 * mm},
		"far past a corner":           {corner(overrun + 1000), 18*mm + overrun + 1000},
		"the last piece of a side":    {[]geom.Edge{line(0, 0, 10*mm, 0), line(10*mm, 0, 10*mm+overrun, 0)}, 10*mm + overrun},
		"a bend past a crossing":      {[]geom.Edge{geom.ArcEdge(geom.Pt(5*mm, 0), geom.Pt(0, 5*mm), geom.Pt(0, 0), false), line(overrun-mm/100, 3*mm, overrun-mm/100, 7*mm)}, 0},
		"drawing of many loose lines": {concat(many, across(overrun)), 250*5*mm + 18*mm},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, want := 0.0, float64(tt.length)
			for _, e := range weld(tt.edges, pcb.MeterOf(t.Context())) {
				got += e.Len()
			}
			if want == 0 {
				want = 5*mm*math.Pi/2 + 4*mm - 5*mm*math.Asin(float64(overrun-mm/100)/(5*mm))
			}
			if math.Abs(got-want) > 10 {
				t.Errorf("%.3f mm of lines left, want %.3f", got/mm, want/mm)
			}
		})
	}
}

// TestOverruns: a board of 10 by 8 mm in 15 lines that stop short of each other, the first
// of which begins before the corner that the last one ends on.
func TestOverruns(t *testing.T) {
	t.Parallel()
	line := func(x0, y0, x1, y1 int64) geom.Edge {
		return geom.Line(geom.Pt(x0*1000, y0*1000), geom.Pt(x1*1000, y1*1000))
	}
	for _, tt := range []struct {
		by   int64
		open int
	}{{265, 0}, {299, 0}, {301, 1}} {
		o := Find(t.Context(), []geom.Edge{
			line(-tt.by, 0, 2559, 0), line(2512, 0, 6008, 0), line(6040, 0, 8420, 0), line(8407, 0, 10055, 0),
			line(10000, 168, 10000, 2917), line(10000, 2937, 10000, 5403), line(10000, 5428, 10000, 7828),
			line(10170, 8000, 7796, 8000), line(7773, 8000, 4916, 8000), line(4914, 8000, 3452, 8000), line(3420, 8000, 209, 8000),
			line(0, 7843, 0, 6633), line(0, 6597, 0, 4834), line(0, 4875, 0, 1946), line(0, 1911, 0, -2),
		}).Outline
		if len(o.Areas) != 1 || len(o.Open) != tt.open || o.Closed != (tt.open == 0) {
			t.Errorf("by %d: %d areas, %d open, closed %t; want 1, %d, %t", tt.by, len(o.Areas), len(o.Open), o.Closed, tt.open, tt.open == 0)
			continue
		}
		if a := o.Areas[0].Area() / mm / mm; math.Abs(a-80) > 0.1 {
			t.Errorf("by %d: area %.3f mm², want 80 within 0.1", tt.by, a)
		}
	}
}

// TestWidestGap: a gap is measured from a loose end to the nearest other one, of
// whatever line, and not from the end of a line to where it began.
func TestWidestGap(t *testing.T) {
	t.Parallel()
	line := func(x0, y0, x1, y1 int64) geom.Edge { return geom.Line(geom.Pt(x0, y0), geom.Pt(x1, y1)) }
	for name, tt := range map[string]struct {
		edges []geom.Edge
		size  int64
	}{
		"a side missing": {rect(0, 0, 10*mm, 8*mm)[1:], 10 * mm},
		"halves, 12 mm and 11 mm apart": {[]geom.Edge{
			line(0, 0, 0, 30*mm), line(0, 30*mm, 20*mm, 30*mm), line(31*mm, 30*mm, 40*mm, 30*mm),
			line(40*mm, 30*mm, 40*mm, 0), line(40*mm, 0, 12*mm, 0),
		}, 12 * mm},
	} {
		b := boardWithPads(tt.edges, geom.Pt(5*mm, 5*mm))
		Shape(t.Context(), b)
		if len(b.Findings) != 1 || b.Findings[0].Code != "outline_open" || b.Findings[0].Size != tt.size {
			t.Errorf("%s: findings %+v, want outline_open of %d nm alone", name, b.Findings, tt.size)
		}
	}
}
