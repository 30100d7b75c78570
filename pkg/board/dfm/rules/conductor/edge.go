package conductor

import (
	"context"
	"fmt"
	"slices"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// ToEdge judges copper to the board's edge and to V-scores.
var ToEdge = rule.Rule{Judges: []dfm.Name{dfm.CopperToEdge, dfm.CopperToVScore, dfm.CopperOutside, dfm.OutlineMissing}, Run: judgeEdges}

// judgeEdges judges copper near the cut of the outline and its cutouts, and copper
// beyond it. Contacts of edge connectors, half holes and plated edges are meant to
// be there; so are lines that only repeat the outline.
func judgeEdges(ctx context.Context, in *measure.Input) rule.Result {
	cut := in.Border()
	if cut.IsEmpty() {
		return rule.Result{}
	}
	c, err := in.Copper()
	if err != nil {
		return rule.Unknown(dfm.CopperToEdge, err)
	}
	r := edgeGaps(ctx, in, c, dfm.CopperToEdge, cut)
	if !hasGuessedOutline(in) {
		r.Add(findLostPads(in))
	}
	if scored := in.Scored(); len(scored.Rims) > 0 {
		gaps := edgeGaps(ctx, in, c, dfm.CopperToVScore, scored)
		if in.LooseScore() {
			doubtScores(&gaps)
		}
		r.Add(gaps)
	}
	return r
}

// doubtScores lowers what is said of lines that may be no scores: the copper speaks
// against them.
func doubtScores(r *rule.Result) {
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Level == dfm.MustFix {
			f.Level = dfm.Warning
			f.What += " Lines of that layer end within the board, where no blade can stop: if they are no scores, leave the layer out."
		}
	}
}

// edgeGaps judges copper by its distance from where the board is cut or scored.
func edgeGaps(ctx context.Context, in *measure.Input, c *copper.Copper, n dfm.Name, cut *measure.Border) rule.Result {
	half := halfHoles(in)
	each := measure.Collect(ctx, len(c.Layers), func(k int) *edgeLayer {
		e := &edgeLayer{in: in, c: c, l: c.Layers[k], check: n, cut: cut, half: half}
		if in.Judged()[k] {
			e.measure(ctx)
		}
		return e
	})
	var r rule.Result
	for _, inner := range [2]bool{false, true} {
		gauges := [meantEdge + 1]*rule.LimitCheck{
			rule.MinimumCheck(in, n, inner), rule.MinimumCheck(in, n, inner).Levels(dfm.Warning, dfm.Note),
			rule.MinimumCheck(in, n, inner).Levels(dfm.Warning, dfm.Note), rule.MinimumCheck(in, n, inner).Levels(dfm.Warning, dfm.Note),
			rule.MinimumCheck(in, n, inner).Levels(dfm.Note, dfm.Note),
		}
		for _, e := range each {
			if e == nil || e.l.Outer == inner {
				continue
			}
			for _, n := range e.near {
				gauges[n.kind].Add(n.place)
			}
			for _, n := range e.cutThrough {
				gauges[n.kind].See(n.place) // a finding of its own
			}
		}
		for k, g := range gauges {
			q := g.Result(edgeWords(n, k, inner))
			if k != strayEdge { // verdicts are made of measures: only what cannot be built may count
				q.Measures = nil
			}
			r.Add(q)
		}
	}
	if n == dfm.CopperToVScore {
		r.Add(reportScoreCuts(each))
	} else {
		r.Add(reportOutside(each, hasGuessedOutline(in)))
	}
	return r
}

