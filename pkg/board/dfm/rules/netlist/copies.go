package netlist

import (
	"cmp"
	"math"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// boardCopies are the copies of one board in a panel whose parts and nets were not
// numbered anew: most references are there several times.
type boardCopies struct {
	are bool // there are any
	// at are the places of each component of artwork, of which there is one in the file
	// for all parts of its reference.
	at map[int32][]geom.Point
}

const (
	// sameRefs is how many references a board has at least whose repetition alone tells of a
	// panel, in the tool's own file and where nothing says where it comes apart.
	sameRefs = 6
	// maxRefs is which share of them is repeated then.
	maxRefs = 0.9
)

// findCopies tells of the copies of a board.
func (n *netting) findCopies() *boardCopies {
	if n.copies == nil {
		n.copies = &boardCopies{}
		at := n.partPlaces()
		refs, several := n.countReferences(at)
		n.copies.are = several > 1 && 2*several > refs && (!n.project || n.panelCut().hasCuts() ||
			refs >= sameRefs && float64(several) >= maxRefs*float64(refs))
		if n.copies.are && !n.project {
			n.copies.at = at
		}
	}
	return n.copies
}

// countReferences counts references, and those that several parts have.
func (n *netting) countReferences(at map[int32][]geom.Point) (refs, several int) {
	times := map[string]int{}
	for i := range n.in.Board.Components {
		c := &n.in.Board.Components[i]
		if n.counted[int32(i)] > 0 && !pcb.Placeholder(c.Ref) {
			times[c.Ref] += max(1, len(at[int32(i)]))
		}
	}
	for _, k := range times {
		if k > 1 {
			several++
		}
	}
	return len(times), several
}

// partPlaces gives, of each component of artwork, the places of that of its pins which is
// in the fewest: a pin may have several pads, and is there at least once in each copy.
func (n *netting) partPlaces() map[int32][]geom.Point {
	if n.project {
		return nil
	}
	pins := map[int32][]geom.Point{}
	seen := map[int32]map[geom.Point]bool{}
	for i := range n.pads {
		t := &n.pads[i]
		if n.part(t) < 0 {
			continue
		}
		if seen[t.pin] == nil {
			seen[t.pin] = map[geom.Point]bool{}
		}
		if k := gridOf(t.at); !seen[t.pin][k] {
			seen[t.pin][k] = true
			pins[t.pin] = append(pins[t.pin], t.at)
		}
	}
	out := map[int32][]geom.Point{}
	for p := range n.in.Board.Pins { // in the order of pins
		list, c := pins[int32(p)], n.in.Board.Pins[p].Component
		if have, ok := out[c]; len(list) > 0 && (!ok || len(list) < len(have)) {
			out[c] = list
		}
	}
	return out
}

// copyOf numbers the copy of a part that a pad belongs to: that whose place is nearest.
// It is 0 where each part is a component of its own.
func (n *netting) copyOf(t *terminal) int32 {
	best, least := int32(0), math.Inf(1)
	if c := n.part(t); c >= 0 {
		for i, p := range n.findCopies().at[c] {
			if d := p.Dist(t.at); d < least {
				best, least = int32(i), d
			}
		}
	}
	return best
}

// A pieceOfNet is a piece of a net with the parts that it leads to, by their references.
type pieceOfNet struct {
	root   int32
	pads   []*terminal
	parts  map[string]map[metal]bool
	copies int // how many of them have one reference at most
}

// takes reports whether two pieces may belong to one copy of a board: together they lead
// to no more parts of one reference than one of them does.
func (p *pieceOfNet) takes(o *pieceOfNet) bool {
	most := max(p.copies, o.copies)
	for ref, parts := range p.parts {
		count := len(parts)
		for k := range o.parts[ref] {
			if !parts[k] {
				count++
			}
		}
		if count > most {
			return false
		}
	}
	return true
}

func (p *pieceOfNet) join(o *pieceOfNet) {
	for ref, parts := range o.parts {
		for k := range parts {
			p.add(ref, k)
		}
	}
}

func (p *pieceOfNet) add(ref string, k metal) {
	if p.parts[ref] == nil {
		p.parts[ref] = map[metal]bool{}
	}
	p.parts[ref][k] = true
	p.copies = max(p.copies, len(p.parts[ref]))
}

// maxPieces is beyond how many pieces of a net those of one copy are not told apart.
const maxPieces = 600

// joinWithinCopies joins the pieces of a net that belong to one copy of a board, the nearest
// first, and gives the connections that are missing for it; false where there are no copies,
// or too many pieces to tell.
func (b *partJoins) joinWithinCopies() (missed []gapBetween, copied bool) {
	if !b.n.findCopies().are || !b.repeats() {
		return nil, false
	}
	list := b.partial()
	if len(list) > maxPieces || !b.n.in.Meter.SpendTimes(pcb.Lookups, len(b.pads), min(len(b.pads), manyPads)) {
		return nil, false
	}
	type pair struct {
		x, y int
		gapBetween
		long float64
	}
	var pairs []pair
	for x, p := range list {
		for y, o := range list[:x] {
			if p.takes(o) {
				g, d := nearest(p.pads, o.pads)
				pairs = append(pairs, pair{x, y, g, d})
			}
		}
	}
	slices.SortFunc(pairs, func(p, o pair) int { return cmp.Or(cmp.Compare(p.long, o.long), p.x-o.x, p.y-o.y) })
	of := make([]int, len(list)) // the piece that each was joined to
	for i := range of {
		of[i] = i
	}
	for _, g := range pairs {
		x, y := of[g.x], of[g.y]
		if x == y || !list[x].takes(list[y]) {
			continue
		}
		list[x].join(list[y])
		for i := range of {
			if of[i] == y {
				of[i] = x
			}
		}
		b.join(list[x].root, list[y].root)
		missed = append(missed, g.gapBetween)
	}
	return missed, true
}

// repeats reports whether a pin is at several places of the net: one that is a board's own,
// as where a panel's nets were named anew, has no copies.
func (b *partJoins) repeats() bool {
	type pin struct{ ref, number string }
	first := map[pin]geom.Point{}
	for _, t := range b.pads {
		c := b.n.part(t)
		if c < 0 {
			continue
		}
		k := pin{b.n.in.Board.Components[c].Ref, b.n.in.Board.Pins[t.pin].Number}
		at, ok := first[k]
		if !ok {
			first[k] = gridOf(t.at)
		} else if at != gridOf(t.at) {
			return true
		}
	}
	return false
}

// nearest gives the two pads of two pieces that are nearest to each other; of pieces with
// very many only the first of one is looked at.
func nearest(x, y []*terminal) (gapBetween, float64) {
	if len(x)*len(y) > manyPads*manyPads/4 {
		x = x[:1]
	}
	best, least := gapBetween{}, math.Inf(1)
	for _, p := range x {
		for _, o := range y {
			if d := p.at.Dist(o.at); d < least {
				best, least = gapBetween{o, p}, d
			}
		}
	}
	return best, least
}

// partial gives the pieces of a net that some part of it is missing from, but for those
// that only hold screws.
func (b *partJoins) partial() []*pieceOfNet {
	at, refs := map[int32]*pieceOfNet{}, map[string]bool{}
	var all []*pieceOfNet
	for _, t := range b.pads {
		if t.node < 0 {
			continue
		}
		root := b.root(t.node)
		p := at[root]
		if p == nil {
			p = &pieceOfNet{root: root, parts: map[string]map[metal]bool{}}
			at[root] = p
			all = append(all, p)
		}
		p.pads = append(p.pads, t)
		if c := b.n.part(t); c >= 0 {
			ref := b.n.in.Board.Components[c].Ref
			refs[ref] = true
			p.add(ref, metal{part: c, copy: b.n.copyOf(t)})
		}
	}
	return slices.DeleteFunc(all, func(p *pieceOfNet) bool {
		return p.copies == 1 && len(p.parts) == len(refs) || !slices.ContainsFunc(p.pads, func(t *terminal) bool { return !b.n.mounting(t) })
	})
}

// joinAll joins all pieces: the copies of a board, between which nothing is missing.
func (b *partJoins) joinAll() {
	first := int32(-1)
	for _, t := range b.pads {
		switch {
		case t.node < 0:
		case first < 0:
			first = t.node
		default:
			b.join(t.node, first)
		}
	}
}
