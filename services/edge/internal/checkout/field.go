package checkout

import (
	"slices"

	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/language"
)

// A field is one line of the delivery form.
type field struct {
	name      string // as in shipments.ShipTo
	label     string
	kind      string // type of the input
	complete  string // autocomplete token: browsers fill the form in
	mode      string // inputmode: which keys a phone shows
	maxLength int    // characters
	needed    bool
	half      bool // shares its row with the next or the one before
	short     bool // on a phone too
	rare      bool // few fill it in
	hint      string
	missing   string // what to say when it is empty but needed
	of        func(*shipments.ShipTo) *string
}

// shipFields lists the delivery form in the order in which people fill it in.
func shipFields() []field {
	return []field{
		{name: "name", label: language.Key("Full name"), kind: "text", complete: "name", maxLength: 100, needed: true, half: true,
			missing: language.Key("Enter the name of the person who receives the parcel."),
			of:      func(s *shipments.ShipTo) *string { return &s.Name }},
		{name: "company", label: language.Key("Company"), kind: "text", complete: "organization", maxLength: 100, half: true, rare: true,
			of: func(s *shipments.ShipTo) *string { return &s.Company }},
		{name: "email", label: language.Key("E-mail"), kind: "email", complete: "email", mode: "email", maxLength: 254, needed: true, half: true,
			hint: language.Key("For the receipt and news of the order."), missing: language.Key("Enter an e-mail address for the receipt."),
			of: func(s *shipments.ShipTo) *string { return &s.Email }},
		{name: "phone", label: language.Key("Phone"), kind: "tel", complete: "tel", mode: "tel", maxLength: 40, needed: true, half: true,
			hint: language.Key("For the carrier, with the country code."), missing: language.Key("Enter a phone number that the carrier can call."),
			of: func(s *shipments.ShipTo) *string { return &s.Phone }},
		{name: "country", label: language.Key("Country"), complete: "country", needed: true, missing: language.Key("Choose the country to deliver to."),
			of: func(s *shipments.ShipTo) *string { return &s.Country }},
		{name: "line1", label: language.Key("Street and number"), kind: "text", complete: "address-line1", maxLength: 200, needed: true,
			missing: language.Key("Enter the street and number."),
			of:      func(s *shipments.ShipTo) *string { return &s.Line1 }},
		{name: "line2", label: language.Key("Apartment, building, department"), kind: "text", complete: "address-line2", maxLength: 200, rare: true,
			of: func(s *shipments.ShipTo) *string { return &s.Line2 }},
		{name: "postal_code", label: language.Key("Postal code"), kind: "text", complete: "postal-code", maxLength: 20, needed: true, half: true, short: true,
			missing: language.Key("Enter the postal code."),
			of:      func(s *shipments.ShipTo) *string { return &s.PostalCode }},
		{name: "city", label: language.Key("City"), kind: "text", complete: "address-level2", maxLength: 100, needed: true, half: true, short: true,
			missing: language.Key("Enter the city or town."),
			of:      func(s *shipments.ShipTo) *string { return &s.City }},
		{name: "state", label: language.Key("State, province or region"), kind: "text", complete: "address-level1", maxLength: 100, half: true,
			hint: language.Key("Needed in the United States and Canada."), missing: language.Key("Enter the state or province: tax depends on it."),
			of: func(s *shipments.ShipTo) *string { return &s.State }},
		{name: "tax_id", label: language.Key("Tax number"), kind: "text", maxLength: 50, half: true, rare: true,
			hint: language.Key("VAT or importer number, where customs ask for one or you order as a business."),
			of:   func(s *shipments.ShipTo) *string { return &s.TaxID }},
	}
}

// largeFirst are the countries in which people write their address from the country down to the
// house, and what they fill in after the country in that order.
var (
	largeFirst      = []string{"JP", "CN", "TW", "KR"}
	largeFirstOrder = []string{"postal_code", "state", "city", "line1", "line2"}
)

func isLargeFirst(country string) bool { return slices.Contains(largeFirst, country) }

// isFamilyFirst reports whether a reader writes the family name before the given one to a country.
func isFamilyFirst(l *language.Printer, country string) bool {
	return isLargeFirst(country) && (l.Code == "ja" || l.Code == "zh-Hans")
}

// orderFields puts the fields of an address into the order in which it is written in a country.
func orderFields(fields []field, country string) []field {
	if !isLargeFirst(country) {
		return fields
	}
	var out []field
	find := func(name string) field {
		return fields[slices.IndexFunc(fields, func(f field) bool { return f.name == name })]
	}
	for _, f := range fields {
		if !slices.Contains(largeFirstOrder, f.name) {
			out = append(out, f)
		}
		if f.name == "country" {
			for _, name := range largeFirstOrder {
				out = append(out, find(name))
			}
		}
	}
	return out
}

// fieldID is the id of an input of the delivery form.
func fieldID(name string) string { return "f-" + name }
