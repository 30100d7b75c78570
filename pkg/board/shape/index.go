package shape

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Index finds boxes by place: a packed R-tree over things in the order of a
// Hilbert curve, built once and never changed. Searching allocates nothing and may
// be done by several goroutines.
type Index struct {
	items  []int32      // what the leaves stand for
	levels [][]geom.Box // leaves first; node i of a level covers fan nodes from i*fan below
	meter  pcb.Meter
}

const (
	fan  = 8   // children of a node
	many = 256 // things found in one search that count
)

// NewIndex builds the index of boxes. Empty boxes are never found.
func NewIndex(boxes []geom.Box) *Index {
	all := geom.EmptyBox()
	for _, b := range boxes {
		if !b.Empty() {
			all = all.Union(b)
		}
	}
	// A key is a place on the curve and, in its low bits, what lies there.
	keys := make([]uint64, 0, len(boxes))
	for i, b := range boxes {
		if !b.Empty() {
			keys = append(keys, hilbert(all, b.Centre())<<itemBits|uint64(i))
		}
	}
	sortKeys(keys)
	x := &Index{items: make([]int32, len(keys))}
	leaves := make([]geom.Box, len(keys))
	for i, k := range keys {
		x.items[i] = int32(k & (1<<itemBits - 1))
		leaves[i] = boxes[x.items[i]]
	}
	x.levels = append(make([][]geom.Box, 0, 6), leaves)
	for level := leaves; len(level) > 1; {
		level = parentBoxes(level)
		x.levels = append(x.levels, level)
	}
	return x
}

// SetMeter lets what is found count as work: searches of many things end when that
// has to stop. Searches that find a few cost nothing.
func (x *Index) SetMeter(m pcb.Meter) *Index {
	x.meter = m
	return x
}

// parentBoxes gives the boxes of the nodes that hold those of the level below.
func parentBoxes(below []geom.Box) []geom.Box {
	out := make([]geom.Box, (len(below)+fan-1)/fan)
	for i := range out {
		b := below[i*fan]
		for _, c := range below[i*fan+1 : min(len(below), (i+1)*fan)] {
			b = b.Union(c)
		}
		out[i] = b
	}
	return out
}

// Len is how many boxes can be found.
func (x *Index) Len() int { return len(x.items) }

// Items are the indexes of all boxes, neighbours next to each other: an order to
// work through them that stays in one place of the board and of memory.
func (x *Index) Items() []int32 { return x.items }

// Search calls yield with the index of each box that touches b, in no
// particular order, until it returns false.
func (x *Index) Search(b geom.Box, yield func(i int) bool) {
	if len(x.items) == 0 || b.Empty() {
		return
	}
	top, found := len(x.levels)-1, 0
	if meet(&b, &x.levels[top][0]) {
		x.search(&b, top, 0, func(i int) bool {
			if found++; found%many == 0 && !x.meter.Spend(pcb.Lookups, many) {
				return false
			}
			return yield(i)
		})
	}
}

// search looks through a node that touches b; it tells whether to go on.
func (x *Index) search(b *geom.Box, level, at int, yield func(i int) bool) bool {
	if level == 0 {
		return yield(int(x.items[at]))
	}
	from, to := x.children(level, at)
	below := x.levels[level-1][:to]
	if level == 1 {
		for c := from; c < to; c++ {
			if meet(b, &below[c]) && !yield(int(x.items[c])) {
				return false
			}
		}
		return true
	}
	for c := to - 1; c >= from; c-- {
		if meet(b, &below[c]) && !x.search(b, level-1, c, yield) {
			return false
		}
	}
	return true
}

// children are the nodes of the level below that a node holds.
func (x *Index) children(level, at int) (from, to int) {
	return at * fan, min(len(x.levels[level-1]), (at+1)*fan)
}

// meet is [geom.Box.Overlaps] for boxes that are not empty, without a branch for
// each side: which side fails cannot be foreseen.
func meet(a, b *geom.Box) bool {
	return (b.Max.X-a.Min.X)|(a.Max.X-b.Min.X)|(b.Max.Y-a.Min.Y)|(a.Max.Y-b.Min.Y) >= 0
}

// node is one node of the tree.
type node struct{ level, at int32 }
