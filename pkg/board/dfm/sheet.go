package dfm

import (
	"context"
	"slices"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/shape"
)

// A sheet is what some features of a layer draw, as shapes that are found by
// place. Polarity is not resolved: see [sheet.dark].
type sheet struct {
	layer    *board.Layer
	shapes   []shape.Shape
	features []int32 // of each shape
	boxes    []geom.Box
	index    *shape.Index // of boxes
	clears   *sheet       // what erases; nil when nothing does
	meter    board.Meter
}

// newSheet takes the dark features that take accepts; those that erase come along.
// What ctx cuts off is left out.
func newSheet(ctx context.Context, l *board.Layer, take func(*board.Feature) bool) *sheet {
	ctx = board.ForFile(ctx, l.File)
	m := board.MeterOf(ctx)
	n := 0
	for i := range l.Features {
		if f := &l.Features[i]; !f.Clear && (take == nil || take(f)) {
			n++
		}
	}
	s := &sheet{layer: l, meter: m, shapes: make([]shape.Shape, 0, n), features: make([]int32, 0, n)}
	c, maker := &sheet{layer: l, meter: m}, shape.NewMaker(l, m)
	for i := range l.Features {
		if i%1024 == 0 && m.Ended() {
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
	if len(c.shapes) > 0 {
		c.build()
		s.clears = c
	}
	return s
}

// makeLegends gives the legend of both sides; what ctx cuts off is left out.
func makeLegends(ctx context.Context, b *board.Board) []*sheet {
	layers := b.Find(board.RoleSilk, board.NoSide)
	each := sharing(ctx, len(layers), func(k int) *sheet { return newSheet(ctx, layers[k], nil) })
	return slices.DeleteFunc(each, func(s *sheet) bool { return s == nil })
}

func (s *sheet) append(m *shape.Maker, f *board.Feature, i int) {
	s.shapes = m.Append(s.shapes, f)
	for len(s.features) < len(s.shapes) {
		s.features = append(s.features, int32(i))
	}
}

func (s *sheet) build() {
	s.boxes = make([]geom.Box, len(s.shapes))
	for i := range s.shapes {
		s.boxes[i] = s.shapes[i].Bounds()
	}
	s.index = shape.NewIndex(s.boxes).Metered(s.meter)
}

// feature is what shape i was drawn by.
func (s *sheet) feature(i int) *board.Feature { return &s.layer.Features[s.features[i]] }

// near calls yield with each shape whose box comes within reach of q's.
func (s *sheet) near(q *shape.Shape, reach int64, yield func(i int)) {
	s.index.Search(q.Bounds().Grow(reach), func(i int) bool {
		yield(i)
		return true
	})
}

// dark tells whether what shape i drew is still there at p: nothing later erased it.
func (s *sheet) dark(i int, p geom.Point) bool {
	if s.clears == nil {
		return true
	}
	there := true
	s.clears.index.Search(geom.Bound(p), func(j int) bool {
		if s.clears.features[j] > s.features[i] && s.clears.shapes[j].Contains(p) {
			there = false
		}
		return there
	})
	return there
}
