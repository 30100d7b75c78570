package dfm

import (
	"context"
	"fmt"

	"boardorder/pkg/board"
	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
)

// copperEdges judges copper near the cut of the outline and its cutouts, and copper
// beyond it. Contacts of edge connectors, half holes and plated edges are meant to
// be there; so are lines that only repeat the outline.
func copperEdges(ctx context.Context, in *input) result {
	cut := in.border()
	if cut.none() {
		return result{}
	}
	c, err := in.copper()
	if err != nil {
		return unknown(CopperToEdge, err)
	}
	r := in.edgeGaps(ctx, c, CopperToEdge, cut)
	if scored := in.scored(); len(scored.rims) > 0 {
		r.add(in.edgeGaps(ctx, c, CopperToVScore, scored))
	}
	return r
}

// edgeGaps judges copper by its distance from where the board is cut or scored.
func (in *input) edgeGaps(ctx context.Context, c *copper.Copper, n Name, cut *border) result {
	half := in.halfHoles()
	each := sharing(ctx, len(c.Layers), func(k int) *edgeLayer {
		e := &edgeLayer{in: in, c: c, l: c.Layers[k], check: n, cut: cut, half: half}
		if in.judged()[k] {
			e.measure(ctx)
		}
		return e
	})
	var r result
	for _, inner := range [2]bool{false, true} {
		gauges := [meantEdge + 1]*gauge{
			in.gauge(n, inner), in.gauge(n, inner).levels(Warning, Note),
			in.gauge(n, inner).levels(Warning, Note), in.gauge(n, inner).levels(Warning, Note),
			in.gauge(n, inner).levels(Note, Note),
		}
		for _, e := range each {
			if e == nil || e.l.Outer == inner {
				continue
			}
			for _, n := range e.near {
				gauges[n.kind].add(n.place)
			}
			for _, n := range e.cutThrough {
				gauges[n.kind].see(n.place) // a finding of its own
			}
		}
		for k, g := range gauges {
			q := g.result(edgeWords(n, k, inner))
			if k != strayEdge { // verdicts are made of measures: only what cannot be built may count
				q.measures = nil
			}
			r.add(q)
		}
	}
	if n == CopperToVScore {
		r.add(acrossScores(each))
	} else {
		r.add(outsideOf(each))
	}
	return r
}

// acrossScores says what a V-score cuts through.
func acrossScores(each []*edgeLayer) result {
	var tracks, rest places
	for _, e := range each {
		if e == nil {
			continue
		}
		for _, n := range e.cutThrough {
			if n.kind == strayEdge {
				tracks.at(n.place)
			} else {
				rest.at(n.place)
			}
		}
	}
	words := func(what string) func(int) string {
		return func(n int) string {
			return fmt.Sprintf("%s %s a line along which the board is scored: the blade cuts %s.", plural(n, what), either(n, "crosses", "cross"), either(n, "it", "them"))
		}
	}
	r := found(CopperToVScore, MustFix, words("track"), &tracks)
	r.add(found(CopperToVScore, Warning, words("piece of copper"), &rest))
	return r
}

// outsideOf says what is cut through by the outline, and what lies beyond it.
func outsideOf(each []*edgeLayer) result {
	var cut [meantEdge + 1]places
	var out places
	for _, e := range each {
		if e == nil {
			continue
		}
		for _, n := range e.cutThrough {
			cut[n.kind].at(n.place)
		}
		for _, p := range e.outside {
			out.at(p)
		}
	}
	r := found(CopperOutside, MustFix, func(n int) string {
		return fmt.Sprintf("%s %s across the outline of the board: the cutter goes through.", plural(n, "track"), verbReach(n))
	}, &cut[strayEdge])
	r.add(found(CopperOutside, Warning, func(n int) string {
		return fmt.Sprintf("%s of copper %s to or across the outline of the board: the fabricator will draw copper back from the edge.", plural(n, "area"), verbReach(n))
	}, &cut[areaEdge]))
	r.add(found(CopperOutside, Warning, func(n int) string {
		return fmt.Sprintf("%s %s across the outline of the board: the cutter goes through.", plural(n, "pad"), verbReach(n))
	}, &cut[padEdge]))
	r.add(found(CopperOutside, Warning, func(n int) string {
		return fmt.Sprintf("%s of copper that is not connected, such as lettering, %s across the outline of the board: the cutter goes through.", plural(n, "piece"), verbReach(n))
	}, &cut[deadEdge]))
	r.add(found(CopperOutside, Note, func(n int) string {
		return fmt.Sprintf("%s on the edge of the board, as edge connectors, plated edges and planes have them.", plural(n, "piece")+" of copper "+lie(n))
	}, &cut[meantEdge]))
	r.add(found(CopperOutside, Note, func(n int) string {
		return fmt.Sprintf("%s of copper %s beyond the outline of the board and will not be made.", plural(n, "piece"), lie(n))
	}, &out))
	return r
}

