package clip

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"boardorder/pkg/board/geom"
)

func square(x, y, side int64) Ring {
	return Ring{geom.Pt(x, y), geom.Pt(x+side, y), geom.Pt(x+side, y+side), geom.Pt(x, y+side)}
}

func reverseRing(r Ring) Ring {
	out := Ring{}
	for i := range r {
		out = append(out, r[len(r)-1-i])
	}
	return out
}

func combine(t testing.TB, op Op, a, b Rings) []geom.Polygon {
	t.Helper()
	out, err := Combine(context.Background(), op, a, b)
	if err != nil {
		t.Fatalf("operation %d of %v and %v: %v", op, a, b, err)
	}
	return out
}

func area(ps []geom.Polygon) float64 {
	sum := 0.0
	for _, p := range ps {
		sum += p.Area()
	}
	return sum
}

func holes(ps []geom.Polygon) int {
	n := 0
	for _, p := range ps {
		n += len(p.Holes)
	}
	return n
}

func TestOf(t *testing.T) {
	t.Parallel()
	star := Ring{geom.Pt(0, 1000), geom.Pt(588, -809), geom.Pt(-951, 309), geom.Pt(951, 309), geom.Pt(-588, -809)}
	tests := map[string]struct {
		op     Op
		a, b   Rings
		pieces int
		holes  int
		area   float64
	}{
		"nothing":                      {Union, nil, nil, 0, 0, 0},
		"one":                          {Union, Rings{square(0, 0, 10)}, nil, 1, 0, 100},
		"less nothing":                 {Difference, Rings{square(0, 0, 10)}, nil, 1, 0, 100},
		"apart":                        {Union, Rings{square(0, 0, 10)}, Rings{square(20, 0, 10)}, 2, 0, 200},
		"overlapping":                  {Union, Rings{square(0, 0, 10)}, Rings{square(5, 5, 10)}, 1, 0, 175},
		"common part":                  {Intersection, Rings{square(0, 0, 10)}, Rings{square(5, 5, 10)}, 1, 0, 25},
		"corner taken off":             {Difference, Rings{square(0, 0, 10)}, Rings{square(5, 5, 10)}, 1, 0, 75},
		"side by side":                 {Union, Rings{square(0, 0, 10)}, Rings{square(10, 0, 10)}, 1, 0, 200},
		"side by side in part":         {Union, Rings{square(0, 0, 10)}, Rings{square(10, 5, 10)}, 1, 0, 200},
		"corner to corner":             {Union, Rings{square(0, 0, 10)}, Rings{square(10, 10, 10)}, 2, 0, 200},
		"equal":                        {Union, Rings{square(0, 0, 10)}, Rings{square(0, 0, 10)}, 1, 0, 100},
		"equal taken off":              {Difference, Rings{square(0, 0, 10)}, Rings{square(0, 0, 10)}, 0, 0, 0},
		"hole":                         {Difference, Rings{square(0, 0, 100)}, Rings{square(40, 40, 20)}, 1, 1, 9600},
		"island in a hole":             {Difference, Rings{square(0, 0, 100)}, Rings{square(20, 20, 60), reverseRing(square(40, 40, 20))}, 2, 1, 6800},
		"hole at the edge":             {Difference, Rings{square(0, 0, 100)}, Rings{square(0, 40, 20)}, 1, 0, 9600},
		"hole touching in a point":     {Difference, Rings{square(0, 0, 100)}, Rings{{geom.Pt(0, 50), geom.Pt(20, 40), geom.Pt(20, 60)}}, 1, 0, 9800},
		"holes touching in a point":    {Difference, Rings{square(0, 0, 100)}, Rings{square(10, 10, 20), square(30, 30, 20)}, 1, 1, 9200},
		"cut in two":                   {Difference, Rings{square(0, 0, 100)}, Rings{{geom.Pt(40, -10), geom.Pt(60, -10), geom.Pt(60, 110), geom.Pt(40, 110)}}, 2, 0, 8000},
		"clockwise ring":               {Union, Rings{reverseRing(square(0, 0, 10))}, nil, 1, 0, 100},
		"cut-in":                       {Union, Rings{{geom.Pt(0, 0), geom.Pt(100, 0), geom.Pt(100, 100), geom.Pt(0, 100), geom.Pt(0, 50), geom.Pt(40, 50), geom.Pt(40, 60), geom.Pt(60, 60), geom.Pt(60, 40), geom.Pt(40, 40), geom.Pt(40, 50), geom.Pt(0, 50)}}, nil, 1, 1, 9600},
		"star is filled in the middle": {Union, Rings{star}, nil, 1, 0, 1.12257e6},
		"spike without area":           {Union, Rings{{geom.Pt(0, 0), geom.Pt(10, 0), geom.Pt(10, 10), geom.Pt(10, 50), geom.Pt(10, 10), geom.Pt(0, 10)}}, nil, 1, 0, 100},
		"a point":                      {Union, Rings{{geom.Pt(3, 3)}}, nil, 0, 0, 0},
		"far away":                     {Intersection, Rings{square(-4e9, -4e9, 8e9)}, Rings{square(-1, -1, 2)}, 1, 0, 4},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := combine(t, tt.op, tt.a, tt.b)
			if len(got) != tt.pieces || holes(got) != tt.holes || math.Abs(area(got)-tt.area) > tt.area*1e-3 {
				t.Errorf("%d pieces, %d holes, area %g; want %d, %d, %g\n%v", len(got), holes(got), area(got), tt.pieces, tt.holes, tt.area, got)
			}
			for _, p := range got {
				if p.Outer.Area() <= 0 {
					t.Errorf("outer path runs clockwise: %v", p)
				}
				for _, h := range p.Holes {
					if h.Area() >= 0 {
						t.Errorf("hole runs counter-clockwise: %v", p)
					}
				}
			}
		})
	}
}

