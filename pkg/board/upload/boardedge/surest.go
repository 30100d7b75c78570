package boardedge

import (
	"context"
	"fmt"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/outline"
)

// Bounds on frames of which either may be the board's edge.
const (
	framesApart  = 300 * geom.Micrometre // and less is one frame, drawn twice
	framesBeside = 5 * geom.Millimetre   // on each side, and more is a sheet, a rail or a drawing
)

// PickSurest picks among outline files the best one; of those that hardly differ from it,
// the one that is surest to be the outline by what it is called.
func (s Search) PickSurest(ctx context.Context, ws []*artwork.File) *artwork.File {
	best := s.pickOutline(ctx, ws)
	for _, w := range ws {
		if w.Result.Confidence <= best.Result.Confidence {
			continue
		}
		if mine, other, ok := s.edgesOf(ctx, w, best); ok && compareBoxes(mine, other, framesApart) == 0 {
			best = w
		}
	}
	return best
}

// edgesOf gives the extents of the edges that two files draw; false unless both go round
// the pads.
func (s Search) edgesOf(ctx context.Context, v, w *artwork.File) (first, second geom.Box, ok bool) {
	pads := geom.BoxOf(SamplePads(s.Files)...)
	first, one := s.closure(ctx, outline.Edges(v.Layer), pads)
	second, other := s.closure(ctx, outline.Edges(w.Layer), pads)
	return first, second, one && other
}

// compareBoxes is by how much the larger of the differences of width and height of two boxes
// is beyond play; 0 for not.
func compareBoxes(p, q geom.Box, play int64) int64 {
	w, h := p.Width()-q.Width(), p.Height()-q.Height()
	return max(0, max(w, -w, h, -h)-play)
}

// CompareSizes tells in words of an outline that another file draws larger or smaller: either may
// be the board's edge, but for a sheet that is many times as large. It is empty where they draw
// the same, or one of them no edge round the copper.
func (s Search) CompareSizes(ctx context.Context, w, best *artwork.File) (words string, level pcb.Level) {
	const (
		same  = 20 * geom.Micrometre // rounding, and how finely arcs are drawn
		sheet = 3                    // times the area
	)
	p, q, ok := s.edgesOf(ctx, w, best)
	if !ok || compareBoxes(p, q, same) == 0 {
		return "", pcb.Note
	}
	words = fmt.Sprintf("the file draws an outline of %.2f x %.2f mm, and %q, which is used, one of %.2f x %.2f mm",
		geom.Millimetres(p.Width()), geom.Millimetres(p.Height()), best.Result.Name, geom.Millimetres(q.Width()), geom.Millimetres(q.Height()))
	area := func(b geom.Box) float64 { return float64(b.Width()) * float64(b.Height()) }
	if max(area(p), area(q)) > sheet*min(area(p), area(q)) {
		return words, pcb.Note
	}
	return words + ": say if this one is right, with file_answers.outline", pcb.Warning
}
