package destination

import (
	"slices"
	"strings"

	"boardorder/pkg/address"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/shipments"
)

// Country returns the country of a code.
func (b *Book) Country(code string) (Country, bool) {
	c, ok := b.countries[code]
	return c, ok
}

// Codes lists the countries that boards are delivered to.
func (b *Book) Codes() []string { return slices.Clone(b.codes) }

// RegionName is "California" for US and CA, or "".
func (b *Book) RegionName(country, region string) string { return b.names[country+"/"+region] }

// Normal is an address with country and state as their codes, where they are
// known, and a territory as what it is a part of.
func (b *Book) Normal(to shipments.ShipTo) shipments.ShipTo {
	if p, ok := b.parts[fold(to.Country)]; ok {
		to.Country, to.State = p.country, p.region
		return to
	}
	if code, ok := b.byName[fold(to.Country)]; ok {
		to.Country = code
		if region, ok := b.regions[code][fold(to.State)]; ok {
			to.State = region
		}
	}
	return to
}

// Resolve turns an address as the customer wrote it into a place. The country
// may be a code of two or three letters or a name. Without any country the
// place is fallback, marked as assumed. Without a state the postal code decides
// it, where it can. Whatever is wrong with the address comes back as problems of
// fields under ship_to, all of them, and then there is no place.
func (b *Book) Resolve(to *shipments.ShipTo, fallback string) (Place, []contract.FieldProblem) {
	if to == nil || strings.TrimSpace(to.Country) == "" {
		return b.assumeFallback(to, fallback)
	}
	at := b.Normal(*to)
	if _, ok := b.countries[at.Country]; !ok {
		return Place{}, []contract.FieldProblem{b.countryProblem(at.Country)}
	}
	place := Place{Country: at.Country, PostalCode: strings.TrimSpace(to.PostalCode)}
	problems := append(address.Check(at.Country, at), b.refuseOutsideVAT(at.Country, at.PostalCode)...)
	if id, err := address.ParseTaxID(at.Country, at.TaxID); err == nil {
		place.Business = id.Business
	}
	if b.countries[place.Country].NeedsRegion {
		region, more := b.region(at, !refuses(problems, "ship_to.postal_code"))
		place.Region, problems = region, append(problems, more...)
	}
	if len(problems) > 0 {
		return Place{}, problems
	}
	return place, nil
}

// countryProblem distinguishes a country that boards are not delivered to from what is none.
func (b *Book) countryProblem(country string) contract.FieldProblem {
	p := contract.FieldProblem{Field: "ship_to.country", Problem: "not_served", Allowed: b.Codes(), Message: "We do not deliver to this country yet."}
	if !address.IsCountry(strings.ToUpper(strings.TrimSpace(country))) {
		p.Problem, p.Message = "unknown", "We do not know this country; send its ISO 3166-1 code of two letters, such as US or DE."
	}
	return p
}

func refuses(problems []contract.FieldProblem, field string) bool {
	return slices.ContainsFunc(problems, func(p contract.FieldProblem) bool { return p.Field == field })
}

// region is the state or province, which the address names or its postal code
// decides. Where both do, they must agree: the tax depends on it.
func (b *Book) region(to shipments.ShipTo, readable bool) (string, []contract.FieldProblem) {
	named, ok := b.regions[to.Country][fold(to.State)]
	if !ok && strings.TrimSpace(to.State) != "" {
		return "", []contract.FieldProblem{{
			Field: "ship_to.state", Problem: "unknown", Allowed: b.regionCodes(to.Country),
			Message: "This is not a state or province of " + b.countries[to.Country].TheName + "; send its code of two letters.",
		}}
	}
	if !readable || strings.TrimSpace(to.PostalCode) == "" {
		return named, nil
	}
	reported := b.regionsOf(to.Country, to.PostalCode)
	switch {
	case len(reported) == 0:
		return "", []contract.FieldProblem{{
			Field: "ship_to.postal_code", Problem: "unknown",
			Message: "No state or province of " + b.countries[to.Country].TheName + " that we deliver to has this postal code.",
		}}
	case named != "" && !slices.Contains(reported, named):
		return "", []contract.FieldProblem{{
			Field: "ship_to.postal_code", Problem: "contradicts_state", Allowed: map[string]any{"state": reported},
			Message: "This postal code lies in " + b.RegionName(to.Country, reported[0]) + ", and the address names " + b.RegionName(to.Country, named) + ": please correct one of them.",
		}}
	case named == "" && len(reported) == 1:
		return reported[0], nil
	}
	return named, nil
}

// assumeFallback is the fallback country. Without a country a state, a postal code and a
// tax number mean nothing; the latter would make the price depend on a guess.
func (b *Book) assumeFallback(to *shipments.ShipTo, fallback string) (Place, []contract.FieldProblem) {
	if to != nil && strings.TrimSpace(to.TaxID) != "" {
		return Place{}, []contract.FieldProblem{{
			Field: "ship_to.country", Problem: "missing", Message: "A tax number can be read only together with its country.",
		}}
	}
	return Place{Country: fallback, Assumed: true}, nil
}

func (b *Book) regionCodes(country string) []string {
	codes := []string{}
	for _, code := range b.regions[country] {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// Unmet is all that the checkout still asks of an address, or refuses in it: an
// address without any can be delivered to, duty paid, with nothing more said.
func (b *Book) Unmet(to shipments.ShipTo) []contract.FieldProblem {
	_, problems := b.Resolve(&to, "")
	if strings.TrimSpace(to.Country) == "" {
		problems = nil // what is missing is said below
	}
	to = b.Normal(to)
	for _, p := range append(to.Missing(), b.missingForCustoms(to)...) {
		if !refuses(problems, p.Field) {
			problems = append(problems, p)
		}
	}
	return problems
}

// missingForCustoms names what an address lacks to be delivered there, duty
// paid: the state where tax depends on it, the tax number where customs wants
// one.
func (b *Book) missingForCustoms(to shipments.ShipTo) []contract.FieldProblem {
	country, ok := b.countries[to.Country]
	if !ok {
		return nil
	}
	var problems []contract.FieldProblem
	if region, more := b.region(to, true); country.NeedsRegion && region == "" && len(more) == 0 {
		problems = append(problems, contract.FieldProblem{
			Field: "ship_to.state", Problem: "missing", Allowed: b.regionCodes(country.Code),
			Message: "The tax in " + country.TheName + " depends on the state or province.",
		})
	}
	if country.TaxIDName != "" && strings.TrimSpace(to.TaxID) == "" {
		problems = append(problems, contract.FieldProblem{
			Field: "ship_to.tax_id", Problem: "missing",
			Message: "Customs in " + country.TheName + " ask for the recipient's " + country.TaxIDName + ".",
		})
	}
	return problems
}
