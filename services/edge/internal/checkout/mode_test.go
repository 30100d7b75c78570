package checkout_test

import (
	"testing"
	"time"

	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
)

func makeTest(q *quotes.Quote) { q.Account += "~test" }

// TestPagesOfTestsSaySo: each page of what a test key made, and none of live.
func TestPagesOfTestsSaySo(t *testing.T) {
	t.Parallel()
	const words = "Test mode – no real payment is taken and nothing is made."
	s := open(t, nil)
	for name, change := range map[string]func(*quotes.Quote){
		"to pay": setDelivery, "new": nil, "review": review,
		"waiting": func(q *quotes.Quote) { review(q); setDelivery(q); q.Status = quotes.SourcingRequested },
		"expired": func(q *quotes.Quote) { q.ExpiresAt = s.now().Add(-time.Hour) },
	} {
		s.quote(change)
		if a := s.get(""); !t.Failed() {
			a.lacks(t, words, "4242")
		}
		s.quote(func(q *quotes.Quote) {
			if change != nil {
				change(q)
			}
			makeTest(q)
		})
		s.get("").has(t, words, "4242 4242 4242 4242")
		if t.Failed() {
			t.Fatalf("the page of a live or test quote, %s, is wrong: see above", name)
		}
	}
	s.putPaidOrder(nil)
	s.get("").lacks(t, words)
	s.putPaidOrder(func(o *orders.Order) { o.Account += "~test" })
	s.get("").has(t, words)
}
