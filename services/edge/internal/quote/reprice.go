package quote

import (
	"boardorder/pkg/contract/quotes"
	"boardorder/services/edge/internal/web"
)

// Reprice asks for the price of a quote as it is today, with the parts of an approval of it if one is named, as a request of the
// quote's account. Asked twice it is one request. Without a quote and a refusal the outcome
// is still to come.
func (q *Quotes) Reprice(c *web.Call, old quotes.Quote, approval string) (Outcome, error) {
	c.Caller.Account, c.Caller.Key.ID = old.Account, old.Key
	a, err := q.submitRenewal(c, old, nil, &order{timeout: linkTimeout, approval: approval})
	if err != nil {
		return Outcome{}, err
	}
	defer a.waiter.Leave()
	a.await(c, q.outcomes())
	return q.outcomeOf(c, a)
}
