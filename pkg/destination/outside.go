package destination

import (
	"strings"

	"boardorder/pkg/address"
	"boardorder/pkg/contract"
)

// An outer is a part of a country that its VAT, or its rate, does not hold in.
type outer struct {
	begins  []string // of its postal codes
	theName string
	rates   bool // it has other rates; otherwise it is outside
}

func (b *Book) readOutside() error {
	t, err := open("outside.csv", "country", "begins", "the_name", "why", "source", "checked", "confirmed", "read")
	if err != nil {
		return err
	}
	for _, r := range t.Rows {
		country := r.RequireText("country")
		if _, ok := b.countries[country]; !ok {
			r.Fail("country", "is not a country that is delivered to")
		}
		r.RequireText("source")
		r.RequireText("checked")
		if r.Choice("confirmed", "both", "law", "no") != "no" {
			r.RequireText("read")
		}
		o := outer{begins: r.List("begins"), theName: r.RequireText("the_name"), rates: r.Choice("why", "outside", "rates") == "rates"}
		if len(o.begins) == 0 {
			r.Fail("begins", "is empty")
		}
		b.outside[country] = append(b.outside[country], o)
	}
	return t.Err()
}

// refuseOutsideVAT refuses a postal code of a part of a country where the country's price
// would be wrong.
func (b *Book) refuseOutsideVAT(country, postal string) []contract.FieldProblem {
	code := address.BarePostalCode(country, postal)
	for _, o := range b.outside[country] {
		for _, begins := range o.begins {
			if strings.HasPrefix(code, begins) {
				return []contract.FieldProblem{{Field: "ship_to.postal_code", Problem: "not_served", Message: o.message(b.countries[country].TheName)}}
			}
		}
	}
	return nil
}

func (o outer) message(country string) string {
	if o.rates {
		return "This postal code is one of " + o.theName + ", where other tax rates hold than in the rest of " + country + ". We do not deliver there yet."
	}
	return "This postal code is one of " + o.theName + ", where the tax of " + country + " does not hold. We do not deliver there yet."
}
