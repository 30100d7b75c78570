package pricing

import (
	"context"

	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/trace"
	"boardorder/services/pricing/internal/offer"

	"go.uber.org/zap"
)

// A Fabricator builds boards at a price.
type Fabricator = fabricator.Entry[Pricer]

// A Pricer prices boards. What it does not build, or not at a price of its own, is an error
// of package fabricator.
type Pricer interface {
	Price(ctx context.Context, s fabricator.Spec) (fabricator.Price, error)
}

// builder is the fabricator that an instant quote is of; false where it is none of ours any
// more. A quote that was stored before quotes named anybody is the primary one's.
func (s *Service) builder(q quotes.Quote) (Fabricator, bool) {
	if q.Terms == nil {
		return Fabricator{}, false
	}
	return s.fabricatorsOf(q.Account).Find(q.Terms.Fabricator)
}

// chooseFabricator gives the price of the first fabricator that has one for an owner's boards.
// Boards that are assembled are the primary one's alone, whose library the parts are of, and
// so are those with a stackup of its stock. Where nobody has a price, the primary one's word
// counts.
func (s *Service) chooseFabricator(ctx context.Context, owner string, assembled bool, b offer.Basis, spec fabricator.Spec) (pricing, error) {
	fabs := s.fabricatorsOf(owner)
	if assembled || spec.Stackup != "" {
		fabs = fabs[:1]
	}
	first, err := s.ask(ctx, fabs[0], b, spec)
	for _, f := range fabs[1:] {
		if err == nil || ctx.Err() != nil || fabricator.KindOf(err) == fabricator.Files {
			break // whoever builds it, the files are the same
		}
		s.log.Info("the primary fabricator gives no price for a board: the next one is asked",
			zap.String("fabricator", f.Name), zap.NamedError("why", err), trace.ID(ctx))
		if p, err := s.ask(ctx, f, b, spec); err == nil {
			return p, nil
		}
	}
	return first, err
}

// ask gives a fabricator's price of a board. One that contradicts itself, or that there is no
// rate for, is no price.
func (s *Service) ask(ctx context.Context, f Fabricator, b offer.Basis, spec fabricator.Spec) (pricing, error) {
	price, err := f.Adapter.Price(ctx, spec)
	if err != nil {
		return pricing{}, err
	}
	b.Origin, b.Maker = f.Country, f.Name
	if b, err = s.tables.AddPrice(b, price, spec.To.Country); err != nil {
		return pricing{}, &fabricator.Error{Kind: fabricator.Unavailable, Message: "its price cannot be used", Err: err}
	}
	return pricing{fabricator: f.Name, basis: b, spec: spec, price: price}, nil
}
