package reader

import (
	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// An edgeGrid answers which edges of an outline lie near a point.
type edgeGrid struct {
	cells map[geom.Point][]int32
	edges []geom.Edge
}

const edgeCell = 5 * geom.Millimetre

// newEdgeGrid sorts the edges of all areas and cutouts into square cells.
func newEdgeGrid(o board.Outline) *edgeGrid {
	g := &edgeGrid{cells: map[geom.Point][]int32{}}
	for _, a := range o.Areas {
		g.add(a.Outer)
		for _, h := range a.Holes {
			g.add(h)
		}
	}
	return g
}

func (g *edgeGrid) add(p geom.Path) {
	const most = 100_000
	for e := range p.Edges() {
		if len(g.edges) >= most {
			return
		}
		k := int32(len(g.edges))
		g.edges = append(g.edges, e)
		b := e.Bounds()
		for x := b.Min.X / edgeCell; x <= b.Max.X/edgeCell; x++ {
			for y := b.Min.Y / edgeCell; y <= b.Max.Y/edgeCell; y++ {
				if x == b.Min.X/edgeCell+1000 || y == b.Min.Y/edgeCell+1000 {
					break // an edge of five metres is no board's
				}
				g.cells[geom.Pt(x, y)] = append(g.cells[geom.Pt(x, y)], k)
			}
		}
	}
}

// within tells whether an edge comes closer to p than d, which must be less
// than a cell.
func (g *edgeGrid) within(p geom.Point, d float64) bool {
	c := geom.Pt(p.X/edgeCell, p.Y/edgeCell)
	for dx := int64(-1); dx <= 1; dx++ {
		for dy := int64(-1); dy <= 1; dy++ {
			for _, k := range g.cells[geom.Pt(c.X+dx, c.Y+dy)] {
				if _, dist := g.edges[k].Nearest(p); dist < d {
					return true
				}
			}
		}
	}
	return false
}
