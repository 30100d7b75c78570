package copper

import (
	"math"
	"math/rand/v2"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/shape"
)

// TestTouchingAgainstEachPair holds the islands of random copper in and around
// fields with holes against what each pair by itself comes to.
func TestTouchingAgainstEachPair(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	for range 60 {
		l := randomLayer(r)
		got, err := touching(t.Context(), l)
		if err != nil {
			t.Fatal(err)
		}
		want := shape.NewSets(len(l.Items))
		for j := range l.Items {
			for i := range j {
				if _, _, _, ok := l.Items[i].Shape.DistWithin(&l.Items[j].Shape, Touch); ok {
					want.Join(int32(i), int32(j))
				}
			}
		}
		for i := range l.Items {
			if g, w := got.Find(int32(i)), want.Find(int32(i)); g != w {
				t.Fatalf("item %d of %d belongs to %d, want %d", i, len(l.Items), g, w)
			}
		}
	}
}

// TestLandOverAHole: a land that is larger than the hole of a field round it touches the
// field, though the track that ends in it lies within the hole; one that is smaller does not.
func TestLandOverAHole(t *testing.T) {
	t.Parallel()
	const mm = geom.Millimetre
	for _, c := range []struct {
		name  string
		land  int64 // half its side
		holes int
		joins bool
	}{
		{"over the hole", 900 * mm / 1000, 1, true},
		{"over one hole of many", 900 * mm / 1000, 40, true},
		{"within the hole", 300 * mm / 1000, 1, false},
		{"within one hole of many", 300 * mm / 1000, 40, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			at := geom.Pt(10*mm, 0)
			field := geom.Polygon{Outer: ring(geom.Pt(0, 0), 20*mm, 80), Holes: []geom.Path{ring(at, 7*mm/10, 20)}}
			for k := 1; k < c.holes; k++ {
				field.Holes = append(field.Holes, ring(geom.Pt(0, 0).Polar(float64(15*mm), float64(k)*2*math.Pi/40), mm/4, 12))
			}
			land := geom.Rect(geom.Box{Min: geom.Pt(at.X-c.land, -c.land), Max: geom.Pt(at.X+c.land, c.land)})
			l := itemsOf(shape.Stroke(at, geom.Pt(at.X+mm/20, 0), mm/5), shape.Area(field, 0), shape.Area(geom.Polygon{Outer: land}, 0))
			sets, err := touching(t.Context(), l)
			if err != nil {
				t.Fatal(err)
			}
			if got := sets.Find(1) == sets.Find(2); got != c.joins {
				t.Errorf("joined %v, want %v", got, c.joins)
			}
			if sets.Find(0) != sets.Find(2) {
				t.Errorf("the track is in set %v, its land in %v, want one", sets.Find(0), sets.Find(2))
			}
		})
	}
}

// randomLayer has fields of 40 mm with round holes, one within a hole of another, lands
// over holes, and tracks and discs anywhere.
func randomLayer(r *rand.Rand) *Layer {
	const mm = geom.Millimetre
	point := func() geom.Point { return geom.Pt(r.Int64N(50*mm), r.Int64N(50*mm)) }
	var shapes []shape.Shape
	for range 3 {
		c := point()
		field := geom.Polygon{Outer: ring(c, 20*mm, 80)}
		for k := range 6 {
			hole := c.Polar(float64(12*mm), float64(k)*math.Pi/3)
			field.Holes = append(field.Holes, ring(hole, 4*mm, 20))
			if r.IntN(3) == 0 {
				shapes = append(shapes, shape.Area(geom.Polygon{Outer: ring(hole, 3*mm, 70)}, 0))
			}
			if r.IntN(3) == 0 { // a land over a whole hole, and its track within
				shapes = append(shapes, shape.Area(geom.Polygon{Outer: ring(hole, 6*mm, 5)}, 0), shape.Circle(hole, mm))
			}
		}
		shapes = append(shapes, shape.Area(field, r.Int64N(2)*mm/5))
	}
	for range 60 {
		a := point()
		switch r.IntN(3) {
		case 0:
			shapes = append(shapes, shape.Circle(a, mm))
		case 1:
			shapes = append(shapes, shape.Stroke(a, a.Polar(float64(3*mm), r.Float64()*7), mm/4))
		default:
			shapes = append(shapes, shape.Area(geom.Polygon{Outer: ring(a, 1+r.Int64N(8*mm), 5)}, 0))
		}
	}
	r.Shuffle(len(shapes), func(i, j int) { shapes[i], shapes[j] = shapes[j], shapes[i] })
	return itemsOf(shapes...)
}

func itemsOf(shapes ...shape.Shape) *Layer {
	l := &Layer{}
	var boxes []geom.Box
	for _, s := range shapes {
		l.Items = append(l.Items, Item{Shape: s})
		boxes = append(boxes, s.Bounds())
	}
	l.Index = shape.NewIndex(boxes)
	return l
}

func ring(c geom.Point, radius int64, n int) geom.Path {
	p := geom.Path{Closed: true}
	for k := range n {
		p.Points = append(p.Points, c.Polar(float64(radius), 2*math.Pi*float64(k)/float64(n)))
	}
	return p
}
