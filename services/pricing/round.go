package pricing

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/trace"
	"boardorder/services/pricing/internal/choice"
	"boardorder/services/pricing/internal/offer"

	"go.uber.org/zap"
)

// A round is what the fabricators said of a board that each was asked about.
type round struct {
	rule    accounts.FabricatorRule
	answers []answer // of all that may build it, in the order of the configuration
	only    string   // why nobody but the primary one may build it
	others  []string // who may not, by name
}

// An answer is what one fabricator said.
type answer struct {
	fab    Fabricator
	asked  bool
	slow   bool
	err    error // it has no price
	priced pricing
}

// A wish is what a price is compared for: the choice that was asked for, and what was chosen
// at an earlier order's checkout, as far as a fabricator offers it.
type wish struct {
	offer.Choice
	before *quotes.Chosen
}

// askAround asks the fabricators that may build an owner's boards: all at once, or one after
// the other where the preferred one is taken at any price. Where only one may build them it
// is waited for as long as the customer waits.
func (s *Service) askAround(ctx context.Context, owner string, assembled bool, rule accounts.FabricatorRule, b offer.Basis, spec fabricator.Spec, w wish) round {
	all := s.fabricatorsOf(owner)
	fabs, only := s.eligible(owner, assembled, spec)
	r := round{rule: rule, answers: make([]answer, len(fabs)), only: only}
	for i, f := range fabs {
		r.answers[i].fab = f
	}
	for _, f := range all[len(fabs):] {
		r.others = append(r.others, f.Name)
	}
	if len(fabs) == 1 {
		r.answers[0].priced, r.answers[0].err = s.ask(ctx, fabs[0], b, spec)
		r.answers[0].asked = true
		return r
	}
	if kind := rule.Kind; rule.Percent == 0 && kind != accounts.Cheapest && kind != accounts.Fastest {
		s.askInTurn(ctx, r, b, spec, w)
	} else {
		s.askAtOnce(ctx, r, b, spec)
	}
	return r
}

// askAtOnce asks all, each in its own time.
func (s *Service) askAtOnce(ctx context.Context, r round, b offer.Basis, spec fabricator.Spec) {
	var group sync.WaitGroup
	for i := range r.answers {
		group.Go(func() { s.askInTime(ctx, &r.answers[i], b, spec) })
	}
	group.Wait()
}

// askInTurn asks the preferred one, then the others in their order, until one has a price for
// what is wished.
func (s *Service) askInTurn(ctx context.Context, r round, b offer.Basis, spec fabricator.Spec, w wish) {
	order := make([]int, 0, len(r.answers))
	preferred := choice.FindPreferred(r.rule, r.names())
	order = append(order, preferred)
	for i := range r.answers {
		if i != preferred {
			order = append(order, i)
		}
	}
	for _, i := range order {
		a := &r.answers[i]
		s.askInTime(ctx, a, b, spec)
		if ctx.Err() != nil || fabricator.KindOf(a.err) == fabricator.Files {
			return // whoever builds it, the files are the same
		}
		if _, err := s.offerOf(a, w); err == nil {
			return
		}
		s.log.Info("a fabricator gives no price for a board: the next one is asked",
			zap.String("fabricator", a.fab.Name), zap.NamedError("why", a.err), trace.ID(ctx))
	}
}

// askInTime asks one fabricator and waits for it as long as it has.
func (s *Service) askInTime(ctx context.Context, a *answer, b offer.Basis, spec fabricator.Spec) {
	inner, cancel := context.WithTimeout(ctx, cmp.Or(a.fab.Wait, usualWait))
	defer cancel()
	a.priced, a.err = s.ask(inner, a.fab, b, spec)
	a.asked, a.slow = true, a.err != nil && ctx.Err() == nil && errors.Is(inner.Err(), context.DeadlineExceeded)
}

// usualWait is how long a fabricator is waited for beside others unless its row says otherwise.
const usualWait = 10 * time.Second

func (r round) names() []string {
	names := make([]string, len(r.answers))
	for i, a := range r.answers {
		names[i] = a.fab.Name
	}
	return names
}

// hours are the builds that any of them offers, the slowest first.
func (r round) hours() []int {
	var all []int
	for _, a := range r.answers {
		for _, b := range a.priced.basis.Builds {
			if !slices.Contains(all, b.Hours) {
				all = append(all, b.Hours)
			}
		}
	}
	slices.SortFunc(all, func(a, b int) int { return b - a })
	return all
}

// validUntil is when the first of the prices ends.
func (r round) validUntil() time.Time {
	var end time.Time
	for _, a := range r.answers {
		if until := a.priced.price.ValidUntil; !until.IsZero() && (end.IsZero() || until.Before(end)) {
			end = until
		}
	}
	return end
}
