package outline

import (
	"context"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// DropBeside takes the lines out of a board's outline that close no shape and lie clear of
// all that does, where this holds the copper and the holes: something left over, that
// nobody can take for a part of the board. It gives what it took. Layers and Holes must be
// there already.
func DropBeside(ctx context.Context, b *board.Board) []geom.Path {
	o := &b.Outline
	if len(o.Open) == 0 || len(o.Areas) == 0 {
		return nil
	}
	s := selection{ctx: ctx, meter: board.MeterOf(ctx), board: b, content: content(b, nil)}
	if len(s.content) == 0 || !s.holdsAll() {
		return nil
	}
	var kept, beside []geom.Path
	for _, p := range o.Open {
		if s.clear(p) {
			beside = append(beside, p)
		} else {
			kept = append(kept, p)
		}
	}
	o.Open, o.Closed = kept, len(kept) == 0
	return beside
}

// clear tells whether a line stays farther from all pieces of board than gaps that are
// closed.
func (s *selection) clear(p geom.Path) bool {
	box := p.Bounds()
	for _, a := range s.board.Outline.Areas {
		if a.Bounds().Grow(MaxGap).Overlaps(box) {
			return false
		}
	}
	return true
}

// holdsAll tells whether all content lies within the pieces of board.
func (s *selection) holdsAll() bool {
	for _, p := range s.content {
		in := false
		for _, a := range s.board.Outline.Areas {
			if a.Bounds().Contains(p) && s.meter.Spend(board.Lookups, len(a.Outer.Points)) && a.Outer.Winding(p) != 0 {
				in = true
				break
			}
		}
		if !in {
			return false
		}
	}
	return true
}