// reportScoreCuts says what a V-score cuts through.
func reportScoreCuts(each []*edgeLayer) rule.Result {
	var tracks, rest rule.Places
	for _, e := range each {
		if e == nil {
			continue
		}
		for _, n := range e.cutThrough {
			if n.kind == strayEdge {
				tracks.AddUnmeasured(n.place)
			} else {
				rest.AddUnmeasured(n.place)
			}
		}
	}
	words := func(what, of string) func(int) string {
		return func(n int) string {
			return fmt.Sprintf("%s%s %s a line along which the board is scored: the blade cuts %s.", words.Plural(n, what), of, words.Inflect(n, "crosses", "cross"), words.Inflect(n, "it", "them"))
		}
	}
	r := rule.PlaceFinding(dfm.CopperToVScore, dfm.MustFix, words("track", ""), &tracks)
	r.Add(rule.PlaceFinding(dfm.CopperToVScore, dfm.Warning, words("piece", " of copper"), &rest))
	return r
}

// reportOutside says what is cut through by the outline, and what lies beyond it.
func reportOutside(each []*edgeLayer, guessed bool) rule.Result {
	var cut [meantEdge + 1]rule.Places
	var touch [meantEdge + 1]int
	var out rule.Places
	for _, e := range each {
		if e == nil {
			continue
		}
		for _, n := range e.cutThrough {
			cut[n.kind].AddUnmeasured(n.place)
			if n.touches {
				touch[n.kind]++
			}
		}
		for _, p := range e.outside {
			out.AddUnmeasured(p)
		}
	}
	check := dfm.CopperOutside
	if guessed {
		check = dfm.OutlineMissing
	}
	r := rule.PlaceFinding(check, dfm.MustFix, func(n int) string {
		if guessed {
			return fmt.Sprintf("No file holds the outline of the board, and %s %s across the shape that was taken for it: send the layer that draws the board's edge.", words.Plural(n, "track"), verbReach(n))
		}
		return words.Plural(n, "track") + describeCut(n, touch[strayEdge])
	}, &cut[strayEdge])
	r.Add(rule.PlaceFinding(dfm.CopperOutside, dfm.Warning, func(n int) string {
		return fmt.Sprintf("%s of copper %s to or across the outline of the board: the fabricator will draw copper back from the edge.", words.Plural(n, "area"), verbReach(n))
	}, &cut[areaEdge]))
	r.Add(rule.PlaceFinding(dfm.CopperOutside, dfm.Warning, func(n int) string {
		return words.Plural(n, "pad") + describeCut(n, touch[padEdge])
	}, &cut[padEdge]))
	r.Add(rule.PlaceFinding(dfm.CopperOutside, dfm.Warning, func(n int) string {
		return words.Plural(n, "piece") + " of copper that is not connected, such as lettering," + describeCut(n, touch[deadEdge])
	}, &cut[deadEdge]))
	r.Add(rule.PlaceFinding(dfm.CopperOutside, dfm.Note, func(n int) string {
		return fmt.Sprintf("%s on the edge of the board, as edge connectors, plated edges and planes have them.", words.Plural(n, "piece")+" of copper "+lie(n))
	}, &cut[meantEdge]))
	r.Add(rule.PlaceFinding(dfm.CopperOutside, dfm.Note, func(n int) string {
		return fmt.Sprintf("%s of copper %s beyond the outline of the board and will not be made.", words.Plural(n, "piece"), lie(n))
	}, &out))
	return r
}

// describeCut says that n objects lie across the outline, or end right at it as some of them do.
func describeCut(n, touching int) string {
	switch touching {
	case 0:
		return fmt.Sprintf(" %s across the outline of the board: the cutter goes through.", verbReach(n))
	case n:
		return fmt.Sprintf(" %s up to the outline of the board, with nothing between: the cutter tears into what lies there.", verbReach(n))
	}
	return fmt.Sprintf(" %s the outline of the board, %d of them across it: the cutter goes through.", verbReach(n), n-touching)
}

