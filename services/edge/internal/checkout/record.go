package checkout

import (
	"context"
	"regexp"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/language"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/picture"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// A record is all that is recorded of a quote.
type record struct {
	id, ref string
	lang    *language.Printer // the reader's
	quote   quotes.Quote
	paying  *checkouts.Checkout
	order   *orders.Order
	status  quotes.Status
	later   string // what was chosen after the payment began, and is not ordered; or ""
	bottom  string // blob of the picture of the board's other side, or ""
	// withdrawn: the design was declared, and all that is shown is what accounting keeps of the order.
	withdrawn bool
}

var quoteID = regexp.MustCompile(`^[0-9a-f]{64}$`)

// read finds the quote that an address names, and how far it is. It refuses one whose
// design was declared.
func (p *Pages) read(c *web.Call) (record, error) { return p.readQuote(c, c.Param("quote_id")) }

// readQuote is read of a quote that something else names.
func (p *Pages) readQuote(c *web.Call, id string) (record, error) {
	s, err := p.find(c, id)
	if err == nil && s.withdrawn {
		err = problem.New(contract.QuoteExpired, "The design was declared export-controlled, so its pages are closed.")
	}
	return s, err
}

// find is read of any quote. Of one whose design was declared it finds the order
// alone, as accounting has it.
func (p *Pages) find(c *web.Call, id string) (record, error) {
	ctx := c.Context()
	s := record{id: id, ref: contract.SecretRef(id), lang: c.Language()}
	unknown := problem.New(contract.NotFound, "There is no quote at this address.")
	if !quoteID.MatchString(id) {
		return s, unknown
	}
	current, err := optional[quotes.Quote](ctx, p, contract.QuoteAggregate, s.ref)
	if err != nil {
		return s, err
	}
	if s.paying, err = optional[checkouts.Checkout](ctx, p, contract.CheckoutAggregate, s.ref); err != nil {
		return s, err
	}
	if s.order, err = optional[orders.Order](ctx, p, contract.OrderAggregate, s.ref); err != nil {
		return s, err
	}
	if s.order != nil && s.order.Withdrawn {
		return s.withdraw(), nil
	}
	quote := orders.QuoteAsSold(current, s.paying, s.order)
	if quote == nil {
		return s, unknown
	}
	s.quote = *quote
	if current != nil && s.order != nil {
		s.later = s.order.ChoiceAfterPayment(*current)
	}
	declared, err := design.Designs{Client: p.Client}.IsDeclared(ctx, s.quote.Upload)
	switch {
	case err != nil:
		return s, err
	case declared && s.order != nil:
		return s.withdraw(), nil
	case declared:
		return s, problem.New(contract.QuoteExpired, "The design was declared export-controlled, so its pages are closed. If you have paid, please write to us.")
	}
	s.status = orders.StatusOf(s.quote, s.paying, s.order, p.Now())
	if stageOf(s, false) == paying {
		s.quote = s.quote.ApplyEstimate()
	}
	s.bottom = picture.Bottom(ctx, p.Docs, s.quote)
	return s, nil
}

// withdraw is what is shown of an order whose design was declared.
func (s record) withdraw() record {
	kept := s.order.Withdraw()
	return record{id: s.id, ref: s.ref, lang: s.lang, order: &kept, withdrawn: true}
}

func optional[S any](ctx context.Context, p *Pages, kind contract.Aggregate, ref string) (*S, error) {
	state, found, err := outcome.Read[S](ctx, p.Docs, string(kind), ref)
	if err != nil || !found {
		return nil, err
	}
	return &state, nil
}

// A stage is what the page is for just now.
type stage int

const (
	paying     stage = iota // choose the delivery and pay
	asking                  // ask the team for a price
	waiting                 // the team prices it
	confirming              // paid, as far as the shopper knows; no order yet
	ordered                 // there is an order
	expired
	withdrawn // paid, and the design was declared ITAR-controlled
)

// stageOf decides what the page is for. returned says that the shopper comes
// back from a payment that the card processor took for done.
func stageOf(s record, returned bool) stage {
	switch {
	case s.withdrawn:
		return withdrawn
	case s.order != nil:
		return ordered
	case s.paying != nil && s.paying.Status == checkouts.Paid:
		return confirming
	case returned && s.paying != nil:
		return confirming
	case s.status == quotes.Expired:
		return expired
	case s.quote.Mode == quotes.ModeReview && s.quote.Status == quotes.SourcingReady:
		return asking
	case s.quote.Mode == quotes.ModeReview && s.quote.Status == quotes.SourcingRequested:
		return waiting
	}
	return paying
}

// test reports whether a test key made the quote.
func (s record) test() bool {
	return contract.IsTest(s.quote.Account) || s.order != nil && contract.IsTest(s.order.Account)
}

// delivery is the address that the quote has, if any.
func (s record) delivery() shipments.ShipTo {
	switch {
	case s.order != nil:
		return s.order.ShipTo
	case s.quote.Delivery != nil:
		return s.quote.Delivery.ShipTo
	case s.paying != nil:
		return s.paying.ShipTo
	case s.quote.Request.ShipTo != nil:
		return *s.quote.Request.ShipTo
	}
	return shipments.ShipTo{}
}

// complete reports whether nothing but the payment is missing, as far as the
// page can know.
func (s record) complete() bool {
	return s.wayToChoose() == nil && s.hasAddress()
}

// wayToChoose is the way of shipping that was wanted and is not offered, until another is chosen.
func (s record) wayToChoose() *shipments.Way {
	if s.quote.Delivery == nil {
		return nil
	}
	return s.quote.Delivery.UnofferedWay
}

// hasAddress reports whether the delivery is saved and has all that a parcel needs.
func (s record) hasAddress() bool {
	return s.quote.Delivery != nil && s.quote.Estimate == nil && len(s.quote.Delivery.ShipTo.Missing()) == 0 && s.total() > 0
}

func (s record) total() int64 {
	if s.quote.Reply.TotalCents == nil {
		return 0
	}
	return *s.quote.Reply.TotalCents
}

func (s record) currency() string {
	if s.quote.Reply.Currency == nil {
		return "USD"
	}
	return *s.quote.Reply.Currency
}

// amount writes cents of the quote's currency.
func (s record) amount(cents int64) string { return s.lang.Amount(cents, s.currency()) }

// hasTeamPrice reports whether the team made the price, so that the delivery is part
// of it and cannot be changed here.
func (s record) hasTeamPrice() bool { return s.quote.Mode == quotes.ModeReview }

func (s record) selection() (shipping string, hours int) {
	if d := s.quote.Delivery; d != nil && d.UnofferedWay != nil {
		return "", d.BuildHours // none is chosen
	} else if d != nil && d.ShippingID != "" {
		return d.ShippingID, d.BuildHours
	}
	for _, o := range s.quote.Reply.ShippingOptions {
		if o.Chosen {
			shipping = o.ID
		}
	}
	if h := s.quote.Request.BuildTimeHours; h != nil && s.isHurried() {
		hours = *h
	}
	return shipping, hours
}

// isHurried reports whether the price holds a faster build.
func (s record) isHurried() bool { return prices.HasFasterBuild(s.quote.Reply.Lines) }
