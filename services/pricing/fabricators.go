package pricing

import (
	"context"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/fabricator"
	"boardorder/services/pricing/internal/offer"
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

// ruleOf is the rule that chooses a fabricator for an owner's boards: the account's own, or
// the installation's. Where there is one fabricator, nothing is looked up.
func (s *Service) ruleOf(ctx context.Context, owner string) (accounts.FabricatorRule, error) {
	if len(s.fabricatorsOf(owner)) == 1 {
		return s.rule, nil
	}
	now, err := aggregate.At[accounts.Account](s.events, contract.AccountAggregate, contract.AccountOf(owner)).Load(ctx)
	if err != nil || now.State.FabricatorRule == nil {
		return s.rule, err
	}
	return *now.State.FabricatorRule, nil
}

// eligible are the fabricators that may build an owner's boards. Boards that are assembled are
// the primary one's alone, whose library the parts are of, and so are those with a stackup of
// its stock; why says so.
func (s *Service) eligible(owner string, assembled bool, spec fabricator.Spec) (fabs fabricator.List[Pricer], why string) {
	fabs = s.fabricatorsOf(owner)
	switch {
	case assembled:
		return fabs[:1], "Boards that are assembled are built by " + fabs[0].Name + ", whose parts are fitted."
	case spec.Stackup != "":
		return fabs[:1], "The stackup that was asked for is one of " + fabs[0].Name + "."
	}
	return fabs, ""
}

// findSeller reports whether any fabricator has a price for an owner's boards. Where nobody
// has, the primary one's word counts.
func (s *Service) findSeller(ctx context.Context, owner string, assembled bool, b offer.Basis, spec fabricator.Spec) error {
	fabs, _ := s.eligible(owner, assembled, spec)
	var first error
	for i, f := range fabs {
		_, err := s.ask(ctx, f, b, spec)
		if i == 0 {
			first = err
		}
		if err == nil {
			return nil
		}
		if ctx.Err() != nil || fabricator.KindOf(err) == fabricator.Files {
			break // whoever builds it, the files are the same
		}
	}
	return first
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
