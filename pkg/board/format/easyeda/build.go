package easyeda

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/outline"
)

// A layer is what a number of a design's layers stands for.
type layer struct {
	name    string
	role    pcb.Role
	side    pcb.Side
	order   int  // of copper, from the top
	ignored bool // nothing on it is made: connections that are missing, bodies of parts
}

// A builder draws the elements of one document.
type builder struct {
	ctx    context.Context
	file   string
	b      *pcb.Board
	src    pcb.Source
	layers map[int]layer
	copper []int // numbers of the copper layers, top first
	sheets map[int]*artwork.Sheet
	meter  pcb.Meter

	minTrack int64
	unread   map[string]int // elements that were not understood, by their kind
	texts    int            // drawn with plain strokes
	fonts    []string       // texts whose letters are those of a font
	unpoured map[pouring]bool
	findings []pcb.Finding
}

// pouring is where a pour is missing.
type pouring struct {
	layer int
	net   string
}

func newBuilder(ctx context.Context, file, name string, layers map[int]layer) *builder {
	b := &builder{
		ctx: ctx, file: file, b: pcb.NewBoard(name), src: pcb.Source{File: file}, layers: layers,
		sheets: map[int]*artwork.Sheet{}, meter: pcb.MeterOf(ctx), unread: map[string]int{}, unpoured: map[pouring]bool{},
	}
	for n, l := range layers {
		if l.role == pcb.RoleCopper {
			b.copper = append(b.copper, n)
		}
	}
	slices.SortFunc(b.copper, func(x, y int) int { return cmp.Compare(layers[x].order, layers[y].order) })
	for _, n := range b.copper {
		b.sheet(n)
	}
	return b
}

// find gives the number of the layer of a role and side; 0 where there is none.
func (b *builder) find(role pcb.Role, side pcb.Side) int {
	for n, l := range b.layers {
		if l.role == role && l.side == side {
			return n
		}
	}
	return 0
}

// sheet is the drawing of a layer, begun when it is first used.
func (b *builder) sheet(n int) *artwork.Sheet {
	if s, ok := b.sheets[n]; ok {
		return s
	}
	l := b.layers[n]
	s := artwork.NewSheet(l.name, b.file, l.role, l.side).SetMeter(b.meter)
	s.Layer.Order = l.order
	b.sheets[n] = s
	b.b.Layers = append(b.b.Layers, s.Layer)
	return s
}

// An element is drawn on one layer. Findings call it by its kind: TRACK, PAD.
type element struct {
	kind  string
	layer int
	net   string
}

// misread counts an element that was not understood.
func (b *builder) misread(kind string) {
	if _, ok := b.unread[kind]; ok || len(b.unread) < maxKinds {
		b.unread[kind]++
	}
}

// maxKinds is how many kinds of elements findings tell apart.
const maxKinds = 32

// target is the drawing that an element goes to; nil where nothing is made of it.
func (b *builder) target(e element) *artwork.Sheet {
	l, ok := b.layers[e.layer]
	switch {
	case !ok:
		b.misread(e.kind)
		return nil
	case l.ignored:
		return nil
	}
	return b.sheet(e.layer)
}

func (b *builder) meta(e element) artwork.Meta {
	m := artwork.Meta{Function: pcb.FuncMaterial}
	switch b.layers[e.layer].role {
	case pcb.RoleOutline:
		m.Function = pcb.FuncProfile
	case pcb.RoleCopper:
		m.Function = pcb.FuncNonConductor
		if m.Net = b.b.Net(e.net); m.Net > 0 {
			m.Function = pcb.FuncConductor
		}
	}
	return m
}

// stroke draws along a path with a round pen.
func (b *builder) stroke(e element, p geom.Path, width int64) {
	s := b.target(e)
	if s == nil || !b.meter.Spend(pcb.Shapes, 1+p.Len()) {
		return
	}
	m := b.meta(e)
	if m.Function == pcb.FuncConductor && width > 0 && (b.minTrack == 0 || width < b.minTrack) {
		b.minTrack = width
	}
	if p.Len() == 0 && len(p.Points) == 1 {
		s.Flash(p.Points[0], artwork.Circle(width), 0, false, m)
		return
	}
	s.Path(p, width, m)
}

// fill fills what closed paths enclose, less what others enclose within.
func (b *builder) fill(e element, paths []geom.Path) {
	s := b.target(e)
	if s == nil {
		return
	}
	for _, a := range outline.Nest(b.closePaths(paths), b.meter) {
		s.Region(a, b.meta(e))
	}
}

