package saga

import (
	"context"
	"io"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/fabricator"
	"boardorder/services/payment/internal/testline"

	"go.uber.org/zap"
)

// A Fabricator builds boards. It has no idempotency key: what Place did is
// found out with FindOrder.
type Fabricator interface {
	Upload(ctx context.Context, name string, zip io.Reader) (fileKey string, err error)
	Place(ctx context.Context, r fabricator.PlaceRequest) (fabricator.Placed, error)
	FindOrder(ctx context.Context, reference string) (fabricator.Placed, error)
	Progress(ctx context.Context, p fabricator.Placed) (fabricator.Progress, error)
}

// A Mode is who takes the money and who builds the boards: the real ones for live,
// and for what test keys made the processor's test mode and nobody.
type Mode struct {
	Test        bool
	Cards       card.Processor
	Fabricators fabricator.List[Fabricator]
	Poll        time.Duration // between looks at an order; 0: growing, as configured
}

// testPoll lets a test order be shipped within a minute.
const testPoll = 5 * time.Second

// TestMode is the mode of what test keys made. Without cards its payments are refused.
func TestMode(cards card.Processor, now func() time.Time) Mode {
	if cards == nil {
		cards = noCards{}
	}
	return Mode{Test: true, Cards: cards, Fabricators: fabricator.List[Fabricator]{{Name: fabricator.Test, Adapter: testline.New(now)}}, Poll: testPoll}
}

// ModeOf is the mode of an owner's checkouts and orders. It follows from what is
// stored: no payment of test mode can ever count for a live checkout.
func (s *Env) ModeOf(owner string) Mode {
	if contract.IsTest(owner) {
		return s.Test
	}
	return s.Live
}

// Builder is the fabricator that builds an order: the one that it was sold for and no other;
// nil where the configuration has it no more.
func (s *Env) Builder(o orders.Order) Fabricator {
	return s.ModeOf(o.Account).fabricator(o.Fabricator.Name)
}

// HasBuilder reports whether a quote's fabricator can be ordered from, if it names one.
func (s *Env) HasBuilder(q quotes.Quote) bool {
	return q.Terms == nil || s.ModeOf(q.Account).fabricator(q.Terms.Fabricator) != nil
}

// fabricator is the one of a name; nil if there is none.
func (m Mode) fabricator(name string) Fabricator {
	f, _ := m.Fabricators.Find(name)
	return f.Adapter
}

// ModeOfQuote is the mode of a quote that is or was paid. Without a checkout of that
// name it is live.
func (s *Env) ModeOfQuote(ctx context.Context, quote string) (Mode, error) {
	if quote == "" {
		return s.Live, nil
	}
	now, err := s.Checkout(quote).Load(ctx)
	return s.ModeOf(now.State.Account), err
}

// Modes are those that have a card processor.
func (s *Env) Modes() []Mode {
	if _, none := s.Test.Cards.(noCards); none {
		return []Mode{s.Live}
	}
	return []Mode{s.Live, s.Test}
}

// IsOtherMode reports whether a checkout is of another mode than a payment of it, and
// logs it: such a payment is not believed.
func (s *Env) IsOtherMode(on Mode, quote, owner string) bool {
	if contract.IsTest(owner) == on.Test {
		return false
	}
	s.Log.Error("a payment of the other mode names a checkout", zap.String("quote", quote), zap.Bool("test", on.Test))
	return true
}
