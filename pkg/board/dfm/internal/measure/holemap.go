package measure

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// A holeMap finds holes by their middle. Drill files are often rounded more than
// copper, so that the two differ a little.
type holeMap struct {
	meter pcb.Meter
	board *pcb.Board
	cells map[geom.Point][]int32
}

// holeCell is how far a middle may be off.
const holeCell = 20 * geom.Micrometre

// manyHoles in one cell are counted as work.
const manyHoles = 16

func newHoleMap(b *pcb.Board, meter pcb.Meter) *holeMap {
	m := &holeMap{meter: meter, board: b, cells: make(map[geom.Point][]int32, len(b.Holes))}
	for i := range b.Holes {
		c := cell(b.Holes[i].A.Mid(b.Holes[i].B))
		m.cells[c] = append(m.cells[c], int32(i))
	}
	return m
}

func cell(p geom.Point) geom.Point {
	return geom.Pt(floor(p.X, holeCell), floor(p.Y, holeCell))
}

func floor(v, by int64) int64 {
	if v < 0 {
		return (v+1)/by - 1
	}
	return v / by
}

// holeAt gives the hole whose middle is nearest to p; nil when none is near.
func (m *holeMap) holeAt(p geom.Point) *pcb.Hole {
	c := cell(p)
	var best *pcb.Hole
	least := float64(holeCell)
	for dx := int64(-1); dx <= 1; dx++ {
		for dy := int64(-1); dy <= 1; dy++ {
			list := m.cells[geom.Pt(c.X+dx, c.Y+dy)]
			if len(list) > manyHoles && !m.meter.Spend(pcb.Lookups, len(list)) {
				return best
			}
			for _, i := range list {
				h := &m.board.Holes[i]
				if d := h.A.Mid(h.B).Dist(p); d < least {
					best, least = h, d
				}
			}
		}
	}
	return best
}
