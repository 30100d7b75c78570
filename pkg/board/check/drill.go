package check

import (
	"context"
	"fmt"

	"boardorder/pkg/board"
)

// drills judges the sizes of drilled holes. Routed slots have a rule of their own.
func drills(_ context.Context, in *input) result {
	least, most := in.gauge(DrillSize, false), in.maximum(DrillMaximum, false).levels(Warning, Note)
	for i := range in.board.Holes {
		h := &in.board.Holes[i]
		if h.Kind != board.DrillHole || h.Diameter <= 0 {
			continue
		}
		p := Place{At: h.A, To: h.A, Value: h.Diameter, Objects: [2]string{in.holeWords(h)}}
		if h.Plating != board.NonPlated {
			least.add(p)
		}
		most.add(p)
	}
	r := least.result(func(j judged) string {
		if j.hard {
			return fmt.Sprintf("%s %s smaller than the fabricator drills: the smallest is %s, the limit %s.",
				plural(j.count, "plated hole"), be(j.count), mm(j.value), mm(j.limit))
		}
		return fmt.Sprintf("%s %s smaller than %s (the smallest %s): it can be drilled, but costs more.",
			plural(j.count, "plated hole"), be(j.count), mm(j.limit), mm(j.value))
	})
	r.add(most.result(func(j judged) string {
		return fmt.Sprintf("%s %s larger than the largest drill of %s (the largest %s): it is milled instead.",
			plural(j.count, "hole"), be(j.count), mm(j.limit), mm(j.value))
	}))
	return r
}

// holeWords says what a hole is.
func (in *input) holeWords(h *board.Hole) string {
	switch {
	case h.Kind != board.DrillHole:
		return "slot"
	case h.Function == board.FuncViaDrill:
		return "via"
	case h.Plating == board.NonPlated:
		return "non-plated hole"
	case h.Plating == board.Plated:
		return "plated hole"
	}
	return "hole"
}
