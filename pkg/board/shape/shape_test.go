package shape

import (
	"math"
	"testing"

	"boardorder/pkg/board/geom"
)

const mm = geom.Millimetre

var (
	pt  = geom.Pt
	far = pt(3_000_000_001, -2_999_999_999) // metres from the origin
)

func box(x0, y0, x1, y1 int64) geom.Polygon {
	return geom.Polygon{Outer: geom.Rect(geom.Box{Min: pt(x0, y0), Max: pt(x1, y1)})}
}

func ring(side, inner int64) geom.Polygon {
	p := box(-side, -side, side, side)
	p.Holes = []geom.Path{geom.Rect(geom.Box{Min: pt(-inner, -inner), Max: pt(inner, inner)})}
	return p
}

// saw is an area with n teeth of a millimetre along its top at y = 0 and y = mm.
func saw(n int) geom.Polygon {
	var p geom.Path
	for i := range n {
		p.LineTo(pt(int64(i)*mm, 0))
		p.LineTo(pt(int64(i)*mm+mm/2, mm))
	}
	p.LineTo(pt(int64(n)*mm, 0))
	p.LineTo(pt(int64(n)*mm, -5*mm))
	p.LineTo(pt(0, -5*mm))
	p.Closed = true
	return geom.Polygon{Outer: p}
}

func TestDist(t *testing.T) {
	t.Parallel()
	arc := geom.ArcEdge(pt(10*mm, 0), pt(-10*mm, 0), pt(0, 0), false) // upper half
	tests := map[string]struct {
		a, b Shape
		want float64
	}{
		"circles":                {Circle(pt(0, 0), 2*mm), Circle(pt(3*mm, 4*mm), mm), 3.5e6},
		"circles that overlap":   {Circle(pt(0, 0), 2*mm), Circle(pt(mm, 0), 2*mm), -1e6},
		"circles, odd diameters": {Circle(pt(0, 0), 1), Circle(pt(10, 0), 2), 8.5},
		"parallel strokes":       {Stroke(pt(0, 0), pt(5*mm, 0), 200_000), Stroke(pt(-mm, 500_000), pt(9*mm, 500_000), 100_000), 350_000},
		"strokes end to end":     {Stroke(pt(0, 0), pt(5*mm, 0), mm), Stroke(pt(7*mm, 0), pt(9*mm, 0), mm), 1e6},
		"crossing strokes":       {Stroke(pt(0, 0), pt(5*mm, 5*mm), mm), Stroke(pt(5*mm, 0), pt(0, 5*mm), mm), -1e6},
		"slanted strokes":        {Stroke(pt(0, 0), pt(30*mm, 40*mm), mm), Circle(pt(15*mm+4*mm, 20*mm-3*mm), mm), 4e6},
		"arc from outside":       {Curve(arc, mm), Circle(pt(0, 12*mm), mm), 1e6},
		"arc from its centre":    {Curve(arc, mm), Circle(pt(0, 0), mm), 9e6},
		"arc from below":         {Curve(arc, mm), Circle(pt(0, -12*mm), mm), math.Hypot(10e6, 12e6) - 1e6},
		"arc and line":           {Curve(arc, mm), Stroke(pt(-20*mm, 11*mm), pt(20*mm, 11*mm), 200_000), 400_000},
		"arcs side by side":      {Curve(arc, mm), Curve(geom.ArcEdge(pt(12*mm, 0), pt(-12*mm, 0), pt(0, 0), false), mm), 1e6},
		"squares":                {Area(box(0, 0, mm, mm), 0), Area(box(2*mm, 3*mm, 4*mm, 4*mm), 0), math.Hypot(1e6, 2e6)},
		"rounded squares":        {Area(box(0, 0, mm, mm), mm/2), Area(box(2*mm, 3*mm, 4*mm, 4*mm), mm/2), math.Hypot(1e6, 2e6) - 0.5e6},
		"square in square":       {Area(box(0, 0, 9*mm, 9*mm), 0), Area(box(2*mm, 3*mm, 4*mm, 4*mm), 0), 0},
		"square in the hole":     {Area(ring(9*mm, 5*mm), 0), Area(box(-mm, -mm, 3*mm, mm), 0), 2e6},
		"stroke in the hole":     {Area(ring(9*mm, 5*mm), 0), Stroke(pt(0, 0), pt(4*mm, 0), mm), 500_000},
		"stroke in the copper":   {Area(ring(9*mm, 5*mm), 0), Stroke(pt(6*mm, 0), pt(8*mm, 0), 0), 0},
		"stroke within a border": {Border(ring(9*mm, 5*mm), 0), Stroke(pt(6*mm, 0), pt(7*mm, 0), 0), 1e6},
		"disc round a circle":    {Area(geom.Polygon{Outer: geom.Circle(pt(0, 0), mm)}, 0), Circle(pt(5*mm, 0), mm), 3.5e6},
		"saw and slanted stroke": {Area(saw(1000), 0), Stroke(pt(0, 2*mm), pt(1000*mm, 12*mm), mm/10), (1.0+.5*.01)/math.Hypot(1, .01)*1e6 - 50_000},
		"saws":                   {Area(saw(1000), 0), Area(geom.Transform{Offset: pt(0, 9*mm)}.Polygon(saw(900)), 0), 3e6},
		"saw in a saw":           {Area(saw(1000), 0), Area(geom.Transform{Offset: pt(0, mm/2)}.Polygon(saw(900)), 0), 0},
		"saw and square":         {Area(saw(1000), 0), Area(box(500*mm, 3*mm, 501*mm, 4*mm), 0), 2e6},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, by := range []geom.Point{{}, far} {
				a, b := moveShape(tt.a, by), moveShape(tt.b, by)
				check(t, &a, &b, tt.want)
				check(t, &b, &a, tt.want)
			}
		})
	}
}

