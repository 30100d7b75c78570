package geom

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTransformPoints: mirror first, then turn, then scale, then move.
func TestTransformPoints(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		t    Transform
		want Point // of 3, 1
	}{
		{"nothing", Transform{}, Pt(3, 1)},
		{"moved", Move(Pt(10, 20)), Pt(13, 21)},
		{"mirrored", Transform{Mirror: true}, Pt(-3, 1)},
		{"a quarter", Transform{Rotation: 90}, Pt(-1, 3)},
		{"a quarter back", Transform{Rotation: -90}, Pt(1, -3)},
		{"three quarters", Transform{Rotation: 270}, Pt(1, -3)},
		{"half", Transform{Rotation: -180}, Pt(-3, -1)},
		{"all round and a quarter", Transform{Rotation: 450}, Pt(-1, 3)},
		{"scaled", Transform{Scale: 2}, Pt(6, 2)},
		{"scaled and rounded", Transform{Scale: 0.5}, Pt(2, 1)},
		{"mirrored, then a quarter", Transform{Mirror: true, Rotation: 90}, Pt(-1, -3)},
		{"all of it", Transform{Mirror: true, Rotation: 90, Scale: 2, Offset: Pt(10, 20)}, Pt(8, 14)},
	} {
		if got := c.t.Apply(Pt(3, 1)); got != c.want {
			t.Errorf("%s: %+v puts 3, 1 at %v, want %v", c.name, c.t, got, c.want)
		}
		a, b, cc, d := c.t.Matrix()
		p := Pt(int64(math.Round(a*3000+b*1000)), int64(math.Round(cc*3000+d*1000)))
		if want := c.t.Vector(Pt(3000, 1000)); p.Dist(want) > 1 {
			t.Errorf("%s: the matrix of %+v takes 3000, 1000 to %v, want %v", c.name, c.t, p, want)
		}
	}
}

// TestChain: two transforms one after the other are one.
func TestChain(t *testing.T) {
	t.Parallel()
	all := []Transform{
		{}, {Rotation: 90}, {Rotation: 37}, {Mirror: true}, {Scale: 2}, {Scale: 0.5}, {Offset: Pt(1000, -2000)}, {Mirror: true, Rotation: 30, Scale: 3, Offset: Pt(5000, 7000)}, {Rotation: -270, Mirror: true},
	}
	p := Pt(123_456, -65_432)
	for _, a := range all {
		for _, b := range all {
			if got, want := a.Chain(b).Apply(p), b.Apply(a.Apply(p)); got.Dist(want) > 4 {
				t.Errorf("%+v and then %+v in one put %v at %v, want %v", a, b, p, got, want)
			}
		}
	}
	for _, c := range []struct {
		t    Transform
		want bool
	}{{Transform{}, true}, {Transform{Scale: 1}, true}, {Transform{Scale: 2}.Chain(Transform{Scale: 0.5}), true}, {Transform{Rotation: 90}, false}, {Transform{Mirror: true}, false}, {Move(Pt(1, 0)), false}} {
		if got := c.t.Identity(); got != c.want {
			t.Errorf("%+v changes nothing: %v, want %v", c.t, got, c.want)
		}
	}
}

// TestTransformArcs: arcs and areas keep their length and size, and turn the other way when mirrored.
func TestTransformArcs(t *testing.T) {
	t.Parallel()
	quarter := ArcEdge(Pt(1_000_000, 0), Pt(0, 1_000_000), Pt(0, 0), false)
	disc := Polygon{Outer: Circle(Pt(5_000_000, 0), 1_000_000), Holes: []Path{Rect(Box{Min: Pt(4_900_000, -100_000), Max: Pt(5_100_000, 100_000)})}}
	for _, c := range []struct {
		name  string
		t     Transform
		turn  Turn
		scale float64
	}{
		{"turned", Transform{Rotation: 33}, CounterClockwise, 1},
		{"mirrored", Transform{Mirror: true}, Clockwise, 1},
		{"scaled", Transform{Scale: 2}, CounterClockwise, 2},
		{"moved", Move(Pt(7, 9)), CounterClockwise, 1},
	} {
		if e := c.t.Edge(quarter); e.Turn != c.turn || math.Abs(e.Len()-quarter.Len()*c.scale) > 10 {
			t.Errorf("%s: a quarter of a circle is %v, %v long; want turn %v, %v long", c.name, e, e.Len(), c.turn, quarter.Len()*c.scale)
		}
		if got, want := c.t.Polygon(disc).Area(), disc.Area()*c.scale*c.scale; math.Abs(got-want) > want*1e-5 {
			t.Errorf("%s: a disc with a hole covers %v, want %v", c.name, got, want)
		}
	}
	for scale, want := range map[float64]int64{0: 7, 1: 7, 2: 14, 0.5: 4} {
		if got := (Transform{Scale: scale}).Length(7); got != want {
			t.Errorf("7 scaled by %v is %d, want %d", scale, got, want)
		}
	}
}

