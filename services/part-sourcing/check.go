package partsourcing

import (
	"context"
	"errors"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
)

type snapshot = aggregate.Snapshot[contract.PartCheck]
type change = aggregate.Change[contract.PartCheck]

// check looks a list up, unless that was done a moment ago or is being done.
func (s *Service) check(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[contract.CheckPartsData](c)
	if err != nil {
		return err
	}
	now, err := s.begin(ctx, c, data)
	if err != nil || now.Status != contract.PartCheckRunning || now.Command != c.ID {
		return err
	}
	_, err, _ = s.flights.Do(c.ID, func() (any, error) { return nil, s.attempt(ctx, c, data) })
	return err
}

// begin makes the command the one that checks the list, unless no check is
// needed or another command is at it.
func (s *Service) begin(ctx context.Context, c contract.Command, data contract.CheckPartsData) (contract.PartCheck, error) {
	at := s.now()
	begun, err := aggregate.At[contract.PartCheck](s.events, contract.PartCheckAggregate, data.Check).Step(ctx, c, "start", at, func(now snapshot) (*change, error) {
		if now.State.Usable(at) && !now.State.StartedAt.Before(data.Since) || now.State.Running(at) {
			return nil, nil
		}
		next := contract.PartCheck{
			ID: data.Check, Account: c.Account, Status: contract.PartCheckRunning, Attempt: now.State.Attempt + 1, Command: c.ID, StartedAt: at,
		}
		if at.Sub(now.State.EndedAt) < contract.PartCheckFresh {
			next.Report = now.State.Report // known so far
		}
		return &change{Event: contract.PartCheckStarted, State: next, Forget: true}, nil
	})
	return begun.State, err
}

// attempt reads the list and looks its parts up. What the fabricator has is
// recorded as soon as it is known.
func (s *Service) attempt(ctx context.Context, c contract.Command, data contract.CheckPartsData) error {
	l, err := s.list(ctx, data)
	if r := contract.RefusalIn(err); r != nil {
		return s.end(ctx, c, data.Check, contract.PartCheckRefused, func(p *contract.PartCheck) {
			p.Status, p.Refusal, p.Report = contract.PartCheckNo, r, nil
		})
	}
	if err != nil {
		return err
	}
	look := s.lookOf(c.Account)
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
	return s.end(ctx, c, data.Check, contract.PartCheckMade, func(p *contract.PartCheck) {
		p.Status, p.Report = contract.PartCheckEnded, &all
	})
}

var errStopped = errors.New("stopped while parts were looked up")

// ask has a list looked up. A report that was cut short by the end of the
// process is none.
func (s *Service) ask(ctx context.Context, look Lookup, l List, everywhere bool, timeout time.Duration) (contract.PartReport, error) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	r := look(limited, l, everywhere)
	if ctx.Err() != nil {
		return contract.PartReport{}, errStopped
	}
	return r, nil
}

func isAwaited(now snapshot, c contract.Command) bool {
	return now.State.Status == contract.PartCheckRunning && now.State.Command == c.ID
}

func (s *Service) progress(ctx context.Context, c contract.Command, id string, r contract.PartReport) error {
	_, err := aggregate.At[contract.PartCheck](s.events, contract.PartCheckAggregate, id).Step(ctx, c, "fab", s.now(), func(now snapshot) (*change, error) {
		if !isAwaited(now, c) {
			return nil, nil
		}
		next := now.State
		next.Report = &r
		return &change{Event: contract.PartCheckProgressed, State: next, Forget: true}, nil
	})
	return err
}

func (s *Service) end(ctx context.Context, c contract.Command, id string, event contract.EventName, how func(*contract.PartCheck)) error {
	_, err := aggregate.At[contract.PartCheck](s.events, contract.PartCheckAggregate, id).Execute(ctx, c, s.now(), func(now snapshot) (*change, error) {
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
