package quotes_test

import (
	"strings"
	"testing"

	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
)

// TestDoubtfulPartsAreAcknowledged: whatever is sold with the verdict check is confirmed
// before it is paid; what is not sold, or was chosen by the team, is not.
func TestDoubtfulPartsAreAcknowledged(t *testing.T) {
	t.Parallel()
	part := func(verdict string, change func(*assemblies.Part)) quotes.Quote {
		p := assemblies.Part{Fitting: assemblies.Fitted, Found: partchecks.Found{Reference: "C1,C2", MPN: "CL05B104KO5NNNC", Verdict: verdict, Bought: 10, Why: "the list states no voltage"}}
		if change != nil {
			change(&p)
		}
		return quotes.Quote{Ref: "q", Reply: quotes.Reply{Parts: []assemblies.Part{p}}}
	}
	q := part("check", nil)
	found := q.FindingsToAcknowledge()
	if len(found) != 1 || found[0].Check != quotes.CheckPart || !strings.Contains(found[0].What, "C1, C2") || !strings.Contains(found[0].What, "no voltage") || q.AcknowledgementHash() == "" {
		t.Errorf("to acknowledge: %+v, hash %q; want %s with C1, C2 and no voltage", found, q.AcknowledgementHash(), quotes.CheckPart)
	}
	for name, q := range map[string]quotes.Quote{
		"ok":                 part("ok", nil),
		"not sold":           part("check", func(p *assemblies.Part) { p.Bought = 0 }),
		"chosen by the team": part("check", func(p *assemblies.Part) { p.PickedBy = "ann" }),
		"left off":           part("check", func(p *assemblies.Part) { p.Fitting = assemblies.LeftOff }),
	} {
		if found := q.FindingsToAcknowledge(); len(found) > 0 || q.AcknowledgementHash() != "" {
			t.Errorf("%s: to acknowledge %+v, hash %q; want nothing", name, found, q.AcknowledgementHash())
		}
	}
}
