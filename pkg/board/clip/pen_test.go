package clip

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"boardorder/pkg/board/geom"
)

// TestStroke: what a pen covers along an edge, by the formulas of geometry.
func TestStroke(t *testing.T) {
	t.Parallel()
	const um, r = 1000.0, 100_000
	for _, c := range []struct {
		name  string
		e     geom.Edge
		r     int64
		area  float64 // um²
		holes int
	}{
		{"a line", geom.Line(geom.Pt(0, 0), geom.Pt(1_000_000, 0)), r, 1000*200 + math.Pi*100*100, 0},
		{"a line aslant", geom.Line(geom.Pt(0, 0), geom.Pt(600_000, 800_000)), r, 1000*200 + math.Pi*100*100, 0},
		{"a dot", geom.Line(geom.Pt(5, 5), geom.Pt(5, 5)), r, math.Pi * 100 * 100, 0},
		{"a full circle", geom.ArcEdge(geom.Pt(500_000, 0), geom.Pt(500_000, 0), geom.Pt(0, 0), false), r, math.Pi * (600*600 - 400*400), 1},
		{"a full circle the other way", geom.ArcEdge(geom.Pt(500_000, 0), geom.Pt(500_000, 0), geom.Pt(0, 0), true), r, math.Pi * (600*600 - 400*400), 1},
		{"a circle smaller than its pen", geom.ArcEdge(geom.Pt(50_000, 0), geom.Pt(50_000, 0), geom.Pt(0, 0), false), r, math.Pi * 150 * 150, 0},
		{"a quarter", geom.ArcEdge(geom.Pt(500_000, 0), geom.Pt(0, 500_000), geom.Pt(0, 0), false), r, math.Pi/4*(600*600-400*400) + math.Pi*100*100, 0},
		{"a half", geom.ArcEdge(geom.Pt(500_000, 0), geom.Pt(-500_000, 0), geom.Pt(0, 0), true), r, math.Pi/2*(600*600-400*400) + math.Pi*100*100, 0},
		{"no pen", geom.Line(geom.Pt(0, 0), geom.Pt(1_000_000, 0)), 0, 0, 0},
		{"less than none", geom.Line(geom.Pt(0, 0), geom.Pt(1_000_000, 0)), -1, 0, 0},
	} {
		got := combine(t, Union, Stroke(c.e, c.r), nil)
		if a := area(got) / um / um; math.Abs(a-c.area) > c.area*0.01 || holes(got) != c.holes {
			t.Errorf("%s: %v with a pen of radius %d covers %v um² with %d holes, want %v with %d", c.name, c.e, c.r, a, holes(got), c.area, c.holes)
		}
	}
}

// TestStrokesOfArcs: an arc costs a few times the corners of its centre line, not a round pen's for
// each chord of it, and covers what a chain of short strokes does.
func TestStrokesOfArcs(t *testing.T) {
	t.Parallel()
	centre := geom.Pt(3_000_000, -2_000_000)
	for _, radius := range []int64{101_000, 120_000, 700_000} {
		for _, sweep := range []float64{0.001, 0.3, math.Pi / 2, math.Pi, 5, 2*math.Pi - 0.05, 2*math.Pi - 0.001} {
			for _, clockwise := range []bool{false, true} {
				for _, r := range []int64{50_000, 100_000} {
					from, to := centre.Polar(float64(radius), 0.7), centre.Polar(float64(radius)+3, 0.7+sweep)
					if clockwise {
						from, to = to, from
					}
					e := geom.ArcEdge(from, to, centre, clockwise)
					got, chain := Stroke(e, r), Rings(nil)
					for at, line := e.A, e.AppendFlat(nil, Tolerance); len(line) > 0; at, line = line[0], line[1:] {
						chain = append(chain, Flat(geom.Capsule(at, line[0], r), false))
					}
					limit := 2.5 * Tolerance * (e.Len()*2 + 7*float64(r))
					if differ := area(combine(t, Difference, got, chain)) + area(combine(t, Difference, chain, got)); differ > limit {
						t.Errorf("%v with a pen of radius %d differs by %v nm² from a chain of strokes, want %v at most", e, r, differ, limit)
					}
					if few := 4*geom.Chords(e, Tolerance) + 300; got.Len() > few && float64(radius) > 1.5*float64(r) {
						t.Errorf("%v with a pen of radius %d has %d corners, want %d or less", e, r, got.Len(), few)
					}
				}
			}
		}
	}
}

