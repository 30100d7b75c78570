package measure

import (
	"context"
	"slices"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// A Side is one outer side of the board as it will be soldered: pads and the
// openings of the mask over them.
type Side struct {
	Face     pcb.Side
	Copper   *pcb.Layer
	Mask     *pcb.Layer
	Pads     *DrawnLayer
	Openings *DrawnLayer
	Opening  []int32   // of each shape of openings: the opening it is part of
	Parts    [][]int32 // shapes of each opening
	Over     [][]int32 // pads (shapes of pads) that each opening shows
	Open     [][]int32 // openings over each shape of pads
	drilled  *holeMap

	Solderable int     // pads that are not vias
	Covered    []int32 // those of them that no opening shows, by their first shape
	Doubtful   bool    // so many that the mask may not be one
}

// makeSides gives the sides that have copper and mask.
func makeSides(ctx context.Context, b *pcb.Board) []*Side {
	holes := newHoleMap(b, pcb.MeterOf(ctx))
	sides := [2]pcb.Side{pcb.Top, pcb.Bottom}
	each := Collect(ctx, len(sides), func(k int) *Side { return newSide(ctx, b, sides[k], holes) })
	return slices.DeleteFunc(each, func(f *Side) bool { return f == nil })
}

func newSide(ctx context.Context, b *pcb.Board, s pcb.Side, holes *holeMap) *Side {
	f := &Side{Face: s, drilled: holes}
	for _, l := range b.Copper() {
		if l.Side == s && f.Copper == nil {
			f.Copper = l
		}
	}
	for _, l := range b.Find(pcb.RoleMask, s) {
		if f.Mask == nil && IsDrawn(l) && !l.Negative {
			f.Mask = l
		}
	}
	if f.Copper == nil || f.Mask == nil || f.Copper.Negative {
		return nil
	}
	f.Pads = NewDrawnLayer(ctx, f.Copper, IsPad)
	if f.Openings = newOpenings(ctx, f.Mask); f.Openings == nil {
		return nil
	}
	f.join()
	f.match()
	if ctx.Err() != nil {
		return nil
	}
	f.findCovered(b)
	return f
}

// newOpenings is what a mask opens; nil when ctx ends. Masks hardly ever erase
// anything: where one does, what is left is worked out as for copper.
func newOpenings(ctx context.Context, l *pcb.Layer) *DrawnLayer {
	if !slices.ContainsFunc(l.Features, func(f pcb.Feature) bool { return f.Clear }) {
		return NewDrawnLayer(ctx, l, nil)
	}
	as := *l
	as.Role, as.Side, as.Order = pcb.RoleCopper, pcb.Top, 1
	c, err := copper.Extract(ctx, &pcb.Board{Layers: []*pcb.Layer{&as}})
	if err != nil {
		return nil
	}
	s := &DrawnLayer{Layer: l, meter: pcb.MeterOf(ctx)}
	for i := range c.Layers[0].Items {
		s.Shapes = append(s.Shapes, c.Layers[0].Items[i].Shape)
		s.Features = append(s.Features, c.Layers[0].Items[i].Feature)
	}
	s.build()
	return s
}

// findCovered collects the pads that no opening shows.
func (f *Side) findCovered(b *pcb.Board) {
	const few = 10
	for i := 0; i < len(f.Pads.Shapes); {
		first, open := i, false
		for ; i < len(f.Pads.Shapes) && f.Pads.Features[i] == f.Pads.Features[first]; i++ {
			open = open || len(f.Open[i]) > 0
		}
		if f.IsVia(int32(first)) || f.mayBeVia(b, int32(first)) || !f.Pads.Dark(first, f.Pads.Feature(first).A) {
			continue
		}
		f.Solderable++
		if !open {
			f.Covered = append(f.Covered, int32(first))
		}
	}
	f.Doubtful = len(f.Covered) >= few && 2*len(f.Covered) > f.Solderable
}

// IsPad reports whether a copper feature is a pad, of a via too: stated so, or put
// down in one piece and not stated to be anything else.
func IsPad(f *pcb.Feature) bool {
	switch {
	case f.Function.Pad(), f.Function == pcb.FuncViaPad:
		return true
	case f.Kind != pcb.FlashFeature:
		return false
	}
	return f.Function == pcb.FuncUnknown || f.Function == pcb.FuncOther || f.Function == pcb.FuncMaterial
}

// join makes openings of shapes that touch.
func (f *Side) join() {
	shapes := f.Openings.Shapes
	set := newUnion(len(shapes))
	for i := 1; i < len(shapes); i++ {
		if areLinked(&shapes[i-1], &shapes[i]) {
			set.join(i-1, i)
		}
	}
	f.Openings.Index.Pairs(0, func(i, j int) {
		if set.find(i) == set.find(j) {
			return
		}
		if d, _, _, ok := shapes[i].DistWithin(&shapes[j], 0); ok && d <= 0 {
			set.join(i, j)
		}
	})
	f.Opening = make([]int32, len(f.Openings.Shapes))
	number := map[int]int32{}
	for i := range f.Opening {
		r := set.find(i)
		k, ok := number[r]
		if !ok {
			k = int32(len(f.Parts))
			number[r] = k
			f.Parts = append(f.Parts, nil)
		}
		f.Opening[i] = k
		f.Parts[k] = append(f.Parts[k], int32(i))
	}
}

// areLinked tells of strokes, as a path of them is drawn, that one begins where the
// other ends: most need not be measured then.
func areLinked(a, b *shape.Shape) bool {
	e, f := a.Edge(), b.Edge()
	return !a.IsArea() && !b.IsArea() && e.B.Dist(f.A) <= (a.Width()+b.Width())/2
}

// match finds which pads each opening shows.
func (f *Side) match() {
	m := f.Openings.meter
	found, looked := m.Tally(pcb.Shapes), m.Tally(pcb.Pairs)
	f.Over, f.Open = make([][]int32, len(f.Parts)), make([][]int32, len(f.Pads.Shapes))
	for i := range f.Pads.Shapes {
		p := &f.Pads.Shapes[i]
		f.Openings.VisitNear(p, 0, func(j int) {
			k := f.Opening[j]
			if slices.Contains(f.Open[i], k) || !looked.Add(1+len(f.Open[i])) {
				return
			}
			if overlaps(p, &f.Openings.Shapes[j]) && found.Add(1) {
				f.Open[i] = append(f.Open[i], k)
				f.Over[k] = append(f.Over[k], int32(i))
			}
		})
	}
}

// overlaps reports whether shapes share more than a border: a point of one lies well
// within the other, or pens reach into what they do not touch with their tip.
func overlaps(a, b *shape.Shape) bool {
	if b.Contains(a.CorePoint()) || a.Contains(b.CorePoint()) {
		return true
	}
	if a.Width() == 0 && b.Width() == 0 {
		return false // how deep is not measured without a pen
	}
	d, _, _, ok := a.DistWithin(b, 0)
	return ok && d < 0
}

// IsVia reports whether pad i belongs to a via, as far as is known.
func (f *Side) IsVia(i int32) bool {
	p := f.Pads.Feature(int(i))
	if p.Function == pcb.FuncViaPad {
		return true
	}
	if p.Function.Pad() {
		return false
	}
	h := f.drilled.holeAt(p.A)
	return h != nil && (h.Function == pcb.FuncViaDrill || h.Function == pcb.FuncUnknown)
}

// mayBeVia reports whether pad i may belong to a via whose hole is not among the
// files.
func (f *Side) mayBeVia(b *pcb.Board, i int32) bool {
	p := f.Pads.Feature(int(i))
	return len(b.Holes) == 0 && !p.Function.Pad() && p.Kind == pcb.FlashFeature && f.Copper.Apertures[p.Shape].Kind == pcb.CircleShape
}

// PadWords says what a pad is.
func (f *Side) PadWords(p *pcb.Feature) string {
	switch {
	case p.Function == pcb.FuncViaPad:
		return "via"
	case p.Function == pcb.FuncFiducial || p.Function == pcb.FuncFiducialLocal:
		return "fiducial"
	case p.Function == pcb.FuncTestPad:
		return "test pad"
	}
	return "pad"
}
