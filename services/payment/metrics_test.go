package payment_test

import (
	"testing"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/contract/checkouts"

	"github.com/prometheus/client_golang/prometheus"
)

// gatherMetrics gives what the service's metrics say, by name.
func (w *world) gatherMetrics() map[string]float64 {
	w.t.Helper()
	r := prometheus.NewPedanticRegistry()
	r.MustRegister(w.svc.Metrics())
	families, err := r.Gather()
	if err != nil {
		w.t.Fatal(err)
	}
	out := map[string]float64{}
	for _, f := range families {
		out[f.GetName()] = f.GetMetric()[0].GetGauge().GetValue()
	}
	return out
}

// compareLedgers compares the ledgers since a time ago, and carries out nothing that follows.
func (w *world) compareLedgers(ago time.Duration) {
	w.t.Helper()
	since := w.clock.Now().Add(-ago)
	w.runOnce(w.svc.Handlers()[checkouts.Reconcile], w.command(checkouts.Reconcile, "", checkouts.ReconcileData{Since: since}))
}

const (
	chargesMetric  = "boardorder_charges_without_order"
	comparedMetric = "boardorder_reconciled_timestamp_seconds"
)

// TestChargesWithoutOrder: a charge that led to nothing in time is counted until it
// led to an order, whoever saw to that.
func TestChargesWithoutOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if got := w.gatherMetrics(); len(got) != 0 {
		t.Fatalf("before anything was compared: %v, want nothing", got)
	}
	s := w.quote()
	s.begin()
	s.pay(s.checkout().SessionID)
	w.compareLedgers(time.Hour)
	if got := w.gatherMetrics(); got[chargesMetric] != 0 || got[comparedMetric] == 0 {
		t.Errorf("right after the payment: %v, want no charge, and a time", got)
	}
	w.clock.Reach(w.clock.Now().Add(10 * time.Minute))
	w.compareLedgers(time.Hour)
	before := w.gatherMetrics()
	w.clock.Reach(w.clock.Now().Add(10 * time.Minute))
	w.compareLedgers(time.Minute) // does not look that far back
	if after := w.gatherMetrics(); before[chargesMetric] != 1 || after[chargesMetric] != 1 || after[comparedMetric] <= before[comparedMetric] {
		t.Errorf("ten minutes later: %v, then %v; want one", before, after)
	}
	w.waitUntil("an order", func() bool { return s.order().ID != "" })
	if got := w.gatherMetrics(); got[chargesMetric] != 0 {
		t.Errorf("with its order: %v, want no charge", got)
	}
}

// TestSecondChargeCountsUntilItIsGivenBack: it never leads to an order.
func TestSecondChargeCountsUntilItIsGivenBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.begin()
	session := s.secondPage("again", card.Line{Label: "Boards", Cents: s.q.Reply.Lines[0].Cents})
	s.pay(s.checkout().SessionID)
	w.compareLedgers(time.Hour)
	w.waitUntil("an order", func() bool { return s.order().ID != "" })
	s.pay(session)
	w.clock.Reach(w.clock.Now().Add(10 * time.Minute))
	w.compareLedgers(time.Hour)
	if got := w.gatherMetrics(); got[chargesMetric] != 1 {
		t.Errorf("paid twice: %v, want one charge", got)
	}
	w.waitUntil("the refund", func() bool { return len(s.checkout().Refunds) == 1 })
	if got := w.gatherMetrics(); got[chargesMetric] != 0 {
		t.Errorf("given back: %v, want no charge", got)
	}
}
