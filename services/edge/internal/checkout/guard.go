package checkout

import (
	"net/url"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// formLink is the purpose of the token that a page gives its form.
const formLink = "checkout-form"

// token is what a quote's page puts into its form: proof that the form came
// from a page of that quote.
func (p *Pages) token(q quotes.Quote) string {
	until := q.ExpiresAt
	if soonest := p.Now().Add(24 * time.Hour); until.Before(soonest) { // an order outlives its quote
		until = soonest
	}
	return p.Secrets.Link(formLink, q.Ref, until)
}

// genuine refuses a form that did not come from the quote's own page. The
// quote_id in the address is a secret by itself; the rest keeps out forms that
// other sites send with an address that they learnt.
func (p *Pages) genuine(c *web.Call, ref string, form url.Values) error {
	if err := c.RefuseForeign(p.origin); err != nil {
		return err
	}
	subject, _, err := p.Secrets.OpenLink(formLink, form.Get("token"), p.Now())
	if err != nil || subject != ref {
		return problem.New(contract.Forbidden, "This form is out of date.")
	}
	return nil
}
