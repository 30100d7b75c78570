package outline

import (
	"context"
	"fmt"
	"math"
	"slices"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/parallel"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// search looks for the outline of a board that has no outline layer on the
// layers where tools also draw it: mechanical and fabrication drawings, drill
// drawings, silkscreens, even copper. It is the smallest closed shape that holds
// nearly all copper and holes, is not much larger than they are and that no track
// runs across. Drawings need
// to hold the pads and holes only, for titles and marks often stand beside them on
// copper layers too.
func search(ctx context.Context, b *pcb.Board) bool {
	if edgeOfHairlines(ctx, b) {
		return true
	}
	m := pcb.MeterOf(ctx)
	all := copperContent(b, nil)
	holes := holesFit(b, all)
	if holes {
		all = content(b, nil)
	}
	if len(all) == 0 {
		return false
	}
	var edge found
	var seen [][]geom.Path                        // the shapes of each layer that was looked at
	for _, copper := range [2]bool{false, true} { // copper only if nothing else shows it
		points := all
		if !copper {
			points = pads(b, all, holes)
		}
		shapes := make([][]geom.Path, len(b.Layers))
		seen = shapes
		_ = parallel.Run(ctx, len(shapes), func(i int) {
			if l := b.Layers[i]; (l.Role == pcb.RoleCopper || l.Role == pcb.RoleUnknown) == copper && mayShow(l) {
				shapes[i] = loops(strokes(l), points, m)
			}
		})
		limit := 3 * extent(points)
		var rim, drawn found // of a pour, and on a mechanical layer
		for i, l := range b.Layers {
			for _, p := range shapes[i] {
				if !m.Spend(pcb.Lookups, len(p.Points)) {
					return false
				}
				a := math.Abs(p.Area())
				if a >= limit || !holds(p, points, m) || isCrossed(b, p, m) {
					continue
				}
				if copper && edgesArea(l, p, m) {
					rim.offer(p, a, l)
					continue
				}
				edge.offer(p, a, l)
				if l.Role == pcb.RoleOutline || l.Role == pcb.RoleMechanical {
					drawn.offer(p, a, l)
				}
			}
		}
		if edge.on == nil { // copper ends before the edge
			edge = rim
		}
		if edge.on != nil && edge.on.Role == pcb.RoleSilk && drawn.goesRound(edge.shape) {
			edge = drawn
		}
		if edge.on != nil {
			break
		}
	}
	if edge.on == nil {
		return false
	}
	takeElsewhere(ctx, b, edge.shape, edge.on, seen, all, fmt.Sprintf("no file is the outline; the board's shape was taken from what the %s layer draws round its copper; if that line is the edge of the board, say so in file_answers.outline", edge.on.Role))
	return true
}

// found is the smallest shape so far, and the layer that draws it; nil before the first.
type found struct {
	shape geom.Path
	area  float64
	on    *pcb.Layer
}

func (f *found) offer(p geom.Path, area float64, l *pcb.Layer) {
	if f.on == nil || area < f.area {
		*f = found{p, area, l}
	}
}

// goesRound tells whether a shape follows another at a little distance, as the edge does
// round a frame in the silkscreen.
func (f *found) goesRound(inner geom.Path) bool {
	const apart = 2 * geom.Millimetre
	if f.on == nil {
		return false
	}
	box := f.shape.Bounds()
	return box.Grow(alikeWithin).ContainsBox(inner.Bounds()) && inner.Bounds().Grow(apart).ContainsBox(box)
}

// edgesArea tells whether a shape is the rim of what a layer fills: the pen that draws
// the rim goes along the border of the filled area, which may come in many pieces, within
// its own width.
func edgesArea(l *pcb.Layer, p geom.Path, m pcb.Meter) bool {
	const pen = 300 * geom.Micrometre
	box, filled := p.Bounds(), geom.EmptyBox()
	for i := range l.Features {
		f := &l.Features[i]
		if f.Kind != pcb.RegionFeature || f.Clear {
			continue
		}
		q := l.Regions[f.Shape].Outer
		if !m.Spend(pcb.Lookups, len(q.Points)) {
			return true
		}
		if in := q.Bounds(); box.Grow(alikeWithin).ContainsBox(in) {
			filled = filled.Add(in.Min).Add(in.Max)
		}
	}
	return !filled.Empty() && filled.Grow(pen).ContainsBox(box)
}

// takeElsewhere makes a closed shape of a layer that is no outline the board's, and says
// so. seen are the shapes of each layer that was looked at, all is where the board has
// copper and holes.
func takeElsewhere(ctx context.Context, b *pcb.Board, edge geom.Path, from *pcb.Layer, seen [][]geom.Path, all []geom.Point, why string) {
	b.Outline = pcb.Outline{Closed: true, Source: pcb.Source{File: from.File},
		Areas: []geom.Polygon{{Outer: orient(edge, true)}}}
	conf, how := 0.6, "closed shape round the copper on another layer"
	finding := pcb.Finding{Code: "outline_elsewhere", Level: pcb.Warning, File: from.File, Layer: from.Name, Message: why, Answers: []answers.Answer{answers.Outline(from.File)}}
	if n := evidence(ctx, b, from, edge, seen); n >= enoughEvidence && math.Abs(edge.Area()) < 1.5*extent(all) { // a frame is larger
		conf, how = 0.8, "the same closed shape round the copper on several layers"
		finding.Code, finding.Message = "outline_repeated", fmt.Sprintf("no file is the outline; %d layers draw the same closed line round the board, which its shape was taken from", n+1)
		for _, l := range b.Copper() { // the edge is no copper
			if !l.Negative {
				dropAlong(l, edge, isDrawn, pcb.MeterOf(ctx))
			}
		}
	}
	b.Findings = append(b.Findings, finding)
	box := b.Outline.Bounds()
	b.Facts.Width.Offer(pcb.State(box.Width(), b.Outline.Source, conf, how))
	b.Facts.Height.Offer(pcb.State(box.Height(), b.Outline.Source, conf, how))
}

// enoughEvidence is how many more files have to draw a shape for it to be the
// board's edge: tools that draw the edge in every layer file do so, and no drawing that
// happens to go round the copper is in three of them.
const enoughEvidence = 2

// evidence counts the other files that draw the same closed shape as a layer. The
// shapes of layers that were looked at before are not looked for again.
func evidence(ctx context.Context, b *pcb.Board, from *pcb.Layer, edge geom.Path, seen [][]geom.Path) int {
	m := pcb.MeterOf(ctx)
	same := func(p geom.Path) bool { return areAlike(p, edge) }
	drawn := make([]bool, len(b.Layers))
	_ = parallel.Run(ctx, len(drawn), func(i int) {
		l := b.Layers[i]
		if l.File == from.File || l.Role == pcb.RoleDrill {
			return
		}
		shapes := seen[i]
		if edges := strokes(l); shapes == nil && reachesSides(edges, edge.Bounds()) {
			shapes = loops(edges, edge.Points, m)
		}
		drawn[i] = slices.ContainsFunc(shapes, same)
	})
	files := map[string]bool{}
	for i, l := range b.Layers {
		if drawn[i] {
			files[l.File] = true
		}
	}
	return len(files)
}

// reachesSides tells whether an edge ends at each side of a box: only then can the
// edges draw a shape that fills it.
func reachesSides(edges []geom.Edge, box geom.Box) bool {
	var left, right, bottom, top bool
	for _, e := range edges {
		b := e.Bounds()
		left = left || isNear(b.Min.X, box.Min.X, alikeWithin)
		right = right || isNear(b.Max.X, box.Max.X, alikeWithin)
		bottom = bottom || isNear(b.Min.Y, box.Min.Y, alikeWithin)
		top = top || isNear(b.Max.Y, box.Max.Y, alikeWithin)
	}
	return left && right && bottom && top
}

// alikeWithin is how far apart the sides of shapes that are alike may lie.
const alikeWithin = 50 * geom.Micrometre

// areAlike tells whether two shapes are one, but for how finely they are drawn.
func areAlike(p, q geom.Path) bool {
	a, b := p.Bounds(), q.Bounds()
	size := math.Abs(q.Area())
	return a.Grow(alikeWithin).ContainsBox(b) && b.Grow(alikeWithin).ContainsBox(a) && math.Abs(math.Abs(p.Area())-size) < size/200
}

// loops gives the closed shapes among edges that could go round the points.
func loops(edges []geom.Edge, points []geom.Point, m pcb.Meter) []geom.Path {
	const tooMany = 200_000
	box, content := geom.EmptyBox(), geom.BoxOf(points...)
	for _, e := range edges {
		box = box.Add(e.A).Add(e.B)
	}
	if len(edges) > tooMany || box.Width() < content.Width()*2/3 || box.Height() < content.Height()*2/3 {
		return nil
	}
	closed, open := newChainer(edges, m).chains()
	// Of what is open only long chains are sides of a board; the rest is text.
	long := open[:0]
	least := float64(content.Width()+content.Height()) / 100
	for _, p := range open {
		if p.Length() > least {
			long = append(long, p)
		}
	}
	const most = 3000
	if len(long) <= most {
		closed, _, _ = closeGaps(closed, long, MaxGap, m)
	}
	return closed
}

// AreaAround gives the area of the smallest closed shape on a layer that holds nearly
// all of the points, in square nanometres; false when there is none.
func AreaAround(ctx context.Context, l *pcb.Layer, points []geom.Point) (float64, bool) {
	m, least := pcb.MeterOf(ctx), math.Inf(1)
	for _, p := range loops(strokes(l), points, m) {
		if a := math.Abs(p.Area()); a < least && holds(p, points, m) {
			least = a
		}
	}
	return least, !math.IsInf(least, 1)
}

// Frame gives the extent of a plain frame round all of the points: a layer of few strokes
// that draws such a shape and nothing beyond it.
func Frame(ctx context.Context, l *pcb.Layer, points []geom.Point) (geom.Box, bool) {
	const few = 60
	m, edges := pcb.MeterOf(ctx), strokes(l)
	if len(l.Features) > few || len(edges) < len(l.Features) {
		return geom.Box{}, false
	}
	drawn := geom.EmptyBox()
	for _, e := range edges {
		drawn = drawn.Union(e.Bounds())
	}
	for _, p := range loops(edges, points, m) {
		if box := p.Bounds(); box.Grow(alikeWithin).ContainsBox(drawn) && holds(p, points, m) {
			return box, true
		}
	}
	return geom.Box{}, false
}

// holesFit reports whether at least half of the holes lie where the copper is. Those of a
// drill file that is moved, or of another board, say nothing of where the board is.
func holesFit(b *pcb.Board, copper []geom.Point) bool {
	if len(copper) == 0 {
		return true
	}
	box, in := geom.BoxOf(copper...).Grow(2*geom.Millimetre), 0
	for i := range b.Holes {
		if box.Contains(b.Holes[i].A) {
			in++
		}
	}
	return 2*in >= len(b.Holes)
}

// pads samples where copper is flashed and, where asked, holes are made; all when these
// are too few to tell the board.
func pads(b *pcb.Board, all []geom.Point, holes bool) []geom.Point {
	const enough, most = 20, 2000
	var out []geom.Point
	for _, l := range b.Copper() {
		for i := range l.Features {
			if f := &l.Features[i]; !f.Clear && f.Kind == pcb.FlashFeature {
				out = append(out, f.A)
			}
		}
	}
	for i := range b.Holes {
		if holes {
			out = append(out, b.Holes[i].A)
		}
	}
	if len(out) < enough {
		return all
	}
	n := 0
	for i := 0; i < len(out); i += len(out)/most + 1 {
		out[n] = out[i]
		n++
	}
	return out[:n]
}

func mayShow(l *pcb.Layer) bool {
	switch l.Role {
	case pcb.RoleMask, pcb.RolePaste, pcb.RoleDrill, pcb.RoleGlue, pcb.RoleKeepOut, pcb.RoleCourtyard:
		return false
	}
	return l.Process == "" // it may draw round what is processed
}

// strokes gives the drawn lines and arcs of a layer.
func strokes(l *pcb.Layer) []geom.Edge {
	out := make([]geom.Edge, 0, len(l.Features))
	for i := range l.Features {
		if f := &l.Features[i]; !f.Clear && (f.Kind == pcb.LineFeature || f.Kind == pcb.ArcFeature) {
			out = append(out, l.Edge(f))
		}
	}
	return out
}

// extent is the area of the points' box, with a margin.
func extent(points []geom.Point) float64 {
	box := geom.BoxOf(points...).Grow(2 * geom.Millimetre)
	return float64(box.Width()) * float64(box.Height())
}

// holds tells whether a path encloses nearly all points.
func holds(p geom.Path, points []geom.Point, m pcb.Meter) bool {
	box := p.Bounds()
	out := 0
	for _, q := range points {
		if !m.Spend(pcb.Lookups, len(p.Points)) {
			return false
		}
		if !box.Contains(q) || p.Winding(q) == 0 {
			if out++; out*50 > len(points) {
				return false
			}
		}
	}
	return true
}

// isCrossed tells whether a track runs across a shape: then it is that of something
// else, such as the board below, for nobody cuts a board through its tracks.
func isCrossed(b *pcb.Board, p geom.Path, m pcb.Meter) bool {
	const clear = 100 * geom.Micrometre // beyond what a line drawn along the edge lies beside it
	var boxes []geom.Box
	for e := range p.Edges() {
		boxes = append(boxes, e.Bounds())
	}
	edges := shape.NewIndex(boxes).SetMeter(m)
	apart := func(q geom.Point) bool { d, _ := p.Distance(q); return d > float64(clear) }
	for _, l := range b.Copper() {
		for i := range l.Features {
			f := &l.Features[i]
			if f.Clear || f.Kind != pcb.LineFeature && f.Kind != pcb.ArcFeature || f.Function == pcb.FuncNonConductor || f.Function == pcb.FuncProfile {
				continue
			}
			meets := false
			edges.Search(l.Edge(f).Bounds(), func(int) bool { meets = true; return false })
			if !meets {
				continue
			}
			if !m.Spend(pcb.Lookups, 4*len(p.Points)) {
				return false
			}
			if (p.Winding(f.A) == 0) != (p.Winding(f.B) == 0) && apart(f.A) && apart(f.B) {
				return true
			}
		}
	}
	return false
}
