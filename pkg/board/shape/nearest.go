package shape

import "boardorder/pkg/board/geom"

// near is a child on the way to the nearest.
type near struct {
	at int32
	d  float64
}

// nearest calls try with leaves that may be closer to p than the best distance
// so far, which try returns; nothing beyond reach is tried.
func (x *Index) nearest(p probe, reach float64, try func(i int) float64) {
	if len(x.items) > 0 {
		x.descend(&p, node{int32(len(x.levels) - 1), 0}, reach, try)
	}
}

func (x *Index) descend(p *probe, n node, best float64, try func(i int) float64) float64 {
	if n.level == 0 {
		return min(best, try(int(x.items[n.at])))
	}
	var order [fan]near
	k := 0
	below := x.levels[n.level-1]
	for c := int(n.at) * fan; c < min(len(below), (int(n.at)+1)*fan); c++ {
		if d := p.dist(&below[c], best); d <= best {
			k = insert(&order, k, near{int32(c), d})
		}
	}
	for _, c := range order[:k] {
		if c.d > best {
			break
		}
		if n.level == 1 {
			best = min(best, try(int(x.items[c.at])))
			continue
		}
		best = x.descend(p, node{n.level - 1, c.at}, best, try)
	}
	return best
}

// insert keeps the first k of order sorted by distance.
func insert(order *[fan]near, k int, c near) int {
	i := k
	for ; i > 0 && order[i-1].d > c.d; i-- {
		order[i] = order[i-1]
	}
	order[i] = c
	return k + 1
}

// nearestPair calls try with pairs of leaves, one of each tree, that may be closer
// than the best distance so far, which try returns.
func (x *Index) nearestPair(y *Index, reach float64, try func(i, j int) float64) {
	if len(x.items) == 0 || len(y.items) == 0 {
		return
	}
	w := pairWalk{x, y, try}
	w.descend(node{int32(len(x.levels) - 1), 0}, node{int32(len(y.levels) - 1), 0}, reach)
}

type pairWalk struct {
	x, y *Index
	try  func(i, j int) float64
}

func (w *pairWalk) descend(a, b node, best float64) float64 {
	if a.level == 0 && b.level == 0 {
		return min(best, w.try(int(w.x.items[a.at]), int(w.y.items[b.at])))
	}
	inX := a.level >= b.level // open the larger of the two
	tree, n, other := w.x, a, w.y.box(b)
	if !inX {
		tree, n, other = w.y, b, w.x.box(a)
	}
	var order [fan]near
	k := 0
	below := tree.levels[n.level-1]
	for c := int(n.at) * fan; c < min(len(below), (int(n.at)+1)*fan); c++ {
		if d := gap(&below[c], other, best); d <= best {
			k = insert(&order, k, near{int32(c), d})
		}
	}
	for _, c := range order[:k] {
		if c.d > best {
			break
		}
		child := node{n.level - 1, c.at}
		if inX {
			best = w.descend(child, b, best)
		} else {
			best = w.descend(a, child, best)
		}
	}
	return best
}

func (x *Index) box(n node) *geom.Box { return &x.levels[n.level][n.at] }
