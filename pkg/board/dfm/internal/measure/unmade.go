package measure

import (
	"slices"
	"strings"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// unmadeHoles tells of each hole whether it is none of the finished board: it falls away
// with a larger one, lies in the waste beside the board, or is a cut along its edge.
func unmadeHoles(in *Input) []bool {
	out := slices.Clone(in.Contained())
	for i, o := range in.Outside() {
		out[i] = out[i] || o || in.cutsOut(i)
	}
	return out
}

// cutsOut tells whether a hole is a way of the cutter along the board's edge, in pieces or
// all round, which files of drills hold as well: no slot, whatever is said of its plating
// and however thin the cutter. With copper in it it may be meant as plated.
func (in *Input) cutsOut(i int) bool {
	const short = 5 * geom.Millimetre // a slot in the edge is shorter
	h := &in.Board.Holes[i]
	if h.Kind == pcb.DrillHole || h.Diameter <= 0 || !sureOutline(in.Board) {
		return false
	}
	along, far := true, 0.0
	in.Board.HoleEdges(h, func(e geom.Edge) {
		along = along && in.Border().HasLine(e)
		far += e.A.Dist(e.B)
	})
	if !along || far < float64(short) {
		return false
	}
	c, err := in.Copper()
	return err == nil && c.Holes[i] < 0
}

// holesOutside tells of each hole whether it lies wholly beside every piece of the board,
// and is joined to no copper on it. Where the outline is guessed or doubtful none does.
func holesOutside(in *Input) []bool {
	out := make([]bool, len(in.Board.Holes))
	if !sureOutline(in.Board) {
		return out
	}
	border, whole, any := in.Border(), wholePieces(in), false
	for i := range in.Board.Holes {
		h := &in.Board.Holes[i]
		if h.Diameter <= 0 || border.Contains(h.A) || border.IsNear(in.Board.HoleBounds(h), dfm.Tolerance) {
			continue
		}
		out[i] = !whole(h.A)
		any = any || out[i]
	}
	if any {
		keepJoined(in, out)
	}
	return out
}

// wholePieces tells of a point whether it lies in a piece of board, its cutouts included: of
// a panel whose boards were taken for the cutouts of its frame nothing is waste.
func wholePieces(in *Input) func(geom.Point) bool {
	var whole []shape.Shape
	for _, a := range in.Board.Outline.Areas {
		s := shape.Area(geom.Polygon{Outer: a.Outer}, 0)
		s.Meter(in.Meter)
		whole = append(whole, s)
	}
	return func(p geom.Point) bool {
		return slices.ContainsFunc(whole, func(s shape.Shape) bool { return s.Contains(p) })
	}
}

// sureOutline tells whether the files draw the board's edge, closed, and nothing speaks
// against it.
func sureOutline(b *pcb.Board) bool {
	return b.Outline.Closed && len(b.Outline.Areas) > 0 && !slices.ContainsFunc(b.Findings, func(f pcb.Finding) bool {
		return f.Level >= pcb.Warning && strings.HasPrefix(f.Code, "outline_")
	})
}

// keepJoined takes holes back that are joined to copper on the board: what lies there
// is meant, so the outline may be wrong.
func keepJoined(in *Input, outside []bool) {
	c, err := in.Copper()
	if err != nil {
		clear(outside)
		return
	}
	waste := in.Waste()
	for i := range outside {
		outside[i] = outside[i] && (c.Holes[i] < 0 || waste[c.Holes[i]])
	}
}

// wasteNodes tells of each node of copper whether all of it lies beside the board: coupons
// and lettering of a frame that nobody gets. Where the outline is not certain none does.
func wasteNodes(in *Input) []bool {
	c, err := in.Copper()
	if err != nil {
		return nil
	}
	out := make([]bool, len(c.Nodes))
	if !sureOutline(in.Board) {
		return out
	}
	border, whole := in.Border(), wholePieces(in)
	for n := range out {
		out[n] = !slices.ContainsFunc(c.Nodes[n].Islands, func(k int32) bool {
			l := c.Layers[c.Islands[k].Layer]
			return slices.ContainsFunc(c.Islands[k].Items, func(i int32) bool {
				s := &l.Items[i].Shape
				return border.Contains(s.CorePoint()) || border.IsNear(s.Bounds(), 0) || whole(s.CorePoint())
			})
		})
	}
	return out
}
