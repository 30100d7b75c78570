package gerberout

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// A program is one drill file: holes of one plating between the same layers.
type program struct {
	plating  pcb.Plating
	from, to int
}

// A tool is what makes the holes that share a diameter and a purpose.
type tool struct {
	diameter int64
	function pcb.Function
}

// drills writes the drill files, through holes first.
func (p *plotter) drills() {
	programs := map[program]map[tool][]*pcb.Hole{}
	for i := range p.board.Holes {
		h := &p.board.Holes[i]
		if h.Diameter <= 0 {
			continue // no drill makes it
		}
		k := p.programOf(h)
		if programs[k] == nil {
			programs[k] = map[tool][]*pcb.Hole{}
		}
		t := tool{h.Diameter, h.Function}
		programs[k][t] = append(programs[k][t], h)
	}
	order := slices.SortedFunc(maps.Keys(programs), func(a, b program) int {
		return cmp.Or(p.blind(a)-p.blind(b), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.plating, b.plating))
	})
	for _, k := range order {
		function := p.drillFunction(k)
		p.add(p.drillSuffix(k), function, "Positive", p.drill(k, function, programs[k]))
	}
}

func (p *plotter) programOf(h *pcb.Hole) program {
	k := program{h.Plating, 1, p.layers}
	if !h.IsThrough(p.layers) {
		k.from, k.to = int(min(h.From, h.To)), int(max(h.From, h.To))
	}
	if k.plating == pcb.MixedPlating {
		k.plating = pcb.PlatingUnknown
	}
	return k
}

// blind is 1 for holes that do not pass the whole board.
func (p *plotter) blind(k program) int {
	if k.from <= 1 && k.to >= p.layers {
		return 0
	}
	return 1
}

func (p *plotter) drillSuffix(k program) string {
	name := map[pcb.Plating]string{pcb.Plated: "PTH", pcb.NonPlated: "NPTH"}[k.plating]
	if name == "" {
		name = "drill"
	}
	if p.blind(k) == 1 {
		name += fmt.Sprintf("-L%d-L%d", k.from, k.to)
	}
	return name + ".drl"
}

// drillFunction is the .FileFunction of a program.
func (p *plotter) drillFunction(k program) string {
	if k.plating == pcb.PlatingUnknown {
		return fmt.Sprintf("MixedPlating,%d,%d", k.from, k.to)
	}
	return fmt.Sprintf("%s,%d,%d,%s", platingWord(k.plating), k.from, k.to, p.spanWord(k))
}

func platingWord(pl pcb.Plating) string {
	if pl == pcb.Plated {
		return "Plated"
	}
	return "NonPlated"
}

func (p *plotter) spanWord(k program) string {
	switch {
	case p.blind(k) == 1 && (k.from <= 1 || k.to >= p.layers):
		return "Blind"
	case p.blind(k) == 1:
		return "Buried"
	case k.plating == pcb.Plated:
		return "PTH"
	}
	return "NPTH"
}

// drill writes one program: a header with its tools, and what each makes.
func (p *plotter) drill(k program, function string, holes map[tool][]*pcb.Hole) []byte {
	tools := slices.SortedFunc(maps.Keys(holes), func(a, b tool) int {
		return cmp.Or(cmp.Compare(a.diameter, b.diameter), cmp.Compare(a.function, b.function))
	})
	out := []byte("M48\n")
	for _, a := range p.fileAttributes(function, "") {
		out = append(append(append(out, "; #@! TF"...), a...), '\n')
	}
	out = append(out, "FMAT,2\nMETRIC\n"...)
	for i, t := range tools {
		what := drillFunctions[t.function]
		if what != "" && k.plating != pcb.PlatingUnknown {
			out = fmt.Appendf(out, "; #@! TA.AperFunction,%s,%s,%s\n", platingWord(k.plating), p.spanWord(k), what)
		}
		out = append(appendMicro(fmt.Appendf(out, "T%dC", i+1), t.diameter), '\n')
		out = append(out, "; #@! TD\n"...)
	}
	out = append(out, "%\nG90\nG05\n"...)
	for i, t := range tools {
		out = append(strconv.AppendInt(append(out, 'T'), int64(i+1), 10), '\n')
		for _, h := range holes[t] {
			out = appendHole(out, p.board, h)
		}
	}
	return append(out, "M30\n"...)
}

// appendHole drills a hit, or routs a slot or a path.
func appendHole(out []byte, b *pcb.Board, h *pcb.Hole) []byte {
	if h.Kind == pcb.DrillHole || h.Kind == pcb.SlotHole && h.A == h.B {
		return append(appendPlace(out, h.A), '\n')
	}
	down := false
	b.HoleEdges(h, func(e geom.Edge) {
		if !down {
			out = append(appendPlace(append(out, "G00"...), e.A), "\nM15\n"...)
			down = true
		}
		out = appendCut(out, e)
	})
	if !down {
		return out
	}
	return append(out, "M16\nG05\n"...)
}

// appendCut moves the cutter along an edge. Arcs go in quarters at most, for a
// radius alone does not tell a long way round from a short one.
func appendCut(out []byte, e geom.Edge) []byte {
	if !e.IsArc() || e.Radius() == 0 {
		return append(appendPlace(append(out, "G01"...), e.B), '\n')
	}
	r, start, sweep := e.Radius(), e.A.Sub(e.Centre).Angle(), e.Sweep()
	n := max(1, int(math.Ceil(math.Abs(sweep)/(math.Pi/2)-1e-9)))
	for i := 1; i <= n; i++ {
		to := e.B
		if i < n {
			to = e.Centre.Polar(r, start+sweep*float64(i)/float64(n))
		}
		word := "G03"
		if e.Turn == geom.Clockwise {
			word = "G02"
		}
		out = appendPlace(append(out, word...), to)
		out = append(appendMicro(append(out, 'A'), int64(math.Round(r))), '\n')
	}
	return out
}

func appendPlace(out []byte, p geom.Point) []byte {
	return appendMicro(append(appendMicro(append(out, 'X'), p.X), 'Y'), p.Y)
}

// appendMicro writes a length in millimetres to a tenth of a micrometre.
func appendMicro(out []byte, nm int64) []byte {
	const unit = 100
	half := int64(unit / 2)
	if nm < 0 {
		half = -half
	}
	return appendDecimal(out, (nm+half)/unit, 4)
}
