package pricing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/flow"
	"boardorder/services/pricing/internal/assembled"
)

const (
	// pickWait is how long suppliers are waited for: longer than a check of parts takes.
	pickWait = 75 * time.Second
	pickPoll = 2 * time.Second
)

// pickPart puts a part that the team chose into a review, once suppliers have
// said that it can be bought, and for how much.
func (s *Service) pickPart(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[quotes.PickPartData](c)
	if err != nil {
		return err
	}
	before, err := aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, data.Quote).Load(ctx)
	if err != nil {
		return err
	}
	var found partchecks.Found
	if line, refused := assembled.Pickable(before.State, data); s.reviewable(before) == nil && refused == nil && !before.Did(c.ID) {
		if found, err = s.askSuppliers(ctx, c, before.State, line, data); err != nil {
			return err
		}
	}
	_, err = aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, data.Quote).Execute(ctx, c, s.now(),
		func(now aggregate.Snapshot[quotes.Quote]) (*aggregate.Change[quotes.Quote], error) {
			if err := s.reviewable(now); err != nil {
				return nil, err
			}
			q, refused := assembled.Pick(now.State, data, found)
			if refused != nil {
				return nil, refused
			}
			if err := s.recalculateKnown(&q); err != nil {
				return nil, err
			}
			return &aggregate.Change[quotes.Quote]{Event: quotes.EventPartPicked, State: q}, nil
		})
	return err
}

var errAskingAboutPart = errors.New("suppliers are asked about a part")

// answerTo gives what a report says of a line.
func answerTo(r *partchecks.Report, reference string) (partchecks.Found, bool) {
	if r == nil {
		return partchecks.Found{}, false
	}
	i := slices.IndexFunc(r.Parts, func(p partchecks.Found) bool { return p.Reference == reference })
	if i < 0 {
		return partchecks.Found{}, false
	}
	return r.Parts[i], true
}

// askSuppliers gives what suppliers say of a part for a line's place. The command waits
// for them, and takes what is known when they are too slow.
func (s *Service) askSuppliers(ctx context.Context, c contract.Command, q quotes.Quote, line assemblies.Part, data quotes.PickPartData) (partchecks.Found, error) {
	ask := partchecks.CheckData{Boards: q.Assembly.Boards, Parts: []partchecks.Line{{
		Reference: line.Reference, Quantity: int(line.QuantityPerBoard), MPN: data.MPN, Manufacturer: data.Manufacturer, Footprint: line.Footprint,
	}}}
	id, err := partchecks.ID(q.Account, ask)
	if err != nil {
		return partchecks.Found{}, err
	}
	ask.Check = id
	now, err := aggregate.At[partchecks.PartCheck](s.events, contract.PartCheckAggregate, id).Load(ctx)
	if err != nil {
		return partchecks.Found{}, fmt.Errorf("load check of parts %s: %w", id, err)
	}
	check, late := now.State, s.now().Sub(c.At) >= pickWait
	part, known := answerTo(check.Report, line.Reference)
	switch {
	case check.Usable(s.now()) && check.Refusal != nil:
		return partchecks.Found{Why: check.Refusal.Message}, nil
	case known && (check.Usable(s.now()) || late && check.Status == partchecks.Ended):
		return part, nil
	case late:
		return partchecks.Found{Why: "suppliers have not answered in time; try again in a minute"}, nil
	}
	send, err := c.Follow(partchecks.Check, id+":"+strconv.Itoa(check.Attempt), s.now(), ask)
	if err != nil {
		return partchecks.Found{}, err
	}
	send.Account = q.Account
	if err := s.events.Send(ctx, send); err != nil {
		return partchecks.Found{}, err
	}
	return partchecks.Found{}, flow.SnoozeUntil(contract.PartCheckAggregate, id, pickPoll, errAskingAboutPart)
}
