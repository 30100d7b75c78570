package dfm

import (
	"context"
	"fmt"
	"math"

	"boardorder/pkg/board"
)

// drills judges how small and how large the drills are, and how deep for their
// width. Milled slots have a rule of their own.
func drills(_ context.Context, in *input) result {
	least, bare := in.gauge(DrillSize, false), in.gauge(NPTHDrillSize, false).levels(Warning, Note)
	most := in.maximum(DrillMaximum, false).levels(Note, Note)
	deep := in.maximum(AspectRatio, false)
	deep.slack = 10 // a hundredth
	for i := range in.board.Holes {
		h := &in.board.Holes[i]
		if h.Diameter <= 0 || h.Function == board.FuncCutOut {
			continue
		}
		p := Place{At: h.A, To: h.B, Value: h.Diameter, Objects: [2]string{holeWords(h)}}
		if h.Kind == board.DrillHole {
			most.add(p)
			if h.Plating == board.NonPlated {
				bare.add(p)
			} else {
				least.add(p)
			}
		}
		if h.Plating == board.NonPlated {
			continue
		}
		p.Value = in.depth(h) * 1000 / h.Diameter
		deep.add(p)
	}
	r := least.result(smallDrill("hole"))
	r.add(bare.result(smallDrill("non-plated hole")))
	r.add(most.result(func(j judged) string {
		return fmt.Sprintf("%s %s larger than the largest drill of %s (the largest hole is %s): the fabricator mills instead.",
			plural(j.count, "hole"), be(j.count), mm(j.limit), mm(j.value))
	}))
	r.add(deep.result(in.deepWords))
	return r
}

func smallDrill(what string) func(judged) string {
	return func(j judged) string {
		if j.hard {
			return fmt.Sprintf("%s %s smaller than the fabricator can drill: the smallest is %s, the limit %s.",
				plural(j.count, what), be(j.count), mm(j.value), mm(j.limit))
		}
		return fmt.Sprintf("%s %s smaller than %s (the smallest is %s): the fabricator drills them, but it costs more.",
			plural(j.count, what), be(j.count), mm(j.limit), mm(j.value))
	}
}

func (in *input) deepWords(j judged) string {
	s := fmt.Sprintf("%s %s deep for the width of the drill: up to %.1f times as deep as wide, on a board of %s. ",
		plural(j.count, "plated hole"), be(j.count), float64(j.value)/1000, mm(in.thickness))
	if j.hard {
		return s + fmt.Sprintf("The fabricator can plate up to %.1f times: use larger holes or a thinner board.", float64(j.limit)/1000)
	}
	return s + fmt.Sprintf("Beyond %.1f times the copper in the hole may come out thin.", float64(j.limit)/1000)
}

// depth is how much of the board a hole passes: all of it, or the part between
// its copper layers, by the stackup where that states thicknesses.
func (in *input) depth(h *board.Hole) int64 {
	if h.Through(in.layers) || in.layers < 2 {
		return in.thickness
	}
	from, to := int(min(h.From, h.To)), int(max(h.From, h.To))
	if d, ok := stackDepth(in.board.Stackup, from, to); ok {
		return d
	}
	return int64(math.Round(float64(in.thickness) * float64(to-from) / float64(in.layers-1)))
}

// stackDepth adds up what lies between two copper layers, both included.
func stackDepth(stack []board.StackupLayer, from, to int) (int64, bool) {
	sum, inside, ended := int64(0), false, false
	for _, l := range stack {
		if l.Kind == board.StackCopper && l.Order == from {
			inside = true
		}
		if !inside {
			continue
		}
		if !l.Thickness.Known || l.Thickness.Value < 0 {
			return 0, false
		}
		sum += l.Thickness.Value
		if l.Kind == board.StackCopper && l.Order == to {
			ended = true
			break
		}
	}
	return sum, ended && sum > 0
}

// holeWords says what a hole is.
func holeWords(h *board.Hole) string {
	what := "hole"
	switch {
	case h.Function == board.FuncViaDrill:
		return "via"
	case h.Kind != board.DrillHole:
		what = "slot"
	}
	switch h.Plating {
	case board.NonPlated:
		return "non-plated " + what
	case board.Plated:
		return "plated " + what
	}
	return what
}
