package kicad

import (
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/internal/sexpr"
	"boardorder/pkg/board/pcb"
)

// A pad as the file states it, lengths in nanometres.
type pad struct {
	number, kind string // kind: smd, thru_hole, connect, np_thru_hole
	shape        padShape
	at           geom.Point // on the board
	turn         float64
	offset       geom.Point // of the shape from at, before turning
	drillX       int64
	drillY       int64
	slot         bool
	layers       []*pcbLayer
	net, pin     int32
	clearance    int64 // of its own, in the place of its net's
	function     pcb.Function
	line         int

	maskMargin, pasteMargin     int64
	hasMask, hasPaste, hasRatio bool
	pasteRatio                  float64
	removeUnused, keepEnd       bool
	zoneLayers                  []*pcbLayer
	stack                       map[string]stackShape // by layer, where they differ
	pinFunction                 string
}

func (r *pcbReader) pad(n sexpr.Node, f *footprint) {
	p := pad{number: n.Part(1).Text(), kind: padKind(n.Part(2)), line: n.Line(), layers: r.padLayers[:0]}
	p.shape.kind = shapeKind(n.Part(3))
	for c := range n.Args() {
		if c.IsList() {
			r.padPart(&p, c, f)
		}
	}
	p.shape.finish()
	r.inherit(&p, f)
	p.function = p.functionOf()
	side := pcb.NoSide
	if p.drillX == 0 {
		side = pcb.Top
		if !hasCopperOn(p.layers, pcb.Top) && hasCopperOn(p.layers, pcb.Bottom) {
			side = pcb.Bottom
		}
	}
	p.pin = r.pin(f, p.number, p.pinFunction, p.net, p.at, side)
	r.padClearance(&p, f)
	r.countPad(&p, f)
	r.drawPad(&p)
	r.drillPad(&p)
	r.padLayers = p.layers
}

// padKind is the word for how a pad is made.
func padKind(n sexpr.Node) string { return wordOf(n, "smd", "thru_hole", "connect", "np_thru_hole") }

// wordOf is the text of a node that is likely one of some words.
func wordOf(n sexpr.Node, words ...string) string {
	for _, w := range words {
		if n.Says(w) {
			return w
		}
	}
	return n.Text()
}

func (r *pcbReader) padPart(p *pad, c sexpr.Node, f *footprint) {
	v := c.Part(1)
	switch string(c.Name()) {
	case "at":
		p.at = f.frame.Apply(r.pt(c))
		p.turn = c.Part(3).Float()
	case "drill":
		r.padDrill(p, c)
	case "layers", "layer":
		r.listing = true
		for a := range c.Args() {
			p.layers = r.appendLayers(p.layers, a)
		}
		r.listing = false
	case "net":
		p.net = r.netOf(c)
	case "clearance":
		p.clearance = size(v)
	case "solder_mask_margin":
		p.maskMargin = size(v)
		p.hasMask = r.version >= version8 || p.maskMargin != 0
	case "solder_paste_margin":
		p.pasteMargin = size(v)
		p.hasPaste = r.version >= version8 || p.pasteMargin != 0
	case "solder_paste_margin_ratio", "solder_paste_ratio":
		p.pasteRatio = v.Float()
		p.hasRatio = r.version >= version8 || p.pasteRatio != 0
	case "remove_unused_layers":
		p.removeUnused = !v.Says("no")
	case "keep_end_layers":
		p.keepEnd = !v.Says("no")
	case "zone_layer_connections":
		for a := range c.Args() {
			p.zoneLayers = r.appendLayers(p.zoneLayers, a)
		}
	case "property":
		p.function = propertyFunction(v.Text(), p.function)
		if v.Says("pad_prop_pressfit") {
			r.need(pcb.PressFitting, r.file, c.Line())
		}
	case "backdrill", "tertiary_drill", "front_post_machining", "back_post_machining":
		r.machining(c)
	case "pinfunction":
		p.pinFunction = v.Text()
	case "padstack":
		p.stack = map[string]stackShape{}
		for l := range c.Lists("layer") {
			s := stackShape{padShape: padShape{kind: shapeKind(l.Value("shape"))}}
			for part := range l.Args() {
				if part.Is("offset") {
					s.offset = r.pt(part)
				}
				r.shapePart(&s.padShape, part)
			}
			s.finish()
			p.stack[l.Part(1).Text()] = s
		}
	default:
		r.shapePart(&p.shape, c)
	}
}

