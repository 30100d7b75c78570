package tax

import (
	"fmt"

	"boardorder/pkg/dated"
)

// Assess says which taxes a sale bears. ErrUnknown: no row covers the country;
// an error of the converter: a threshold could not be compared.
func (t *Table) Assess(s Sale, usd Converter) (Assessment, error) {
	var a Assessment
	known, regional := false, false
	for _, u := range t.at[s.Country] {
		if !u.Holds(s.Day) {
			continue
		}
		known = true
		regional = regional || u.region != ""
		if err := t.apply(u, s, usd, &a); err != nil {
			return Assessment{}, err
		}
	}
	if !known {
		return Assessment{}, fmt.Errorf("%s on %s: %w", s.Country, s.Day, ErrUnknown)
	}
	t.relieve(s, usd, &a)
	a.RegionNeeded = regional && s.Region == "" && t.matters(s)
	return a, nil
}

func (t *Table) apply(u *rule, s Sale, usd Converter, a *Assessment) error {
	fits, err := u.fits(s, usd)
	if err != nil || !fits {
		return err
	}
	if u.registered && !t.isRegistered(s.Country, s.Region, s.Day) {
		a.NotCollected = a.NotCollected || u.rate > 0
		return nil
	}
	if u.rate > 0 {
		a.Charges = append(a.Charges, Charge{
			Kind: u.kind, Label: u.label, Rate: u.percent, Cents: u.rate.ShareOf(u.value(s)), AtImport: !u.registered,
			Source: u.Source, Checked: u.Checked, Uncertain: u.Uncertain(),
		})
	}
	return nil
}

func (u *rule) fits(s Sale, usd Converter) (bool, error) {
	region := s.Region
	if region == "" && u.region == "?" {
		region = "?"
	}
	if u.region != "" && u.region != region || !isBuyer(u.buyer, s) {
		return false, nil
	}
	if u.valueCurrency == "" {
		return true, nil
	}
	over, err := usd(u.valueCurrency, u.over)
	if err != nil {
		return false, fmt.Errorf("tax of %s: %w", u.country, err)
	}
	upTo, err := usd(u.valueCurrency, u.upTo)
	if err != nil {
		return false, fmt.Errorf("tax of %s: %w", u.country, err)
	}
	return (u.over == 0 || s.Goods > over) && (u.upTo == 0 || s.Goods <= upTo), nil
}

// isBuyer reports whether a row is about who buys.
func isBuyer(buyer string, s Sale) bool {
	return buyer == "any" || (buyer == "business") == s.Business
}

// isRegistered reports whether the operator collects tax there on that day.
func (t *Table) isRegistered(country, region string, day dated.Day) bool {
	for _, r := range t.registrations {
		if r.country == country && r.Holds(day) && (r.region == "" || r.region == region) {
			return true
		}
	}
	return false
}

// matters reports whether naming the region could change the price: some rate
// there is collected by everybody, or the operator is registered somewhere.
func (t *Table) matters(s Sale) bool {
	for _, u := range t.at[s.Country] {
		if u.region != "" && u.region != "?" && u.Holds(s.Day) &&
			(!u.registered || t.isRegistered(u.country, u.region, s.Day)) {
			return true
		}
	}
	return false
}
