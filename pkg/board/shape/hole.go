package shape

import (
	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// AppendHole appends what a hole takes out of the board: a circle, a slot or
// the strokes of a routed path.
func AppendHole(out []Shape, b *board.Board, h *board.Hole) []Shape {
	b.HoleEdges(h, func(e geom.Edge) { out = append(out, Curve(e, h.Diameter)) })
	return out
}
