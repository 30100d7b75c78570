package altium

import (
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// shapeOf is a land larger by grow on every side; nothing where that leaves nothing.
func (l land) shapeOf(grow int64) (artwork.Shape, bool) {
	x, y := l.x+2*grow, l.y+2*grow
	if x <= 0 || y <= 0 {
		return artwork.Shape{}, false
	}
	switch l.shape {
	case roundPad:
		if x == y {
			return artwork.Circle(x), true
		}
		return artwork.Obround(x, y), true
	case octagonPad:
		return artwork.CornerRect(x, y, min(x, y)/4, true, [4]bool{true, true, true, true}), true
	case roundRectPad:
		r := min(l.x, l.y)*l.round/200 + grow
		return artwork.RoundRect(x, y, max(r, 0)), true
	}
	return artwork.Rect(x, y), true
}

func (b *builder) pad(p *pad) {
	if p.unknownShapes || !p.hasKnownShapes() {
		b.finding(pcb.Problem, "pad_shape_unknown", "pad %s has a shape that is not known: send Gerbers", b.padName(p))
	}
	at := p.at.Sub(b.origin)
	m := artwork.Meta{Line: p.record, Function: pcb.FuncSMDPad, Net: b.netOf(&p.object)}
	if p.drill > 0 {
		m.Function = pcb.FuncComponentPad
	}
	m.Pin = b.pin(p, at)
	if p.layer.signal() || p.layer == multiLayer || p.drill > 0 {
		b.hole(p, at, m)
	}
	for _, l := range b.targets(p.layer) {
		x := m
		i := 0
		if l.signal() {
			if i = int(l - 1); p.removed[i] && p.layer == multiLayer {
				continue
			}
		} else {
			x = artwork.Meta{Line: p.record, Function: pcb.FuncMaterial}
		}
		b.land(p, p.lands[i], at, l, 0, x)
	}
	b.padOpenings(p, at)
}

// hasKnownShapes tells whether all shapes of the pad are.
func (p *pad) hasKnownShapes() bool {
	for _, l := range p.lands {
		switch l.shape {
		case roundPad, squarePad, octagonPad, roundRectPad:
		default:
			return l.x == 0 && l.y == 0
		}
	}
	return true
}

func (b *builder) padName(p *pad) string {
	if p.part < len(b.design.parts) {
		return b.design.parts[p.part].ref + "-" + p.name
	}
	return p.name
}

// land puts the shape of a pad down on a layer.
func (b *builder) land(p *pad, l land, at geom.Point, to layer, grow int64, m artwork.Meta) {
	if s, ok := l.shapeOf(grow); ok {
		b.sheet(to).Flash(at.Add(l.offset.Rotate(p.turn)), s, p.turn, false, m)
	}
}

// pin is the pin that the pad is; 0 for a pad of no part.
func (b *builder) pin(p *pad, at geom.Point) int32 {
	if p.part >= len(b.design.parts) || b.design.parts[p.part].number < 0 {
		return 0
	}
	x := &b.design.parts[p.part]
	electric := p.layer.signal() || p.layer == multiLayer
	switch {
	case !electric:
		return 0
	case p.drill > 0 && p.plated:
		x.mount = pcb.ThroughHole
	case p.drill == 0 && x.mount != pcb.ThroughHole && p.name != "":
		x.mount = pcb.SurfaceMount
	}
	if p.name == "" {
		return 0
	}
	n := b.b.Pin(x.ref, p.name)
	if n > 0 {
		q := &b.b.Pins[n]
		q.At, q.HasAt, q.Net = at, true, b.netOf(&p.object)
		switch p.layer {
		case topLayer:
			q.Side = pcb.Top
		case bottomLayer:
			q.Side = pcb.Bottom
		}
	}
	return n
}

// hole drills a pad.
func (b *builder) hole(p *pad, at geom.Point, m artwork.Meta) {
	if p.drill <= 0 || !b.meter.Spend(pcb.Drilled, 1) {
		return
	}
	h := pcb.Hole{A: at, B: at, Diameter: p.drill, Plating: pcb.NonPlated, Function: pcb.FuncMechanicalDrill, File: -1, Line: int32(p.record)}
	if p.plated {
		h.Plating, h.Function, h.Net, h.Pin = pcb.Plated, pcb.FuncComponentDrill, m.Net, m.Pin
	}
	switch p.hole {
	case slotHole:
		if p.slot > p.drill {
			half := geom.Pt((p.slot-p.drill)/2, 0).Rotate(p.turn + p.slotTurn)
			h.Kind, h.A, h.B = pcb.SlotHole, at.Sub(half), at.Add(half)
		}
	case squareHole:
		b.finding(pcb.Warning, "hole_square", "the hole of pad %s is square; it is taken as a round one of the same width", b.padName(p))
	case roundHole:
	default:
		b.finding(pcb.Problem, "hole_unknown", "the hole of pad %s has a shape that is not known: send Gerbers and drill files", b.padName(p))
	}
	b.b.Holes = append(b.b.Holes, h)
}

// padOpenings opens masks and stencils over a pad on an outer layer. Stencils are for
// pads on one side only.
func (b *builder) padOpenings(p *pad, at geom.Point) {
	top, bottom := p.layer == topLayer || p.layer == multiLayer, p.layer == bottomLayer || p.layer == multiLayer
	if !top && !bottom {
		return
	}
	mask, paste := p.mask, p.paste
	if !p.maskKnown {
		mask = b.maskGrow
		b.guessed++
	}
	if !p.pasteKnown {
		paste = b.pasteGrow
	}
	m := artwork.Meta{Line: p.record, Function: pcb.FuncMaterial}
	if top && !p.tentTop {
		b.land(p, p.lands[0], at, topSolder, mask, m)
	}
	if bottom && !p.tentBottom {
		b.land(p, p.lands[31], at, bottomSolder, mask, m)
	}
	switch {
	case p.drill > 0:
	case p.layer == topLayer:
		b.land(p, p.lands[0], at, topPaste, paste, m)
	case p.layer == bottomLayer:
		b.land(p, p.lands[31], at, bottomPaste, paste, m)
	}
}

func (b *builder) drawVia(v *via) {
	if v.drill <= 0 {
		b.finding(pcb.Warning, "via_without_drill", "a via at %.3f, %.3f mm has no drill and was left out", geom.Millimetres(v.at.X-b.origin.X), geom.Millimetres(v.at.Y-b.origin.Y))
		return
	}
	if !b.meter.Spend(pcb.Drilled, 1) {
		return
	}
	first, last := slices.Index(b.copper, v.from), slices.Index(b.copper, v.to)
	if first > last {
		first, last = last, first
	}
	if first < 0 {
		b.unplaced[v.from]++
		return
	}
	at, net := v.at.Sub(b.origin), b.netOf(&v.object)
	h := pcb.Hole{A: at, B: at, Diameter: v.drill, Plating: pcb.Plated, Function: pcb.FuncViaDrill, Net: net, File: -1, Line: int32(v.record)}
	if first > 0 || last < len(b.copper)-1 {
		h.From, h.To = int16(first+1), int16(last+1)
	}
	b.b.Holes = append(b.b.Holes, h)
	m := artwork.Meta{Line: v.record, Function: pcb.FuncViaPad, Net: net}
	for _, l := range b.copper[first : last+1] {
		if d := v.sizeOn(l); d > 0 {
			b.sheet(l).Flash(at, artwork.Circle(d), 0, false, m)
		}
	}
	if !v.maskKnown {
		v.mask, v.maskBack = b.maskGrow, b.maskGrow
		b.guessed++
	}
	open := artwork.Meta{Line: v.record, Function: pcb.FuncMaterial}
	if d := v.sizeOn(topLayer) + 2*v.mask; first == 0 && b.copper[0] == topLayer && !v.tentTop && d > 0 {
		b.sheet(topSolder).Flash(at, artwork.Circle(d), 0, false, open)
	}
	if d := v.sizeOn(bottomLayer) + 2*v.maskBack; last == len(b.copper)-1 && b.copper[last] == bottomLayer && !v.tentBottom && d > 0 {
		b.sheet(bottomSolder).Flash(at, artwork.Circle(d), 0, false, open)
	}
}
