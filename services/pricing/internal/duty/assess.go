package duty

import (
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/money"
)

// Assess says what customs take. Goods that cross no border cost nothing and
// give no charges. ErrUnknown: a rule is missing; an error of the converter:
// a threshold could not be compared.
func (t *Table) Assess(c Consignment, usd Converter) ([]Charge, error) {
	if c.domestic() {
		return nil, nil
	}
	var charges []Charge
	var seen []string // fees that were counted for an earlier item
	for _, item := range c.Items {
		rules, err := t.rulesFor(c, item, usd)
		if err != nil {
			return nil, err
		}
		for _, r := range rules {
			if key := r.feeKey(item); key != "" && slices.Contains(seen, key) {
				continue
			} else if key != "" {
				seen = append(seen, key)
			}
			charge, err := r.charge(c, item, usd)
			if err != nil {
				return nil, err
			}
			charges = append(charges, charge)
		}
	}
	return charges, nil
}

// feeKey names what a fee is counted once for, or is "" for a duty that
// every item bears.
func (r *rule) feeKey(item Item) string {
	switch r.per {
	case perSubheading:
		return r.id + " " + digits(item.HSCode)[:min(6, len(digits(item.HSCode)))]
	case perConsignment:
		return r.id
	}
	return ""
}

// rulesFor picks the rules of one item, ordered by basis: the most specific one
// of each, less those that another replaces.
func (t *Table) rulesFor(c Consignment, item Item, usd Converter) ([]*rule, error) {
	best := make([]*rule, 0, 8)
	for _, destination := range []string{c.Country, c.Union} {
		for _, r := range t.at[destination] {
			fits, err := r.fits(c, item, usd)
			if err != nil {
				return nil, err
			}
			if !fits {
				continue
			}
			i := slices.IndexFunc(best, func(b *rule) bool { return b.basis == r.basis })
			if i < 0 {
				best = append(best, r)
			} else if r.specificity(c) > best[i].specificity(c) {
				best[i] = r
			}
		}
	}
	covered := slices.ContainsFunc(best, func(r *rule) bool { return r.basis == "mfn" || slices.Contains(r.replaces, "mfn") })
	if !covered {
		return nil, fmt.Errorf("HS %s from %s to %s on %s: %w", item.HSCode, c.Origin, c.Country, c.Day, ErrUnknown)
	}
	rules := make([]*rule, 0, len(best))
	for _, r := range best {
		if !slices.ContainsFunc(best, func(other *rule) bool { return slices.Contains(other.replaces, r.basis) }) {
			rules = append(rules, r)
		}
	}
	slices.SortFunc(rules, func(a, b *rule) int { return strings.Compare(a.basis, b.basis) })
	return rules, nil
}

// fits reports whether a rule of the destination holds for the item.
func (r *rule) fits(c Consignment, item Item, usd Converter) (bool, error) {
	buyer := "consumer"
	if c.Business {
		buyer = "business"
	}
	if r.origin != "*" && r.origin != c.Origin ||
		r.hs != "*" && !strings.HasPrefix(digits(item.HSCode), r.hs) ||
		r.buyer != "any" && r.buyer != buyer || !r.Holds(c.Day) {
		return false, nil
	}
	return r.coversValue(c.goods(), usd)
}

// coversValue compares the value of the goods with the rule's thresholds.
func (r *rule) coversValue(goods int64, usd Converter) (bool, error) {
	if r.valueCurrency == "" {
		return true, nil
	}
	over, err := usd(r.valueCurrency, r.over)
	if err != nil {
		return false, fmt.Errorf("rule %s: %w", r.id, err)
	}
	upTo, err := usd(r.valueCurrency, r.upTo)
	if err != nil {
		return false, fmt.Errorf("rule %s: %w", r.id, err)
	}
	return (r.over == 0 || goods > over) && (r.upTo == 0 || goods <= upTo), nil
}

func (r *rule) charge(c Consignment, item Item, usd Converter) (Charge, error) {
	charge := Charge{
		Rule: r.id, Basis: r.basis, Words: r.words, Source: r.Source, Checked: r.Checked, Uncertain: r.Uncertain(),
	}
	if r.per != perConsignment {
		charge.HSCode = item.HSCode
	}
	if r.currency != "" {
		cents, err := usd(r.currency, r.amount)
		charge.Cents = cents
		if err != nil {
			return Charge{}, fmt.Errorf("rule %s: %w", r.id, err)
		}
		return charge, nil
	}
	charge.Rate, charge.Cents = r.percent, r.rate.ShareOf(r.value(c, item))
	charge.Cents = max(charge.Cents, r.least)
	if r.most > 0 {
		charge.Cents = min(charge.Cents, r.most)
	}
	return charge, nil
}

// value is what a percentage counts: the item or the whole, with its part of
// the freight where the law says so.
func (r *rule) value(c Consignment, item Item) int64 {
	value, freight := c.goods(), c.FreightCents
	if r.per == perItem {
		if value > 0 {
			freight = money.Rate(money.Divide(item.Cents*1_000_000, value)).ShareOf(freight)
		}
		value = item.Cents
	}
	if r.base == "cif" {
		value += freight
	}
	return value
}

func digits(hs string) string { return strings.ReplaceAll(hs, ".", "") }
