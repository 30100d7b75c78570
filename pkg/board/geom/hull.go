package geom

import (
	"cmp"
	"slices"
)

// Hull gives the corners of the convex hull of points, counter-clockwise. The
// input is sorted in place.
func Hull(pts []Point) []Point {
	if len(pts) < 3 {
		return pts
	}
	slices.SortFunc(pts, func(a, b Point) int {
		return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y))
	})
	out := make([]Point, 0, 2*len(pts))
	turn := func(keep int, p Point) {
		for n := len(out); n-keep >= 2 && out[n-1].Sub(out[n-2]).Cross(p.Sub(out[n-2])) <= 0; n = len(out) {
			out = out[:n-1]
		}
		out = append(out, p)
	}
	for _, p := range pts {
		turn(0, p)
	}
	keep := len(out) - 1
	for i := len(pts) - 2; i >= 0; i-- {
		turn(keep, pts[i])
	}
	return out[:len(out)-1]
}
