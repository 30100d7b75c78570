package pricing

import (
	"encoding/json"
	"fmt"

	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/dated"
	"boardorder/pkg/destination"
	"boardorder/pkg/fabricator"
	"boardorder/services/pricing/internal/exchange"
	"boardorder/services/pricing/internal/offer"
)

// pricing is how a quote was priced: enough to price every other choice of
// delivery.
type pricing struct {
	fabricator string // that the price is of
	basis      offer.Basis
	spec       fabricator.Spec
	price      fabricator.Price
	notes      []string // those that hold for every choice
}

// A record is what a quote keeps of its pricing. What the quote says anyway, and
// what follows from the rest, is not in it: a quote is written and read often.
type record struct {
	Day        dated.Day        `json:"day"`
	HSCode     string           `json:"hs_code"`
	Origin     string           `json:"origin"`
	Rates      exchange.Rates   `json:"rates"`
	ShippingTo string           `json:"shipping_to"`
	Price      fabricator.Price `json:"price"`
	Notes      []string         `json:"notes,omitempty"`
	Assembly   *offer.Assembly  `json:"assembly,omitempty"`
	// Of a quote that people price, whose terms are theirs.
	Spec  json.RawMessage    `json:"spec,omitempty"`
	Place *destination.Place `json:"place,omitempty"` // that the price is for
}

// savePricing writes the pricing into a quote that it has filled for a choice.
func (p pricing) savePricing(q *quotes.Quote, c offer.Choice) error {
	spec, err := json.Marshal(p.spec)
	if err != nil {
		return fmt.Errorf("encode spec: %w", err)
	}
	q.Terms = &quotes.Terms{Fabricator: p.fabricator, Spec: spec, Shipping: c.ShippingID, Cents: p.fabricatorCents(c), Currency: p.price.Currency}
	stored := record{
		Day: p.basis.Day, HSCode: p.basis.HSCode, Origin: p.basis.Origin, Rates: p.basis.Rates,
		ShippingTo: p.basis.ShippingTo, Price: p.price, Notes: p.notes,
	}
	if p.basis.Assembly.Boards > 0 {
		stored.Assembly = &p.basis.Assembly
	}
	q.Pricing, err = json.Marshal(stored)
	if err != nil {
		return fmt.Errorf("encode pricing: %w", err)
	}
	return nil
}

// loadPricing gives the pricing that a quote keeps.
func (s *Service) loadPricing(q *quotes.Quote) (pricing, error) {
	var stored record
	var p pricing
	if q.Terms == nil || q.Reply.BoardDetails == nil || q.Reply.Board == nil {
		return p, fmt.Errorf("quote %s keeps no pricing", q.Ref)
	}
	if err := json.Unmarshal(q.Terms.Spec, &p.spec); err != nil {
		return p, fmt.Errorf("decode spec of quote %s: %w", q.Ref, err)
	}
	if err := json.Unmarshal(q.Pricing, &stored); err != nil {
		return p, fmt.Errorf("decode pricing of quote %s: %w", q.Ref, err)
	}
	p.fabricator, p.price, p.notes = q.Terms.Fabricator, stored.Price, stored.Notes
	var assembled offer.Assembly
	if stored.Assembly != nil {
		assembled = *stored.Assembly
	}
	basis, err := s.tables.AddPrice(offer.Basis{
		Assembly: assembled, Day: stored.Day, Quantity: q.Request.Quantity, BuildCount: p.spec.Quantity, Board: *q.Reply.BoardDetails,
		BoardWords: *q.Reply.Board, HSCode: stored.HSCode, Origin: stored.Origin, Maker: p.fabricator, Rates: stored.Rates,
	}, stored.Price, stored.ShippingTo)
	if err != nil {
		return p, fmt.Errorf("price kept in quote %s: %w", q.Ref, err)
	}
	p.basis = basis
	return p, nil
}

// fabricatorCents is what the fabricator asked for the boards, the chosen build and the
// chosen way; zero if the way is not one of its own.
func (p pricing) fabricatorCents(c offer.Choice) int64 {
	cents := p.price.Boards() - p.price.Build().Cents
	for _, b := range p.price.Builds {
		if b.Hours == c.BuildHours {
			cents += b.Cents
		}
	}
	for _, w := range p.price.Shipping {
		if w.ID == c.ShippingID {
			return cents + w.Cents
		}
	}
	return 0
}
