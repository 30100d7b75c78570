package pricing

import (
	"slices"

	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/destination"
	"boardorder/services/pricing/internal/offer"
)

// A wayWish is the way of shipping that a customer wants.
type wayWish struct {
	shipments.Way      // ID "" = the usual one, whatever it is
	yields        bool // to one that is offered, and the customer is asked: it was chosen of another number, or for another country
}

// wayWishOf is the way that is wanted at a choice to a place. Whoever was shown the usual way
// of one country has not chosen how boards go to another; one that gave way stays
// wanted until the customer chooses.
func (s *Service) wayWishOf(q *quotes.Quote, data quotes.ChooseDeliveryData, place destination.Place) (wayWish, error) {
	seen := q.ApplyEstimate()
	if d := seen.Delivery; data.ShippingID == "" && d != nil && d.UnofferedWay != nil {
		return wayWish{*d.UnofferedWay, true}, nil
	}
	shown, err := s.loadPricing(&seen)
	if err != nil {
		return wayWish{}, err
	}
	w := wayWish{Way: shipments.Way{ID: data.ShippingID}}
	for _, o := range slices.Concat(seen.Reply.ShippingOptions, q.Reply.ShippingOptions) {
		if o.ID == w.ID {
			w.Name = o.Name()
			break
		}
	}
	n, from := data.Quantity, shown.spec.To.Country
	abroad := place.Country != from || place.Country != s.countryOf(q)
	w.yields = abroad || n != 0 && (n != q.Request.Quantity || n != seen.Request.Quantity)
	if place.Country != from && w.ID == s.tables.UsualWay(shown.basis, from) {
		w = wayWish{}
	}
	return w, nil
}

// countryOf is the country that a quote was priced to.
func (s *Service) countryOf(q *quotes.Quote) string {
	if q.Delivery != nil {
		return q.Delivery.ShipTo.Country
	}
	return q.Assumed
}

// priceWay makes the offer for a choice by the way that is wanted, or by the one of its name.
// Where there is none and it yields, the offer is by the usual way and unoffered is the one
// that was wanted.
func (s *Service) priceWay(b offer.Basis, c offer.Choice, w wayWish) (o offer.Offer, unoffered *shipments.Way, err error) {
	c.ShippingID = w.ID
	if w.yields {
		c.ShippingID = s.tables.FindWay(b, c.Place.Country, w.ID, w.Name)
	}
	if o, err = s.tables.Price(b, c); err != nil || c.ShippingID != "" || w.ID == "" {
		return o, nil, err
	}
	return o, &w.Way, nil
}