// closePaths gives the paths that enclose something, closed.
func (b *builder) closePaths(paths []geom.Path) []geom.Path {
	var out []geom.Path
	for _, p := range paths {
		if !b.meter.Spend(pcb.Shapes, 1+p.Len()) {
			return nil
		}
		if n := len(p.Points); n > 2 || n == 2 && len(p.Bends) > 0 {
			p.Closed = true
			out = append(out, p)
		}
	}
	return out
}

// pour fills one piece of a pour, whose first path is its border and the others what is
// kept out of it. A pen runs along all of them.
func (b *builder) pour(e element, paths []geom.Path, pen int64) {
	s := b.target(e)
	rings := b.closePaths(paths)
	if s == nil || len(rings) == 0 {
		return
	}
	m := b.meta(e)
	if m.Function == pcb.FuncConductor {
		m.Function = pcb.FuncPour
	}
	s.Region(geom.Polygon{Outer: rings[0], Holes: rings[1:]}, m)
	if pen > 0 {
		for _, p := range rings {
			s.Path(p, pen, m)
		}
	}
}

// missPour notes a pour of which the file does not hold the copper.
func (b *builder) missPour(e element) {
	if l := b.layers[e.layer]; l.role == pcb.RoleCopper {
		b.unpoured[pouring{e.layer, e.net}] = true
	}
}

// cut draws the borders of areas that are cut out of the board.
func (b *builder) cut(kind string, paths []geom.Path) {
	for _, p := range b.closePaths(paths) {
		b.stroke(element{kind: kind, layer: b.find(pcb.RoleOutline, pcb.NoSide)}, p, 0)
	}
}

// write draws a text's strokes and keeps its words.
func (b *builder) write(e element, t pcb.Text, strokes []geom.Path, pen int64) {
	s := b.target(e)
	if s == nil {
		return
	}
	s.Layer.Texts = append(s.Layer.Texts, t)
	for _, p := range strokes {
		b.stroke(element{kind: e.kind, layer: e.layer}, p, pen)
	}
}

// finish finds the outline and states what is known.
func (b *builder) finish(tool string) *pcb.Board {
	q := b.b
	outline.Shape(b.ctx, q)
	q.Outline.Source.File = b.file
	artwork.StateHoles(q, b.src)
	q.Facts.CopperLayers = pcb.State(len(b.copper), b.src, 0.95, "layers of the EasyEDA file")
	if b.minTrack > 0 {
		q.Facts.MinTrack = pcb.State(b.minTrack, b.src, 0.9, "narrowest line on copper")
	}
	q.Facts.Tool = pcb.State(tool, b.src, 0.95, "EasyEDA file")
	b.tell()
	q.Findings = append(q.Findings, b.findings...)
	return q
}

// tell says what could not be drawn as it will be made.
func (b *builder) tell() {
	for _, kind := range slices.Sorted(maps.Keys(b.unread)) {
		b.finding(pcb.Problem, "element_unread", "elements of the kind %q that were not understood: %d; they are missing from the board: send the Gerbers and drill files that EasyEDA makes", kind, b.unread[kind])
		b.findings[len(b.findings)-1].Count = b.unread[kind]
	}
	missing := slices.SortedFunc(maps.Keys(b.unpoured), func(x, y pouring) int {
		return cmp.Or(cmp.Compare(x.layer, y.layer), cmp.Compare(x.net, y.net))
	})
	for _, p := range missing {
		if net := b.b.Net(p.net); net != 0 && !slices.Contains(b.b.Unfilled, net) {
			b.b.Unfilled = append(b.b.Unfilled, net)
		}
	}
	if n := len(missing); n > 0 {
		b.finding(pcb.Problem, "pours_unfilled", "pours without copper in the file: %d, such as that of %q on %s; rebuild all copper areas (Shift+B) and save it again, or send the Gerbers and drill files that EasyEDA makes", n, missing[0].net, b.layers[missing[0].layer].name)
		b.findings[len(b.findings)-1].Count = n
	}
	if b.texts > 0 {
		b.finding(pcb.Note, "text_plain", "%d texts are drawn with plain strokes, not with EasyEDA's letters", b.texts)
	}
	if n := len(b.fonts); n > 0 {
		b.finding(pcb.Warning, "text_font", "%d texts of copper or solder mask, such as %q, have letters of a font that is not drawn: plain strokes take their place; send Gerbers if they are symbols or matter", n, b.fonts[0])
	}
	if b.ctx.Err() != nil {
		b.finding(pcb.Problem, "time_out", "reading took longer than allowed; the rest of the board was left out")
	}
}

func (b *builder) finding(level pcb.Level, code, format string, args ...any) {
	b.findings = append(b.findings, pcb.Finding{Code: code, Level: level, File: b.file, Message: fmt.Sprintf(format, args...)})
}
