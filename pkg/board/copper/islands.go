package copper

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/shape"
)

// islands numbers the sets of all layers.
func (c *Copper) islands(of []shape.Sets) {
	for k, l := range c.Layers {
		count := make([]int32, len(l.Items)) // of the items of each set, by its root
		for i := range l.Items {
			root := of[k].Find(int32(i))
			count[root]++
			if int(root) == i {
				c.Islands = append(c.Islands, Island{Layer: int32(k), Box: geom.EmptyBox()})
				l.Items[i].Island = int32(len(c.Islands)) - 1
			} else {
				l.Items[i].Island = l.Items[root].Island // the root comes first
			}
		}
		items := make([]int32, len(l.Items))
		for i := range l.Items {
			if n := count[i]; n > 0 {
				c.Islands[l.Items[i].Island].Items, items = items[:0:n], items[n:]
			}
		}
		for i := range l.Items {
			d := &c.Islands[l.Items[i].Island]
			d.Items = append(d.Items, int32(i))
			d.Box = d.Box.Union(l.Items[i].Shape.Bounds())
		}
	}
}
