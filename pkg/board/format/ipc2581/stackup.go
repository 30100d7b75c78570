package ipc2581

import (
	"slices"
	"strings"

	"boardorder/pkg/board/foil"
	"boardorder/pkg/board/internal/markup"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/preset"
)

// A spec is one of the file's specifications: what kind of thing it states, and
// its texts and values.
type spec struct {
	kinds  []string // element and its type, such as "Dielectric DIELECTRIC_CONSTANT"
	texts  []string
	values map[string]float64 // by kind
}

func (r *reader) spec(e markup.Element) {
	s := &spec{values: map[string]float64{}}
	for k := range r.in.Children() {
		kind := strings.TrimSpace(k.Name() + " " + k.Attr("type"))
		s.kinds = append(s.kinds, kind)
		for p := range r.in.Children() {
			if t := p.Attr("text"); t != "" {
				s.texts = append(s.texts, t)
			}
			if p.Has("value") {
				s.values[kind] = p.Float("value")
			}
			if p.Name() == "ColorTerm" {
				s.texts = append(s.texts, "Color : "+p.Attr("name"))
			}
		}
	}
	r.specs[e.Attr("name")] = s
}

// A stackup is the build of the board.
type stackup struct {
	thickness int64
	line      int
	layers    []stackupLayer
}

type stackupLayer struct {
	name      string
	thickness int64
	sequence  int
	specs     []string
	line      int
}

func (r *reader) readStackup(e markup.Element) {
	if len(r.stackup.layers) > 0 {
		return // of several, such as of rigid and flex parts, the first counts
	}
	r.stackup.thickness, r.stackup.line = r.length(e, "overallThickness"), e.Line()
	for g := range r.in.Children() {
		switch g.Name() {
		case "StackupGroup":
			for c := range r.in.Children() {
				r.stackupLayer(c)
			}
		case "StackupLayer":
			r.stackupLayer(g)
		}
	}
	slices.SortStableFunc(r.stackup.layers, func(a, b stackupLayer) int { return a.sequence - b.sequence })
}

func (r *reader) stackupLayer(e markup.Element) {
	if e.Name() != "StackupLayer" {
		return
	}
	l := stackupLayer{name: e.Attr("layerOrGroupRef"), thickness: r.length(e, "thickness"), sequence: e.Int("sequence"), line: e.Line()}
	for c := range r.in.Children() {
		if c.Name() == "SpecRef" {
			l.specs = append(l.specs, c.Attr("id"))
		}
	}
	r.stackup.layers = append(r.stackup.layers, l)
}

// stackupOf gives the board's stackup as the model has it.
func (r *reader) stackupOf() []pcb.StackupLayer {
	var out []pcb.StackupLayer
	for _, s := range r.stackup.layers {
		x := pcb.StackupLayer{Name: s.name, Kind: pcb.StackOther}
		specs := s.specs
		if l := r.byName[s.name]; l != nil {
			x.Kind, x.Order = stackKind(l.function, l.role), l.order
			specs = append(slices.Clone(specs), l.specs...)
		}
		if s.thickness > 0 {
			x.Thickness = pcb.State(s.thickness, pcb.Source{File: r.file, Line: s.line}, 0.95, "IPC-2581 stackup")
		}
		for _, id := range specs {
			r.specs[id].describe(&x)
		}
		out = append(out, x)
	}
	return out
}

// isUntouched reports whether copper and all that lies between is what every new board
// of Altium has.
func isUntouched(stackup []pcb.StackupLayer) bool {
	var copper, sheets []int64
	for _, l := range stackup {
		switch l.Kind {
		case pcb.StackCopper:
			copper = append(copper, l.Thickness.Value)
		case pcb.StackCore, pcb.StackPrepreg, pcb.StackDielectric:
			sheets = append(sheets, l.Thickness.Value)
		}
	}
	altium := preset.StackOf("Altium")
	return altium.CopperOf(copper) && altium.DielectricsOf(sheets)
}

func presetOf(f pcb.Fact[int64], how string) pcb.Fact[int64] {
	if !f.Known {
		return f
	}
	return pcb.Preset(f.Value, f.Source, how)
}

func stackKind(function string, role pcb.Role) pcb.StackupKind {
	switch {
	case role == pcb.RoleCopper:
		return pcb.StackCopper
	case role == pcb.RoleMask:
		return pcb.StackMask
	case role == pcb.RoleSilk:
		return pcb.StackSilk
	case role == pcb.RolePaste:
		return pcb.StackPaste
	case function == "DIELCORE":
		return pcb.StackCore
	case function == "DIELPREG":
		return pcb.StackPrepreg
	case strings.HasPrefix(function, "DIEL"):
		return pcb.StackDielectric
	}
	return pcb.StackOther
}

