package payment_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"boardorder/pkg/clocktest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/fabricator/openfab"
	"boardorder/pkg/flow"
	"boardorder/services/payment"
	"boardorder/services/payment/internal/saga"

	"go.uber.org/zap"
)

// underWay is a fabricator whose orders travel until the test lets them arrive.
type underWay struct {
	*openfab.Client
	request *fabricator.PlaceRequest
}

func (u *underWay) Place(_ context.Context, r fabricator.PlaceRequest) (fabricator.Placed, error) {
	u.request = &r
	return fabricator.Placed{}, &fabricator.Error{Kind: fabricator.Unknown, Message: "no answer"}
}

// replica is another process of the service, with a clock of its own.
func (w *world) replica(fab saga.Fabricator, c *clocktest.Clock) *payment.Service {
	return payment.New(payment.Config{PublicURL: "https://boards.example"}, w, w.secrets,
		payment.Ports{Cards: w.cards, Fabricators: fabricator.List[payment.Fabricator]{{Name: fabName, Adapter: fab}}, Files: w.blobs}, zap.NewNop(), c.Now)
}

// TestClocksApart: one replica has asked the fabricator and is silent since.
// Another one, whose clock is ahead or behind, orders neither before that request
// must have arrived nor after it has.
func TestClocksApart(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{-time.Hour, -time.Minute, 0, time.Minute, time.Hour} {
		for _, arrives := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s,%t", skew, arrives), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				s := w.payQuote()
				first := &underWay{Client: w.fab}
				place := w.queue[0]
				w.run(w.replica(first, w.clock), place)
				if first.request == nil || s.order().Status != orders.Placing {
					t.Fatalf("asked %v, order %s; want a request, %s", first.request, s.order().Status, orders.Placing)
				}
				other := clocktest.New(w.clock.Now().Add(skew))
				second := w.replica(w.fab, other)
				for _, passed := range []time.Duration{0, time.Second, 58 * time.Second} {
					other.Reach(other.Now().Add(passed))
					if v := w.run(second, place); v.Kind != flow.Wait || len(s.fabOrders()) != 0 {
						t.Fatalf("%s later: %+v, %d orders; want %s, none", passed, v, len(s.fabOrders()), flow.Wait)
					}
				}
				if arrives {
					if _, err := w.fab.Place(t.Context(), *first.request); err != nil {
						t.Fatal(err)
					}
				}
				other.Reach(other.Now().Add(61 * time.Second))
				if v := w.run(second, place); v.Kind != flow.Done || s.order().Status != orders.Placed {
					t.Fatalf("in the end: %+v, order %s; want %s, %s", v, s.order().Status, flow.Done, orders.Placed)
				}
				if n := len(s.fabOrders()); n != 1 {
					t.Errorf("%d orders at the fabricator, want 1", n)
				}
			})
		}
	}
}

// run delivers a command once to a replica.
func (w *world) run(svc *payment.Service, c contract.Command) flow.Verdict {
	w.t.Helper()
	return flow.Run(w.t.Context(), w, svc.Handlers()[c.Name], c, w.clock.Now)
}

// TestRequestLeavesInTime: the time in which a request may leave is
// counted from before its event, so that a slow commit leaves less of it.
func TestRequestLeavesInTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.payQuote()
	late := &slowLog{world: w}
	svc := payment.New(payment.Config{PublicURL: "https://boards.example"}, late, w.secrets,
		payment.Ports{Cards: w.cards, Fabricators: fabricator.List[payment.Fabricator]{{Name: fabName, Adapter: w.fab}}, Files: w.blobs}, zap.NewNop(), w.clock.Now)
	w.run(svc, w.queue[0])
	if n := len(s.fabOrders()); n != 0 || s.order().Status != orders.Placing {
		t.Errorf("%d orders were sent too late; the order is %s, want none, %s", n, s.order().Status, orders.Placing)
	}
	w.waitUntil("the parcel", s.isShipped)
	if n := len(s.fabOrders()); n != 1 {
		t.Errorf("%d orders at the fabricator, want 1", n)
	}
}

// slowLog takes two minutes to store what is about to be asked.
type slowLog struct{ *world }

func (l *slowLog) Append(ctx context.Context, e contract.Event, after uint64) (uint64, error) {
	if e.Name == orders.EventPlacing {
		l.clock.Reach(l.clock.Now().Add(2 * time.Minute))
	}
	return l.world.Append(ctx, e, after)
}
