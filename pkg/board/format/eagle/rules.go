package eagle

import (
	"math"
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/markup"
	"boardorder/pkg/board/pcb"
)

// rules are the parameters of the design rules by EAGLE's names.
type rules struct {
	params  map[string]string
	line    int
	classes []pcb.NetClass
}

// defaultRules are what a new board of EAGLE has, for files that leave some out.
func defaultRules() rules {
	return rules{params: map[string]string{
		"layerSetup": "(1*16)", "mtCopper": "0.035mm", "mtIsolate": "1.5mm",
		"rvPadTop": "0.25", "rvPadInner": "0.25", "rvPadBottom": "0.25", "rvViaOuter": "0.25", "rvViaInner": "0.25",
		"rlMinPadTop": "10mil", "rlMaxPadTop": "20mil", "rlMinPadInner": "10mil", "rlMaxPadInner": "20mil",
		"rlMinPadBottom": "10mil", "rlMaxPadBottom": "20mil", "rlMinViaOuter": "8mil", "rlMaxViaOuter": "20mil",
		"rlMinViaInner": "8mil", "rlMaxViaInner": "20mil", "psTop": "-1", "psBottom": "-1", "psFirst": "-1",
		"psElongationLong": "100", "psElongationOffset": "100", "mvStopFrame": "1", "mvCreamFrame": "0",
		"mlMinStopFrame": "4mil", "mlMaxStopFrame": "4mil", "mlMinCreamFrame": "0mil", "mlMaxCreamFrame": "0mil",
		"mlViaStopLimit": "0mil", "useDiameter": "13",
	}}
}

func (r *reader) designRules(e markup.Element) {
	r.rules.line = e.Line()
	for p := range r.in.Children() {
		if p.Name() == "param" {
			r.rules.params[p.Attr("name")] = p.Attr("value")
		}
	}
}

func (r *reader) classes() {
	for c := range r.in.Children() {
		n := pcb.NetClass{Name: c.Attr("name"), TrackWidth: length(c, "width"), ViaDrill: length(c, "drill")}
		for x := range r.in.Children() {
			if x.Name() == "clearance" {
				n.Clearance = max(n.Clearance, length(x, "value"))
			}
		}
		r.rules.classes = append(r.rules.classes, n)
	}
}

func (u *rules) number(name string) float64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(u.params[name]), 64)
	if err != nil || math.IsNaN(v) || math.Abs(v) > 1e6 {
		return 0
	}
	return v
}

func (u *rules) length(name string) int64 { return lengthOf(u.params[name]) }

// lengthOf reads a length with its unit, such as 8mil, 0.2mm or 0.01inch.
func lengthOf(s string) int64 {
	s = strings.TrimSpace(s)
	unit := 1.0
	for _, x := range []struct {
		name string
		mm   float64
	}{{"mil", 0.0254}, {"mic", 0.001}, {"inch", 25.4}, {"in", 25.4}, {"mm", 1}} {
		if n, ok := strings.CutSuffix(s, x.name); ok {
			s, unit = n, x.mm
			break
		}
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(v) || math.Abs(v*unit) > geom.Millimetres(geom.MaxCoord) {
		return 0
	}
	return geom.MM(v * unit)
}

// share is a part of a size, kept between the limits of a rule.
func (u *rules) share(of int64, factor, low, high string) int64 {
	v := int64(float64(of) * u.number(factor))
	return max(u.length(low), min(v, u.length(high)), 0)
}

// ring is the width of copper that the rules put round a hole: where is PadTop,
// PadInner, PadBottom, ViaOuter or ViaInner.
func (u *rules) ring(drill int64, where string) int64 {
	return u.share(drill, "rv"+where, "rlMin"+where, "rlMax"+where)
}

// diameter is that of a pad or via on a layer: what the rules ask for or, where
// these let it count, the larger one stated.
func (u *rules) diameter(stated, drill int64, where string) int64 {
	d := drill + 2*u.ring(drill, where)
	bit := map[string]int{"PadTop": 0, "PadInner": 1, "PadBottom": 2, "ViaOuter": 3, "ViaInner": 4}[where]
	if int(u.number("useDiameter"))>>bit&1 == 1 {
		d = max(d, stated)
	}
	return d
}

// stop and cream are how far mask openings reach beyond, and stencil openings
// stay inside, copper whose smaller side is given.
func (u *rules) stop(side int64) int64 {
	return u.share(side, "mvStopFrame", "mlMinStopFrame", "mlMaxStopFrame")
}

func (u *rules) cream(side int64) int64 {
	return u.share(side, "mvCreamFrame", "mlMinCreamFrame", "mlMaxCreamFrame")
}

// state hands the rules to the board.
func (u *rules) state(b *pcb.Board) {
	q := &b.Rules
	q.Clearance = u.length("mdWireWire")
	for _, name := range []string{"mdWirePad", "mdWireVia", "mdPadPad", "mdPadVia", "mdViaVia"} {
		if v := u.length(name); v > 0 && (q.Clearance == 0 || v < q.Clearance) {
			q.Clearance = v
		}
	}
	q.TrackWidth, q.ViaDrill = u.length("msWidth"), u.length("msDrill")
	q.HoleToHole, q.EdgeClearance = u.length("mdDrill"), u.length("mdCopperDimension")
	q.AnnularRing = u.length("rlMinViaOuter")
	q.MaskExpansion = u.length("mlMinStopFrame")
	q.Classes = u.classes
}
