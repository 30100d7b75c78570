package order_test

import (
	"testing"
	"time"

	"boardorder/pkg/contract/orders"
	"boardorder/services/payment/internal/order"
)

// TestPostpone: who waits for a fabricator that is away for days changes while waits grow, then
// once an hour, and says since when; it waits no more once it was placed, or held.
func TestPostpone(t *testing.T) {
	t.Parallel()
	o, at, changes := orderAt(orders.Paid, 0), now, 0
	for try := range 300 {
		wait := min(5*time.Second<<min(try, 20), 10*time.Minute)
		next, changed := order.Postpone(o, "no\nanswer", wait, at)
		if changed {
			changes++
		}
		o, at = next, at.Add(wait)
	}
	p := o.Postponed
	if p == nil || !p.Since.Equal(now) || p.EveryS != 600 || p.Why != "no answer" || at.Sub(p.Next) > 2*time.Hour || changes < 40 || changes > 60 {
		t.Errorf("after two days: %+v at %s in %d changes; want it since %s, every 600 s, a next try of late, 40 to 60 changes", p, at, changes, now)
	}
	if held := order.Hold(o, "look"); held.Postponed != nil {
		t.Error("a held order waits for its fabricator")
	}
}
