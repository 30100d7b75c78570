package ipc2581

import (
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/internal/markup"
	"boardorder/pkg/board/pcb"
)

// A padstack is a hole and pads on layers, to be put down many times.
type padstack struct {
	diameter int64
	status   string
	pads     map[string][]piece // by layer
	line     int
}

// A stackHole is a hole that follows from a pad stack put down.
type stackHole struct{ hole pcb.Hole }

func (r *reader) padstackDef(s *step, e markup.Element) {
	p := &padstack{pads: map[string][]piece{}, line: e.Line()}
	for c := range r.in.Children() {
		switch c.Name() {
		case "PadstackHoleDef":
			p.diameter, p.status = r.length(c, "diameter"), strings.ToUpper(c.Attr("platingStatus"))
		case "PadstackPadDef":
			if use := c.Attr("padUse"); use != "" && use != "REGULAR" {
				continue
			}
			p.pads[c.Attr("layerRef")] = r.group()
		}
	}
	s.stacks[e.Attr("name")] = p
}

// drill keeps the hole of a pad stack put down at t, once for all its layers.
func (p *padstack) drill(s *step, t geom.Transform, in *set, m artwork.Meta) {
	if p.diameter <= 0 || in.layer.role != pcb.RoleCopper || in.layer.order != 1 {
		return
	}
	h := pcb.Hole{A: t.Offset, B: t.Offset, Diameter: p.diameter, Plating: plating(p.status), Net: m.Net, Pin: m.Pin,
		File: -1, Line: int32(m.Line), Function: holeFunction(p.status)}
	s.pending = append(s.pending, stackHole{h})
}

// padstackUse reads the pad stacks of revision A, which stand in the step with
// their hole and their pads on layers.
func (r *reader) padstackUse(s *step, e markup.Element) {
	in := set{net: netIndex(s.b, e.Attr("net"))}
	for c := range r.in.Children() {
		switch c.Name() {
		case "LayerHole":
			h := r.holeOf(c, &in)
			for x := range r.in.Children() {
				if x.Name() == "Span" {
					h.From, h.To = r.span(&layer{from: x.Attr("fromLayer"), to: x.Attr("toLayer")})
				}
			}
			if h.Diameter > 0 {
				s.b.Holes = append(s.b.Holes, h)
			}
		case "LayerPad":
			if l := r.byName[c.Attr("layerRef")]; l != nil {
				in.layer, in.sheet = l, r.sheet(s, l)
				r.pad(s, c, &in)
			}
		}
	}
}

func plating(status string) pcb.Plating {
	switch status {
	case "PLATED", "VIA":
		return pcb.Plated
	case "NONPLATED":
		return pcb.NonPlated
	}
	return pcb.PlatingUnknown
}

func holeFunction(status string) pcb.Function {
	switch status {
	case "VIA":
		return pcb.FuncViaDrill
	case "PLATED":
		return pcb.FuncComponentDrill
	case "NONPLATED":
		return pcb.FuncMechanicalDrill
	}
	return pcb.FuncUnknown
}

func (r *reader) holeOf(e markup.Element, in *set) pcb.Hole {
	status := strings.ToUpper(e.Attr("platingStatus"))
	at := r.point(e, "x", "y")
	return pcb.Hole{
		A: at, B: at, Diameter: r.length(e, "diameter"), Plating: plating(status), Function: holeFunction(status),
		Net: in.net, File: -1, Line: int32(e.Line()),
	}
}

func (r *reader) hole(s *step, e markup.Element, in *set) {
	h := r.holeOf(e, in)
	if in.layer.role == pcb.RoleDrill {
		h.From, h.To = r.span(in.layer)
	}
	if h.Diameter <= 0 {
		r.passOver("hole without a diameter", e.Line())
		return
	}
	s.b.Holes = append(s.b.Holes, h)
	m := artwork.Meta{Net: in.net, Line: e.Line(), Function: h.Function}
	if in.layer.role == pcb.RoleDrill {
		in.sheet.Flash(h.A, artwork.Circle(h.Diameter), 0, false, m)
	}
}

// slot reads a slot or cavity: an oval is a slot to mill, any other shape is cut
// out of the board.
func (r *reader) slot(s *step, e markup.Element, in *set) {
	var t geom.Transform
	var all []piece
	for c := range r.in.Children() {
		switch c.Name() {
		case "Xform":
			t = r.xform(c, t)
		case "Location":
			t.Offset = t.Offset.Add(r.point(c, "x", "y"))
		default:
			p, _ := r.pieces(c)
			if r.meter.Spend(pcb.Shapes, len(p)) {
				all = append(all, p...)
			}
		}
	}
	t.Offset = t.Offset.Add(r.point(e, "x", "y"))
	status := strings.ToUpper(e.Attr("platingStatus"))
	for _, p := range all {
		if !r.meter.Spend(pcb.Corners, p.size()) {
			return
		}
		u := p.placed.Chain(t)
		h := pcb.Hole{Kind: pcb.SlotHole, Plating: plating(status), Function: pcb.FuncSlot, Net: in.net, File: -1, Line: int32(e.Line())}
		if p.shape != nil {
			a := p.shape.Build()
			if len(a.Primitives) == 1 && a.Primitives[0].Kind != pcb.AreaPrimitive {
				q := a.Primitives[0].Place(u)
				h.A, h.B, h.Diameter = q.A, q.B, 2*q.Radius
				if q.A == q.B {
					h.Kind = pcb.DrillHole
				}
				s.b.Holes = append(s.b.Holes, h)
				continue
			}
			for i := range a.Primitives {
				s.cutouts = append(s.cutouts, u.Path(a.Primitives[i].Path()))
			}
			continue
		}
		if p.area != nil {
			s.cutouts = append(s.cutouts, u.Path(p.area.Outer))
			continue
		}
		if len(p.edges) > 0 && p.width > 0 {
			r.addRoute(s, p, u, h)
		}
	}
}

// addRoute makes a hole of the way of a cutter.
func (r *reader) addRoute(s *step, p piece, t geom.Transform, h pcb.Hole) {
	var path geom.Path
	for _, e := range p.edges {
		path.Add(t.Edge(e))
	}
	h.Kind, h.Diameter = pcb.RoutedHole, t.Length(p.width)
	h.Path = int32(len(s.b.Routes))
	h.A, h.B = path.Points[0], path.Points[len(path.Points)-1]
	s.b.Routes = append(s.b.Routes, path)
	s.b.Holes = append(s.b.Holes, h)
}
