package upload

import (
	"fmt"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/upload/outline"
)

// surestOutline picks among outline files the best one; of those that hardly differ from it,
// the one that is surest to be the outline by what it is called.
func (a *assembly) surestOutline(ws []*artwork) *artwork {
	best := a.bestOutline(ws)
	for _, w := range ws {
		if a.result(w.index).Confidence <= a.result(best.index).Confidence {
			continue
		}
		if mine, other, ok := a.edgesOf(w, best); ok && sizesDiffer(mine, other, framesApart) == 0 {
			best = w
		}
	}
	return best
}

// edgesOf gives the extents of the edges that two files draw; false unless both go round
// the pads.
func (a *assembly) edgesOf(v, w *artwork) (first, second geom.Box, ok bool) {
	pads := geom.Bound(a.copperPads()...)
	first, one := a.closure(outline.Edges(v.Layer), pads)
	second, other := a.closure(outline.Edges(w.Layer), pads)
	return first, second, one && other
}

// sizesDiffer is by how much the larger of the differences of width and height of two boxes
// is beyond play; 0 for not.
func sizesDiffer(p, q geom.Box, play int64) int64 {
	w, h := p.Width()-q.Width(), p.Height()-q.Height()
	return max(0, max(w, -w, h, -h)-play)
}

// rivalSize tells in words of an outline that another file draws a little larger or smaller:
// either may be the board's edge. It is empty where they draw the same, or one of them no
// edge round the copper.
func (a *assembly) rivalSize(w, best *artwork) string {
	const same = 20 * geom.Micrometre // rounding, and how finely arcs are drawn
	p, q, ok := a.edgesOf(w, best)
	if !ok || sizesDiffer(p, q, same) == 0 || !p.Grow(framesBeside).ContainsBox(q) || !q.Grow(framesBeside).ContainsBox(p) {
		return ""
	}
	return fmt.Sprintf("the file draws an outline of %.2f x %.2f mm, and %q, which is used, one of %.2f x %.2f mm: say if this one is right",
		geom.ToMM(p.Width()), geom.ToMM(p.Height()), a.result(best.index).Name, geom.ToMM(q.Width()), geom.ToMM(q.Height()))
}
