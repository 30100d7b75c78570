package clip

import (
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// A directed edge of the border, the inside on its left.
type directed struct {
	from, to geom.Point
	edge     int32
	used     bool
}

// A loop is a closed chain of border edges.
type loop struct {
	points Ring
	first  int32 // of its edges, the one that starts leftmost
	hole   bool
	outer  int32 // index of the loop that it is a hole of
}

type linker struct {
	edges []edge
	lines []directed
	loops []loop
	of    []int32 // loop of every edge; -1 for none
	steps pcb.Tally
}

// link joins the border edges of a swept arrangement to polygons.
func link(edges []edge, m pcb.Meter) ([]geom.Polygon, error) {
	k := &linker{edges: edges, steps: m.Tally(pcb.Lookups), of: make([]int32, len(edges))}
	for i := range edges {
		e := &edges[i]
		k.of[i] = -1
		switch {
		case e.in[1] && !e.in[0]:
			k.lines = append(k.lines, directed{from: e.l, to: e.r, edge: int32(i)})
		case e.in[0] && !e.in[1]:
			k.lines = append(k.lines, directed{from: e.r, to: e.l, edge: int32(i)})
		}
	}
	slices.SortFunc(k.lines, func(a, b directed) int { return comparePoints(a.from, b.from) })
	if k.trace(); !k.steps.Settle() {
		return nil, m.Err()
	}
	return k.polygons(), nil
}

func (k *linker) trace() {
	for i := range k.lines {
		if !k.lines[i].used && k.steps.Add(1) {
			k.loop(int32(i))
		}
	}
}

// loop follows the border from line i until it comes back.
func (k *linker) loop(i int32) {
	l := loop{first: k.lines[i].edge}
	index := int32(len(k.loops))
	for i >= 0 && !k.lines[i].used {
		d := &k.lines[i]
		d.used = true
		k.of[d.edge] = index
		l.points = append(l.points, d.from)
		// Edges are in order of their left ends; of those that start at one point the
		// lowest bounds the loop from outside.
		if a, b := &k.edges[d.edge], &k.edges[l.first]; precedes(a.l, b.l) ||
			a.l == b.l && crossSign(a.r.Sub(a.l), b.r.Sub(b.l)) > 0 {
			l.first = d.edge
		}
		i = k.successor(d)
	}
	// The region below the lowest edge of the leftmost corner is outside of an outer
	// loop, and inside for a hole.
	l.hole = k.edges[l.first].in[0]
	l.points = straighten(l.points)
	k.loops = append(k.loops, l)
}

// successor is the line that goes on from the end of d, keeping the same inside on the
// left: the first one clockwise from the way back.
func (k *linker) successor(d *directed) int32 {
	i, _ := slices.BinarySearchFunc(k.lines, d.to, func(a directed, p geom.Point) int { return comparePoints(a.from, p) })
	best := int32(-1)
	back := d.from.Sub(d.to)
	for ; i < len(k.lines) && k.lines[i].from == d.to; i++ {
		if !k.steps.Add(1) {
			return -1
		}
		if k.lines[i].used {
			continue
		}
		if best < 0 || clockwiseBefore(back, k.lines[i].to.Sub(d.to), k.lines[best].to.Sub(d.to)) {
			best = int32(i)
		}
	}
	return best
}

// clockwiseBefore tells whether, turning clockwise from ref, a comes before b.
func clockwiseBefore(ref, a, b geom.Point) bool {
	ha, hb := clockwiseHalf(ref, a), clockwiseHalf(ref, b)
	if ha != hb {
		return ha < hb
	}
	return crossSign(a, b) < 0
}

// clockwiseHalf is 0 for less than half a turn clockwise from ref, 1 for more.
func clockwiseHalf(ref, v geom.Point) int {
	switch c := crossSign(ref, v); {
	case c < 0:
		return 0
	case c > 0:
		return 1
	case dotSign(ref, v) > 0: // the way back itself comes last
		return 2
	}
	return 1
}

// straighten leaves out corners where the ring runs straight on.
func straighten(r Ring) Ring {
	out := r[:0:len(r)]
	for i, p := range r {
		q := r[(i+1)%len(r)]
		var o geom.Point
		switch {
		case len(out) > 0:
			o = out[len(out)-1]
		default:
			o = r[len(r)-1]
		}
		if orient(o, p, q) == 0 && dotSign(p.Sub(o), q.Sub(p)) > 0 {
			continue
		}
		out = append(out, p)
	}
	return out
}

func (k *linker) polygons() []geom.Polygon {
	index := make([]int32, len(k.loops))
	var out []geom.Polygon
	for i := range k.loops {
		if l := &k.loops[i]; !l.hole && len(l.points) > 2 {
			index[i] = int32(len(out))
			out = append(out, geom.Polygon{Outer: geom.Path{Points: l.points, Closed: true}})
		} else {
			index[i] = -1
		}
	}
	for i := range k.loops {
		l := &k.loops[i]
		if !l.hole || len(l.points) < 3 {
			continue
		}
		if o := k.outer(int32(i)); o >= 0 && index[o] >= 0 {
			p := &out[index[o]]
			p.Holes = append(p.Holes, geom.Path{Points: l.points, Closed: true})
		}
	}
	return out
}

// outer is the loop that hole i lies in: that of the border below it, or where
// that is a hole too the one that this lies in.
func (k *linker) outer(i int32) int32 {
	var seen []int32
	at := i
	for at >= 0 && k.loops[at].hole && k.loops[at].outer == 0 {
		seen = append(seen, at)
		below := k.edges[k.loops[at].first].below
		if below < 0 || k.of[below] == at || len(seen) > len(k.loops) {
			at = -1
			break
		}
		at = k.of[below]
	}
	if at >= 0 && k.loops[at].hole {
		at = k.loops[at].outer - 1
	}
	for _, s := range seen {
		k.loops[s].outer = at + 1
	}
	return at
}