func verbReach(n int) string {
	if n == 1 {
		return "reaches"
	}
	return "reach"
}

func lie(n int) string {
	if n == 1 {
		return "lies"
	}
	return "lie"
}

// Kinds of copper at the edge.
const (
	strayEdge = iota // tracks
	areaEdge         // pours, planes and painted fills: the fabricator draws them back
	padEdge          // pads: their parts often belong at the edge
	deadEdge         // lettering and other copper that is not connected
	meantEdge        // edge connectors
)

func edgeWords(n Name, kind int, inner bool) func(judged) string {
	from := "the edge of the board"
	if n == CopperToVScore {
		from = "a V-score"
	}
	return func(j judged) string {
		near := fmt.Sprintf("the closest is %s away", mm(j.value))
		what, why := "track", ""
		end := " The cutter may tear it, or leave copper bare at the edge."
		switch kind {
		case areaEdge:
			what, why, end = "area", "of copper", " The fabricator will draw it back from the edge."
		case padEdge:
			what, why, end = "pad", "", " Where the part belongs at the edge this is meant to be so; else move it inwards."
		case deadEdge:
			what, why, end = "piece", "of copper that is not connected, such as lettering,", " The cutter may tear it."
		case meantEdge:
			what, why, end = "contact", "of an edge connector", ""
		}
		return fmt.Sprintf("%s on %s layers %s closer than %s to %s: %s.%s",
			joinWords(plural(j.count, what), why), layersWord(inner), be(j.count), mm(j.limit), from, near, end)
	}
}

func joinWords(a, b string) string {
	if b == "" {
		return a
	}
	return a + " " + b
}

// halfHoles are the plated holes that the outline cuts through.
func (in *input) halfHoles() []*drilled {
	var out []*drilled
	t := in.drills()
	for i := range t.list {
		if d := &t.list[i]; d.Plating != board.NonPlated && in.border().cutsHole(d) {
			out = append(out, d)
		}
	}
	return out
}

// An edgeLayer measures the copper of one layer against the cut.
type edgeLayer struct {
	in    *input
	c     *copper.Copper
	l     *copper.Layer
	check Name // CopperToEdge or CopperToVScore
	cut   *border
	half  []*drilled

	near       []edgePlace
	cutThrough []edgePlace
	outside    []Place
}

type edgePlace struct {
	kind  int
	place Place
}

func (e *edgeLayer) measure(ctx context.Context) {
	limit := e.in.limit(e.check, !e.l.Outer)
	least := max(limit.Min, limit.Recommended)
	reach := float64(max(e.in.reach(e.check, !e.l.Outer), least))
	outside := e.check == CopperToEdge && e.in.reach(CopperOutside, !e.l.Outer) != unasked
	worst := closest{}
	for i := range e.l.Items {
		if i%1024 == 0 && ctx.Err() != nil {
			return
		}
		s := &e.l.Items[i].Shape
		box := s.Bounds()
		if !e.cut.near(box, int64(reach)+1) {
			if outside && !e.cut.inside(s.At()) {
				e.beyond(i, s.At())
			}
			continue
		}
		d, p, q, ok := e.cut.within(s, reach)
		switch {
		case ok && d <= 0 && e.in.drawnBorder(e.l, i):
		case (!ok || d > 0) && !e.in.border().inside(s.At()):
			if outside {
				e.beyond(i, s.At())
			}
		case ok && !e.halfHole(p):
			node := e.c.Node(e.layer(), i)
			worst.add(spot{pair: [2]int32{node, node}, cell: cellOf(q)}, nearby{i: i, p: p, q: q, d: d})
		}
	}
	e.sort(worst)
}

