package places

import (
	"slices"

	"boardorder/pkg/board/geom"
)

const (
	coarse = 100 * geom.Micrometre         // cells that spots are kept in
	play   = 60 * float64(geom.Micrometre) // rounding of drill files in inches with three decimals
)

// Spots are places that can be looked up.
type Spots map[geom.Point][]geom.Point

// Cell is the cell of a coarse grid that a place lies in.
func Cell(p geom.Point) geom.Point {
	down := func(v int64) int64 {
		if v < 0 {
			return -((-v + coarse - 1) / coarse)
		}
		return v / coarse
	}
	return geom.Pt(down(p.X), down(p.Y))
}

// NewSpots keeps places, a few of each cell.
func NewSpots(at []geom.Point) Spots {
	const most = 4 // of a cell: more say nothing new
	s := Spots{}
	for _, p := range at {
		if c := Cell(p); len(s[c]) < most {
			s[c] = append(s[c], p)
		}
	}
	return s
}

// FindNear gives the place next to a point, within play.
func (s Spots) FindNear(p geom.Point) (at geom.Point, ok bool) {
	least := play
	c := Cell(p)
	for dx := int64(-1); dx <= 1; dx++ {
		for dy := int64(-1); dy <= 1; dy++ {
			for _, q := range s[geom.Pt(c.X+dx, c.Y+dy)] {
				if d := p.Dist(q); d <= least {
					at, ok, least = q, true, d
				}
			}
		}
	}
	return at, ok
}

// CountHits counts the places, moved, at which there is one of the spots.
func (s Spots) CountHits(at []geom.Point, shift geom.Point) int {
	n := 0
	for _, p := range at {
		if _, ok := s.FindNear(p.Add(shift)); ok {
			n++
		}
	}
	return n
}

// centre makes a shift fit all places that it brings near a spot alike, as one pair of
// them is rounded.
func (s Spots) centre(at []geom.Point, shift geom.Point) geom.Point {
	var xs, ys []int64
	for _, p := range at {
		if q, ok := s.FindNear(p.Add(shift)); ok {
			xs, ys = append(xs, q.X-p.X), append(ys, q.Y-p.Y)
		}
	}
	if len(xs) == 0 {
		return shift
	}
	slices.Sort(xs)
	slices.Sort(ys)
	return geom.Pt(xs[len(xs)/2], ys[len(ys)/2])
}
