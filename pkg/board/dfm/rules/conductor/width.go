package conductor

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Width judges the widths of conductors.
var Width = rule.Rule{Judges: []dfm.Name{dfm.TrackWidth, dfm.CopperSliver}, Run: widths}

// widths judges the narrowest conductors: lines and arcs as wide as their aperture
// wherever no other copper of theirs makes them wider and no drill takes them away.
// Lines that paint a fill or a pad, and outlines of pours, are no conductors by
// themselves; nor are the narrow ends and bridges of areas unless current has to
// pass, see necks.
func widths(ctx context.Context, in *measure.Input) rule.Result {
	c, err := in.Copper()
	if err != nil {
		return rule.Unknown(dfm.TrackWidth, err)
	}
	live := in.Live()
	each := measure.Collect(ctx, len(c.Layers), func(k int) *widthLayer {
		w := newWidthLayer(in, c.Layers[k], live)
		if in.Judged()[k] {
			w.draw()
			w.takeUpTo(ctx, w.limit)
			w.necks(ctx, c, k)
		}
		return w
	})
	widen(ctx, in, each)
	var r rule.Result
	var hairs rule.Places
	for _, w := range each {
		if w != nil {
			for _, p := range w.hairs {
				hairs.AddUnmeasured(p)
			}
		}
	}
	r.Add(rule.PlaceFinding(dfm.TrackWidth, dfm.Warning, func(count int) string {
		return fmt.Sprintf("%s with a pen of at most %s where no other copper is, which is taken for no track: it will not be there. Where it is to connect something, draw it as wide as it is to be.",
			words.Plural(count, "line")+" drawn", words.MM(hairline))
	}, &hairs))
	for _, inner := range [2]bool{false, true} {
		tracks := rule.MinimumCheck(in, dfm.TrackWidth, inner)
		dead := rule.MinimumCheck(in, dfm.TrackWidth, inner).Levels(dfm.Warning, dfm.Note)
		bridges := rule.MinimumCheck(in, dfm.TrackWidth, inner).Levels(dfm.Warning, dfm.Note)
		slivers := rule.MinimumCheck(in, dfm.CopperSliver, inner).Levels(dfm.Warning, dfm.Note)
		for _, w := range each {
			if w == nil || w.l.Outer == inner {
				continue
			}
			for _, p := range w.tracks {
				tracks.Add(p)
			}
			for _, p := range w.dead {
				dead.Add(p)
			}
			for _, p := range w.slivers {
				slivers.Add(p)
			}
			for _, p := range w.bridges {
				bridges.Add(p)
			}
		}
		r.Add(tracks.Result(widthWords("track", inner, " It may be etched through.", costsYield)))
		q := dead.Result(widthWords("line of copper that is not connected, such as lettering", inner, " It may come off.", costsYield))
		q.Measures = nil
		r.Add(q)
		q = bridges.Result(widthWords("bridge between two parts of an area of copper", inner, " It may be etched through.", costsYield))
		q.Measures = nil
		r.Add(q)
		r.Add(slivers.Result(widthWords("tongue of an area of copper", inner, " It may come loose and lie across tracks.", " It may come loose.")))
	}
	return r
}

const costsYield = " It can be made, but costs yield."

// widthWords are a width's; hard ends those beyond Min, mild those beyond Recommended.
func widthWords(what string, inner bool, hard, mild string) func(rule.Breach) string {
	layers := map[bool]string{false: "outer", true: "inner"}[inner]
	return func(j rule.Breach) string {
		noun, rest := what, ""
		for i, r := range what {
			if r == ' ' {
				noun, rest = what[:i], what[i:]
				break
			}
		}
		s := fmt.Sprintf("%s%s on %s layers %s narrower than %s: the narrowest is %s.",
			words.Plural(j.Count, noun), rest, layers, words.Be(j.Count), words.MM(j.Limit), words.MM(j.Value))
		if j.Hard {
			return s + hard
		}
		return s + mild
	}
}

