package offer

import (
	"errors"
	"fmt"

	"boardorder/pkg/contract"
	"boardorder/pkg/fabricator"
	"boardorder/services/pricing/internal/shipping"
)

// BareBoard is the HS code of a printed circuit without components, the same
// in every country that uses the nomenclature.
const BareBoard = "8534.00"

// ErrImplausible means that a fabricator's price contradicts itself or cannot
// be meant. It is not quoted; the customer hears that there is no price now.
var ErrImplausible = errors.New("implausible price")

// WithPrice takes a fabricator's price into a basis: its lines, builds, ways of
// shipping to a country, and weight. Amounts in another currency become US
// cents by the basis' rates; exchange.ErrNoRate when these lack it.
func (t *Tables) WithPrice(b Basis, p fabricator.Price, shippingTo string) (Basis, error) {
	if err := plausible(p); err != nil {
		return Basis{}, err
	}
	cents := func(amount int64) (int64, error) { return t.Currencies.Cents(b.Rates, p.Currency, amount) }
	if p.Currency == "USD" {
		cents = func(amount int64) (int64, error) { return amount, nil }
	}
	b.WeightGrams, b.ShippingTo = p.Weight, shippingTo
	var errs [3]error
	b.Boards, errs[0] = boardLines(p, cents)
	b.Builds, errs[1] = builds(p, cents)
	b.Shipping, errs[2] = ways(p, cents)
	return b, errors.Join(errs[:]...)
}

// plausible refuses what no fabricator can mean.
func plausible(p fabricator.Price) error {
	chosen, express := 0, int64(0)
	for _, build := range p.Builds {
		if build.Hours <= 0 || build.Cents < 0 {
			return fmt.Errorf("%w: a build of %d hours for %d cents more", ErrImplausible, build.Hours, build.Cents)
		}
		if build.Chosen {
			chosen, express = chosen+1, build.Cents
		}
	}
	if chosen != 1 || p.Builds[0].Cents != 0 {
		return fmt.Errorf("%w: %d builds are chosen, and the standard one costs %d cents more", ErrImplausible, chosen, firstCents(p.Builds))
	}
	for _, line := range p.Lines {
		if line.Cents < 0 && line.Code != fabricator.CodeOffer {
			return fmt.Errorf("%w: the line %s is %d cents", ErrImplausible, line.Code, line.Cents)
		}
		if line.Code == fabricator.CodeExpress {
			express -= line.Cents
		}
	}
	if express != 0 {
		return fmt.Errorf("%w: the express line and the chosen build differ by %d cents", ErrImplausible, express)
	}
	if p.Boards() <= 0 || p.Weight <= 0 {
		return fmt.Errorf("%w: boards for %d cents that weigh %d g", ErrImplausible, p.Boards(), p.Weight)
	}
	for _, s := range p.Shipping {
		if s.ID == "" || s.Cents < 0 || s.DaysMin < 0 || s.DaysMax < s.DaysMin {
			return fmt.Errorf("%w: shipping %q for %d cents in %d to %d days", ErrImplausible, s.ID, s.Cents, s.DaysMin, s.DaysMax)
		}
	}
	return nil
}

func firstCents(builds []fabricator.Build) int64 {
	if len(builds) == 0 {
		return 0
	}
	return builds[0].Cents
}

// boardLines are the lines that every build shares. Lines of nothing are left
// out: they only hide the others.
func boardLines(p fabricator.Price, cents func(int64) (int64, error)) ([]contract.Line, error) {
	var lines []contract.Line
	for _, line := range p.Lines {
		amount, err := cents(line.Cents)
		if err != nil {
			return nil, err
		}
		if line.Code != fabricator.CodeExpress && amount != 0 {
			lines = append(lines, contract.Line{Label: clean(line.Label), Cents: amount})
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
