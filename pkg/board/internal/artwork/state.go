package artwork

import "boardorder/pkg/board/pcb"

// StateHoles states the facts that follow from counting a board's holes.
func StateHoles(b *pcb.Board, src pcb.Source) {
	plated, plain, unknown, slots, blind, least := 0, 0, 0, 0, 0, int64(0)
	n := len(b.Copper())
	for i := range b.Holes {
		h := &b.Holes[i]
		switch h.Plating {
		case pcb.Plated:
			plated++
		case pcb.NonPlated:
			plain++
		default:
			unknown++
		}
		if h.Kind != pcb.DrillHole {
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
	f.PlatedHoles, f.NonPlatedHoles = pcb.State(plated, src, 0.98, how), pcb.State(plain, src, 0.98, how)
	f.UnknownHoles, f.Slots = pcb.State(unknown, src, 0.98, how), pcb.State(slots, src, 0.98, how)
	f.BlindVias = pcb.State(blind > 0, src, 0.95, "spans of the holes")
	if least > 0 {
		f.MinDrill = pcb.State(least, src, 0.98, "smallest hole")
	}
}
