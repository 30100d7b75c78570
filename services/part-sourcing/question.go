package partsourcing

import (
	"maps"
	"slices"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/contract"
	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/assembly"
	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/placement"
	"boardorder/services/part-sourcing/internal/verdict"
)

func question(q assembly.Question, why string) contract.PartQuestion {
	return contract.PartQuestion{Reference: strings.Join(q.Refs, ","), Part: echo(q.Part), Description: q.Description, Quantity: len(q.Refs), Why: why}
}

func (w *work) partQuestion(k, i int) contract.PartQuestion {
	l, v := &w.plan.Lines[i], &w.list.request.Lines[k]
	return contract.PartQuestion{
		Reference: strings.Join(l.Refs, ","), Part: echo(v.Name), Description: l.Description, Footprint: l.Footprint, Quantity: l.Count(), Why: verdict.Judge(*v, verdict.Facts{}).Why,
	}
}

// voltageQuestion is a line with capacitors of which nothing tells the voltage.
func (w *work) voltageQuestion(k, i int) contract.PartQuestion {
	q := w.partQuestion(k, i)
	q.Why = "It states no voltage, and no net's name tells it: " + w.list.request.Lines[k].ID.Spec.ValueText() + " of that size is made for " + rungs(w.list.request.Lines[k].ID) +
		". Write the voltage beside the value, or send staff_picks_parts: true to get the highest that costs the same."
	return q
}

// rungs are the voltages among which a line leaves the choice: "6.3 V, 10 V, 50 V".
func rungs(id identity.Identity) string {
	var out []string
	for _, q := range slices.Backward(id.Queries) {
		n, _ := passive.Read(q.Number)
		if text := n.Spec.VoltageText(); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return strings.Join(out, ", ")
}

// Why a part's placement makes no sense.
const (
	whyTurn     = "Its rotation is no number."
	whyTurnless = "Its rotation is not stated, while those of other parts are."
	whySide     = "Its side is neither top nor bottom."
	whyTwice    = "It has several positions, and only one part can be meant."
)

// doubtful asks about parts that are fitted and whose placement makes no sense.
func (w *work) doubtful() []contract.PartQuestion {
	why := map[string]string{}
	for _, ref := range w.plan.TwicePlaced {
		if w.hasSeveralPlaces(ref) {
			why[ref] = whyTwice
		}
	}
	for _, l := range w.kit.Places {
		for _, n := range l.Notes {
			if text := map[string]string{placement.TurnUnclear: whyTurn, placement.TurnEmpty: whyTurnless, placement.SideUnclear: whySide}[n.Code]; text != "" {
				for _, ref := range n.Refs {
					why[ref] = text
				}
			}
		}
	}
	return w.questionsOf(why)
}

// explainUnplaced says why a part has no position.
func (w *work) explainUnplaced(refs []string) string {
	for _, l := range w.kit.Places {
		for _, n := range l.Notes {
			if !slices.ContainsFunc(refs, func(ref string) bool { return slices.Contains(n.Refs, ref) }) {
				continue
			}
			switch n.Code {
			case placement.Unreadable:
				return "Its position is no number."
			case placement.FarAway:
				return "Its position lies beyond two metres."
			}
		}
	}
	return "It has no position: the placements do not list it."
}

// partsOffPads asks about parts that are fitted and do not lie on their pads.
func (w *work) partsOffPads() []contract.PartQuestion {
	why := map[string]string{}
	for _, m := range w.kit.Misplaced {
		why[w.plan.Spelling.Spell(m.Ref)] = m.Why
	}
	return w.questionsOf(why)
}

// questionsOf asks about the designators of lines that are fitted, for each reason once.
func (w *work) questionsOf(why map[string]string) []contract.PartQuestion {
	var out []contract.PartQuestion
	reasons := slices.Compact(slices.Sorted(maps.Values(why)))
	for i := range w.plan.Lines {
		l := &w.plan.Lines[i]
		if !l.IsFitted() || w.isAsked(i) {
			continue
		}
		for _, text := range reasons {
			refs := slices.DeleteFunc(slices.Clone(l.Refs), func(ref string) bool { return why[ref] != text })
			if len(refs) > 0 {
				out = append(out, question(assembly.Question{Refs: refs, Part: l.NameOrDescription(), Description: l.Description}, text))
			}
		}
	}
	return out
}

// hasSeveralPlaces reports whether one file has a reference at several places, or files have it
// on both sides. Files that differ in the place alone may differ in their origin.
func (w *work) hasSeveralPlaces(ref string) bool {
	sides := map[placement.Side]bool{}
	for _, l := range w.kit.Places {
		at := map[geom.Point]bool{}
		for _, p := range l.Parts {
			if p.Ref == ref {
				at[p.At], sides[p.Side] = true, true
			}
		}
		if len(at) > 1 {
			return true
		}
	}
	return len(sides) > 1
}

// unknown is a line whose value was taken for a part number that nobody knows.
func (w *work) unknown(k int, why string) contract.PartQuestion {
	q := w.partQuestion(k, w.at[k])
	q.Why = "its value may be a part number, but: " + why
	return q
}
