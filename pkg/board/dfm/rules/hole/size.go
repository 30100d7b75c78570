// Package hole judges holes: sizes, spacing, edges, the rings and lands around them, and
// vias under what is soldered.
package hole

import (
	"context"
	"fmt"
	"math"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/pcb"
)

// Size judges the sizes of drills.
var Size = rule.Rule{Judges: []dfm.Name{dfm.DrillSize, dfm.NPTHDrillSize, dfm.DrillMaximum, dfm.AspectRatio}, Run: sizes}

// sizes judges how small and how large the drills are, and how deep for their
// width. Milled slots have a rule of their own.
func sizes(_ context.Context, in *measure.Input) rule.Result {
	least, bare := rule.MinimumCheck(in, dfm.DrillSize, false), rule.MinimumCheck(in, dfm.NPTHDrillSize, false).Levels(dfm.Warning, dfm.Note)
	most := rule.MaximumCheck(in, dfm.DrillMaximum, false).Levels(dfm.Note, dfm.Note)
	deep := rule.MaximumCheck(in, dfm.AspectRatio, false)
	deep.Slack = dfm.RatioTolerance
	unmade := in.Unmade()
	for i := range in.Board.Holes {
		h := &in.Board.Holes[i]
		if h.Diameter <= 0 || h.Function == pcb.FuncCutOut || h.Function == pcb.FuncBackDrill || unmade[i] {
			continue
		}
		p := dfm.Place{At: h.A, To: h.B, Value: h.Diameter, Objects: [2]string{measure.HoleWords(h)}}
		if h.Kind == pcb.DrillHole {
			most.Add(p)
			if h.Plating == pcb.NonPlated {
				bare.Add(p)
			} else {
				least.Add(p)
			}
		}
		if h.Plating == pcb.NonPlated || in.Bare(i) {
			continue
		}
		p.Value = depth(in, h) * 1000 / h.Diameter
		deep.Add(p)
	}
	r := least.Result(smallDrill("hole"))
	r.Add(bare.Result(smallDrill("non-plated hole")))
	r.Add(most.Result(func(j rule.Breach) string {
		return fmt.Sprintf("%s %s larger than the largest drill of %s (the largest hole is %s): the fabricator mills instead.",
			words.Plural(j.Count, "hole"), words.Be(j.Count), words.MM(j.Limit), words.MM(j.Value))
	}))
	r.Add(deep.Result(func(j rule.Breach) string { return deepWords(in, j) }))
	return r
}

func smallDrill(what string) func(rule.Breach) string {
	return func(j rule.Breach) string {
		if j.Hard {
			return fmt.Sprintf("%s %s smaller than the fabricator can drill: the smallest is %s, the limit %s.",
				words.Plural(j.Count, what), words.Be(j.Count), words.MM(j.Value), words.MM(j.Limit))
		}
		return fmt.Sprintf("%s %s smaller than %s (the smallest is %s): the fabricator drills them, but it costs more.",
			words.Plural(j.Count, what), words.Be(j.Count), words.MM(j.Limit), words.MM(j.Value))
	}
}

func deepWords(in *measure.Input, j rule.Breach) string {
	s := fmt.Sprintf("%s %s deep for the width of the drill: up to %.1f times as deep as wide, on a board of %s. ",
		words.Plural(j.Count, "plated hole"), words.Be(j.Count), float64(j.Value)/1000, words.MM(in.Thickness))
	if j.Hard {
		return s + fmt.Sprintf("The fabricator can plate up to %.1f times: use larger holes or a thinner board.", float64(j.Limit)/1000)
	}
	return s + fmt.Sprintf("Beyond %.1f times the copper in the hole may come out thin.", float64(j.Limit)/1000)
}

// depth is how much of the board a hole passes: all of it, or the part between
// its copper layers, by the stackup where that states thicknesses.
func depth(in *measure.Input, h *pcb.Hole) int64 {
	if h.IsThrough(in.Layers) || in.Layers < 2 {
		return in.Thickness
	}
	from, to := int(min(h.From, h.To)), int(max(h.From, h.To))
	if d, ok := stackDepth(in.Board.Stackup, from, to); ok {
		return d
	}
	return int64(math.Round(float64(in.Thickness) * float64(to-from) / float64(in.Layers-1)))
}

// stackDepth adds up what lies between two copper layers, both included.
func stackDepth(stack []pcb.StackupLayer, from, to int) (int64, bool) {
	sum, inside, ended := int64(0), false, false
	for _, l := range stack {
		if l.Kind == pcb.StackCopper && l.Order == from {
			inside = true
		}
		if !inside {
			continue
		}
		if !l.Thickness.Known || l.Thickness.Value < 0 {
			return 0, false
		}
		sum += l.Thickness.Value
		if l.Kind == pcb.StackCopper && l.Order == to {
			ended = true
			break
		}
	}
	return sum, ended && sum > 0
}
