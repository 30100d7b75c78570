// Package places looks up where a board's files put something down, within the rounding
// of their formats: holes, pads, edges of the outline.
package places

import (
	"boardorder/pkg/board/geom"
)

const (
	grid     = 20 * geom.Micrometre // places that differ by less are one
	sizeGrid = 60 * geom.Micrometre // sizes
)

// Round puts a place on the fine grid.
func Round(p geom.Point) geom.Point { return geom.Pt(p.X/grid, p.Y/grid) }

// A Hole is a place and size, coarse enough to survive other number formats.
type Hole struct {
	X, Y     int64
	Diameter int64
	from, to int16
}

// A Holes holds places rounded to a grid, and finds neighbours too.
type Holes map[Hole]struct{}

// Add adds a hole between two copper layers.
func (s Holes) Add(k Hole, from, to int) {
	s[k.coarsen(from, to, 0, 0)] = struct{}{}
}

// Has reports whether a hole of much the same place, size and span is in the set.
func (s Holes) Has(k Hole, from, to int) bool {
	for dx := int64(-1); dx <= 1; dx++ {
		for dy := int64(-1); dy <= 1; dy++ {
			r := k.coarsen(from, to, dx, dy)
			for _, dd := range [3]int64{0, -1, 1} {
				q := r
				q.Diameter += dd
				if _, ok := s[q]; ok {
					return true
				}
			}
		}
	}
	return false
}

// coarsen takes through-holes of whatever span as one kind.
func (k Hole) coarsen(from, to int, dx, dy int64) Hole {
	if from <= 1 {
		from, to = 0, 0
	}
	return Hole{k.X/grid + dx, k.Y/grid + dy, k.Diameter / sizeGrid, int16(from), int16(to)}
}

// HasNear reports whether something was put down at a place, or within rounding of it.
func HasNear(put map[geom.Point]bool, p geom.Point) bool {
	g := Round(p)
	for dx := int64(-1); dx <= 1; dx++ {
		for dy := int64(-1); dy <= 1; dy++ {
			if put[geom.Pt(g.X+dx, g.Y+dy)] {
				return true
			}
		}
	}
	return false
}

// IsNear tells whether two lengths differ by no more than a tolerance.
func IsNear(a, b, tolerance int64) bool { return a-b <= tolerance && b-a <= tolerance }
