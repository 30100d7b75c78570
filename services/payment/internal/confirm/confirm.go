// Package confirm decides about codes that customers are mailed: what a code is
// for, whether it may still be tried, and what verifying it gives the right to.
// It asks nobody; the handlers around it do.
package confirm

import (
	"crypto/subtle"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/quotes"
)

// A Code is a new code, less the digits.
type Code struct{ Nonce, Hash string }

// A Recipient is whom a code goes to; empty for whoever is no customer.
type Recipient struct {
	Email    string
	Language string // of the e-mail, as pkg/language has it
	Charge   *confirmations.Charge
}

// Request is the state with a new code, which replaces an earlier one.
func Request(data confirmations.SendCodeData, about, account string, code Code, to Recipient, at time.Time) confirmations.Confirmation {
	return confirmations.Confirmation{
		ID: data.Confirmation, Purpose: data.Purpose, About: about, Account: account,
		Nonce: code.Nonce, Hash: code.Hash, RequestedAt: at.UTC(), Email: to.Email, Charge: to.Charge, Language: to.Language,
	}
}

// Try is the state with one try more, counted before it is looked at. A
// refusal says that there is nothing to try.
func Try(c confirmations.Confirmation, nonce string, at time.Time) (confirmations.Confirmation, error) {
	switch {
	case c.ID == "", c.Nonce != nonce, !c.Live(at):
		return c, RefuseExpired()
	case c.Tries >= confirmations.CodeTries:
		return c, refuseLocked(c, at)
	}
	c.Tries++
	return c, nil
}

// Verify is the state once the code was entered, or why it is not.
func Verify(c confirmations.Confirmation, data confirmations.VerifyCodeData, at time.Time) (confirmations.Confirmation, error) {
	right := subtle.ConstantTimeCompare([]byte(c.Hash), []byte(data.Hash)) == 1
	switch {
	case c.Nonce != data.Nonce, !c.Live(at):
		return c, RefuseExpired()
	case !right, !c.IsKnown():
		return c, incorrect(c, at)
	}
	at = at.UTC()
	c.VerifiedAt, c.Key = &at, data.Key
	return c, nil
}

// Holds refuses a code whose quote has since got another price or delivery: the
// customer was mailed what would be charged, and where it goes.
func Holds(c confirmations.Confirmation, q quotes.Quote) error {
	same := c.Charge == nil || q.Version == c.Charge.Version && q.AcknowledgementHash() == c.Charge.Acknowledgement && q.Delivery != nil && q.Delivery.ShipTo == c.Charge.ShipTo &&
		q.Reply.TotalCents != nil && *q.Reply.TotalCents == c.Charge.Cents
	if same {
		return nil
	}
	return contract.Refuse(contract.Conflict, "The price or the delivery has changed since this code was sent. Ask for a new one.")
}

// Use is the state once a command carries out what was confirmed. Only one may.
func Use(c confirmations.Confirmation, nonce, command string, at time.Time) (confirmations.Confirmation, error) {
	switch {
	case c.Nonce != nonce || c.VerifiedAt == nil || c.Charge == nil:
		return c, RefuseExpired()
	case c.Used != "" && c.Used != command:
		return c, contract.Refuse(contract.CodeExpired, "This confirmation was used already. Ask for a new code.")
	case c.Used == "" && !at.Before(c.VerifiedAt.Add(confirmations.CodeTTL)):
		return c, RefuseExpired()
	}
	c.Used = command
	return c, nil
}

// RefuseExpired refuses a code whose time is over, or that another one replaced.
func RefuseExpired() *contract.Refusal {
	return contract.Refuse(contract.CodeExpired, "This code is no longer valid. Ask for a new one.")
}

func incorrect(c confirmations.Confirmation, at time.Time) *contract.Refusal {
	left := confirmations.CodeTries - c.Tries
	if left <= 0 {
		return refuseLocked(c, at)
	}
	r := contract.Refuse(contract.CodeIncorrect, "This is not the code that was sent. Read it again from the newest mail; it has six digits.")
	r.AttemptsLeft = &left
	return r
}

func refuseLocked(c confirmations.Confirmation, at time.Time) *contract.Refusal {
	none := 0
	r := contract.Refuse(contract.CodeLocked, "The code was entered wrongly too often and is no longer valid. Ask for a new one.")
	r.AttemptsLeft = &none
	r.RetryAfterS = max(int(c.RequestedAt.Add(time.Minute).Sub(at)/time.Second), 1)
	return r
}
