package dfm

import (
	"context"
	"fmt"
	"math"
	"slices"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
)

// spacings judges the gaps between copper of different nets on each layer, by the
// fabricator's limits and by the clearances that the design states for itself. Gaps
// within one net, or between pieces that a plated hole joins, are no clearance.
// Copper that nothing is connected to (lettering, marks) is judged mildly: when it
// touches a neighbour nothing is shorted.
func spacings(ctx context.Context, in *input) result {
	c, err := in.copper()
	if err != nil {
		return unknown(TrackClearance, err)
	}
	book := in.clearances()
	each := sharingItems(ctx, c, func(k, part, parts int) *spacer {
		s := newSpacer(in, c, k, book)
		s.measure(part, parts)
		return s
	})
	each = slices.DeleteFunc(each, func(s *spacer) bool { return s == nil }) // cut off by ctx
	r := tooClose(each, book)
	r.add(joinSpacers(in, each))
	r.add(in.unjudged())
	return r
}

// A spacer measures the gaps of one layer, or of a part of it.
type spacer struct {
	in    *input
	layer int
	l     *copper.Layer
	live  []bool
	kinds [3]gap
	book  *clearanceBook
	broke gapList // what is closer than the book says
}

// A gap is one kind of pairs: those with a pad, those without, and those with
// copper that is not connected to anything.
type gap struct {
	limit int64   // what would be a finding
	reach float64 // how far to look: beyond limit only while nothing smaller was found
	worst closest
}

// Kinds of pairs.
const (
	padGap = iota
	trackGap
	deadGap
)

func newSpacer(in *input, c *copper.Copper, layer int, book *clearanceBook) *spacer {
	l := c.Layers[layer]
	s := &spacer{in: in, layer: layer, l: l, live: in.live(), book: book}
	for k, n := range [3]Name{PadClearance, TrackClearance, TrackClearance} {
		limit := in.limit(n, !l.Outer)
		g := gap{limit: max(limit.Min, limit.Recommended) - tolerance, worst: closest{}}
		g.reach = float64(max(in.reach(n, !l.Outer), g.limit))
		if k == deadGap {
			g.reach = float64(g.limit)
		}
		if !in.judged()[layer] {
			g.reach = -1
		}
		s.kinds[k] = g
	}
	return s
}

func (s *spacer) measure(part, parts int) {
	widest := float64(s.book.most)
	for k := range s.kinds {
		widest = max(widest, s.kinds[k].reach)
	}
	if widest > 0 {
		s.l.Index.PairsPart(int64(math.Ceil(widest)), part, parts, s.pair)
	}
}

// kind tells what a pair is, and whether the fabricator's limits are for it.
func (s *spacer) kind(i, j int) (int, bool) {
	la, lb := s.live[s.l.Items[i].Island], s.live[s.l.Items[j].Island]
	switch {
	case !la && !lb:
		return 0, false
	case !la || !lb:
		return deadGap, true
	case isPadItem(s.l, i) || isPadItem(s.l, j):
		return padGap, true
	}
	return trackGap, true
}

func (s *spacer) pair(i, j int) {
	a, b := &s.l.Items[i], &s.l.Items[j]
	x, y := s.in.netOf(a), s.in.netOf(b)
	if a.Node == b.Node || x > 0 && x == y {
		return
	}
	need, enough := s.book.need(a, b, x, y)
	reach, g := float64(enough), (*gap)(nil)
	if k, ok := s.kind(i, j); ok {
		g = &s.kinds[k]
		reach = max(reach, g.reach)
	}
	if reach <= 0 {
		return
	}
	// Different islands do not touch, so neither lies inside the other.
	d, p, q, ok := a.Shape.Beside(&b.Shape, reach)
	if !ok {
		return
	}
	if int64(d) < enough {
		s.broke.take(s.in.between(s.l, i, j, p, q, d), need)
	}
	if g != nil && d <= g.reach {
		g.worst.add(spot{pair: [2]int32{min(a.Node, b.Node), max(a.Node, b.Node)}, cell: cellOf(p)}, nearby{i, j, p, q, d})
		// What is wider than the smallest gap so far says nothing unless it breaks a limit.
		g.reach = max(float64(g.limit), min(g.reach, d))
	}
}

// A closest keeps one gap, the smallest, for two nodes in one spot of the board: a
// track that runs beside another in ten pieces is one fault, not ten.
type closest map[spot]nearby

type spot struct {
	pair [2]int32
	cell geom.Point
}

type nearby struct {
	i, j int
	p, q geom.Point
	d    float64
}

// cellOf is the square of a millimetre and a half that a point lies in.
func cellOf(p geom.Point) geom.Point {
	const side = 1500 * geom.Micrometre
	return geom.Pt(floorDiv(p.X, side), floorDiv(p.Y, side))
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func (c closest) add(at spot, n nearby) {
	if old, ok := c[at]; !ok || n.d < old.d || n.d == old.d && (n.i < old.i || n.i == old.i && n.j < old.j) {
		c[at] = n
	}
}

// joinSpacers says what all layers have in common once.
func joinSpacers(in *input, each []*spacer) result {
	var r result
	for _, inner := range [2]bool{false, true} {
		gauges := [3]*gauge{
			in.gauge(PadClearance, inner), in.gauge(TrackClearance, inner), in.gauge(TrackClearance, inner).levels(Warning, Note),
		}
		if in.unjoined() {
			gauges[padGap].levels(Warning, Note)
			gauges[trackGap].levels(Warning, Note)
		}
		for _, s := range joinParts(each) {
			if s.l.Outer == inner {
				continue
			}
			for k := range gauges {
				for _, n := range s.kinds[k].worst {
					gauges[k].add(in.between(s.l, n.i, n.j, n.p, n.q, n.d))
				}
			}
		}
		r.add(gauges[padGap].result(spacingWords("to a pad of another net", inner)))
		r.add(gauges[trackGap].result(spacingWords("between copper of different nets", inner)))
		dead := gauges[deadGap].result(spacingWords("next to copper that is not connected, such as lettering", inner))
		dead.measures = nil
		r.add(dead)
	}
	return r
}

// joinParts gives one spacer for each layer, with the gaps of all its parts.
func joinParts(each []*spacer) []*spacer {
	var out []*spacer
	for _, s := range each {
		if n := len(out); n == 0 || out[n-1].layer != s.layer {
			out = append(out, s)
			continue
		}
		whole := out[len(out)-1]
		for k := range s.kinds {
			for at, n := range s.kinds[k].worst {
				whole.kinds[k].worst.add(at, n)
			}
		}
	}
	return out
}

// unjoined tells whether nothing says what copper of different places is one net:
// there are several layers, but neither holes nor names of nets.
func (in *input) unjoined() bool {
	return len(in.board.Holes) == 0 && len(in.board.Nets) <= 1 && len(in.board.Copper()) > 1
}

func spacingWords(where string, inner bool) func(judged) string {
	layers := "outer"
	if inner {
		layers = "inner"
	}
	return func(j judged) string {
		s := fmt.Sprintf("%s %s on %s layers %s narrower than %s: the narrowest is %s.",
			plural(j.count, "gap"), where, layers, be(j.count), mm(j.limit), mm(j.value))
		if j.hard {
			return s + " The fabricator cannot etch them reliably."
		}
		return s + " It can be made, but costs yield."
	}
}
