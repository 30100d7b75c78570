// Package outline finds the shape of a board in the loose lines and arcs that
// tools draw for it: it chains them, closes small gaps and tells pieces of board
// from the cutouts inside them.
package outline

import (
	"cmp"
	"context"
	"math"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Limits of what counts as the same point.
const (
	// Touch is how far apart two ends may lie and still be one corner: what
	// rounding to a coarse grid does.
	Touch int64 = 10_000
	// MaxGap is the widest gap that is closed by a straight line.
	MaxGap int64 = 1_000_000
)

// A Gap is where two ends did not meet and were joined.
type Gap struct {
	From, To geom.Point
	Size     int64
}

// A Result is what the lines amount to.
type Result struct {
	Outline pcb.Outline
	Gaps    []Gap // wider than Touch, closed all the same
	// Crossings counts corners where more than two lines meet.
	Crossings int

	broken int // faces that could not be walked round
}

// Find makes an outline of edges, in any order and direction. Edges drawn twice
// count once, also where one is drawn whole and again in parts. When ctx ends the
// result is not worked out to the end.
func Find(ctx context.Context, edges []geom.Edge) Result {
	m := pcb.MeterOf(ctx)
	res := find(edges, m)
	whole := res.whole()
	if whole && (res.Crossings == 0 || res.spans(edges)) || len(edges) > maxSplit {
		return res
	}
	parts := split(edges, m)
	if whole { // lines that cross away from their ends led round the wrong way
		if again := find(parts, m); again.whole() && again.spans(edges) {
			return again
		}
		if again := find(divideAtCrossings(parts, m), m); again.whole() && again.spans(edges) {
			return again
		}
		return res
	}
	res = chooseResult(res, find(parts, m))
	if links := snap(parts, res.Outline.Open, m); len(links) > 0 {
		again := find(split(append(parts, links...), m), m)
		again.Gaps = append(again.Gaps, gapsOf(links)...)
		res = chooseResult(res, again)
	}
	if links := bridges(res.Gaps); len(links) > 0 && !res.whole() {
		again := find(split(append(parts, links...), m), m)
		again.Gaps = append(again.Gaps, res.Gaps...)
		res = chooseResult(res, again)
	}
	if !res.whole() {
		again := find(weld(parts, m), m)
		again.closeLong(m)
		res = chooseResult(res, again)
	}
	return res
}

// closeLong closes the gaps that are small only against all that was joined before.
func (r *Result) closeLong(m pcb.Meter) {
	closed, open, gaps := closeGaps(nil, r.Outline.Open, MaxGap, m)
	if len(gaps) == 0 {
		return
	}
	for _, a := range r.Outline.Areas {
		closed = append(append(closed, a.Outer), a.Holes...)
	}
	r.Outline.Open, r.Gaps = open, append(r.Gaps, gaps...)
	r.Outline.Areas = Nest(closed, m)
	r.Outline.Closed = len(open) == 0 && len(closed) > 0
}

// gapsOf gives the gaps that lines close.
func gapsOf(links []geom.Edge) []Gap {
	var out []Gap
	for _, l := range links {
		out = append(out, Gap{l.A, l.B, int64(math.Round(l.Len()))})
	}
	return out
}

// bridges are the lines that close gaps. With them drawn, a side that runs on beyond a
// corner is an end that leads nowhere, beside an outline that closes.
func bridges(gaps []Gap) []geom.Edge {
	var out []geom.Edge
	for _, g := range gaps {
		out = append(out, geom.Line(g.From, g.To))
	}
	return out
}

// whole tells whether everything closed.
func (r *Result) whole() bool { return len(r.Outline.Open) == 0 && r.broken == 0 }

// spans tells whether the areas reach as far as the edges do on every side.
func (r *Result) spans(edges []geom.Edge) bool {
	box := geom.EmptyBox()
	for _, e := range edges {
		box = box.Union(e.Bounds())
	}
	return r.Outline.Bounds().Grow(Touch).ContainsBox(box)
}

// chooseResult is the result that leaves much less open.
func chooseResult(res, again Result) Result {
	if again.broken < res.broken || again.broken == res.broken && length(again.Outline.Open) < length(res.Outline.Open)/2 {
		return again
	}
	return res
}

func length(paths []geom.Path) float64 {
	sum := 0.0
	for _, p := range paths {
		sum += p.Length()
	}
	return sum
}

func find(edges []geom.Edge, m pcb.Meter) Result {
	c := newChainer(edges, m)
	closed, open := c.chains()
	res := Result{Crossings: c.crossings, broken: c.broken}
	closed, open, res.Gaps = closeGaps(closed, open, MaxGap, m)
	res.Outline.Open = open
	res.Outline.Areas = Nest(closed, m)
	res.Outline.Closed = len(open) == 0 && len(closed) > 0
	return res
}

// Nest sorts closed paths into areas and the holes in them by how deep they lie
// inside each other.
func Nest(closed []geom.Path, m pcb.Meter) []geom.Polygon {
	type ring struct {
		path  geom.Path
		area  float64
		depth int
		owner int
	}
	rings := make([]ring, len(closed))
	for i, p := range closed {
		rings[i] = ring{path: p, area: math.Abs(p.Area()), owner: -1}
	}
	slices.SortStableFunc(rings, func(a, b ring) int { return cmp.Compare(b.area, a.area) })
	boxes := make([]geom.Box, len(rings))
	for i := range rings {
		boxes[i] = rings[i].path.Bounds()
	}
	areaOf := make([]int, len(rings))
	looked := m.Tally(pcb.Lookups)
	var areas []geom.Polygon
	for i := range rings {
		r := &rings[i]
		for j := i - 1; j >= 0 && looked.Add(1); j-- {
			if boxes[j].ContainsBox(boxes[i]) && looked.Add(9*len(rings[j].path.Points)) && isInside(r.path, rings[j].path) {
				r.depth, r.owner = rings[j].depth+1, j
				break
			}
		}
		if r.depth%2 == 0 {
			areaOf[i] = len(areas)
			areas = append(areas, geom.Polygon{Outer: orient(r.path, true)})
			continue
		}
		areaOf[i] = areaOf[r.owner]
		a := &areas[areaOf[i]]
		a.Holes = append(a.Holes, orient(r.path, false))
	}
	return areas
}

// isInside tells whether path p lies in q; the middle of an edge decides, corners
// of neighbours often touch.
func isInside(p, q geom.Path) bool {
	in, n := 0, 0
	for e := range p.Edges() {
		if q.Winding(e.Mid()) != 0 {
			in++
		}
		if n++; n == 9 {
			break
		}
	}
	return 2*in > n
}

func orient(p geom.Path, counterClockwise bool) geom.Path {
	p.Closed = true
	if (p.Area() > 0) != counterClockwise {
		p = p.Reverse()
		p.Closed = true
	}
	return p
}
