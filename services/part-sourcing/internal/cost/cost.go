// Package cost finds the cheapest way to buy enough of a part: over suppliers,
// packagings, minimums, multiples and price breaks, buying more than is needed
// where that costs less.
package cost

import (
	"cmp"
	"slices"

	"boardorder/services/part-sourcing/internal/part"
)

// A Purchase is one way to buy.
type Purchase struct {
	Offer    part.Offer
	Quantity int64
	Unit     part.Price
	Cents    int64 // all of it, with the fee of the order line
}

// A Rejection is an offer that was not taken.
type Rejection struct {
	Source, Supplier, SKU, Packaging string
	Quantity                         int64 // that would have been bought; 0 where it cannot be
	Cents                            int64
	Why                              string // one of the Why codes
}

// Why an offer was not taken.
const (
	WhyExpensive    = "more_expensive"
	WhyStock        = "not_enough_stock"
	WhyNoPrice      = "no_price"
	WhyUnauthorized = "not_authorized"
)

// A Choice is the purchase that costs least, and what became of the others.
type Choice struct {
	Purchase
	Spare    int64 // pieces bought beyond the need
	Rejected []Rejection
}

// Choose finds the cheapest purchase of at least need pieces from stock; ok is false
// where no offer has them. What an offer costs elsewhere counts in choosing and is
// no part of the cost. Of equal ones the source that comes first in the list
// wins, then the smaller purchase, then the order of the offers.
func Choose(offers []part.Offer, need int64) (c Choice, ok bool) {
	rank := map[string]int{}
	for _, o := range offers {
		if _, known := rank[o.Source]; !known {
			rank[o.Source] = len(rank)
		}
	}
	var bought []Purchase
	for _, o := range offers {
		p, why := cheapest(o, need)
		if why != "" {
			c.Rejected = append(c.Rejected, Rejection{Source: o.Source, Supplier: o.Supplier, SKU: o.SKU, Packaging: o.Packaging, Why: why})
			continue
		}
		bought = append(bought, p)
	}
	if len(bought) == 0 {
		return c, false
	}
	slices.SortStableFunc(bought, func(a, b Purchase) int {
		return cmp.Or(cmp.Compare(a.Cents+a.Offer.Handling, b.Cents+b.Offer.Handling), cmp.Compare(rank[a.Offer.Source], rank[b.Offer.Source]), cmp.Compare(a.Quantity, b.Quantity))
	})
	c.Purchase, c.Spare = bought[0], bought[0].Quantity-need
	for _, p := range bought[1:] {
		c.Rejected = append(c.Rejected, Rejection{p.Offer.Source, p.Offer.Supplier, p.Offer.SKU, p.Offer.Packaging, p.Quantity, p.Cents, WhyExpensive})
	}
	return c, true
}

// cheapest finds the best quantity of one offer. Within a price break more pieces
// cost more, so only the need and the beginnings of breaks can be best.
func cheapest(o part.Offer, need int64) (best Purchase, why string) {
	switch {
	case !o.Authorized:
		return best, WhyUnauthorized
	case len(o.Breaks) == 0:
		return best, WhyNoPrice
	}
	why = WhyStock
	try := func(from int64) {
		n, ok := orderable(o, max(from, need))
		if !ok || n > o.Stock {
			return
		}
		unit, ok := unitAt(o.Breaks, n)
		if !ok {
			why = WhyNoPrice
			return
		}
		cents, ok := unit.Times(n)
		if ok && (best.Quantity == 0 || cents+o.Fee < best.Cents) {
			best = Purchase{Offer: o, Quantity: n, Unit: unit, Cents: cents + o.Fee}
		}
	}
	try(need)
	for _, b := range o.Breaks {
		if b.Quantity > need {
			try(b.Quantity)
		}
	}
	if best.Quantity > 0 {
		why = ""
	}
	return best, why
}

// maxQuantity is beyond what anybody buys.
const maxQuantity = 1 << 40

// orderable rounds up to what can be ordered: a multiple, and the minimum at
// least.
func orderable(o part.Offer, n int64) (int64, bool) {
	n = max(n, o.Minimum, 1)
	m := max(o.Multiple, 1)
	if n > maxQuantity || m > maxQuantity {
		return 0, false
	}
	return (n + m - 1) / m * m, true
}

// unitAt is the price of the last break that n reaches.
func unitAt(breaks []part.Break, n int64) (part.Price, bool) {
	unit, ok := part.Price(0), false
	for _, b := range breaks {
		if n >= b.Quantity {
			unit, ok = b.Price, true
		}
	}
	return unit, ok
}
