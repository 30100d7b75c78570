package duty

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"boardorder/pkg/dated"
)

//go:embed duty.csv
var files embed.FS

// A Table is the rules of all destinations.
type Table struct {
	rules []*rule
	at    map[string][]*rule // by destination
}

// Load reads the built-in table, or the operator's own duty.csv; own may be nil.
func Load(own fs.FS) (*Table, error) {
	f, err := dated.Overlay(own, files).Open("duty.csv")
	if err != nil {
		return nil, fmt.Errorf("open duty.csv: %w", err)
	}
	defer f.Close()
	return Read("duty.csv", f)
}

var columns = []string{
	"id", "destination", "origin", "hs", "basis", "per", "percent", "amount", "currency", "min_usd", "max_usd",
	"over", "up_to", "value_currency", "buyer", "base", "replaces", "words",
}

// Read takes a table and reports every cell that cannot be used, and rules that
// contradict each other.
func Read(name string, r io.Reader) (*Table, error) {
	rows, err := dated.Read(name, r, columns...)
	if err != nil {
		return nil, err
	}
	t := &Table{at: map[string][]*rule{}}
	for _, row := range rows.Rows {
		u := readRule(row)
		t.rules, t.at[u.destination] = append(t.rules, u), append(t.at[u.destination], u)
	}
	return t, errors.Join(rows.Err(), t.contradictions(name))
}

func readRule(r *dated.Row) *rule {
	u := &rule{
		id: r.RequireText("id"), destination: r.RequireText("destination"), origin: r.RequireText("origin"), hs: r.RequireText("hs"),
		basis: r.RequireText("basis"), per: r.Choice("per", perItem, perSubheading, perConsignment),
		rate: r.Percent("percent"), amount: r.Decimal("amount"), currency: r.Text("currency"),
		least: r.Decimal("min_usd"), most: r.Decimal("max_usd"), over: r.Decimal("over"), upTo: r.Decimal("up_to"),
		valueCurrency: r.Text("value_currency"), buyer: r.Choice("buyer", "any", "consumer", "business"),
		base: r.Choice("base", "fob", "cif"), replaces: r.List("replaces"), words: r.RequireText("words"), Span: r.Span(),
	}
	u.percent = u.rate.String()
	if (r.Text("percent") == "") == (r.Text("amount") == "") {
		r.Fail("percent", "and amount: a row has one of the two")
	}
	if r.Text("amount") != "" && (u.currency == "" || u.per == perItem) {
		r.Fail("amount", "needs a currency, and counts by subheading or consignment")
	}
	if (u.over != 0 || u.upTo != 0) != (u.valueCurrency != "") {
		r.Fail("value_currency", "goes with over and up_to")
	}
	if strings.Trim(u.hs, "0123456789") != "" && u.hs != "*" {
		r.Fail("hs", "is not the beginning of an HS code in digits, or *")
	}
	return u
}

// contradictions finds rules that would be equally good on a common day.
func (t *Table) contradictions(name string) error {
	var problems []error
	for i, a := range t.rules {
		for _, b := range t.rules[:i] {
			switch {
			case a.id == b.id:
				problems = append(problems, fmt.Errorf("%s: the id %s stands twice", name, a.id))
			case a.rivals(b):
				problems = append(problems, fmt.Errorf("%s: the rules %s and %s hold for the same goods on the same day", name, b.id, a.id))
			}
		}
	}
	return errors.Join(problems...)
}

func (r *rule) rivals(o *rule) bool {
	return slices.Equal(r.scope(), o.scope()) && r.Overlaps(o.Span) &&
		(r.upTo == 0 || o.over < r.upTo) && (o.upTo == 0 || r.over < o.upTo)
}

func (r *rule) scope() []string { return []string{r.destination, r.origin, r.hs, r.basis, r.buyer} }
