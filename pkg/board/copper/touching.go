package copper

import (
	"context"

	"boardorder/pkg/board/internal/parallel"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// many is how many corners make an area a field: copper that much else lies in.
const many = 64

// touching joins the items of a layer that touch: first all but fields, so that a
// field then meets a few islands rather than thousands of items.
func touching(ctx context.Context, l *Layer) (shape.Sets, error) {
	s := shape.NewSets(len(l.Items))
	field := make([]bool, len(l.Items))
	var fields []int32
	for i := range l.Items {
		if p := l.Items[i].Shape.Polygon(); len(p.Outer.Points)+len(p.Holes) >= many {
			field[i] = true
			fields = append(fields, int32(i))
		}
	}
	meter := pcb.MeterOf(ctx)
	err := parallel.Run(ctx, 2, func(k int) {
		if k == 0 {
			for _, f := range fields {
				if meter.HasEnded() {
					return
				}
				l.Items[f].Shape.Prepare()
			}
		} else {
			joinItems(l, s, field)
		}
	})
	if err != nil {
		return nil, err
	}
	if err := meter.Err(); err != nil {
		return nil, err
	}
	m := meeting{l: l, sets: s, field: field, outside: make([]int32, len(l.Items))}
	for _, f := range fields {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m.meet(f)
	}
	return s, meter.Err()
}

// joinItems joins the items of a layer that touch, but for fields.
func joinItems(l *Layer, s shape.Sets, field []bool) {
	l.Index.JoinPairs(Touch, s, func(i int) bool { return field[i] }, func(i, j int) bool {
		a, b := &l.Items[i].Shape, &l.Items[j].Shape
		if shareEnd(a, b) {
			return true
		}
		_, _, _, ok := a.DistWithin(b, Touch)
		return ok
	})
}

// shareEnd tells whether two lines begin or end at one point, as tracks do where they
// touch.
func shareEnd(a, b *shape.Shape) bool {
	if a.IsArea() || b.IsArea() {
		return false
	}
	e, f := a.Edge(), b.Edge()
	return e.A == f.A || e.A == f.B || e.B == f.A || e.B == f.B
}

// A meeting joins fields with what they touch.
type meeting struct {
	l     *Layer
	sets  shape.Sets
	field []bool
	// outside is, by the item that stands for a set, one more than the field that the
	// set is known not to lie in.
	outside []int32
}

// meet joins field f with what it touches, of other fields those of lower number.
// What hangs together and comes nowhere near the field's border lies wholly inside
// or wholly outside, so one point of it tells; what comes near touches, and what holds
// a hole of the field lies on the field all round it.
func (m *meeting) meet(f int32) {
	field := &m.l.Items[f].Shape
	box := field.Bounds().Grow(Touch)
	m.l.Index.Search(box, func(k int) bool {
		i := int32(k)
		if i == f || m.field[i] && i > f {
			return true
		}
		root := m.sets.Find(i)
		if root == m.sets.Find(f) {
			return true
		}
		s := &m.l.Items[i].Shape
		if m.field[i] || s.IsArea() && s.Bounds().Grow(Touch).ContainsBox(field.Bounds()) {
			if _, _, _, ok := field.DistWithin(s, Touch); ok {
				m.sets.Join(f, i)
			}
			return true
		}
		_, _, _, near := field.BorderDist(s, Touch)
		switch {
		case near || s.HoldsHole(field):
			m.sets.Join(f, i)
		case m.outside[root] == f+1:
		case field.Holds(s):
			m.sets.Join(f, i)
		default:
			m.outside[root] = f + 1
		}
		return true
	})
}
