// Package card is the port to the card processor: what it is asked for and what
// it answers, in plain values. Package stripe fulfils it; stripe/webhook checks
// that a notice is the processor's. Card numbers never come this way; customers
// type them on the processor's own page.
package card

import (
	"context"
	"time"
)

// A Processor takes money by card. Every method is safe for concurrent use,
// and every error it returns is an *Error.
//
// Calls that change something carry an idempotency key. Asked again with the
// same key and the same request, the processor answers as it did the first
// time; with the same key and another request it refuses (CodeKeyReused). So a
// key has to name one intention, and a request has to be made only from what
// was stored with that intention, never from the clock.
type Processor interface {
	// CreateCheckout opens a hosted checkout page.
	CreateCheckout(ctx context.Context, r CheckoutRequest) (Session, error)

	// Session asks how a checkout stands. It is the only thing to believe
	// about a payment: neither the customer's return nor a webhook is proof.
	Session(ctx context.Context, id string) (Session, error)

	// ExpireSession closes an open checkout, so that it cannot be paid any
	// more. For one that is closed already it returns how it ended.
	ExpireSession(ctx context.Context, id string) (Session, error)

	// ChargeSaved takes money from a saved card while the customer is not at
	// the processor's page. A bank's no is a result, not an error. After an
	// error of kind Unknown the money may have been taken: ask again with the
	// same key, or look it up with Payments, but never with another key.
	ChargeSaved(ctx context.Context, r SavedCharge) (ChargeResult, error)

	// CancelPayment ends a payment that did not succeed, so that it cannot
	// succeed later. For one that is cancelled already it returns it.
	CancelPayment(ctx context.Context, id string) (Payment, error)

	// ForgetCustomer has the processor delete a customer with all saved cards. One
	// that it does not know is no error.
	ForgetCustomer(ctx context.Context, id string) error

	// Refund gives back cents of a payment.
	Refund(ctx context.Context, r RefundRequest) (Refund, error)

	// Refunds returns the refunds of a payment, or all made since a time, oldest
	// first, whoever made them.
	Refunds(ctx context.Context, l Lookup) ([]Refund, error)

	// Disputes returns the disputes of a payment, or all opened since a time,
	// oldest first.
	Disputes(ctx context.Context, l Lookup) ([]Dispute, error)

	// Payment asks how one payment stands.
	Payment(ctx context.Context, id string) (Payment, error)

	// Payments returns every payment begun since then, oldest first, for
	// reconciliation with the processor's ledger.
	Payments(ctx context.Context, since time.Time) ([]Payment, error)
}

// A Line is one line of what the customer pays. It may be negative.
type Line struct {
	Label string
	Cents int64
}

// A CheckoutRequest says what a hosted checkout is for.
type CheckoutRequest struct {
	Reference      string            // what we call it, at most 200 characters, not secret: comes back in webhooks and in Metadata["reference"]
	Metadata       map[string]string // kept with the checkout and with its payment
	Description    string            // one line for the customer
	Lines          []Line            // add up to what is charged, at least 50 cents
	Currency       string            // ISO 4217, any case
	CustomerID     string            // a customer that the processor knows, or empty
	CustomerEmail  string            // for a new customer
	SuccessURL     string            // may contain {CHECKOUT_SESSION_ID}
	CancelURL      string
	ExpiresAt      time.Time // 30 minutes to 24 hours from the first call; zero: the processor's own limit
	SaveCard       bool      // the customer has agreed to later charges without being there
	Language       string    // of the page, as pkg/language has it; empty: the browser's
	IdempotencyKey string
}

// Total is what the lines add up to, in cents.
func (r CheckoutRequest) Total() int64 {
	sum := int64(0)
	for _, l := range r.Lines {
		sum += l.Cents
	}
	return sum
}

// A SessionStatus is how far a checkout is.
type SessionStatus string

// The states of a checkout.
const (
	SessionOpen     SessionStatus = "open"
	SessionComplete SessionStatus = "complete"
	SessionExpired  SessionStatus = "expired"
)

// A Session is a hosted checkout as the processor describes it.
type Session struct {
	ID            string
	URL           string // where the customer pays; empty unless open
	Status        SessionStatus
	Paid          bool   // the money is here
	AmountTotal   int64  // cents
	Currency      string // ISO 4217, upper case
	PaymentIntent string // the payment, once the customer has tried to pay
	CustomerID    string
	CustomerEmail string // as typed at the processor's page
	CustomerName  string
	Reference     string
	Metadata      map[string]string
	ExpiresAt     time.Time
	Card          Saved // the card that paid
	CardSaved     bool  // Card may be charged again with ChargeSaved
	RefundedCents int64
	Failure       *Failure // the last try to pay, where the bank refused it
}

// A Failure is a try to pay that the bank refused.
type Failure struct {
	Charge string // the processor's id of the try
	Reason string // the bank's word, such as insufficient_funds
	Card   Saved
	At     time.Time
}

// A Saved is a card at the processor, by reference.
type Saved struct {
	MethodID string
	Brand    string
	Last4    string
	ExpMonth int
	ExpYear  int
}

// A SavedCharge asks to take money from a saved card.
type SavedCharge struct {
	Reference      string // as in a CheckoutRequest
	Cents          int64
	Currency       string
	CustomerID     string
	MethodID       string
	Description    string
	ReceiptEmail   string // the processor mails its own receipt there; may be empty
	Metadata       map[string]string
	IdempotencyKey string
}

// An Outcome is how a charge of a saved card ended.
type Outcome string

// The outcomes of a charge.
const (
	Succeeded              Outcome = "succeeded"
	Processing             Outcome = "processing"              // the bank will say later: ask with Payment
	Declined               Outcome = "declined"                // nothing was taken
	AuthenticationRequired Outcome = "authentication_required" // nothing was taken: the bank wants its customer at a checkout
	OutcomeUnknown         Outcome = "unknown"                 // comes with an error of kind Unknown
)

// A ChargeResult is what came of a SavedCharge.
type ChargeResult struct {
	Outcome       Outcome
	PaymentIntent string
	Code          string // why it was declined, such as expired_card
	DeclineCode   string // the bank's reason, such as insufficient_funds
	Card          Saved
}

// A PaymentStatus is how far a payment is.
type PaymentStatus string

// The states of a payment that matter here; every other one is PaymentOpen.
const (
	PaymentOpen       PaymentStatus = "open" // not paid, and could still be
	PaymentProcessing PaymentStatus = "processing"
	PaymentSucceeded  PaymentStatus = "succeeded"
	PaymentCanceled   PaymentStatus = "canceled"
)

// A Payment is one payment in the processor's ledger.
type Payment struct {
	ID            string
	Status        PaymentStatus
	Cents         int64 // asked for
	ReceivedCents int64
	RefundedCents int64
	Disputed      bool
	Currency      string // ISO 4217, upper case
	CustomerID    string
	Metadata      map[string]string
	CreatedAt     time.Time
	Card          Saved
	CardSaved     bool     // Card may be charged again with ChargeSaved
	Failure       *Failure // the last try, where the bank refused it
}