// blob is a random ring with many crossings, or a circle.
func blob(r *rand.Rand, size int64, corners int) Ring {
	c := geom.Pt(r.Int64N(size), r.Int64N(size))
	if corners > 12 {
		return Flat(geom.Circle(c, 1+r.Int64N(size/4)), false)
	}
	out := Ring{}
	for range corners {
		out = append(out, geom.Pt(c.X+r.Int64N(size/2), c.Y+r.Int64N(size/2)))
	}
	return out
}

func blobs(r *rand.Rand, n int, size int64) Rings {
	var out Rings
	for range n {
		out = append(out, blob(r, size, 3+r.IntN(20)))
	}
	return out
}

func contains(ps []geom.Polygon, q geom.Point) bool {
	for _, p := range ps {
		if p.Contains(q) {
			return true
		}
	}
	return false
}

func (rs Rings) winding(q geom.Point) int {
	n := 0
	for _, r := range rs {
		n += geom.Path{Points: r, Closed: true}.Winding(q)
	}
	return n
}

// distance from the nearest ring.
func (rs Rings) distance(q geom.Point) float64 {
	best := math.Inf(1)
	for _, r := range rs {
		if d, _ := (geom.Path{Points: r, Closed: true}).Distance(q); d < best {
			best = d
		}
	}
	return best
}

func TestAreasAddUp(t *testing.T) {
	t.Parallel()
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 1))
		size := int64(40) << r.IntN(24) // tiny ones collapse on the grid, which is where faults show
		a, b := blobs(r, 1+r.IntN(12), size), blobs(r, 1+r.IntN(12), size)
		checkLaws(t, seed, a, b, float64(size))
	}
}

func checkLaws(t *testing.T, seed uint64, a, b Rings, size float64) {
	t.Helper()
	or, and := combine(t, Union, a, b), combine(t, Intersection, a, b)
	ab, ba := combine(t, Difference, a, b), combine(t, Difference, b, a)
	slack := 1e-9*size*size + 400*size // edges move by less than a nanometre
	if d := area(ab) + area(ba) + area(and) - area(or); math.Abs(d) > slack {
		t.Errorf("seed %d: parts and union differ by %g of %g, want %g at most", seed, d, area(or), slack)
	}
	if d := area(ab) + area(and) - area(combine(t, Union, a, nil)); math.Abs(d) > slack {
		t.Errorf("seed %d: parts of the first differ by %g, want %g at most", seed, d, slack)
	}
	r := rand.New(rand.NewPCG(seed, 2))
	for range 60 {
		q := geom.Pt(r.Int64N(int64(size)*2)-int64(size)/4, r.Int64N(int64(size)*2)-int64(size)/4)
		if a.distance(q) < 3 || b.distance(q) < 3 {
			continue
		}
		inA, inB := a.winding(q) != 0, b.winding(q) != 0
		for op, got := range map[Op][]geom.Polygon{Union: or, Intersection: and, Difference: ab} {
			if contains(got, q) != op.isInside(inA, inB) {
				t.Errorf("seed %d: op %d at %v is %v, want %v", seed, op, q, contains(got, q), op.isInside(inA, inB))
			}
		}
	}
	again := combine(t, Union, Outlines(or), nil)
	if d := area(again) - area(or); math.Abs(d) > slack {
		t.Errorf("seed %d: uniting the result once more changes it by %g, want %g at most", seed, d, slack)
	}
}

func TestOfEndsWithContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Combine(ctx, Union, Rings{square(0, 0, 10)}, nil); err == nil {
		t.Error("no error")
	}
}

func TestFlatPolygon(t *testing.T) {
	t.Parallel()
	p := geom.Polygon{Outer: geom.Circle(geom.Pt(0, 0), 1e6).Reverse(), Holes: []geom.Path{geom.Circle(geom.Pt(0, 0), 5e5)}}
	rings, err := FlatPolygon(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	if got := area(combine(t, Union, rings, nil)); math.Abs(got/p.Area()-1) > 1e-3 {
		t.Errorf("area %g, want %g", got, p.Area())
	}
	if rings.winding(geom.Pt(0, 0)) != 0 || rings.winding(geom.Pt(7e5, 0)) == 0 {
		t.Error("hole and ring are not told apart")
	}
}

// FuzzOf draws rings from bytes: nothing may hang, break or lose area.
func FuzzOf(f *testing.F) {
	f.Add([]byte{0, 0, 10, 0, 10, 10, 0, 10}, []byte{5, 5, 15, 5, 15, 15, 5, 15}, int64(1))
	f.Add([]byte{0, 0, 9, 1, 3, 7, 1, 9, 8, 2}, []byte{0, 0, 0, 9, 9, 0}, int64(1000))
	f.Fuzz(func(t *testing.T, x, y []byte, scale int64) {
		if len(x) > 80 || len(y) > 80 {
			return
		}
		scale = 1 + (scale&0xfffff)*3
		ring := func(b []byte) Rings {
			var r Ring
			for i := 0; i+1 < len(b); i += 2 {
				r = append(r, geom.Pt(int64(b[i])*scale, int64(b[i+1])*scale))
			}
			return Rings{r}
		}
		a, b := ring(x), ring(y)
		if len(a[0]) == 0 || len(b[0]) == 0 {
			return
		}
		or, and := combine(t, Union, a, b), combine(t, Intersection, a, b)
		ab, ba := combine(t, Difference, a, b), combine(t, Difference, b, a)
		size := 256 * float64(scale)
		slack := 1e-9*size*size + 4000*size
		if d := area(ab) + area(ba) + area(and) - area(or); math.Abs(d) > slack {
			t.Errorf("parts and union differ by %g, want %g at most", d, slack)
		}
	})
}

func BenchmarkOf(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 10000} {
		b.Run("", func(b *testing.B) {
			side := int64(math.Sqrt(float64(n))) * 1e6
			r := rand.New(rand.NewPCG(1, 1))
			var holes Rings
			for range n {
				holes = append(holes, Flat(geom.Circle(geom.Pt(r.Int64N(side), r.Int64N(side)), 3e5), false))
			}
			for b.Loop() {
				combine(b, Difference, Rings{square(0, 0, side)}, holes)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/hole")
		})
	}
}

func TestWindowCoversTheSameInside(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		const size = 1 << 20
		a := blobs(r, 1+r.IntN(6), size)
		box := geom.BoxOf(geom.Pt(r.Int64N(size), r.Int64N(size)), geom.Pt(r.Int64N(size), r.Int64N(size)))
		within := Rings{Ring(geom.Rect(box).Points)}
		whole := area(combine(t, Intersection, within, a))
		cut := area(combine(t, Intersection, within, a.Window(box.Grow(1000))))
		if math.Abs(whole-cut) > 40*size {
			t.Errorf("seed %d: area %g in the window, want %g as in the whole, within %d", seed, cut, whole, 40*size)
		}
	}
	if got := (Rings{square(0, 0, 10)}).Window(geom.BoxOf(geom.Pt(50, 50), geom.Pt(60, 60))); len(got) != 0 {
		t.Errorf("a window apart from a square: %v, want nothing", got)
	}
}
