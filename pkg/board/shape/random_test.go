package shape

import (
	"math"
	"math/rand/v2"
	"testing"

	"boardorder/pkg/board/geom"
)

// randomShape is any kind of shape within a few millimetres of at.
func randomShape(r *rand.Rand, at geom.Point) Shape {
	p := func() geom.Point { return at.Add(pt(r.Int64N(4*mm), r.Int64N(4*mm))) }
	w := r.Int64N(mm) + 1
	switch r.IntN(6) {
	case 0:
		return Circle(p(), w)
	case 1:
		return Stroke(p(), p(), w)
	case 2:
		return Curve(geom.ArcThrough(p(), p(), p()), w)
	case 3:
		return Area(star(r, p(), 3+r.IntN(6)), w)
	case 4:
		return Border(star(r, p(), 3+r.IntN(6)), w)
	}
	return Area(star(r, p(), 20+r.IntN(60)), 0)
}

// star is a polygon of n corners round c that does not cross itself.
func star(r *rand.Rand, c geom.Point, n int) geom.Polygon {
	p := geom.Path{Closed: true}
	for i := range n {
		p.LineTo(c.Polar(float64(mm/2+r.Int64N(2*mm)), 2*math.Pi*float64(i)/float64(n)))
	}
	return geom.Polygon{Outer: p}
}

// trace gives points along the core, at most step apart.
func trace(s *Shape, step float64) []geom.Point {
	var out []geom.Point
	edges := []geom.Edge{s.edge}
	if s.area != nil {
		edges = s.area.list()
	}
	for _, e := range edges {
		n := int(e.Len()/step) + 1
		start := e.A.Sub(e.Centre).Angle()
		for i := range n + 1 {
			t := float64(i) / float64(n)
			if e.IsArc() {
				out = append(out, e.Centre.Polar(e.Radius(), start+e.Sweep()*t))
			} else {
				out = append(out, interpolate(e.A, e.B, t))
			}
		}
	}
	return out
}

func TestDistAgainstSampling(t *testing.T) {
	t.Parallel()
	const step = 20_000
	r := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		at := pt(r.Int64N(geom.MaxCoord), -r.Int64N(geom.MaxCoord))
		a, b := randomShape(r, at), randomShape(r, at.Add(pt(r.Int64N(6*mm), r.Int64N(6*mm))))
		sampled := math.Inf(1)
		others := trace(&b, step)
		for _, p := range trace(&a, step) {
			for _, q := range others {
				sampled = min(sampled, p.Dist(q))
			}
		}
		sampled -= a.r + b.r
		d, _, _ := a.Dist(&b)
		back, _, _ := b.Dist(&a)
		if math.Abs(d-back) > 1 && max(d, back) > 0 {
			t.Fatalf("%+v and %+v: %.1f one way, %.1f the other; want the same", a, b, d, back)
		}
		if d > sampled+2 || d > 0 && d < sampled-step {
			t.Fatalf("%+v and %+v: Dist %.1f, want %.1f as sampled", a, b, d, sampled)
		}
	}
}

// What is told to be apart is; lines that are hardly within reach are not.
func TestApartAgreesWithDist(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(21, 22))
	missed := 0
	for range 20_000 {
		at := pt(r.Int64N(geom.MaxCoord), -r.Int64N(geom.MaxCoord))
		size := int64(1) << r.IntN(30)
		p := func() geom.Point { return at.Add(pt(r.Int64N(size), r.Int64N(size))) }
		e, f := geom.Line(p(), p()), geom.Line(p(), p())
		if r.IntN(8) == 0 {
			f.B = f.A
		}
		d, _, _ := e.Dist(f)
		if areApart(&e, &f, d) {
			t.Fatalf("%v and %v are told to be farther apart than %.1f", e, f, d)
		}
		if d > 10 && !areApart(&e, &f, d*0.99-4) {
			missed++
		}
	}
	if missed > 0 {
		t.Errorf("%d lines out of reach were not told to be, want none", missed)
	}
}

// The quick way to tell inside from outside agrees with the plain one, also for
// paths that cross themselves and have arcs.
func TestContainsAgreesWithPolygon(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 12))
	for range 300 {
		p := geom.Polygon{Outer: tangle(r, 1+r.IntN(200), 1000)}
		for range r.IntN(30) {
			p.Holes = append(p.Holes, tangle(r, 3+r.IntN(20), 200))
		}
		s := Area(p, 0)
		for range 60 {
			q := pt(r.Int64N(1100)-50, r.Int64N(1100)-50)
			if d, _ := p.EdgeDistance(q); d < 2 {
				continue
			}
			if got, want := s.area.contains(q), p.Contains(q); got != want {
				t.Fatalf("contains(%v) = %v; want %v, of %+v", q, got, want, p)
			}
		}
	}
}

