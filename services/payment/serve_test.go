package payment_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"boardorder/deploy/simulator"
	"boardorder/deploy/simulator/cards"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/card/stripe/webhook"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/fabricator"
	"boardorder/services/payment"

	"go.uber.org/zap"
)

// atOnce is an event system for many hands: the broker's log, and nowhere for
// commands and timers to go.
type atOnce struct{ *world }

func (a atOnce) Append(ctx context.Context, e contract.Event, after uint64) (uint64, error) {
	return a.bus.Append(ctx, e, after)
}
func (atOnce) Send(context.Context, contract.Command) error   { return nil }
func (atOnce) Schedule(context.Context, contract.Timer) error { return nil }

// inStep lets all hands decide on what they have loaded before any goes on.
type inStep struct {
	atOnce
	loads *int // of this hand
	all   *sync.WaitGroup
}

func (h inStep) Last(ctx context.Context, a contract.Aggregate, id string) (contract.Event, error) {
	e, err := h.bus.Last(ctx, a, id)
	if a == contract.OrderAggregate {
		if *h.loads++; *h.loads == 2 { // the first is the look, the second the decision
			h.all.Done()
			h.all.Wait()
		}
	}
	return e, err
}

// TestManyHandsPlaceOnce: the same command runs on many replicas at once, and
// the broker takes their equal events for one. Still only one may ask.
func TestManyHandsPlaceOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.payQuote()
	place := w.queue[0]
	var hands, all sync.WaitGroup
	all.Add(8)
	for range 8 {
		svc := payment.New(payment.Config{PublicURL: "https://boards.example"}, inStep{atOnce{w}, new(int), &all}, w.secrets,
			payment.Ports{Cards: w.cards, Fabricators: fabricator.List[payment.Fabricator]{{Name: fabName, Adapter: w.fab}}, Files: w.blobs}, zap.NewNop(), w.clock.Now)
		hands.Go(func() { _ = svc.Handlers()[orders.Place](t.Context(), place) }) // the losers' errors mean: come again
	}
	hands.Wait()
	if n := len(s.fabOrders()); n != 1 {
		t.Errorf("%d orders at the fabricator, want 1", n)
	}
}

// TestManyHandsTakeOnePayment: notices of two payments in many hands at once.
func TestManyHandsTakeOnePayment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.begin()
	pages := []string{s.checkout().SessionID, s.secondPage("other")}
	s.pay(pages[0])
	s.pay(pages[1])
	svc := payment.New(payment.Config{PublicURL: "https://boards.example"}, atOnce{w}, w.secrets,
		payment.Ports{Cards: w.cards, Fabricators: fabricator.List[payment.Fabricator]{{Name: fabName, Adapter: w.fab}}, Files: w.blobs}, zap.NewNop(), w.clock.Now)
	var wg sync.WaitGroup
	for n := range 8 {
		c := w.command(checkouts.CardEvent, "", checkouts.CardEventData{Type: "checkout.session.completed", Session: pages[n%2], Quote: s.ref})
		wg.Go(func() {
			if err := svc.Handlers()[checkouts.CardEvent](t.Context(), c); err != nil {
				t.Errorf("handle the event of a card: %v", err)
			}
		})
	}
	wg.Wait()
	taken, returned := s.money()
	if taken != 2 || returned != 1 || len(s.checkout().Refunds) != 1 || s.order().Status != orders.Paid {
		t.Errorf("%d charges, %d given back, refunds %+v, order %s; want 2, 1, one, %s", taken, returned, s.checkout().Refunds, s.order().Status, orders.Paid)
	}
}

// TestServe runs the service as a process does: commands, timers and notices
// travel by themselves, the notices doubled and out of order.
func TestServe(t *testing.T) {
	t.Parallel()
	const signing = "whsec_test"
	w := newWorld(t)
	hook := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		e, err := webhook.Verify(body, r.Header.Get(webhook.HeaderName), time.Now(), signing)
		if err != nil {
			http.Error(rw, err.Error(), http.StatusBadRequest)
			return
		}
		c := contract.Command{ID: contract.DeriveID(e.ID), Name: checkouts.CardEvent, At: time.Now()}
		c.Data = encode(t, checkouts.CardEventData{EventID: e.ID, Type: e.Type, Intent: e.PaymentIntent, Quote: e.Reference, Session: sessionOf(e)})
		if err := w.bus.Send(r.Context(), c); err != nil {
			http.Error(rw, err.Error(), http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(hook.Close)
	w.startProviders(simulator.Config{DataDir: t.TempDir(), FabPace: 50 * time.Millisecond, WebhookURL: hook.URL, WebhookSecret: signing})
	w.sim.Cards().SetChaos(cards.Chaos{Duplicate: 1, DelayMS: 20})
	svc := payment.New(payment.Config{PublicURL: "https://boards.example", PollFirst: 100 * time.Millisecond}, w.bus, w.secrets,
		payment.Ports{Cards: w.cards, Fabricators: fabricator.List[payment.Fabricator]{{Name: fabName, Adapter: w.fab}}, Files: w.blobs, Docs: w.docs}, zap.NewNop(), time.Now)
	bustest.Go(t, func(ctx context.Context) error { return svc.Serve(ctx, w.bus) })
	bustest.Go(t, w.bus.RunTimers)

	s := w.quote()
	begin := w.command(checkouts.Begin, "req_serve", checkouts.BeginData{Quote: s.ref, Version: 1})
	for range 2 {
		if err := w.bus.Send(t.Context(), begin); err != nil {
			t.Fatal(err)
		}
	}
	bustest.WaitFor(t, "the page", func() bool { return s.checkout().Status == checkouts.Open })
	if e := load[checkouts.Checkout](w, contract.CheckoutAggregate, s.ref).Event; e.Operation != "req_serve" || e.Account != "acc_1" {
		t.Errorf("the event completes %q on behalf of %q, want req_serve of acc_1", e.Operation, e.Account)
	}
	s.pay(s.checkout().SessionID)
	bustest.WaitFor(t, "the parcel", s.isShipped)
	if taken, returned := s.money(); taken != 1 || returned != 0 || len(s.fabOrders()) != 1 {
		t.Errorf("%d charges, %d given back, %d orders; want 1, none, 1", taken, returned, len(s.fabOrders()))
	}
	if dead, err := w.bus.DeadLetters(t.Context(), 0, 10); err != nil || len(dead) > 0 {
		t.Errorf("dead letters: %+v, %v", dead, err)
	}
}
