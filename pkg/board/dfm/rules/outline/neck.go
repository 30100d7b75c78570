package outline

import (
	"context"
	"fmt"
	"math"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// Neck finds slots and tongues of board that are too narrow.
var Neck = rule.Rule{Judges: []dfm.Name{dfm.SlotTooNarrow, dfm.BoardNeck}, Run: necks}

// necks judges where two parts of a boundary face each other closely: across air
// it is a slot that no cutter fits into, across board a tongue that breaks off.
func necks(ctx context.Context, in *measure.Input) rule.Result {
	gap := rule.MinimumCheck(in, dfm.SlotTooNarrow, false).Levels(dfm.Warning, dfm.Note)
	sliver := rule.MinimumCheck(in, dfm.BoardNeck, false).Levels(dfm.Warning, dfm.Note)
	for _, a := range in.Board.Outline.Areas {
		n := neckSearch{edges: measure.Rims(a), reach: [2]int64{in.Reach(dfm.SlotTooNarrow, false), in.Reach(dfm.BoardNeck, false)}}
		n.run(ctx)
		for _, p := range n.places(0) {
			gap.Add(p)
		}
		for _, p := range n.places(1) {
			sliver.Add(p)
		}
	}
	r := gap.Result(func(j rule.Breach) string {
		return fmt.Sprintf("%s in the outline %s narrower than the cutter: down to %s, the cutter needs %s. It is made wider, or left out.",
			words.Plural(j.Count, "slot"), words.Be(j.Count), words.MM(j.Value), words.MM(j.Limit))
	})
	r.Add(sliver.Result(func(j rule.Breach) string {
		return fmt.Sprintf("The board is only %s wide at %s; below %s it may break when it is cut out.", words.MM(j.Value), words.Plural(j.Count, "place"), words.MM(j.Limit))
	}))
	return r
}

// A neckSearch looks through one piece of board: kind 0 is air, 1 is board.
type neckSearch struct {
	edges []measure.Rim
	reach [2]int64
	found [2][]neck
}

// A neck is where two edges face each other.
type neck struct {
	e, f int
	d    float64
	p, q geom.Point
}

// run looks at every two edges that come near each other.
func (n *neckSearch) run(ctx context.Context) {
	boxes := make([]geom.Box, len(n.edges))
	for i := range n.edges {
		boxes[i] = n.edges[i].Bounds()
		n.round(i)
	}
	k := 0
	shape.NewIndex(boxes).SetMeter(pcb.MeterOf(ctx)).Pairs(max(n.reach[0], n.reach[1]), func(i, j int) {
		if k++; k%4096 != 0 || ctx.Err() == nil {
			n.pair(i, j)
		}
	})
}

// round takes a curve that runs round by half a turn or more: it faces itself.
func (n *neckSearch) round(i int) {
	e := &n.edges[i]
	const half = math.Pi - 0.1
	if !e.IsArc() || math.Abs(e.Sweep()) < half {
		return
	}
	kind := 1
	if e.Bend() > 0 {
		kind = 0
	}
	d := 2 * e.Radius()
	if int64(d) > n.reach[kind] {
		return
	}
	p := e.Mid()
	n.found[kind] = append(n.found[kind], neck{e: i, f: i, d: d, p: p, q: e.Centre.Add(e.Centre.Sub(p))})
}

func (n *neckSearch) pair(i, j int) {
	e, f := &n.edges[i], &n.edges[j]
	if e.Next == j || e.Prev == j {
		return
	}
	// Neighbours along a curve look the same way and face nothing.
	if !e.IsArc() && !f.IsArc() && e.InnerNormal(e.A).Dot(f.InnerNormal(f.A)) > 0.3 {
		return
	}
	d, p, q := e.Dist(f.Edge)
	if d == 0 {
		return
	}
	v := measure.Direction(q.Sub(p))
	for kind, sign := range [2]float64{-1, 1} {
		if int64(d) > n.reach[kind] {
			continue
		}
		a, b := n.faces(i, p, v, sign), n.faces(j, q, v.Times(-1), sign)
		if a == 0 || b == 0 {
			continue
		}
		// Chords of a circle that are not quite opposite measure too little.
		n.found[kind] = append(n.found[kind], neck{e: i, f: j, d: d / min(a, b), p: p, q: q})
		return
	}
}

// faces reports whether going from p of edge i in direction v is the way straight
// away from the boundary, into the board (sign 1) or out of it (-1): square to the
// edge, or between the normals of the two edges of a corner that sticks out. It
// gives how square (the cosine), 0 for not.
func (n *neckSearch) faces(i int, p geom.Point, v measure.Vector, sign float64) float64 {
	const square = 0.995
	e := &n.edges[i]
	own := e.InnerNormal(p).Times(sign)
	if d := own.Dot(v); d >= square {
		return min(d, 1)
	}
	var other *measure.Rim
	turn := 0.0
	switch p {
	case e.A:
		other = &n.edges[e.Prev]
		turn = measure.Dent(other, e)
	case e.B:
		other = &n.edges[e.Next]
		turn = measure.Dent(e, other)
	default:
		return 0
	}
	next := other.InnerNormal(p).Times(sign)
	if turn*sign <= 0 || own.Dot(v) <= 0 || next.Dot(v) <= 0 || own.Cross(v)*v.Cross(next) < 0 {
		return 0
	}
	return 1
}

// places gives one place for each neck, however many edges it is made of.
func (n *neckSearch) places(kind int) []dfm.Place {
	found := n.found[kind]
	if len(found) == 0 {
		return nil
	}
	root := map[int]int{}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for _, k := range found {
		root[k.e], root[k.f] = k.e, k.f
	}
	for _, k := range found {
		root[find(k.e)] = find(k.f)
	}
	for i := range root {
		if j := n.edges[i].Next; n.has(root, j) && n.edges[i].Len() < float64(n.reach[kind]) {
			root[find(i)] = find(j)
		}
	}
	best := map[int]neck{}
	var order []int
	for _, k := range found {
		r := find(k.e)
		b, ok := best[r]
		if !ok {
			order = append(order, r)
		}
		if !ok || k.d < b.d {
			best[r] = k
		}
	}
	out := make([]dfm.Place, 0, len(order))
	for _, r := range order {
		k := best[r]
		out = append(out, dfm.Place{At: k.p, To: k.q, Value: int64(math.Round(k.d)), Distance: true, Objects: [2]string{"outline", "outline"}})
	}
	return out
}

func (n *neckSearch) has(root map[int]int, i int) bool {
	_, ok := root[i]
	return ok
}