func (e *edgeLayer) layer() int {
	for k, l := range e.c.Layers {
		if l == e.l {
			return k
		}
	}
	return -1
}

func (e *edgeLayer) beyond(i int, at geom.Point) {
	if e.in.drawnBorder(e.l, i) {
		return
	}
	e.outside = append(e.outside, Place{Layer: e.l.Layer.Name, At: at, To: at, Objects: [2]string{e.in.object(e.l, i)}})
}

// halfHole tells whether a place belongs to a half hole's pad.
func (e *edgeLayer) halfHole(p geom.Point) bool {
	for _, d := range e.half {
		if d.A.Dist(p) < 2*d.radius()+float64(400*geom.Micrometre) {
			return true
		}
	}
	return false
}

// sort tells contacts of edge connectors from other pads: four or more of one
// shape that end at the same distance from the edge.
func (e *edgeLayer) sort(worst closest) {
	type contact struct {
		shape, turn int32
		at          int64
	}
	rows := map[contact]int{}
	of := func(n nearby) (contact, bool) {
		f := e.l.DrawnAs(n.i)
		if f == nil || f.Kind != board.FlashFeature || e.in.drills().at(f.A) {
			return contact{}, false
		}
		return contact{f.Shape, f.Transform, floorDiv(length(n.d)+5*geom.Micrometre, 10*geom.Micrometre)}, true
	}
	for _, n := range worst {
		if k, ok := of(n); ok {
			rows[k]++
		}
	}
	for _, n := range worst {
		kind := strayEdge
		f := e.l.DrawnAs(n.i)
		k, ok := of(n)
		switch {
		case f == nil:
			kind = meantEdge // planes given as what is taken away are drawn back from the edge by the fabricator
		case f.Function == board.FuncConnectorPad, f.Function == board.FuncCastellatedPad, ok && rows[k] >= 4:
			kind = meantEdge
		case isPadItem(e.l, n.i):
			kind = padEdge
		case !e.in.live()[e.l.Items[n.i].Island]:
			kind = deadEdge
		case e.plated() && n.d <= 0:
			kind = meantEdge
		case f.Kind == board.RegionFeature, n.d <= 0 && e.filled(n.q), e.in.painted(e.l, n.i, n.p):
			kind = areaEdge
		}
		p := edgePlace{kind, e.in.beside(e.l, n.i, "edge of the board", n.p, n.q, n.d)}
		if n.d <= 0 {
			e.cutThrough = append(e.cutThrough, p)
		} else {
			e.near = append(e.near, p)
		}
	}
}

// filled tells whether a point lies on the edge of a cutout whose middle is copper:
// where copper goes on as if nothing was there, the cutout may be a mark that was
// drawn into the outline.
func (e *edgeLayer) filled(p geom.Point) bool {
	middle, ok := e.cut.cutoutAt(p)
	if !ok {
		return false
	}
	copper := false
	for _, l := range e.c.Layers {
		l.At(middle, func(int) bool {
			copper = true
			return false
		})
	}
	return copper
}

// plated tells whether the files ask for edges that are copper.
func (e *edgeLayer) plated() bool {
	f := e.in.board.Facts.EdgePlating
	return f.Known && f.Value
}

// drawnBorder tells whether an item only repeats the outline.
func (in *input) drawnBorder(l *copper.Layer, i int) bool {
	f := l.DrawnAs(i)
	if f == nil {
		return false
	}
	if f.Function == board.FuncProfile || f.Function == board.FuncBorder {
		return true
	}
	s := &l.Items[i].Shape
	return (f.Kind == board.LineFeature || f.Kind == board.ArcFeature) && !s.IsArea() && (in.border().along(s.Edge()) || in.scored().along(s.Edge()))
}
