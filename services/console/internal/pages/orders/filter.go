package orders

import (
	"context"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/search"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/states"
)

// A filter says which orders somebody wants to see; what is empty is any.
type filter struct {
	states.ModeFilter
	Status     string
	Customer   string    // the beginning of a name, a company or an address
	From, To   time.Time // days on which it was paid, in UTC
	Fabricator string
	Currency   string // that the card was charged in
}

func readFilter(c *page.Call) (filter, error) {
	ask := c.R.URL.Query()
	f := filter{
		ModeFilter: states.ReadMode(c.R), Status: ask.Get("status"), Fabricator: untrusted.Line(ask.Get("fabricator"), 60),
		Currency: strings.ToUpper(untrusted.Line(ask.Get("currency"), 3)), Customer: untrusted.Line(ask.Get("customer"), 120),
	}
	if f.Status != "" && !slices.Contains(orderStatuses, orders.Status(f.Status)) {
		return f, page.Missing("status")
	}
	if !c.Can(operator.SeeCustomers) { // what is not shown does not find anything either
		f.Customer = ""
	}
	if n := utf8.RuneCountInString(search.Term(f.Customer)); n > 0 && n < states.MinTerm {
		return f, page.Problem{Status: http.StatusBadRequest, Message: "Enter at least three letters of the customer."}
	}
	for name, day := range map[string]*time.Time{"from": &f.From, "to": &f.To} {
		text := ask.Get(name)
		if text == "" {
			continue
		}
		at, err := time.Parse(time.DateOnly, text)
		if err != nil {
			return f, page.Problem{Status: http.StatusBadRequest, Message: "A day is written like 2026-11-30."}
		}
		*day = at
	}
	return f, nil
}

// Day writes a day as an input has it; "" for none.
func (filter) Day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

// Query is the filter as it stands in an address.
func (f filter) Query() template.URL {
	q := url.Values{}
	for name, value := range map[string]string{
		"status": f.Status, "mode": f.Mode(), "customer": f.Customer, "from": f.Day(f.From), "to": f.Day(f.To), "fabricator": f.Fabricator, "currency": f.Currency,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return template.URL(q.Encode()) // encoded above
}

// narrow tells whether it leaves orders out that the store's lists do not.
func (f filter) narrow() bool {
	return f.Customer != "" || f.Fabricator != "" || f.Currency != "" || !f.From.IsZero() || !f.To.IsZero()
}

// fits tells whether an order is wanted.
func (f filter) fits(o *orders.Order) bool {
	currency := o.Payment.Currency
	if o.Payment.Charged != nil {
		currency = o.Payment.Charged.Currency
	}
	switch {
	case !f.Has(o.Account), f.Status != "" && string(o.Status) != f.Status,
		!f.From.IsZero() && o.PaidAt.Before(f.From), !f.To.IsZero() && !o.PaidAt.Before(f.To.AddDate(0, 0, 1)),
		f.Currency != "" && !strings.EqualFold(currency, f.Currency):
		return false
	}
	return strings.Contains(strings.ToLower(o.Fabricator.Name), strings.ToLower(f.Fabricator))
}

// read gives a page of the orders that are wanted, newest first. Among many that are not it
// may give fewer than a page, and where to go on.
func (s *Section) read(ctx context.Context, f filter, limit int, cursor string) (out []*orders.Order, next string, err error) {
	if term := search.Term(f.Customer); term != "" {
		out, err = s.findOrders(ctx, f, term)
		return out, "", err
	}
	key, value := f.Key(f.Status)
	p := projection.Page{Limit: limit, Cursor: cursor}
	if f.narrow() {
		p.Limit = max(limit, 200)
	}
	if !f.To.IsZero() {
		p.Before = f.To.AddDate(0, 0, 1)
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
		if !f.narrow() {
			p.Limit = limit - len(out)
		}
	}
	return out, p.Cursor, nil
}

// maxFound is how many orders are looked at that a customer's name finds.
const maxFound = 500

func (s *Section) findOrders(ctx context.Context, f filter, term string) (out []*orders.Order, err error) {
	docs, err := s.Docs.Find(ctx, string(contract.OrderAggregate), term, maxFound)
	if err != nil {
		return nil, err
	}
	for _, doc := range docs {
		o, err := states.Decode[orders.Order](doc)
		if err != nil {
			return nil, err
		}
		if to := o.ShipTo; f.fits(o) && states.FitsWords(term, to.Name, to.Company, to.Email) {
			out = append(out, o)
		}
	}
	slices.SortFunc(out, func(a, b *orders.Order) int { return b.PaidAt.Compare(a.PaidAt) })
	return out, nil
}
