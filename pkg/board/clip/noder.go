package clip

import (
	"context"
	"math"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// An edge runs from its left to its right end and tells how the numbers of turns
// round a point change for each area when it is crossed upwards.
type edge struct {
	l, r  geom.Point
	delta [2]int32

	above [2]int32 // turns of the areas above it
	in    [2]bool  // below, above: inside the result
	below int32    // the nearest edge of the result's border below; -1 for none
}

func (e *edge) box() geom.Box {
	return geom.Box{
		Min: geom.Point{X: e.l.X, Y: min(e.l.Y, e.r.Y)},
		Max: geom.Point{X: e.r.X, Y: max(e.l.Y, e.r.Y)},
	}
}

func (e *edge) border() bool { return e.in[0] != e.in[1] }

// noder splits edges until no two meet but at their ends.
type noder struct {
	meter  pcb.Meter
	met    pcb.Tally // edges held against others
	cuts   pcb.Tally
	edges  []edge
	dead   []bool
	trees  []*tree
	splits []split
}

// A split cuts an edge at a point.
type split struct {
	edge int32
	at   geom.Point
}

func newNoder(ctx context.Context) *noder {
	m := pcb.MeterOf(ctx)
	return &noder{meter: m, met: m.Tally(pcb.Pairs), cuts: m.Tally(pcb.Crossings)}
}

func (n *noder) add(rings Rings, area int) {
	for _, r := range rings {
		for i, a := range r {
			b := r[(i+1)%len(r)]
			if a == b {
				continue
			}
			e := edge{l: a, r: b}
			e.delta[area] = 1 // going right, the inside of a counter-clockwise ring is above
			if precedes(b, a) {
				e.l, e.r = b, a
				e.delta[area] = -1
			}
			n.edges = append(n.edges, e)
		}
	}
}

const maxRounds = 64

// perEdge is how many steps an edge costs that is sorted, looked up and swept,
// whatever it meets.
const perEdge = 32

// run gives the edges split, equal ones merged, in order of their left ends.
func (n *noder) run() ([]edge, error) {
	if !n.meter.SpendTimes(pcb.Lookups, perEdge, len(n.edges)) {
		return nil, n.meter.Err()
	}
	fresh := 0
	for range maxRounds {
		n.merge(fresh)
		n.dead = append(n.dead, make([]bool, len(n.edges)-len(n.dead))...)
		if err := n.meet(fresh); err != nil {
			return nil, err
		}
		if len(n.splits) == 0 {
			n.met.Settle()
			return n.living(), nil
		}
		if !n.cuts.Settle() {
			return nil, n.meter.Err()
		}
		fresh = len(n.edges)
		n.divideEdges()
	}
	return nil, ErrUnsettled
}

// merge makes one of equal edges among those from fresh on.
func (n *noder) merge(fresh int) {
	part := mergeEqual(n.edges[fresh:])
	n.edges = n.edges[:fresh+len(part)]
}

func mergeEqual(edges []edge) []edge {
	slices.SortFunc(edges, func(a, b edge) int {
		if c := comparePoints(a.l, b.l); c != 0 {
			return c
		}
		return comparePoints(a.r, b.r)
	})
	out := edges[:0]
	for _, e := range edges {
		if k := len(out) - 1; k >= 0 && out[k].l == e.l && out[k].r == e.r {
			out[k].delta[0] += e.delta[0]
			out[k].delta[1] += e.delta[1]
			continue
		}
		out = append(out, e)
	}
	return slices.DeleteFunc(out, func(e edge) bool { return e.delta == [2]int32{} })
}

// few edges are compared with each other without a tree.
const few = 48

// meet notes where the edges from fresh on must be split or split others.
func (n *noder) meet(fresh int) error {
	n.splits = n.splits[:0]
	if len(n.edges) <= few {
		for i := fresh; i < len(n.edges); i++ {
			box := n.edges[i].box()
			for j := range i {
				if !n.dead[j] && box.Overlaps(n.edges[j].box()) {
					n.pair(int32(i), int32(j))
				}
			}
		}
		return nil
	}
	items := make([]int32, 0, len(n.edges)-fresh)
	if len(n.trees) == 0 {
		fresh = 0
	}
	for i := fresh; i < len(n.edges); i++ {
		items = append(items, int32(i))
	}
	if len(items) == 0 {
		return nil
	}
	n.trees = append(n.trees, newTree(items, func(i int32) geom.Box { return n.edges[i].box() }))
	return n.search(fresh)
}

func (n *noder) search(fresh int) error {
	for i := fresh; i < len(n.edges); i++ {
		if !n.met.Add(1) {
			return n.meter.Err()
		}
		if n.dead[i] {
			continue
		}
		box := n.edges[i].box()
		for _, t := range n.trees {
			t.search(box, func(j int32) {
				if int(j) < i && n.met.Add(1) && !n.dead[j] {
					n.pair(int32(i), j)
				}
			})
		}
	}
	return n.meter.Err()
}

// pair notes how two edges must be split because of each other.
func (n *noder) pair(i, j int32) {
	s, t := &n.edges[i], &n.edges[j]
	near := n.touch(i, s, t.l)
	near = n.touch(i, s, t.r) || near
	near = n.touch(j, t, s.l) || near
	near = n.touch(j, t, s.r) || near
	if near || s.l == t.l || s.l == t.r || s.r == t.l || s.r == t.r {
		return
	}
	if orient(s.l, s.r, t.l)*orient(s.l, s.r, t.r) >= 0 || orient(t.l, t.r, s.l)*orient(t.l, t.r, s.r) >= 0 {
		return
	}
	p := crossing(s, t)
	n.split(i, s, p)
	n.split(j, t, p)
}

// touch notes a split where edge e passes through the grid cell round p.
func (n *noder) touch(i int32, e *edge, p geom.Point) bool {
	if p == e.l || p == e.r || !e.box().Contains(p) {
		return false
	}
	r, v := e.r.Sub(e.l), p.Sub(e.l)
	reach := (abs(r.X) + abs(r.Y) - 1) / 2 // a cell's corner is not enough: it belongs to four cells
	if isSmall(r) && isSmall(v) {
		if c := r.X*v.Y - r.Y*v.X; c > reach || -c > reach {
			return false
		}
	} else if math.Abs(r.Cross(v)) > float64(reach) && crossSign(r, v) != 0 {
		return false
	}
	if n.cuts.Add(1) {
		n.splits = append(n.splits, split{i, p})
	}
	return true
}

func (n *noder) split(i int32, e *edge, p geom.Point) {
	if p != e.l && p != e.r && n.cuts.Add(1) {
		n.splits = append(n.splits, split{i, p})
	}
}

// crossing is the grid point next to where two edges cross.
func crossing(s, t *edge) geom.Point {
	r, q, d := s.r.Sub(s.l), t.r.Sub(t.l), t.l.Sub(s.l)
	u := cross(d, q) / cross(r, q)
	p := geom.Point{X: s.l.X + int64(math.Round(u*float64(r.X))), Y: s.l.Y + int64(math.Round(u*float64(r.Y)))}
	for _, e := range [2]*edge{s, t} { // rounding must not leave either
		b := e.box()
		p.X, p.Y = max(b.Min.X, min(b.Max.X, p.X)), max(b.Min.Y, min(b.Max.Y, p.Y))
	}
	return p
}

func cross(u, v geom.Point) float64 {
	if isSmall(u) && isSmall(v) {
		return float64(u.X*v.Y - u.Y*v.X)
	}
	return u.Cross(v)
}

// divideEdges replaces split edges by their parts, which are added at the end.
func (n *noder) divideEdges() {
	slices.SortFunc(n.splits, func(a, b split) int {
		if a.edge != b.edge {
			return int(a.edge) - int(b.edge)
		}
		return n.compareAlong(a.edge, a.at, b.at)
	})
	for i := 0; i < len(n.splits); {
		k := n.splits[i].edge
		n.dead[k] = true
		e := n.edges[k]
		from := e.l
		for ; i < len(n.splits) && n.splits[i].edge == k; i++ {
			n.part(e, from, n.splits[i].at)
			from = n.splits[i].at
		}
		n.part(e, from, e.r)
	}
}

// compareAlong orders points by how far along an edge they lie.
func (n *noder) compareAlong(i int32, a, b geom.Point) int {
	e := &n.edges[i]
	return dotSign(e.r.Sub(e.l), a.Sub(b))
}

func (n *noder) part(e edge, a, b geom.Point) {
	if a == b {
		return
	}
	p := edge{l: a, r: b, delta: e.delta}
	if precedes(b, a) { // rounding turned a steep piece round
		p.l, p.r = b, a
		p.delta = [2]int32{-e.delta[0], -e.delta[1]}
	}
	n.edges = append(n.edges, p)
}

// living gives the edges that were not split further, equal ones merged.
func (n *noder) living() []edge {
	out := make([]edge, 0, len(n.edges))
	for i := range n.edges {
		if !n.dead[i] {
			out = append(out, n.edges[i])
		}
	}
	return mergeEqual(out)
}

func abs(v int64) int64 {
	if v < 0 {
		return -v
	}
	return v
}
