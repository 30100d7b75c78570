package odb

import (
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/outline"
)

// A tool is one of a drill layer's tools.
type tool struct {
	number        int
	kind          string // PLATED, NON_PLATED, VIA
	finish, drill int64  // diameters
}

func (j *job) readTools(dir string) []tool {
	f, ok := j.open(dir + "/tools")
	if !ok {
		return nil
	}
	records := parseRecords(f.Data)
	unit := unitOf(records[0].value["UNITS"], j.unit) / 1000
	var out []tool
	for _, r := range records {
		if r.kind != "TOOLS" && r.kind != "TOOL" {
			continue
		}
		out = append(out, tool{
			number: atoi(r.value["NUM"], 0), kind: strings.ToUpper(r.value["TYPE"]),
			finish: nm(number([]byte(r.value["FINISH_SIZE"])) * unit), drill: nm(number([]byte(r.value["DRILL_SIZE"])) * unit),
		})
	}
	return out
}

// toolFor finds the tool of a diameter within a micrometre.
func toolFor(tools []tool, d int64) *tool {
	for i := range tools {
		t := &tools[i]
		if isNear(t.drill, d) || isNear(t.finish, d) {
			return t
		}
	}
	return nil
}

func isNear(a, b int64) bool { return a > 0 && a-b <= 1000 && b-a <= 1000 }

// drill makes a hole, a slot or a way of the cutter of a record on a drill or rout
// layer.
func (j *job) drill(s *step, l *layer, r *featureFile, x *feature, tools []tool) {
	if !j.meter.Spend(pcb.Drilled, 1) || !j.meter.Spend(pcb.Lookups, len(tools)) {
		return
	}
	h := pcb.Hole{File: -1, Line: int32(x.line)}
	h.From, h.To = j.span(l)
	switch x.kind {
	case 'P':
		j.drillPad(s, l, r, x, tools, h)
	case 'L', 'A':
		if x.symbol == nil || x.symbol.round == 0 {
			return
		}
		h.Diameter = x.symbol.round
		if l.kind == "ROUT" {
			j.rout(s, x)
			return
		}
		if x.kind == 'L' {
			h.Kind, h.A, h.B = pcb.SlotHole, x.a, x.b
		} else {
			var p geom.Path
			p.Add(geom.ArcEdge(x.a, x.b, x.c, x.cw))
			h.Kind, h.A, h.B, h.Path = pcb.RoutedHole, x.a, x.b, int32(len(s.b.Routes))
			s.b.Routes = append(s.b.Routes, p)
		}
		plate(&h, l, r, x, tools)
		s.b.Holes = append(s.b.Holes, h)
	case 'S':
		for _, p := range x.areas {
			s.closed = append(s.closed, p.Outer)
		}
	}
}

func (j *job) drillPad(s *step, l *layer, r *featureFile, x *feature, tools []tool, h pcb.Hole) {
	if x.symbol == nil || !x.symbol.ok || x.symbol.empty {
		return
	}
	a := x.symbol.shape.Build()
	t := x.turn
	t.Offset = x.a
	if len(a.Primitives) != 1 || a.Primitives[0].Kind == pcb.AreaPrimitive {
		if !j.meter.Spend(pcb.Corners, cornersOf(a.Primitives)) {
			return
		}
		for i := range a.Primitives {
			s.closed = append(s.closed, t.Path(a.Primitives[i].Path()))
		}
		return
	}
	p := a.Primitives[0].Place(t)
	h.A, h.B, h.Diameter = p.A, p.B, 2*p.Radius
	if h.A != h.B {
		h.Kind = pcb.SlotHole
	}
	plate(&h, l, r, x, tools)
	if h.Diameter > 0 {
		s.b.Holes = append(s.b.Holes, h)
	}
}

// cornersOf is how many corners the outlines of primitives have.
func cornersOf(prims []pcb.Primitive) int {
	n := 0
	for i := range prims {
		n += 4 + len(prims[i].Area.Points)
	}
	return n
}

// plate tells whether a hole is plated and what it is for: its own attribute says
// so, else its tool, else the name of its layer.
func plate(h *pcb.Hole, l *layer, r *featureFile, x *feature, tools []tool) {
	kind := ""
	if t := toolFor(tools, h.Diameter); t != nil {
		kind, h.Tool = t.kind, int32(t.number)
	}
	switch v, _ := r.attribute(x, ".drill"); v {
	case "0", "plated":
		kind = "PLATED"
	case "1", "non_plated":
		kind = "NON_PLATED"
	case "2", "via":
		kind = "VIA"
	}
	if kind == "" {
		switch n := strings.NewReplacer("-", "", "_", "").Replace(l.dir); {
		case strings.Contains(n, "nonplated") || strings.Contains(n, "npth") || strings.Contains(n, "unplated"):
			kind = "NON_PLATED"
		case strings.Contains(n, "plated") || strings.Contains(n, "pth"):
			kind = "PLATED"
		}
	}
	switch kind {
	case "VIA":
		h.Plating, h.Function = pcb.Plated, pcb.FuncViaDrill
	case "PLATED":
		h.Plating, h.Function = pcb.Plated, pcb.FuncComponentDrill
	case "NON_PLATED":
		h.Plating, h.Function = pcb.NonPlated, pcb.FuncMechanicalDrill
	}
	if h.Kind != pcb.DrillHole && h.Function != pcb.FuncViaDrill {
		h.Function = pcb.FuncSlot
	}
}

// rout keeps a piece of the cutter's way on a rout layer until all are known.
func (j *job) rout(s *step, x *feature) {
	e := geom.Line(x.a, x.b)
	if x.kind == 'A' {
		e = geom.ArcEdge(x.a, x.b, x.c, x.cw)
	}
	var p geom.Path
	p.Add(e)
	s.routes = append(s.routes, p)
}

// carveRoutes cuts what rout layers go round out of the board: closed ways inside
// of the profile that it does not show already.
func (j *job) carveRoutes(s *step) {
	var edges []geom.Edge
	for _, p := range s.routes {
		for e := range p.Edges() {
			edges = append(edges, e)
		}
	}
	res := outline.Find(j.ctx, edges).Outline
	for _, a := range res.Areas {
		s.closed = append(s.closed, a.Outer)
		s.closed = append(s.closed, a.Holes...)
	}
	o := &s.b.Outline
	if !s.profile {
		if len(o.Areas) == 0 && len(res.Areas) > 0 {
			*o = res
			o.Source = pcb.Source{File: s.header.Name}
		}
		return
	}
	for _, c := range s.closed {
		for i := range o.Areas {
			if !j.meter.Spend(pcb.Lookups, 80*(len(o.Areas[i].Outer.Points)+len(o.Areas[i].Holes))) {
				return
			}
			if isCutout(&o.Areas[i], c) {
				c.Closed = true
				o.Areas[i].Holes = append(o.Areas[i].Holes, c)
				break
			}
		}
	}
}

// isCutout tells whether a closed way lies inside the area and takes something
// off it that is there yet.
func isCutout(a *geom.Polygon, c geom.Path) bool {
	const same = 300_000 // nanometres: a cutter's width along an edge
	n, in, alongEdge := 0, 0, 0
	for e := range c.Edges() {
		m := e.Mid()
		if a.Contains(m) {
			in++
		}
		if d, _ := a.EdgeDistance(m); d < same {
			alongEdge++
		}
		if n++; n == 40 {
			break
		}
	}
	return n > 0 && in > n/2 && alongEdge <= n/2
}