// TestGrow: a polygon whose border is drawn with a pen: larger outside, smaller holes.
func TestGrow(t *testing.T) {
	t.Parallel()
	p := geom.Polygon{Outer: geom.Rect(geom.Box{Max: geom.Pt(100_000, 100_000)}), Holes: []geom.Path{geom.Rect(geom.Box{Min: geom.Pt(40_000, 40_000), Max: geom.Pt(60_000, 60_000)})}}
	for _, c := range []struct {
		r     int64
		area  float64 // um²
		holes int
	}{
		{0, 100*100 - 20*20, 1},
		{-5, 100*100 - 20*20, 1},
		{5_000, 100*100 + 4*100*5 + math.Pi*5*5 - 10*10, 1},
		{10_000, 100*100 + 4*100*10 + math.Pi*10*10, 0},
	} {
		rings, err := Grow(t.Context(), p, c.r)
		if err != nil {
			t.Errorf("Grow by %d: %v", c.r, err)
			continue
		}
		got := combine(t, Union, rings, nil)
		if a := area(got) / 1e6; math.Abs(a-c.area) > c.area*0.005 || holes(got) != c.holes {
			t.Errorf("a square of 100 um with a hole of 20 um, grown by %d nm, covers %v um² with %d holes; want %v with %d", c.r, a, holes(got), c.area, c.holes)
		}
	}
}

// TestShrink: a dumbbell comes apart at its handle once the pen is as wide.
func TestShrink(t *testing.T) {
	t.Parallel()
	p := geom.Polygon{Outer: geom.Path{Closed: true, Points: []geom.Point{
		{X: 0, Y: 0}, {X: 10_000, Y: 0}, {X: 10_000, Y: 4_000}, {X: 20_000, Y: 4_000}, {X: 20_000, Y: 0}, {X: 30_000, Y: 0},
		{X: 30_000, Y: 10_000}, {X: 20_000, Y: 10_000}, {X: 20_000, Y: 6_000}, {X: 10_000, Y: 6_000}, {X: 10_000, Y: 10_000}, {X: 0, Y: 10_000},
	}}}
	for _, c := range []struct {
		r      int64
		pieces int
		area   float64
	}{
		{0, 1, 2*10_000*10_000 + 10_000*2_000},
		{500, 1, 2*9_000*9_000 + 11_000*1_000},
		{1_000, 2, 2 * 8_000 * 8_000},
		{5_000, 0, 0},
	} {
		got, err := Shrink(t.Context(), p, c.r)
		sum := 0.0
		for _, q := range got {
			sum += q.Area()
		}
		if err != nil || len(got) != c.pieces || math.Abs(sum-c.area) > 0.01*c.area {
			t.Errorf("shrunk by %d: %d pieces of %v nm², error %v; want %d of %v", c.r, len(got), sum, err, c.pieces, c.area)
		}
	}
}

// TestFlat: rings run counter-clockwise, those of holes clockwise, whichever way the path does.
func TestFlat(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]geom.Path{
		"a square": geom.Rect(geom.Box{Max: geom.Pt(100, 100)}), "a square the other way": geom.Rect(geom.Box{Max: geom.Pt(100, 100)}).Reverse(),
		"a circle": geom.Circle(geom.Pt(7, 7), 10_000), "a triangle that is not closed": {Points: []geom.Point{{}, {X: 100}, {Y: 100}}},
	} {
		if a := shoelaceArea(Flat(p, false)); a <= 0 {
			t.Errorf("%s runs round an area of %v, want more than 0", name, a)
		}
		if a := shoelaceArea(Flat(p, true)); a >= 0 {
			t.Errorf("%s as a hole runs round an area of %v, want less than 0", name, a)
		}
	}
	if got := shoelaceArea(Ring{{}, {X: 5}}); got != 0 {
		t.Errorf("two corners run round an area of %v, want 0", got)
	}
}

// TestOutlines: rings of polygons as they are made, holes among them.
func TestOutlines(t *testing.T) {
	t.Parallel()
	p := geom.Polygon{Outer: geom.Rect(geom.Box{Max: geom.Pt(100, 100)}), Holes: []geom.Path{geom.Rect(geom.Box{Min: geom.Pt(40, 40), Max: geom.Pt(60, 60)})}}
	rings, err := FlatPolygon(t.Context(), p)
	if err != nil || len(rings) != 2 || rings.Len() != 8 {
		t.Fatalf("a square with a square hole is %v, %v; want two rings of four corners", rings, err)
	}
	if got := area(combine(t, Union, rings, nil)); got != 100*100-20*20 {
		t.Errorf("a square with a square hole covers %v, want %v", got, 100*100-20*20)
	}
	plain, err := FlatPolygon(t.Context(), geom.Polygon{Outer: p.Outer})
	if err != nil || len(plain) != 1 || plain.Len() != 4 {
		t.Errorf("a square is %v, %v; want one ring of four corners", plain, err)
	}
	if got := Outlines(nil); got != nil || got.Len() != 0 {
		t.Errorf("outlines of nothing are %v, want none", got)
	}
}

