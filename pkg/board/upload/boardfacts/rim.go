package boardfacts

import (
	"context"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/places"
)

// A Rim states what the shapes at the edge of a board make of it, whatever its files say in
// words: holes that the edge cuts through, and rows of contacts.
type Rim struct {
	Meter  pcb.Meter
	Board  *pcb.Board
	Source func(*pcb.Hole) pcb.Source // where a hole was read
}

// State states castellations and gold fingers.
func (r Rim) State(ctx context.Context) {
	if len(r.Board.Outline.Areas) == 0 {
		return
	}
	edges := places.NewEdges(r.Board.Outline, r.Meter)
	r.findCastellations(edges)
	r.stateFingers(ctx, edges)
}

// StateWhole states them for a board that came whole: a hole of it was read from the file that
// its copper was.
func StateWhole(ctx context.Context, m pcb.Meter, b *pcb.Board) {
	file := b.Outline.Source.File
	if copper := b.Copper(); len(copper) > 0 {
		file = copper[len(copper)-1].File
	}
	Rim{Meter: m, Board: b, Source: func(h *pcb.Hole) pcb.Source { return pcb.Source{File: file, Line: int(h.Line)} }}.State(ctx)
}

// findCastellations finds plated holes with pads that the outline cuts through. One
// may be a slip; several are meant.
func (r Rim) findCastellations(edges *places.Edges) {
	b := r.Board
	sizes := places.PadSizesOf(b.Copper())
	n := 0
	var first *pcb.Hole
	for i := range b.Holes {
		h := &b.Holes[i]
		if h.Plating != pcb.Plated || h.Kind != pcb.DrillHole || h.Diameter == 0 || sizes.SizeAt(h.A) <= h.Diameter {
			continue
		}
		if edges.ComeWithin(h.A, float64(h.Diameter)*0.4) {
			if n++; first == nil {
				first = h
			}
		}
	}
	switch {
	case n > 3:
		b.Facts.Castellations.Offer(pcb.State(true, r.Source(first), 0.85, "plated holes lie on the edge of the board"))
	case n > 1:
		b.Facts.Castellations.Offer(pcb.State(true, r.Source(first), 0.5, "a few plated holes lie on the edge of the board"))
	}
}
