package partsourcing

import (
	"context"
	"errors"
	"fmt"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/flow"
)

type (
	assemblyNow    = aggregate.Snapshot[assemblies.Assembly]
	assemblyChange = aggregate.Change[assemblies.Assembly]
)

// assemble finds out what a board is assembled from, unless that was done a
// moment ago or is being done.
func (s *Service) assemble(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[assemblies.AssembleData](c)
	if err != nil {
		return err
	}
	now, err := s.beginAssembly(ctx, c, data)
	if err != nil || now.Status != partchecks.Running || now.Command != c.ID {
		return err
	}
	_, err, _ = s.flights.Do(c.ID, func() (any, error) { return nil, s.attemptAssembly(ctx, c, data, now.Attempt) })
	return err
}

// beginAssembly makes the command the one that is at the assembly, unless none is
// needed or another one is.
func (s *Service) beginAssembly(ctx context.Context, c contract.Command, data assemblies.AssembleData) (assemblies.Assembly, error) {
	at := s.now()
	begun, err := aggregate.At[assemblies.Assembly](s.events, contract.AssemblyAggregate, data.Assembly).Step(ctx, c, "start", at, func(now assemblyNow) (*assemblyChange, error) {
		if now.State.Usable(at, data.Since) || now.State.Running(at) {
			return nil, nil
		}
		return &assemblyChange{Event: assemblies.EventStarted, Forget: true, State: assemblies.Assembly{
			ID: data.Assembly, Account: c.Account, Upload: data.Upload, Digest: data.Digest, Board: data.Board, Boards: data.Boards, Choices: data.Choices,
			Status: partchecks.Running, Attempt: now.State.Attempt + 1, Command: c.ID, StartedAt: at,
		}}, nil
	})
	return begun.State, err
}

// attemptAssembly reads the files, plans, and looks the parts up. What each step
// found is recorded before the next begins.
func (s *Service) attemptAssembly(ctx context.Context, c contract.Command, data assemblies.AssembleData, attempt int) error {
	w, err := s.boards.Begin(ctx, c.Account, data, attempt)
	if r := contract.RefusalIn(err); r != nil {
		return s.endAssembly(ctx, c, data.Assembly, assemblies.EventRefused, func(a *assemblies.Assembly) {
			a.Status, a.Refusal, a.Plan, a.Report, a.Price = partchecks.Refused, r, nil, nil, nil
		})
	}
	if err != nil {
		return err
	}
	plan := w.Plan()
	if err := s.stepAssembly(ctx, c, data.Assembly, assemblies.EventPlanned, func(a *assemblies.Assembly) { a.Plan = &plan }); err != nil {
		return err
	}
	if err := s.fabAssembly(ctx, c, data.Assembly, w); err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	plan, report, price, err := w.Finish(limited)
	switch {
	case ctx.Err() != nil:
		return errStopped
	case err != nil:
		return err
	}
	return s.endAssembly(ctx, c, data.Assembly, assemblies.EventSourced, func(a *assemblies.Assembly) {
		a.Status, a.Plan, a.Report, a.Price = partchecks.Ended, &plan, &report, &price
	})
}

// fabAssembly records what the fabricator has, where others are still to be asked.
func (s *Service) fabAssembly(ctx context.Context, c contract.Command, id string, w Assembling) error {
	limited, cancel := context.WithTimeout(ctx, s.cfg.FabTimeout)
	defer cancel()
	report := w.Fab(limited)
	switch {
	case ctx.Err() != nil:
		return errStopped
	case report.RetryAfterS == 0:
		return nil
	}
	return s.stepAssembly(ctx, c, id, assemblies.EventProgressed, func(a *assemblies.Assembly) { a.Report = &report })
}

func isAssemblyAwaited(now assemblyNow, c contract.Command) bool {
	return now.State.Status == partchecks.Running && now.State.Command == c.ID
}

// stepAssembly records how far the attempt is.
func (s *Service) stepAssembly(ctx context.Context, c contract.Command, id string, event contract.EventName, how func(*assemblies.Assembly)) error {
	_, err := aggregate.At[assemblies.Assembly](s.events, contract.AssemblyAggregate, id).Step(ctx, c, string(event), s.now(), s.changeAssembly(c, event, how))
	return err
}

func (s *Service) endAssembly(ctx context.Context, c contract.Command, id string, event contract.EventName, how func(*assemblies.Assembly)) error {
	_, err := aggregate.At[assemblies.Assembly](s.events, contract.AssemblyAggregate, id).Execute(ctx, c, s.now(), s.changeAssembly(c, event, func(a *assemblies.Assembly) {
		a.EndedAt = s.now()
		how(a)
	}))
	return err
}

func (s *Service) changeAssembly(c contract.Command, event contract.EventName, how func(*assemblies.Assembly)) aggregate.Decision[assemblies.Assembly] {
	return func(now assemblyNow) (*assemblyChange, error) {
		if !isAssemblyAwaited(now, c) {
			return nil, nil
		}
		next := now.State
		how(&next)
		return &assemblyChange{Event: event, State: next, Forget: true}, nil
	}
}

// eraseAssemblies removes all that tells of a design that was declared
// ITAR-controlled, and looks again later for what was under way.
func (s *Service) eraseAssemblies(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[erasures.Data](c)
	if err != nil {
		return err
	}
	if !data.IsControlled() {
		return flow.Permanent(errors.New("assemblies hold no personal data"))
	}
	eraser := aggregate.Eraser{Core: s.events, Command: c, Labels: data.MessageLabels(), At: s.now()}
	ids, err := eraser.Find(ctx, contract.AssemblyAggregate)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := eraser.Remove(ctx, contract.AssemblyAggregate, id); err != nil {
			return fmt.Errorf("erase assembly %s: %w", id, err)
		}
	}
	if err := s.boards.Forget(ctx, data.Boards); err != nil || data.Again {
		return err
	}
	data.Again = true
	due := s.now().Add(erasures.SecondLook)
	again, err := c.Follow(assemblies.Erase, "again", due, data)
	if err != nil {
		return err
	}
	return s.events.Schedule(ctx, contract.Timer{
		Aggregate: contract.AssemblyAggregate, AggregateID: data.Target(), What: "erase", Due: due, Command: again,
	})
}
