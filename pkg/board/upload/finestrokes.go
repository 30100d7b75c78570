package upload

import (
	"fmt"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
)

// filmPixel is what a plotter of films draws at the least; what is narrower is on no film,
// and so on no board.
const filmPixel = 5 * geom.Micrometre

// fineStrokes marks the strokes of copper that are too fine to be plotted as drawings: what
// is too close to one is told mildly.
func (a *assembly) fineStrokes() {
	for _, w := range artwork.Copper(a.art) {
		l, n := w.Layer, 0
		if l.Negative || !a.meter.Spend(pcb.Lookups, len(l.Features)) {
			continue
		}
		for i := range l.Features {
			if f := &l.Features[i]; plain(f) && l.Width(f) > 0 && l.Width(f) < filmPixel {
				f.Function = pcb.FuncProfile
				n++
			}
		}
		if n > 0 {
			a.Add(pcb.Finding{Code: "drawing_in_copper", Level: pcb.Note, File: l.File, Layer: l.Name, Count: n,
				Message: fmt.Sprintf("%d strokes of the copper are finer than %.3f mm, which no film shows: they are taken for drawings", n, geom.Millimetres(filmPixel))})
		}
	}
}
