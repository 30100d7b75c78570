package dfm

import (
	"context"
	"fmt"

	"boardorder/pkg/board"
)

// slots judges the narrowest slots, which a cutter has to fit into.
func slots(_ context.Context, in *input) result {
	g, bare := in.gauge(SlotWidth, false), in.gauge(NPTHSlotWidth, false).levels(Warning, Note)
	for i := range in.board.Holes {
		h := &in.board.Holes[i]
		if h.Kind == board.DrillHole || h.Diameter <= 0 {
			continue
		}
		p := Place{At: h.A, To: h.B, Value: h.Diameter, Objects: [2]string{holeWords(h)}}
		if h.Plating == board.NonPlated {
			bare.add(p)
		} else {
			g.add(p)
		}
	}
	r := g.result(narrowSlot("slot"))
	r.add(bare.result(narrowSlot("non-plated slot")))
	return r
}

func narrowSlot(what string) func(judged) string {
	return func(j judged) string {
		if j.hard {
			return fmt.Sprintf("%s %s narrower than the fabricator can mill: the narrowest is %s wide, the limit %s.",
				plural(j.count, what), be(j.count), mm(j.value), mm(j.limit))
		}
		return fmt.Sprintf("%s %s narrower than %s (the narrowest is %s): the fabricator mills them, but it costs more.",
			plural(j.count, what), be(j.count), mm(j.limit), mm(j.value))
	}
}
