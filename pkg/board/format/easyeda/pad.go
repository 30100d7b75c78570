package easyeda

import (
	"fmt"
	"math"

	"boardorder/pkg/board/clip"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// A land is the copper of a pad: a rectangle with corners of a radius, an octagon, or an
// area drawn where it lies.
type land struct {
	x, y, corner int64
	sides        int         // of a regular polygon; 0 for none
	area         []geom.Path // on the board
	turn         float64     // of the rectangle, degrees counter-clockwise
	mirror       bool
}

// A bore is the hole of a pad.
type bore struct {
	a, b     geom.Point // ends of the cutter's way
	diameter int64
	plated   bool
}

// A pad is a place to solder to.
type pad struct {
	number, net, part string
	at                geom.Point
	side              pcb.Side     // NoSide: both, and the inner layers
	lands             map[int]land // by layer; of others at 0
	hole              *bore
	mask, paste       [2]float64 // how far openings reach beyond the land, on top and bottom; NaN for none
	function          pcb.Function
}

// noOpening is a pad's growth that leaves no opening: EasyEDA writes one of minus 100 mm
// where a pad is to have no paste.
var noOpening = math.NaN()

// drawPad draws a pad's copper, its openings and its hole.
func (b *builder) drawPad(p *pad) {
	m := artwork.Meta{Net: b.b.Net(p.net), Function: p.function}
	if m.Pin = b.b.Pin(p.part, p.number); m.Pin > 0 {
		pin := &b.b.Pins[m.Pin]
		pin.Net, pin.At, pin.HasAt, pin.Side = m.Net, p.at, true, p.side
	}
	if m.Function == pcb.FuncUnknown {
		m.Function = pcb.FuncSMDPad
		if p.hole != nil {
			m.Function = pcb.FuncComponentPad
		}
	}
	for _, n := range b.copper {
		if l := b.layers[n]; p.side == pcb.NoSide || l.side == p.side {
			b.flash(n, p.at, p.landOn(n), 0, m)
		}
	}
	for i, side := range [2]pcb.Side{pcb.Top, pcb.Bottom} {
		if p.side != pcb.NoSide && p.side != side {
			continue
		}
		l := p.landOn(b.find(pcb.RoleCopper, side))
		b.open(pcb.RoleMask, side, p.at, l, p.mask[i])
		if p.hole == nil {
			b.open(pcb.RolePaste, side, p.at, l, p.paste[i])
		}
	}
	if h := p.hole; h != nil {
		b.drill(h, m)
	}
}

func (p *pad) landOn(layer int) land {
	if l, ok := p.lands[layer]; ok {
		return l
	}
	return p.lands[0]
}

func (b *builder) drill(h *bore, m artwork.Meta) {
	hole := pcb.Hole{A: h.a, B: h.b, Diameter: h.diameter, Plating: pcb.NonPlated, Function: pcb.FuncMechanicalDrill, File: -1}
	if h.plated {
		hole.Plating, hole.Function, hole.Net, hole.Pin = pcb.Plated, pcb.FuncComponentDrill, m.Net, m.Pin
	}
	if h.a != h.b {
		hole.Kind = pcb.SlotHole
	}
	if b.meter.Spend(pcb.Drilled, 1) {
		b.b.Holes = append(b.b.Holes, hole)
	}
}

// open draws an opening of the mask or of the stencil over a land.
func (b *builder) open(role pcb.Role, side pcb.Side, at geom.Point, l land, grow float64) {
	if n := b.find(role, side); n != 0 && !math.IsNaN(grow) {
		b.flash(n, at, l, int64(math.Round(grow)), artwork.Meta{Function: pcb.FuncMaterial})
	}
}

// flash puts a land down, grown on every side, if something is left of it.
func (b *builder) flash(n int, at geom.Point, l land, grow int64, m artwork.Meta) {
	if !b.meter.Spend(pcb.Shapes, 1) {
		return
	}
	s := b.sheet(n)
	if l.area == nil {
		if x, y := l.x+2*grow, l.y+2*grow; x > 0 && y > 0 {
			s.Flash(at, l.shape(x, y, grow), l.turn, l.mirror, m)
		}
		return
	}
	for _, p := range b.closePaths(l.area) {
		area := []geom.Polygon{{Outer: p}}
		if grow < 0 {
			var err error
			if area, err = clip.Shrink(b.ctx, area[0], -grow); err != nil {
				b.misread("PAD")
				return
			}
		}
		for _, a := range area {
			s.Region(a, m)
			if grow > 0 {
				s.Path(a.Outer, 2*grow, m)
			}
		}
	}
}

// shape is the aperture of a land of x by y, which is so much larger than it was.
func (l land) shape(x, y, grow int64) artwork.Shape {
	switch r := min(l.corner, l.x/2, l.y/2); {
	case l.sides > 0:
		return artwork.Shape{Key: fmt.Sprint("polygon", x, l.sides), Build: func() pcb.Aperture { return pcb.RegularPolygon(x, l.sides, 0) }}
	case r > 0 && x == y && 2*r >= min(l.x, l.y)-1:
		return artwork.Circle(x)
	case r > 0 && 2*r >= min(l.x, l.y)-1:
		return artwork.Obround(x, y)
	case r > 0:
		return artwork.RoundRect(x, y, max(r+grow, 0))
	}
	return artwork.Rect(x, y)
}

// drawVia draws a via from one copper layer to another, first and last by their order.
// open says how far the mask is open beyond its land, as for pads.
func (b *builder) drawVia(at geom.Point, diameter, drill int64, net string, first, last int, open [2]float64) {
	if drill <= 0 {
		b.finding(pcb.Warning, "via_without_drill", "a via has no drill and was left out")
		return
	}
	m := artwork.Meta{Net: b.b.Net(net), Function: pcb.FuncViaPad}
	h := pcb.Hole{A: at, B: at, Diameter: drill, Plating: pcb.Plated, Function: pcb.FuncViaDrill, Net: m.Net, File: -1}
	if first > 1 || last < len(b.copper) {
		h.From, h.To = int16(first), int16(last)
	}
	if !b.meter.Spend(pcb.Drilled, 1) {
		return
	}
	b.b.Holes = append(b.b.Holes, h)
	l := land{x: diameter, y: diameter, corner: diameter / 2}
	for i, n := range b.copper {
		if i+1 >= first && i+1 <= last {
			b.flash(n, at, l, 0, m)
		}
	}
	if first == 1 {
		b.open(pcb.RoleMask, pcb.Top, at, l, open[0])
	}
	if last == len(b.copper) {
		b.open(pcb.RoleMask, pcb.Bottom, at, l, open[1])
	}
}
