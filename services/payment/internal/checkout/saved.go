package checkout

import (
	"fmt"
	"strconv"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/quotes"
)

const (
	// ChargeRepeats is how long a charge whose outcome is not known is asked for
	// again with its key, which the processor remembers for longer. It ends while
	// the customer may still be waiting.
	ChargeRepeats = 15 * time.Minute
	// ChargeLost is how long after that no request can be under way any more:
	// what the processor does not list then was never charged.
	ChargeLost = 5 * time.Minute
)

// nonceName is where the processor keeps what the customer confirmed.
const nonceName = "confirmation"

func cardOf(customer string, c card.Saved) customers.CardRef {
	return customers.CardRef{Customer: customer, Method: c.MethodID, Brand: c.Brand, Last4: c.Last4, ExpMonth: c.ExpMonth, ExpYear: c.ExpYear}
}

// ChargeOf is what a customer is asked to confirm for a quote that is payable.
func ChargeOf(q quotes.Quote, with customers.CardRef) confirmations.Charge {
	var found []string
	for _, f := range q.FindingsToAcknowledge() {
		found = append(found, f.Sentence())
	}
	return confirmations.Charge{
		Acknowledgement: q.AcknowledgementHash(), Findings: found, Version: q.Version, Cents: *q.Reply.TotalCents, Currency: words(q.Reply.Currency, "USD"), Quantity: q.Reply.Quantity,
		Board: words(q.Reply.Board, "Printed circuit boards"), ShipTo: q.Delivery.ShipTo, Card: with,
	}
}

// ChargeRequest is what the processor is asked for an attempt with a saved card:
// made of what was written down and nothing else.
func ChargeRequest(c checkouts.Checkout) card.SavedCharge {
	return card.SavedCharge{
		Reference: c.Quote, Cents: c.TotalCents, Currency: c.Currency, CustomerID: c.Saved.Card.Customer, MethodID: c.Saved.Card.Method,
		Description: fmt.Sprintf("%d × %s", c.Quantity, c.Board),
		Metadata: map[string]string{
			"quote": c.Quote, "price_version": strconv.Itoa(c.PriceVersion), "attempt": strconv.Itoa(c.Attempt), "account": c.Account,
			nonceName: c.Saved.Nonce,
		},
		IdempotencyKey: fmt.Sprintf("saved:%s:%d:%d", c.Quote, c.PriceVersion, c.Attempt),
	}
}

// ChargeReceipt is the receipt of a saved card's charge that succeeded.
func ChargeReceipt(c checkouts.Checkout, intent string) Receipt {
	return Receipt{
		Quote: c.Quote, Intent: intent, Cents: c.TotalCents, Currency: c.Currency, Email: c.ShipTo.Email,
		Card: c.Saved.Card, Nonce: c.Saved.Nonce,
	}
}

// TestScenario is how the charge of an attempt that a test key made shall end, if its
// quote says so.
func TestScenario(c checkouts.Checkout) quotes.TestScenario {
	switch word := quotes.TestScenarioOf(c.Account, c.Sold.Request); word {
	case quotes.TestDeclined, quotes.TestAuthentication:
		return word
	}
	return ""
}

// TestOutcome is the outcome of a charge that a test scenario asks for.
func TestOutcome(word quotes.TestScenario) (outcome checkouts.SavedOutcome, reason string) {
	if word == quotes.TestAuthentication {
		return checkouts.SavedAuthentication, string(card.AuthenticationRequired)
	}
	return checkouts.SavedDeclined, "generic_decline"
}

// Pays reports whether a payment at the processor is this attempt's.
func Pays(c checkouts.Checkout, p card.Payment) bool {
	return Reference(p) == c.Quote && p.Metadata["attempt"] == strconv.Itoa(c.Attempt) && p.Metadata[nonceName] == c.Saved.Nonce
}

// RecordCharge is the attempt with how its charge stands; one that took nothing is closed.
func RecordCharge(c checkouts.Checkout, outcome checkouts.SavedOutcome, intent, reason string) checkouts.Checkout {
	saved := *c.Saved
	saved.Outcome, saved.Reason = outcome, reason
	if intent != "" {
		saved.Intent = intent
	}
	c.Saved = &saved
	if outcome != checkouts.SavedProcessing {
		c.Status = checkouts.Closed
	}
	return c
}

// OutcomeOf is what a charge's result means for its attempt.
func OutcomeOf(r card.ChargeResult) (outcome checkouts.SavedOutcome, reason string) {
	reason = r.DeclineCode
	if reason == "" {
		reason = r.Code
	}
	switch r.Outcome {
	case card.Processing:
		return checkouts.SavedProcessing, ""
	case card.AuthenticationRequired:
		return checkouts.SavedAuthentication, reason
	}
	return checkouts.SavedDeclined, reason
}

// RefuseUnpaid refuses a payment by an attempt whose charge took nothing.
func RefuseUnpaid(s checkouts.SavedPayment) *contract.Refusal {
	switch s.Outcome {
	case checkouts.SavedAuthentication:
		return contract.Refuse(contract.AuthenticationNeeded, "The customer's bank asks the customer to confirm the payment. Nothing was charged; the customer can pay at checkout_url.")
	case checkouts.SavedNotCharged:
		return contract.Refuse(contract.PaymentDeclined, "The payment did not reach the card processor. Nothing was charged; the customer can pay at checkout_url.")
	}
	r := contract.Refuse(contract.PaymentDeclined, "%s Nothing was charged; the customer can pay at checkout_url with this or another card.", declineWords(s.Reason))
	return r
}

// declineWords says why a card was declined, as far as a customer may know: a
// card that is suspected is only declined.
func declineWords(reason string) string {
	switch reason {
	case "insufficient_funds":
		return "The card was declined: it has not enough funds."
	case "expired_card":
		return "The card was declined: it has expired."
	case "card_velocity_exceeded":
		return "The card was declined: it was used too often for now."
	case "gone":
		return "The saved card cannot be used any more."
	}
	return "The card was declined."
}

// Unknown refuses to say how a charge ended while nobody knows.
func Unknown() *contract.Refusal {
	r := contract.Refuse(contract.PaymentUnknown, "Whether the card was charged is not known yet. Please do not pay again: it is being found out, and GET /v1/quotes/{quote_id} tells.")
	r.RetryAfterS = 30
	return r
}