// TestWindow: rings cut down to a box cover the same within it.
func TestWindow(t *testing.T) {
	t.Parallel()
	box := geom.Box{Min: geom.Pt(0, 0), Max: geom.Pt(100, 100)}
	frame := Rings{square(0, 0, 100)}
	for _, c := range []struct {
		name  string
		in    Rings
		rings int
		area  float64 // within the box
	}{
		{"within", Rings{square(10, 10, 20)}, 1, 400},
		{"beside", Rings{square(200, 200, 20)}, 0, 0},
		{"over a side", Rings{square(90, 10, 20)}, 1, 200},
		{"over a corner", Rings{square(90, 90, 20)}, 1, 100},
		{"round all of it", Rings{square(-100, -100, 300)}, 1, 10_000},
		{"touching a side", Rings{square(100, 10, 20)}, 1, 0},
		{"aslant", Rings{{geom.Pt(-50, 50), geom.Pt(50, -50), geom.Pt(150, 50), geom.Pt(50, 150)}}, 1, 10_000},
		{"a hole", Rings{square(-10, -10, 200), reverseRing(square(90, 90, 50))}, 2, 10_000 - 100},
		{"none", Rings{nil}, 0, 0},
	} {
		got := c.in.Window(box)
		a := area(combine(t, Intersection, got, frame))
		if want := area(combine(t, Intersection, c.in, frame)); len(got) > c.rings || math.Abs(a-want) > 2 || math.Abs(a-c.area) > 2 {
			t.Errorf("%s: %v cut down to %v is %v, %v of it within; want %d rings and %v", c.name, c.in, box, got, a, c.rings, c.area)
		}
	}
}

// TestExactSigns: products of vectors beyond 64 bits have the sign that they have.
func TestExactSigns(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	check := func(u, v geom.Point) {
		product := func(a, b, c, d int64) *big.Int {
			x := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
			return x.Add(x, new(big.Int).Mul(big.NewInt(c), big.NewInt(d)))
		}
		if got, want := crossSign(u, v), product(u.X, v.Y, -u.Y, v.X).Sign(); got != want {
			t.Errorf("crossSign(%v, %v) = %d, want %d", u, v, got, want)
		}
		if got, want := dotSign(u, v), product(u.X, v.X, u.Y, v.Y).Sign(); got != want {
			t.Errorf("dotSign(%v, %v) = %d, want %d", u, v, got, want)
		}
	}
	const far = 1 << 40
	for _, u := range []geom.Point{{}, {X: 1}, {Y: -1}, {X: far}, {Y: far}, {X: far, Y: far}, {X: -far, Y: far - 1}, {X: small, Y: 1}, {X: small - 1, Y: -small + 1}} {
		for _, v := range []geom.Point{{}, {X: 1, Y: 1}, {X: far, Y: far}, {X: -far, Y: -far}, {X: far - 1, Y: -far}, {X: small, Y: small}} {
			check(u, v)
		}
	}
	for range 2_000 {
		u := geom.Pt(r.Int64N(2*far)-far, r.Int64N(2*far)-far)
		check(u, geom.Pt(r.Int64N(2*far)-far, r.Int64N(2*far)-far))
		check(u, geom.Pt(u.X+r.Int64N(3)-1, u.Y+r.Int64N(3)-1))
		check(u, geom.Pt(-u.Y+r.Int64N(3)-1, u.X+r.Int64N(3)-1))
	}
}

// TestClockwiseBefore: directions in the order in which they follow a way back, turning clockwise.
func TestClockwiseBefore(t *testing.T) {
	t.Parallel()
	back := geom.Pt(0, 1)
	order := []geom.Point{{X: 1, Y: 2}, {X: 1}, {X: 1, Y: -2}, {Y: -1}, {X: -1, Y: -2}, {X: -1}, {X: -1, Y: 2}, {Y: 1}}
	for i, a := range order {
		for j, b := range order {
			if got := clockwiseBefore(back, a, b); got != (i < j) {
				t.Errorf("clockwise from %v comes %v before %v: %v, want %v", back, a, b, got, i < j)
			}
		}
	}
}

// TestStraighten: corners where a ring runs straight on are left out, spikes are not.
func TestStraighten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		in   Ring
		want int
	}{
		{"a square", square(0, 0, 10), 4},
		{"a corner on a side", Ring{{}, {X: 5}, {X: 10}, {X: 10, Y: 10}, {Y: 10}}, 4},
		{"the first corner on a side", Ring{{X: 5}, {X: 10}, {X: 10, Y: 10}, {Y: 10}, {}}, 4},
		{"several on one side", Ring{{}, {X: 1}, {X: 2}, {X: 3}, {X: 10}, {X: 10, Y: 10}, {Y: 10}}, 4},
		{"a spike", Ring{{}, {X: 10}, {X: 20}, {X: 10, Y: 0}, {X: 10, Y: 10}}, 4},
	} {
		if got := straighten(append(Ring(nil), c.in...)); len(got) != c.want {
			t.Errorf("%s: %v becomes %v, want %d corners", c.name, c.in, got, c.want)
		}
	}
}
