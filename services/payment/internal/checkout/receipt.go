package checkout

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/prices"
)

// A Receipt is a payment that the processor says has succeeded.
type Receipt struct {
	Quote    string // ref, as we named it to the processor
	Session  string
	Attempt  string // its number, as we named it to the processor
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
		Quote: s.Reference, Session: s.ID, Attempt: s.Metadata["attempt"], Intent: s.PaymentIntent, Cents: s.AmountTotal, Returned: s.RefundedCents,
		Currency: s.Currency, Email: s.CustomerEmail, Card: cardOf(s.CustomerID, s.Card), Keep: s.CardSaved,
	}
}

// PaymentReceipt is the receipt of a payment that succeeded.
func PaymentReceipt(p card.Payment) Receipt {
	return Receipt{
		Quote: Reference(p), Attempt: p.Metadata["attempt"], Intent: p.ID, Cents: p.ReceivedCents, Returned: p.RefundedCents, Currency: p.Currency,
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

// MarkPaid is the checkout with the payment that counts, as it stood on the page that was paid.
func MarkPaid(c checkouts.Checkout, r Receipt, at time.Time) checkouts.Checkout {
	if page, ok := PageOfSession(c, r.Session, r.Attempt); ok {
		c = Promote(c, page.Attempt)
	}
	c.Others = nil
	c.Quote, c.Status, c.SessionURL = r.Quote, checkouts.Paid, ""
	c.Payment = &checkouts.Payment{
		Session: r.Session, Intent: r.Intent, Cents: r.Cents, Currency: r.Currency, Email: r.Email, Returned: r.Returned, At: at.UTC(),
		Keep: r.Keep && c.SaveDetails, Nonce: r.Nonce,
	}
	if r.pays(c.Charge) {
		c.Payment.Cents, c.Payment.Currency, c.Payment.Charged = c.TotalCents, c.Currency, c.Charge
		if r.Returned > 0 {
			c.Payment.Returned = c.Charge.CentsOf(r.Returned, c.TotalCents)
		}
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
	back := checkouts.Refund{Intent: r.Intent, Cents: r.Cents, Why: why, At: at.UTC()}
	if c.Currency != "" && !strings.EqualFold(r.Currency, c.Currency) {
		charged := prices.NewCharged(r.Currency, r.Cents)
		back.Charged = &charged
	}
	c.Refunds = append(slices.Clone(c.Refunds), back)
	return c
}

// AddDecline is the checkout with a card that the bank refused at the processor's page; unchanged
// if that is known.
func AddDecline(c checkouts.Checkout, f card.Failure) (next checkouts.Checkout, changed bool) {
	if c.Withdrawn || slices.ContainsFunc(c.Declines, func(d checkouts.Decline) bool { return d.Charge == f.Charge }) {
		return c, false
	}
	d := checkouts.Decline{Charge: f.Charge, Reason: f.Reason, At: f.At}
	if f.Card.Last4 != "" {
		d.Card = checkouts.CardWords(f.Card.Brand, f.Card.Last4)
	}
	c.Declines = append(slices.Clone(c.Declines), d)
	c.Declines = c.Declines[max(0, len(c.Declines)-checkouts.MaxDeclines):]
	return c, true
}

// pays reports whether a payment is just what was agreed in another currency.
func (r Receipt) pays(agreed *prices.Charge) bool {
	return agreed != nil && r.Cents == agreed.Minor && strings.EqualFold(r.Currency, agreed.Currency)
}
