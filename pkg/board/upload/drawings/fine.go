package drawings

import (
	"fmt"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/findings"
)

// layerFilePixel is what a plotter of layer files draws at the least; what is narrower is on no layer file,
// and so on no board.
const layerFilePixel = 5 * geom.Micrometre

// MarkFine marks the strokes of copper that are too fine to be plotted as drawings: what
// is too close to one is told mildly.
func MarkFine(m pcb.Meter, files []*artwork.File, list *findings.List) {
	for _, w := range artwork.Copper(files) {
		l, n := w.Layer, 0
		if l.Negative || !m.Spend(pcb.Lookups, len(l.Features)) {
			continue
		}
		for i := range l.Features {
			if f := &l.Features[i]; isPlain(f) && l.Width(f) > 0 && l.Width(f) < layerFilePixel {
				f.Function = pcb.FuncProfile
				n++
			}
		}
		if n > 0 {
			list.Add(pcb.Finding{Code: "drawing_in_copper", Level: pcb.Note, File: l.File, Layer: l.Name, Count: n,
				Message: fmt.Sprintf("%d strokes of the copper are finer than %.3f mm, which no film shows: they are taken for drawings", n, geom.Millimetres(layerFilePixel))})
		}
	}
}
