package copper

import "boardorder/pkg/board/geom"

// sets joins things that belong together: a parent for each.
type sets []int32

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

func (s sets) find(i int32) int32 {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// join makes one set of two; the lower number stands for it.
func (s sets) join(i, j int32) {
	i, j = s.find(i), s.find(j)
	s[max(i, j)] = min(i, j)
}

// parts is in how many steps the layer is worked through, so that it can be given up.
func (l *Layer) parts() int { return 1 + len(l.Items)/4096 }

// islands numbers the sets of all layers.
func (c *Copper) islands(of []sets) {
	for k, l := range c.Layers {
		count := make([]int32, len(l.Items)) // of the items of each set, by its root
		for i := range l.Items {
			root := of[k].find(int32(i))
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
