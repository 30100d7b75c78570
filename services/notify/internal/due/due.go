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
}

// Letters says which letters an event calls for.
func Letters(e contract.Event) ([]contract.SendLetterData, error) {
	switch e.Aggregate {
	case contract.OrderAggregate:
		if !changed[e.Name] {
			return nil, nil
		}
		o, err := state[contract.Order](e)
		return ofOrder(e, o), err
	case contract.QuoteAggregate:
		return ofQuote(e), nil
	case contract.CheckoutAggregate:
		if e.Name != contract.CheckoutDoubled {
			return nil, nil
		}
		c, err := state[contract.Checkout](e)
		return ofCheckout(e, c), err
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

func ofOrder(e contract.Event, o contract.Order) []contract.SendLetterData {
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
		return letter(contract.LetterOrderHeld, e.AggregateID, e.ID)
	case contract.OrderProgressed, contract.OrderInProduction:
		if o.Waiting != "" { // once for each question
			return letter(contract.LetterOrderWaiting, e.AggregateID, o.Waiting)
		}
	}
	return nil
}

func ofQuote(e contract.Event) []contract.SendLetterData {
	switch e.Name {
	case contract.QuoteReviewRequested:
		return letter(contract.LetterReviewRequest, e.AggregateID)
	case contract.QuoteReviewPriced: // each price of the team's
		return letter(contract.LetterReviewPriced, e.AggregateID, e.ID)
	}
	return nil
}

func ofCheckout(e contract.Event, c contract.Checkout) []contract.SendLetterData {
	if len(c.Refunds) == 0 {
		return nil
	}
	return letter(contract.LetterRefunded, e.AggregateID, c.Refunds[len(c.Refunds)-1].Intent)
}
