package quotes

import (
	"context"
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/projection"
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

// NewRow makes a line of a list of a quote.
func NewRow(c *page.Call, now time.Time, q *quotes.Quote, status quotes.Status) Row {
	requested := q.CreatedAt
	if q.RequestedAt != nil {
		requested = *q.RequestedAt
	}
	return Row{Quote: q, Number: quotes.CustomerRef(q.Ref), Requested: requested, DerivedStatus: status, Name: c.AccountName(q.Account), Customer: CustomerName(c, Recipient(*q)), Project: Project(*q),
		Age: format.Wait(now, requested)}
}

type quotesView struct {
	page.Frame
	states.ModeFilter
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
	v := quotesView{Frame: c.Frame("quotes", "Quotes"), ModeFilter: states.ReadMode(c.R), Status: query.Get("status"), Account: query.Get("account"), Statuses: quoteStatuses}
	if v.Status != "" && !slices.Contains(quoteStatuses, quotes.Status(v.Status)) {
		return page.Missing("status")
	}
	source := s.quoteSource(v.ModeFilter, quotes.Status(v.Status), v.Account)
	cursor := query.Get("cursor")
	for range states.MaxReads {
		found, next, err := source(c.R.Context(), cursor)
		if err != nil {
			return err
		}
		for _, q := range found {
			if !v.Has(q.Account) {
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

// A source gives a page of quotes that may have a status, newest first.
type source func(ctx context.Context, cursor string) ([]*quotes.Quote, string, error)

// quoteSource is where quotes of a status are found. What is recorded of a quote
// is its price; whether it was paid follows from its checkout and its order, and
// whether it has expired from the clock.
func (s *Section) quoteSource(of states.ModeFilter, status quotes.Status, account string) source {
	key, value := of.Key("")
	if account != "" {
		key, value = "account", accounts.APIKey{Live: !of.Test}.Owner(contract.AccountOf(account))
	}
	switch status {
	case quotes.Ordered, quotes.InProduction, quotes.Shipped:
		if account == "" && status != quotes.Ordered {
			key, value = of.Key(string(status))
		}
		return sourceOf(s.Docs, contract.OrderAggregate, key, value, time.Time{}, func(o *orders.Order) *quotes.Quote {
			sold := o.Sold
			if sold.Ref == "" { // an order of a release that did not record what was sold
				sold.Ref, sold.Account, sold.Request.Quantity, sold.CreatedAt = o.Quote, o.Account, o.Quantity, o.PaidAt
			}
			if sold.Delivery == nil {
				sold.Delivery = &shipments.Delivery{ShipTo: o.ShipTo}
			}
			return &sold
		})
	case quotes.AwaitingPayment:
		return sourceOf(s.Docs, contract.CheckoutAggregate, key, value, time.Time{}, func(p *checkouts.Checkout) *quotes.Quote {
			sold := p.Sold
			if sold.Ref == "" || p.Status == checkouts.Paid {
				return nil
			}
			return &sold
		})
	case quotes.Expired: // the youngest that can be has just ended
		return sourceOf(s.Docs, contract.QuoteAggregate, key, value, s.Now().Add(-quotes.InstantTTL), whole)
	}
	if account == "" && status != "" {
		key, value = of.Key(string(status))
	}
	return sourceOf(s.Docs, contract.QuoteAggregate, key, value, time.Time{}, whole)
}

func whole(q *quotes.Quote) *quotes.Quote { return q }

func sourceOf[S any](docs projection.Store, a contract.Aggregate, key, value string, before time.Time, quoteOf func(*S) *quotes.Quote) source {
	return func(ctx context.Context, cursor string) ([]*quotes.Quote, string, error) {
		found, next, err := states.List[S](ctx, docs, a, key, value, projection.Page{Limit: states.PerPage, Cursor: cursor, Before: before})
		var out []*quotes.Quote
		for _, one := range found {
			if q := quoteOf(one); q != nil {
				out = append(out, q)
			}
		}
		return out, next, err
	}
}
