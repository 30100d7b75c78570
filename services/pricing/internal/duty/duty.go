// Package duty says what customs take of a consignment: from a dated table of
// rules, for the day of the quote, with the legal basis of every amount in
// words. It knows no rate of its own.
package duty

import (
	"errors"

	"boardorder/pkg/dated"
	"boardorder/pkg/money"
)

// ErrUnknown means that no rule covers some goods at some destination on that
// day: people must look, since free and unknown are not the same.
var ErrUnknown = errors.New("no duty rule covers these goods")

// An Item is goods of one kind in a consignment.
type Item struct {
	HSCode string // "8534.00"
	Cents  int64  // their price without freight
}

// A Consignment is what arrives at the border.
type Consignment struct {
	Country      string // ISO 3166-1 alpha-2
	Union        string // customs union of the country, or ""
	Origin       string // country of origin of the goods, ISO 3166-1 alpha-2
	OriginUnion  string
	Day          dated.Day
	Items        []Item
	FreightCents int64
	Business     bool // otherwise the buyer counts as a consumer
}

// goods is the value that thresholds are compared with.
func (c Consignment) goods() int64 {
	var sum int64
	for _, i := range c.Items {
		sum += i.Cents
	}
	return sum
}

// domestic reports whether the goods cross no customs border.
func (c Consignment) domestic() bool {
	return c.Origin == c.Country || c.Union != "" && c.Union == c.OriginUnion
}

// A Charge is one amount that falls due, and why. A charge of zero says that
// the goods are free under that rule.
type Charge struct {
	Rule      string    `json:"rule"` // id of the row
	Basis     string    `json:"basis"`
	HSCode    string    `json:"hs_code,omitempty"`
	Words     string    `json:"words"`          // legal basis, for customers
	Rate      string    `json:"rate,omitempty"` // "25 %", or "" for a fixed amount
	Cents     int64     `json:"cents"`
	Source    string    `json:"source"`
	Checked   dated.Day `json:"checked"`
	Uncertain bool      `json:"uncertain,omitempty"`
}

// Total adds charges up.
func Total(charges []Charge) int64 {
	var sum int64
	for _, c := range charges {
		sum += c.Cents
	}
	return sum
}

// A Converter puts an amount of a currency, in hundredths, into US cents.
type Converter func(currency string, hundredths int64) (int64, error)

// How a rule is counted.
const (
	perItem        = "item"
	perSubheading  = "subheading"
	perConsignment = "consignment"
)

// A rule is one row of the table.
type rule struct {
	id, destination, origin, hs, basis, per string
	rate                                    money.Rate
	percent                                 string // rate in words
	amount                                  int64  // hundredths of currency
	currency                                string
	least, most                             int64 // US cents, of percent per consignment; most 0 is no limit
	over, upTo                              int64 // hundredths of valueCurrency; upTo 0 is no limit
	valueCurrency, buyer, base              string
	replaces                                []string
	words                                   string
	dated.Span
}

// specificity orders rules of one basis: the longest HS prefix, then the named
// origin, then the country over its union, then the named buyer.
func (r *rule) specificity(c Consignment) int {
	n := 8 * len(r.hs)
	if r.hs == "*" {
		n = 0
	}
	if r.origin != "*" {
		n += 4
	}
	if r.destination == c.Country {
		n += 2
	}
	if r.buyer != "any" {
		n++
	}
	return n
}
