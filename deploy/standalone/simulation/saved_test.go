package simulation

import (
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/quotes"
)

// paySaved has a customer do the next steps of paying with saved details: ask for
// a code, enter it, pay; or give up in between.
func (w *world) paySaved() {
	quotes := slices.DeleteFunc(slices.Clone(w.views.quotes()), func(q quotes.Quote) bool { return q.Delivery == nil })
	if len(quotes) == 0 {
		return
	}
	q := pick(w, quotes)
	for range 1 + w.Rand().IntN(5) {
		w.stepOfSaved(q.Ref)
		w.pass(time.Minute)
	}
}

// stepOfSaved does what comes next for a quote, by what is committed.
func (w *world) stepOfSaved(quote string) {
	id := confirmations.ID(confirmations.ForPayment, quote)
	c, err := state[confirmations.Confirmation](w, contract.ConfirmationAggregate, id)
	switch {
	case err != nil:
		panic(err)
	case c.VerifiedAt != nil && w.Now().Before(c.VerifiedAt.Add(confirmations.CodeTTL)):
		w.payConfirmed(quote, c.Nonce)
	case c.Live(w.Now()):
		hash := c.Hash
		if w.Chance(20) {
			hash = "wrong"
		}
		w.ask(confirmations.VerifyCode, confirmations.VerifyCodeData{Confirmation: id, Nonce: c.Nonce, Hash: hash, Key: "key"})
	default:
		w.ask(confirmations.SendCode, confirmations.SendCodeData{Confirmation: id, Purpose: confirmations.ForPayment, Quote: quote})
	}
}

// payConfirmed is what the edge sends: one command for one confirmation, however
// often it is called.
func (w *world) payConfirmed(quote, nonce string) {
	request := contract.RequestPrefix + nonce
	for range 1 + w.Rand().IntN(3) {
		w.repeat(request, checkouts.PaySaved, checkouts.PaySavedData{Quote: quote, Nonce: nonce})
	}
}
