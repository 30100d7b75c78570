package outline

import (
	"context"
	"fmt"
	"math"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// edgeOfLayerFiles takes the shape of the board from layer files that are for something else and say
// that they show its edge as well, where the outline's file draws nothing: Allegro leaves
// lines of no width out of a layer file that states no width for them. Two of them at least have
// to draw the same closed line round all copper and holes, with no track across.
func edgeOfLayerFiles(ctx context.Context, b *pcb.Board, layerFiles []*pcb.Layer) bool {
	const enough, frame = 2, 6 // layer files; times the extent of the copper: that of a sheet
	m := pcb.MeterOf(ctx)
	points := content(b, nil)
	if len(layerFiles) < enough || len(points) == 0 {
		return false
	}
	var best geom.Path
	shapes, least := make([][]geom.Path, len(layerFiles)), frame*extent(points)
	for i, l := range layerFiles {
		shapes[i] = loops(strokes(l), points, m)
	}
	from := (*pcb.Layer)(nil)
	for i, l := range layerFiles {
		for _, p := range shapes[i] {
			if !m.Spend(pcb.Lookups, len(p.Points)) {
				return false
			}
			a := math.Abs(p.Area())
			if a < least && holdsAll(p, points, m) && countLayerFiles(shapes, p, m) >= enough && !isCrossed(b, p, m) {
				best, least, from = p, a, l
			}
		}
	}
	if from == nil || m.HasEnded() {
		return false
	}
	box := best.Bounds()
	takeElsewhere(ctx, b, best, from, make([][]geom.Path, len(b.Layers)), points,
		fmt.Sprintf("the file of the outline draws nothing; the board's shape of %.2f mm by %.2f mm was taken from the closed line round all copper that %d layer files draw which say that they show the board's edge: say if it is not",
			geom.Millimetres(box.Width()), geom.Millimetres(box.Height()), countLayerFiles(shapes, best, m)))
	return true
}

// holdsAll tells whether a path encloses all points, but for what lies right on it.
func holdsAll(p geom.Path, points []geom.Point, m pcb.Meter) bool {
	box := p.Bounds().Grow(Touch)
	return !slices.ContainsFunc(points, func(q geom.Point) bool {
		if !box.Contains(q) || !m.Spend(pcb.Lookups, 2*len(p.Points)) {
			return true
		}
		d, _ := p.Distance(q)
		return p.Winding(q) == 0 && d > float64(Touch)
	})
}

// countLayerFiles counts the layer files that draw a shape.
func countLayerFiles(shapes [][]geom.Path, p geom.Path, m pcb.Meter) (n int) {
	same := func(q geom.Path) bool { return m.Spend(pcb.Lookups, len(q.Points)+len(p.Points)) && areAlike(q, p) }
	for _, of := range shapes {
		if slices.ContainsFunc(of, same) {
			n++
		}
	}
	return n
}