// tangle is a closed path through random points, now and then by an arc.
func tangle(r *rand.Rand, n int, size int64) geom.Path {
	o := pt(r.Int64N(1001-size), r.Int64N(1001-size))
	p := geom.Path{Closed: true}
	for range n {
		q := o.Add(pt(r.Int64N(size), r.Int64N(size)))
		if k := len(p.Points); k > 0 && r.IntN(4) == 0 && p.Points[k-1] != q {
			c := p.Points[k-1].Mid(q)
			p.ArcTo(q, c, r.IntN(2) == 0)
			continue
		}
		p.LineTo(q)
	}
	return p
}

func TestIndexFindsAll(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 2, 7, 8, 9, 64, 65, 1000} {
		boxes := make([]geom.Box, n)
		for i := range boxes {
			p := pt(r.Int64N(100)-50, r.Int64N(100)-50)
			boxes[i] = geom.Box{Min: p, Max: p.Add(pt(r.Int64N(9), r.Int64N(9)))}
		}
		if n > 5 {
			boxes[3] = geom.EmptyBox()
		}
		x := NewIndex(boxes)
		for range 30 {
			p := pt(r.Int64N(120)-60, r.Int64N(120)-60)
			q := geom.Box{Min: p, Max: p.Add(pt(r.Int64N(30), r.Int64N(30)))}
			found := map[int]int{}
			x.Search(q, func(i int) bool { found[i]++; return true })
			for i, b := range boxes {
				want := 0
				if !b.Empty() && b.Overlaps(q) {
					want = 1
				}
				if found[i] != want {
					t.Fatalf("%d boxes: Search(%v) gives box %d %v %d times; want %d", n, q, i, b, found[i], want)
				}
			}
		}
		pairs := map[[2]int]int{}
		for part := range 3 {
			x.PairsPart(2, part, 3, func(i, j int) { pairs[[2]int{i, j}]++ })
		}
		for j := range boxes {
			for i := range j {
				want := 0
				if !boxes[i].Empty() && !boxes[j].Empty() && boxes[i].Grow(2).Overlaps(boxes[j]) {
					want = 1
				}
				if pairs[[2]int{i, j}] != want {
					t.Fatalf("%d boxes: pair %d, %d found %d times; want %d", n, i, j, pairs[[2]int{i, j}], want)
				}
			}
		}
	}
}

func TestSearchAllocatesNothing(t *testing.T) {
	x := NewIndex(make([]geom.Box, 1000))
	n := 0
	if a := testing.AllocsPerRun(10, func() {
		x.Search(geom.Box{}, func(int) bool { n++; return true })
	}); a != 0 {
		t.Errorf("Search allocates %v times, want 0", a)
	}
}

func FuzzDist(f *testing.F) {
	f.Add(int64(1), uint64(2), int64(0), int64(0))
	f.Add(int64(7), uint64(9), int64(mm), int64(-mm))
	f.Fuzz(func(t *testing.T, s int64, u uint64, dx, dy int64) {
		r := rand.New(rand.NewPCG(uint64(s), u))
		a := randomShape(r, geom.Point{})
		b := randomShape(r, pt(dx%(10*mm), dy%(10*mm)))
		d, p, q := a.Dist(&b)
		if math.IsNaN(d) || math.IsInf(d, 0) {
			t.Fatalf("Dist of %+v and %+v = %v, want a number", a, b, d)
		}
		if d > 0 && math.Abs(p.Dist(q)-d) > 3 {
			t.Fatalf("%+v and %+v: Dist %.1f, but %v and %v are %.1f apart", a, b, d, p, q, p.Dist(q))
		}
		if gap := a.Bounds().Dist(b.Bounds()); max(d, 0) < gap-3 {
			t.Fatalf("%+v and %+v: Dist %.1f is less than that of the bounds, %.1f", a, b, d, gap)
		}
	})
}

func BenchmarkDist(b *testing.B) {
	a, c := Stroke(pt(0, 0), pt(5*mm, mm), mm), Stroke(pt(0, 3*mm), pt(5*mm, 4*mm), mm)
	s, arc := Area(saw(50_000), 0), Curve(geom.ArcEdge(pt(10*mm, 9*mm), pt(-10*mm, 9*mm), pt(0, 9*mm), false), mm)
	other := Area(geom.Transform{Offset: pt(0, 9*mm)}.Polygon(saw(40_000)), 0)
	long := Stroke(pt(0, 2*mm), pt(50_000*mm, 12*mm), mm)
	for name, p := range map[string][2]Shape{
		"strokes": {a, c}, "stroke and arc": {a, arc}, "stroke and pour": {c, s},
		"long stroke and pour": {long, s}, "pours": {s, other},
	} {
		p[0].Dist(&p[1])
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p[0].Dist(&p[1])
			}
		})
	}
}

func BenchmarkNewIndex(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	boxes := make([]geom.Box, 100_000)
	for i := range boxes {
		p := pt(r.Int64N(100*mm), r.Int64N(100*mm))
		boxes[i] = geom.Box{Min: p, Max: p.Add(pt(r.Int64N(mm), r.Int64N(mm)))}
	}
	b.ReportAllocs()
	for b.Loop() {
		NewIndex(boxes)
	}
}
