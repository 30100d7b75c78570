// Package due decides which letters an event calls for. Each letter has an id
// that is the same whenever and however often the event is seen, so that it is
// sent once.
package due

import (
	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/formal"
	letterscontract "boardorder/pkg/contract/letters"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
)

// changed are the events of orders that can call for letters.
var changed = map[contract.EventName]bool{
	orders.EventPaid: true, orders.EventShipped: true, orders.EventHeld: true, orders.EventProgressed: true, orders.EventInProduction: true,
	orders.EventCancelled: true, orders.EventRefunded: true, orders.EventRefundFailed: true, orders.EventDisputed: true,
}

// Letters says which letters an event calls for.
func Letters(e contract.Event) ([]letterscontract.SendData, error) {
	switch e.Aggregate {
	case contract.OrderAggregate:
		if !changed[e.Name] {
			return nil, nil
		}
		o, err := state[orders.Order](e)
		return orderLetters(e, o), err
	case contract.QuoteAggregate:
		return quoteLetters(e)
	case contract.ConfirmationAggregate:
		if e.Name != confirmations.EventRequested {
			return nil, nil
		}
		c, err := state[confirmations.Confirmation](e)
		return confirmationLetters(e, c), err
	case contract.CentralAggregate:
		return centralLetters(e)
	case contract.CheckoutAggregate:
		if e.Name != checkouts.EventDoubled {
			return nil, nil
		}
		c, err := state[checkouts.Checkout](e)
		return checkoutLetters(e, c), err
	case contract.UploadAggregate:
		if e.Name != uploads.EventClosedTo {
			return nil, nil
		}
		u, err := state[uploads.Upload](e)
		return uploadLetters(e, u), err
	}
	return nil, nil
}

func state[S any](e contract.Event) (S, error) {
	now, err := aggregate.Decode[S](e)
	return now.State, err
}

func letter(kind letterscontract.Kind, about string, parts ...string) []letterscontract.SendData {
	id := contract.DeriveID(append([]string{"letter", string(kind), about}, parts...)...)
	return []letterscontract.SendData{{Letter: kind, About: about, ID: id}}
}

func orderLetters(e contract.Event, o orders.Order) []letterscontract.SendData {
	switch e.Name {
	case orders.EventPaid: // one receipt, also when the order was held and goes on
		return letter(letterscontract.Receipt, e.AggregateID)
	case orders.EventShipped: // another number is worth another letter
		number := ""
		if o.Tracking != nil {
			number = o.Tracking.Number
		}
		return letter(letterscontract.Shipped, e.AggregateID, number)
	case orders.EventHeld:
		if o.ByHand { // it goes on as such orders do: only the team has to do something
			return letter(letterscontract.OrderHeld, e.AggregateID, e.ID)
		}
		return append(letter(letterscontract.OrderHeld, e.AggregateID, e.ID), letter(letterscontract.OnHold, e.AggregateID, e.ID)...)
	case orders.EventProgressed, orders.EventInProduction:
		if o.Waiting != "" { // once for each question
			return letter(letterscontract.OrderWaiting, e.AggregateID, o.Waiting)
		}
	case orders.EventCancelled:
		return letter(letterscontract.Cancelled, e.AggregateID)
	case orders.EventRefunded, orders.EventRefundFailed, orders.EventDisputed:
		return moneyLetters(e, o)
	}
	return nil
}

// moneyLetters are the letters about a payment that went back, or may have to.
func moneyLetters(e contract.Event, o orders.Order) []letterscontract.SendData {
	letters := refundLetters(e, o)
	if e.Name != orders.EventRefunded || o.Held != "" {
		letters = append(letters, letter(letterscontract.OrderMoney, e.AggregateID, e.ID)...)
	}
	if e.Name == orders.EventDisputed && o.Held != "" && o.Dispute != nil { // once for each dispute
		letters = append(letters, letter(letterscontract.OnHold, e.AggregateID, o.Dispute.ID)...)
	}
	return letters
}

