package quote

import (
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// An Outcome is what came of a request for a quote that one of our pages made. Without a
// quote and a refusal it is being priced.
type Outcome struct {
	Quote       *quotes.Quote
	CheckoutURL string
	Refusal     *contract.Refusal
	Progress    string
	Elapsed     time.Duration
	// Joined says that the same request was made before, which costs nothing.
	Joined bool
}

// Ask requests a quote as POST /v1/quotes does with that body and that Idempotency-Key, if
// any, for the caller, and waits for it so long.
func (q *Quotes) Ask(c *web.Call, body map[string]any, key string, timeout time.Duration) (Outcome, error) {
	o := &order{timeout: timeout, asked: body}
	if err := q.validate(jsonbody.NewFields(body), o, nil); err != nil {
		if err := q.completeRefused(c, o, err); err != nil {
			return Outcome{}, err
		}
	}
	var err error
	if o.request, err = q.Keys.BeginNamed(c.Context(), c.Caller.Account, key, q.outcomes(), endpoint, jsonbody.Text(body)); err != nil {
		return Outcome{}, err
	}
	a, err := q.send(c, o)
	if err != nil {
		return Outcome{}, err
	}
	defer a.waiter.Leave()
	a.mark(c)
	a.await(c, q.outcomes())
	return q.outcomeOf(c, a)
}

func (q *Quotes) outcomeOf(c *web.Call, a submission) (Outcome, error) {
	made := Outcome{Joined: a.joined}
	switch {
	case a.out == nil:
		_, began, _ := parseRequest(a.request)
		made.Progress, made.Elapsed = q.progress(c.Context(), a.request), max(q.Now().Sub(began), 0)
		return made, nil
	case a.out.Refusal != nil:
		made.Refusal = &problem.Find(q.refuse(c.Context(), a.request, a.out.Refusal)).Refusal
		return made, nil
	}
	quote, err := outcome.Decode[quotes.Quote](a.out.Doc)
	made.Quote, made.CheckoutURL = &quote, q.checkoutURL(q.Secrets.QuoteIDOf(quote.RequestID, quote.Ref))
	return made, err
}
