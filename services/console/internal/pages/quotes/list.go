package quotes

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/filter"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/states"
)

// A Row is a quote in a list.
type Row struct {
	*quotes.Quote
	DerivedStatus quotes.Status
	Name          string // of the account
	Customer      string
	Project       string
	Age           string
	Number        string    // that the customer knows
	Requested     time.Time // of a review: by the customer
	Assignee      string
}

// RequestTime is since when a quote waits for the team: since the customer asked for it, or
// since it is there.
func RequestTime(q quotes.Quote) time.Time {
	if q.RequestedAt != nil {
		return *q.RequestedAt
	}
	return q.CreatedAt
}

// NewRow makes a line of a list of a quote.
func NewRow(c *page.Call, now time.Time, q *quotes.Quote, status quotes.Status) Row {
	requested := RequestTime(*q)
	return Row{Quote: q, Number: quotes.CustomerRef(q.Ref), Requested: requested, DerivedStatus: status, Name: c.AccountName(q.Account), Customer: CustomerName(c, Recipient(*q)), Project: Project(*q),
		Age: format.Wait(now, requested)}
}

type quotesView struct {
	page.Frame
	filter.Filter
	Rows            []Row
	Status, Account string // the filter
	Statuses        []quotes.Status
	Next            string
}

// quoteStatuses are those that a list can be asked for, in the order of a quote's progress.
var quoteStatuses = []quotes.Status{
	quotes.Ready, quotes.SourcingReady, quotes.SourcingRequested, quotes.SourcingQuoted,
	quotes.AwaitingPayment, quotes.Ordered, quotes.InProduction, quotes.Shipped, quotes.Expired,
}

// List lists quotes, newest first.
func (s *Section) List(c *page.Call) error {
	query := c.R.URL.Query()
	v := quotesView{Frame: c.Frame("quotes", "Quotes"), Status: query.Get("status"), Account: query.Get("account"), Statuses: quoteStatuses}
	var err error
	if v.Filter, err = filter.Read(c); err != nil {
		return err
	}
	if v.Status != "" && !slices.Contains(quoteStatuses, quotes.Status(v.Status)) {
		return page.Missing("status")
	}
	source := s.quoteSource(v.Filter, quotes.Status(v.Status), v.Account)
	cursor := query.Get("cursor")
	for range states.MaxReads {
		found, next, err := source(c.R.Context(), cursor)
		if err != nil {
			return err
		}
		for _, q := range found {
			if !v.Fits(ThingOf(*q, q.CreatedAt)) {
				continue
			}
			status, err := StatusOf(c.R.Context(), s.Docs, s.Now(), q)
			if err != nil {
				return err
			}
			if v.Status == "" || string(status) == v.Status {
				v.Rows = append(v.Rows, NewRow(c, s.Now(), q, status))
			}
		}
		if cursor, v.Next = next, next; next == "" || len(v.Rows) >= states.PerPage {
			break
		}
	}
	return c.Show(templates, "quotes", v)
}

// ThingOf is what of a quote lists are narrowed by.
func ThingOf(q quotes.Quote, at time.Time) filter.Thing {
	t := filter.Thing{Owner: q.Account, At: at, To: Recipient(q), Fabricator: q.Reply.Fabricator}
	switch {
	case q.Charge != nil:
		t.Currency = q.Charge.Currency
	case q.Reply.InYourCurrency != nil:
		t.Currency = q.Reply.InYourCurrency.Currency
	}
	if bare := q.Reply.FabricationQuote; t.Fabricator == "" && bare != nil {
		t.Fabricator = bare.Fabricator
	}
	return t
}

// A source gives a page of quotes that may have a status, newest first.
type source func(ctx context.Context, cursor string) ([]*quotes.Quote, string, error)

