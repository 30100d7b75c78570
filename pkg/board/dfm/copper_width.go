package dfm

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"boardorder/pkg/board"
	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
)

// widths judges the narrowest conductors: lines and arcs as wide as their aperture
// wherever no other copper of theirs makes them wider. Lines that paint a fill or
// a pad, and outlines of pours, are no conductors by themselves; nor are the
// narrow ends and bridges of areas unless current has to pass, see
// necks.
func widths(ctx context.Context, in *input) result {
	c, err := in.copper()
	if err != nil {
		return unknown(TrackWidth, err)
	}
	live := in.live()
	each := sharing(ctx, len(c.Layers), func(k int) *widthLayer {
		w := newWidthLayer(in, c.Layers[k], live)
		if in.judged()[k] {
			w.lines(ctx)
			w.necks(ctx, c, k)
		}
		return w
	})
	var r result
	for _, inner := range [2]bool{false, true} {
		tracks := in.gauge(TrackWidth, inner)
		dead := in.gauge(TrackWidth, inner).levels(Warning, Note)
		bridges := in.gauge(TrackWidth, inner).levels(Warning, Note)
		slivers := in.gauge(CopperSliver, inner).levels(Warning, Note)
		for _, w := range each {
			if w == nil || w.l.Outer == inner {
				continue
			}
			for _, p := range w.tracks {
				tracks.add(p)
			}
			for _, p := range w.dead {
				dead.add(p)
			}
			for _, p := range w.slivers {
				slivers.add(p)
			}
			for _, p := range w.bridges {
				bridges.add(p)
			}
		}
		r.add(tracks.result(widthWords("track", inner, " It may be etched through.", costsYield)))
		q := dead.result(widthWords("line of copper that is not connected, such as lettering", inner, " It may come off.", costsYield))
		q.measures = nil
		r.add(q)
		q = bridges.result(widthWords("bridge between two parts of an area of copper", inner, " It may be etched through.", costsYield))
		q.measures = nil
		r.add(q)
		r.add(slivers.result(widthWords("tongue of an area of copper", inner, " It may come loose and lie across tracks.", " It may come loose.")))
	}
	return r
}

const costsYield = " It can be made, but costs yield."

// widthWords are a width's; hard ends those beyond Min, mild those beyond Recommended.
func widthWords(what string, inner bool, hard, mild string) func(judged) string {
	layers := map[bool]string{false: "outer", true: "inner"}[inner]
	return func(j judged) string {
		noun, rest := what, ""
		for i, r := range what {
			if r == ' ' {
				noun, rest = what[:i], what[i:]
				break
			}
		}
		s := fmt.Sprintf("%s%s on %s layers %s narrower than %s: the narrowest is %s.",
			plural(j.count, noun), rest, layers, be(j.count), mm(j.limit), mm(j.value))
		if j.hard {
			return s + hard
		}
		return s + mild
	}
}

// A widthLayer measures the conductors of one layer.
type widthLayer struct {
	in    *input
	l     *copper.Layer
	live  []bool
	limit int64 // what would be a finding
	reach int64 // how wide a conductor may be to be measured

	tracks, dead, slivers, bridges []Place

	near    []int32 // items near the line at work
	crossed []solid // copper that the stretch at work may pass
}

func newWidthLayer(in *input, l *copper.Layer, live []bool) *widthLayer {
	limit := in.limit(TrackWidth, !l.Outer)
	w := &widthLayer{in: in, l: l, live: live, limit: max(limit.Min, limit.Recommended) - tolerance}
	w.reach = max(in.reach(TrackWidth, !l.Outer), w.limit)
	return w
}

// lines measures what was drawn as lines, narrowest first: all that would be
// findings, and beyond those until a conductor is found.
func (w *widthLayer) lines(ctx context.Context) {
	type line struct {
		width int64
		item  int32
	}
	var list []line
	for i := range w.l.Items {
		if v, ok := w.line(i); ok && v <= w.reach {
			list = append(list, line{v, int32(i)})
		}
	}
	slices.SortFunc(list, func(a, b line) int { return cmp.Or(cmp.Compare(a.width, b.width), cmp.Compare(a.item, b.item)) })
	found := int64(math.MaxInt64)
	seen := map[*[]Place]map[spot]int{&w.tracks: {}, &w.bridges: {}} // places already said: a track in ten pieces is one fault
	for k, n := range list {
		if k%256 == 0 && ctx.Err() != nil || n.width > w.limit && n.width >= found {
			return
		}
		v, at, ok := w.conductor(int(n.item), n.width)
		if !ok {
			continue
		}
		it := &w.l.Items[n.item]
		p := Place{Layer: w.l.Layer.Name, At: at, To: at, Value: v, Objects: [2]string{w.in.object(w.l, int(n.item))},
			Nets: [2]string{w.in.netName(w.in.netOf(it))}}
		if !w.live[it.Island] || it.Function == board.FuncNonConductor {
			w.dead = append(w.dead, p)
			continue
		}
		into := &w.tracks
		if it.Function == board.FuncPour {
			into = &w.bridges
		} else {
			found = min(found, v)
		}
		key := spot{pair: [2]int32{it.Island, int32(n.width / geom.Micrometre)}, cell: cellOf(at)}
		if at, ok := seen[into][key]; !ok {
			seen[into][key] = len(*into)
			*into = append(*into, p)
		} else if v < (*into)[at].Value {
			(*into)[at] = p
		}
	}
}

