package tax

import "boardorder/pkg/dated"

// A relief is import tax that a country does not collect up to a value.
type relief struct {
	country, buyer string
	freight        bool // the limit counts it
	upTo           int64
	limit          string // in words
	valueCurrency  string
	dated.Span
}

func readRelief(r *dated.Row) *relief {
	return &relief{
		country: r.RequireText("country"), buyer: r.Choice("buyer", "any", "consumer", "business"),
		freight: r.Choice("counts", "goods", "goods+freight") == "goods+freight",
		upTo:    r.Decimal("up_to"), valueCurrency: r.RequireText("value_currency"),
		limit: r.RequireText("value_currency") + " " + r.RequireText("up_to"), Span: r.Span(),
	}
}

// A Relief is why a country collects no import tax on a sale.
type Relief struct {
	Words   string // "not collected up to CHF 61.70 of goods and freight"
	Source  string
	Checked dated.Day
}

// relieve takes the import tax off an assessment that a country does not collect. What a
// relief may take off that was not confirmed, or whose limit has no exchange rate just
// now, is marked as uncertain, and held.
func (t *Table) relieve(s Sale, usd Converter, a *Assessment) {
	for _, r := range t.reliefs {
		if r.country != s.Country || !r.Holds(s.Day) || !isBuyer(r.buyer, s) {
			continue
		}
		value := s.Goods
		if r.freight {
			value += s.Freight
		}
		limit, err := usd(r.valueCurrency, r.upTo)
		switch {
		case err != nil || value <= limit && r.Uncertain():
			a.doubt()
		case value <= limit:
			a.dropImportTax(r)
			return
		}
	}
}

func (r *relief) words() string {
	of := "of goods"
	if r.freight {
		of = "of goods and freight"
	}
	if r.buyer == "consumer" {
		of += " for personal use"
	}
	return "not collected up to " + r.limit + " " + of
}

func (a *Assessment) doubt() {
	for i := range a.Charges {
		a.Charges[i].Uncertain = a.Charges[i].Uncertain || a.Charges[i].AtImport
	}
}

func (a *Assessment) dropImportTax(r *relief) {
	var kept []Charge
	for _, c := range a.Charges {
		if !c.AtImport {
			kept = append(kept, c)
		}
	}
	if len(kept) < len(a.Charges) {
		a.Relief = &Relief{Words: r.words(), Source: r.Source, Checked: r.Checked}
	}
	a.Charges = kept
}