// quoteSource is where quotes of a status are found. What is recorded of a quote
// is its price; whether it was paid follows from its checkout and its order, and
// whether it has expired from the clock.
func (s *Section) quoteSource(of filter.Filter, status quotes.Status, account string) source {
	if of.Term() != "" {
		return s.customerSource(of, account)
	}
	p := projection.Page{Limit: states.PerPage}
	if of.IsNarrow() { // of which most may not be wanted
		p.Limit = maxNarrow
	}
	key, value := of.Key("")
	if account != "" {
		key, value = "account", accounts.APIKey{Live: !of.Test}.Owner(contract.AccountOf(account))
	}
	switch status {
	case quotes.Ordered, quotes.InProduction, quotes.Shipped:
		if account == "" && status != quotes.Ordered {
			key, value = of.Key(string(status))
		}
		return sourceOf(s.Docs, contract.OrderAggregate, key, value, p, orderQuote)
	case quotes.AwaitingPayment:
		return sourceOf(s.Docs, contract.CheckoutAggregate, key, value, p, func(p *checkouts.Checkout) *quotes.Quote {
			if p.Sold.Ref == "" || p.Status == checkouts.Paid {
				return nil
			}
			return completeQuote(p.Sold, p.ShipTo, p.Charge)
		})
	}
	p.Before = of.End()
	if youngest := s.Now().Add(-quotes.InstantTTL); status == quotes.Expired && (p.Before.IsZero() || p.Before.After(youngest)) {
		p.Before = youngest // that can have ended
	}
	if account == "" && status != "" && status != quotes.Expired {
		key, value = of.Key(string(status))
	}
	read := sourceOf(s.Docs, contract.QuoteAggregate, key, value, p, func(q *quotes.Quote) *quotes.Quote { return q })
	return func(ctx context.Context, cursor string) ([]*quotes.Quote, string, error) {
		found, next, err := read(ctx, cursor)
		if n := len(found); n > 0 && found[n-1].CreatedAt.Before(of.From) { // all that come next are older
			next = ""
		}
		return found, next, err
	}
}

// maxNarrow is how many quotes are looked at at once, of which few may be wanted.
const maxNarrow = 100

// orderQuote is the quote that became an order.
func orderQuote(o *orders.Order) *quotes.Quote {
	q := o.Sold
	if q.Ref == "" { // an order of a release that did not record what was sold
		q.Ref, q.Account, q.Request.Quantity, q.CreatedAt = o.Quote, o.Account, o.Quantity, o.PaidAt
	}
	q.Reply.Fabricator = cmp.Or(o.Fabricator.Name, q.Reply.Fabricator)
	return completeQuote(q, o.ShipTo, o.Payment.Charged)
}

// completeQuote is a quote with what is kept beside it once it is being paid: whom it goes to, and
// another currency that it is paid in.
func completeQuote(q quotes.Quote, to shipments.ShipTo, charge *prices.Charge) *quotes.Quote {
	if q.Delivery == nil {
		q.Delivery = &shipments.Delivery{ShipTo: to}
	}
	q.Charge, q.Reply.InYourCurrency = charge, nil
	return &q
}

// customerSource gives the quotes of a customer at once, as they were sold where they were.
func (s *Section) customerSource(of filter.Filter, account string) source {
	return func(ctx context.Context, _ string) ([]*quotes.Quote, string, error) {
		placed, err := findStates[orders.Order](ctx, s.Docs, contract.OrderAggregate, of.Term())
		if err != nil {
			return nil, "", err
		}
		found, err := findStates[quotes.Quote](ctx, s.Docs, contract.QuoteAggregate, of.Term())
		if err != nil {
			return nil, "", err
		}
		var out []*quotes.Quote
		shown := map[string]bool{}
		add := func(q *quotes.Quote) {
			if !shown[q.Ref] && (account == "" || contract.AccountOf(q.Account) == contract.AccountOf(account)) {
				out = append(out, q)
			}
			shown[q.Ref] = true
		}
		for _, o := range placed {
			add(orderQuote(o))
		}
		for _, q := range found {
			add(q)
		}
		slices.SortFunc(out, func(a, b *quotes.Quote) int { return b.CreatedAt.Compare(a.CreatedAt) })
		return out, "", nil
	}
}

func findStates[S any](ctx context.Context, docs projection.Store, a contract.Aggregate, term string) (out []*S, err error) {
	found, err := docs.Find(ctx, string(a), term, projection.MaxLimit)
	if err != nil {
		return nil, fmt.Errorf("find %s of a customer: %w", a, err)
	}
	for _, doc := range found {
		one, err := states.Decode[S](doc)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

func sourceOf[S any](docs projection.Store, a contract.Aggregate, key, value string, p projection.Page, quoteOf func(*S) *quotes.Quote) source {
	return func(ctx context.Context, cursor string) ([]*quotes.Quote, string, error) {
		p.Cursor = cursor
		found, next, err := states.List[S](ctx, docs, a, key, value, p)
		var out []*quotes.Quote
		for _, one := range found {
			if q := quoteOf(one); q != nil {
				out = append(out, q)
			}
		}
		return out, next, err
	}
}
