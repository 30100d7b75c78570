package artwork

import "boardorder/pkg/board"

// StateHoles states the facts that follow from counting a board's holes.
func StateHoles(b *board.Board, src board.Source) {
	plated, plain, unknown, slots, blind, least := 0, 0, 0, 0, 0, int64(0)
	n := len(b.Copper())
	for i := range b.Holes {
		h := &b.Holes[i]
		switch h.Plating {
		case board.Plated:
			plated++
		case board.NonPlated:
			plain++
		default:
			unknown++
		}
		if h.Kind != board.DrillHole {
			slots++
		}
		if !h.IsThrough(n) {
			blind++
		}
		if h.Diameter > 0 && (least == 0 || h.Diameter < least) {
			least = h.Diameter
		}
	}
	const how = "counted in the board"
	f := &b.Facts
	f.PlatedHoles, f.NonPlatedHoles = board.State(plated, src, 0.98, how), board.State(plain, src, 0.98, how)
	f.UnknownHoles, f.Slots = board.State(unknown, src, 0.98, how), board.State(slots, src, 0.98, how)
	f.BlindVias = board.State(blind > 0, src, 0.95, "spans of the holes")
	if least > 0 {
		f.MinDrill = board.State(least, src, 0.98, "smallest hole")
	}
}
