package quote

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/itar"
	"boardorder/services/edge/internal/customer"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// find gives a quote of the caller's account as it is now, by the path's parameter, with its
// order, if it has one.
func (q *Quotes) find(c *web.Call, parameter string) (id string, quote quotes.Quote, order *orders.Order, err error) {
	if id, err = c.PathID(parameter, maxQuoteID); err != nil {
		return id, quote, nil, err
	}
	ref := contract.SecretRef(id)
	current, err := optional[quotes.Quote](c, q, contract.QuoteAggregate, ref)
	if err != nil {
		return id, quote, nil, err
	}
	if order, err = optional[orders.Order](c, q, contract.OrderAggregate, ref); err != nil {
		return id, quote, nil, err
	}
	sold := orders.QuoteAsSold(current, nil, order)
	if sold == nil || !quoteID.MatchString(id) || sold.Account != c.Caller.Account || order != nil && order.Withdrawn {
		return id, quote, nil, problem.New(contract.NotFound, "There is no quote with this quote_id.")
	}
	return id, *sold, order, q.refuseDeclared(c.Context(), sold.Upload)
}

// Refresh answers POST /v1/quotes/{quote_id}/refresh: the quote as it is priced today, beside
// what has changed since.
func (q *Quotes) Refresh(c *web.Call) error { return q.priceAgain(c, "/refresh", nil) }

// priceAgain answers a call for a quote as it is priced today; change, if any, says otherwise of
// what is asked for, or refuses it.
func (q *Quotes) priceAgain(c *web.Call, path string, change func(quotes.Quote, *order) error) error {
	body := map[string]any{}
	var err error
	if !c.Body().Empty() {
		if body, err = c.Object(); err != nil {
			return err
		}
	}
	id, old, paid, err := q.find(c, "quote_id")
	if err != nil {
		return err
	}
	if itar.DeclaresIn(body) {
		return q.designs().RefuseITAR(c, old.Upload)
	}
	f := jsonbody.NewFields(body)
	o := &order{timeout: c.Wait(usualWait, f)}
	if p := f.Problems(); len(p) > 0 {
		return problem.Fields(p)
	}
	if o.request, err = q.Keys.Begin(c, q.outcomes(), "POST /v1/quotes/"+id+path, jsonbody.Text(body)); err != nil {
		return err
	}
	if change != nil && !o.request.HasEnded() {
		if err := change(old, o); err != nil {
			return err
		}
	}
	a, err := q.renew(c, old, paid, f.Unknown(), o)
	if err != nil {
		return err
	}
	defer a.waiter.Leave()
	a.mark(c)
	a.await(c, q.outcomes())
	if a.out == nil {
		return q.pending(c, a.request, q.pollURL(a.request))
	}
	own := map[string]any{}
	if a.out.Refusal == nil {
		now, err := outcome.Decode[quotes.Quote](a.out.Doc)
		if err != nil {
			return err
		}
		own["refreshed_from"], own["changes"] = id, findChanges(old, now)
	}
	return q.answer(c, a.out, http.StatusCreated, a.joined, own)
}

// renew submits the renewal of a quote that is not paid, or gives what came of it.
func (q *Quotes) renew(c *web.Call, old quotes.Quote, paid *orders.Order, unknown []string, o *order) (submission, error) {
	switch {
	case o.request.HasEnded():
		return replay(o), nil
	case paid != nil:
		return submission{}, problem.New(contract.Conflict, "This quote has been paid. POST /v1/reorders prices its order again.")
	case old.TeamRefusal() != nil:
		return submission{}, problem.New(contract.QuoteNotPayable, "Our team does not price this board, and says why in the quote's review.")
	}
	if old.Request.Assembly {
		if err := q.Assembled(c); err != nil {
			return submission{}, err
		}
	}
	return q.submitRenewal(c, old, unknown, o)
}

// submitRenewal requests the price of a quote as it is today: the same board and options,
// shipping and build as they were chosen, to where it was to go.
func (q *Quotes) submitRenewal(c *web.Call, old quotes.Quote, unknown []string, o *order) (submission, error) {
	if old.Estimate != nil && old.Mode == quotes.ModeInstant { // what was entered at checkout
		old = old.ApplyEstimate()
	}
	data := quotes.PriceData{Upload: old.Upload, Digest: old.Digest, From: old.Ref, BuyLink: old.BuyLink, Request: old.Request, Unknown: unknown, Chosen: customer.Earlier{Quote: old}.Choice(), Approval: o.approval}
	data.Request.UploadID, data.Request.BuildTimeHours = "", nil // of the build it is known what was chosen
	data.Request.Quantity = cmp.Or(old.Reply.Quantity, old.Request.Quantity)
	if old.Delivery != nil && old.Delivery.ShipTo != (shipments.ShipTo{}) {
		data.Request.ShipTo = &old.Delivery.ShipTo
	}
	body, err := json.Marshal(data)
	if err != nil {
		return submission{}, fmt.Errorf("encode quote request: %w", err)
	}
	o.upload, o.body, o.sum = old.Upload, body, digest(old.Account, endpoint, body, old.Digest)
	return q.submit(c, o)
}
