package eagle

import (
	"fmt"
	"maps"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/board/upload/outline"
)

// A builder draws what a file holds.
type builder struct {
	*reader
	b      *pcb.Board
	src    pcb.Source
	copper []int // layers of copper, top first
	sheets map[int]*artwork.Sheet
	planes map[int]*plane // by copper layer
	nets   map[contact]int32
	meter  pcb.Meter

	unplaced map[int]int // items on copper that the board is not built of
	short    []shortPolygons
	pours    int
	texts    int
	minTrack int64
}

// shortPolygons are polygons of a net, or of none, that have no area.
type shortPolygons struct {
	net         int32
	count, line int // how many, and where the first is
}

// leaveOut counts a polygon without an area.
func (b *builder) leaveOut(net int32, line int) {
	i := slices.IndexFunc(b.short, func(p shortPolygons) bool { return p.net == net })
	if i < 0 {
		i, b.short = len(b.short), append(b.short, shortPolygons{net: net, line: line})
	}
	b.short[i].count++
}

// A scope is what an item belongs to.
type scope struct {
	t       geom.Transform
	mirror  bool
	element *element
	net     int32
	signal  bool
	label   bool // a text that a part keeps beside its package's
}

func (r *reader) build() *pcb.Board {
	b := &builder{
		reader: r, b: pcb.NewBoard(r.boardName()), src: pcb.Source{File: r.file}, copper: r.rules.copperLayers(),
		sheets: map[int]*artwork.Sheet{}, planes: map[int]*plane{}, nets: map[contact]int32{}, meter: pcb.MeterOf(r.ctx), unplaced: map[int]int{},
	}
	for i, n := range b.copper {
		s := b.sheet(n)
		s.Layer.Order, s.Layer.Side = i+1, pcb.Inner
		switch {
		case i == 0 && n != bottomLayer:
			s.Layer.Side = pcb.Top
		case i == len(b.copper)-1:
			s.Layer.Side = pcb.Bottom
		}
		b.planes[n] = &plane{}
	}
	b.draw()
	for _, n := range b.copper {
		if b.ctx.Err() != nil {
			break
		}
		b.fill(b.sheets[n], b.planes[n])
	}
	b.finish()
	b.b.Remarks = b.remarks
	return b.b
}

func (b *builder) draw() {
	for _, s := range b.signals {
		net := b.b.Net(s.name)
		for _, c := range s.pads {
			b.nets[c] = net
		}
	}
	b.drawItems(b.plain, scope{})
	for _, x := range b.elements {
		b.element(x)
	}
	for _, s := range b.signals {
		b.drawItems(s.items, scope{net: b.b.Net(s.name), signal: true})
	}
}

// drawItems draws items while the budget lasts.
func (b *builder) drawItems(items []item, s scope) {
	for i := range items {
		if !b.meter.Spend(pcb.Shapes, 1+items[i].corners()) {
			return
		}
		b.item(&items[i], s)
	}
}

func (b *builder) element(x *element) {
	p := b.packages[x.key]
	x.component(b.b, p)
	if p == nil {
		b.finding(pcb.Problem, "package_missing", x.line, "the package %q of part %q is not in the file: its pads are missing", x.key.name, x.name)
		return
	}
	s := scope{t: x.rot.transformAt(x.at), mirror: x.rot.mirror, element: x}
	b.drawItems(p.items, s)
	for i := range x.attributes {
		if a := &x.attributes[i]; x.smashed && a.shown {
			label := a.label
			label.text = ">" + a.name
			b.text(&label, scope{element: x, label: true})
		}
	}
}

// sheet is the drawing of a layer, begun when it is first used.
func (b *builder) sheet(n int) *artwork.Sheet {
	if s, ok := b.sheets[n]; ok {
		return s
	}
	u := useOf(n)
	if slices.Contains(b.copper, n) {
		u = use{role: pcb.RoleCopper}
	}
	name := b.names[n]
	if name == "" {
		name = layerName(n)
	}
	s := artwork.NewSheet(name, b.file, u.role, u.side).SetMeter(b.meter)
	b.sheets[n] = s
	b.b.Layers = append(b.b.Layers, s.Layer)
	return s
}

// finish finds the outline and states what is known.
func (b *builder) finish() {
	q := b.b
	outline.Shape(b.ctx, q)
	q.Outline.Source.File = b.file
	b.rules.build(q, b.copper, b.file)
	b.rules.state(q)
	artwork.StateHoles(q, b.src)
	if b.minTrack > 0 {
		q.Facts.MinTrack = pcb.State(b.minTrack, b.src, 0.9, "narrowest line on copper")
	}
	q.Facts.Tool = pcb.State("EAGLE "+b.version, b.src, 0.95, "EAGLE file")
	b.tell()
	q.Findings = append(q.Findings, b.findings...)
}

// tell says what could not be drawn as it will be made.
func (b *builder) tell() {
	if b.pours > 0 {
		b.finding(pcb.Warning, "pours_unfilled", 0, "the file holds %d pours without their fills, as most EAGLE boards do; they are drawn as solid areas that keep clear of other nets, without thermal spokes: send Gerbers for what will be made", b.pours)
	}
	if b.texts > 0 {
		b.finding(pcb.Note, "text_plain", 0, "%d texts are drawn with plain strokes, not with EAGLE's letters", b.texts)
	}
	for _, p := range b.short {
		what, have := "a polygon", "has"
		if p.count > 1 {
			what, have = fmt.Sprintf("%d polygons", p.count), "have"
		}
		if p.net > 0 {
			what += " of " + untrusted.Mention(b.b.Nets[p.net].Name)
		}
		b.finding(pcb.Warning, "polygon_short", p.line, "%s %s fewer than three corners: left out, since nothing lies between them", what, have)
		b.findings[len(b.findings)-1].Count = p.count
	}
	for _, n := range slices.Sorted(maps.Keys(b.unplaced)) {
		b.finding(pcb.Warning, "layer_unused", b.rules.line, "copper layer %d holds %d items, but the layer setup does not build the board of it", n, b.unplaced[n])
	}
	if s := b.sheets[millingLayer]; s != nil && len(s.Layer.Features) > 0 {
		b.finding(pcb.Warning, "milling_apart", 0, "the milling layer is drawn but not cut out of the outline: say whether its lines are slots, and plated")
	}
	if b.ctx.Err() != nil {
		b.finding(pcb.Problem, "time_out", 0, "reading took longer than allowed; the rest of the board was left out")
	}
}
