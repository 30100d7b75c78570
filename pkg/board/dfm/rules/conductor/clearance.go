// Package conductor judges copper by itself and against what is around it: width,
// clearance, edges, holes of others, slivers and acute angles.
package conductor

import (
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/toolrule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// listUnjudged says which layers were left out.
func listUnjudged(in *measure.Input) rule.Result {
	var r rule.Result
	for k, l := range in.Board.Copper() {
		if !in.Judged()[k] {
			r.Unchecked = append(r.Unchecked, fmt.Sprintf("copper of %s: it looks like a plane that is given as a negative", measure.LayerWords(l)))
		}
	}
	return r
}

// Clearance judges copper to copper of other nets.
var Clearance = rule.Rule{Judges: []dfm.Name{dfm.TrackClearance, dfm.PadClearance, dfm.DesignRule}, Run: clearances}

// clearances judges the gaps between copper of different nets on each layer, by the
// fabricator's limits and by the clearances that the design states for itself. Gaps
// within one net, or between pieces that a plated hole joins, are no clearance.
// Copper that nothing is connected to (lettering, marks) is judged mildly: when it
// touches a neighbour nothing is shorted.
func clearances(ctx context.Context, in *measure.Input) rule.Result {
	c, err := in.Copper()
	if err != nil {
		return rule.Unknown(dfm.TrackClearance, err)
	}
	book := toolrule.Clearances(in)
	each := measure.CollectParts(ctx, c, func(k, part, parts int) *spacer {
		s := newSpacer(in, c, k, book)
		s.measure(part, parts)
		return s
	})
	each = slices.DeleteFunc(each, func(s *spacer) bool { return s == nil }) // cut off by ctx
	r := reportCloseGaps(each, book)
	r.Add(joinSpacers(in, each))
	r.Add(listUnjudged(in))
	return r
}

// A spacer measures the gaps of one layer, or of a part of it.
type spacer struct {
	in     *measure.Input
	layer  int
	l      *copper.Layer
	live   []bool
	filled bool // pours were filled here
	kinds  [kindsOfGaps]gap
	book   *toolrule.Book
	broke  gapList        // what is closer than the book says
	drawn  map[int32]bool // islands that are artwork or not, as far as they were asked for
	shown  map[int32]bool // and the same of pictures
}

// A gap is one kind of pairs: those with a pad, those without, those with copper that
// is not connected to anything, those that touch but for rounding, and those with a
// fill that was made here.
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
	touchGap // no farther apart than the file, or a library, rounds, and not known to be of two nets
	fillGap  // the file holds an outline of the pour only, so its edge is not the tool's
	kindsOfGaps
)

func newSpacer(in *measure.Input, c *copper.Copper, layer int, book *toolrule.Book) *spacer {
	l := c.Layers[layer]
	s := &spacer{in: in, layer: layer, l: l, live: in.Live(), drawn: map[int32]bool{}, shown: map[int32]bool{}, book: book, filled: strings.EqualFold(path.Ext(l.Layer.File), ".brd")}
	for k, n := range gapChecks {
		limit := in.Limit(n, !l.Outer)
		g := gap{limit: max(limit.Min, limit.Recommended) - dfm.Tolerance, worst: closest{}}
		g.reach = float64(max(in.Reach(n, !l.Outer), g.limit))
		if k >= deadGap {
			g.reach = float64(g.limit)
		}
		if !in.Judged()[layer] {
			g.reach = -1
		}
		s.kinds[k] = g
	}
	return s
}

// gapChecks are the checks that each kind of pairs is judged by.
var gapChecks = [kindsOfGaps]dfm.Name{padGap: dfm.PadClearance, trackGap: dfm.TrackClearance, deadGap: dfm.TrackClearance, touchGap: dfm.PadClearance, fillGap: dfm.TrackClearance}

// librarySteps is how far a land lies from where it was meant when its library was drawn
// in steps of a tenth of a mil and its file is finer: half a step, and what is rounded
// once more. So far a gap is out that a tool drew on a grid of a tenth of a mil, too: 3.5 mil,
// which fabricators publish as 0.09 mm, comes out as 0.088, and no etching is held to that.
const librarySteps = 1300 * geom.Nanometre

func (s *spacer) measure(part, parts int) {
	widest := float64(s.book.Most)
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
	case !la || !lb, s.l.Items[i].Function == pcb.FuncProfile, s.l.Items[j].Function == pcb.FuncProfile:
		return deadGap, true
	case s.filled && (s.l.Items[i].Function == pcb.FuncPour || s.l.Items[j].Function == pcb.FuncPour):
		return fillGap, true
	case measure.IsPadItem(s.l, i) || measure.IsPadItem(s.l, j):
		return padGap, true
	}
	return trackGap, true
}

