package geom

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestPathMeasures(t *testing.T) {
	t.Parallel()
	slot := Capsule(Pt(0, 0), Pt(4*mm, 0), mm)
	tests := []struct {
		name          string
		p             Path
		area, length  float64 // mm², mm
		inside, outer Point
	}{
		{"rectangle", Rect(Box{Max: Pt(4*mm, 3*mm)}), 12, 14, Pt(mm, mm), Pt(5*mm, mm)},
		{"circle", Circle(Pt(mm, mm), 2*mm), 4 * math.Pi, 4 * math.Pi, Pt(mm, 2*mm), Pt(mm+2*mm, mm+2*mm)},
		{"capsule", slot, 8 + math.Pi, 8 + 2*math.Pi, Pt(-mm/2, mm/2), Pt(-mm*9/10, mm*9/10)},
		{"capsule without length", Capsule(Pt(mm, 0), Pt(mm, 0), mm), math.Pi, 2 * math.Pi, Pt(mm, 0), Pt(3*mm, 0)},
		{"clockwise", slot.Reverse(), -8 - math.Pi, 8 + 2*math.Pi, Pt(4*mm+mm/2, 0), Pt(2*mm, 2*mm)},
	}
	for _, tt := range tests {
		if got := tt.p.Area() / float64(mm) / float64(mm); !isNear(got, tt.area, 1e-5) {
			t.Errorf("%s: area %g, want %g", tt.name, got, tt.area)
		}
		if got := tt.p.Length() / float64(mm); !isNear(got, tt.length, 1e-5) {
			t.Errorf("%s: length %g, want %g", tt.name, got, tt.length)
		}
		sense := 1
		if tt.area < 0 {
			sense = -1
		}
		if w := tt.p.Winding(tt.inside); w != sense {
			t.Errorf("%s: winding inside %d, want %d", tt.name, w, sense)
		}
		if w := tt.p.Winding(tt.outer); w != 0 {
			t.Errorf("%s: winding outside %d, want 0", tt.name, w)
		}
		flat := Path{Points: tt.p.Flatten(1000), Closed: true}
		if got := flat.Area() / float64(mm) / float64(mm); !isNear(got, tt.area, 0.01) {
			t.Errorf("%s: flattened, its area is %g, want %g", tt.name, got, tt.area)
		}
	}
}

// TestWindingOfLines: straight paths, open and closed, with and without a repeated first
// point, wind as the sum of their crossings does.
func TestWindingOfLines(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		p := Path{Closed: r.IntN(2) == 0}
		for range 1 + r.IntN(12) {
			p.Points = append(p.Points, Pt(r.Int64N(20), r.Int64N(20)))
		}
		if r.IntN(3) == 0 {
			p.Points = append(p.Points, p.Points[0])
		}
		for range 30 {
			q, want := Pt(r.Int64N(24)-2, r.Int64N(24)-2), 0
			for i, b := range p.Points {
				want += crossing(p.Points[(i+len(p.Points)-1)%len(p.Points)], b, q)
			}
			if got := p.Winding(q); got != want {
				t.Fatalf("%v winds %d times round %v, want %d", p, got, q, want)
			}
			if got := p.Reverse().Winding(q); p.Closed && got != -want && !isOnEdge(p, q) {
				t.Fatalf("%v turned round winds %d times round %v, want %d", p, got, q, -want)
			}
		}
	}
}

func isOnEdge(p Path, q Point) bool { d, _ := p.Distance(q); return d == 0 }

func BenchmarkWinding(b *testing.B) {
	r, p := rand.New(rand.NewPCG(1, 2)), Path{Closed: true}
	for range 1000 {
		p.Points = append(p.Points, Pt(r.Int64N(mm), r.Int64N(mm)))
	}
	for b.Loop() {
		p.Winding(Pt(mm/2, mm/2))
	}
}

func TestWindingOfConcaveArc(t *testing.T) {
	t.Parallel()
	// A square of 4 mm with a half circle of 1 mm bitten out of its top.
	p := Path{Closed: true}
	p.LineTo(Pt(0, 0))
	p.LineTo(Pt(4*mm, 0))
	p.LineTo(Pt(4*mm, 4*mm))
	p.LineTo(Pt(3*mm, 4*mm))
	p.ArcTo(Pt(mm, 4*mm), Pt(2*mm, 4*mm), true)
	p.LineTo(Pt(0, 4*mm))
	if p.Winding(Pt(2*mm, 4*mm-mm/2)) != 0 || p.Winding(Pt(2*mm, 2*mm)) != 1 || p.Winding(Pt(mm+mm/10, 4*mm-mm/10*8)) != 1 {
		t.Errorf("winding numbers in the bite, below it, and beside it are %d, %d, %d; want 0, 1, 1", p.Winding(Pt(2*mm, 4*mm-mm/2)), p.Winding(Pt(2*mm, 2*mm)), p.Winding(Pt(mm+mm/10, 4*mm-mm/10*8)))
	}
	if got, want := p.Area()/float64(mm)/float64(mm), 16-math.Pi/2; !isNear(got, want, 1e-5) {
		t.Errorf("area %g, want %g", got, want)
	}
}