// TestBoxes: boxes that hold their borders, and the empty one.
func TestBoxes(t *testing.T) {
	t.Parallel()
	b, empty := Box{Pt(0, 0), Pt(10, 20)}, EmptyBox()
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"width", b.Width(), int64(10)}, {"height", b.Height(), int64(20)}, {"width of nothing", empty.Width(), int64(0)}, {"height of nothing", empty.Height(), int64(0)},
		{"middle", b.Centre(), Pt(5, 10)}, {"grown", b.Grow(1), Box{Pt(-1, -1), Pt(11, 21)}}, {"nothing grown", empty.Grow(1), empty}, {"moved", b.Move(Pt(1, 2)), Box{Pt(1, 2), Pt(11, 22)}},
		{"nothing moved", empty.Move(Pt(1, 2)), empty}, {"of points", BoxOf(Pt(3, 9), Pt(-1, 4)), Box{Pt(-1, 4), Pt(3, 9)}}, {"of none", BoxOf(), empty}, {"with nothing", b.Union(empty), b},
		{"with another", b.Union(Box{Pt(5, -5), Pt(6, 30)}), Box{Pt(0, -5), Pt(10, 30)}}, {"holds its corner", b.Contains(Pt(10, 20)), true}, {"and not beyond", b.Contains(Pt(11, 20)), false},
		{"holds itself", b.ContainsBox(b), true}, {"holds a larger one", b.ContainsBox(b.Grow(1)), false}, {"touches at a corner", b.Overlaps(Box{Pt(10, 20), Pt(30, 30)}), true},
		{"lies apart", b.Overlaps(Box{Pt(11, 0), Pt(30, 30)}), false}, {"distance aslant", b.Dist(Box{Pt(13, 24), Pt(30, 30)}), 5.0}, {"distance of what overlaps", b.Dist(b), 0.0},
		{"nothing is empty", empty.Empty(), true}, {"a point is not", (Box{}).Empty(), false},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestUnits: lengths in nanometres, rounded to the nearest, and kept within what can be counted.
func TestUnits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		got, want int64
	}{
		{"a millimetre", MM(1), 1_000_000}, {"an inch", Inches(1), 25_400_000}, {"a thousandth of an inch", Inches(0.001), Mil}, {"half a nanometre", MM(0.0000005), 1}, {"less", MM(0.0000004), 0},
		{"half a nanometre below", MM(-0.0000005), -1}, {"no number", MM(math.NaN()), 0}, {"without end", MM(math.Inf(1)), 1 << 60}, {"without end below", Inches(math.Inf(-1)), -1 << 60}, {"beyond", MM(1e300), 1 << 60},
	} {
		if c.got != c.want {
			t.Errorf("%s is %d nm, want %d", c.name, c.got, c.want)
		}
	}
	if got := Millimetres(1_500_000); got != 1.5 {
		t.Errorf("1500000 nm are %v mm, want 1.5", got)
	}
	for in, want := range map[int64]int64{0: 0, MaxCoord: MaxCoord, MaxCoord + 1: MaxCoord, -MaxCoord - 1: -MaxCoord, math.MaxInt64: MaxCoord, math.MinInt64: -MaxCoord} {
		if got, ok := Clamp(in); got != want || ok != (in == want) {
			t.Errorf("Clamp(%d) = %d, %v; want %d, %v", in, got, ok, want, in == want)
		}
	}
}

// TestPolygonDistance: distances from an area and from its edges, those of holes among them.
func TestPolygonDistance(t *testing.T) {
	t.Parallel()
	p := Polygon{Outer: Rect(Box{Max: Pt(100, 100)}), Holes: []Path{Rect(Box{Min: Pt(40, 40), Max: Pt(60, 60)})}}
	for _, c := range []struct {
		q           Point
		area, edges float64
	}{
		{Pt(10, 50), 0, 10}, {Pt(130, 140), 50, 50}, {Pt(50, 50), 10, 10}, {Pt(35, 50), 0, 5}, {Pt(43, 50), 3, 3},
	} {
		area, at := p.Distance(c.q)
		edges, _ := p.EdgeDistance(c.q)
		if area != c.area || edges != c.edges || at.Dist(c.q) != c.area {
			t.Errorf("%v is %v from the area at %v, and %v from its edges; want %v and %v", c.q, area, at, edges, c.area, c.edges)
		}
	}
	if got := p.Area(); got != 100*100-20*20 {
		t.Errorf("a square with a square hole covers %v, want %v", got, 100*100-20*20)
	}
	if got := p.Bounds(); got != (Box{Max: Pt(100, 100)}) {
		t.Errorf("it lies in %v, want 0, 0 to 100, 100", got)
	}
}

// TestChords: an arc in lines that stray no farther than the tolerance.
func TestChords(t *testing.T) {
	t.Parallel()
	for _, e := range []Edge{
		Line(Pt(0, 0), Pt(9, 9)), ArcEdge(Pt(1_000_000, 0), Pt(0, 1_000_000), Pt(0, 0), false), ArcEdge(Pt(1_000_000, 0), Pt(1_000_000, 0), Pt(0, 0), true), ArcEdge(Pt(100, 0), Pt(-100, 0), Pt(0, 0), false),
	} {
		for _, tolerance := range []float64{100, 5_000} {
			flat := e.AppendFlat(nil, tolerance)
			if got := Chords(e, tolerance); got != len(flat) || flat[len(flat)-1] != e.B {
				t.Errorf("%v within %v nm: %d chords that end at %v, %d said; want as many, to %v", e, tolerance, len(flat), flat[len(flat)-1], got, e.B)
			}
			from := e.A
			for _, to := range flat {
				if _, d := e.Nearest(from.Mid(to)); d > tolerance+1 {
					t.Errorf("%v within %v nm: the chord to %v strays %v nm, want %v at most", e, tolerance, to, d, tolerance+1)
				}
				from = to
			}
		}
	}
}
