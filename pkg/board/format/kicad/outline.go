package kicad

import (
	"cmp"
	"fmt"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/outline"
)

// findOutline makes the board's shape of what was drawn on Edge.Cuts, by the
// board and by its footprints.
func (r *pcbReader) findOutline() {
	if len(r.outline) == 0 {
		r.finding(pcb.Problem, "outline_missing", 0, "nothing is drawn on Edge.Cuts, so the board has no outline")
		return
	}
	res := outline.Find(r.ctx, r.outline)
	res.Outline.Source = pcb.Source{File: r.file, Line: r.outlineAt}
	r.b.Outline = res.Outline
	if len(res.Gaps) > 0 {
		worst := slices.MaxFunc(res.Gaps, func(a, b outline.Gap) int { return cmp.Compare(a.Size, b.Size) })
		r.b.Findings = append(r.b.Findings, pcb.Finding{
			Code: "outline_gap", Level: pcb.Warning, File: r.file, Layer: "Edge.Cuts", At: &worst.From, To: &worst.To, Size: worst.Size,
			Count: len(res.Gaps), Message: "ends of the outline do not meet; they were joined by straight lines, the longest of " +
				fmt.Sprintf("%.3f mm", geom.Millimetres(worst.Size)),
		})
	}
}

// judgeOpen tells of lines on Edge.Cuts that close no shape. Those that lie clear of the
// board are left out of it; any other stops the order, as it may be a side or a cutout.
// The layers have to be the board's already.
func (r *pcbReader) judgeOpen() {
	if beside := outline.DropBeside(r.ctx, r.b); len(beside) > 0 {
		from, n := beside[0].Points[0], len(beside)
		r.b.Findings = append(r.b.Findings, pcb.Finding{
			Code: "outline_beside", Level: pcb.Warning, File: r.file, Layer: "Edge.Cuts", At: &from, Count: n,
			Message: fmt.Sprintf("%d of the lines on Edge.Cuts close no shape and lie beside the board, as at x %.2f mm, y %.2f mm: they are left out of the board and its size; close them if they are a part of it",
				n, geom.Millimetres(from.X), geom.Millimetres(from.Y)),
		})
	}
	if n := len(r.b.Outline.Open); n > 0 {
		at := r.b.Outline.Open[0].Points[0]
		r.b.Findings = append(r.b.Findings, pcb.Finding{
			Code: "outline_open", Level: pcb.Problem, File: r.file, Layer: "Edge.Cuts", At: &at, Count: n,
			Message: "lines on Edge.Cuts do not close to a shape",
		})
	}
}
