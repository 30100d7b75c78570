package destination

import (
	"slices"
	"strings"

	"boardorder/pkg/contract"
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

// Resolve turns an address as the customer wrote it into a place. The country
// may be a code of two or three letters or a name. Without any country the
// place is fallback, marked as assumed. Without a state the postal code tells
// it, where it can. Whatever cannot be understood comes
// back as problems of fields under ship_to, and then there is no place.
func (b *Book) Resolve(to *contract.ShipTo, fallback string) (Place, []contract.FieldProblem) {
	if to == nil || strings.TrimSpace(to.Country) == "" {
		return b.assumed(to, fallback)
	}
	code, ok := b.byName[fold(to.Country)]
	if !ok {
		return Place{}, []contract.FieldProblem{{
			Field: "ship_to.country", Problem: "not_served", Allowed: b.Codes(),
			Message: "We do not know or do not serve this country; send its ISO 3166-1 code of two letters.",
		}}
	}
	place := Place{Country: code, PostalCode: strings.TrimSpace(to.PostalCode), Business: strings.TrimSpace(to.TaxID) != ""}
	if !b.countries[code].NeedsRegion {
		return place, nil
	}
	if strings.TrimSpace(to.State) == "" {
		place.Region = b.regionOf(code, place.PostalCode)
		return place, nil
	}
	region, ok := b.regions[code][fold(to.State)]
	if !ok {
		return Place{}, []contract.FieldProblem{{
			Field: "ship_to.state", Problem: "unknown", Allowed: b.regionCodes(code),
			Message: "This is not a state or province of " + b.countries[code].TheName + "; send its code of two letters.",
		}}
	}
	place.Region = region
	return place, nil
}

// assumed is the fallback country. Without a country a state means nothing.
func (b *Book) assumed(to *contract.ShipTo, fallback string) (Place, []contract.FieldProblem) {
	place := Place{Country: fallback, Assumed: true}
	if to != nil {
		place.Business = strings.TrimSpace(to.TaxID) != ""
	}
	return place, nil
}

func (b *Book) regionCodes(country string) []string {
	codes := []string{}
	for _, code := range b.regions[country] {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// MissingForCustoms names what an address lacks to be delivered there, duty
// paid: the state where tax depends on it, the tax number where customs wants
// one. The checkout asks for it before it takes money.
func (b *Book) MissingForCustoms(to contract.ShipTo) []contract.FieldProblem {
	place, problems := b.Resolve(&to, "")
	country, ok := b.countries[place.Country]
	if !ok {
		return problems
	}
	if country.NeedsRegion && place.Region == "" {
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