// hasGuessedOutline reports whether the board's shape is that of a drawing, for want of an
// outline: copper across it shows that it is not the board's.
func hasGuessedOutline(in *measure.Input) bool {
	return slices.ContainsFunc(in.Board.Findings, func(f pcb.Finding) bool { return f.Code == "outline_elsewhere" })
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

func edgeWords(n dfm.Name, kind int, inner bool) func(rule.Breach) string {
	from := "the edge of the board"
	if n == dfm.CopperToVScore {
		from = "a V-score"
	}
	return func(j rule.Breach) string {
		near := fmt.Sprintf("the closest is %s away", words.MM(j.Value))
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
			joinWords(words.Plural(j.Count, what), why), layersWord(inner), words.Be(j.Count), words.MM(j.Limit), from, near, end)
	}
}

func joinWords(a, b string) string {
	if b == "" {
		return a
	}
	return a + " " + b
}

// halfHoles are the plated holes that the outline cuts through.
func halfHoles(in *measure.Input) []*measure.Drilled {
	var out []*measure.Drilled
	t := in.Drills()
	for i := range t.List {
		if d := &t.List[i]; d.Plating != pcb.NonPlated && in.Border().CutsHole(d) {
			out = append(out, d)
		}
	}
	return out
}

// An edgeLayer measures the copper of one layer against the cut.
type edgeLayer struct {
	in    *measure.Input
	c     *copper.Copper
	l     *copper.Layer
	check dfm.Name // CopperToEdge or CopperToVScore
	cut   *measure.Border
	half  []*measure.Drilled
	pens  map[fillPen]bool // whether they fill areas, as far as it was asked

	near       []edgePlace
	cutThrough []edgePlace
	outside    []dfm.Place
}

type edgePlace struct {
	kind    int
	touches bool // of what is cut: it ends at the cut, and does not lie across it
	place   dfm.Place
}

