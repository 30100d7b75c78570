package shape

import (
	"slices"

	"boardorder/pkg/board/geom"
)

// Index finds boxes by place: a packed R-tree over things in the order of a
// Hilbert curve, built once and never changed. Searching allocates nothing and may
// be done by several goroutines.
type Index struct {
	items  []int32      // what the leaves stand for
	levels [][]geom.Box // leaves first; node i of a level covers fan nodes from i*fan below
}

const (
	fan       = 8  // children of a node
	itemBits  = 30 // of a key; the other bits hold the place
	curveBits = 17 // of each coordinate
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
	slices.Sort(keys)
	x := &Index{items: make([]int32, len(keys))}
	leaves := make([]geom.Box, len(keys))
	for i, k := range keys {
		x.items[i] = int32(k & (1<<itemBits - 1))
		leaves[i] = boxes[x.items[i]]
	}
	x.levels = append(x.levels, leaves)
	for level := leaves; len(level) > 1; {
		level = above(level)
		x.levels = append(x.levels, level)
	}
	return x
}

// above gives the boxes of the nodes that hold those of the level below.
func above(below []geom.Box) []geom.Box {
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

// hilbert is where p lies along a Hilbert curve that fills the box.
func hilbert(all geom.Box, p geom.Point) uint64 {
	side := max(all.Width(), all.Height(), 1)
	x := uint64(float64(p.X-all.Min.X) / float64(side) * (1<<curveBits - 1))
	y := uint64(float64(p.Y-all.Min.Y) / float64(side) * (1<<curveBits - 1))
	var d uint64
	for s := uint64(1) << (curveBits - 1); s > 0; s /= 2 {
		var rx, ry uint64
		if x&s != 0 {
			rx = 1
		}
		if y&s != 0 {
			ry = 1
		}
		d += s * s * ((3 * rx) ^ ry)
		if ry == 0 {
			if rx == 1 {
				x, y = 1<<curveBits-1-x, 1<<curveBits-1-y
			}
			x, y = y, x
		}
	}
	return d
}

// Len is how many boxes can be found.
func (x *Index) Len() int { return len(x.items) }

// Items are the indexes of all boxes, neighbours next to each other: an order to
// work through them that stays in one place of the board and of memory.
func (x *Index) Items() []int32 { return x.items }

// Search calls yield with the index of each box that touches b, in no
// particular order, until it returns false.
func (x *Index) Search(b geom.Box, yield func(i int) bool) {
	if len(x.items) == 0 {
		return
	}
	var stack [128]node
	top := 1
	stack[0] = node{int32(len(x.levels) - 1), 0}
	if !x.levels[len(x.levels)-1][0].Overlaps(b) {
		return
	}
	for top > 0 {
		top--
		n := stack[top]
		if n.level == 0 {
			if !yield(int(x.items[n.at])) {
				return
			}
			continue
		}
		below := x.levels[n.level-1]
		for c := int(n.at) * fan; c < min(len(below), (int(n.at)+1)*fan); c++ {
			if !below[c].Overlaps(b) {
				continue
			}
			if n.level == 1 {
				if !yield(int(x.items[c])) {
					return
				}
				continue
			}
			stack[top] = node{n.level - 1, int32(c)}
			top++
		}
	}
}

// node is one node of the tree.
type node struct{ level, at int32 }

// Pairs calls yield once with each pair of boxes at most reach apart in X and in
// Y, i less than j.
func (x *Index) Pairs(reach int64, yield func(i, j int)) { x.PairsPart(reach, 0, 1, yield) }

// PairsPart is [Index.Pairs] for one of parts that together are all pairs, so that
// several goroutines can share the work.
func (x *Index) PairsPart(reach int64, part, parts int, yield func(i, j int)) {
	n := len(x.items)
	for k := n * part / parts; k < n*(part+1)/parts; k++ {
		j := int(x.items[k])
		x.Search(x.levels[0][k].Grow(reach), func(i int) bool {
			if i < j {
				yield(i, j)
			}
			return true
		})
	}
}
