package kicad

import (
	"strings"

	"boardorder/pkg/board/internal/sexpr"
	"boardorder/pkg/board/pcb"
)

type viaSize struct{ diameter, drill, microDrill int64 }

// net reads (net 3 "GND") of the table of nets.
func (r *pcbReader) net(n sexpr.Node) {
	number, name := n.Part(1), n.Part(2)
	if name.Exists() {
		r.nets[string(number.Raw())] = r.b.Net(name.Text())
	}
}

// netOf is the net that an item's (net …) names, by number or, since KiCad 10,
// by name.
func (r *pcbReader) netOf(n sexpr.Node) int32 {
	if !n.Exists() {
		return 0
	}
	v := n.Part(1)
	for _, known := range [2]map[string]int32{r.nets, r.table} {
		if i, ok := known[string(v.Raw())]; ok {
			return i
		}
	}
	text := v.Text()
	if name := n.Part(2); name.Exists() { // (net 3 "GND") of a pad, when the table is missing
		text = name.Text()
	} else if isNumber(text) && !strings.HasPrefix(string(v.Raw()), `"`) {
		return 0
	}
	i := r.b.Net(text)
	r.nets[string(v.Raw())] = i
	return i
}

func isNumber(s string) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

// netClass reads the classes that KiCad 4 and 5 keep in the board.
func (r *pcbReader) netClass(n sexpr.Node) {
	c := pcb.NetClass{
		Name: n.Part(1).Text(), Clearance: size(n.Value("clearance")), TrackWidth: size(n.Value("trace_width")),
		ViaDiameter: size(n.Value("via_dia")), ViaDrill: size(n.Value("via_drill")),
	}
	r.classes[c.Name] = viaSize{c.ViaDiameter, c.ViaDrill, size(n.Value("uvia_drill"))}
	for a := range n.Lists("add_net") {
		name := a.Part(1).Text()
		c.Nets = append(c.Nets, name)
		r.classOf[r.b.Net(name)] = c.Name
	}
	r.b.Rules.Classes = append(r.b.Rules.Classes, c)
}

// defaultDrill is the drill of a via that states none: that of its net's class, or
// the board's.
func (r *pcbReader) defaultDrill(net int32, micro bool) int64 {
	class := r.classOf[net]
	if class == "" {
		class = "Default"
	}
	v := r.classes[class]
	d, fallback := v.drill, r.setup.viaDrill
	if micro {
		d, fallback = v.microDrill, r.setup.microViaDrill
	}
	if d > 0 {
		return d
	}
	return fallback
}
