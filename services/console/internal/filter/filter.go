// Package filter is what lists are narrowed by beside a status: the customer, days, the
// fabricator, the currency, and whether live or test is shown.
package filter

import (
	"cmp"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/search"
	"boardorder/pkg/contract/shipments"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/states"
)

// A Filter says what somebody wants to see; what is empty is any.
type Filter struct {
	states.ModeFilter
	Customer   string    // words that a name, a company or an e-mail address has, by their beginning
	From, To   time.Time // days, in UTC
	Fabricator string    // a part of the name
	Currency   string    // ISO 4217
}

// Read reads the filter of a page's address.
func Read(c *page.Call) (Filter, error) {
	ask := c.R.URL.Query()
	f := Filter{
		ModeFilter: states.ReadMode(c.R), Customer: untrusted.Line(ask.Get("customer"), 120), Fabricator: strings.TrimSpace(untrusted.Line(ask.Get("fabricator"), 60)),
		Currency: strings.ToUpper(strings.TrimSpace(untrusted.Line(ask.Get("currency"), 10))),
	}
	if !c.Can(operator.SeeCustomers) { // what is not shown does not find anything either
		f.Customer = ""
	}
	if n := utf8.RuneCountInString(f.Term()); n > 0 && n < states.MinTerm {
		return f, page.Problem{Status: http.StatusBadRequest, Message: "Enter at least three letters of the customer."}
	}
	var err error
	if f.From, err = readDay(ask, "from"); err == nil {
		f.To, err = readDay(ask, "to")
	}
	return f, err
}

func readDay(ask url.Values, name string) (time.Time, error) {
	text := ask.Get(name)
	if text == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		err = page.Problem{Status: http.StatusBadRequest, Message: "A day is written like 2026-11-30."}
	}
	return at, err
}

// Term is the customer as terms of the search are kept; "" for any.
func (f Filter) Term() string { return search.Term(f.Customer) }

// End is when the last day ends; zero for any.
func (f Filter) End() time.Time {
	if f.To.IsZero() {
		return f.To
	}
	return f.To.AddDate(0, 0, 1)
}

// Day writes a day as an input has it; "" for none.
func (Filter) Day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

// Query is the filter as it stands in an address, with what a list has besides: names and
// values in turn. A template puts it there as it is, for it is encoded.
func (f Filter) Query(more ...string) template.URL {
	q := url.Values{}
	values := append(more, "mode", f.Mode(), "customer", f.Customer, "from", f.Day(f.From), "to", f.Day(f.To), "fabricator", f.Fabricator, "currency", f.Currency)
	for i := 0; i+1 < len(values); i += 2 {
		if values[i+1] != "" {
			q.Set(values[i], values[i+1])
		}
	}
	return template.URL(q.Encode())
}

// IsNarrow tells whether more is asked for than a mode.
func (f Filter) IsNarrow() bool { return f != Filter{ModeFilter: f.ModeFilter} }

// A Thing is what of a quote or an order a filter looks at.
type Thing struct {
	Owner                string
	At                   time.Time // the day that it is listed by
	To                   shipments.ShipTo
	Fabricator, Currency string // "" is dollars
}

// Fits tells whether a thing is wanted.
func (f Filter) Fits(t Thing) bool {
	switch term := f.Term(); {
	case !f.Has(t.Owner), t.At.Before(f.From), !f.To.IsZero() && !t.At.Before(f.End()),
		f.Currency != "" && !strings.EqualFold(cmp.Or(t.Currency, "USD"), f.Currency),
		term != "" && !states.FitsWords(term, t.To.Name, t.To.Company, t.To.Email):
		return false
	}
	return strings.Contains(strings.ToLower(t.Fabricator), strings.ToLower(f.Fabricator))
}