// A widthLayer measures the conductors of one layer.
type widthLayer struct {
	in    *measure.Input
	l     *copper.Layer
	live  []bool
	limit int64 // what would be a finding
	list  []drawnLine
	narrowLines

	tracks, dead, slivers, bridges []dfm.Place
	hairs                          []dfm.Place // beside no other copper

	crossed []measure.Solid // copper that the stretch at work may pass
	strokes map[int32]bool  // strokes that were followed, and whether they are ornaments
}

func newWidthLayer(in *measure.Input, l *copper.Layer, live []bool) *widthLayer {
	limit := in.Limit(dfm.TrackWidth, !l.Outer)
	return &widthLayer{in: in, l: l, live: live, limit: max(limit.Min, limit.Recommended) - dfm.Tolerance}
}

// widen looks for the narrowest track of outer and of inner layers where no finding tells
// of it.
func widen(ctx context.Context, in *measure.Input, each []*widthLayer) {
	of := map[bool][]*widthLayer{}
	for _, w := range each {
		if w != nil {
			of[w.l.Outer] = append(of[w.l.Outer], w)
		}
	}
	narrowest(ctx, of[true], in.Reach(dfm.TrackWidth, false))
	narrowest(ctx, of[false], in.Reach(dfm.TrackWidth, true))
}

// narrowest finds the narrowest track of some layers, if one is within reach. Telling how
// wide copper is takes the longer the wider it is, so that the search widens step by step.
func narrowest(ctx context.Context, layers []*widthLayer, reach int64) {
	pen, found, bound := int64(math.MaxInt64), int64(math.MaxInt64), int64(0)
	for _, w := range layers {
		if w != nil && len(w.list) > 0 {
			pen, found, bound = min(pen, w.list[0].width), min(found, w.found), max(bound, w.limit)
		}
	}
	for found > bound && bound < reach && pen <= reach && ctx.Err() == nil {
		bound = min(reach, 2*max(bound, pen/2))
		for _, f := range measure.Collect(ctx, len(layers), func(k int) int64 { return layers[k].takeUpTo(ctx, bound) }) {
			found = min(found, f)
		}
	}
}

// A drawnLine is an item that was drawn as a line, and how wide its pen is.
type drawnLine struct {
	width int64
	item  int32
}

// draw lists what was drawn as lines, narrowest first. Lone hairlines are set apart.
func (w *widthLayer) draw() {
	w.narrowLines = narrowLines{w: w, found: math.MaxInt64, taken: map[int32]bool{}, seen: map[*[]dfm.Place]map[spot]int{&w.tracks: {}, &w.bridges: {}}}
	for i := range w.l.Items {
		if w.loneHair(i) {
			w.hairs = append(w.hairs, dfm.Place{Layer: w.l.Layer.Name, At: w.l.Items[i].Shape.CorePoint(), To: w.l.Items[i].Shape.CorePoint(),
				Objects: [2]string{w.in.Object(w.l, i)}, Nets: [2]string{w.in.NetName(w.in.NetOf(&w.l.Items[i]))}})
		}
		if v, ok := w.line(i); ok {
			w.list = append(w.list, drawnLine{v, int32(i)})
		}
	}
	slices.SortFunc(w.list, func(a, b drawnLine) int { return cmp.Or(cmp.Compare(a.width, b.width), cmp.Compare(a.item, b.item)) })
}

// takeUpTo takes the conductors that are at most as wide as bound, and gives the narrowest
// track that is known by then.
func (w *widthLayer) takeUpTo(ctx context.Context, bound int64) int64 {
	if w == nil {
		return math.MaxInt64
	}
	n := &w.narrowLines
	n.pen = 0
	for k, next := range w.list {
		if k%256 == 0 && ctx.Err() != nil || next.width > bound || next.width > w.limit && next.width >= n.found {
			break
		}
		if next.width != n.pen {
			n.settle()
			n.pen = next.width
		}
		n.drawn++
		if n.taken[next.item] {
			continue
		}
		if v, at, ok := w.conductor(int(next.item), next.width, bound); ok {
			n.taken[next.item] = true
			n.take(narrowLine{next.item, v, at})
		}
	}
	n.settle()
	return n.found
}

