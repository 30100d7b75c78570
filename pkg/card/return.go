package card

import "time"

// A RefundRequest asks to give back Cents of a payment.
type RefundRequest struct {
	PaymentIntent  string
	Cents          int64
	Name           string // ours, comes back in the Refund; may be empty
	Reason         string // for our own ledger; kept as metadata
	IdempotencyKey string
}

// A RefundStatus is how far a refund is.
type RefundStatus string

// The states of a refund.
const (
	RefundPending   RefundStatus = "pending"
	RefundSucceeded RefundStatus = "succeeded"
	RefundFailed    RefundStatus = "failed" // the money stayed, or came back
)

// A Refund is money given back.
type Refund struct {
	ID            string
	PaymentIntent string
	Reference     string // what the payment is called; only from Refunds
	Name          string // of the RefundRequest; empty for a refund that others made
	Cents         int64
	Status        RefundStatus
	CreatedAt     time.Time
}

// A DisputeStatus is how a dispute stands, for the money.
type DisputeStatus string

// The states of a dispute.
const (
	DisputeOpen DisputeStatus = "open" // the bank looks; the money may be withheld meanwhile
	DisputeWon  DisputeStatus = "won"  // the money is ours
	DisputeLost DisputeStatus = "lost" // the money went back to the customer
)

// A Dispute is a customer's objection at the bank against a payment.
type Dispute struct {
	ID            string
	PaymentIntent string
	Reference     string // what the payment is called
	Cents         int64
	Status        DisputeStatus
	Reason        string    // the bank's word, such as fraudulent
	RespondBy     time.Time // until when the bank takes evidence; zero: it takes none
	Responded     bool      // evidence has reached the bank
	CreatedAt     time.Time
}

// A Lookup says which refunds or disputes are meant: those of one payment, or,
// without a payment, all since a time.
type Lookup struct {
	PaymentIntent string
	Since         time.Time
}
