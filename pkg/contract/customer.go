package contract

import "time"

// Commands of the payment service for customers who come back.
var (
	SendCode   = CommandName{"payment", "send-code"}   // mail a customer a code
	VerifyCode = CommandName{"payment", "verify-code"} // a code that somebody entered
	PaySaved   = CommandName{"payment", "pay-saved"}   // charge the saved card of whoever entered the code
)

// Events of the customer aggregate.
const (
	CustomerOpened EventName = "opened" // by a payment
	CustomerSaved  EventName = "saved"  // with consent, card and address are kept
)

// Events of the confirmation aggregate.
const (
	CodeRequested EventName = "requested" // a code is on its way, or would be to a customer of ours
	CodeTried     EventName = "tried"     // counted before it is looked at
	CodeVerified  EventName = "verified"
	CodeUsed      EventName = "used" // what was confirmed is carried out
)

// ConsentWords is the version of the words in which the checkout page asks
// whether card and address may be kept.
const ConsentWords = "2026-11"

// Customer is somebody who paid through an account. Aggregate id = [CustomerRef].
type Customer struct {
	ID       string    `json:"id"`
	Account  string    `json:"account"`
	Email    string    `json:"email"`
	OpenedAt time.Time `json:"opened_at"`
	Saved    *Saved    `json:"saved,omitempty"`
}

// Saved are a customer's details for later orders, and the consent to keep them.
type Saved struct {
	Card   CardRef   `json:"card"`
	ShipTo ShipTo    `json:"ship_to"`
	Quote  string    `json:"quote"` // whose checkout page asked
	Words  string    `json:"words"` // [ConsentWords]
	At     time.Time `json:"at"`
}

// CardRef is a card at the processor, which alone knows its number.
type CardRef struct {
	Customer string `json:"customer"` // the processor's names
	Method   string `json:"method"`
	Brand    string `json:"brand,omitempty"`
	Last4    string `json:"last4,omitempty"`
	ExpMonth int    `json:"exp_month,omitempty"`
	ExpYear  int    `json:"exp_year,omitempty"`
}

// CustomerRef names the customer of an account with an e-mail address, without
// telling it. Customers of two accounts are two, also with one address.
func CustomerRef(account, email string) string {
	if account == "" || email == "" {
		return ""
	}
	return DeriveID("customer", account, PersonRef(email))
}

// CustomerKey lists orders, and quotes that a customer asked our team for, by
// [CustomerRef].
const CustomerKey = "customer"

// Purposes of codes.
const (
	CodeForPayment = "payment" // of a quote with saved details
	CodeForHistory = "history" // a customer's earlier orders
)

// ConfirmationID names the codes for one thing: a quote's ref, or a
// [CustomerRef].
func ConfirmationID(purpose, about string) string { return DeriveID("confirmation", purpose, about) }

// Rules of codes.
const (
	CodeLife  = 10 * time.Minute // of a code, and of what verifying it gives the right to pay
	CodeTries = 5                // of one code
	// HistoryLife is how long earlier orders can be listed after a code.
	HistoryLife = time.Hour
)

// Confirmation is the newest code that was asked for one thing. It is the same
// for an address that is no customer's, less what only a customer has; so
// nobody can tell. Aggregate id = [ConfirmationID].
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
	Charge      *Charge    `json:"charge,omitempty"` // for a payment
}

// Charge is what a customer is asked to confirm: all that the letter says.
type Charge struct {
	Version  int     `json:"version"` // of the quote's price
	Cents    int64   `json:"cents"`
	Currency string  `json:"currency"`
	Quantity int     `json:"quantity"`
	Board    string  `json:"board"`
	ShipTo   ShipTo  `json:"ship_to"`
	Card     CardRef `json:"card"`
	// Seen is the mark of what was found in the design, and Findings what that is:
	// whoever confirms the charge confirms to have seen them.
	Seen     string   `json:"seen,omitempty"`
	Findings []string `json:"findings,omitempty"`
}

// IsKnown reports whether the code went to a customer.
func (c Confirmation) IsKnown() bool { return c.Email != "" }

// Live reports whether the code can still be entered.
func (c Confirmation) Live(at time.Time) bool {
	return c.VerifiedAt == nil && at.Before(c.RequestedAt.Add(CodeLife))
}

// Marks of a customer.
func (c Customer) Marks() Marks { return MarksFrom(PersonMark(c.Email)) }

// Marks of a confirmation: whom the code went to.
func (c Confirmation) Marks() Marks {
	marks := MarksFrom(PersonMark(c.Email))
	if c.Charge != nil {
		marks = marks.Union(MarksFrom(PersonMark(c.Charge.ShipTo.Email)))
	}
	return marks
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

// PaySavedData asks to charge what was confirmed.
type PaySavedData struct {
	Quote string `json:"quote"` // ref
	Nonce string `json:"nonce"`
}

// SavedPayment is the charge of a saved card, as an attempt of a checkout, and
// the record of who approved it.
type SavedPayment struct {
	Nonce      string       `json:"nonce"` // of the code that confirmed it
	Card       CardRef      `json:"card"`
	Key        string       `json:"key"` // id of the API key that passed the code on
	VerifiedAt time.Time    `json:"verified_at"`
	Intent     string       `json:"intent,omitempty"`
	Outcome    SavedOutcome `json:"outcome,omitempty"` // empty: not known
	Reason     string       `json:"reason,omitempty"`  // the bank's word
}

// SavedOutcome is how a charge of a saved card stands.
type SavedOutcome string

// The outcomes of a charge.
const (
	SavedProcessing     SavedOutcome = "processing"
	SavedDeclined       SavedOutcome = "declined"
	SavedAuthentication SavedOutcome = "authentication_required"
	SavedNotCharged     SavedOutcome = "not_charged" // it never reached the processor
)
