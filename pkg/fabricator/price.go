package fabricator

import "time"

// A Price is the answer to a Spec: what the boards cost ex works, which builds
// are to be had and what each way of shipping would cost to the destination.
type Price struct {
	Currency string `json:"currency"` // ISO 4217, of every amount below

	// Lines make up the boards' cost for the chosen build and quantity,
	// shipping not included. Every line is an amount in cents; only a line of
	// code CodeOffer may be negative.
	Lines []Line `json:"lines"`

	// Builds lists the build times on offer, standard first. Exactly one is
	// Chosen, and its surcharge is already among Lines (code CodeExpress).
	Builds []Build `json:"builds"`

	// Shipping lists the ways to Spec.To, cheapest first. It is empty when the
	// Spec names no country.
	Shipping []Shipping `json:"shipping,omitempty"`

	Weight int64 `json:"weight"` // grams, packed

	PricedAt   time.Time `json:"priced_at"`
	ValidUntil time.Time `json:"valid_until"` // do not use it after this

	// Source says which table or system priced it, for the operator.
	Source string `json:"source"`
}

// Line codes that others look for. Adapters use further ones.
const (
	CodeBoard       = "board"
	CodeEngineering = "engineering"
	CodeExpress     = "express"
	CodeOffer       = "offer"
)

// A Line is one part of the boards' cost.
type Line struct {
	Code  string `json:"code"`
	Label string `json:"label"`
	Cents int64  `json:"cents"`
}

// A Build is one build time. Cents is its surcharge over the standard build.
type Build struct {
	Hours  int    `json:"hours"`
	Name   string `json:"name"`
	Cents  int64  `json:"cents"`
	Chosen bool   `json:"chosen,omitempty"`
}

// A Shipping is one way to the destination. Days are working days in transit.
type Shipping struct {
	ID      string `json:"id"`
	Carrier string `json:"carrier"`
	Service string `json:"service"`
	Cents   int64  `json:"cents"`
	DaysMin int    `json:"days_min"`
	DaysMax int    `json:"days_max"`
}

// Boards is the sum of the lines: what the boards cost without shipping.
func (p Price) Boards() int64 {
	var sum int64
	for _, l := range p.Lines {
		sum += l.Cents
	}
	return sum
}

// Build returns the chosen build.
func (p Price) Build() Build {
	for _, b := range p.Builds {
		if b.Chosen {
			return b
		}
	}
	return Build{}
}

// ShippingByID returns the shipping option of that id.
func (p Price) ShippingByID(id string) (Shipping, bool) {
	for _, s := range p.Shipping {
		if s.ID == id {
			return s, true
		}
	}
	return Shipping{}, false
}

// Live reports whether the price may still be used at t.
func (p Price) Live(t time.Time) bool { return t.Before(p.ValidUntil) }
