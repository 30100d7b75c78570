package payment

import (
	"context"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/services/payment/internal/testline"

	"go.uber.org/zap"
)

// A side is who takes the money and who builds the boards: the real ones for live,
// and for what test keys made the processor's test mode and nobody.
type side struct {
	test    bool
	cards   card.Processor
	fab     Fabricator
	adapter string        // the fabricator's name, for the record
	poll    time.Duration // between looks at an order; 0: growing, as configured
}

// testPoll lets a test order be shipped within a minute.
const testPoll = 5 * time.Second

func sides(p Ports, now func() time.Time) (live, test side) {
	live = side{cards: p.Cards, fab: p.Fabricator, adapter: p.Adapter}
	test = side{test: true, cards: p.TestCards, fab: testline.New(now), adapter: testline.Name, poll: testPoll}
	if test.cards == nil {
		test.cards = noCards{}
	}
	return live, test
}

// sideOf is the side of an owner's checkouts and orders. It follows from what is
// stored: no payment of test mode can ever count for a live checkout.
func (s *Service) sideOf(owner string) side {
	if contract.IsTest(owner) {
		return s.test
	}
	return s.live
}

// sideOfQuote is the side of a quote that is or was paid. Without a checkout of that
// name it is live.
func (s *Service) sideOfQuote(ctx context.Context, quote string) (side, error) {
	if quote == "" {
		return s.live, nil
	}
	now, err := s.checkout(ctx, quote)
	return s.sideOf(now.State.Account), err
}

// payment looks a payment up, on the quote's side or, where that is not known, in
// live first.
func (s *Service) payment(ctx context.Context, quote, intent string) (p card.Payment, on side, err error) {
	if quote != "" {
		if on, err = s.sideOfQuote(ctx, quote); err != nil {
			return p, on, err
		}
		p, err = on.cards.Payment(ctx, intent)
		return p, on, err
	}
	p, err = s.live.cards.Payment(ctx, intent)
	if card.KindOf(err) != card.Refused {
		return p, s.live, err
	}
	p, err = s.test.cards.Payment(ctx, intent)
	return p, s.test, err
}

// sides are those whose processor's books are compared with ours.
func (s *Service) sides() []side {
	if _, none := s.test.cards.(noCards); none {
		return []side{s.live}
	}
	return []side{s.live, s.test}
}

// isOtherSide reports whether a checkout is not this side's, and says so: its payment
// is not believed.
func (s *Service) isOtherSide(on side, quote, owner string) bool {
	if contract.IsTest(owner) == on.test {
		return false
	}
	s.log.Error("a payment of the other mode names a checkout", zap.String("quote", quote), zap.Bool("test", on.test))
	return true
}

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
