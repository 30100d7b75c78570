package payment_test

import (
	"encoding/json"
	"testing"
	"time"

	"boardorder/pkg/contract"
	orderscontract "boardorder/pkg/contract/orders"
	"boardorder/pkg/projection"
)

// project puts orders and checkouts into the projection, as the projector does.
func (w *world) project() {
	w.t.Helper()
	for _, a := range []contract.Aggregate{contract.OrderAggregate, contract.CheckoutAggregate} {
		_, err := w.bus.ReplayEvents(w.t.Context(), a, func(events []contract.Event) error {
			for _, e := range events {
				state := contract.StateOf(e.Data)
				var s struct{ Status, Money string }
				if err := json.Unmarshal(state, &s); err != nil {
					return err
				}
				d := projection.Document{Kind: string(a), ID: e.AggregateID, Seq: e.Seq, At: e.At, Keys: map[string]string{"status": s.Status, "money": s.Money}, Body: state}
				if err := w.docs.Put(w.t.Context(), d); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

// sweepAll looks for everything that lost its timer.
func (w *world) sweepAll() {
	w.t.Helper()
	for _, data := range []orderscontract.SweepData{
		{Aggregate: contract.OrderAggregate, Key: "status", Value: "paid"}, {Aggregate: contract.OrderAggregate, Key: "status", Value: "placing"},
		{Aggregate: contract.OrderAggregate, Key: "status", Value: "placed"}, {Aggregate: contract.OrderAggregate, Key: "status", Value: "in_production"},
		{Aggregate: contract.OrderAggregate, Key: "money", Value: "open"}, {Aggregate: contract.CheckoutAggregate, Key: "status", Value: "open"},
	} {
		w.deliver(w.command(orderscontract.Sweep, "", data))
	}
}

// forgetEverything drops all that would lead anything on by itself.
func (w *world) forgetEverything() {
	w.timers, w.queue = map[string]contract.Timer{}, nil
}

// TestSweepFindsLostTimers: wherever an order stands still, the sweep leads it on.
func TestSweepFindsLostTimers(t *testing.T) {
	t.Parallel()
	for name, stuck := range map[string]func(w *world) *shopping{
		"page paid, nobody noticed": func(w *world) *shopping {
			s := w.quote()
			s.begin()
			s.pay(s.checkout().SessionID)
			return s
		},
		"paid": func(w *world) *shopping { return w.payQuote() },
		"placing": func(w *world) *shopping {
			s := w.payQuote()
			w.fuse = 4
			w.runOnce(w.svc.Handlers()[orderscontract.Place], w.queue[0])
			return s
		},
		"placed": func(w *world) *shopping {
			s := w.payQuote()
			w.waitUntil("placed", func() bool { return s.order().Status == orderscontract.Placed })
			return s
		},
		"in production": func(w *world) *shopping {
			s := w.payQuote()
			w.waitUntil("production", func() bool { return s.order().Status == orderscontract.InProduction })
			return s
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s := stuck(w)
			w.forgetEverything()
			if w.pass() {
				t.Fatal("something goes on by itself")
			}
			w.project()
			w.sweepAll()
			w.waitUntil("the parcel", s.isShipped)
			if taken, returned := s.money(); taken != 1 || returned != 0 || len(s.fabOrders()) != 1 {
				t.Errorf("%d charges, %d given back, %d orders; want 1, none, 1", taken, returned, len(s.fabOrders()))
			}
		})
	}
}

// TestSweepIsHarmless: what is well, over, or held stays as it is, whatever the
// projection still says of it.
func TestSweepIsHarmless(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.payQuote()
	w.waitUntil("placed", func() bool { return s.order().Status == orderscontract.Placed })
	w.project() // and no later: the projection is stale from here
	w.waitUntil("the parcel", s.isShipped)
	before := len(w.events(contract.OrderAggregate, s.ref))
	for range 3 { // three replicas at once
		w.sweepAll()
	}
	w.work()
	if after := len(w.events(contract.OrderAggregate, s.ref)); after != before || len(s.fabOrders()) != 1 || w.dead != nil {
		t.Errorf("%d events became %d, %d orders, dead letters %v; want no more, 1, none", before, after, len(s.fabOrders()), w.dead)
	}
}

// TestSweepGoesPageByPage: an installation with many orders is swept a page at a time.
func TestSweepGoesPageByPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const orders = 120
	for n := range orders {
		o := orderscontract.Order{Quote: contract.SecretRef(string(rune(n))), Status: orderscontract.Shipped}
		commit(w, contract.OrderAggregate, o.Quote, orderscontract.EventShipped, o)
		d := projection.Document{
			Kind: "order", ID: o.Quote, Seq: uint64(n + 1), At: w.clock.Now(), Keys: map[string]string{"status": "placed"}, Body: encode(t, o),
		}
		if err := w.docs.Put(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	looked := map[string]bool{}
	w.deliver(w.command(orderscontract.Sweep, "", orderscontract.SweepData{Aggregate: contract.OrderAggregate, Key: "status", Value: "placed"}))
	for pages := 1; ; pages++ {
		if len(w.queue) > 50 {
			t.Fatalf("page %d has %d orders, want 50 at most", pages, len(w.queue))
		}
		for _, c := range w.queue {
			looked[string(c.Data)] = true
		}
		w.queue = nil
		next, more := w.timers[contract.TimerSubject(contract.OrderAggregate, "sweep", "placed")]
		if !more {
			break
		}
		clear(w.timers)
		w.clock.Reach(next.Due.Add(time.Second))
		w.deliver(next.Command)
	}
	if len(looked) != orders {
		t.Errorf("%d of %d orders were looked at, want all", len(looked), orders)
	}
}
