package overview

import (
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
)

var at = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

func minutes(n int) time.Time { return at.Add(time.Duration(n) * time.Minute) }

// TestReviewsWaitFromTheQuestion: a review waits for the team from when the customer asked,
// or answered; not while the customer is asked, nor once it has expired.
func TestReviewsWaitFromTheQuestion(t *testing.T) {
	t.Parallel()
	requested, answered := minutes(-30), minutes(-5)
	review := func(change func(*quotes.Quote)) *quotes.Quote {
		q := &quotes.Quote{Ref: "r", Status: quotes.SourcingRequested, CreatedAt: minutes(-600), RequestedAt: &requested, ExpiresAt: minutes(60)}
		change(q)
		return q
	}
	question := func(when *time.Time) func(*quotes.Quote) {
		return func(q *quotes.Quote) {
			q.Review = &quotes.Review{Questions: []quotes.ReviewQuestion{{Text: "Which?", Answer: "Green.", AskedAt: minutes(-20), AnsweredAt: when}}}
		}
	}
	for name, tt := range map[string]struct {
		quote *quotes.Quote
		kind  kind // "": it waits for nobody
		since time.Time
	}{
		"asked":               {review(func(*quotes.Quote) {}), reviews, requested},
		"asked without time":  {review(func(q *quotes.Quote) { q.RequestedAt = nil }), reviews, minutes(-600)},
		"customer is asked":   {review(question(nil)), "", time.Time{}},
		"customer answered":   {review(question(&answered)), answers, answered},
		"not asked for":       {review(func(q *quotes.Quote) { q.Status = quotes.SourcingReady }), "", time.Time{}},
		"priced":              {review(func(q *quotes.Quote) { q.Status = quotes.SourcingQuoted }), "", time.Time{}},
		"expired in the line": {review(func(q *quotes.Quote) { q.ExpiresAt = minutes(-1) }), "", time.Time{}},
	} {
		got, waits := reviewTask(tt.quote, at)
		if waits != (tt.kind != "") || got.Kind != tt.kind || !got.Since.Equal(tt.since) {
			t.Errorf("%s: reviewTask = %v %q since %s, want %q since %s", name, waits, got.Kind, got.Since, tt.kind, tt.since)
		}
	}
}

// TestTasksAreOrderedAndCounted: what waits longest stands first, and an order that is held
// for a dispute is there once.
func TestTasksAreOrderedAndCounted(t *testing.T) {
	t.Parallel()
	order := func(ref string, paid int) *orders.Order {
		return &orders.Order{Ref: ref, Quote: "q" + ref, PaidAt: minutes(paid), Held: "look", Dispute: &orders.Dispute{At: minutes(-3), Reason: "fraudulent"}, Refunds: []orders.Refund{{At: minutes(-7), Why: "card is closed"}}, Waiting: "which finish?"}
	}
	all := []task{
		orderTask(order("A", -100), held), orderTask(order("B", -90), held), orderTask(order("A", -100), disputes), orderTask(order("C", -80), refunds), orderTask(order("D", -70), asks),
		checkoutTask(&checkouts.Checkout{Quote: "e", StartedAt: minutes(-60), Saved: &checkouts.SavedPayment{VerifiedAt: minutes(-50), Reason: "insufficient_funds"}}),
		formalTask(&formal.Order{Ref: "CO-F", CreatedAt: minutes(-40)}),
		formalTask(&formal.Order{Ref: "CO-G", CreatedAt: minutes(-40), Accepted: &formal.Acceptance{AcceptedAt: minutes(-2)}}),
	}
	all = append(all, approvalTasks(&cases.Case{Ref: "h", Approvals: []cases.Approval{
		{Kind: cases.ApproveRefund, Status: cases.ApprovalOpen, AskedAt: minutes(-1)}, {Kind: cases.ApprovePrice, Status: cases.ApprovalRefused},
	}})...)
	sorted := sortTasks(all)
	var got []string
	for _, one := range sorted {
		got = append(got, string(one.Kind)+" "+one.Ref)
	}
	want := []string{
		"held B", "asks D", "declines " + quotes.CustomerRef("e"), "formal CO-F", "refunds C", "disputes A", "formal CO-G", "approvals " + quotes.CustomerRef("h"),
	}
	if strings.Join(got, ", ") != strings.Join(want, ", ") {
		t.Errorf("sortTasks = %q, want %q", got, want)
	}
	for _, tile := range countTasks(sorted) {
		count := map[kind]int{disputes: 1, refunds: 1, declines: 1, held: 1, asks: 1, formals: 2, approvals: 1}[tile.Kind]
		if tile.Count != count || (count > 0) == tile.Since.IsZero() {
			t.Errorf("tile %s: %d since %s, want %d", tile.Kind, tile.Count, tile.Since, count)
		}
		if tile.Kind == formals && !tile.Since.Equal(minutes(-40)) {
			t.Errorf("formal orders wait since %s, want %s", tile.Since, minutes(-40))
		}
		if want := map[bool]string{true: tile.One, false: tile.Many}[count == 1]; tile.Kind.Words() == "" || tile.Text() != want || want == "" {
			t.Errorf("tile %s: %q %q, want %q", tile.Kind, tile.Kind.Words(), tile.Text(), want)
		}
	}
}

// TestApprovalsAreCountedOnce: what waits for a second operator is not also work of the first.
func TestApprovalsAreCountedOnce(t *testing.T) {
	t.Parallel()
	held1 := orderTask(&orders.Order{Ref: "A", Quote: "a", PaidAt: minutes(-9), Held: "look"}, held)
	disputed := orderTask(&orders.Order{Ref: "D", Quote: "d", PaidAt: minutes(-8), Dispute: &orders.Dispute{At: minutes(-8)}}, disputes)
	review, _ := reviewTask(&quotes.Quote{Ref: "r", Status: quotes.SourcingRequested, CreatedAt: minutes(-7), ExpiresAt: minutes(60)}, at)
	all := []task{held1, disputed, review, formalTask(&formal.Order{Key: "f", Ref: "CO-F", CreatedAt: minutes(-6)}), orderTask(&orders.Order{Ref: "B", Quote: "b", PaidAt: minutes(-5), Held: "look"}, held)}
	for ref, kind := range map[string]cases.ApprovalKind{"a": cases.ApproveCancel, "d": cases.ApproveCancel, "r": cases.ApprovePrice, "f": cases.ApproveFormal} {
		all = append(all, approvalTasks(&cases.Case{Ref: ref, Approvals: []cases.Approval{{Kind: kind, Status: cases.ApprovalOpen, AskedAt: at}}})...)
	}
	for _, tile := range countTasks(sortTasks(all)) {
		if want := map[kind]int{approvals: 4, disputes: 1, held: 1}[tile.Kind]; tile.Count != want {
			t.Errorf("%s: %d, want %d", tile.Kind, tile.Count, want)
		}
	}
}
