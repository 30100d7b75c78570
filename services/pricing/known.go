package pricing

import (
	"context"
	"encoding/json"
	"fmt"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/dated"
	"boardorder/pkg/destination"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/trace"
	"boardorder/services/pricing/internal/assembled"
	"boardorder/services/pricing/internal/offer"
	"boardorder/services/pricing/internal/options"

	"go.uber.org/zap"
)

// keepSpec keeps of a quote that people price what the fabricator can be asked for.
func keepSpec(q *quotes.Quote, b *options.Board) error {
	if b == nil {
		return nil
	}
	spec, err := json.Marshal(b.Spec)
	if err == nil {
		q.Pricing, err = json.Marshal(record{Spec: spec})
	}
	return err
}

// know puts what is known of its price into a quote that people price, for the place
// that it goes to: the fabricator is asked anew. What cannot be found out is left to
// the people, among whom are those who choose another fabricator than the primary one; it
// never keeps a customer from asking.
func (s *Service) know(ctx context.Context, q *quotes.Quote, to shipments.ShipTo) error {
	place, problems := s.tables.Places.Resolve(&to, s.cfg.DefaultCountry)
	if len(problems) > 0 {
		return nil // whoever asks is told
	}
	p, found, err := s.boardsOf(ctx, q, place)
	if err != nil {
		return err
	}
	if !found {
		q.Known = nil
		if lines := assemblyOf(q).Lines; len(lines) > 0 {
			q.Known = s.tables.FindKnownAssembly(assemblyOf(q), s.now())
		}
		return nil
	}
	return s.keepKnown(q, p, place)
}

// keepKnown keeps what follows from a price of the boards.
func (s *Service) keepKnown(q *quotes.Quote, p pricing, place destination.Place) error {
	if p.basis.Assembly = assemblyOf(q); p.basis.Assembly.Boards > 0 {
		p.basis.HSCode = s.cfg.AssembledHS
	}
	known, err := s.tables.FindKnown(p.basis, offer.Choice{Place: place}, s.now())
	if err != nil {
		return fmt.Errorf("what is known of the price of quote %s: %w", q.Ref, err)
	}
	spec, err := json.Marshal(p.spec)
	if err != nil {
		return err
	}
	q.Known = known
	q.Pricing, err = json.Marshal(record{
		Day: p.basis.Day, HSCode: p.basis.HSCode, Origin: p.basis.Origin, Rates: p.basis.Rates, ShippingTo: p.basis.ShippingTo, Price: p.price, Spec: spec, Place: &place,
	})
	return err
}

// recalculateKnown counts a part in that the team chose.
func (s *Service) recalculateKnown(q *quotes.Quote) error {
	var stored record
	if q.Known == nil || len(q.Pricing) == 0 {
		return nil
	}
	if err := json.Unmarshal(q.Pricing, &stored); err != nil {
		return fmt.Errorf("decode pricing of quote %s: %w", q.Ref, err)
	}
	if stored.Place == nil {
		q.Known = s.tables.FindKnownAssembly(assemblyOf(q), s.now())
		return nil
	}
	q.Terms = &quotes.Terms{Spec: stored.Spec}
	p, err := s.loadPricing(q)
	q.Terms = nil
	if err != nil {
		return err
	}
	return s.keepKnown(q, p, *stored.Place)
}

// boardsOf asks the primary fabricator for the boards of a quote, or takes the price of its
// that the quote of the boards alone has.
func (s *Service) boardsOf(ctx context.Context, q *quotes.Quote, place destination.Place) (p pricing, found bool, err error) {
	var stored record
	if len(q.Pricing) == 0 || q.Reply.BoardDetails == nil || q.Reply.Board == nil || json.Unmarshal(q.Pricing, &stored) != nil || len(stored.Spec) == 0 {
		return p, false, nil
	}
	var spec fabricator.Spec
	if err := json.Unmarshal(stored.Spec, &spec); err != nil {
		return p, false, fmt.Errorf("decode spec of quote %s: %w", q.Ref, err)
	}
	spec.To, spec.Quantity = fabricator.Destination{Country: place.Country, PostalCode: place.PostalCode}, s.catalog.BuildQuantity(q.Request.Quantity)
	primary := s.fabricatorsOf(q.Account)[0]
	if p, err = s.ask(ctx, primary, s.basisOf(ctx, q, spec), spec); err == nil {
		return p, true, nil
	}
	s.log.Info("the fabricator gives no price for a review's boards", zap.String("quote", q.Ref), zap.Error(err), trace.ID(ctx))
	if q.Bare == nil {
		return p, false, nil
	}
	bare, err := aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, q.Bare.Ref).Load(ctx)
	if err != nil || !bare.Exists() {
		return p, false, err
	}
	p, err = s.loadPricing(&bare.State)
	return p, err == nil && p.fabricator == primary.Name, err
}

// basisOf is what a price of a quote's boards is made from.
func (s *Service) basisOf(ctx context.Context, q *quotes.Quote, spec fabricator.Spec) offer.Basis {
	return offer.Basis{
		Day: dated.DayOf(s.now()), Quantity: q.Request.Quantity, BuildCount: spec.Quantity, Board: *q.Reply.BoardDetails, BoardWords: *q.Reply.Board,
		HSCode: offer.BareBoard, Rates: s.rates.Rates(ctx),
	}
}

// assemblyOf is what assembling a quote's boards adds; zero for bare boards.
func assemblyOf(q *quotes.Quote) offer.Assembly {
	a := q.Assembly
	if a == nil {
		return offer.Assembly{}
	}
	return offer.Assembly{Boards: a.Boards, Lines: assembled.Lines(assemblies.Price{Work: a.Work, PartsCents: a.PartCents}), Days: a.Days}
}
