package web

import (
	"context"
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
)

type quoteRow struct {
	*contract.Quote
	Standing  contract.QuoteStatus
	Name      string // of the account
	Customer  string
	Project   string
	Age       string
	Number    string    // that the customer knows
	Requested time.Time // of a review: by the customer
	Assignee  string
}

// row makes a line of a list of a quote.
func (c *call) row(q *contract.Quote, standing contract.QuoteStatus) quoteRow {
	requested := q.CreatedAt
	if q.RequestedAt != nil {
		requested = *q.RequestedAt
	}
	return quoteRow{Quote: q, Number: contract.PeopleRef(q.Ref), Requested: requested, Standing: standing, Name: c.accountName(q.Account), Customer: c.customer(recipient(*q)), Project: project(*q),
		Age: waitTime(c.s.Now(), requested)}
}

type quotesView struct {
	page
	side
	Rows            []quoteRow
	Status, Account string // the filter
	Statuses        []contract.QuoteStatus
	Next            string
}

// quoteStatuses are those that a list can be asked for, in the order of a quote's life.
var quoteStatuses = []contract.QuoteStatus{
	contract.StatusQuoteReady, contract.StatusSourcingReady, contract.StatusSourcingRequested, contract.StatusSourcingQuoted,
	contract.StatusAwaitingPayment, contract.StatusOrdered, contract.StatusInProduction, contract.StatusShipped, contract.StatusExpired,
}

// quotes lists quotes, newest first.
func (s *Server) quotes(c *call) error {
	query := c.r.URL.Query()
	v := quotesView{page: c.page("quotes", "Quotes"), side: sideOf(c.r), Status: query.Get("status"), Account: query.Get("account"), Statuses: quoteStatuses}
	if v.Status != "" && !slices.Contains(quoteStatuses, contract.QuoteStatus(v.Status)) {
		return missing("status")
	}
	source := s.quoteSource(v.side, contract.QuoteStatus(v.Status), v.Account)
	cursor := query.Get("cursor")
	for range reads {
		found, next, err := source(c.r.Context(), cursor)
		if err != nil {
			return err
		}
		for _, q := range found {
			if !v.has(q.Account) {
				continue
			}
			status, err := s.standing(c.r.Context(), q)
			if err != nil {
				return err
			}
			if v.Status == "" || string(status) == v.Status {
				v.Rows = append(v.Rows, c.row(q, status))
			}
		}
		if cursor, v.Next = next, next; next == "" || len(v.Rows) >= perPage {
			break
		}
	}
	return c.show("quotes", v)
}

// reads bounds how many pages one list looks through for what it shall show.
const reads = 10

// A source gives a page of quotes that may have a status, newest first.
type source func(ctx context.Context, cursor string) ([]*contract.Quote, string, error)

// quoteSource is where quotes of a status are found. What is recorded of a quote
// is its price; whether it was paid follows from its checkout and its order, and
// whether it has expired from the clock.
func (s *Server) quoteSource(of side, status contract.QuoteStatus, account string) source {
	key, value := of.key("")
	if account != "" {
		key, value = "account", contract.APIKey{Live: !of.Test}.Owner(contract.AccountOf(account))
	}
	switch status {
	case contract.StatusOrdered, contract.StatusInProduction, contract.StatusShipped:
		if account == "" && status != contract.StatusOrdered {
			key, value = of.key(string(status))
		}
		return sourceOf(s.Docs, contract.OrderAggregate, key, value, time.Time{}, func(o *contract.Order) *contract.Quote {
			sold := o.Sold
			if sold.Ref == "" { // an order of a release that did not record what was sold
				sold.Ref, sold.Account, sold.Asked.Quantity, sold.CreatedAt = o.Quote, o.Account, o.Quantity, o.PaidAt
			}
			if sold.Delivery == nil {
				sold.Delivery = &contract.Delivery{ShipTo: o.ShipTo}
			}
			return &sold
		})
	case contract.StatusAwaitingPayment:
		return sourceOf(s.Docs, contract.CheckoutAggregate, key, value, time.Time{}, func(p *contract.Checkout) *contract.Quote {
			sold := p.Sold
			if sold.Ref == "" || p.Status == contract.CheckoutComplete {
				return nil
			}
			return &sold
		})
	case contract.StatusExpired: // the youngest that can be has just ended
		return sourceOf(s.Docs, contract.QuoteAggregate, key, value, s.Now().Add(-contract.InstantQuoteLife), whole)
	}
	if account == "" && status != "" {
		key, value = of.key(string(status))
	}
	return sourceOf(s.Docs, contract.QuoteAggregate, key, value, time.Time{}, whole)
}

func whole(q *contract.Quote) *contract.Quote { return q }

func sourceOf[S any](docs projection.Store, a contract.Aggregate, key, value string, before time.Time, quoteOf func(*S) *contract.Quote) source {
	return func(ctx context.Context, cursor string) ([]*contract.Quote, string, error) {
		found, next, err := list[S](ctx, docs, a, key, value, projection.Page{Limit: perPage, Cursor: cursor, Before: before})
		var out []*contract.Quote
		for _, one := range found {
			if q := quoteOf(one); q != nil {
				out = append(out, q)
			}
		}
		return out, next, err
	}
}
