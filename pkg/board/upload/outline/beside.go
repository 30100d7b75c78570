package outline

import (
	"context"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// DropBeside takes the lines out of a board's outline that close no shape and lie clear of
// all that does, where this holds the copper and the holes: something left over, that
// nobody can take for a part of the board. It gives what it took. Layers and Holes must be
// there already.
func DropBeside(ctx context.Context, b *pcb.Board) []geom.Path {
	o := &b.Outline
	if len(o.Open) == 0 || len(o.Areas) == 0 {
		return nil
	}
	s := selection{ctx: ctx, meter: pcb.MeterOf(ctx), board: b, content: content(b, nil)}
	if len(s.content) == 0 || !s.holdsAll() {
		return nil
	}
	boxes := boxesOf(o.Areas)
	var kept, beside []geom.Path
	for _, p := range o.Open {
		box := p.Bounds().Grow(MaxGap)
		if s.meter.Spend(pcb.Lookups, len(boxes)) && !slices.ContainsFunc(boxes, box.Overlaps) {
			beside = append(beside, p)
		} else {
			kept = append(kept, p)
		}
	}
	o.Open, o.Closed = kept, len(kept) == 0
	return beside
}

func boxesOf(areas []geom.Polygon) []geom.Box {
	boxes := make([]geom.Box, len(areas))
	for i, a := range areas {
		boxes[i] = a.Bounds()
	}
	return boxes
}

// holdsAll tells whether all content lies within the pieces of board.
func (s *selection) holdsAll() bool {
	areas := s.board.Outline.Areas
	boxes := boxesOf(areas)
	for _, p := range s.content {
		in := false
		for i := range areas {
			if boxes[i].Contains(p) && s.meter.Spend(pcb.Lookups, len(areas[i].Outer.Points)) && areas[i].Outer.Winding(p) != 0 {
				in = true
				break
			}
		}
		if !in || !s.meter.Spend(pcb.Lookups, len(areas)) {
			return false
		}
	}
	return true
}
