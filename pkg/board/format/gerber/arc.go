package gerber

import (
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// quadrant is how arc centres are given.
type quadrant uint8

const (
	unstated quadrant = iota
	single            // G74: unsigned offsets, at most a quarter turn
	multi             // G75: signed offsets
)

// arc makes the arc from a to b with the command's centre offsets.
func (r *reader) arc(a, b geom.Point, c *command) geom.Edge {
	cw := r.interp == geom.Clockwise
	off := geom.Pt(c.i, c.j)
	if r.legacy.active {
		off = r.legacy.vector(off)
		cw = cw != r.legacy.flips()
	}
	if off == (geom.Point{}) {
		if a != b {
			r.find(pcb.Warning, "arc_without_centre", "", r.line, "an arc gives no centre; drawn as a line")
		}
		return geom.Line(a, b)
	}
	e := r.arcIn(a, b, off, cw)
	r.checkArc(e)
	return e
}

func (r *reader) arcIn(a, b, off geom.Point, cw bool) geom.Edge {
	whole := geom.ArcEdge(a, b, a.Add(off), cw)
	switch r.quadrant {
	case multi:
		return whole
	case unstated:
		r.find(pcb.Note, "quadrant_assumed", "", r.line,
			"arcs are drawn without saying whether over one quadrant (G74) or several (G75); taken as what fits")
		if a == b || off.X < 0 || off.Y < 0 || deviation(whole) < 0.01 {
			return whole
		}
	}
	if a == b {
		return geom.Line(a, b) // no length, in single quadrant mode
	}
	if (off.X < 0 || off.Y < 0) && deviation(whole) < 0.01 {
		r.find(pcb.Note, "signed_offset", "", r.line,
			"arcs in single-quadrant mode have signed centre offsets; taken as in multi-quadrant mode")
		return whole
	}
	return quarter(a, b, off, cw)
}

// quarter finds which of the four possible centres gives the arc of at most a
// quarter turn whose ends fit best.
func quarter(a, b, off geom.Point, cw bool) geom.Edge {
	x, y := max(off.X, -off.X), max(off.Y, -off.Y)
	best, found, bestOff := geom.Edge{}, false, math.Inf(1)
	for _, s := range [4]geom.Point{{X: 1, Y: 1}, {X: -1, Y: 1}, {X: 1, Y: -1}, {X: -1, Y: -1}} {
		e := geom.ArcEdge(a, b, a.Add(geom.Pt(s.X*x, s.Y*y)), cw)
		over := math.Abs(e.Sweep()) - math.Pi/2
		d := deviation(e)
		if over > 0.02 {
			d += 10 + over // only if nothing else fits
		}
		if d < bestOff {
			best, bestOff, found = e, d, true
		}
	}
	if !found {
		return geom.Line(a, b)
	}
	return best
}

// deviation is how far the ends' distances to the centre differ, as a part of
// the radius.
func deviation(e geom.Edge) float64 {
	ra, rb := e.A.Dist(e.Centre), e.B.Dist(e.Centre)
	if ra == 0 && rb == 0 {
		return 0
	}
	return math.Abs(ra-rb) / max(ra, rb)
}

// checkArc reports arcs whose end does not lie on their circle: by more than
// one in a hundred and ten micrometres.
func (r *reader) checkArc(e geom.Edge) {
	if e.Turn == geom.Straight {
		return
	}
	d := math.Abs(e.A.Dist(e.Centre) - e.B.Dist(e.Centre))
	if d < float64(10*geom.Micrometre) || deviation(e) < 0.01 {
		return
	}
	f := r.find(pcb.Note, "arc_mismatch", "", r.line,
		"an arc's end does not lie on the circle of its start (first by %.3f mm)", d/1e6)
	if f.At == nil {
		at := e.B
		f.At, f.Size = &at, int64(d)
	}
}
