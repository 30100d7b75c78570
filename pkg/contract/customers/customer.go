package customers

import (
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/shipments"
)

// Events of the customer aggregate.
const (
	EventOpened contract.EventName = "opened" // by a payment
	EventSaved  contract.EventName = "saved"  // with consent, card and address are kept
)

// Events are all of the aggregate.
var Events = []contract.EventName{EventOpened, EventSaved}

// ConsentWords is the version of the words in which the checkout page asks
// whether card and address may be kept.
const ConsentWords = "2026-11"

// Customer is somebody who paid through an account. Aggregate id = [Ref].
type Customer struct {
	ID       string    `json:"id"`
	Account  string    `json:"account"`
	Email    string    `json:"email"`
	OpenedAt time.Time `json:"opened_at"`
	Saved    *Saved    `json:"saved,omitempty"`
	Language string    `json:"language,omitempty"` // that the customer paid in when that was written, as pkg/language has it; "" is English
}

// Saved are a customer's details for later orders, and the consent to keep them.
type Saved struct {
	Card   CardRef          `json:"card"`
	ShipTo shipments.ShipTo `json:"ship_to"`
	Quote  string           `json:"quote"` // whose checkout page asked
	Words  string           `json:"words"` // [ConsentWords]
	At     time.Time        `json:"at"`
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

// Ref names the customer of an account with an e-mail address, without
// telling it. Customers of two accounts are two, also with one address.
func Ref(account, email string) string {
	if account == "" || email == "" {
		return ""
	}
	return contract.DeriveID("customer", account, contract.PersonRef(email))
}

// Key lists orders, and quotes that a customer asked our team for, by
// [Ref].
const Key = "customer"

// Labels of a customer.
func (c Customer) Labels() contract.Labels { return contract.NewLabels(contract.PersonLabel(c.Email)) }
