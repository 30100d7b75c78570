package overlay

import (
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
)

const (
	nearest = 3 * geom.Millimetre // the least that a picture shows of the board
	apart   = 0.35                // of the board: places further apart than this show all of it
	ratio   = float64(Width) / Height
)

// frame is the part of the plane that shows the places of a finding: close to
// them where they lie together, else all of the board.
func frame(f dfm.Finding, extent geom.Box) (window geom.Box, all bool) {
	box := geom.EmptyBox()
	for _, p := range f.Places {
		box = box.Union(ends(p))
	}
	size, board := max(box.Width(), box.Height()), max(extent.Width(), extent.Height())
	if board > 0 && float64(size) > apart*float64(board) {
		whole := extent.Union(box)
		return fit(whole.Grow(max(whole.Width(), whole.Height())/20 + geom.Millimetre/2)), true
	}
	width := max(nearest, 12*findingLength(f), size*8/5)
	return fit(boxAround(box.Centre(), width)), false
}

// HasEnd reports whether a place reaches from one point to another.
func HasEnd(p dfm.Place) bool {
	return p.To != p.At && (p.Distance || p.To != geom.Point{})
}

// ends is the box of what was measured at a place.
func ends(p dfm.Place) geom.Box {
	box := geom.BoxOf(p.At)
	if HasEnd(p) {
		box = box.Add(p.To)
	}
	return box
}

// findingLength is the length that a finding is about: a picture of it is some times as
// wide.
func findingLength(f dfm.Finding) int64 {
	if p := f.Places[0]; HasEnd(p) {
		return max(ends(p).Width(), ends(p).Height())
	}
	return 0
}

func boxAround(p geom.Point, size int64) geom.Box {
	return geom.Box{Min: geom.Pt(p.X-size/2, p.Y-size/2), Max: geom.Pt(p.X+size/2, p.Y+size/2)}
}

// fit widens a box to the picture's proportions.
func fit(b geom.Box) geom.Box {
	w, h := float64(max(b.Width(), 1)), float64(max(b.Height(), 1))
	c := b.Centre()
	if w/h < ratio {
		w = h * ratio
	} else {
		h = w / ratio
	}
	return geom.Box{Min: geom.Pt(c.X-int64(w/2), c.Y-int64(h/2)), Max: geom.Pt(c.X+int64(w/2), c.Y+int64(h/2))}
}
