package checkouts

import (
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/customers"
)

// Commands of the payment service for customers who come back.
var (
	PaySaved = contract.CommandName{Service: "payment", Verb: "pay-saved"} // charge the saved card of whoever entered the code
)

// PaySavedData asks to charge what was confirmed.
type PaySavedData struct {
	Quote string `json:"quote"` // ref
	Nonce string `json:"nonce"`
}

// SavedPayment is the charge of a saved card, as an attempt of a checkout, and
// the record of who approved it.
type SavedPayment struct {
	Nonce      string            `json:"nonce"` // of the code that confirmed it
	Card       customers.CardRef `json:"card"`
	Key        string            `json:"key"` // id of the API key that passed the code on
	VerifiedAt time.Time         `json:"verified_at"`
	Intent     string            `json:"intent,omitempty"`
	Outcome    SavedOutcome      `json:"outcome,omitempty"` // empty: not known
	Reason     string            `json:"reason,omitempty"`  // the bank's word
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
