package outline

import (
	"hash/maphash"
	"math/bits"

	"boardorder/pkg/board/geom"
)

// cornerCell is the side of the cells that corners are looked up by: much more than
// Touch, so that nearly always one of them is all there is to look at.
const cornerCell = 32 * Touch

// corners are places more than Touch apart, each found again by what lies within
// Touch of it.
type corners struct {
	points []geom.Point
	cells  []geom.Point // the cell that each lies in
	heads  []int32      // by hash of the cell: the last corner there, plus one
	next   []int32      // the one before it, plus one
	recent [2]int32     // found last, as lines mostly go on where another ended
}

// newCorners expects up to most corners.
func newCorners(most int) corners {
	return corners{heads: make([]int32, 1<<bits.Len(uint(most))), recent: [2]int32{-1, -1}}
}

// find is the corner within Touch of p, which it makes when there is none.
func (c *corners) find(p geom.Point) (i int32, found bool) {
	for _, i := range c.recent {
		if i >= 0 && c.points[i] == p {
			return i, true
		}
	}
	i, found = c.findNear(p)
	if !found {
		i = c.add(p)
	}
	c.recent[0], c.recent[1] = c.recent[1], i
	return i, found
}

func (c *corners) findNear(p geom.Point) (int32, bool) {
	x0, x1 := floorDiv(p.X-Touch, cornerCell), floorDiv(p.X+Touch, cornerCell)
	y0, y1 := floorDiv(p.Y-Touch, cornerCell), floorDiv(p.Y+Touch, cornerCell)
	for x := x0; x <= x1; x++ {
		for y := y0; y <= y1; y++ {
			cell := geom.Pt(x, y)
			for j := c.heads[c.hash(cell)]; j > 0; j = c.next[j-1] {
				i := j - 1
				if c.cells[i] == cell && (c.points[i] == p || c.points[i].Dist(p) <= float64(Touch)) {
					return i, true
				}
			}
		}
	}
	return 0, false
}

func (c *corners) add(p geom.Point) int32 {
	cell := geom.Pt(floorDiv(p.X, cornerCell), floorDiv(p.Y, cornerCell))
	head := &c.heads[c.hash(cell)]
	i := int32(len(c.points))
	c.points, c.cells, c.next = append(c.points, p), append(c.cells, cell), append(c.next, *head)
	*head = i + 1
	return i
}

// seed is random, so that no file can be made to fall on few hashes.
var seed = maphash.MakeSeed()

func (c *corners) hash(cell geom.Point) uint64 {
	return maphash.Comparable(seed, cell) & uint64(len(c.heads)-1)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
