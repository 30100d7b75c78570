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
				if _, _, _, ok := l.Items[i].Shape.Within(&l.Items[j].Shape, Touch); ok {
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

// randomLayer has fields of 40 mm with round holes, one within a hole of another,
// and tracks and discs anywhere.
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
