package conductor

import (
	"boardorder/pkg/board/geom"
)

// A closest keeps one gap, the smallest, for two nodes in one spot of the board: a
// track that runs beside another in ten pieces is one fault, not ten.
type closest map[spot]nearby

type spot struct {
	pair [2]int32
	cell geom.Point
}

type nearby struct {
	i, j int
	p, q geom.Point
	d    float64
}

// cellOf is the square of a millimetre and a half that a point lies in.
func cellOf(p geom.Point) geom.Point {
	const side = 1500 * geom.Micrometre
	return geom.Pt(floorDiv(p.X, side), floorDiv(p.Y, side))
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func (c closest) add(at spot, n nearby) {
	if old, ok := c[at]; !ok || n.d < old.d || n.d == old.d && (n.i < old.i || n.i == old.i && n.j < old.j) {
		c[at] = n
	}
}
