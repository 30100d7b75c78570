package fabricator

import (
	"fmt"
	"slices"
	"time"
)

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

// Clone returns a copy that shares nothing with p.
func (p Price) Clone() Price {
	p.Lines = slices.Clone(p.Lines)
	p.Builds = slices.Clone(p.Builds)
	p.Shipping = slices.Clone(p.Shipping)
	return p
}

// Check reports what makes p no price: a total that is not positive, a line
// that is negative, no or two chosen builds, no weight. Whoever receives a
// price from outside checks it before believing it.
func (p Price) Check() error {
	chosen := 0
	for _, b := range p.Builds {
		if b.Chosen {
			chosen++
		}
		if b.Cents < 0 || b.Hours <= 0 {
			return fmt.Errorf("build %q of %d hours costs %d cents", b.Name, b.Hours, b.Cents)
		}
	}
	for _, l := range p.Lines {
		if l.Cents < 0 && l.Code != CodeOffer {
			return fmt.Errorf("line %s is %d cents", l.Code, l.Cents)
		}
	}
	for _, s := range p.Shipping {
		if s.Cents < 0 || s.ID == "" || s.DaysMin < 0 || s.DaysMax < s.DaysMin {
			return fmt.Errorf("shipping %q costs %d cents and takes %d to %d days", s.ID, s.Cents, s.DaysMin, s.DaysMax)
		}
	}
	switch {
	case len(p.Currency) != 3:
		return fmt.Errorf("currency is %q", p.Currency)
	case p.Boards() <= 0:
		return fmt.Errorf("the boards cost %d cents", p.Boards())
	case chosen != 1:
		return fmt.Errorf("%d builds are chosen", chosen)
	case p.Weight <= 0:
		return fmt.Errorf("the boards weigh %d g", p.Weight)
	}
	return nil
}
