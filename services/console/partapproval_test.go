package console_test

import (
	"errors"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/console"
)

// TestApprovalsAreInTheTrail: what a customer answered about parts stands in the trail once, by the quote and not by
// the command, with a digest of their name; what was not answered never does.
func TestApprovalsAreInTheTrail(t *testing.T) {
	t.Parallel()
	p := newClub(t, fullAccount())
	handlers := (console.NewApprovals(p.core, time.Now)).Handlers()
	answer := &quotes.ApprovalAnswer{Chosen: []string{"NEW", ""}, Name: "Ada Lovelace", Shown: "5h0wn", LookedS: 42, SameNetwork: true}
	line := func(ref string) quotes.ApprovalLine {
		return quotes.ApprovalLine{Reference: ref, Part: "OLD", Alternatives: []partchecks.Alternative{{MPN: "NEW"}}}
	}
	lines := []quotes.ApprovalLine{line("U1"), line("U2")}
	q := quotes.Quote{Ref: "q1", Account: "acc_1", Approvals: []quotes.PartApproval{{ID: "pa_1", Lines: lines, Answer: answer}, {ID: "pa_2", Lines: lines}}}
	if err := aggregate.At[quotes.Quote](p.core, contract.QuoteAggregate, "q1").Create(t.Context(), contract.Command{ID: "c", Account: "acc_1"}, time.Now(), aggregate.Change[quotes.Quote]{Event: quotes.EventPartsApproved, State: q}); err != nil {
		t.Fatal(err)
	}
	note := func(quote, approval string) error {
		c, err := contract.NewCommand(audits.NoteApproval, "", "acc_1", time.Now(), audits.NoteApprovalData{Quote: quote, Approval: approval})
		if err != nil {
			t.Fatal(err)
		}
		c.ID = "note-" + approval
		return handlers[audits.NoteApproval](t.Context(), c)
	}
	_, before := p.trail()
	if err := errors.Join(note("q1", "pa_1"), note("q1", "pa_1"), note("erased", "pa_1")); err != nil {
		t.Fatal(err)
	}
	r, n := p.trail()
	if n != before+1 || r.Action != "approved parts" || r.Operator != "customer" || r.ID != "q1" || r.Key != "" || r.After["line 1"] != "U1: NEW" || r.After["line 2"] != "U2: declined" || r.After["shown"] != "5h0wn" ||
		r.After["name"] != audits.DigestText("Ada Lovelace") || r.After["network"] == "" || r.After["looked at it for"] != "42 s" {
		t.Errorf("%d entries, the last %+v; want one with both lines, and a digest of the name", n-before, r)
	}
	for _, approval := range []string{"pa_2", "pa_3"} {
		if err := note("q1", approval); err == nil {
			t.Errorf("approval %s is recorded, which nobody has answered", approval)
		}
	}
}
