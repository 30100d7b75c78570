package shape

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// AppendHole appends what a hole takes out of the board: a circle, a slot or
// the strokes of a routed path.
func AppendHole(out []Shape, b *pcb.Board, h *pcb.Hole) []Shape {
	b.HoleEdges(h, func(e geom.Edge) { out = append(out, Curve(e, h.Diameter)) })
	return out
}