// padDrill reads (drill 0.8), (drill oval 1 2) and (drill 0.8 (offset 0.1 0)).
func (r *pcbReader) padDrill(p *pad, n sexpr.Node) {
	var of [4]int64
	sizes := of[:0]
	for a := range n.Args() {
		switch {
		case a.Is("offset"):
			p.offset = r.pt(a)
		case !a.IsList() && a.Says("oval"):
			p.slot = true
		case !a.IsList():
			if v, ok := a.Nm(); ok {
				sizes = append(sizes, v)
			}
		}
	}
	if len(sizes) > 0 {
		p.drillX, p.drillY = sizes[0], sizes[0]
	}
	if len(sizes) > 1 && p.slot {
		p.drillY = sizes[1]
	}
}

// padClearance notes how far copper must keep away from the pad where the pad or
// its footprint says so.
func (r *pcbReader) padClearance(p *pad, f *footprint) {
	v := p.clearance
	if v == 0 {
		v = f.clearance
	}
	if v <= 0 || p.pin == 0 {
		return
	}
	r.setPadClearance(p.pin, v)
}

func (r *pcbReader) setPadClearance(pin int32, v int64) {
	if r.b.Rules.PadClearance == nil {
		r.b.Rules.PadClearance = map[int32]int64{}
	}
	r.b.Rules.PadClearance[pin] = v
}

func (r *pcbReader) inherit(p *pad, f *footprint) {
	if !p.hasMask {
		p.maskMargin = r.setup.maskMargin
		if f.hasMask {
			p.maskMargin = f.maskMargin
		}
	}
	if !p.hasPaste {
		p.pasteMargin = r.setup.pasteMargin
		if f.hasPaste {
			p.pasteMargin = f.pasteMargin
		}
	}
	if !p.hasRatio {
		p.pasteRatio = r.setup.pasteRatio
		if f.hasRatio {
			p.pasteRatio = f.pasteRatio
		}
	}
	if p.kind == "np_thru_hole" {
		p.net = 0
	}
}

func propertyFunction(property string, otherwise pcb.Function) pcb.Function {
	switch strings.TrimPrefix(property, "pad_prop_") {
	case "bga":
		return pcb.FuncBGAPad
	case "fiducial_glob":
		return pcb.FuncFiducial
	case "fiducial_loc":
		return pcb.FuncFiducialLocal
	case "testpoint":
		return pcb.FuncTestPad
	case "castellated":
		return pcb.FuncCastellatedPad
	case "heatsink":
		return pcb.FuncHeatsinkPad
	}
	return otherwise
}

func (p *pad) functionOf() pcb.Function {
	switch {
	case p.function != pcb.FuncUnknown:
		return p.function
	case p.kind == "connect":
		return pcb.FuncConnectorPad
	case p.kind == "thru_hole":
		return pcb.FuncComponentPad
	case p.kind == "np_thru_hole":
		return pcb.FuncWasherPad
	}
	return pcb.FuncSMDPad
}

func hasCopperOn(layers []*pcbLayer, side pcb.Side) bool {
	for _, l := range layers {
		if l.role == pcb.RoleCopper && l.side == side {
			return true
		}
	}
	return false
}

func (r *pcbReader) countPad(p *pad, f *footprint) {
	switch p.kind {
	case "smd":
		f.smd++
	case "thru_hole":
		f.through++
	case "connect":
		if hasCopper(p.layers) {
			r.connectPads++
		}
	}
	if p.function == pcb.FuncCastellatedPad {
		r.castellated++
	}
}

