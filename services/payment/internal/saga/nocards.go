package saga

import (
	"context"
	"time"

	"boardorder/pkg/card"
)

// noCards is the processor's test mode where none is configured: it refuses.
type noCards struct{}

var errNoTestCards = &card.Error{Kind: card.Refused, Code: "not_configured", Doing: "test payment", Message: "STRIPE_TEST_API_KEY is not set"}

func (noCards) CreateCheckout(context.Context, card.CheckoutRequest) (card.Session, error) {
	return card.Session{}, errNoTestCards
}

func (noCards) Session(context.Context, string) (card.Session, error) {
	return card.Session{}, errNoTestCards
}

func (noCards) ExpireSession(context.Context, string) (card.Session, error) {
	return card.Session{}, errNoTestCards
}

func (noCards) ChargeSaved(context.Context, card.SavedCharge) (card.ChargeResult, error) {
	return card.ChargeResult{}, errNoTestCards
}

func (noCards) CancelPayment(context.Context, string) (card.Payment, error) {
	return card.Payment{}, errNoTestCards
}

func (noCards) ForgetCustomer(context.Context, string) error { return errNoTestCards }

func (noCards) Refund(context.Context, card.RefundRequest) (card.Refund, error) {
	return card.Refund{}, errNoTestCards
}

func (noCards) Refunds(context.Context, card.Lookup) ([]card.Refund, error) {
	return nil, errNoTestCards
}

func (noCards) Disputes(context.Context, card.Lookup) ([]card.Dispute, error) {
	return nil, errNoTestCards
}

func (noCards) Payment(context.Context, string) (card.Payment, error) {
	return card.Payment{}, errNoTestCards
}

func (noCards) Payments(context.Context, time.Time) ([]card.Payment, error) {
	return nil, errNoTestCards
}
