package partsourcing

import (
	"context"
	"errors"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/flow"
)

type snapshot = aggregate.Snapshot[partchecks.PartCheck]
type change = aggregate.Change[partchecks.PartCheck]

// check looks a list up, unless that was done a moment ago or is being done.
func (s *Service) check(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[partchecks.CheckData](c)
	if err != nil {
		return err
	}
	now, err := s.begin(ctx, c, data)
	if err != nil || now.Status != partchecks.Running || now.Command != c.ID {
		return err
	}
	_, err, _ = s.flights.Do(c.ID, func() (any, error) { return nil, s.attempt(ctx, c, data) })
	return err
}

// begin makes the command the one that checks the list, unless no check is
// needed or another command is at it.
func (s *Service) begin(ctx context.Context, c contract.Command, data partchecks.CheckData) (partchecks.PartCheck, error) {
	at := s.now()
	begun, err := aggregate.At[partchecks.PartCheck](s.events, contract.PartCheckAggregate, data.Check).Step(ctx, c, "start", at, func(now snapshot) (*change, error) {
		if now.State.Usable(at) && !now.State.StartedAt.Before(data.Since) || now.State.Running(at) {
			return nil, nil
		}
		next := partchecks.PartCheck{
			ID: data.Check, Account: c.Account, Asked: data.Asked, Status: partchecks.Running, Attempt: now.State.Attempt + 1, Command: c.ID, StartedAt: at,
		}
		if at.Sub(now.State.EndedAt) < partchecks.Fresh {
			next.Report = now.State.Report // known so far
		}
		return &change{Event: partchecks.EventStarted, State: next, Forget: true}, nil
	})
	return begun.State, err
}

// attempt reads the list and looks its parts up. What the fabricator has is
// recorded as soon as it is known.
func (s *Service) attempt(ctx context.Context, c contract.Command, data partchecks.CheckData) error {
	l, err := s.list(ctx, data)
	if r := contract.RefusalIn(err); r != nil {
		return s.end(ctx, c, data.Check, partchecks.EventRefused, func(p *partchecks.PartCheck) {
			p.Status, p.Refusal, p.Report = partchecks.Refused, r, nil
		})
	}
	if err != nil {
		return err
	}
	look := s.lookOf(c.Account, data.Sparing || !data.Since.IsZero())
	fab, err := s.ask(ctx, look, l, false, s.cfg.FabTimeout)
	if err != nil {
		return err
	}
	if fab.RetryAfterS > 0 {
		if err := s.progress(ctx, c, data.Check, fab); err != nil {
			return err
		}
	}
	all, err := s.ask(ctx, look, l, true, s.cfg.Timeout)
	if err != nil {
		return err
	}
	return s.end(ctx, c, data.Check, partchecks.EventChecked, func(p *partchecks.PartCheck) {
		p.Status, p.Report = partchecks.Ended, &all
	})
}

var errStopped = errors.New("stopped while parts were looked up")

// ask has a list looked up. A report that was cut short by the end of the
// process is none.
func (s *Service) ask(ctx context.Context, look Lookup, l List, everywhere bool, timeout time.Duration) (partchecks.Report, error) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	r := look(limited, l, everywhere)
	if ctx.Err() != nil {
		return partchecks.Report{}, errStopped
	}
	return r, nil
}

func isAwaited(now snapshot, c contract.Command) bool {
	return now.State.Status == partchecks.Running && now.State.Command == c.ID
}

func (s *Service) progress(ctx context.Context, c contract.Command, id string, r partchecks.Report) error {
	_, err := aggregate.At[partchecks.PartCheck](s.events, contract.PartCheckAggregate, id).Step(ctx, c, "fab", s.now(), func(now snapshot) (*change, error) {
		if !isAwaited(now, c) {
			return nil, nil
		}
		next := now.State
		next.Report = &r
		return &change{Event: partchecks.EventProgressed, State: next, Forget: true}, nil
	})
	return err
}

func (s *Service) end(ctx context.Context, c contract.Command, id string, event contract.EventName, how func(*partchecks.PartCheck)) error {
	_, err := aggregate.At[partchecks.PartCheck](s.events, contract.PartCheckAggregate, id).Execute(ctx, c, s.now(), func(now snapshot) (*change, error) {
		if !isAwaited(now, c) {
			return nil, nil
		}
		next := now.State
		next.EndedAt = s.now()
		how(&next)
		return &change{Event: event, State: next, Forget: true}, nil
	})
	return err
}
