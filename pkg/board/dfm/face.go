package dfm

import (
	"context"
	"slices"

	"boardorder/pkg/board"
	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/shape"
)

// A face is one outer side of the board as it will be soldered: pads and the
// openings of the mask over them.
type face struct {
	side     board.Side
	copper   *board.Layer
	mask     *board.Layer
	pads     *sheet
	openings *sheet
	opening  []int32   // of each shape of openings: the opening it is part of
	parts    [][]int32 // shapes of each opening
	over     [][]int32 // pads (shapes of pads) that each opening shows
	open     [][]int32 // openings over each shape of pads
	drilled  *holeMap

	solderable int     // pads that are not vias
	covered    []int32 // those of them that no opening shows, by their first shape
	doubtful   bool    // so many that the mask may not be one
}

// makeFaces gives the sides that have copper and mask.
func makeFaces(ctx context.Context, b *board.Board) []*face {
	holes := newHoleMap(b, board.MeterOf(ctx))
	sides := [2]board.Side{board.Top, board.Bottom}
	each := sharing(ctx, len(sides), func(k int) *face { return newFace(ctx, b, sides[k], holes) })
	return slices.DeleteFunc(each, func(f *face) bool { return f == nil })
}

func newFace(ctx context.Context, b *board.Board, s board.Side, holes *holeMap) *face {
	f := &face{side: s, drilled: holes}
	for _, l := range b.Copper() {
		if l.Side == s && f.copper == nil {
			f.copper = l
		}
	}
	for _, l := range b.Find(board.RoleMask, s) {
		if f.mask == nil && drawn(l) && !l.Negative {
			f.mask = l
		}
	}
	if f.copper == nil || f.mask == nil || f.copper.Negative {
		return nil
	}
	f.pads = newSheet(ctx, f.copper, isPad)
	if f.openings = newOpenings(ctx, f.mask); f.openings == nil {
		return nil
	}
	f.join()
	f.match()
	if ctx.Err() != nil {
		return nil
	}
	f.hidden(b)
	return f
}

// newOpenings is what a mask opens; nil when ctx ends. Masks hardly ever erase
// anything: where one does, what is left is worked out as for copper.
func newOpenings(ctx context.Context, l *board.Layer) *sheet {
	if !slices.ContainsFunc(l.Features, func(f board.Feature) bool { return f.Clear }) {
		return newSheet(ctx, l, nil)
	}
	as := *l
	as.Role, as.Side, as.Order = board.RoleCopper, board.Top, 1
	c, err := copper.Of(ctx, &board.Board{Layers: []*board.Layer{&as}})
	if err != nil {
		return nil
	}
	s := &sheet{layer: l, meter: board.MeterOf(ctx)}
	for i := range c.Layers[0].Items {
		s.shapes = append(s.shapes, c.Layers[0].Items[i].Shape)
		s.features = append(s.features, c.Layers[0].Items[i].Feature)
	}
	s.build()
	return s
}

// hidden collects the pads that no opening shows.
func (f *face) hidden(b *board.Board) {
	const few = 10
	for i := 0; i < len(f.pads.shapes); {
		first, open := i, false
		for ; i < len(f.pads.shapes) && f.pads.features[i] == f.pads.features[first]; i++ {
			open = open || len(f.open[i]) > 0
		}
		if f.via(int32(first)) || f.maybeVia(b, int32(first)) || !f.pads.dark(first, f.pads.feature(first).A) {
			continue
		}
		f.solderable++
		if !open {
			f.covered = append(f.covered, int32(first))
		}
	}
	f.doubtful = len(f.covered) >= few && 2*len(f.covered) > f.solderable
}

// isPad tells whether a copper feature is a pad, of a via too: stated so, or put
// down in one piece and not stated to be anything else.
func isPad(f *board.Feature) bool {
	switch {
	case f.Function.Pad(), f.Function == board.FuncViaPad:
		return true
	case f.Kind != board.FlashFeature:
		return false
	}
	return f.Function == board.FuncUnknown || f.Function == board.FuncOther || f.Function == board.FuncMaterial
}

// join makes openings of shapes that touch.
func (f *face) join() {
	shapes := f.openings.shapes
	set := newUnion(len(shapes))
	for i := 1; i < len(shapes); i++ {
		if linked(&shapes[i-1], &shapes[i]) {
			set.join(i-1, i)
		}
	}
	f.openings.index.Pairs(0, func(i, j int) {
		if set.find(i) == set.find(j) {
			return
		}
		if d, _, _, ok := shapes[i].Within(&shapes[j], 0); ok && d <= 0 {
			set.join(i, j)
		}
	})
	f.opening = make([]int32, len(f.openings.shapes))
	number := map[int]int32{}
	for i := range f.opening {
		r := set.find(i)
		k, ok := number[r]
		if !ok {
			k = int32(len(f.parts))
			number[r] = k
			f.parts = append(f.parts, nil)
		}
		f.opening[i] = k
		f.parts[k] = append(f.parts[k], int32(i))
	}
}

// linked tells of strokes, as a path of them is drawn, that one begins where the
// other ends: most need not be measured then.
func linked(a, b *shape.Shape) bool {
	e, f := a.Edge(), b.Edge()
	return !a.IsArea() && !b.IsArea() && e.B.Dist(f.A) <= (a.Width()+b.Width())/2
}

// match finds which pads each opening shows.
func (f *face) match() {
	m := f.openings.meter
	found, looked := m.Tally(board.Shapes), m.Tally(board.Pairs)
	f.over, f.open = make([][]int32, len(f.parts)), make([][]int32, len(f.pads.shapes))
	for i := range f.pads.shapes {
		p := &f.pads.shapes[i]
		f.openings.near(p, 0, func(j int) {
			k := f.opening[j]
			if slices.Contains(f.open[i], k) || !looked.Add(1+len(f.open[i])) {
				return
			}
			if overlaps(p, &f.openings.shapes[j]) && found.Add(1) {
				f.open[i] = append(f.open[i], k)
				f.over[k] = append(f.over[k], int32(i))
			}
		})
	}
}

// overlaps tells whether shapes share more than a border: a point of one lies well
// within the other, or pens reach into what they do not touch with their tip.
func overlaps(a, b *shape.Shape) bool {
	if b.Contains(a.At()) || a.Contains(b.At()) {
		return true
	}
	if a.Width() == 0 && b.Width() == 0 {
		return false // how deep is not measured without a pen
	}
	d, _, _, ok := a.Within(b, 0)
	return ok && d < 0
}

// via tells whether pad i belongs to a via, as far as is known.
func (f *face) via(i int32) bool {
	p := f.pads.feature(int(i))
	if p.Function == board.FuncViaPad {
		return true
	}
	if p.Function.Pad() {
		return false
	}
	h := f.drilled.at(p.A)
	return h != nil && (h.Function == board.FuncViaDrill || h.Function == board.FuncUnknown)
}

// maybeVia tells whether pad i may belong to a via whose hole is not among the
// files.
func (f *face) maybeVia(b *board.Board, i int32) bool {
	p := f.pads.feature(int(i))
	return len(b.Holes) == 0 && !p.Function.Pad() && p.Kind == board.FlashFeature && f.copper.Apertures[p.Shape].Kind == board.CircleShape
}