// narrowLines sorts what was found narrow into tracks and others. What the finest pens
// drew waits until all that they drew is known.
type narrowLines struct {
	w     *widthLayer
	found int64                         // the narrowest track
	taken map[int32]bool                // items whose width is known
	seen  map[*[]dfm.Place]map[spot]int // places already said: a track in ten pieces is one fault

	pen     int64
	drawn   int // lines of this pen
	waiting []narrowLine
}

type narrowLine struct {
	item int32
	v    int64
	at   geom.Point
}

func (n *narrowLines) take(l narrowLine) {
	if 2*n.pen < n.w.limit {
		n.waiting = append(n.waiting, l)
		return
	}
	n.say(l, false)
}

// settle tells of what waits. A pen far finer than tracks can be, nearly all of whose
// lines make wide copper side by side, is one that areas are painted with: the few of
// its lines with nothing beside them are tips and slits of such an area.
func (n *narrowLines) settle() {
	const least, share = 100, 20
	narrow := 0
	for _, l := range n.waiting {
		if l.v < n.w.limit {
			narrow++
		}
	}
	paints := n.drawn >= least && share*narrow <= n.drawn
	for _, l := range n.waiting {
		n.say(l, paints)
	}
	n.drawn, n.waiting = 0, n.waiting[:0]
}

func (n *narrowLines) say(l narrowLine, painted bool) {
	w, it := n.w, &n.w.l.Items[l.item]
	p := dfm.Place{Layer: w.l.Layer.Name, At: l.at, To: l.at, Value: l.v, Objects: [2]string{w.in.Object(w.l, int(l.item))},
		Nets: [2]string{w.in.NetName(w.in.NetOf(it))}}
	if !w.live[it.Island] || it.Function == pcb.FuncNonConductor || it.Function == pcb.FuncProfile {
		w.dead = append(w.dead, p)
		return
	}
	into := &w.tracks
	if painted || it.Function == pcb.FuncPour || w.rim(int(l.item), n.pen) || w.ornaments(l.item) {
		into = &w.bridges
	} else {
		n.found = min(n.found, l.v)
	}
	key := spot{pair: [2]int32{it.Island, int32(n.pen / geom.Micrometre)}, cell: cellOf(l.at)}
	if at, ok := n.seen[into][key]; !ok {
		n.seen[into][key] = len(*into)
		*into = append(*into, p)
	} else if l.v < (*into)[at].Value {
		(*into)[at] = p
	}
}

// rim reports whether a line runs on the border of an area from end to end: it is where
// the area is narrow, not a track.
func (w *widthLayer) rim(i int, width int64) bool {
	f := w.l.FeatureOf(i)
	e := w.l.Layer.Edge(f)
	return isAreaRim(w.l, i, e.A, width) && isAreaRim(w.l, i, e.Mid(), width) && isAreaRim(w.l, i, e.B, width)
}

// hairline is the widest pen that no conductor is drawn with: design tools draw the rims
// and fills of areas with it.
const hairline = 5 * geom.Micrometre

// loneHair reports whether connected copper is drawn with such a pen where no other
// copper is: the rim or fill of nothing.
func (w *widthLayer) loneHair(i int) bool {
	it, f := &w.l.Items[i], w.l.FeatureOf(i)
	if f == nil || f.Kind != pcb.LineFeature && f.Kind != pcb.ArcFeature || f.A == f.B || w.l.Layer.Width(f) > hairline ||
		!w.live[it.Island] || it.Function == pcb.FuncNonConductor || it.Function == pcb.FuncPour || repeatsOutline(w.in, w.l, i) {
		return false
	}
	mid, free := w.l.Layer.Edge(f).Mid(), true
	w.l.Index.Search(geom.BoxOf(mid, mid).Grow(hairline), func(j int) bool {
		free = j == i || w.l.Items[j].Shape.DistTo(mid) > float64(hairline)
		return free
	})
	return free && w.in.Meter.Spend(pcb.Lookups, 1)
}

