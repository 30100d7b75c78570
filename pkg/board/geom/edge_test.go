package geom

import (
	"math"
	"math/rand/v2"
	"testing"
)

const mm = Millimetre

func isNear(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func TestEdgeMeasures(t *testing.T) {
	t.Parallel()
	o := Pt(0, 0)
	tests := []struct {
		name   string
		e      Edge
		length float64 // mm
		box    Box     // mm
		mid    Point   // mm
	}{
		{"line", Line(o, Pt(3*mm, 4*mm)), 5, Box{o, Pt(3, 4)}, Pt(1, 2)},
		{"quarter, counter-clockwise", ArcEdge(Pt(2*mm, 0), Pt(0, 2*mm), o, false), math.Pi, Box{o, Pt(2, 2)}, Pt(1, 1)},
		{"three quarters, clockwise", ArcEdge(Pt(2*mm, 0), Pt(0, 2*mm), o, true), 3 * math.Pi, Box{Pt(-2, -2), Pt(2, 2)}, Pt(-1, -1)},
		{"full circle", ArcEdge(Pt(2*mm, 0), Pt(2*mm, 0), o, true), 4 * math.Pi, Box{Pt(-2, -2), Pt(2, 2)}, Pt(-2, 0)},
		{"half over the top", ArcEdge(Pt(2*mm, 0), Pt(-2*mm, 0), o, false), 2 * math.Pi, Box{Pt(-2, 0), Pt(2, 2)}, Pt(0, 2)},
		{"through three points", ArcThrough(Pt(2*mm, 0), Pt(0, 2*mm), Pt(-2*mm, 0)), 2 * math.Pi, Box{Pt(-2, 0), Pt(2, 2)}, Pt(0, 2)},
		{"through three points, clockwise", ArcThrough(Pt(-2*mm, 0), Pt(0, 2*mm), Pt(2*mm, 0)), 2 * math.Pi, Box{Pt(-2, 0), Pt(2, 2)}, Pt(0, 2)},
		{"through three points on a line", ArcThrough(o, Pt(mm, 0), Pt(2*mm, 0)), 2, Box{o, Pt(2, 0)}, Pt(1, 0)},
		{"through a point and back", ArcThrough(Pt(2*mm, 0), Pt(-2*mm, 0), Pt(2*mm, 0)), 4 * math.Pi, Box{Pt(-2, -2), Pt(2, 2)}, Pt(-2, 0)},
	}
	toMM := func(p Point) Point { return Pt(p.X/mm, p.Y/mm) }
	for _, tt := range tests {
		if got := tt.e.Len() / float64(mm); !isNear(got, tt.length, 1e-5) {
			t.Errorf("%s: length %g, want %g", tt.name, got, tt.length)
		}
		if b := tt.e.Bounds(); toMM(b.Min) != tt.box.Min || toMM(b.Max) != tt.box.Max {
			t.Errorf("%s: bounds %v, want %v mm", tt.name, b, tt.box)
		}
		if got := toMM(tt.e.Mid()); got != tt.mid {
			t.Errorf("%s: middle %v, want %v mm", tt.name, got, tt.mid)
		}
		r := tt.e.Reverse()
		if !isNear(r.Len(), tt.e.Len(), 1) || r.Mid().Dist(tt.e.Mid()) > 2 {
			t.Errorf("%s: reversed it is %+v, want the length %.0f and the middle %v, within 2 nm", tt.name, r, tt.e.Len(), tt.e.Mid())
		}
	}
}

func TestEdgeDistance(t *testing.T) {
	t.Parallel()
	o := Pt(0, 0)
	top := ArcEdge(Pt(2*mm, 0), Pt(-2*mm, 0), o, false)
	tests := []struct {
		name string
		e, f Edge
		want float64 // mm
	}{
		{"crossing lines", Line(Pt(-mm, 0), Pt(mm, 0)), Line(Pt(0, -mm), Pt(0, mm)), 0},
		{"parallel lines", Line(o, Pt(5*mm, 0)), Line(Pt(2*mm, mm), Pt(9*mm, mm)), 1},
		{"lines on one line, apart", Line(o, Pt(mm, 0)), Line(Pt(3*mm, 0), Pt(4*mm, 0)), 2},
		{"lines on one line, overlapping", Line(o, Pt(3*mm, 0)), Line(Pt(2*mm, 0), Pt(4*mm, 0)), 0},
		{"end to line", Line(Pt(mm, mm), Pt(2*mm, 5*mm)), Line(o, Pt(5*mm, 0)), 1},
		{"line above an arc", Line(Pt(-3*mm, 3*mm), Pt(3*mm, 3*mm)), top, 1},
		{"line below, on the open side", Line(Pt(-mm, -3*mm), Pt(mm, -3*mm)), top, math.Hypot(1, 3)},
		{"line through an arc", Line(o, Pt(0, 5*mm)), top, 0},
		{"line inside", Line(Pt(-mm/2, mm), Pt(mm/2, mm)), top, 2 - math.Hypot(0.5, 1)},
		{"arcs side by side", top, ArcEdge(Pt(7*mm, 0), Pt(3*mm, 0), Pt(5*mm, 0), true), 1},
		{"full circles apart", ArcEdge(Pt(mm, 0), Pt(mm, 0), o, false), ArcEdge(Pt(5*mm, 4*mm), Pt(5*mm, 4*mm), Pt(4*mm, 4*mm), false), math.Hypot(4, 4) - 2},
		{"circle within a circle", ArcEdge(Pt(5*mm, 0), Pt(5*mm, 0), o, false), ArcEdge(Pt(2*mm, 0), Pt(2*mm, 0), Pt(mm, 0), false), 3},
		{"concentric", ArcEdge(Pt(5*mm, 0), Pt(5*mm, 0), o, false), top, 3},
		{"crossing circles", ArcEdge(Pt(2*mm, 0), Pt(2*mm, 0), o, false), ArcEdge(Pt(5*mm, 0), Pt(5*mm, 0), Pt(3*mm, 0), true), 0},
		{"points", Line(o, o), Line(Pt(3*mm, 4*mm), Pt(3*mm, 4*mm)), 5},
	}
	for _, tt := range tests {
		for _, pair := range [][2]Edge{{tt.e, tt.f}, {tt.f, tt.e}, {tt.e.Reverse(), tt.f}} {
			d, p, q := pair[0].Dist(pair[1])
			if !isNear(d/float64(mm), tt.want, 1e-5) {
				t.Errorf("%s: %g mm, want %g", tt.name, d/float64(mm), tt.want)
			}
			if !isNear(p.Dist(q), d, 3) {
				t.Errorf("%s: its points %v, %v lie %g apart, not %g", tt.name, p, q, p.Dist(q), d)
			}
		}
	}
}

// TestEdgeDistanceAgainstSamples compares with the nearest of many points on
// both edges, for edges of every kind anywhere.
func TestEdgeDistanceAgainstSamples(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	point := func() Point { return Pt(r.Int64N(10*mm), r.Int64N(10*mm)) }
	edge := func() Edge {
		switch r.IntN(3) {
		case 0:
			return Line(point(), point())
		case 1:
			return ArcThrough(point(), point(), point())
		}
		c, p := point(), point()
		return ArcEdge(p, p, c, r.IntN(2) == 0)
	}
	for range 400 {
		e, f := edge(), edge()
		got, _, _ := e.Dist(f)
		least := math.Inf(1)
		for _, p := range e.AppendFlat([]Point{e.A}, 200) {
			if _, d := f.Nearest(p); d < least {
				least = d
			}
		}
		// Straight edges have no inner samples, so look from the other side too.
		for _, q := range f.AppendFlat([]Point{f.A}, 200) {
			if _, d := e.Nearest(q); d < least {
				least = d
			}
		}
		if got > least+5 {
			t.Fatalf("%+v to %+v: %g, but samples come as near as %g", e, f, got, least)
		}
		step := max(e.Len(), f.Len())/8 + 1000
		if e.IsArc() && f.IsArc() && got < least-step {
			t.Fatalf("%+v to %+v: %g, but samples only come as near as %g", e, f, got, least)
		}
	}
}

// TestArcBetween: an arc turns through its angle on the side of its sign, and one that is
// as good as straight is a line.
func TestArcBetween(t *testing.T) {
	t.Parallel()
	a, b := Pt(0, 0), Pt(2*Millimetre, 0)
	for degrees, centre := range map[float64]Point{180: Pt(Millimetre, 0), -180: Pt(Millimetre, 0), 90: Pt(Millimetre, Millimetre), -90: Pt(Millimetre, -Millimetre), 270: Pt(Millimetre, -Millimetre)} {
		e := ArcBetween(a, b, degrees)
		if got := e.Sweep() * 180 / math.Pi; !e.IsArc() || e.A != a || e.B != b || e.Centre != centre || math.Abs(got-degrees) > 1e-6 {
			t.Errorf("%v degrees: %+v turns through %v, want the centre %v", degrees, e, got, centre)
		}
	}
	if e := ArcBetween(a, b, 1e-12); e.IsArc() {
		t.Errorf("with its centre beyond all coordinates: %+v, want a line", e)
	}
}