func check(t *testing.T, a, b *Shape, want float64) {
	t.Helper()
	d, p, q := a.Dist(b)
	if math.Abs(d-want) > 1 {
		t.Errorf("Dist = %.2f; want %.2f", d, want)
	}
	if want > 0 && math.Abs(p.Dist(q)-want) > 2 {
		t.Errorf("points %v and %v are %.2f apart; want %.2f", p, q, p.Dist(q), want)
	}
	if s := a.DistTo(p); want > 0 && math.Abs(s) > 2 {
		t.Errorf("%v lies %.2f from the border of its shape, want 2 at most", p, s)
	}
	if _, _, _, ok := a.DistWithin(b, want+2); !ok {
		t.Errorf("DistWithin(%.2f) not found", want+2)
	}
	if want > 0 {
		if d, _, _, ok := a.DistWithin(b, want-2); ok {
			t.Errorf("DistWithin(%.2f) = %.2f; want none", want-2, d)
		}
	}
}

// moveShape is the shape, shifted.
func moveShape(s Shape, by geom.Point) Shape {
	t := geom.Move(by)
	if s.area != nil {
		return Shape{area: &area{poly: t.Polygon(s.area.poly), box: s.area.box.Move(by)}, r: s.r, hollow: s.hollow}
	}
	s.edge = t.Edge(s.edge)
	return s
}

func TestContains(t *testing.T) {
	t.Parallel()
	frame := Area(ring(9*mm, 5*mm), 0)
	for _, tt := range []struct {
		s    Shape
		p    geom.Point
		want bool
	}{
		{Circle(pt(0, 0), 2*mm), pt(mm, 0), true},
		{Circle(pt(0, 0), 2*mm), pt(mm, 2), false},
		{Stroke(pt(0, 0), pt(9*mm, 0), 2*mm), pt(5*mm, mm), true},
		{Stroke(pt(0, 0), pt(9*mm, 0), 2*mm), pt(5*mm, mm+1), false},
		{frame, pt(0, 0), false},
		{frame, pt(7*mm, 0), true},
		{frame, pt(10*mm, 0), false},
		{Area(saw(50), 0), pt(10*mm+mm/2, mm-2), true},
		{Area(saw(50), 0), pt(10*mm, 2), false},
		{Area(saw(50), 4), pt(10*mm, 2), true},
		{Border(ring(9*mm, 5*mm), 0), pt(7*mm, 0), false},
	} {
		if got := tt.s.Contains(tt.p); got != tt.want {
			t.Errorf("Contains(%v) = %v; want %v", tt.p, got, tt.want)
		}
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		s    Shape
		want geom.Box
	}{
		{Circle(pt(5, 5), 3), geom.Box{Min: pt(3, 3), Max: pt(7, 7)}},
		{Stroke(pt(0, 0), pt(10, 20), 4), geom.Box{Min: pt(-2, -2), Max: pt(12, 22)}},
		{Area(box(0, 0, 10, 10), 2), geom.Box{Min: pt(-1, -1), Max: pt(11, 11)}},
	} {
		if got := tt.s.Bounds(); got != tt.want {
			t.Errorf("Bounds = %v; want %v", got, tt.want)
		}
	}
}

func TestRoom(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		s    Shape
		p    geom.Point
		want float64
	}{
		{Circle(pt(0, 0), 4*mm), pt(mm, 0), 1e6},
		{Circle(pt(0, 0), 4*mm), pt(3*mm, 0), -1e6},
		{Stroke(pt(0, 0), pt(9*mm, 0), 4*mm), pt(5*mm, mm), 1e6},
		{Area(ring(9*mm, 5*mm), 0), pt(6*mm, 0), 1e6},
		{Area(ring(9*mm, 5*mm), 2*mm), pt(6*mm, 0), 2e6},
		{Area(ring(9*mm, 5*mm), 0), pt(3*mm, 0), -2e6},
		{Area(saw(1000), 0), pt(500*mm, -2*mm), 2e6},
		{Border(ring(9*mm, 5*mm), 2*mm), pt(8*mm, 0), 0},
	} {
		if got := tt.s.Room(tt.p, 9e6); math.Abs(got-tt.want) > 1 {
			t.Errorf("Room(%v) = %.1f; want %.1f", tt.p, got, tt.want)
		}
		if got := tt.s.Room(tt.p, 500); tt.want > 500 && got != 500 || tt.want < 0 && got >= 0 {
			t.Errorf("Room(%v, 500) = %.1f; want 500 of %.1f", tt.p, got, tt.want)
		}
	}
}
