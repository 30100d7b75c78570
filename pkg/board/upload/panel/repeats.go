package panel

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/outline"
	"boardorder/pkg/board/upload/places"
)

const (
	fewestHoles = 6    // of one board, plated: fewer may be alike by chance
	maxCopies   = 40   // in a row
	allHoles    = 0.97 // of the holes that copies have, at least: rails have some of their own
	parted      = 0.5  // of the line between two copies, at least, that is cut
	maxSteps    = 24   // that are tried
	nearby      = 9    // places where a hole is looked for
)

// StateRepeats takes a board for a panel where its plated holes lie there several times, level or
// upright, and most of the line between is cut: keyboards and matrices of lamps repeat their holes
// as well, on one piece of board. Pieces that nothing joins are not told here.
func StateRepeats(m pcb.Meter, b *pcb.Board) {
	if outline.Boards(b.Outline) != 1 || b.Facts.Panel.IsStated() && b.Facts.BoardsInPanel.IsStated() {
		return
	}
	var holes []pcb.Hole
	for i := range b.Holes {
		if h := &b.Holes[i]; h.Plating != pcb.NonPlated && h.Kind == pcb.DrillHole && h.Diameter > 0 {
			holes = append(holes, *h)
		}
	}
	r := repeats{meter: m, outline: b.Outline, holes: holes, drilled: places.Holes{}}
	for _, h := range holes {
		r.drilled.Add(places.Hole{X: h.A.X, Y: h.A.Y, Diameter: h.Diameter}, 0, 0)
	}
	if n := r.count(false) * r.count(true); n > 1 {
		how := fmt.Sprintf("its holes lie there %d times, and the board is cut between", n)
		b.Facts.Panel.Offer(pcb.State(true, b.Outline.Source, 0.75, how))
		b.Facts.BoardsInPanel.Offer(pcb.State(n, b.Outline.Source, 0.6, how))
	}
}

// repeats looks for what lies on a board several times.
type repeats struct {
	meter   pcb.Meter
	outline pcb.Outline
	holes   []pcb.Hole
	drilled places.Holes
}

// count gives how often the holes lie beside each other, or above each other; 1 for no copies.
func (r *repeats) count(upright bool) int {
	for _, step := range r.steps(upright) {
		if !r.meter.SpendTimes(pcb.Lookups, len(r.holes), nearby) {
			return 1
		}
		first, again := geom.EmptyBox(), 0
		for _, h := range r.holes {
			if r.holds(h, h.A.Add(step)) {
				again++
			}
			if !r.holds(h, h.A.Sub(step)) {
				first = first.Add(h.A)
			}
		}
		rest := len(r.holes) - again // the last copy, and what is there once
		if rest < fewestHoles {
			continue
		}
		n := int(math.Round(float64(len(r.holes)) / float64(rest)))
		if n < 2 || n > maxCopies || float64(again) < allHoles*float64(len(r.holes))*float64(n-1)/float64(n) {
			continue
		}
		if r.isCutBetween(first, step, n, upright) {
			return n
		}
	}
	return 1
}

func (r *repeats) holds(h pcb.Hole, at geom.Point) bool {
	return r.drilled.Has(places.Hole{X: at.X, Y: at.Y, Diameter: h.Diameter}, 0, 0)
}

// steps gives the ways from a hole of the rarest size to others of that size beside it, shortest
// first.
func (r *repeats) steps(upright bool) []geom.Point {
	of := map[int64][]geom.Point{}
	for _, h := range r.holes {
		of[h.Diameter] = append(of[h.Diameter], h.A)
	}
	var rare []geom.Point
	for _, h := range r.holes { // in the order of holes
		if at := of[h.Diameter]; len(at) > 1 && (rare == nil || len(at) < len(rare)) {
			rare = at
		}
	}
	const line = 20 * geom.Micrometre
	var out []geom.Point
	if len(rare) == 0 || !r.meter.Spend(pcb.Lookups, len(rare)) {
		return nil
	}
	shorter := func(a, b geom.Point) int { return cmp.Compare(a.X+a.Y, b.X+b.Y) }
	from := slices.MinFunc(rare, shorter)
	for _, at := range rare {
		if d := at.Sub(from); upright && max(d.X, -d.X) <= line && d.Y > line {
			out = append(out, geom.Pt(0, d.Y))
		} else if !upright && max(d.Y, -d.Y) <= line && d.X > line {
			out = append(out, geom.Pt(d.X, 0))
		}
	}
	slices.SortFunc(out, shorter)
	return out[:min(len(out), maxSteps)]
}

// isCutBetween reports whether the board is cut between each two of n copies, of which the first has
// its holes in a box: along most of the middle of what lies between.
func (r *repeats) isCutBetween(first geom.Box, step geom.Point, n int, upright bool) bool {
	const samples, parts = 20, 8
	whole := r.outline.Bounds()
	gap := step.X - first.Width()
	if upright {
		gap = step.Y - first.Height()
	}
	if gap <= 0 {
		return false // copies within each other: a pattern
	}
	corners := 0
	for _, a := range r.outline.Areas {
		corners += len(a.Outer.Points) + len(a.Holes)
	}
	for k := range n - 1 {
		best := 0
		for part := int64(1); part < parts && best < samples/2; part++ { // the cut lies somewhere between
			if !r.meter.SpendTimes(pcb.Lookups, samples, corners) {
				return false
			}
			out := 0
			for i := range int64(samples) {
				at := geom.Pt(first.Max.X+int64(k)*step.X+gap*part/parts, whole.Min.Y+whole.Height()*(2*i+1)/(2*samples))
				if upright {
					at = geom.Pt(whole.Min.X+whole.Width()*(2*i+1)/(2*samples), first.Max.Y+int64(k)*step.Y+gap*part/parts)
				}
				if !slices.ContainsFunc(r.outline.Areas, func(a geom.Polygon) bool { return a.Contains(at) }) {
					out++
				}
			}
			best = max(best, out)
		}
		if float64(best) < parted*samples {
			return false
		}
	}
	return true
}
