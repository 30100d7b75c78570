package shipments

import (
	"boardorder/pkg/contract"
)

// Tracking is where the parcel can be followed.
type Tracking struct {
	Carrier string `json:"carrier"`
	Number  string `json:"number"`
	URL     string `json:"url,omitempty"`
}

// ShipTo is where a board goes and whom it is for.
type ShipTo struct {
	Name       string `json:"name,omitempty"`
	Email      string `json:"email,omitempty"`
	Phone      string `json:"phone,omitempty"`
	Company    string `json:"company,omitempty"`
	Line1      string `json:"line1,omitempty"`
	Line2      string `json:"line2,omitempty"`
	City       string `json:"city,omitempty"`
	State      string `json:"state,omitempty"`
	PostalCode string `json:"postal_code,omitempty"`
	Country    string `json:"country,omitempty"` // ISO 3166-1 alpha-2
	TaxID      string `json:"tax_id,omitempty"`
}

// Delivery is what the customer chose at checkout; the reply's price is for it.
type Delivery struct {
	ShipTo     ShipTo `json:"ship_to"`
	ShippingID string `json:"shipping_id"`
	BuildHours int    `json:"build_hours"`
	// UnofferedHours are of the build that was wanted and is not offered for this number of
	// boards; BuildHours are in their place.
	UnofferedHours int `json:"unoffered_hours,omitempty"`
	// UnofferedWay was wanted and is not offered for this number of boards, or to this country.
	// ShippingID is in its place for the price; nothing is paid before the customer has chosen.
	UnofferedWay *Way `json:"unoffered_way,omitempty"`
}

// Way names a way of shipping.
type Way struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Missing lists the fields that a parcel cannot do without.
func (s ShipTo) Missing() []contract.FieldProblem {
	var problems []contract.FieldProblem
	for _, f := range []struct{ name, value string }{
		{"name", s.Name}, {"email", s.Email}, {"phone", s.Phone}, {"line1", s.Line1}, {"city", s.City},
		{"postal_code", s.PostalCode}, {"country", s.Country},
	} {
		if f.value == "" && !(f.name == "postal_code" && LacksPostalCodes(s.Country)) {
			problems = append(problems, contract.FieldProblem{Field: "ship_to." + f.name, Problem: "missing", Message: "This is needed for delivery."})
		}
	}
	return problems
}

// LacksPostalCodes reports whether addresses of a country (ISO 3166-1 alpha-2)
// have none, as the Universal Postal Union lists it.
func LacksPostalCodes(country string) bool {
	switch country {
	case "AE", "AG", "AO", "AW", "BF", "BI", "BJ", "BO", "BS", "BW", "BZ", "CD", "CF", "CG", "CI", "CK", "CM", "DJ", "DM", "ER", "FJ",
		"GA", "GD", "GM", "GQ", "GY", "HK", "JM", "KI", "KM", "KN", "LY", "ML", "MO", "MR", "MW", "NR", "NU", "QA", "RW", "SB", "SC", "SL",
		"SR", "SS", "ST", "SY", "TD", "TG", "TK", "TL", "TO", "TV", "UG", "VU", "YE", "ZW":
		return true
	}
	return false
}

// Redact keeps of an address what taxes follow from.
func (s ShipTo) Redact() ShipTo { return ShipTo{State: s.State, Country: s.Country} }
