package upload

import (
	"fmt"

	"boardorder/pkg/board"
)

// panels finds boards that are panels of another board in the upload: several
// times its holes on at least that many times its area.
func (r *reading) panels() {
	for _, p := range r.project.Boards {
		if !r.meter.Spend(board.Pairs, len(r.project.Boards)) {
			return
		}
		for _, b := range r.project.Boards {
			if p == b {
				continue
			}
			n := copies(p, b)
			if n < 2 {
				continue
			}
			how := fmt.Sprintf("holds %d times what board %q does", n, b.Name)
			p.Facts.Panel.Offer(board.State(true, p.Outline.Source, 0.75, how))
			p.Facts.BoardsInPanel.Offer(board.State(n, p.Outline.Source, 0.75, how))
			r.find(board.Note, "panel_of_board", p.Outline.Source.File, "%q looks like a panel of %d boards %q", p.Name, n, b.Name)
			break
		}
	}
}

// copies is how often b fits into p, by plated holes and area; 0 when it does not
// come out even.
func copies(p, b *board.Board) int {
	f, g := p.Facts, b.Facts
	if !f.CopperLayers.Known || f.CopperLayers.Value != g.CopperLayers.Value || g.PlatedHoles.Value < 4 || !f.Width.Known || !g.Width.Known {
		return 0
	}
	if f.PlatedHoles.Value%g.PlatedHoles.Value != 0 {
		return 0
	}
	n := f.PlatedHoles.Value / g.PlatedHoles.Value
	area := func(x board.Facts) float64 { return float64(x.Width.Value) * float64(x.Height.Value) }
	if n < 2 || area(f) < 0.95*float64(n)*area(g) || area(f) > 3*float64(n)*area(g) {
		return 0
	}
	return n
}
