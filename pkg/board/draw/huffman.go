package draw

import (
	"math/bits"
	"slices"
)

// code is a Huffman code as deflate writes it, first bit lowest.
type code struct {
	bits uint16
	n    uint8
}

// maxCode is the most bits of a code.
const maxCode = 15

// huffman makes codes from counts; it keeps its memory between blocks.
type huffman struct {
	leaves []leaf   // lightest first
	weight []uint32 // of the tree's nodes, leaves first
	parent []int32
	depth  []uint8
}

// leaf is a symbol below how often it comes.
type leaf uint64

func (l leaf) symbol() int { return int(l & 0xffff) }

func (l leaf) count() uint32 { return uint32(l >> 16) }

// build fills codes for the symbols that have a count.
func (h *huffman) build(counts []uint32, codes []code) {
	clear(codes)
	h.leaves = h.leaves[:0]
	for s, c := range counts {
		if c > 0 {
			h.leaves = append(h.leaves, leaf(c)<<16|leaf(s))
		}
	}
	for s := 0; len(h.leaves) < 2; s++ { // a tree has two leaves at least
		if counts[s] == 0 {
			h.leaves = append(h.leaves, leaf(s))
		}
	}
	slices.Sort(h.leaves)
	h.tree()
	var used [maxCode + 1]int // codes of each length
	for _, d := range h.depth[:len(h.leaves)] {
		used[min(d, maxCode)]++
	}
	shorten(&used)
	h.assign(&used, codes)
}

// tree joins the two lightest nodes until one is left: leaves in order and joined
// nodes in order are two queues. It leaves the leaves' depths.
func (h *huffman) tree() {
	n := len(h.leaves)
	h.weight, h.parent = slices.Grow(h.weight[:0], 2*n)[:2*n-1], slices.Grow(h.parent[:0], 2*n)[:2*n-1]
	h.depth = slices.Grow(h.depth[:0], 2*n)[:2*n-1]
	for i, l := range h.leaves {
		h.weight[i] = l.count()
	}
	nextLeaf, nextNode := 0, n
	for made := n; made < 2*n-1; made++ {
		sum := uint32(0)
		for range 2 {
			least := nextNode
			if nextLeaf < n && (nextNode == made || h.weight[nextLeaf] <= h.weight[nextNode]) {
				least = nextLeaf
				nextLeaf++
			} else {
				nextNode++
			}
			sum += h.weight[least]
			h.parent[least] = int32(made)
		}
		h.weight[made] = sum
	}
	h.depth[2*n-2] = 0
	for i := 2*n - 3; i >= 0; i-- {
		h.depth[i] = h.depth[h.parent[i]] + 1
	}
}

// shorten makes numbers of codes fit in a tree that is not deeper than allowed:
// while there are too many, a leaf moves down beside one of the deepest.
func shorten(used *[maxCode + 1]int) {
	sum := 0
	for l, n := range used {
		sum += n << (maxCode - l)
	}
	for ; sum > 1<<maxCode; sum-- {
		l := maxCode - 1
		for used[l] == 0 {
			l--
		}
		used[l]--
		used[l+1] += 2
		used[maxCode]--
	}
}

// assign gives the lightest leaves the longest codes, then numbers the codes of
// each length by rising symbol.
func (h *huffman) assign(used *[maxCode + 1]int, codes []code) {
	i := 0
	for l := maxCode; l > 0; l-- {
		for range used[l] {
			codes[h.leaves[i].symbol()].n = uint8(l)
			i++
		}
	}
	var next [maxCode + 2]uint16
	for l := 1; l <= maxCode; l++ {
		next[l+1] = (next[l] + uint16(used[l])) << 1
	}
	for s := range codes {
		if l := codes[s].n; l > 0 {
			codes[s].bits = bits.Reverse16(next[l]) >> (16 - l)
			next[l]++
		}
	}
}
