package timeline

import (
	"strings"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/console/internal/format"
)

// sentences say what events were. One that has none is shown by its name.
var sentences = map[Kind]string{
	{contract.UploadAggregate, uploads.EventCreated}:      "An upload was begun",
	{contract.UploadAggregate, uploads.EventFilesAdded}:   "Files arrived",
	{contract.UploadAggregate, uploads.EventExpired}:      "The upload’s time was over, and its files were deleted",
	{contract.UploadAggregate, uploads.EventITARDeclared}: "The design was declared export-controlled (ITAR)",
	{contract.UploadAggregate, uploads.EventDoubted}:      "Another account declared the same files export-controlled (ITAR)",
	{contract.UploadAggregate, uploads.EventClosedTo}:     "The files were closed to an account that declared them export-controlled (ITAR)",

	{contract.BoardAggregate, boards.EventRead}:       "The board was read from the files",
	{contract.BoardAggregate, boards.EventCompleted}:  "Pictures and packages of the board were made",
	{contract.BoardAggregate, boards.EventIncomplete}: "Pictures and packages of the board could not be made",
	{contract.BoardAggregate, boards.EventDrawn}:      "The layers were drawn",
	{contract.BoardAggregate, boards.EventNeeded}:     "The files are kept for longer",
	{contract.BoardAggregate, boards.EventChecked}:    "A design check was begun",
	{contract.BoardAggregate, boards.EventAnswered}:   "The files were read again with the customer’s answers",
	{contract.BoardAggregate, boards.EventForgotten}:  "The files are to be deleted",

	{contract.QuoteRequestAggregate, quotes.EventWaiting}: "Pricing waited for a supplier",

	{contract.QuoteAggregate, quotes.EventPriced}:          "The quote was priced",
	{contract.QuoteAggregate, quotes.EventReviewNeeded}:    "It needs a price by the team",
	{contract.QuoteAggregate, quotes.EventReviewRequested}: "The customer asked the team for a price",
	{contract.QuoteAggregate, quotes.EventReviewPriced}:    "The team set a price",
	{contract.QuoteAggregate, quotes.EventDeliveryChosen}:  "The customer chose a delivery",
	{contract.QuoteAggregate, quotes.EventPartPicked}:      "The team chose a part",
	{contract.QuoteAggregate, quotes.EventStockLow}:        "Parts have become scarce",
	{contract.QuoteAggregate, quotes.EventPriceMoved}:      "Parts cost more or less now; the quote's price holds",
	{contract.QuoteAggregate, quotes.EventWatched}:         "Suppliers were asked about the parts again",
	{contract.QuoteAggregate, quotes.EventApprovalAsked}:   "The customer is asked to approve alternative parts",
	{contract.QuoteAggregate, quotes.EventPartsApproved}:   "The customer approved alternative parts",
	{contract.QuoteAggregate, quotes.EventPartsDeclined}:   "The customer declined alternative parts",
	{contract.QuoteAggregate, quotes.EventReviewQuestion}:  "The team asked the customer",
	{contract.QuoteAggregate, quotes.EventReviewAnswered}:  "The customer answered",
	{contract.QuoteAggregate, quotes.EventReviewRefused}:   "The team refused the review",
	{contract.QuoteAggregate, contract.RequestRefused}:     "What was asked for was refused",

	{contract.CheckoutAggregate, checkouts.EventBegun}:    "The customer began to pay",
	{contract.CheckoutAggregate, checkouts.EventOpened}:   "The payment page was opened",
	{contract.CheckoutAggregate, checkouts.EventPaid}:     "The card processor confirmed the payment",
	{contract.CheckoutAggregate, checkouts.EventClosed}:   "The payment page was closed without a payment",
	{contract.CheckoutAggregate, checkouts.EventPending}:  "The bank decides later about the saved card",
	{contract.CheckoutAggregate, checkouts.EventDoubled}:  "A second payment came and was given back",
	{contract.CheckoutAggregate, checkouts.EventDeclined}: "A card was declined at the card processor’s page",
	{contract.CheckoutAggregate, contract.RequestRefused}: "The wish to pay was refused",

	{contract.OrderAggregate, orders.EventPaid}:         "The order goes on",
	{contract.OrderAggregate, orders.EventScreened}:     "The recipient was looked up on sanctions lists",
	{contract.OrderAggregate, orders.EventPlacing}:      "The fabricator is asked to build it",
	{contract.OrderAggregate, orders.EventPostponed}:    "The fabricator could not be asked, and is asked again",
	{contract.OrderAggregate, orders.EventPlaced}:       "The order was placed with the fabricator",
	{contract.OrderAggregate, orders.EventHeld}:         "The order was held for the team",
	{contract.OrderAggregate, orders.EventInProduction}: "The fabricator builds it",
	{contract.OrderAggregate, orders.EventProgressed}:   "The fabricator reported progress",
	{contract.OrderAggregate, orders.EventShipped}:      "The boards are on their way",
	{contract.OrderAggregate, orders.EventInvoiced}:     "An invoice or a credit note was written",
	{contract.OrderAggregate, orders.EventRefundBegun}:  "A refund was begun",
	{contract.OrderAggregate, orders.EventRefunded}:     "The card processor has a refund",
	{contract.OrderAggregate, orders.EventRefundFailed}: "A refund failed",
	{contract.OrderAggregate, orders.EventCancelled}:    "The order was cancelled",
	{contract.OrderAggregate, orders.EventDisputed}:     "The dispute of the payment has moved on",
	{contract.OrderAggregate, contract.RequestRefused}:  "What an operator wanted was refused",

	{contract.CaseAggregate, cases.EventTaken}:             "An operator took the case",
	{contract.CaseAggregate, cases.EventReleased}:          "The case was left to the others",
	{contract.CaseAggregate, cases.EventApprovalRequested}: "An operator asked for a second one’s approval",
	{contract.CaseAggregate, cases.EventApprovalGranted}:   "A second operator approved",
	{contract.CaseAggregate, cases.EventApprovalDeclined}:  "A request for approval was declined",
	{contract.CaseAggregate, cases.EventNoted}:             "An operator wrote a note",
}