// specProcesses are what specifications of a kind ask for that a plain board is made without.
var specProcesses = map[string]pcb.Process{"Backdrill": pcb.BackDrilling, "SlotCavity": pcb.DepthRouting}

func (s *spec) describe(x *pcb.StackupLayer) {
	if s == nil {
		return
	}
	for kind, v := range s.values {
		switch {
		case strings.HasSuffix(kind, "DIELECTRIC_CONSTANT"):
			x.EpsilonR = v
		case strings.HasSuffix(kind, "LOSS_TANGENT"):
			x.LossTan = v
		}
	}
	for _, t := range s.texts {
		if c, ok := colour(t); ok {
			x.Colour = c
		} else if slices.Contains(s.kinds, "General MATERIAL") && x.Material == "" {
			x.Material = t
		}
	}
}

func colour(text string) (string, bool) {
	key, value, ok := strings.Cut(text, ":")
	if !ok || !strings.HasPrefix(strings.ToLower(strings.TrimSpace(key)), "colo") {
		return "", false
	}
	return strings.TrimSpace(value), true
}

// state fills the facts that hold for every board of the file.
func (r *reader) state(b *pcb.Board) {
	f := &b.Facts
	copper := r.copper()
	src := pcb.Source{File: r.file}
	f.CopperLayers = pcb.State(len(copper), src, 0.97, "conductor layers of the file")
	b.Stackup = r.stackupOf()
	at := pcb.Source{File: r.file, Line: r.stackup.line}
	if r.stackup.thickness > 0 {
		f.Thickness = pcb.State(r.stackup.thickness, at, 0.9, "IPC-2581 stackup")
	}
	if isUntouched(b.Stackup) {
		const how = "IPC-2581 stackup, Altium's standard"
		for i := range b.Stackup {
			b.Stackup[i].Thickness = presetOf(b.Stackup[i].Thickness, how)
		}
		f.Thickness = presetOf(f.Thickness, how)
	}
	r.stateCopper(f, at)
	for _, x := range b.Stackup {
		switch x.Kind {
		case pcb.StackMask:
			stateText(&f.MaskColour, x.Colour, at)
		case pcb.StackSilk:
			stateText(&f.SilkscreenColour, x.Colour, at)
		case pcb.StackCore, pcb.StackPrepreg, pcb.StackDielectric:
			if x.Material != "" && !strings.EqualFold(x.Material, "FR4") && !strings.EqualFold(x.Material, "FR-4") {
				stateText(&f.Material, x.Material, at)
			}
		}
	}
	for _, s := range r.specs {
		for _, k := range s.kinds {
			if finish, ok := strings.CutPrefix(k, "SurfaceFinish "); ok && finish != "OTHER" {
				stateText(&f.Finish, finish, at)
			}
			if strings.HasPrefix(k, "Impedance") {
				f.Impedance = pcb.State(true, at, 0.9, "IPC-2581 specification")
			}
			kind, _, _ := strings.Cut(k, " ")
			if p := specProcesses[kind]; p != "" {
				f.Needs(pcb.State(p, at, 0.9, "IPC-2581 specification"))
			}
			if kind == "EdgePlating" {
				f.EdgePlating = pcb.State(true, at, 0.9, "IPC-2581 specification")
			}
		}
	}
	if r.tool != "" {
		f.Tool = pcb.State(r.tool, src, 0.95, "history record")
	}
	if r.date != "" {
		f.Date = pcb.State(r.date, src, 0.8, "history record")
	}
	if r.revision != "" {
		f.Revision = pcb.State(r.revision, src, 0.6, "history record")
	}
}

func stateText(to *pcb.Fact[string], v string, src pcb.Source) {
	if v != "" && !to.Known {
		*to = pcb.State(v, src, 0.9, "IPC-2581 stackup")
	}
}

// stateCopper: 35 µm on every layer is what tools write where nobody chose.
func (r *reader) stateCopper(f *pcb.Facts, src pcb.Source) {
	copper := make([]int64, len(r.copper()))
	untouched := true
	for _, s := range r.stackup.layers {
		if l := r.byName[s.name]; l != nil && l.role == pcb.RoleCopper && l.order <= len(copper) && s.thickness > 0 {
			copper[l.order-1] = s.thickness
			untouched = untouched && s.thickness >= 34_000 && s.thickness <= 36_000
		}
	}
	const how = "IPC-2581 stackup"
	foil.State(f, copper, func(oz float64) pcb.Fact[float64] {
		if untouched {
			return pcb.Preset(oz, src, how+": 1 oz on every layer")
		}
		return pcb.State(oz, src, 0.9, how)
	})
}
