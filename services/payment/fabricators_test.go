package payment_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/simulator"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/fabricator"
	"boardorder/services/payment"
	"boardorder/services/payment/internal/order"
)

// addFabricator gives the world a second fabricator, near_by, whose ledger is its own.
func addFabricator(t *testing.T, w *world) *simulator.Simulator {
	t.Helper()
	sim := runSimulator(t, simulator.Config{DataDir: t.TempDir(), FabPace: time.Minute, Now: w.clock.Now})
	calls := http.DefaultTransport.(*http.Transport).Clone()
	t.Cleanup(calls.CloseIdleConnections)
	w.fabs = append(w.fabs, fabricator.Entry[payment.Fabricator]{Name: "near_by", Adapter: connect(t, sim, calls, w.clock.Now)})
	return sim
}

// builtBy has a quote be of a fabricator.
func builtBy(name string) func(*quotes.Quote) {
	return func(q *quotes.Quote) { q.Terms.Fabricator = name }
}

// ordersAt are the numbers under which an order is at a simulator's fabricator.
func (s *shopping) ordersAt(sim *simulator.Simulator) (out []string) {
	for _, o := range sim.Fabricator().Ledger().Orders {
		if strings.HasPrefix(o.Batch, s.order().ID) {
			out = append(out, o.Batch)
		}
	}
	return out
}

// TestOrdersGoWhereTheyWereQuoted: of two fabricators each gets the orders of its own quotes,
// and is asked how they come along.
func TestOrdersGoWhereTheyWereQuoted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sim := addFabricator(t, w)
	w.svc = w.serviceOver(w)
	for name, at := range map[string][2]int{fabName: {1, 0}, "near_by": {0, 1}} {
		s := w.payQuote(builtBy(name))
		w.waitUntil("the parcel", s.isShipped)
		here, there := s.ordersAt(w.sim), s.ordersAt(sim)
		if len(here) != at[0] || len(there) != at[1] || s.order().Fabricator.Name != name || s.order().Tracking == nil {
			t.Errorf("an order of %s: %q at %s and %q at near_by, parcel %+v, built by %s; want %d, %d, a parcel, by the first", name, here, fabName, there, s.order().Tracking, s.order().Fabricator.Name, at[0], at[1])
		}
	}
}

// TestFabricatorIsGone: however far an order is when its fabricator is taken from the
// configuration, nobody else gets it: it is held, and goes on where it was once the
// fabricator is there again.
func TestFabricatorIsGone(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		what   string
		before func(w *world, s *shopping)
		cancel contract.Code // of cancelling it while the fabricator is gone
		again  orders.Status // what the team reports once it is there again
	}{
		{"paid", func(*world, *shopping) {}, "", orders.Paid},
		{"asked for, with an unknown outcome", func(w *world, s *shopping) {
			commit(w, contract.OrderAggregate, s.ref, orders.EventPlacing, order.Placing(s.order(), w.clock.Now()))
		}, contract.Conflict, orders.Paid},
		{"placed", func(w *world, s *shopping) {
			w.waitUntil("the order", func() bool { return s.order().Status == orders.Placed })
		}, contract.Conflict, orders.Placed},
	} {
		t.Run(tt.what, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			sim := addFabricator(t, w)
			w.svc = w.serviceOver(w)
			s := w.payQuote(builtBy("near_by"))
			tt.before(w, s)
			both, built := w.fabs, len(s.ordersAt(sim))
			w.fabs = both[:1]
			w.svc = w.serviceOver(w)
			w.waitUntil("the hold", func() bool { return s.order().Status == orders.Held })
			if why := s.order().Held; !strings.Contains(why, `"near_by", is no longer configured`) {
				t.Errorf("held because %q, want a reason that names near_by", why)
			}
			if here := s.ordersAt(w.sim); len(here) != 0 {
				t.Fatalf("%q were ordered of %s, want nothing", here, fabName)
			}
			if tt.cancel != "" { // it may have the order
				if code := s.cancel(); code != tt.cancel {
					t.Errorf("cancelled while nobody can say whether it is being built: %q, want %q", code, tt.cancel)
				}
			}
			w.fabs = both
			w.svc = w.serviceOver(w)
			if code := s.report(tt.again, nil); code != "" {
				t.Fatalf("report %s: %s, want it granted", tt.again, code)
			}
			w.waitUntil("the parcel", s.isShipped)
			if here, there := s.ordersAt(w.sim), s.ordersAt(sim); len(here) != 0 || len(there) != 1 || built > 1 {
				t.Errorf("%q at %s and %q at near_by, want one there alone", here, fabName, there)
			}
		})
	}
}

// TestCancelledBeforeItWasRequested: an order that is held because its fabricator is gone
// can be called off.
func TestCancelledBeforeItWasRequested(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.payQuote(builtBy("near_by"), func(*quotes.Quote) {
		w.fabs = append(w.fabs, fabricator.Entry[payment.Fabricator]{Name: "near_by", Adapter: w.fabs[0].Adapter})
		w.svc = w.serviceOver(w)
	})
	w.fabs = w.fabs[:1]
	w.svc = w.serviceOver(w)
	w.waitUntil("the hold", func() bool { return s.order().Status == orders.Held })
	if code := s.cancel(); code != "" || s.order().Status != orders.Cancelled {
		t.Errorf("cancel: %q, the order is %s; want it granted, %s", code, s.order().Status, orders.Cancelled)
	}
}

// TestNoMoneyForWhatNobodyBuilds: a quote of a fabricator that is gone is not paid; one that
// names nobody is the first one's.
func TestNoMoneyForWhatNobodyBuilds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, want := range map[string]contract.Code{fabName: "", "near_by": contract.QuoteNotPayable, "": ""} {
		s := w.quote(builtBy(name))
		if code := s.begin(); code != want || (s.checkout().Status == checkouts.Open) != (want == "") {
			t.Errorf("paying a quote of %q: %q, checkout %s, want %q", name, code, s.checkout().Status, want)
		}
	}
}

// TestUnnamedFabricator: what was stored before quotes and orders named anybody is built by
// the first fabricator of the configuration.
func TestUnnamedFabricator(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sim := addFabricator(t, w)
	slices.Reverse(w.fabs)
	w.svc = w.serviceOver(w)
	s := w.payQuote(builtBy(""))
	w.waitUntil("the parcel", s.isShipped)
	if here, there := s.ordersAt(w.sim), s.ordersAt(sim); len(here) != 0 || len(there) != 1 {
		t.Errorf("%q at %s and %q at near_by, want one at near_by", here, fabName, there)
	}
}
