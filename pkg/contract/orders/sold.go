package orders

import (
	"time"

	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/wording"
	"boardorder/pkg/money"
)

// StatusOf is where a quote stands, from what is recorded of it and the clock.
// It only goes forward: a payment page that was closed leaves it awaiting
// payment, and what was paid never expires.
func StatusOf(q quotes.Quote, paying *checkouts.Checkout, order *Order, now time.Time) quotes.Status {
	switch {
	case order != nil && order.Status == Shipped:
		return quotes.Shipped
	case order != nil && order.Status == InProduction:
		return quotes.InProduction
	case order != nil, paying != nil && paying.Status == checkouts.Paid:
		return quotes.Ordered
	case q.IsExpired(now):
		return quotes.Expired
	case paying != nil:
		return quotes.AwaitingPayment
	}
	return q.Status
}

// QuoteAsSold gives the quote as it was sold, once it was, otherwise the quote: what was
// paid is what counts, and the quote itself goes when its time is over.
func QuoteAsSold(q *quotes.Quote, paying *checkouts.Checkout, order *Order) *quotes.Quote {
	switch {
	case order != nil && order.Sold.Ref != "":
		return &order.Sold
	case paying != nil && paying.Sold.Ref != "" && (q == nil || paying.Status == checkouts.Paid):
		return &paying.Sold
	}
	return q
}

// ChoiceAfterPayment says what was chosen of the order's quote, as it is now, after the payment
// began, and is not ordered: how many boards for how much. Of the same choice it is "".
func (o Order) ChoiceAfterPayment(now quotes.Quote) string {
	if o.Sold.Ref == "" || now.Version <= o.Sold.Version || now.Reply.TotalCents == nil || now.Delivery == nil {
		return ""
	}
	d := *now.Delivery
	if now.Reply.Quantity == o.Quantity && d.ShipTo == o.ShipTo && d.ShippingID == o.ShippingID && d.BuildHours == o.BuildHours {
		return ""
	}
	return wording.Count(now.Reply.Quantity, "board") + " for " + money.Dollars(*now.Reply.TotalCents)
}
