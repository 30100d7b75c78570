package shape

import (
	"boardorder/pkg/board/pcb"
)

// Sets joins things that belong together: a parent for each.
type Sets []int32

// NewSets are n sets of one thing each.
func NewSets(n int) Sets {
	s := make(Sets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

// Find is the thing that stands for the set of i: its first.
func (s Sets) Find(i int32) int32 {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// Join makes one set of two.
func (s Sets) Join(i, j int32) {
	i, j = s.Find(i), s.Find(j)
	s[max(i, j)] = min(i, j)
}

// JoinPairs joins things whose boxes come within reach of each other in X and in Y
// where touch says so, but for those that skip names. Nodes of the index whose things
// are all of one set already are not looked at again, so that a million things in one
// place cost little more than a million apart. It ends early when the index's meter
// does.
func (x *Index) JoinPairs(reach int64, sets Sets, skip func(i int) bool, touch func(i, j int) bool) {
	if len(x.levels) < 2 {
		return
	}
	j := joining{sets: sets, skip: skip, whole: make([][]int32, len(x.levels))}
	for level := range x.levels {
		j.whole[level] = make([]int32, len(x.levels[level]))
	}
	j.pairing = pairing{x: x, reach: reach, found: x.meter.Tally(pcb.Pairs), joined: j.areJoined}
	j.yield = func(a, b int) {
		if sets.Find(int32(a)) != sets.Find(int32(b)) && !skip(a) && !skip(b) && touch(a, b) {
			sets.Join(int32(a), int32(b))
		}
	}
	for k := range x.levels[1] {
		if !j.found.Add(1) {
			break
		}
		j.block(k)
	}
	j.found.Settle()
}

// A joining is a pairing that leaves out what is joined already.
type joining struct {
	pairing
	sets  Sets
	skip  func(i int) bool
	whole [][]int32 // of each node: one more than a thing of the only set in it; 0 not known
}

// Kinds of nodes beside those of one set.
const (
	mixed   = -1 // more than one set
	skipped = -2 // nothing but what is skipped
)

// areJoined reports whether all things in two nodes are of one set.
func (j *joining) areJoined(a, b node) bool {
	s := j.set(a)
	if s == skipped {
		return true
	}
	if s < 0 {
		return false
	}
	t := j.set(b)
	return t == s || t == skipped
}

// set is what stands for the only set in a node.
func (j *joining) set(n node) int32 {
	known := &j.whole[n.level][n.at]
	switch {
	case *known == skipped:
		return skipped
	case *known > 0:
		return j.sets.Find(*known - 1)
	}
	s := j.childSet(n)
	switch s {
	case skipped:
		*known = skipped
	case mixed:
	default:
		*known = s + 1
	}
	return s
}

// childSet is the only set of a node's children.
func (j *joining) childSet(n node) int32 {
	if n.level == 0 {
		i := j.x.items[n.at]
		if j.skip(int(i)) {
			return skipped
		}
		return j.sets.Find(i)
	}
	from, to := j.x.children(int(n.level), int(n.at))
	only := int32(skipped)
	for c := from; c < to; c++ {
		switch s := j.set(node{n.level - 1, int32(c)}); {
		case s == mixed:
			return mixed
		case s == skipped:
		case only == skipped:
			only = s
		case only != s:
			return mixed
		}
	}
	return only
}
