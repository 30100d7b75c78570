// Package offer turns what the fabricator asks for a board into what the
// customer pays at the door: lines that add up, every way of shipping, every
// build time, duty and tax with their legal basis, and the words around them.
//
// It is one pure function of a Basis, which is kept with the quote, and a
// Choice, which the customer may still change. The same two give the same
// offer, so the checkout can price every other choice without asking anyone.
package offer

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"boardorder/pkg/dated"
	"boardorder/pkg/destination"
	"boardorder/pkg/money"
	"boardorder/services/pricing/internal/duty"
	"boardorder/services/pricing/internal/exchange"
	"boardorder/services/pricing/internal/shipping"
	"boardorder/services/pricing/internal/tax"
)

//go:embed margin.csv
var files embed.FS

// Tables is everything that an offer looks up.
type Tables struct {
	Places     *destination.Book
	Currencies *exchange.Table
	Duty       *duty.Table
	Tax        *tax.Table
	Shipping   *shipping.Table
	margins    []margin
}

type margin struct {
	label string
	rate  money.Rate
	least int64
	dated.Span
}

// LoadTables reads the built-in tables and reports all that is wrong with them.
// own, which may be nil, is a folder with an operator's tables: each file in it
// takes the place of the built-in one of that name (duty.csv, tax.csv,
// registrations.csv, reliefs.csv, zones.csv, services.csv, clearance.csv, margin.csv).
func LoadTables(own fs.FS) (*Tables, error) {
	var errs [6]error
	t := &Tables{}
	t.Places, errs[0] = destination.Load()
	t.Currencies, errs[1] = exchange.Load()
	t.Duty, errs[2] = duty.Load(own)
	t.Tax, errs[3] = tax.Load(own)
	t.Shipping, errs[4] = shipping.Load(own)
	errs[5] = t.readMargins(dated.Overlay(own, files))
	return t, errors.Join(errs[:]...)
}

func (t *Tables) readMargins(folder fs.FS) error {
	f, err := folder.Open("margin.csv")
	if err != nil {
		return fmt.Errorf("open margin.csv: %w", err)
	}
	defer f.Close()
	rows, err := dated.Read("margin.csv", f, "label", "percent", "min_cents")
	if err != nil {
		return err
	}
	for i, r := range rows.Rows {
		m := margin{r.RequireText("label"), r.Percent("percent"), r.Int("min_cents"), r.Span()}
		for _, earlier := range t.margins {
			if earlier.Overlaps(m.Span) {
				r.Fail("valid_from", fmt.Sprintf("overlaps an earlier row than row %d", i+1))
			}
		}
		t.margins = append(t.margins, m)
	}
	return rows.Err()
}

// margin is what the operator adds to the boards on a day, and what it follows from.
func (t *Tables) margin(boards int64, day dated.Day) (label, basis string, cents int64) {
	for _, m := range t.margins {
		if m.Holds(day) {
			share := m.rate.ShareOf(boards)
			if basis = "the operator's share of the goods"; share < m.least {
				basis = "the operator's least amount"
			}
			return m.label, basis, max(m.least, share)
		}
	}
	return "", "", 0
}
