package kicad

import (
	"strings"

	"boardorder/pkg/board/internal/process"
	"boardorder/pkg/board/internal/sexpr"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/preset"
)

// wholeThickness is what KiCad writes for the thickness of a new board.
var wholeThickness = preset.Thicknesses[0]

// PresetThickness tells whether a board of so many copper layers has a thickness,
// in nanometres, that KiCad writes where nobody set one: 1.6 mm, or, once layers
// were added, as much core between any two as a board of two has.
func PresetThickness(t int64, layers int) bool {
	const masks = 2 * 10_000
	return t == wholeThickness || layers > 2 && preset.StackOf("KiCad").Adds(t-masks, layers)
}

// A stackup is what (stackup …) states beyond the layers themselves.
type stackup struct {
	present       bool
	edited        bool // something differs from what KiCad writes by itself
	copper        []int64
	line          int
	finish        string
	masks         []string // colours that somebody chose, top first
	silkColour    string
	laminates     []string // of the sheets
	constraints   bool
	castellated   bool
	edgePlating   bool
	edgeConnector bool
	bevelled      bool // the connector's edge
	total         int64
	flexible      int // sheets of polyimide
	rigid         int // other dielectrics of a material
}

func (r *pcbReader) readStackup(n sexpr.Node) {
	s := &r.setup.stackup
	s.present, s.line = true, n.Line()
	for c := range n.Args() {
		v := c.Part(1).Text()
		on := v != "no" && v != "none" && v != ""
		switch string(c.Name()) {
		case "layer":
			r.stackupLayer(c)
		case "copper_finish":
			if v != "" && v != "None" {
				s.finish, s.edited = v, true
			}
		case "dielectric_constraints":
			s.constraints = on
			s.edited = s.edited || on
		case "edge_connector":
			s.edgeConnector, s.bevelled = on, v == "bevelled"
			s.edited = s.edited || on
		case "castellated_pads":
			s.castellated = on
			s.edited = s.edited || on
		case "edge_plating":
			s.edgePlating = on
			s.edited = s.edited || on
		}
	}
}

// stackupLayer reads one layer of the stackup with its sublayers, whose
// properties follow the word addsublayer.
func (r *pcbReader) stackupLayer(n sexpr.Node) {
	s := &r.setup.stackup
	l := pcb.StackupLayer{Name: n.Part(1).Text()}
	l.Kind = stackupKind(n.Value("type").Text())
	if l.Kind == pcb.StackCopper {
		if known := r.layers.find([]byte(l.Name)); known != nil {
			l.Order = known.order
		}
	}
	sub := 0
	for c := range n.Args() {
		v := c.Part(1)
		switch {
		case !c.IsList() && c.Text() == "addsublayer":
			r.addStackupLayer(l)
			sub++
			l.Thickness, l.Material, l.EpsilonR, l.LossTan = pcb.Fact[int64]{}, "", 0, 0
			s.edited = true
		case c.Is("thickness"):
			l.Thickness = pcb.State(size(v), pcb.Source{File: r.file, Line: c.Line()}, 0.9, "board setup: stackup")
		case c.Is("material"):
			l.Material = v.Text()
		case c.Is("epsilon_r"):
			l.EpsilonR = v.Float()
		case c.Is("loss_tangent"):
			l.LossTan = v.Float()
		case c.Is("color"):
			l.Colour = v.Text()
		}
	}
	r.addStackupLayer(l)
}

func (r *pcbReader) addStackupLayer(l pcb.StackupLayer) {
	s := &r.setup.stackup
	t := l.Thickness.Value
	switch l.Kind {
	case pcb.StackCopper:
		s.copper = append(s.copper, t)
		s.edited = s.edited || !preset.StackOf("KiCad").CopperOf([]int64{t})
	case pcb.StackMask:
		if c := cleanColour(l.Colour); c != "" {
			s.masks = append(s.masks, c)
		}
		s.edited = s.edited || cleanColour(l.Colour) != ""
	case pcb.StackSilk:
		s.silkColour = coalesce(s.silkColour, cleanColour(l.Colour))
		s.edited = s.edited || cleanColour(l.Colour) != ""
	case pcb.StackCore, pcb.StackPrepreg, pcb.StackDielectric:
		switch {
		case process.Polyimide(l.Material):
			s.flexible++
		case l.Material != "":
			s.rigid++
		}
		if l.Material != "" {
			s.laminates = append(s.laminates, l.Material)
			s.edited = s.edited || l.Material != "FR4"
		}
		s.edited = s.edited || l.EpsilonR != 0 && l.EpsilonR != 4.5 || l.LossTan != 0 && l.LossTan != 0.02
	}
	s.total += t
	r.b.Stackup = append(r.b.Stackup, l)
}

// material is what the board is made of; "" where that is what KiCad begins with.
func (s *stackup) material() string {
	if m := pcb.Laminates(s.laminates...); m != "FR4" {
		return m
	}
	return ""
}

// cleanColour drops the words that KiCad writes where nobody chose a colour.
func cleanColour(colour string) string {
	switch strings.ToLower(colour) {
	case "", "not specified", "user defined":
		return ""
	}
	return colour
}

func coalesce(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func stackupKind(t string) pcb.StackupKind {
	t = strings.ToLower(t)
	switch {
	case t == "copper":
		return pcb.StackCopper
	case t == "core":
		return pcb.StackCore
	case t == "prepreg":
		return pcb.StackPrepreg
	case strings.Contains(t, "dielectric"):
		return pcb.StackDielectric
	case strings.Contains(t, "mask"):
		return pcb.StackMask
	case strings.Contains(t, "paste"):
		return pcb.StackPaste
	case strings.Contains(t, "silk"):
		return pcb.StackSilk
	}
	return pcb.StackOther
}
