package offer

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"boardorder/pkg/contract/prices"
	"boardorder/pkg/dated"
	"boardorder/pkg/fabricator"
	"boardorder/services/pricing/internal/shipping"
)

// BareBoard is the HS code of a printed circuit without components, the same
// in every country that uses the nomenclature.
const BareBoard = "8534.00"

// ErrImplausible means that a fabricator's price contradicts itself or cannot
// be meant. It is not quoted; the customer is informed that there is no price now.
var ErrImplausible = errors.New("implausible price")

// AddPrice takes a fabricator's price into a basis: its lines, builds, ways of
// shipping to a country, and weight. Amounts in another currency become US
// cents by the basis' rates; exchange.ErrNoRate when these lack it.
func (t *Tables) AddPrice(b Basis, p fabricator.Price, shippingTo string) (Basis, error) {
	express, err := plausible(p)
	if err != nil {
		return Basis{}, err
	}
	cents := func(amount int64) (int64, error) { return t.Currencies.Cents(b.Rates, p.Currency, amount) }
	if p.Currency == "USD" {
		cents = func(amount int64) (int64, error) { return amount, nil }
	}
	b.WeightGrams, b.ShippingTo = p.Weight, shippingTo
	var errs [3]error
	b.Boards, errs[0] = boardLines(p, express, b.source(), cents)
	b.Builds, errs[1] = builds(p, cents)
	b.Shipping, errs[2] = ways(p, cents)
	return b, errors.Join(errs[:]...)
}

// plausible refuses what no fabricator can mean, and returns what is left of
// the express lines once the chosen build's surcharge is taken off them: the
// part that every build bears.
func plausible(p fabricator.Price) (express int64, err error) {
	if err := p.Check(); err != nil {
		return 0, fmt.Errorf("%w: %w", ErrImplausible, err)
	}
	if first := p.Builds[0]; first.Cents != 0 {
		return 0, fmt.Errorf("%w: the standard build costs %d cents more than itself", ErrImplausible, first.Cents)
	}
	for _, line := range p.Lines {
		if line.Code == fabricator.CodeExpress {
			express += line.Cents
		}
	}
	if express -= p.Build().Cents; express < 0 {
		return 0, fmt.Errorf("%w: the chosen build costs %d cents more than the price holds for it", ErrImplausible, -express)
	}
	return express, nil
}

// boardLines are the lines that every build shares. Lines of nothing are left
// out: they only hide the others.
func boardLines(p fabricator.Price, express int64, source string, cents func(int64) (int64, error)) ([]prices.Line, error) {
	var lines []prices.Line
	for _, line := range p.Lines {
		if line.Code == fabricator.CodeExpress {
			line.Cents, express = express, 0
		}
		amount, err := cents(line.Cents)
		if err != nil {
			return nil, err
		}
		if amount != 0 {
			lines = append(lines, prices.Line{
				Label: clean(line.Label), Cents: amount, Kind: prices.Boards, Basis: fabricatorBasis(p, line.Code), Source: source,
			})
		}
	}
	return lines, nil
}

func builds(p fabricator.Price, cents func(int64) (int64, error)) ([]Build, error) {
	out := make([]Build, len(p.Builds))
	for i, b := range p.Builds {
		amount, err := cents(b.Cents)
		if err != nil {
			return nil, err
		}
		out[i] = Build{Hours: b.Hours, Name: clean(b.Name), Cents: amount}
	}
	return out, nil
}

func ways(p fabricator.Price, cents func(int64) (int64, error)) ([]shipping.Option, error) {
	var out []shipping.Option
	for _, s := range p.Shipping {
		amount, err := cents(s.Cents)
		if err != nil {
			return nil, err
		}
		out = append(out, shipping.Option{
			ID: s.ID, Carrier: clean(s.Carrier), Service: clean(s.Service), Cents: amount, DaysMin: s.DaysMin, DaysMax: s.DaysMax,
		})
	}
	return out, nil
}

// fabricatorBasis is what a fabricator's amount follows from: its offer, or a line of its
// tariff.
func fabricatorBasis(p fabricator.Price, code string) string {
	if strings.HasPrefix(p.Source, "tariff ") {
		return fmt.Sprintf("%s, line %q", p.Source, code)
	}
	return "the fabricator's offer for this board"
}

// dateSource names a source and the day that it is of.
func dateSource(source string, day dated.Day) string {
	return cmp.Or(source, "the fabricator") + ", " + string(day)
}