// Tell says in a sentence what each event of a history was, oldest first; with amounts where
// the order that came of it has them, nil for none.
func Tell(all []Moment, o *orders.Order) {
	seen := map[contract.EventName]int{} // of the order
	for i := range all {
		m := &all[i]
		m.Sentence = sentences[Kind{m.Aggregate, m.Headline.Event.Name}]
		if m.Letter != nil || m.Aggregate != contract.OrderAggregate || o == nil {
			continue
		}
		first := len(seen) == 0
		if more := tellOrder(*o, m.Headline.Event.Name, first, seen[m.Headline.Event.Name]); more != "" {
			m.Sentence = more
		}
		seen[m.Headline.Event.Name]++
	}
}

// tellOrder says what the nth event of a name was to an order; "" where the order says no more
// than the name.
func tellOrder(o orders.Order, name contract.EventName, first bool, n int) string {
	switch {
	case first && name == orders.EventPaid:
		return payment(o)
	case first && name == orders.EventHeld:
		return payment(o) + "; the order was held for the team"
	case name == orders.EventPlaced && n == 0 && o.Fabricator.Number != "":
		return untrusted.Line("The order was placed with "+o.Fabricator.Name+" as "+o.Fabricator.Number, 150)
	case name == orders.EventShipped && n == 0 && o.Tracking != nil:
		return untrusted.Line("The boards are on their way: "+o.Tracking.Carrier+" "+o.Tracking.Number, 150)
	case name == orders.EventInvoiced && n < len(o.Invoices):
		return documents[o.Invoices[n].Kind]
	case name == orders.EventCancelled && o.Cancelled != nil:
		return "The order was cancelled by " + operatorName(o.Cancelled.Operator)
	case name == orders.EventDisputed && n == 0 && o.Dispute != nil:
		return "The customer’s bank disputed the payment"
	case name == orders.EventRefundBegun:
		if r := refundsBegun(o); n < len(r) {
			return "A refund of " + amount(r[n]) + " was begun by " + operatorName(r[n].Operator)
		}
	case (name == orders.EventRefunded || name == orders.EventRefundFailed) && len(o.Refunds) == 1:
		if name == orders.EventRefundFailed {
			return "The refund of " + amount(o.Refunds[0]) + " failed"
		}
		return "The card processor has the refund of " + amount(o.Refunds[0])
	}
	return ""
}

// documents say what documents of an order were.
var documents = map[invoices.Kind]string{
	invoices.OrderInvoice: "The invoice was written", invoices.CreditNote: "A credit note was written", invoices.Reversal: "A credit note was taken back, since its refund failed",
}

func payment(o orders.Order) string {
	words := format.Money(o.Payment.Cents, o.Payment.Currency)
	if o.Payment.Charged != nil {
		words = o.Payment.Charged.Words() + ", for " + words + ","
	}
	words = "The customer paid " + words + " by card"
	if card := o.Payment.CardWords(); card != "" {
		words += ", " + untrusted.Line(card, 60)
	}
	return words
}

func amount(r orders.Refund) string {
	words := format.Money(r.Cents, "USD")
	if r.Charged != nil {
		return r.Charged.Words() + ", for " + words + ","
	}
	return words
}

// refundsBegun are the refunds that have an event of their own: that of a cancelled order is in its
// cancellation, and what was given back at the processor was not begun here.
func refundsBegun(o orders.Order) (out []orders.Refund) {
	for _, r := range o.Refunds {
		if r.Operator != "" && (o.Cancelled == nil || o.Cancelled.Refund != r.ID) {
			out = append(out, r)
		}
	}
	return out
}

func operatorName(operator string) string {
	if operator == "customer" {
		return "the customer"
	}
	return strings.TrimSpace(untrusted.Line(operator, 80))
}
