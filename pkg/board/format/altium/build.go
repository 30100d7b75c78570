package altium

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// A builder draws what a file holds.
type builder struct {
	*reader
	b      *pcb.Board
	src    pcb.Source
	origin geom.Point
	copper []layer // top first
	names  map[layer]string
	sheets map[layer]*artwork.Sheet
	nets   []int32 // of the board, by the file's number
	shape  geom.Box
	framed map[layer]geom.Box // round lines of no part, by layer

	maskGrow, pasteGrow int64
	minTrack            int64
	texts, guessed      int
	poured              map[int]bool  // polygons that have copper
	ties                map[int]bool  // parts whose own copper joins nets
	unplaced            map[layer]int // objects on copper that the board is not built of
	special             map[string]bool
	fonts               []string // texts of copper and masks whose letters are other ones
}

func (r *reader) build() (*pcb.Board, error) {
	all, copper, err := r.stack()
	if err != nil {
		return nil, err
	}
	p := r.design.board
	b := &builder{
		reader: r, b: pcb.NewBoard(r.boardName()), src: pcb.Source{File: r.file}, copper: copper,
		origin: geom.Pt(p.length("ORIGINX"), p.length("ORIGINY")), names: map[layer]string{}, sheets: map[layer]*artwork.Sheet{},
		framed: map[layer]geom.Box{}, poured: map[int]bool{}, ties: map[int]bool{}, unplaced: map[layer]int{}, special: map[string]bool{},
		maskGrow: r.design.expansion("SolderMaskExpansion", 101_600), pasteGrow: r.design.expansion("PasteMaskExpansion", 0),
	}
	for i := topLayer; i <= multiLayer; i++ {
		b.names[i] = p.text(fmt.Sprintf("LAYER%dNAME", i))
	}
	for _, s := range all {
		if s.kind == pcb.StackCopper && s.name != "" {
			b.names[s.layer] = s.name
		}
	}
	b.begin()
	if err := b.outline(); err != nil {
		return nil, err
	}
	b.draw()
	b.finish(all)
	if len(b.unplaced) > 0 {
		l := slices.Min(slices.Collect(maps.Keys(b.unplaced)))
		return nil, refuse("%s holds %d objects, but the layer stack does not build the board of it: a layer like that", b.layerName(l), b.unplaced[l])
	}
	return b.b, b.meter.Err()
}

// begin makes the copper layers, in order, and the ones that every board has.
func (b *builder) begin() {
	for i, l := range b.copper {
		s := b.sheet(l)
		s.Layer.Order, s.Layer.Side = i+1, pcb.Inner
		switch {
		case i == 0 && l != bottomLayer:
			s.Layer.Side = pcb.Top
		case i == len(b.copper)-1:
			s.Layer.Side = pcb.Bottom
		}
	}
	for _, n := range b.design.nets {
		b.nets = append(b.nets, b.b.Net(n))
	}
}

// draw goes through all objects, pours first.
func (b *builder) draw() {
	d := &b.design
	b.components()
	b.findTies()
	for i := range d.regions {
		b.region(&d.regions[i])
	}
	for i := range d.fills {
		b.fill(&d.fills[i])
	}
	for i := range d.lines {
		b.line(&d.lines[i])
	}
	for i := range d.arcs {
		b.arc(&d.arcs[i])
	}
	for i := range d.vias {
		b.drawVia(&d.vias[i])
	}
	for i := range d.pads {
		b.pad(&d.pads[i])
	}
	for i := range d.texts {
		b.text(&d.texts[i])
	}
	b.mounts()
}

// sheet is the drawing of a layer, begun when it is first used.
func (b *builder) sheet(l layer) *artwork.Sheet {
	if s, ok := b.sheets[l]; ok {
		return s
	}
	role, side := l.use()
	if l.signal() {
		role, side = pcb.RoleCopper, pcb.NoSide
	}
	s := artwork.NewSheet(b.layerName(l), b.file, role, side).SetMeter(b.meter)
	b.sheets[l] = s
	b.b.Layers = append(b.b.Layers, s.Layer)
	return s
}

func (b *builder) layerName(l layer) string {
	if n := b.names[l]; n != "" {
		return n
	}
	return fmt.Sprint("layer ", l)
}

// targets are the layers that an object is drawn on; none for copper that the board is
// not built of, and for what is no layer of the board.
func (b *builder) targets(l layer) []layer {
	switch {
	case l == multiLayer:
		return b.copper
	case l == 0 || l > multiLayer:
		return nil
	case (l.signal() || l.plane()) && !slices.Contains(b.copper, l):
		b.unplaced[l]++
		return nil
	}
	return []layer{l}
}

// meta is what a feature of the object carries on a layer.
func (b *builder) meta(o *object, l layer) artwork.Meta {
	m := artwork.Meta{Line: o.record, Function: pcb.FuncMaterial}
	if l.signal() {
		m.Net, m.Function = b.netOf(o), pcb.FuncConductor
		if m.Net == 0 {
			m.Function = pcb.FuncNonConductor
		}
		if b.ties[o.part] {
			m.Net = 0
		}
	}
	return m
}

func (b *builder) netOf(o *object) int32 {
	if o.net < len(b.nets) {
		return b.nets[o.net]
	}
	return 0
}

// finish finds the outline and states what is known.
func (b *builder) finish(all []stratum) {
	q := b.b
	b.buildStack(all)
	b.settle()
	b.design.stateRules(&q.Rules)
	artwork.StateHoles(q, b.src)
	if b.minTrack > 0 {
		q.Facts.MinTrack = pcb.State(b.minTrack, b.src, 0.9, "narrowest line on copper")
	}
	q.Facts.Tool = pcb.State("Altium Designer", b.src, 0.9, "Altium board file")
	b.reportUnpoured()
	b.reportScopedRules()
	if b.texts > 0 {
		b.finding(pcb.Note, "text_plain", "%d texts are drawn with plain strokes, not with Altium's letters", b.texts)
	}
	if n := len(b.fonts); n > 0 {
		b.finding(pcb.Warning, "text_font", "%d texts of copper or solder mask, such as %q, have letters of a font that is not drawn: plain strokes take their place; send Gerbers if they are symbols or matter", n, b.fonts[0])
	}
	if len(b.special) > 0 {
		names := slices.Sorted(maps.Keys(b.special))
		b.finding(pcb.Note, "text_unread", "texts that Altium fills in on output are not drawn: %s", strings.Join(names[:min(len(names), 6)], ", "))
	}
	q.Findings = append(q.Findings, b.findings...)
}

// reportUnpoured says which pours the file holds without their copper.
func (b *builder) reportUnpoured() {
	for i, p := range b.design.polygons {
		if !p.layer.signal() || p.shelved || p.corners < 3 || b.poured[i] {
			continue
		}
		b.finding(pcb.Warning, "pours_unfilled", "the pour %q on %s has no copper in the file: pour it again and save, if it should have", p.name, b.layerName(p.layer))
		if p.net < len(b.nets) && b.nets[p.net] != 0 && !slices.Contains(b.b.Unfilled, b.nets[p.net]) {
			b.b.Unfilled = append(b.b.Unfilled, b.nets[p.net])
		}
	}
}
