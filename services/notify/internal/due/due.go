// Package due decides which letters an event calls for. Each letter has an id
// that is the same whenever and however often the event is seen, so that it is
// sent once.
package due

import (
	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
)

// changed are the events of orders that can call for letters.
var changed = map[contract.EventName]bool{
	contract.OrderPaid: true, contract.OrderShipped: true, contract.OrderHeld: true, contract.OrderProgressed: true, contract.OrderInProduction: true,
	contract.OrderCancelled: true, contract.OrderRefunded: true, contract.OrderRefundFailed: true, contract.OrderDisputed: true,
}

// Letters says which letters an event calls for.
func Letters(e contract.Event) ([]contract.SendLetterData, error) {
	switch e.Aggregate {
	case contract.OrderAggregate:
		if !changed[e.Name] {
			return nil, nil
		}
		o, err := state[contract.Order](e)
		return orderLetters(e, o), err
	case contract.QuoteAggregate:
		return quoteLetters(e)
	case contract.ConfirmationAggregate:
		if e.Name != contract.CodeRequested {
			return nil, nil
		}
		c, err := state[contract.Confirmation](e)
		return confirmationLetters(e, c), err
	case contract.CentralAggregate:
		return centralLetters(e)
	case contract.CheckoutAggregate:
		if e.Name != contract.CheckoutDoubled {
			return nil, nil
		}
		c, err := state[contract.Checkout](e)
		return checkoutLetters(e, c), err
	case contract.UploadAggregate:
		if e.Name != contract.UploadClosedTo {
			return nil, nil
		}
		u, err := state[contract.Upload](e)
		return uploadLetters(e, u), err
	}
	return nil, nil
}

func state[S any](e contract.Event) (S, error) {
	now, err := aggregate.Decode[S](e)
	return now.State, err
}

func letter(kind contract.LetterKind, about string, parts ...string) []contract.SendLetterData {
	id := contract.DeriveID(append([]string{"letter", string(kind), about}, parts...)...)
	return []contract.SendLetterData{{Letter: kind, About: about, ID: id}}
}

func orderLetters(e contract.Event, o contract.Order) []contract.SendLetterData {
	switch e.Name {
	case contract.OrderPaid: // one receipt, also when the order was held and goes on
		return letter(contract.LetterReceipt, e.AggregateID)
	case contract.OrderShipped: // another number is worth another letter
		number := ""
		if o.Tracking != nil {
			number = o.Tracking.Number
		}
		return letter(contract.LetterShipped, e.AggregateID, number)
	case contract.OrderHeld:
		if o.ByHand { // it goes on as such orders do: only the team has to do something
			return letter(contract.LetterOrderHeld, e.AggregateID, e.ID)
		}
		return append(letter(contract.LetterOrderHeld, e.AggregateID, e.ID), letter(contract.LetterOnHold, e.AggregateID, e.ID)...)
	case contract.OrderProgressed, contract.OrderInProduction:
		if o.Waiting != "" { // once for each question
			return letter(contract.LetterOrderWaiting, e.AggregateID, o.Waiting)
		}
	case contract.OrderCancelled:
		return letter(contract.LetterCancelled, e.AggregateID)
	case contract.OrderRefunded, contract.OrderRefundFailed, contract.OrderDisputed:
		return moneyLetters(e, o)
	}
	return nil
}

// moneyLetters are the letters about a payment that went back, or may have to.
func moneyLetters(e contract.Event, o contract.Order) []contract.SendLetterData {
	letters := refundLetters(e, o)
	if e.Name != contract.OrderRefunded || o.Held != "" {
		letters = append(letters, letter(contract.LetterOrderMoney, e.AggregateID, e.ID)...)
	}
	if e.Name == contract.OrderDisputed && o.Held != "" && o.Dispute != nil { // once for each dispute
		letters = append(letters, letter(contract.LetterOnHold, e.AggregateID, o.Dispute.ID)...)
	}
	return letters
}

