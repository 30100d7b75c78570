package checkout

import (
	"regexp"
	"slices"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/customers"
)

// A Receipt is a payment that the processor says has succeeded.
type Receipt struct {
	Quote    string // ref, as we named it to the processor
	Session  string
	Intent   string
	Cents    int64
	Returned int64 // given back so far
	Currency string
	Email    string
	Card     customers.CardRef
	Keep     bool   // the card may be charged again
	Nonce    string // of the code that confirmed it
}

var quoteRef = regexp.MustCompile(`^[a-z2-7]{32}$`)

// IsOurs reports whether a reference at the processor can be one that we gave it;
// other programs may use the same account.
func IsOurs(reference string) bool { return quoteRef.MatchString(reference) }

// SessionReceipt is the receipt of a session that was paid.
func SessionReceipt(s card.Session) Receipt {
	return Receipt{
		Quote: s.Reference, Session: s.ID, Intent: s.PaymentIntent, Cents: s.AmountTotal, Returned: s.RefundedCents,
		Currency: s.Currency, Email: s.CustomerEmail, Card: cardOf(s.CustomerID, s.Card), Keep: s.CardSaved,
	}
}

// PaymentReceipt is the receipt of a payment that succeeded.
func PaymentReceipt(p card.Payment) Receipt {
	return Receipt{
		Quote: Reference(p), Intent: p.ID, Cents: p.ReceivedCents, Returned: p.RefundedCents, Currency: p.Currency,
		Card: cardOf(p.CustomerID, p.Card), Keep: p.CardSaved, Nonce: p.Metadata[nonceName],
	}
}

// Reference is what we called a payment, or empty.
func Reference(p card.Payment) string { return p.Metadata["reference"] }

// A Judgement is what a receipt means for a checkout.
type Judgement int

// The judgements.
const (
	Accept Judgement = iota + 1 // the first payment: it counts
	Known                       // that very payment counts already
	Double                      // another payment counts, or none can: give this one back
	Done                        // it was given back
)

func (j Judgement) String() string {
	return [...]string{"none", "accept", "known", "double", "done"}[j]
}

// Judge says what a receipt means. One quote is paid once, whatever pages were
// open; the first payment that is found is the one.
func Judge(c checkouts.Checkout, r Receipt) Judgement {
	switch {
	case slices.ContainsFunc(c.Refunds, func(f checkouts.Refund) bool { return f.Intent == r.Intent }):
		return Done
	case c.Payment == nil && c.Withdrawn:
		return Double
	case c.Payment == nil:
		return Accept
	case c.Payment.Intent == r.Intent:
		return Known
	default:
		return Double
	}
}

// MarkPaid is the checkout with the payment that counts.
func MarkPaid(c checkouts.Checkout, r Receipt, at time.Time) checkouts.Checkout {
	c.Quote, c.Status, c.SessionURL = r.Quote, checkouts.Paid, ""
	c.Payment = &checkouts.Payment{
		Session: r.Session, Intent: r.Intent, Cents: r.Cents, Currency: r.Currency, Email: r.Email, Returned: r.Returned, At: at.UTC(),
		Keep: r.Keep && c.SaveDetails, Nonce: r.Nonce,
	}
	if r.Card.Method != "" {
		used := r.Card
		c.Payment.Card = &used
	}
	return c
}

// AddRefund is the checkout with a payment that was given back.
func AddRefund(c checkouts.Checkout, r Receipt, at time.Time) checkouts.Checkout {
	why := "a second payment for the same quote"
	if c.Payment == nil {
		why = "the quote was withdrawn"
	}
	c.Refunds = append(slices.Clone(c.Refunds), checkouts.Refund{Intent: r.Intent, Cents: r.Cents, Why: why, At: at.UTC()})
	return c
}
