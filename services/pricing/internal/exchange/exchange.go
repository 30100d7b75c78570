// Package exchange turns US dollars into other currencies and back: to show a
// customer what a total is worth at home, and to hold amounts that a law states
// in its own currency against a value in dollars. Rates come in as data with
// their date; nothing here fetches any.
package exchange

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"boardorder/pkg/contract/prices"
	"boardorder/pkg/dated"
	"boardorder/pkg/money"

	"github.com/shopspring/decimal"
)

//go:embed currencies.csv
var files embed.FS

// ErrNoRate means that the rates lack a currency. A price that needs it cannot
// be made; one that would only show it goes without.
var ErrNoRate = errors.New("no exchange rate")

// Rates are what one euro was worth on a day, as the European Central Bank
// publishes it. They are plain data and can be kept with a quote.
type Rates struct {
	Date   string            `json:"date"`    // "2006-01-02"
	PerEUR map[string]string `json:"per_eur"` // ISO 4217 -> decimal

	text []byte // its JSON, once for the many quotes of a day
}

// bare is Rates without its methods.
type bare Rates

// MarshalJSON gives the JSON that was made when the rates were read, if so.
func (r Rates) MarshalJSON() ([]byte, error) {
	if r.text != nil {
		return r.text, nil
	}
	return json.Marshal(bare(r))
}

// Equal reports whether both are the same rates of the same day.
func (r Rates) Equal(o Rates) bool { return r.Date == o.Date && maps.Equal(r.PerEUR, o.PerEUR) }

// Source names where the rates of the map come from.
const Source = "ECB"

// A Currency is one that totals can be shown in.
type Currency struct {
	Code      string
	Digits    int // after the point
	peg       decimal.Decimal
	pegSource string
}

// A Table knows currencies and their minor units.
type Table struct{ currencies map[string]Currency }

// Load reads the built-in table.
func Load() (*Table, error) {
	f, err := files.Open("currencies.csv")
	if err != nil {
		return nil, fmt.Errorf("open currencies.csv: %w", err)
	}
	defer f.Close()
	rows, err := dated.ReadPlain("currencies.csv", f, "currency", "digits", "peg", "peg_source")
	if err != nil {
		return nil, err
	}
	t := &Table{currencies: map[string]Currency{}}
	for _, r := range rows.Rows {
		c := Currency{Code: r.RequireText("currency"), Digits: int(r.Int("digits")), pegSource: r.Text("peg_source")}
		if s := r.Text("peg"); s != "" {
			if c.peg, err = decimal.NewFromString(s); err != nil || !c.peg.IsPositive() || c.pegSource == "" {
				r.Fail("peg", "is not a positive number with a source")
			}
		}
		t.currencies[c.Code] = c
	}
	return t, rows.Err()
}

// Codes lists the currencies of the table.
func (t *Table) Codes() []string { return slices.Sorted(maps.Keys(t.currencies)) }

// ratePerUSD is how many units of a currency one dollar buys, and who says so.
func (t *Table) ratePerUSD(rates Rates, code string) (decimal.Decimal, string, error) {
	c, ok := t.currencies[code]
	if !ok {
		return decimal.Zero, "", fmt.Errorf("%s: %w", code, ErrNoRate)
	}
	if code == "USD" {
		return decimal.NewFromInt(1), "", nil
	}
	unit, err1 := rates.ratePerEUR(code)
	dollar, err2 := rates.ratePerEUR("USD")
	if err := errors.Join(err1, err2); err != nil {
		if c.peg.IsPositive() {
			return c.peg, c.pegSource, nil
		}
		return decimal.Zero, "", err
	}
	return unit.DivRound(dollar, 12), Source, nil
}

func (r Rates) ratePerEUR(code string) (decimal.Decimal, error) {
	if code == "EUR" {
		return decimal.NewFromInt(1), nil
	}
	d, err := decimal.NewFromString(r.PerEUR[code])
	if err != nil || !d.IsPositive() {
		return decimal.Zero, fmt.Errorf("%s: %w", code, ErrNoRate)
	}
	return d, nil
}

// Cents is what an amount of a currency, in hundredths of its unit, is worth in
// US cents, rounded half to even.
func (t *Table) Cents(rates Rates, code string, hundredths int64) (int64, error) {
	rate, _, err := t.ratePerUSD(rates, code)
	if err != nil {
		return 0, err
	}
	return decimal.NewFromInt(hundredths).DivRound(rate, 12).RoundBank(0).IntPart(), nil
}

// A Shown is an amount in another currency, for information.
type Shown struct {
	Currency string
	Text     string // "EUR 64.12"
	Minor    int64  // in the currency's minor unit, rounded half to even
	Rate     string // units for one dollar
	Date     string // of the rate
	Source   string
}

// Show puts US cents in another currency, at the rate as it is written beside them: who
// multiplies gets the same.
func (t *Table) Show(rates Rates, code string, cents int64) (Shown, error) {
	rate, source, err := t.ratePerUSD(rates, code)
	if err != nil {
		return Shown{}, err
	}
	rate = prices.RoundRate(rate)
	digits := t.currencies[code].Digits
	minor := decimal.New(cents, int32(digits)-2).Mul(rate).RoundBank(0).IntPart()
	return Shown{
		Currency: code, Text: code + " " + money.Decimal(minor, digits), Minor: minor,
		Rate: rate.String(), Date: rates.Date, Source: source,
	}, nil
}
