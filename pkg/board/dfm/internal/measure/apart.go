package measure

import (
	"boardorder/pkg/board/geom"
)

// Distant reports whether all that two boxes hold is farther apart than reach: what
// costs next to nothing to know before shapes are measured.
func Distant(a, b geom.Box, reach float64) bool {
	dx := float64(max(a.Min.X-b.Max.X, b.Min.X-a.Max.X, 0))
	dy := float64(max(a.Min.Y-b.Max.Y, b.Min.Y-a.Max.Y, 0))
	return dx*dx+dy*dy > (reach+2)*(reach+2)
}

// Precedes orders points, so that of places that are equally bad the same one is told.
func Precedes(p, q geom.Point) bool { return p.X < q.X || p.X == q.X && p.Y < q.Y }
