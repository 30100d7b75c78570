package measure

import (
	"context"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// IsDrawn reports whether a layer puts anything down.
func IsDrawn(l *pcb.Layer) bool {
	for i := range l.Features {
		if !l.Features[i].Clear {
			return true
		}
	}
	return false
}

// A DrawnLayer is what some features of a layer draw, as shapes that are found by
// place. Polarity is not resolved: see [DrawnLayer.Dark].
type DrawnLayer struct {
	Layer    *pcb.Layer
	Shapes   []shape.Shape
	Features []int32 // of each shape
	Boxes    []geom.Box
	Index    *shape.Index // of boxes
	Clears   *DrawnLayer  // what erases; nil when nothing does
	meter    pcb.Meter
}

// NewDrawnLayer takes the dark features that take accepts; those that erase come along.
// What ctx cuts off is left out.
func NewDrawnLayer(ctx context.Context, l *pcb.Layer, take func(*pcb.Feature) bool) *DrawnLayer {
	ctx = pcb.FileContext(ctx, l.File)
	m := pcb.MeterOf(ctx)
	n := 0
	for i := range l.Features {
		if f := &l.Features[i]; !f.Clear && (take == nil || take(f)) {
			n++
		}
	}
	s := &DrawnLayer{Layer: l, meter: m, Shapes: make([]shape.Shape, 0, n), Features: make([]int32, 0, n)}
	c, maker := &DrawnLayer{Layer: l, meter: m}, shape.NewMaker(l, m)
	for i := range l.Features {
		if i%1024 == 0 && m.HasEnded() {
			break
		}
		f := &l.Features[i]
		switch {
		case f.Clear:
			c.append(maker, f, i)
		case take == nil || take(f):
			s.append(maker, f, i)
		}
	}
	s.build()
	if len(c.Shapes) > 0 {
		c.build()
		s.Clears = c
	}
	return s
}

// makeLegends gives the silkscreen of both sides; what ctx cuts off is left out.
func makeLegends(ctx context.Context, b *pcb.Board) []*DrawnLayer {
	layers := b.Find(pcb.RoleSilk, pcb.NoSide)
	each := Collect(ctx, len(layers), func(k int) *DrawnLayer { return NewDrawnLayer(ctx, layers[k], nil) })
	return slices.DeleteFunc(each, func(s *DrawnLayer) bool { return s == nil })
}

func (s *DrawnLayer) append(m *shape.Maker, f *pcb.Feature, i int) {
	s.Shapes = m.Append(s.Shapes, f)
	for len(s.Features) < len(s.Shapes) {
		s.Features = append(s.Features, int32(i))
	}
}

func (s *DrawnLayer) build() {
	s.Boxes = make([]geom.Box, len(s.Shapes))
	for i := range s.Shapes {
		s.Boxes[i] = s.Shapes[i].Bounds()
	}
	s.Index = shape.NewIndex(s.Boxes).SetMeter(s.meter)
}

// Feature is what shape i was drawn by.
func (s *DrawnLayer) Feature(i int) *pcb.Feature { return &s.Layer.Features[s.Features[i]] }

// VisitNear calls yield with each shape whose box comes within reach of q's.
func (s *DrawnLayer) VisitNear(q *shape.Shape, reach int64, yield func(i int)) {
	s.Index.Search(q.Bounds().Grow(reach), func(i int) bool {
		yield(i)
		return true
	})
}

// Dark reports whether what shape i drew is still there at p: nothing later erased it.
func (s *DrawnLayer) Dark(i int, p geom.Point) bool {
	if s.Clears == nil {
		return true
	}
	there := true
	s.Clears.Index.Search(geom.BoxOf(p), func(j int) bool {
		if s.Clears.Features[j] > s.Features[i] && s.Clears.Shapes[j].Contains(p) {
			there = false
		}
		return there
	})
	return there
}
