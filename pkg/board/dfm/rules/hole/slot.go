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

// Slot judges the widths of slots.
var Slot = rule.Rule{Judges: []dfm.Name{dfm.SlotWidth, dfm.NPTHSlotWidth}, Run: slots}

// slots judges the narrowest slots, which a cutter has to fit into.
func slots(_ context.Context, in *measure.Input) rule.Result {
	g, bare := rule.MinimumCheck(in, dfm.SlotWidth, false), rule.MinimumCheck(in, dfm.NPTHSlotWidth, false).Levels(dfm.Warning, dfm.Note)
	unmade := in.Unmade()
	var edges rule.Places
	drawn := int64(math.MaxInt64) // the least width of their lines
	for i := range in.Board.Holes {
		h := &in.Board.Holes[i]
		if h.Kind == pcb.DrillHole || h.Diameter <= 0 || unmade[i] {
			continue
		}
		p := dfm.Place{At: h.A, To: h.B, Value: h.Diameter, Objects: [2]string{measure.HoleWords(h)}}
		limit := g
		if h.Plating == pcb.NonPlated {
			limit = bare
		}
		if h.Diameter < max(limit.Limit.Min, limit.Limit.Recommended) && in.CutoutEdge(i, limit.Limit.Min) {
			edges.AddUnmeasured(p)
			drawn = min(drawn, h.Diameter)
		} else {
			limit.Add(p)
		}
	}
	r := g.Result(narrowSlot("slot"))
	r.Add(bare.Result(narrowSlot("non-plated slot")))
	r.Add(rule.PlaceFinding(dfm.SlotWidth, dfm.Note, func(n int) string { return cutoutEdges(n, drawn) }, &edges))
	return r
}

func cutoutEdges(n int, drawn int64) string {
	return fmt.Sprintf("%s of the cutter %s on %s and %s taken for the %s, and the tool's %s for the width of the drawn line: the fabricator mills along the inside with a cutter of his own. Say so if they are slots.",
		words.Plural(n, "way"), words.Inflect(n, "closes", "close"), words.Inflect(n, "itself", "themselves"), words.Be(n), words.Inflect(n, "edge of a cutout", "edges of cutouts"), words.MM(drawn))
}

func narrowSlot(what string) func(rule.Breach) string {
	return func(j rule.Breach) string {
		if j.Hard {
			return fmt.Sprintf("%s %s narrower than the fabricator can mill: the narrowest is %s wide, the limit %s.",
				words.Plural(j.Count, what), words.Be(j.Count), words.MM(j.Value), words.MM(j.Limit))
		}
		return fmt.Sprintf("%s %s narrower than %s (the narrowest is %s): the fabricator mills them, but it costs more.",
			words.Plural(j.Count, what), words.Be(j.Count), words.MM(j.Limit), words.MM(j.Value))
	}
}
