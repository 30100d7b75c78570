package measure

import (
	"boardorder/pkg/board/geom"
)

// A cutGrid knows of squares of the board's box whether the cut comes near them: of
// most things on a board it is enough to know that they lie well inside.
type cutGrid struct {
	box        geom.Box
	side       int64 // of a square
	cols, rows int64
	cells      []cutCell // by rows
}

type cutCell uint8

const (
	cellOutside cutCell = iota
	cellInside
	cellCut // an edge may pass: to be measured
)

// newCutGrid sorts squares by edges and by inside, which is asked once for each
// stretch of squares that no edge divides.
func newCutGrid(edges []geom.Edge, inside func(geom.Point) bool) cutGrid {
	const most = 64 // squares along the longer side
	g := cutGrid{box: geom.EmptyBox()}
	for _, e := range edges {
		g.box = g.box.Union(e.Bounds())
	}
	if g.box.Empty() {
		return g
	}
	g.side = max(g.box.Width(), g.box.Height())/most + 1
	g.cols, g.rows = g.box.Width()/g.side+1, g.box.Height()/g.side+1
	g.cells = make([]cutCell, g.cols*g.rows)
	for _, e := range edges {
		g.markCut(e)
	}
	for i := range g.cells {
		x, y := int64(i)%g.cols, int64(i)/g.cols
		switch {
		case g.cells[i] == cellCut:
		case x > 0 && g.cells[i-1] != cellCut:
			g.cells[i] = g.cells[i-1]
		case y > 0 && g.cells[int64(i)-g.cols] != cellCut:
			g.cells[i] = g.cells[int64(i)-g.cols]
		case inside(g.box.Min.Add(geom.Pt(x*g.side+g.side/2, y*g.side+g.side/2))):
			g.cells[i] = cellInside
		}
	}
	return g
}

// markCut marks the squares that an edge may pass, walking it in pieces no longer than
// a square.
func (g *cutGrid) markCut(e geom.Edge) {
	flat := g.side / 8
	from := e.A
	for _, to := range e.AppendFlat(nil, float64(flat)) {
		d := to.Sub(from)
		n := 1 + max(d.X, -d.X, d.Y, -d.Y)/g.side
		for k := range n {
			piece := geom.BoxOf(geom.Pt(from.X+d.X*k/n, from.Y+d.Y*k/n), geom.Pt(from.X+d.X*(k+1)/n, from.Y+d.Y*(k+1)/n))
			g.visitCells(piece.Grow(flat+2), func(c *cutCell) bool {
				*c = cellCut
				return true
			})
		}
		from = to
	}
}

// cellAt is the square that a point lies in.
func (g *cutGrid) cellAt(p geom.Point) cutCell {
	if !g.box.Contains(p) {
		return cellOutside
	}
	return g.cells[(p.Y-g.box.Min.Y)/g.side*g.cols+(p.X-g.box.Min.X)/g.side]
}

// clear reports whether no edge passes the squares that a box touches.
func (g *cutGrid) clear(b geom.Box) bool {
	free := true
	g.visitCells(b, func(c *cutCell) bool {
		free = *c != cellCut
		return free
	})
	return free
}

// visitCells calls yield with the squares that a box touches until it returns false.
func (g *cutGrid) visitCells(b geom.Box, yield func(*cutCell) bool) {
	if !b.Overlaps(g.box) {
		return
	}
	x0, x1 := max(0, (b.Min.X-g.box.Min.X)/g.side), min(g.cols-1, (b.Max.X-g.box.Min.X)/g.side)
	y0, y1 := max(0, (b.Min.Y-g.box.Min.Y)/g.side), min(g.rows-1, (b.Max.Y-g.box.Min.Y)/g.side)
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			if !yield(&g.cells[y*g.cols+x]) {
				return
			}
		}
	}
}
