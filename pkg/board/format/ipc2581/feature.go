package ipc2581

import (
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/internal/markup"
	"boardorder/pkg/board/pcb"
)

// A set is what (Set …) says about the features in it.
type set struct {
	layer    *layer
	sheet    *artwork.Sheet
	net      int32
	negative bool
	usage    string
	width    int64 // of lines that state none
}

func (r *reader) layerFeature(s *step, e markup.Element) {
	l := r.byName[e.Attr("layerRef")]
	if l == nil {
		r.passOver("features of a missing layer", e.Line())
		return
	}
	sheet := r.sheet(s, l)
	for c := range r.in.Children() {
		if c.Name() == "Set" {
			r.set(s, c, l, sheet)
		}
	}
}

func (r *reader) set(s *step, e markup.Element, l *layer, sheet *artwork.Sheet) {
	in := set{
		layer: l, sheet: sheet, net: netIndex(s.b, e.Attr("net")), negative: e.Attr("polarity") == "NEGATIVE",
		usage: strings.ToUpper(e.Attr("padUsage") + e.Attr("geometryUsage")),
	}
	if strings.EqualFold(e.Attr("geometry"), "VIA") {
		in.usage += "VIA"
	}
	var d style
	for c := range r.in.Children() {
		switch c.Name() {
		case "Pad":
			r.pad(s, c, &in)
		case "Features":
			r.features(s, c, &in)
		case "Hole":
			r.hole(s, c, &in)
		case "SlotCavity", "Slot":
			r.slot(s, c, &in)
		case "Fiducial", "GlobalFiducial", "LocalFiducial", "BadBoardMark", "GoodPanelMark":
			in.usage += "FIDUCIAL"
			r.pad(s, c, &in)
		case "ColorRef", "NonstandardAttribute", "SpecRef", "Span", "Color", "ComponentRef":
		default:
			if r.describe(&d, c) {
				in.width = d.width
				continue
			}
			p, ok := r.pieces(c)
			if !ok {
				r.passOver(c.Name(), c.Line())
			}
			r.draw(s, p, geom.Transform{}, &in, meta(&in, c))
		}
	}
}

func meta(in *set, e markup.Element) artwork.Meta {
	m := artwork.Meta{Line: e.Line(), Function: pcb.FuncMaterial, Clear: in.negative}
	if in.layer.role == pcb.RoleCopper {
		m.Net, m.Function = in.net, pcb.FuncConductor
		if in.net == 0 {
			m.Function = pcb.FuncNonConductor
		}
	}
	return m
}

// features reads (Features …): a place, then primitives.
func (r *reader) features(s *step, e markup.Element, in *set) {
	m := meta(in, e)
	r.draw(s, r.group(), geom.Transform{}, in, m)
}

// pad reads a pad or a fiducial: a place, a shape and the pin that it belongs to.
func (r *reader) pad(s *step, e markup.Element, in *set) {
	var t geom.Transform
	var all []piece
	m := meta(in, e)
	for c := range r.in.Children() {
		switch c.Name() {
		case "Xform":
			t = r.xform(c, t)
		case "Location":
			t.Offset = t.Offset.Add(r.point(c, "x", "y"))
		case "PinRef":
			if in.layer.role == pcb.RoleCopper {
				m.Pin = s.b.Pin(c.Attr("componentRef"), c.Attr("pin"))
			}
		case "NonstandardAttribute", "SpecRef":
		default:
			p, ok := r.pieces(c)
			if !ok {
				r.passOver(c.Name(), c.Line())
			}
			if r.meter.Spend(pcb.Shapes, len(p)) {
				all = append(all, p...)
			}
		}
	}
	stack := s.stacks[e.Attr("padstackDefRef")]
	if stack != nil {
		if len(all) == 0 {
			all = stack.pads[in.layer.name]
		}
		stack.drill(s, t, in, m)
	}
	if in.layer.role == pcb.RoleCopper {
		m.Function = padFunction(in, m.Pin, stack)
	}
	if m.Pin > 0 {
		p := &s.b.Pins[m.Pin]
		if !p.HasAt {
			p.At, p.HasAt, p.Side = t.Offset, true, in.layer.side
		}
		if p.Net == 0 {
			p.Net = m.Net
		}
	}
	r.draw(s, all, t, in, m)
}

func padFunction(in *set, pin int32, stack *padstack) pcb.Function {
	through := stack != nil && stack.diameter > 0
	switch {
	case strings.Contains(in.usage, "FIDUCIAL"):
		return pcb.FuncFiducial
	case strings.Contains(in.usage, "VIA") || pin == 0 && stack != nil && stack.status == "VIA":
		return pcb.FuncViaPad
	case strings.Contains(in.usage, "THERMAL"):
		return pcb.FuncThermalRelief
	case strings.Contains(in.usage, "TESTPOINT"):
		return pcb.FuncTestPad
	case pin == 0 && through:
		return pcb.FuncViaPad
	case pin == 0:
		return pcb.FuncOther
	case through || in.layer.side == pcb.Inner:
		return pcb.FuncComponentPad
	}
	return pcb.FuncSMDPad
}

// size is how much there is to draw of a piece.
func (p *piece) size() int {
	n := 1 + len(p.edges)
	if p.area != nil {
		n += len(p.area.Outer.Points)
		for _, h := range p.area.Holes {
			n += len(h.Points)
		}
	}
	return n
}

// draw puts pieces down on the set's layer.
func (r *reader) draw(s *step, pieces []piece, t geom.Transform, in *set, m artwork.Meta) {
	for i := range pieces {
		p := &pieces[i]
		if !r.meter.Spend(pcb.Lookups, p.size()) {
			return
		}
		u := p.placed.Chain(t)
		pm := m
		pm.Clear = m.Clear != p.clear
		switch {
		case p.shape != nil:
			in.sheet.FlashScaled(u.Offset, *p.shape, geom.Transform{Rotation: u.Rotation, Mirror: u.Mirror, Scale: u.Scale}, pm)
		case p.area != nil:
			if in.layer.role == pcb.RoleCopper && m.Net > 0 && m.Function == pcb.FuncConductor {
				pm.Function = pcb.FuncPour
			}
			if in.layer.role == pcb.RoleOutline {
				r.outlineEdges(s, edgesOf(*p.area), u)
			}
			in.sheet.Region(u.Polygon(*p.area), pm)
		default:
			r.drawEdges(s, p, u, in, pm)
		}
	}
}

func (r *reader) drawEdges(s *step, p *piece, t geom.Transform, in *set, m artwork.Meta) {
	width := t.Length(p.width)
	if width == 0 {
		width = in.width
	}
	if in.layer.role == pcb.RoleOutline {
		r.outlineEdges(s, p.edges, t)
	}
	if in.layer.role == pcb.RoleCopper && m.Function == pcb.FuncConductor && width > 0 && !m.Clear {
		if s.minLine == 0 || width < s.minLine {
			s.minLine = width
		}
	}
	for _, e := range p.edges {
		in.sheet.Edge(t.Edge(e), width, m)
	}
}

func (r *reader) outlineEdges(s *step, edges []geom.Edge, t geom.Transform) {
	if !r.meter.Spend(pcb.Corners, len(edges)) {
		return
	}
	for _, e := range edges {
		s.edges = append(s.edges, t.Edge(e))
	}
}