// drawPad puts the pad on its layers: as it is on copper, with its margins on
// mask and paste.
func (r *pcbReader) drawPad(p *pad) {
	for _, l := range p.layers {
		shape, offset := p.shapeOn(l, len(r.layers.copper))
		at := p.at.Add(offset.Rotate(p.turn))
		m := artwork.Meta{Function: pcb.FuncMaterial, Line: p.line}
		switch l.role {
		case pcb.RoleCopper:
			if p.isOnlyHole(&shape) {
				continue
			}
			m.Function, m.Net, m.Pin = p.function, p.net, p.pin
			if p.isUnused(l, r.layers.copper) {
				sh, ok := shape.plain(r.shapes)
				if ok {
					r.removable = append(r.removable, removable{layer: l, at: at, net: p.net, shape: sh, turn: p.turn,
						meta: m, reach: max(shape.x, shape.y) / 2})
				}
				continue
			}
		case pcb.RoleMask:
			shape = shape.growBy(p.maskMargin, p.maskMargin, r.version)
		case pcb.RolePaste:
			gx, gy := p.pasteMargin+ratio(shape.x, p.pasteRatio), p.pasteMargin+ratio(shape.y, p.pasteRatio)
			if shape.kind == "custom" {
				gx, gy = p.pasteMargin, p.pasteMargin
			}
			shape = shape.growBy(gx, gy, r.version)
		case pcb.RoleSilk, pcb.RoleGlue, pcb.RoleOutline, pcb.RoleMechanical, pcb.RoleFabDrawing:
		default:
			continue
		}
		if sh, ok := shape.plain(r.shapes); ok {
			l.paper().Flash(at, sh, p.turn, false, m)
		}
	}
}

func ratio(v int64, r float64) int64 {
	if r < -1 || r > 1 {
		return 0
	}
	return int64(float64(v) * r)
}

// A stackShape is the shape that a padstack names for a layer, with an offset of its own:
// that of the pad's drill is for the shape of the pad itself.
type stackShape struct {
	padShape
	offset geom.Point
}

// shapeOn is the pad's shape on a layer, and its offset; padstacks name layers, or all
// inner ones at once.
func (p *pad) shapeOn(l *pcbLayer, layers int) (padShape, geom.Point) {
	if l.role == pcb.RoleCopper {
		if s, ok := p.stack[l.name]; ok {
			return s.padShape, s.offset
		}
		if s, ok := p.stack["Inner"]; ok && l.order > 1 && l.order < layers {
			return s.padShape, s.offset
		}
		return p.shape, p.offset
	}
	if l.side == pcb.Bottom {
		if s, ok := p.stack["B.Cu"]; ok {
			return s.padShape, s.offset
		}
	}
	return p.shape, p.offset
}

// isOnlyHole tells whether the pad has no copper: an unplated hole as wide as its
// pad.
func (p *pad) isOnlyHole(s *padShape) bool {
	return p.kind == "np_thru_hole" && s.x <= p.drillX && s.y <= p.drillY && (s.kind == "circle" || s.kind == "oval")
}

func (p *pad) isUnused(l *pcbLayer, copper []*pcbLayer) bool {
	if !p.removeUnused || p.kind != "thru_hole" || contains(p.zoneLayers, l) {
		return false
	}
	end := l.order == 1 || l.order == len(copper)
	return !(p.keepEnd && end)
}

// drillPad makes the pad's hole or slot.
func (r *pcbReader) drillPad(p *pad) {
	if p.drillX <= 0 && p.drillY <= 0 {
		return
	}
	h := pcb.Hole{
		A: p.at, B: p.at, Diameter: min(p.drillX, p.drillY), Plating: pcb.Plated, Function: pcb.FuncComponentDrill,
		Net: p.net, Pin: p.pin, File: -1, Line: int32(p.line),
	}
	if p.kind == "np_thru_hole" {
		h.Plating, h.Function = pcb.NonPlated, pcb.FuncMechanicalDrill
	}
	if p.drillX != p.drillY {
		h.Kind, h.Function = pcb.SlotHole, pcb.FuncSlot
		half := geom.Pt((p.drillX-h.Diameter)/2, (p.drillY-h.Diameter)/2).Rotate(p.turn)
		h.A, h.B = p.at.Sub(half), p.at.Add(half)
	}
	r.addHole(h)
}
