package checkout

import (
	"context"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
)

// carryOut sends a command on behalf of a quote's owner and waits for what
// comes of it. A refusal is an error. So is an outcome that takes too long.
func (p *Pages) carryOut(ctx context.Context, name contract.CommandName, account string, data any) (*outcome.Outcome, error) {
	cmd, err := contract.NewCommand(name, p.NewRequest(), account, p.Now(), data)
	if err != nil {
		return nil, err
	}
	return p.Do(ctx, cmd, outcomeTimeout)
}

// choose has the quote priced for what was entered, and gives it as it is then.
// Where only the form of an entry is wrong, pricing is asked what else is,
// without an e-mail address, so that nothing can come of it.
func (p *Pages) choose(ctx context.Context, s record, e entry) (quotes.Quote, error) {
	data := quotes.ChooseDeliveryData{Quote: s.ref, ShipTo: e.ship, ShippingID: e.shipping, BuildHours: e.hours, Quantity: e.boards}
	if len(e.problems) > 0 {
		data.ShipTo.Email = ""
	}
	out, err := p.carryOut(ctx, quotes.ChooseDelivery, s.quote.Account, data)
	if len(e.problems) > 0 {
		return s.quote, mergeProblems(e, err)
	}
	if err != nil {
		return s.quote, err
	}
	return outcome.Decode[quotes.Quote](out.Doc)
}

// concernsAddress reports whether a choice was refused for the address alone.
func concernsAddress(err error) bool {
	r := contract.RefusalIn(err)
	return r != nil && len(r.Fields) > 0 && !slices.ContainsFunc(r.Fields, func(f contract.FieldProblem) bool {
		return !strings.HasPrefix(f.Field, "ship_to.")
	})
}

// estimate has what was entered so far priced beside the quote, which stays as it is.
func (p *Pages) estimate(ctx context.Context, s record, e entry) (quotes.Quote, error) {
	data := quotes.ChooseDeliveryData{
		Quote: s.ref, ShippingID: e.shipping, BuildHours: e.hours, Quantity: e.boards, Estimate: true, ShipTo: e.limitAddress(),
	}
	out, err := p.carryOut(ctx, quotes.ChooseDelivery, s.quote.Account, data)
	if err != nil {
		return s.quote, err
	}
	q, err := outcome.Decode[quotes.Quote](out.Doc)
	return q.ApplyEstimate(), err
}

// incomplete reports whether a choice was refused for what the address lacks alone:
// nothing that was entered is wrong.
func incomplete(err error) bool {
	return concernsAddress(err) && !slices.ContainsFunc(contract.RefusalIn(err).Fields, func(f contract.FieldProblem) bool { return f.Problem != "missing" })
}

// ask asks the team for a price, and to write in a language.
func (p *Pages) ask(ctx context.Context, s record, e entry, language string) error {
	data := quotes.RequestReviewData{Quote: s.ref, ShipTo: e.ship, Note: e.note, Language: language}
	if len(e.problems) > 0 {
		data.ShipTo.Email = ""
	}
	_, err := p.carryOut(ctx, quotes.RequestReview, s.quote.Account, data)
	if len(e.problems) > 0 {
		return mergeProblems(e, err)
	}
	return err
}

// mergeProblems is the refusal of an entry with all that is wrong with it: its
// form, and what the service behind says of the rest.
func mergeProblems(e entry, err error) *contract.Refusal {
	r := contract.Refuse(contract.InvalidRequest, "Some of the details need your attention.")
	r.Fields = e.problems
	known := map[string]bool{}
	for _, f := range e.problems {
		known[f.Field] = true
	}
	if refusal := contract.RefusalIn(err); refusal != nil {
		for _, f := range refusal.Fields {
			left := f.Field == "ship_to.email" && e.ship.Email != "" // we removed it
			if !known[f.Field] && !left {
				r.Fields = append(r.Fields, f)
			}
		}
	}
	return r
}

// begin asks for a payment page in a language and gives its address.
func (p *Pages) begin(ctx context.Context, q quotes.Quote, e entry, language string) (string, error) {
	data := checkouts.BeginData{Quote: q.Ref, Version: q.Version, SaveDetails: e.save, Currency: e.currency, Language: language, Browser: e.browser, Acknowledgement: e.seen}
	out, err := p.carryOut(ctx, checkouts.Begin, q.Account, data)
	if err != nil {
		return "", err
	}
	c, err := outcome.Decode[checkouts.Checkout](out.Doc)
	if err != nil {
		return "", err
	}
	if own := attemptOf(&c, e.browser); own != nil { // another browser may have begun one meanwhile
		c = *own
	}
	if c.SessionURL == "" {
		return "", contract.Refuse(contract.PaymentUnavailable, "The payment page is not ready yet. Nothing was charged; please press Pay again.")
	}
	return c.SessionURL, nil
}

// settleEvery is how often one shopper who waits makes us ask the processor.
const settleEvery = 10 * time.Second

// settle asks how a payment stands and waits so long for the order. The same
// question within a few seconds is one question.
func (p *Pages) settle(ctx context.Context, s record, timeout time.Duration) error {
	at := p.Now()
	id := contract.DeriveID("returned", s.ref, at.Truncate(settleEvery).UTC().Format(time.RFC3339))
	cmd, err := contract.NewRootCommand(checkouts.Settle, id, s.quote.Account, at, checkouts.SettleData{Quote: s.ref})
	if err != nil {
		return err
	}
	if err := p.Send.Send(ctx, cmd); err != nil {
		return problem.Unavailable(err)
	}
	w := p.Waiters.Join(wait.Subject{Of: contract.OrderAggregate, ID: s.ref})
	defer w.Leave()
	_, err = w.Await(ctx, timeout, func(ctx context.Context) (bool, error) {
		_, found, err := outcome.Read[orders.Order](ctx, p.Docs, string(contract.OrderAggregate), s.ref)
		return found, err
	})
	return err
}
