// Package order decides how a paid order gets built: what to ask the
// fabricator, what its answers mean, and when people have to look. It asks
// nobody; the handlers around it do.
package order

import (
	"fmt"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/fabricator"
)

// New makes the order of a paid checkout. One whose payment is not what was
// agreed is held from the start: the money is there, but people decide.
func New(c checkouts.Checkout) (orders.Order, contract.EventName) {
	o := orders.Order{
		ID: contract.IDFrom(contract.OrderPrefix, c.Payment.At, "order", c.Quote), Ref: Ref(c.Quote), Quote: c.Quote,
		Account: c.Account, Request: c.Request, Status: orders.Paid, Quantity: c.Quantity, Board: c.Board,
		Delivery: c.Delivery, Digest: c.Digest, Package: c.Package, Sold: c.Sold, Terms: c.Terms, Payment: *c.Payment, ShipTo: c.ShipTo, Language: c.Language, ShippingID: c.ShippingID,
		BuildHours: c.BuildHours, Lines: c.Lines, TotalCents: c.TotalCents, Currency: c.Currency, PaidAt: c.Payment.At,
		Acknowledged: c.Acknowledged,
	}
	switch {
	case contract.IsTest(c.Account):
		o.Fabricator.Name = fabricator.Test
	case c.Terms != nil:
		o.Fabricator.Name = c.Terms.Fabricator
	}
	if why := odd(c); why != "" {
		return Hold(o, why), orders.EventHeld
	}
	return o, orders.EventPaid
}

func odd(c checkouts.Checkout) string {
	p := *c.Payment
	switch {
	case c.Attempt == 0:
		return "a payment came for a quote that is not known here"
	case p.Cents != c.TotalCents || !strings.EqualFold(p.Currency, c.Currency):
		return fmt.Sprintf("%d %s were paid, %d %s were agreed", p.Cents, p.Currency, c.TotalCents, c.Currency)
	case p.Returned > 0:
		return fmt.Sprintf("%d of the %d cents that were paid had been refunded", p.Returned, p.Cents)
	}
	return ""
}

// Ref is what people call an order.
func Ref(quote string) string { return quotes.CustomerRef(quote) }

// Hold is the order when the operator's team has to look.
func Hold(o orders.Order, why string) orders.Order {
	o.Status, o.Held, o.Waiting, o.ByHand, o.Postponed = orders.Held, why, "", false, nil
	return o
}

// HoldByHand is the order that waits for the team to place it: nothing is wrong with it.
func HoldByHand(o orders.Order, why string) orders.Order {
	o = Hold(o, why)
	o.ByHand = true
	return o
}

// rank is how far an order has come; it never goes back by itself.
func rank(s orders.Status) int {
	switch s {
	case orders.Paid:
		return 1
	case orders.Placing:
		return 2
	case orders.Placed:
		return 3
	case orders.InProduction:
		return 4
	case orders.Shipped:
		return 5
	}
	return 0
}
