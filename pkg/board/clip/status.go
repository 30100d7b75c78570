package clip

import (
	"slices"
	"sort"

	"boardorder/pkg/board/geom"
)

const blockSize = 256

// status are the edges under the sweep line, from below to above, in blocks so
// that changing it stays cheap however many there are.
type status struct {
	edges  []edge
	blocks [][]int32
}

// place is where in the status something is.
type place struct{ block, item int }

// find gives the place of the lowest edge that p does not lie above of.
func (s *status) find(p geom.Point) place {
	over := func(i int32) bool { return orient(s.edges[i].l, s.edges[i].r, p) <= 0 }
	b := sort.Search(len(s.blocks), func(k int) bool { return over(s.blocks[k][len(s.blocks[k])-1]) })
	if b == len(s.blocks) {
		return place{b, 0}
	}
	block := s.blocks[b]
	return place{b, sort.Search(len(block), func(k int) bool { return over(block[k]) })}
}

// edgeBelow is the edge below a place; -1 for none.
func (s *status) edgeBelow(p place) int32 {
	if p.item > 0 {
		return s.blocks[p.block][p.item-1]
	}
	if p.block > 0 {
		b := s.blocks[p.block-1]
		return b[len(b)-1]
	}
	return -1
}

// removeAt takes out the edges from a place on that end at p, and gives the place
// where edges that start at p belong.
func (s *status) removeAt(at place, p geom.Point) place {
	for at.block < len(s.blocks) {
		b := s.blocks[at.block]
		k := at.item
		for k < len(b) && s.edges[b[k]].r == p {
			k++
		}
		done := k < len(b)
		b = slices.Delete(b, at.item, k)
		s.blocks[at.block] = b
		if len(b) == 0 {
			s.blocks = slices.Delete(s.blocks, at.block, at.block+1)
			at.item = 0
		} else if at.item == len(b) && !done {
			at = place{at.block + 1, 0}
		}
		if done {
			return at
		}
	}
	return at
}

// insert puts edges, given from below to above, at a place.
func (s *status) insert(at place, ids []int32) {
	if len(ids) == 0 {
		return
	}
	if at.block == len(s.blocks) {
		if at.block == 0 {
			s.blocks = append(s.blocks, nil)
		} else {
			at.block--
		}
		at.item = len(s.blocks[at.block])
	}
	b := slices.Insert(s.blocks[at.block], at.item, ids...)
	s.blocks[at.block] = b
	if len(b) > 2*blockSize {
		half := len(b) / 2
		s.blocks[at.block] = b[:half:half]
		s.blocks = slices.Insert(s.blocks, at.block+1, append(make([]int32, 0, 2*blockSize+8), b[half:]...))
	}
}