// line is the width of an item that was drawn as a line with a length.
func (w *widthLayer) line(i int) (int64, bool) {
	f := w.l.DrawnAs(i)
	if f == nil || f.Kind != board.LineFeature && f.Kind != board.ArcFeature {
		return 0, false
	}
	if f.Kind == board.LineFeature && f.A == f.B {
		return 0, false
	}
	v := w.l.Layer.Width(f)
	if w.l.Items[i].Function == board.FuncPour && v >= w.limit {
		return 0, false // the rim of a filled area, which is nowhere narrower than its pen
	}
	return v, true
}

// conductor measures the copper that a line is part of at some points along it,
// straight across it: the narrowest, and where. ok is false when it is wider than
// what is looked for everywhere, or only repeats the outline.
func (w *widthLayer) conductor(i int, width int64) (v int64, at geom.Point, ok bool) {
	f := w.l.DrawnAs(i)
	e := w.l.Layer.Edge(f)
	if w.in.drawnBorder(w.l, i) {
		return 0, at, false
	}
	near := w.around(i)
	v = math.MaxInt64
	for _, t := range [3]float64{0.5, 0.25, 0.75} {
		m, dir := pointAlong(e, t)
		if n := w.across(i, near, m, dir+math.Pi/2, width); n < v {
			v, at = n, m
		}
		if v == width {
			break
		}
	}
	return v, at, v <= w.reach
}

// around are the items that may widen item i: of its island, and near it. They are
// overwritten when it is asked again.
func (w *widthLayer) around(i int) []int32 {
	it := &w.l.Items[i]
	w.near = w.near[:0]
	w.l.Index.Search(it.Shape.Bounds().Grow(w.reach), func(j int) bool {
		if j != i && w.l.Items[j].Island == it.Island {
			w.near = append(w.near, int32(j))
		}
		return true
	})
	return w.near
}

// across is how wide the copper is at m, in direction dir and against it, where a
// line of the width given runs. What is wider than reach need not be told exactly.
func (w *widthLayer) across(i int, near []int32, m geom.Point, dir float64, width int64) int64 {
	half := float64(width) / 2
	far := half + float64(w.reach)
	w.cross(near, geom.Bound(m.Polar(far, dir), m.Polar(far, dir+math.Pi)))
	sum := width
	for _, d := range [2]float64{dir, dir + math.Pi} {
		rim := m.Polar(half, d)
		room := func(v float64) float64 { return w.room(rim.Polar(v, d)) }
		if sum += int64(reachOf(room, float64(w.reach), float64(w.reach+1-sum))); sum > w.reach {
			break
		}
	}
	return sum
}

// manyNear items are counted as work.
const manyNear = 16

// cross collects those of some items that come into a box.
func (w *widthLayer) cross(near []int32, box geom.Box) {
	w.crossed = w.crossed[:0]
	if len(near) > manyNear && !w.in.meter.Spend(board.Lookups, 2*len(near)) {
		return
	}
	for _, j := range near {
		if s := newSolid(w.l.Items[j].Shape); s.box.Overlaps(box) {
			w.crossed = append(w.crossed, s)
		}
	}
}

// room is how far every point round one still lies in the copper that is crossed;
// negative when the point does not. It asks areas, which take longest, only when
// nothing else covers the point.
func (w *widthLayer) room(at geom.Point) float64 {
	if free := roomIn(w.crossed, at, float64(w.reach), false); free >= -1 {
		return free
	}
	return roomIn(w.crossed, at, float64(w.reach), true)
}

// pointAlong is the point at part t of an edge, and the direction of the edge there.
func pointAlong(e geom.Edge, t float64) (geom.Point, float64) {
	if !e.IsArc() {
		d := e.B.Sub(e.A)
		return geom.Pt(e.A.X+length(t*float64(d.X)), e.A.Y+length(t*float64(d.Y))), d.Angle()
	}
	a := e.A.Sub(e.Centre).Angle() + t*e.Sweep()
	return e.Centre.Polar(e.Radius(), a), a + math.Pi/2
}