// refundLetters are the letters about the refunds so far, one for each; that of a
// cancelled order is in the letter about that.
func refundLetters(e contract.Event, o orders.Order) []letterscontract.SendData {
	var letters []letterscontract.SendData
	for _, r := range o.Refunds {
		given := r.Status == orders.RefundDone || r.Status == orders.RefundPending
		if !given || o.Cancelled != nil && o.Cancelled.Refund == r.ID {
			continue
		}
		l := letter(letterscontract.GivenBack, e.AggregateID, r.ID)
		l[0].Item = r.ID
		letters = append(letters, l...)
	}
	return letters
}

func quoteLetters(e contract.Event) ([]letterscontract.SendData, error) {
	switch e.Name {
	case quotes.EventReviewRequested:
		return letter(letterscontract.ReviewRequest, e.AggregateID), nil
	case quotes.EventReviewPriced: // each price of the team's
		return letter(letterscontract.ReviewPriced, e.AggregateID, e.ID), nil
	case quotes.EventReviewRefused:
		return letter(letterscontract.ReviewRefused, e.AggregateID), nil
	case quotes.EventReviewQuestion, quotes.EventReviewAnswered:
		q, err := state[quotes.Quote](e)
		return conversationLetters(e, q), err
	}
	return nil, nil
}

// FollowsState tells whether the letters about an event follow from its aggregate's
// state, which events of quotes and uploads come without.
func FollowsState(e contract.Event) bool {
	return e.Aggregate == contract.QuoteAggregate && (e.Name == quotes.EventReviewQuestion || e.Name == quotes.EventReviewAnswered) ||
		e.Aggregate == contract.UploadAggregate && e.Name == uploads.EventClosedTo
}

// uploadLetters are the letters to whose files others declared, one for each account that
// did.
func uploadLetters(e contract.Event, u uploads.Upload) []letterscontract.SendData {
	var letters []letterscontract.SendData
	for _, by := range u.DeclaredBy {
		l := letter(letterscontract.Declared, e.AggregateID, by)
		l[0].Item = by
		letters = append(letters, l...)
	}
	return letters
}

// conversationLetters are the letters about the questions so far, or the answers: the
// state may be a later one than the event's. Each letter has one id for ever, so
// those that went before do not go again.
func conversationLetters(e contract.Event, q quotes.Quote) []letterscontract.SendData {
	if q.Review == nil {
		return nil
	}
	kind := letterscontract.ReviewQuestion
	if e.Name == quotes.EventReviewAnswered {
		kind = letterscontract.ReviewAnswered
	}
	var letters []letterscontract.SendData
	for _, asked := range q.Review.Questions {
		if kind == letterscontract.ReviewAnswered && asked.AnsweredAt == nil {
			continue
		}
		l := letter(kind, e.AggregateID, asked.ID)
		l[0].Item = asked.ID
		letters = append(letters, l...)
	}
	return letters
}

// confirmationLetters is the letter with a code; none for who is no customer.
func confirmationLetters(e contract.Event, c confirmations.Confirmation) []letterscontract.SendData {
	if !c.IsKnown() {
		return nil
	}
	l := letter(letterscontract.Code, e.AggregateID, c.Nonce)
	l[0].Item = c.Nonce
	return l
}

func checkoutLetters(e contract.Event, c checkouts.Checkout) []letterscontract.SendData {
	if len(c.Refunds) == 0 {
		return nil
	}
	return letter(letterscontract.Refunded, e.AggregateID, c.Refunds[len(c.Refunds)-1].Intent)
}

// centralLetters are the letters about a formal order.
func centralLetters(e contract.Event) ([]letterscontract.SendData, error) {
	switch e.Name {
	case formal.EventSubmitted, formal.EventAccepted:
		return letter(letterscontract.FormalTeam, e.AggregateID, string(e.Name)), nil
	case formal.EventQuoted: // each quote
		o, err := state[formal.Order](e)
		if err != nil || o.Quote == nil {
			return nil, err
		}
		l := letter(letterscontract.FormalQuote, e.AggregateID, o.Quote.Number)
		l[0].Item = o.Quote.Number
		return l, nil
	case formal.EventShipped:
		return letter(letterscontract.FormalParcel, e.AggregateID), nil
	}
	return nil, nil
}
