package clip

import (
	"cmp"
	"math"
	"slices"

	"boardorder/pkg/board/geom"
)

const fan = 16

// tree finds boxes that overlap a box: packed, never changed.
type tree struct {
	items  []int32      // in packed order
	levels [][]geom.Box // boxes of the items, then of groups of fan, up to one
}

func newTree(items []int32, box func(int32) geom.Box) *tree {
	t := &tree{items: items}
	pack(items, box)
	level := make([]geom.Box, len(items))
	for i, it := range items {
		level[i] = box(it)
	}
	t.levels = append(t.levels, level)
	for len(level) > fan {
		up := make([]geom.Box, 0, len(level)/fan+1)
		for i := 0; i < len(level); i += fan {
			b := level[i]
			for _, c := range level[i+1 : min(i+fan, len(level))] {
				b = b.Union(c)
			}
			up = append(up, b)
		}
		t.levels = append(t.levels, up)
		level = up
	}
	return t
}

// pack sorts items into vertical strips and those by height.
func pack(items []int32, box func(int32) geom.Box) {
	if len(items) <= fan {
		return
	}
	x := func(i int32) int64 { b := box(i); return b.Min.X + b.Max.X }
	y := func(i int32) int64 { b := box(i); return b.Min.Y + b.Max.Y }
	slices.SortFunc(items, func(a, b int32) int { return cmp.Or(cmp.Compare(x(a), x(b)), cmp.Compare(a, b)) })
	groups := (len(items) + fan - 1) / fan
	strip := fan * int(math.Ceil(math.Sqrt(float64(groups))))
	for i := 0; i < len(items); i += strip {
		part := items[i:min(i+strip, len(items))]
		slices.SortFunc(part, func(a, b int32) int { return cmp.Or(cmp.Compare(y(a), y(b)), cmp.Compare(a, b)) })
	}
}

// search calls found for each item whose box overlaps b.
func (t *tree) search(b geom.Box, found func(int32)) {
	top := len(t.levels) - 1
	t.descend(top, 0, len(t.levels[top]), b, found)
}

func (t *tree) descend(level, from, to int, b geom.Box, found func(int32)) {
	boxes := t.levels[level]
	for i := from; i < min(to, len(boxes)); i++ {
		if !boxes[i].Overlaps(b) {
			continue
		}
		if level == 0 {
			found(t.items[i])
			continue
		}
		t.descend(level-1, i*fan, (i+1)*fan, b, found)
	}
}
