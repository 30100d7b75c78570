package places

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// Edges answers whether an edge of an outline lies near a point.
type Edges struct {
	edges  []geom.Edge
	index  *shape.Index
	looked pcb.Tally
}

// NewEdges takes the edges of all areas and cutouts.
func NewEdges(o pcb.Outline, m pcb.Meter) *Edges {
	x := &Edges{looked: m.Tally(pcb.Lookups)}
	for _, a := range o.Areas {
		x.add(a.Outer)
		for _, h := range a.Holes {
			x.add(h)
		}
	}
	boxes := make([]geom.Box, len(x.edges))
	for i := range x.edges {
		boxes[i] = x.edges[i].Bounds()
	}
	x.index = shape.NewIndex(boxes)
	return x
}

func (x *Edges) add(p geom.Path) {
	for e := range p.Edges() {
		x.edges = append(x.edges, e)
	}
}

// ComeWithin reports whether an edge comes closer to p than d.
func (x *Edges) ComeWithin(p geom.Point, d float64) bool {
	near := false
	x.index.Search(geom.BoxOf(p).Grow(int64(d)+1), func(i int) bool {
		_, dist := x.edges[i].Nearest(p)
		near = dist < d
		return !near && x.looked.Add(1)
	})
	return near
}

// Cross reports whether an edge crosses or touches the line from a to b.
func (x *Edges) Cross(a, b geom.Point) bool {
	line, met := geom.Line(a, b), false
	x.index.Search(line.Bounds(), func(i int) bool {
		d, _, _ := line.Dist(x.edges[i])
		met = d <= 0
		return !met && x.looked.Add(1)
	})
	return met
}
