package shape

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Pairs calls yield once with each pair of boxes at most reach apart in X and in
// Y, i less than j.
func (x *Index) Pairs(reach int64, yield func(i, j int)) { x.PairsPart(reach, 0, 1, yield) }

// PairsPart is [Index.Pairs] for one of parts that together are all pairs, so that
// several goroutines can share the work.
func (x *Index) PairsPart(reach int64, part, parts int, yield func(i, j int)) {
	if len(x.levels) < 2 {
		return // one box at most
	}
	p := pairing{x: x, reach: reach, yield: yield, found: x.meter.Tally(pcb.Pairs)}
	n := len(x.levels[1])
	for k := n * part / parts; k < n*(part+1)/parts && p.found.Add(1); k++ {
		p.block(k)
	}
	p.found.Settle()
}

// A pairing finds pairs of leaves. Leaves next to each other are looked for
// together, and only among those that come after them, so that no pair is met twice.
type pairing struct {
	x     *Index
	reach int64
	yield func(i, j int)
	found pcb.Tally
	// joined reports of two nodes that nothing is to be found between them; nil where
	// everything is.
	joined func(a, b node) bool
	met    int // pairs of the node at work

	first, last int           // the node of level 1 at work, and where its leaves end
	leaves      [fan]geom.Box // of it, grown
	box         geom.Box      // of them all
}

// block finds the pairs of a node of level 1, among its leaves and with later ones.
func (p *pairing) block(k int) {
	from, to := p.x.children(1, k)
	p.first, p.last, p.met = k, to, 0
	p.box = p.x.levels[1][k].Grow(p.reach)
	for c := from; c < to; c++ {
		p.leaves[c-from] = p.x.levels[0][c].Grow(p.reach)
		for d := from; d < c; d++ {
			if meet(&p.leaves[d-from], &p.x.levels[0][c]) {
				p.pair(d, c)
			}
		}
	}
	if top := len(p.x.levels) - 1; top > 1 && p.found.Add(1) {
		p.descend(top, 0)
	}
}

// descend looks for later nodes of level 1 in a node that touches the one at work.
func (p *pairing) descend(level, at int) {
	if level == 1 {
		p.cross(at)
		return
	}
	span := 1 // nodes of level 1 in a child
	for range level - 2 {
		span *= fan
	}
	from, to := p.x.children(level, at)
	below := p.x.levels[level-1][:to]
	for c := max(from, (p.first+1)/span); c < to; c++ {
		if meet(&p.box, &below[c]) && !p.isDone(level-1, c) {
			p.descend(level-1, c)
		}
	}
}

// isDone reports whether there is nothing more to find between the node at work and
// another.
func (p *pairing) isDone(level, at int) bool {
	const few = 512 // pairs that cost less than to ask
	return p.joined != nil && p.met > few && p.joined(node{1, int32(p.first)}, node{int32(level), int32(at)})
}

// cross finds pairs of the leaves at work and those of node m of level 1.
func (p *pairing) cross(m int) {
	box := &p.x.levels[1][m]
	from, to := p.x.children(1, m)
	others := p.x.levels[0][:to]
	if !p.found.Add(1) {
		return
	}
	for k := range p.leaves[:p.last-p.first*fan] {
		a := &p.leaves[k]
		if !meet(a, box) {
			continue
		}
		for d := from; d < to; d++ {
			if meet(a, &others[d]) {
				p.pair(p.first*fan+k, d)
			}
		}
	}
}

func (p *pairing) pair(c, d int) {
	if !p.found.Add(1) {
		return
	}
	p.met++
	i, j := int(p.x.items[c]), int(p.x.items[d])
	p.yield(min(i, j), max(i, j))
}