// line is the width of an item that was drawn as a line with a length, by a pen that
// conductors may be drawn with.
func (w *widthLayer) line(i int) (int64, bool) {
	f := w.l.FeatureOf(i)
	if f == nil || f.Kind != pcb.LineFeature && f.Kind != pcb.ArcFeature {
		return 0, false
	}
	if f.Kind == pcb.LineFeature && f.A == f.B {
		return 0, false
	}
	v := w.l.Layer.Width(f)
	if v <= hairline {
		return 0, false
	}
	if w.l.Items[i].Function == pcb.FuncPour && v >= w.limit {
		return 0, false // the rim of a filled area, which is nowhere narrower than its pen
	}
	return v, true
}

// conductor measures the copper that a line is part of at some points along it,
// straight across it: the narrowest, and where. ok is false when it is wider than
// bound everywhere, or only repeats the outline.
func (w *widthLayer) conductor(i int, width, bound int64) (v int64, at geom.Point, ok bool) {
	f := w.l.FeatureOf(i)
	e := w.l.Layer.Edge(f)
	if repeatsOutline(w.in, w.l, i) {
		return 0, at, false
	}
	v = math.MaxInt64
	for _, t := range [3]float64{0.5, 0.25, 0.75} {
		m, dir := pointAlong(e, t)
		if n := w.widthAcross(i, m, dir+math.Pi/2, width, bound); n < v && !w.in.IsDrilledOut(w.l, m) {
			v, at = n, m
		}
		if v == width {
			break
		}
	}
	return v, at, v <= bound
}

// widthAcross is how wide the copper is at m, in direction dir and against it, where a
// line of the width given runs. What is wider than bound need not be told exactly.
func (w *widthLayer) widthAcross(i int, m geom.Point, dir float64, width, bound int64) int64 {
	half := float64(width) / 2
	far := half + float64(bound)
	w.cross(i, geom.BoxOf(m.Polar(far, dir), m.Polar(far, dir+math.Pi)))
	sum := width
	for _, d := range [2]float64{dir, dir + math.Pi} {
		rim := m.Polar(half, d)
		room := func(v float64) float64 { return w.room(rim.Polar(v, d), float64(bound)) }
		if sum += int64(measure.ReachOf(room, float64(bound), float64(bound+1-sum))); sum > bound {
			break
		}
	}
	return sum
}

// cross collects what may widen item i within a box: other items of its island.
func (w *widthLayer) cross(i int, box geom.Box) {
	w.crossed = w.crossed[:0]
	w.l.Index.Search(box.Grow(measure.Rimless), func(j int) bool {
		if j != i && w.l.Items[j].Island == w.l.Items[i].Island {
			w.crossed = append(w.crossed, measure.NewSolid(w.l.Items[j].Shape))
		}
		return true
	})
}

// room is how far every point round one still lies in the copper that is crossed;
// negative when the point does not, or the work has to stop. It asks areas, which take
// longest, only when nothing else covers the point. What is farther than far counts as far.
func (w *widthLayer) room(at geom.Point, far float64) float64 {
	if !w.payLookup(at) {
		return math.Inf(-1)
	}
	if free := measure.RoomIn(w.crossed, at, far, false); free >= -1 {
		return free
	}
	return measure.RoomIn(w.crossed, at, far, true)
}

// payLookup counts the copper that may be asked about a point, when it is more than a few pieces:
// areas as many times as they take longer than lines.
func (w *widthLayer) payLookup(at geom.Point) bool {
	const few, areas = 4, 4
	n := 0
	for k := range w.crossed {
		if s := &w.crossed[k]; !s.Box.Contains(at) {
			continue
		} else if s.IsArea() {
			n += areas
		} else {
			n++
		}
	}
	return n <= few || w.in.Meter.FileMeter(w.l.Layer.File).Spend(pcb.Pairs, n)
}

// pointAlong is the point at part t of an edge, and the direction of the edge there.
func pointAlong(e geom.Edge, t float64) (geom.Point, float64) {
	if !e.IsArc() {
		d := e.B.Sub(e.A)
		return geom.Pt(e.A.X+measure.Length(t*float64(d.X)), e.A.Y+measure.Length(t*float64(d.Y))), d.Angle()
	}
	a := e.A.Sub(e.Centre).Angle() + t*e.Sweep()
	return e.Centre.Polar(e.Radius(), a), a + math.Pi/2
}
