package checkout

import (
	"fmt"
	"net/url"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/language"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// What one quote and one address may send: each choice that the price follows from is
// a form of its own. Payment pages are few: they are
// what stolen cards are tried with. Those that take an open one's place in another currency or
// language are not: whoever compares presses more often.
var (
	quoteForms      = limit.Policy{Name: "checkout-quote", Quota: 120, Window: time.Hour}
	addressForms    = limit.Policy{Name: "checkout-address", Quota: 600, Window: time.Hour}
	paymentPages    = limit.Policy{Name: "payment-pages", Quota: 5, Window: time.Hour}
	paymentSwitches = limit.Policy{Name: "payment-switches", Quota: 30, Window: time.Hour}
)

// countForm takes a form into account.
func (p *Pages) countForm(c *web.Call, ref string) error {
	if err := p.take(c, addressForms, p.Network(c)); err != nil {
		return err
	}
	return p.take(c, quoteForms, ref)
}

// countPayment takes a payment page that is about to be made into account. One
// that is open already and fits is given out again.
func (p *Pages) countPayment(c *web.Call, s record, form url.Values, currency string) error {
	open := attemptOf(s.paying, browserOf(c))
	if open == nil || open.Status != checkouts.Open || open.PriceVersion != s.quote.Version || !p.Now().Before(open.ExpiresAt) {
		return p.take(c, paymentPages, s.ref)
	}
	if open.PaymentCurrency() == currency && open.SaveDetails == saves(form) && open.Language == c.Language().Code {
		return nil
	}
	return p.take(c, paymentSwitches, s.ref)
}

func (p *Pages) take(c *web.Call, policy limit.Policy, who string) error {
	state, err := p.Limiter.Take(c.Context(), policy, who)
	if err != nil {
		return problem.Unavailable(err)
	}
	if state.Allowed {
		return nil
	}
	wait := time.Duration(state.RetryAfter()) * time.Second
	r := problem.New(contract.RateLimited, "%s", minutes(wait))
	r.Refusal.RetryAfterS = state.RetryAfter()
	return r
}

// minutes says how long to wait before the next try.
func minutes(d time.Duration) string {
	n := int((d + time.Minute - 1) / time.Minute)
	if n <= 1 {
		return language.Key("That was a lot of tries in a short time. Please wait a minute and try again; nothing of what you entered is lost.")
	}
	return fmt.Sprintf("That was a lot of tries in a short time. Please wait %d minutes and try again; nothing of what you entered is lost.", n)
}
