package confirmations

import (
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/shipments"
)

// Commands of the payment service for customers who come back.
var (
	SendCode   = contract.CommandName{Service: "payment", Verb: "send-code"}   // mail a customer a code
	VerifyCode = contract.CommandName{Service: "payment", Verb: "verify-code"} // a code that somebody entered
)

// Events of the confirmation aggregate.
const (
	EventRequested contract.EventName = "requested" // a code is on its way, or would be to a customer of ours
	EventTried     contract.EventName = "tried"     // counted before it is looked at
	EventVerified  contract.EventName = "verified"
	EventUsed      contract.EventName = "used" // what was confirmed is carried out
)

// Events are all of the aggregate.
var Events = []contract.EventName{EventRequested, EventTried, EventVerified, EventUsed}

// Purposes of codes.
const (
	ForPayment = "payment" // of a quote with saved details
	ForHistory = "history" // a customer's earlier orders
)

// ID names the codes for one thing: a quote's ref, or a
// [customers.Ref].
func ID(purpose, about string) string { return contract.DeriveID("confirmation", purpose, about) }

// Rules of codes.
const (
	CodeTTL   = 10 * time.Minute // of a code, and of what verifying it gives the right to pay
	CodeTries = 5                // of one code
	// HistoryTTL is how long earlier orders can be listed after a code.
	HistoryTTL = time.Hour
)

// Confirmation is the newest code that was asked for one thing. It is the same
// for an address that is no customer's, less what only a customer has; so
// nobody can tell. Aggregate id = [ID].
type Confirmation struct {
	ID          string     `json:"id"`
	Purpose     string     `json:"purpose"`
	About       string     `json:"about"`
	Account     string     `json:"account"`
	Nonce       string     `json:"nonce"` // names this code; the code follows from it and the master key
	Hash        string     `json:"hash"`  // keyed, of the code
	Tries       int        `json:"tries,omitempty"`
	RequestedAt time.Time  `json:"requested_at"`
	VerifiedAt  *time.Time `json:"verified_at,omitempty"`
	Used        string     `json:"used,omitempty"` // id of the command that carried it out
	Key         string     `json:"key,omitempty"`  // id of the API key by which it was verified
	Email       string     `json:"email,omitempty"`
	Charge      *Charge    `json:"charge,omitempty"`   // for a payment
	Language    string     `json:"language,omitempty"` // of the e-mail, as pkg/language has it; "" is English
}

// Charge is what a customer is asked to confirm: all that the e-mail says.
type Charge struct {
	Version  int               `json:"version"` // of the quote's price
	Cents    int64             `json:"cents"`
	Currency string            `json:"currency"`
	Quantity int               `json:"quantity"`
	Board    string            `json:"board"`
	ShipTo   shipments.ShipTo  `json:"ship_to"`
	Card     customers.CardRef `json:"card"`
	// Acknowledgement is the AcknowledgementHash of what was found in the design, and Findings what that is:
	// whoever confirms the charge confirms to have seen them.
	Acknowledgement string   `json:"acknowledgement,omitempty"`
	Findings        []string `json:"findings,omitempty"`
}

// IsKnown reports whether the code went to a customer.
func (c Confirmation) IsKnown() bool { return c.Email != "" }

// Live reports whether the code can still be entered.
func (c Confirmation) Live(at time.Time) bool {
	return c.VerifiedAt == nil && at.Before(c.RequestedAt.Add(CodeTTL))
}

// Labels of a confirmation: whom the code went to.
func (c Confirmation) Labels() contract.Labels {
	labels := contract.NewLabels(contract.PersonLabel(c.Email))
	if c.Charge != nil {
		labels = labels.Union(contract.NewLabels(contract.PersonLabel(c.Charge.ShipTo.Email)))
	}
	return labels
}

// SendCodeData asks for a code: about a quote, or about the earlier orders of
// whoever has an e-mail address.
type SendCodeData struct {
	Confirmation string `json:"confirmation"`
	Purpose      string `json:"purpose"`
	Quote        string `json:"quote,omitempty"` // ref
	Email        string `json:"email,omitempty"` // of earlier orders
}

// VerifyCodeData is a code that somebody entered.
type VerifyCodeData struct {
	Confirmation string `json:"confirmation"`
	Hash         string `json:"hash"` // keyed, of the code for the newest nonce that the edge saw: the code itself is in no message
	Nonce        string `json:"nonce"`
	Key          string `json:"key"` // id of the API key
}
