package checkout

import "boardorder/pkg/contract/shipments"

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
	hint      string
	missing   string // what to say when it is empty but needed
	of        func(*shipments.ShipTo) *string
}

// shipFields lists the delivery form in the order in which people fill it in.
func shipFields() []field {
	return []field{
		{name: "name", label: "Full name", kind: "text", complete: "name", maxLength: 100, needed: true, half: true,
			missing: "Enter the name of the person who receives the parcel.",
			of:      func(s *shipments.ShipTo) *string { return &s.Name }},
		{name: "company", label: "Company", kind: "text", complete: "organization", maxLength: 100, half: true,
			of: func(s *shipments.ShipTo) *string { return &s.Company }},
		{name: "email", label: "E-mail", kind: "email", complete: "email", mode: "email", maxLength: 254, needed: true, half: true,
			hint: "For the receipt and news of the order.", missing: "Enter an e-mail address for the receipt.",
			of: func(s *shipments.ShipTo) *string { return &s.Email }},
		{name: "phone", label: "Phone", kind: "tel", complete: "tel", mode: "tel", maxLength: 40, needed: true, half: true,
			hint: "For the carrier, with the country code.", missing: "Enter a phone number that the carrier can call.",
			of: func(s *shipments.ShipTo) *string { return &s.Phone }},
		{name: "country", label: "Country", complete: "country", needed: true, missing: "Choose the country to deliver to.",
			of: func(s *shipments.ShipTo) *string { return &s.Country }},
		{name: "line1", label: "Street and number", kind: "text", complete: "address-line1", maxLength: 200, needed: true,
			missing: "Enter the street and number.",
			of:      func(s *shipments.ShipTo) *string { return &s.Line1 }},
		{name: "line2", label: "Apartment, building, department", kind: "text", complete: "address-line2", maxLength: 200,
			of: func(s *shipments.ShipTo) *string { return &s.Line2 }},
		{name: "postal_code", label: "Postal code", kind: "text", complete: "postal-code", maxLength: 20, needed: true, half: true,
			missing: "Enter the postal code.",
			of:      func(s *shipments.ShipTo) *string { return &s.PostalCode }},
		{name: "city", label: "City", kind: "text", complete: "address-level2", maxLength: 100, needed: true, half: true,
			missing: "Enter the city or town.",
			of:      func(s *shipments.ShipTo) *string { return &s.City }},
		{name: "state", label: "State, province or region", kind: "text", complete: "address-level1", maxLength: 100, half: true,
			hint: "Needed in the United States and Canada.", missing: "Enter the state or province: tax depends on it.",
			of: func(s *shipments.ShipTo) *string { return &s.State }},
		{name: "tax_id", label: "Tax number", kind: "text", maxLength: 50, half: true,
			hint: "VAT or importer number, where customs ask for one or you order as a business.",
			of:   func(s *shipments.ShipTo) *string { return &s.TaxID }},
	}
}

// fieldID is the id of an input of the delivery form.
func fieldID(name string) string { return "f-" + name }