func (e *edgeLayer) measure(ctx context.Context) {
	limit := e.in.Limit(e.check, !e.l.Outer)
	least := max(limit.Min, limit.Recommended)
	reach := float64(max(e.in.Reach(e.check, !e.l.Outer), least))
	outside := e.check == dfm.CopperToEdge && e.in.Reach(dfm.CopperOutside, !e.l.Outer) != measure.Unasked
	worst := closest{}
	for i := range e.l.Items {
		if i%1024 == 0 && ctx.Err() != nil {
			return
		}
		s := &e.l.Items[i].Shape
		box := s.Bounds()
		if !e.cut.IsNear(box, int64(reach)+1) {
			if outside && !e.cut.Contains(s.CorePoint()) {
				e.addOutside(i, s.CorePoint())
			}
			continue
		}
		d, p, q, ok := e.cut.Distance(s, reach)
		switch {
		case ok && d <= 0 && repeatsOutline(e.in, e.l, i):
		case (!ok || d > 0) && !e.in.Border().Contains(s.CorePoint()):
			if outside {
				e.addOutside(i, s.CorePoint())
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

func (e *edgeLayer) addOutside(i int, at geom.Point) {
	if repeatsOutline(e.in, e.l, i) {
		return
	}
	e.outside = append(e.outside, dfm.Place{Layer: e.l.Layer.Name, At: at, To: at, Objects: [2]string{e.in.Object(e.l, i)}})
}

// halfHole reports whether a place belongs to a half hole's pad.
func (e *edgeLayer) halfHole(p geom.Point) bool {
	for _, d := range e.half {
		if d.A.Dist(p) < 2*d.Radius()+float64(400*geom.Micrometre) {
			return true
		}
	}
	return false
}

// sort tells contacts of edge connectors from other copper: four or more pads of one shape, or
// tracks of one width whose ends the solder mask leaves open, that end at the same distance from
// the edge.
func (e *edgeLayer) sort(worst closest) {
	type contact struct {
		shape, turn int32
		at          int64
	}
	rows := map[contact]int{}
	of := func(n nearby) (contact, bool) {
		f := e.l.FeatureOf(n.i)
		at := floorDiv(measure.Length(n.d)+5*geom.Micrometre, 10*geom.Micrometre)
		switch {
		case f == nil:
			return contact{}, false
		case f.Kind == pcb.LineFeature:
			return contact{f.Shape, -1, at}, e.in.OpenEnd(e.l, n.i, n.q)
		}
		return contact{f.Shape, f.Transform, at}, f.Kind == pcb.FlashFeature && !e.in.Drills().HasHoleAt(f.A)
	}
	for _, n := range worst {
		if k, ok := of(n); ok {
			rows[k]++
		}
	}
	for _, n := range worst {
		kind := strayEdge
		f := e.l.FeatureOf(n.i)
		k, ok := of(n)
		switch {
		case f == nil:
			kind = meantEdge // planes given as what is taken away are drawn back from the edge by the fabricator
		case f.Function == pcb.FuncConnectorPad, f.Function == pcb.FuncCastellatedPad, ok && rows[k] >= 4:
			kind = meantEdge
		case measure.IsPadItem(e.l, n.i), e.in.IsDrilledPad(e.l, n.i):
			kind = padEdge
		case !e.in.Live()[e.l.Items[n.i].Island]:
			kind = deadEdge
		case e.wantsPlatedEdges() && n.d <= 0:
			kind = meantEdge
		case f.Kind == pcb.RegionFeature, f.Function == pcb.FuncPour, f.Function == pcb.FuncBalancing, n.d <= 0 && (e.isFilledCutout(n.q) || e.leavesRim(n.i, n.q)), isPainted(e.in, e.l, n.i, n.p), e.fills(n.i):
			kind = areaEdge
		case e.in.OpenStroke(e.l, n.i), e.in.Flexible() && e.in.OpenEnd(e.l, n.i, n.q): // tails are soldered by ends of tracks
			kind = padEdge // drawn, and brought to the edge on purpose, as lands and contacts there are
		}
		p := edgePlace{kind, e.touches(n), e.in.PlaceBeside(e.l, n.i, "edge of the board", n.p, n.q, n.d)}
		if n.d <= 0 {
			e.cutThrough = append(e.cutThrough, p)
		} else {
			e.near = append(e.near, p)
		}
	}
}

// touches reports whether what is drawn with a round pen ends right at the cut: the pen's
// middle is half its width away.
func (e *edgeLayer) touches(n nearby) bool {
	return e.l.Items[n.i].Shape.Width() > 4*float64(dfm.Tolerance) && n.d > -float64(dfm.Tolerance)
}

// isFilledCutout reports whether a point lies on the edge of a cutout whose middle is copper:
// where copper goes on as if nothing was there, the cutout may be a mark that was
// drawn into the outline.
func (e *edgeLayer) isFilledCutout(p geom.Point) bool {
	middle, ok := e.cut.CutoutAt(p)
	if !ok {
		return false
	}
	return slices.ContainsFunc(e.c.Layers, func(l *copper.Layer) bool { return l.Covers(middle) })
}

// leavesRim reports whether a line starts, at a point of the cut, where another of its
// width that runs along the cut ends: the rim of a hatched area turns inwards there.
func (e *edgeLayer) leavesRim(i int, at geom.Point) bool {
	const close = 20 * geom.Micrometre
	f := e.l.FeatureOf(i)
	if f.Kind != pcb.LineFeature || min(f.A.Dist(at), f.B.Dist(at)) > float64(close) {
		return false
	}
	rim := false
	e.l.Index.Search(geom.BoxOf(at).Grow(close), func(k int) bool {
		g := e.l.FeatureOf(k)
		rim = k != i && g != nil && g.Kind == pcb.LineFeature && e.l.Layer.Width(g) == e.l.Layer.Width(f) &&
			min(g.A.Dist(at), g.B.Dist(at)) <= float64(close) && g.A.Dist(g.B) > 2*float64(e.l.Layer.Width(g)) && repeatsOutline(e.in, e.l, k)
		return !rim
	})
	return rim
}

// wantsPlatedEdges reports whether the files ask for edges that are copper.
func (e *edgeLayer) wantsPlatedEdges() bool {
	f := e.in.Board.Facts.EdgePlating
	return f.Known && f.Value
}
