// Package tax says what value-added, goods-and-services or sales tax a delivered
// price bears: from dated tables by country and province, and from the list of
// places where the operator is registered. It knows no rate of its own.
package tax

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"boardorder/pkg/dated"
	"boardorder/pkg/money"
)

//go:embed tax.csv registrations.csv reliefs.csv
var files embed.FS

// ErrUnknown means that no row covers a destination on that day.
var ErrUnknown = errors.New("no tax rule covers this destination")

// A Sale is what is taxed. All amounts are US cents.
type Sale struct {
	Country, Region string // Region "" while it is not known
	Day             dated.Day
	Goods           int64
	Freight         int64
	Duty            int64 // duty and customs fees
	Business        bool
}

// A Charge is one tax and where it comes from.
type Charge struct {
	Kind      string    `json:"kind"`  // vat, gst, hst, pst, sales
	Label     string    `json:"label"` // "VAT"
	Rate      string    `json:"rate"`  // "19 %"
	Cents     int64     `json:"cents"`
	AtImport  bool      `json:"at_import"` // the carrier advances it to customs
	Source    string    `json:"source"`
	Checked   dated.Day `json:"checked"`
	Uncertain bool      `json:"uncertain,omitempty"`
}

// An Assessment is the taxes of a sale.
type Assessment struct {
	Charges []Charge
	// RegionNeeded: some rate there depends on the state or province, and the
	// sale does not name it.
	RegionNeeded bool
	// NotCollected: a tax exists there that this operator does not collect.
	NotCollected bool
	// Relief is why no import tax is collected on so small a sale; nil where it is.
	Relief *Relief
}

// Total adds the taxes up.
func (a Assessment) Total() int64 {
	var sum int64
	for _, c := range a.Charges {
		sum += c.Cents
	}
	return sum
}

// ImportTotal is the part that the carrier advances to customs.
func (a Assessment) ImportTotal() int64 {
	var sum int64
	for _, c := range a.Charges {
		if c.AtImport {
			sum += c.Cents
		}
	}
	return sum
}

// A Converter puts an amount of a currency, in hundredths, into US cents.
type Converter func(currency string, hundredths int64) (int64, error)

type rule struct {
	country, region, kind, label string
	rate                         money.Rate
	percent                      string // rate in words
	base                         string
	registered                   bool
	buyer                        string
	over, upTo                   int64
	valueCurrency                string
	dated.Span
}

type registration struct {
	country, region string
	dated.Span
}

// A Table is the taxes of all destinations and the operator's registrations.
type Table struct {
	rules         []*rule
	at            map[string][]*rule // by country
	registrations []registration
	reliefs       []*relief
}

// Load reads the built-in tables, or the operator's own tax.csv, registrations.csv and
// reliefs.csv; own may be nil.
func Load(own fs.FS) (*Table, error) {
	folder := dated.Overlay(own, files)
	rates, err1 := folder.Open("tax.csv")
	places, err2 := folder.Open("registrations.csv")
	small, err3 := folder.Open("reliefs.csv")
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, fmt.Errorf("open the tax tables: %w", err)
	}
	defer rates.Close()
	defer places.Close()
	defer small.Close()
	return Read(rates, places, small)
}

// Read takes the three tables and reports every cell that cannot be used, and
// rows that contradict each other.
func Read(rates, registrations, reliefs io.Reader) (*Table, error) {
	rows, err := dated.Read("tax.csv", rates,
		"country", "region", "kind", "label", "percent", "base", "registered", "buyer", "over", "up_to", "value_currency")
	if err != nil {
		return nil, err
	}
	places, err := dated.Read("registrations.csv", registrations, "country", "region")
	if err != nil {
		return nil, err
	}
	small, err := dated.Read("reliefs.csv", reliefs, "country", "buyer", "counts", "up_to", "value_currency")
	if err != nil {
		return nil, err
	}
	t := &Table{at: map[string][]*rule{}}
	for _, r := range rows.Rows {
		u := readRule(r)
		t.rules, t.at[u.country] = append(t.rules, u), append(t.at[u.country], u)
	}
	for _, r := range places.Rows {
		t.registrations = append(t.registrations, registration{r.RequireText("country"), r.Text("region"), r.Span()})
	}
	for _, r := range small.Rows {
		t.reliefs = append(t.reliefs, readRelief(r))
	}
	return t, errors.Join(rows.Err(), places.Err(), small.Err(), t.contradictions())
}

func readRule(r *dated.Row) *rule {
	u := &rule{
		country: r.RequireText("country"), region: r.Text("region"),
		kind: r.Choice("kind", "vat", "gst", "hst", "pst", "sales", "none"), label: r.RequireText("label"),
		rate: r.Percent("percent"), base: r.Choice("base", "goods", "goods+duty", "goods+freight", "goods+freight+duty"),
		registered: r.Choice("registered", "yes", "no") == "yes", buyer: r.Choice("buyer", "any", "consumer", "business"),
		over: r.Decimal("over"), upTo: r.Decimal("up_to"), valueCurrency: r.Text("value_currency"), Span: r.Span(),
	}
	if (u.over != 0 || u.upTo != 0) != (u.valueCurrency != "") {
		r.Fail("value_currency", "goes with over and up_to")
	}
	r.RequireText("percent")
	u.percent = u.rate.String()
	return u
}

func (t *Table) contradictions() error {
	var problems []error
	for i, a := range t.rules {
		for _, b := range t.rules[:i] {
			same := a.country == b.country && a.region == b.region && a.kind == b.kind && a.Overlaps(b.Span) &&
				(a.buyer == b.buyer || a.buyer == "any" || b.buyer == "any")
			apart := a.upTo != 0 && b.over >= a.upTo || b.upTo != 0 && a.over >= b.upTo
			if same && !apart {
				problems = append(problems, fmt.Errorf("tax.csv: two rows of %s hold in %s %s on the same day", a.kind, a.country, a.region))
			}
		}
	}
	return errors.Join(problems...)
}

// value is what a rate counts.
func (u *rule) value(s Sale) int64 {
	v := s.Goods
	if strings.Contains(u.base, "freight") {
		v += s.Freight
	}
	if strings.Contains(u.base, "duty") {
		v += s.Duty
	}
	return v
}
