package orders

import (
	"context"
	"slices"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/filter"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/states"
)

// A selection says which orders somebody wants to see: those that fit, of a status; "" for any.
type selection struct {
	filter.Filter
	Status string
}

func readSelection(c *page.Call) (s selection, err error) {
	if s.Filter, err = filter.Read(c); err != nil {
		return s, err
	}
	if s.Status = c.R.URL.Query().Get("status"); s.Status != "" && !slices.Contains(orderStatuses, orders.Status(s.Status)) {
		return s, page.Missing("status")
	}
	return s, nil
}

// fits tells whether an order is wanted; days are those on which orders were paid.
func (s selection) fits(o *orders.Order) bool {
	thing := filter.Thing{Owner: o.Account, At: o.PaidAt, To: o.ShipTo, Fabricator: o.Fabricator.Name, Currency: o.Payment.Currency}
	if o.Payment.Charged != nil {
		thing.Currency = o.Payment.Charged.Currency
	}
	return (s.Status == "" || string(o.Status) == s.Status) && s.Fits(thing)
}

// read gives a page of the orders that are wanted, newest first. Among many that are not it
// may give fewer than a page, and where to go on.
func (s *Section) read(ctx context.Context, f selection, limit int, cursor string) (out []*orders.Order, next string, err error) {
	if f.Term() != "" {
		out, err = s.findOrders(ctx, f)
		return out, "", err
	}
	key, value := f.Key(f.Status)
	p := projection.Page{Limit: limit, Cursor: cursor, Before: f.End()}
	if f.IsNarrow() {
		p.Limit = max(limit, 200)
	}
	for range states.MaxReads {
		found, after, err := states.List[orders.Order](ctx, s.Docs, contract.OrderAggregate, key, value, p)
		if err != nil {
			return nil, "", err
		}
		for _, o := range found {
			if f.fits(o) {
				out = append(out, o)
			}
		}
		if n := len(found); n > 0 && found[n-1].PaidAt.Before(f.From) { // the rest is older
			after = ""
		}
		p.Cursor = after
		if after == "" || len(out) >= limit {
			break
		}
		if !f.IsNarrow() {
			p.Limit = limit - len(out)
		}
	}
	return out, p.Cursor, nil
}

// maxFound is how many orders are looked at that a customer's name finds.
const maxFound = 500

func (s *Section) findOrders(ctx context.Context, f selection) (out []*orders.Order, err error) {
	docs, err := s.Docs.Find(ctx, string(contract.OrderAggregate), f.Term(), maxFound)
	if err != nil {
		return nil, err
	}
	for _, doc := range docs {
		o, err := states.Decode[orders.Order](doc)
		if err != nil {
			return nil, err
		}
		if f.fits(o) {
			out = append(out, o)
		}
	}
	slices.SortFunc(out, func(a, b *orders.Order) int { return b.PaidAt.Compare(a.PaidAt) })
	return out, nil
}