// refundLetters are the letters about the refunds so far, one for each; that of a
// cancelled order is in the letter about that.
func refundLetters(e contract.Event, o contract.Order) []contract.SendLetterData {
	var letters []contract.SendLetterData
	for _, r := range o.Refunds {
		given := r.Status == contract.RefundDone || r.Status == contract.RefundPending
		if !given || o.Cancelled != nil && o.Cancelled.Refund == r.ID {
			continue
		}
		l := letter(contract.LetterGivenBack, e.AggregateID, r.ID)
		l[0].Item = r.ID
		letters = append(letters, l...)
	}
	return letters
}

func quoteLetters(e contract.Event) ([]contract.SendLetterData, error) {
	switch e.Name {
	case contract.QuoteReviewRequested:
		return letter(contract.LetterReviewRequest, e.AggregateID), nil
	case contract.QuoteReviewPriced: // each price of the team's
		return letter(contract.LetterReviewPriced, e.AggregateID, e.ID), nil
	case contract.QuoteReviewRefused:
		return letter(contract.LetterReviewRefused, e.AggregateID), nil
	case contract.QuoteReviewQuestion, contract.QuoteReviewAnswered:
		q, err := state[contract.Quote](e)
		return conversationLetters(e, q), err
	}
	return nil, nil
}

// FollowsState tells whether the letters about an event follow from its aggregate's
// state, which events of quotes and uploads come without.
func FollowsState(e contract.Event) bool {
	return e.Aggregate == contract.QuoteAggregate && (e.Name == contract.QuoteReviewQuestion || e.Name == contract.QuoteReviewAnswered) ||
		e.Aggregate == contract.UploadAggregate && e.Name == contract.UploadClosedTo
}

// uploadLetters are the letters to whose files others declared, one for each account that
// did.
func uploadLetters(e contract.Event, u contract.Upload) []contract.SendLetterData {
	var letters []contract.SendLetterData
	for _, by := range u.DeclaredBy {
		l := letter(contract.LetterDeclared, e.AggregateID, by)
		l[0].Item = by
		letters = append(letters, l...)
	}
	return letters
}

// conversationLetters are the letters about the questions so far, or the answers: the
// state may be a later one than the event's. Each letter has one id for ever, so
// those that went before do not go again.
func conversationLetters(e contract.Event, q contract.Quote) []contract.SendLetterData {
	if q.Review == nil {
		return nil
	}
	kind := contract.LetterReviewQuestion
	if e.Name == contract.QuoteReviewAnswered {
		kind = contract.LetterReviewAnswered
	}
	var letters []contract.SendLetterData
	for _, asked := range q.Review.Questions {
		if kind == contract.LetterReviewAnswered && asked.AnsweredAt == nil {
			continue
		}
		l := letter(kind, e.AggregateID, asked.ID)
		l[0].Item = asked.ID
		letters = append(letters, l...)
	}
	return letters
}

// confirmationLetters is the letter with a code; none for who is no customer.
func confirmationLetters(e contract.Event, c contract.Confirmation) []contract.SendLetterData {
	if !c.IsKnown() {
		return nil
	}
	l := letter(contract.LetterCode, e.AggregateID, c.Nonce)
	l[0].Item = c.Nonce
	return l
}

func checkoutLetters(e contract.Event, c contract.Checkout) []contract.SendLetterData {
	if len(c.Refunds) == 0 {
		return nil
	}
	return letter(contract.LetterRefunded, e.AggregateID, c.Refunds[len(c.Refunds)-1].Intent)
}

// centralLetters are the letters about a formal order.
func centralLetters(e contract.Event) ([]contract.SendLetterData, error) {
	switch e.Name {
	case contract.CentralSubmitted, contract.CentralAccepted:
		return letter(contract.LetterCentralTeam, e.AggregateID, string(e.Name)), nil
	case contract.CentralQuoted: // each quote
		o, err := state[contract.CentralOrder](e)
		if err != nil || o.Quote == nil {
			return nil, err
		}
		l := letter(contract.LetterCentralQuote, e.AggregateID, o.Quote.Number)
		l[0].Item = o.Quote.Number
		return l, nil
	case contract.CentralShipped:
		return letter(contract.LetterCentralParcel, e.AggregateID), nil
	}
	return nil, nil
}
