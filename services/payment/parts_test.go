package payment_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
)

// supply answers the checks of parts that wait in the queue.
func (w *world) supply() {
	var rest []contract.Command
	for _, c := range w.queue {
		if c.Name != partchecks.Check {
			rest = append(rest, c)
			continue
		}
		w.checkParts(c)
	}
	w.queue = rest
}

func (w *world) checkParts(c contract.Command) {
	w.t.Helper()
	var data partchecks.CheckData
	if err := json.Unmarshal(c.Data, &data); err != nil {
		w.t.Fatal(err)
	}
	if w.found == nil {
		return
	}
	r := w.found(data)
	commit(w, contract.PartCheckAggregate, data.Check, partchecks.EventChecked, partchecks.PartCheck{
		ID: data.Check, Status: partchecks.Ended, Attempt: 1, StartedAt: w.clock.Now(), EndedAt: w.clock.Now(), Report: &r,
	})
}

// assembleBoards makes a quote one of assembled boards that was priced a while ago.
func (w *world) assembleBoards(age time.Duration) func(*quotes.Quote) {
	return func(q *quotes.Quote) {
		q.Assembly = &quotes.QuotedAssembly{ID: "a", Boards: 10, Package: "boards/digest/1/assembly.zip", At: w.clock.Now().Add(-age)}
		part := func(ref, mpn string, cents int64) assemblies.Part {
			return assemblies.Part{Fitting: assemblies.Fitted, CostCents: cents, Found: partchecks.Found{Reference: ref, MPN: mpn, QuantityPerBoard: 1, Bought: 10}}
		}
		q.Reply.Parts = []assemblies.Part{part("R1", "RC0603FR-0710KL", 30), part("U1", "LM358DR", 500), {Fitting: assemblies.LeftOff, Found: partchecks.Found{Reference: "C9"}}}
	}
}

func report(parts ...partchecks.Found) func(partchecks.CheckData) partchecks.Report {
	return func(partchecks.CheckData) partchecks.Report { return partchecks.Report{Parts: parts} }
}

func partInStock(ref, usd string) partchecks.Found {
	return partchecks.Found{Reference: ref, Verdict: "ok", Bought: 10, CostUSD: usd}
}

// TestPartsAreLookedUpAgain: a part that left stock or doubled in price is noticed
// before anything is charged.
func TestPartsAreLookedUpAgain(t *testing.T) {
	t.Parallel()
	gone := partchecks.Found{Reference: "U1", Verdict: "problem", Why: "out of stock at fab"}
	for name, tt := range map[string]struct {
		age     time.Duration
		found   func(partchecks.CheckData) partchecks.Report
		changed []string
	}{
		"priced a moment ago":                  {time.Minute, report(gone), nil},
		"all are there":                        {2 * time.Hour, report(partInStock("R1", "0.30"), partInStock("U1", "5.20")), nil},
		"one left stock":                       {2 * time.Hour, report(partInStock("R1", "0.30"), gone), []string{"U1"}},
		"one doubled in price":                 {2 * time.Hour, report(partInStock("R1", "0.30"), partInStock("U1", "10.00")), []string{"U1"}},
		"cents that doubled are still cents":   {2 * time.Hour, report(partInStock("R1", "0.60"), partInStock("U1", "5.00")), nil},
		"a supplier has not answered about it": {2 * time.Hour, report(partInStock("R1", "0.30"), partchecks.Found{Reference: "U1", Verdict: "checking"}), nil},
		"nobody answers":                       {2 * time.Hour, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			var request partchecks.CheckData
			if tt.found != nil {
				w.found = func(d partchecks.CheckData) partchecks.Report { request = d; return tt.found(d) }
			}
			s := w.quote(w.assembleBoards(tt.age))
			code := s.begin()
			want := contract.Code("")
			if tt.changed != nil {
				want = contract.PartsChanged
			}
			if code != want {
				t.Fatalf("begin: %q, want %q", code, want)
			}
			if tt.changed != nil && slices.Contains(w.events(contract.CheckoutAggregate, s.ref), checkouts.EventOpened) {
				t.Error("a payment page was opened")
			}
			if tt.found != nil && tt.age > time.Hour && (len(request.Parts) != 2 || request.Boards != 10 || request.Since.IsZero()) {
				t.Errorf("asked about %+v, want 2 parts for 10 boards since some time", request)
			}
			if code == "" && s.checkout().ExpiresAt.After(w.clock.Now().Add(time.Hour+time.Minute)) {
				t.Error("the page is open longer than the parts are known")
			}
		})
	}
}

// TestAssembledBoardsArePlacedByHand: the fabricator's interface takes bare boards
// only, so it is never asked for assembled ones.
func TestAssembledBoardsArePlacedByHand(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote(w.assembleBoards(0))
	if code := s.begin(); code != "" {
		t.Fatalf("begin the checkout of assembled boards: %s, want it granted", code)
	}
	session := s.checkout().SessionID
	s.pay(session)
	s.tell(session, "completed")
	w.waitUntil("the order to be held", func() bool { return s.order().Status == orders.Held })
	if o := s.order(); o.Sold.Assembly == nil || !o.ByHand || o.Sold.Assembly.Package == "" || len(o.Sold.Reply.Parts) != 3 || len(s.fabOrders()) != 0 {
		t.Errorf("%+v, %d built; want the assembly sold with its package and 3 parts, by hand, none", o, len(s.fabOrders()))
	}
}
