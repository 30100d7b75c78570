package outline

import (
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// open judges the chains that did not close. With the board found, those away
// from it are drawings; without, the outline is broken.
func (s *selection) open() {
	o := &s.board.Outline
	if len(o.Open) == 0 {
		o.Closed = len(o.Areas) > 0
		return
	}
	if len(o.Areas) > 0 && s.coversContent() {
		s.reportBeyond()
		s.reportAcross()
		inside := 0
		box := o.Bounds().Grow(-geom.Micrometre)
		for _, p := range o.Open {
			if box.Overlaps(p.Bounds()) {
				inside++
			}
		}
		if inside > 0 {
			s.find(pcb.Note, "outline_stray_lines", o.Open[0].Points[0], 0,
				"%d lines on the outline layer do not belong to a closed shape; taken as drawing", inside)
		}
		o.Closed = true
		return
	}
	o.Closed = false
	if s.bridge() {
		return
	}
	longest := o.Open[0]
	for _, p := range o.Open {
		if p.Length() > longest.Length() {
			longest = p
		}
	}
	from, to := s.widest(longest)
	where := "where it began"
	if to != startOf(longest) && to != endOf(longest) {
		where = "the nearest other end"
	}
	s.find(pcb.Problem, "outline_open", from, int64(from.Dist(to)),
		"the outline does not close: it ends at %s, %.3f mm from %s (%s)",
		place(from), from.Dist(to)/1e6, where, place(to))
}

// widest is the wider gap of the two at the ends of an open chain: from its end to the
// nearest loose end that is left, of its own or of another chain.
func (s *selection) widest(p geom.Path) (from, to geom.Point) {
	from, to = endOf(p), startOf(p)
	open := s.board.Outline.Open
	if !s.meter.Spend(pcb.Lookups, 4*len(open)) {
		return from, to
	}
	width := -1.0
	for _, end := range [2]geom.Point{endOf(p), startOf(p)} {
		nearest, d := end, math.Inf(1)
		for _, q := range open {
			for _, other := range [2]geom.Point{startOf(q), endOf(q)} {
				if other != end && end.Dist(other) < d {
					nearest, d = other, end.Dist(other)
				}
			}
		}
		if !math.IsInf(d, 1) && d > width {
			from, to, width = end, nearest, d
		}
	}
	return from, to
}

// reportBeyond tells of open chains that lead from the board's edge out and back to it: a
// rail or another piece of the board that does not close, and so was lost.
func (s *selection) reportBeyond() {
	const (
		out  = geom.Millimetre / 2 // further than a slip of the pen
		long = 5 * geom.Millimetre
		most = 500 // more chains are a drawing
	)
	o := &s.board.Outline
	if len(o.Open) > most {
		return
	}
	box := geom.EmptyBox()
	for _, a := range o.Areas {
		box = box.Union(a.Bounds())
	}
	box = box.Grow(out)
	for _, p := range o.Open {
		if box.ContainsBox(p.Bounds()) || p.Length() < float64(long) || !s.isAtEdge(startOf(p)) || !s.isAtEdge(endOf(p)) {
			continue
		}
		s.find(pcb.Warning, "outline_beyond", startOf(p), 0,
			"the outline layer draws a line from the board's edge at %s out to %s and back to the edge, which closes no shape; it is left out of the board and its size: close it if it is a part of the board, such as a rail",
			place(startOf(p)), place(outer(p, box)))
		last := &s.board.Findings[len(s.board.Findings)-1]
		to := outer(p, box)
		last.To = &to
	}
}

// isAtEdge tells whether a point lies no further from the board's edge than gaps that
// are closed.
func (s *selection) isAtEdge(p geom.Point) bool {
	for _, a := range s.board.Outline.Areas {
		if a.Bounds().Grow(MaxGap).Contains(p) && s.meter.Spend(pcb.Lookups, cornersOf(a)) {
			if d, _ := a.EdgeDistance(p); d <= float64(MaxGap) {
				return true
			}
		}
	}
	return false
}

// outer is a corner of a path that lies outside of a box, or its first.
func outer(p geom.Path, box geom.Box) geom.Point {
	for _, q := range p.Points {
		if !box.Contains(q) {
			return q
		}
	}
	return startOf(p)
}

// bridge closes wide gaps so that there is a shape to show, when that gives one
// round the board. The outline stays open: somebody has to look at it.
func (s *selection) bridge() bool {
	const wide = 10 * geom.Millimetre
	o := &s.board.Outline
	closed, rest, gaps := closeGaps(nil, o.Open, wide, s.meter)
	if len(closed) == 0 {
		return false
	}
	before := o.Areas
	for _, a := range before {
		closed = append(append(closed, a.Outer), a.Holes...)
	}
	o.Areas = Nest(closed, s.meter)
	if !s.coversContent() {
		o.Areas = before
		return false
	}
	o.Open = rest
	s.dropDrawings()
	for _, g := range gaps {
		if at := g.From.Mid(g.To); s.isOnBoard(g) {
			s.find(pcb.Problem, "outline_open", at, g.Size, "the outline does not close: it has a gap of %.3f mm at %s",
				geom.Millimetres(g.Size), place(at))
			last := &s.board.Findings[len(s.board.Findings)-1]
			last.At, last.To = &g.From, &g.To
		}
	}
	return true
}

// coversContent tells whether the closed areas hold nearly all of the board's content.
func (s *selection) coversContent() bool {
	if len(s.content) == 0 {
		open := geom.EmptyBox()
		for _, p := range s.board.Outline.Open {
			open = open.Union(p.Bounds())
		}
		return s.board.Outline.Bounds().Grow(geom.Millimetre).ContainsBox(open)
	}
	in := 0
	boxes := make([]geom.Box, len(s.board.Outline.Areas))
	for i, a := range s.board.Outline.Areas {
		boxes[i] = a.Bounds()
	}
	for _, p := range s.content {
		for i, a := range s.board.Outline.Areas {
			if boxes[i].Contains(p) && s.meter.Spend(pcb.Lookups, len(a.Outer.Points)) && a.Outer.Winding(p) != 0 {
				in++
				break
			}
		}
	}
	return in*100 >= len(s.content)*80
}
