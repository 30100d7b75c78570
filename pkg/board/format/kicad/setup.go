package kicad

import (
	"boardorder/pkg/board/internal/sexpr"
)

// A setup is what (setup …) and (general …) state about the whole board.
type setup struct {
	thickness           int64
	thicknessLine       int
	maskMargin          int64
	pasteMargin         int64
	pasteRatio          float64
	viaDrill            int64
	microViaDrill       int64
	tentTop, tentBottom bool
	tentingStated       bool // somebody chose it
	tentingLine         int
	fill, cap, plug     bool // vias, unless one says otherwise
	fillLine            int
	subtractMask        bool
	plotReference       bool
	plotValue           bool
	plotText            bool
	plotInvisible       bool
	stackup             stackup
	line                int
}

func defaultSetup() setup {
	return setup{tentTop: true, tentBottom: true, plotReference: true, plotValue: true, plotText: true,
		viaDrill: 400_000, microViaDrill: 127_000}
}

func (r *pcbReader) readSetup(n sexpr.Node) {
	s := &r.setup
	s.line = n.Line()
	rules := &r.b.Rules
	for c := range n.Args() {
		v := c.Part(1)
		switch string(c.Name()) {
		case "stackup":
			r.readStackup(c)
		case "pad_to_mask_clearance":
			s.maskMargin = size(v)
			rules.MaskExpansion = s.maskMargin
		case "solder_mask_min_width":
			rules.MaskMinWidth = size(v)
		case "pad_to_paste_clearance":
			s.pasteMargin = size(v)
		case "pad_to_paste_clearance_ratio":
			s.pasteRatio = v.Float()
		case "trace_min":
			rules.TrackWidth = size(v)
		case "trace_clearance":
			rules.Clearance = size(v)
		case "via_min_size":
			rules.ViaDiameter = size(v)
		case "via_min_drill":
			rules.ViaDrill = size(v)
		case "uvia_min_size":
			rules.MicroViaDiameter = size(v)
		case "uvia_min_drill":
			rules.MicroViaDrill = size(v)
		case "via_drill":
			s.viaDrill = size(v)
		case "uvia_drill":
			s.microViaDrill = size(v)
		case "tenting":
			s.tentTop, s.tentBottom = sides(c, true, true)
			s.tentingStated = !s.tentTop || !s.tentBottom
			s.tentingLine = c.Line()
		case "filling":
			s.fill, s.fillLine = v.Says("yes"), c.Line()
		case "capping":
			s.cap, s.fillLine = v.Says("yes"), c.Line()
		case "plugging":
			front, back := sides(c, false, false)
			s.plug, s.fillLine = front || back, c.Line()
		case "pcbplotparams":
			r.readPlot(c)
		}
	}
}

// readPlot reads the settings of the last plot, which a plot by us follows.
func (r *pcbReader) readPlot(n sexpr.Node) {
	s := &r.setup
	for c := range n.Args() {
		v := c.Part(1).Text()
		on := v == "true" || v == "yes"
		switch string(c.Name()) {
		case "viasonmask":
			if on {
				s.tentTop, s.tentBottom, s.tentingStated, s.tentingLine = false, false, true, c.Line()
			}
		case "subtractmaskfromsilk":
			s.subtractMask = on
		case "plotreference":
			s.plotReference = on
		case "plotvalue":
			s.plotValue = on
		case "plotfptext":
			s.plotText = on
		case "plotinvisibletext":
			s.plotInvisible = on
		}
	}
}

// sides reads what holds for the front and the back in the ways that versions
// write it: (tenting front back), (tenting none), (tenting (front yes) (back no)).
func sides(n sexpr.Node, front, back bool) (bool, bool) {
	named := false
	f, b := false, false
	for c := range n.Args() {
		if c.IsList() {
			on := c.Part(1).Text() == "yes"
			switch string(c.Name()) {
			case "front":
				front = on || c.Part(1).Text() == "none" && front
			case "back":
				back = on || c.Part(1).Text() == "none" && back
			}
			continue
		}
		named = true
		f = f || c.Text() == "front"
		b = b || c.Text() == "back"
	}
	if named {
		return f, b
	}
	return front, back
}
