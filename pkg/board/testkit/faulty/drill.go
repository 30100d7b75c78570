package faulty

import (
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/geom"
)

// A hit is a hole to be drilled, or a slot when A and B differ.
type hit struct {
	diameter int64
	a, b     geom.Point
	function string
}

// spans sorts the hits of plated holes by the layers that they join.
func (s *Sketch) spans() map[[2]int][]hit {
	out := map[[2]int][]hit{{1, s.Layers}: nil}
	for i := range s.Pads {
		if p := &s.Pads[i]; p.Drill > 0 && !p.Bare {
			out[[2]int{1, s.Layers}] = append(out[[2]int{1, s.Layers}], p.hit("Plated,PTH,ComponentDrill"))
		}
	}
	for _, v := range s.Vias {
		k := [2]int{1, s.Layers}
		if v.From != 0 {
			k = [2]int{v.From, v.To}
		}
		out[k] = append(out[k], hit{v.Drill, v.At, v.At, "Plated,PTH,ViaDrill"})
	}
	if s.Plain {
		for _, hits := range out {
			for i := range hits {
				hits[i].function = ""
			}
		}
	}
	return out
}

func (s *Sketch) bare() (out []hit) {
	for i := range s.Pads {
		if p := &s.Pads[i]; p.Drill > 0 && p.Bare {
			out = append(out, p.hit("NonPlated,NPTH,ComponentDrill"))
		}
	}
	return out
}

func (p *Pad) hit(function string) hit {
	h := hit{p.Drill, p.At, p.At, function}
	if p.Slot > p.Drill {
		d := rotate(geom.Pt((p.Slot-p.Drill)/2, 0), p.Turn)
		h.a, h.b = p.At.Sub(d), p.At.Add(d)
	}
	return h
}

// excellon writes a drill file.
func excellon(hits []hit, function string) string {
	var w strings.Builder
	w.WriteString("M48\n; #@! TF.FileFunction," + function + "\nFMAT,2\nMETRIC\n")
	type tool struct {
		diameter int64
		function string
	}
	var tools []tool
	for _, h := range hits {
		if t := (tool{h.diameter, h.function}); !slices.Contains(tools, t) {
			tools = append(tools, t)
		}
	}
	for i, t := range tools {
		if t.function == "" {
			fmt.Fprintf(&w, "T%dC%s\n", i+1, mmText(t.diameter))
			continue
		}
		fmt.Fprintf(&w, "; #@! TA.AperFunction,%s\nT%dC%s\n; #@! TD\n", t.function, i+1, mmText(t.diameter))
	}
	w.WriteString("%\nG90\nG05\n")
	for i, t := range tools {
		fmt.Fprintf(&w, "T%d\n", i+1)
		for _, h := range hits {
			switch {
			case h.diameter != t.diameter || h.function != t.function:
			case h.a == h.b:
				fmt.Fprintf(&w, "X%sY%s\n", mmText(h.a.X), mmText(h.a.Y))
			default:
				fmt.Fprintf(&w, "X%sY%sG85X%sY%s\n", mmText(h.a.X), mmText(h.a.Y), mmText(h.b.X), mmText(h.b.Y))
			}
		}
	}
	w.WriteString("T0\nM30\n")
	return w.String()
}

// netlist writes IPC-D-356 in thousandths of a millimetre.
func (s *Sketch) netlist() string {
	var w strings.Builder
	w.WriteString("P  CODE 00\nP  UNITS CUST 1\nP  arrayDim   N\n")
	record := func(code, net, ref, pin string, drill int64, plating string, access int, at geom.Point, x, y int64) {
		if net == "" {
			net = "N/C"
		}
		if pin != "" {
			pin = "-" + pin
		}
		d := "      "
		if drill > 0 {
			d = fmt.Sprintf("D%04d%s", drill/um, plating)
		}
		fmt.Fprintf(&w, "%s%-14s   %-6s%-5s %sA%02dX%+07dY%+07dX%04dY%04dR000S0\n", code, net, ref, pin, d, access, at.X/um, at.Y/um, x/um, y/um)
	}
	for i := range s.Pads {
		p := &s.Pads[i]
		switch {
		case p.Drill > 0 && p.Bare:
			record("367", "", p.Ref, p.Number, p.Drill, "U", 0, p.At, p.X, p.Y)
		case p.Drill > 0:
			record("317", p.Net, p.Ref, p.Number, p.Drill, "P", 0, p.At, p.X, p.Y)
		case p.Bottom:
			record("327", p.Net, p.Ref, p.Number, 0, "", s.Layers, p.At, p.X, p.Y)
		default:
			record("327", p.Net, p.Ref, p.Number, 0, "", 1, p.At, p.X, p.Y)
		}
	}
	for _, v := range s.Vias {
		if v.From == 0 {
			record("317", v.Net, "VIA", "", v.Drill, "P", 0, v.At, v.Size, 0)
		}
	}
	w.WriteString("999\n")
	return w.String()
}