func (s *spacer) pair(i, j int) {
	a, b := &s.l.Items[i], &s.l.Items[j]
	x, y := s.in.NetOf(a), s.in.NetOf(b)
	if a.Node == b.Node || x > 0 && x == y {
		return
	}
	need, enough := s.book.Need(a, b, x, y)
	reach, g := float64(enough), (*gap)(nil)
	if k, ok := s.kind(i, j); ok {
		g = &s.kinds[k]
		reach = max(reach, g.reach)
	}
	if reach <= 0 {
		return
	}
	// Different islands do not touch, so neither lies inside the other.
	d, p, q, ok := a.Shape.BorderDist(&b.Shape, reach)
	if !ok {
		return
	}
	if int64(d) < enough {
		s.broke.take(s.in.PlaceBetween(s.l, i, j, p, q, d), need)
	}
	if step := max(s.l.Layer.Step, librarySteps); g != nil && d <= float64(step) && (x == 0 || y == 0) && g != &s.kinds[deadGap] {
		g = &s.kinds[touchGap]
	}
	if (g == &s.kinds[padGap] || g == &s.kinds[trackGap]) && d <= float64(g.limit) && (s.artwork(a.Island) && s.artwork(b.Island) || s.isOfPicture(a.Island, b.Island) || s.isOfPicture(b.Island, a.Island)) {
		g = &s.kinds[deadGap]
	}
	if g != nil && d <= g.reach {
		g.worst.add(spot{pair: [2]int32{min(a.Node, b.Node), max(a.Node, b.Node)}, cell: cellOf(p)}, nearby{i, j, p, q, d})
		// What is wider than the smallest gap so far says nothing unless it breaks a limit.
		g.reach = max(float64(g.limit), min(g.reach, d))
	}
}

// artwork reports whether an island is a drawing of nothing electrical.
func (s *spacer) artwork(island int32) bool {
	is, ok := s.drawn[island]
	if !ok {
		is = s.in.Artwork(s.l, island)
		s.drawn[island] = is
	}
	return is
}

// isOfPicture reports whether an island is what the picture of another has left over.
func (s *spacer) isOfPicture(remnant, picture int32) bool {
	is, ok := s.shown[picture]
	if !ok {
		is = s.in.Picture(s.l, picture)
		s.shown[picture] = is
	}
	return is && s.in.Remnant(s.l, remnant, picture)
}

// joinSpacers says what all layers have in common once.
func joinSpacers(in *measure.Input, each []*spacer) rule.Result {
	var r rule.Result
	for _, inner := range [2]bool{false, true} {
		var gauges [kindsOfGaps]*rule.LimitCheck
		for k, n := range gapChecks {
			gauges[k] = rule.MinimumCheck(in, n, inner)
			if k >= deadGap || lacksConnectivity(in) {
				gauges[k].Levels(dfm.Warning, dfm.Note)
			}
		}
		for _, s := range joinParts(each) {
			if s.l.Outer == inner {
				continue
			}
			for k := range gauges {
				for _, n := range s.kinds[k].worst {
					p := in.PlaceBetween(s.l, n.i, n.j, n.p, n.q, n.d)
					p.Rounding = max(s.l.Layer.Step, librarySteps) // half a step on either side
					gauges[k].Add(p)
				}
			}
		}
		r.Add(gauges[padGap].Result(spacingWords("to a pad of another net", inner)))
		r.Add(gauges[trackGap].Result(spacingWords("between copper of different nets", inner)))
		for k, where := range mildGaps {
			mild := gauges[k].Result(spacingWords(where, inner))
			mild.Measures = nil
			r.Add(mild)
		}
	}
	return r
}

// mildGaps are the words for kinds of pairs that are no fault for certain.
var mildGaps = map[int]string{
	deadGap:  "next to copper that is not connected, such as lettering",
	touchGap: "between copper that touches but for how the file rounds its coordinates, and may be of one net,",
	fillGap:  "next to a pour that the file holds as an outline only, and that was filled here,",
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

// lacksConnectivity reports whether nothing says what copper of different places is one net: no nets
// are named, and there are several layers without holes, or one layer beside artwork of
// which nobody knows whether it is another or the holes.
func lacksConnectivity(in *measure.Input) bool {
	layers, holes := len(in.Board.Copper()), len(in.Board.Holes)
	return len(in.Board.Nets) <= 1 && (holes == 0 && layers > 1 || (holes == 0 || layers == 1) && untold(in.Board))
}

// untold reports whether artwork was sent of which nothing tells which layer it is: it may
// be copper, or holes.
func untold(b *pcb.Board) bool {
	return slices.ContainsFunc(b.Layers, func(l *pcb.Layer) bool { return l.Role == pcb.RoleUnknown && len(l.Features) > 0 })
}

func spacingWords(where string, inner bool) func(rule.Breach) string {
	layers := "outer"
	if inner {
		layers = "inner"
	}
	return func(j rule.Breach) string {
		s := fmt.Sprintf("%s %s on %s layers %s narrower than %s: the narrowest is %s.",
			words.Plural(j.Count, "gap"), where, layers, words.Be(j.Count), words.MM(j.Limit), words.MM(j.Value))
		if j.Hard {
			return s + " The fabricator cannot etch them reliably."
		}
		return s + " It can be made, but costs yield."
	}
}