func TestPolygon(t *testing.T) {
	t.Parallel()
	p := Polygon{Outer: Rect(Box{Max: Pt(10*mm, 10*mm)}), Holes: []Path{Circle(Pt(5*mm, 5*mm), 2*mm)}}
	for _, tt := range []struct {
		q      Point
		in     bool
		toEdge float64
	}{
		{Pt(mm, 5*mm), true, 1}, {Pt(5*mm, 5*mm), false, 2}, {Pt(8*mm, 5*mm), true, 1}, {Pt(12*mm, 5*mm), false, 2},
	} {
		if got := p.Contains(tt.q); got != tt.in {
			t.Errorf("%v inside: %v, want %v", tt.q, got, tt.in)
		}
		if d, _ := p.EdgeDistance(tt.q); !isNear(d/float64(mm), tt.toEdge, 1e-5) {
			t.Errorf("%v lies %g mm from an edge, want %g", tt.q, d/float64(mm), tt.toEdge)
		}
		if d, _ := p.Distance(tt.q); (d == 0) != tt.in {
			t.Errorf("%v: distance %g, want 0: %v", tt.q, d, tt.in)
		}
	}
	if got := p.Area() / float64(mm) / float64(mm); !isNear(got, 100-4*math.Pi, 1e-4) {
		t.Errorf("area %g mm², want %g", got, 100-4*math.Pi)
	}
}

func TestTransform(t *testing.T) {
	t.Parallel()
	p := Pt(3*mm, mm)
	tests := []struct {
		name string
		t    Transform
		want Point
	}{
		{"identity", Transform{}, p},
		{"quarter turn", Transform{Rotation: 90}, Pt(-mm, 3*mm)},
		{"turn back", Transform{Rotation: -90}, Pt(mm, -3*mm)},
		{"mirror, then turn", Transform{Mirror: true, Rotation: 90}, Pt(-mm, -3*mm)},
		{"scale and move", Transform{Scale: 2, Offset: Pt(mm, 0)}, Pt(7*mm, 2*mm)},
		{"45 degrees", Transform{Rotation: 45}, Pt(1414214, 2828427)},
	}
	for _, tt := range tests {
		if got := tt.t.Apply(p); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		a, b, c, d := tt.t.Matrix()
		x, y := a*float64(p.X)+b*float64(p.Y), c*float64(p.X)+d*float64(p.Y)
		if m := Pt(round(x), round(y)).Add(tt.t.Offset); m.Dist(tt.want) > 2 {
			t.Errorf("%s: its matrix gives %v, want %v", tt.name, m, tt.want)
		}
		for _, u := range tests {
			if got, want := tt.t.Chain(u.t).Apply(p), u.t.Apply(tt.t.Apply(p)); got.Dist(want) > 3 {
				t.Errorf("%s then %s: %v, want %v", tt.name, u.name, got, want)
			}
		}
	}
	arc := ArcEdge(Pt(2*mm, 0), Pt(0, 2*mm), Pt(0, 0), false)
	m := Transform{Mirror: true}
	if got := m.Edge(arc); got.Turn != Clockwise || got.Mid().Dist(m.Apply(arc.Mid())) > 2 {
		t.Errorf("a mirrored arc is %+v, want it clockwise through %v", got, m.Apply(arc.Mid()))
	}
	path := Capsule(Pt(0, 0), Pt(3*mm, mm), mm)
	if got := m.Path(path).Area(); !isNear(got, -path.Area(), 1e7) {
		t.Errorf("a mirrored path has area %g, want %g", got, -path.Area())
	}
}

func TestHull(t *testing.T) {
	t.Parallel()
	pts := []Point{{0, 0}, {4, 0}, {2, 0}, {4, 4}, {2, 2}, {0, 4}, {1, 3}, {4, 2}}
	h := Path{Points: Hull(pts), Closed: true}
	if len(h.Points) != 4 || h.Area() != 16 {
		t.Errorf("hull %v, area %g; want 4 corners, 16", h.Points, h.Area())
	}
}

func TestBox(t *testing.T) {
	t.Parallel()
	e := EmptyBox()
	if !e.Empty() || e.Width() != 0 || !e.Grow(5).Empty() {
		t.Error("an empty box is not empty")
	}
	a, b := Box{Max: Pt(10, 10)}, Box{Pt(13, 14), Pt(20, 20)}
	if a.Dist(b) != 5 || a.Overlaps(b) || !a.Overlaps(a) || a.Union(b) != (Box{Max: Pt(20, 20)}) || e.Union(a) != a {
		t.Errorf("distance %g, overlap %v, with itself %v, union %v, with an empty box %v; want 5, false, true, %v, %v", a.Dist(b), a.Overlaps(b), a.Overlaps(a), a.Union(b), e.Union(a), Box{Max: Pt(20, 20)}, a)
	}
	if !a.ContainsBox(Box{Pt(1, 1), Pt(10, 2)}) || a.ContainsBox(b) {
		t.Errorf("%v contains 1,1 to 10,2: %v, %v: %v; want the first alone", a, a.ContainsBox(Box{Pt(1, 1), Pt(10, 2)}), b, a.ContainsBox(b))
	}
}

func TestWindingOnChord(t *testing.T) {
	t.Parallel()
	// Circles of two half arcs, cut at every eighth turn: their middle lies on the chords.
	c := Pt(1000, -2000)
	for k := range 8 {
		v := Pt(400, 0).Rotate(float64(k) * 45)
		for _, clockwise := range []bool{false, true} {
			var p Path
			p.LineTo(c.Add(v))
			p.ArcTo(c.Sub(v), c, clockwise)
			p.ArcTo(c.Add(v), c, clockwise)
			p.Closed = true
			want := 1
			if clockwise {
				want = -1
			}
			for _, q := range []Point{c, c.Mid(c.Add(v)), c.Mid(c.Sub(v))} {
				if got := p.Winding(q); got != want {
					t.Errorf("turn %d, clockwise %v, at %v: winding %d, want %d", k, clockwise, q, got, want)
				}
				if got := p.Reverse().Winding(q); got != -want {
					t.Errorf("turn %d, clockwise %v, at %v, reversed: winding %d, want %d", k, clockwise, q, got, -want)
				}
			}
		}
	}
}
