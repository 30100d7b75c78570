package ipc2581

import (
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/internal/markup"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/outline"
)

// A step is one drawing of the file: a board, or a panel of others.
type step struct {
	name    string
	b       *pcb.Board
	sheets  map[string]*artwork.Sheet
	repeats []artwork.Repeat
	profile *geom.Polygon
	line    int
	edges   []geom.Edge // drawn on outline layers
	cutouts []geom.Path // slots that are no plain slots
	stacks  map[string]*padstack
	pending []stackHole // holes by pad stacks, used where no hole is listed
	minLine int64
}

func (r *reader) step(e markup.Element) {
	s := &step{name: e.Attr("name"), sheets: map[string]*artwork.Sheet{}, line: e.Line(), stacks: map[string]*padstack{}}
	s.b = pcb.NewBoard(s.name)
	for _, l := range r.copper() {
		r.sheet(s, l)
	}
	for c := range r.in.Children() {
		if r.ctx.Err() != nil {
			return
		}
		switch c.Name() {
		case "StepRepeat":
			s.repeats = append(s.repeats, artwork.Repeat{
				Step: c.Attr("stepRef"), At: r.point(c, "x", "y"), DX: r.length(c, "dx"), DY: r.length(c, "dy"),
				NX: max(1, c.Int("nx")), NY: max(1, c.Int("ny")), Angle: c.Float("angle"), Mirror: c.Bool("mirror"),
			})
		case "PadStackDef":
			r.padstackDef(s, c)
		case "PadStack":
			r.padstackUse(s, c)
		case "Profile":
			if p := r.contour(false); len(p) > 0 && p[0].area != nil {
				s.profile = p[0].area
			}
		case "Component":
			r.component(s, c)
		case "LogicalNet":
			r.logicalNet(s, c)
		case "LayerFeature":
			r.layerFeature(s, c)
		}
	}
	r.finishStep(s)
	r.steps = append(r.steps, s)
}

// sheet is the step's drawing of a layer.
func (r *reader) sheet(s *step, l *layer) *artwork.Sheet {
	if x, ok := s.sheets[l.name]; ok {
		return x
	}
	x := artwork.NewSheet(l.name, r.file, l.role, l.side).SetMeter(r.meter)
	x.Layer.Process = processes[l.function]
	x.Layer.Order, x.Layer.Negative = l.order, l.negative
	if l.role == pcb.RoleDrill {
		from, to := r.span(l)
		x.Layer.FromLayer, x.Layer.ToLayer = int(from), int(to)
	}
	s.sheets[l.name] = x
	s.b.Layers = append(s.b.Layers, x.Layer)
	return x
}

func (r *reader) finishStep(s *step) {
	if len(s.b.Holes) == 0 {
		for _, h := range s.pending {
			s.b.Holes = append(s.b.Holes, h.hole)
		}
	}
	o := &s.b.Outline
	switch {
	case s.profile != nil:
		s.profile.Holes = append(s.profile.Holes, s.cutouts...)
		o.Areas, o.Closed = []geom.Polygon{*s.profile}, true
	case len(s.edges) > 0:
		*o = outline.Find(r.ctx, s.edges).Outline
	}
	o.Source = pcb.Source{File: r.file, Line: s.line}
	f := &s.b.Facts
	if box := o.Bounds(); !box.Empty() && len(o.Areas) > 0 {
		f.Width = pcb.State(box.Width(), o.Source, 0.97, "IPC-2581 profile")
		f.Height = pcb.State(box.Height(), o.Source, 0.97, "IPC-2581 profile")
	}
	artwork.StateHoles(s.b, pcb.Source{File: r.file})
	if s.minLine > 0 {
		f.MinTrack = pcb.State(s.minLine, pcb.Source{File: r.file}, 0.9, "narrowest line on copper")
	}
}

// boards gives a board for every step, those that repeat others last.
func (r *reader) boards() []*pcb.Board {
	byName := map[string]*step{}
	for _, s := range r.steps {
		byName[s.name] = s
	}
	var plain, panels []*pcb.Board
	for _, s := range r.steps {
		r.state(s.b)
		r.parts.describe(s.b)
		s.b.Name = r.boardName(s)
		s.b.Findings = append(s.b.Findings, r.findings...)
		if len(s.repeats) == 0 {
			plain = append(plain, s.b)
			continue
		}
		panels = append(panels, s.b)
	}
	for _, s := range r.steps {
		if len(s.repeats) > 0 {
			r.panel(s, byName)
		}
	}
	return append(plain, panels...)
}

// panel draws the repeated steps in a panel. Panels of panels are said, and left
// to those who made them.
func (r *reader) panel(s *step, byName map[string]*step) {
	p := artwork.NewPanel(s.b, r.meter)
	for _, x := range s.repeats {
		src := byName[x.Step]
		if src == nil || src == s || len(src.repeats) > 0 {
			r.panelFinding(s, "panel_step_missing", "the panel repeats a step that the file does not hold as a board: "+x.Step)
			continue
		}
		if !p.Repeat(src.b, x) {
			break
		}
	}
	src := pcb.Source{File: r.file, Line: s.line}
	p.State(src)
}

func (r *reader) panelFinding(s *step, code, message string) {
	s.b.Findings = append(s.b.Findings, pcb.Finding{
		Code: code, Level: pcb.Warning, File: r.file, Line: s.line, Message: message,
	})
}

func (r *reader) logicalNet(s *step, e markup.Element) {
	net := netIndex(s.b, e.Attr("name"))
	for c := range r.in.Children() {
		if c.Name() != "PinRef" {
			continue
		}
		if pin := s.b.Pin(c.Attr("componentRef"), c.Attr("pin")); pin > 0 {
			s.b.Pins[pin].Net = net
		}
	}
}

// netIndex: names for what has no net are none.
func netIndex(b *pcb.Board, name string) int32 {
	switch strings.ToUpper(name) {
	case "", "NO_NET", "NO NET", "NO-NET", "$NONE$", "UNCONNECTED":
		return 0
	}
	return b.Net(name)
}
