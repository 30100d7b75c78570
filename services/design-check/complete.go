package designcheck

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/flow"
	"boardorder/pkg/trace"
	"boardorder/pkg/worker"

	"go.uber.org/zap"
)

const (
	// completeAgain is how soon it is tried again to complete a reading while prices wait.
	completeAgain = time.Second
	// completeLatest is how long after its command prices go before a reading's rest.
	completeLatest = 30 * time.Second
)

var errPricesWait = errors.New("prices go before pictures and packages")

// complete makes the pictures and packages that a reading names, unless it was forgotten
// or read anew since: then nothing of it stays, or for as long only as a complete reading does.
func (s *Service) complete(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[boards.CompleteData](c)
	if err != nil {
		return err
	}
	before, err := s.loadBoard(ctx, data.Digest)
	if err == nil && data.Matches(before.State) && before.State.Rest != boards.RestMade {
		before, err = s.completeReading(ctx, c, data, before.State)
	}
	switch {
	case err != nil || before.State.Retains(data.Prefix, s.now()):
		return err
	case !data.Matches(before.State):
		return blob.DeletePrefix(ctx, s.blobs, data.Prefix)
	}
	return s.blobs.Delete(ctx, data.Prefix+marksFile)
}

// completeReading makes what a reading names and commits that it is made.
func (s *Service) completeReading(ctx context.Context, c contract.Command, data boards.CompleteData, r boards.ReadFiles) (boardSnapshot, error) {
	keeper := s.keeper(ctx, r.Prefix)
	err := s.runBehind(ctx, c, totalSize(data.Files), func(ctx context.Context) error { return s.makeRest(ctx, data, r, keeper) })
	if errors.Is(err, blob.ErrNotFound) {
		return s.filesGone(ctx, c, data)
	}
	if err != nil {
		return boardSnapshot{}, err
	}
	done, err := keeper.dropUnmade(ctx, r)
	if err != nil {
		return boardSnapshot{}, err
	}
	return s.changeRest(ctx, c, data, boards.EventCompleted, func(r *boards.ReadFiles) {
		r.Rest, r.Package, r.Boards = boards.RestMade, done.Package, done.Boards
	})
}

// changeRest commits a change of a reading whose pictures and packages are not made.
func (s *Service) changeRest(ctx context.Context, c contract.Command, data boards.CompleteData, event contract.EventName, change func(*boards.ReadFiles)) (boardSnapshot, error) {
	return aggregate.At[boards.ReadFiles](s.events, contract.BoardAggregate, data.Digest).Execute(ctx, c, s.now(),
		func(now boardSnapshot) (*boardChange, error) {
			if !data.Matches(now.State) || now.State.Rest == boards.RestMade {
				return nil, nil
			}
			next := now.State
			change(&next)
			return &boardChange{Event: event, State: next, Forget: next.Gone}, nil
		})
}

// filesGone forgets a reading whose files went before it was complete: nothing can be
// built from it, and who has the files is asked for them again.
func (s *Service) filesGone(ctx context.Context, c contract.Command, data boards.CompleteData) (boardSnapshot, error) {
	s.log.Warn("the files went before pictures and packages were made", zap.String("digest", data.Digest), trace.ID(ctx))
	return s.changeRest(ctx, c, data, boards.EventForgotten, func(r *boards.ReadFiles) { *r = s.readingTombstone(*r, boards.ForgetData{Digest: data.Digest}) })
}

// giveUpCompleting records that pictures and packages are not made until a person has
// this command sent again.
func (s *Service) giveUpCompleting(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[boards.CompleteData](c)
	if err != nil {
		return nil // it names no reading
	}
	_, err = s.changeRest(ctx, c, data, boards.EventIncomplete, func(r *boards.ReadFiles) { r.Rest = boards.RestFailed })
	return err
}

// runBehind does work that no price waits for when the slots have room, and after a while
// as any other.
func (s *Service) runBehind(ctx context.Context, c contract.Command, size int64, do func(context.Context) error) error {
	if s.now().Sub(c.At) > completeLatest {
		return s.runAdmitted(ctx, c.Account, size, do)
	}
	p := s.gate.enterBehind(c.Account)
	if p == nil {
		return flow.Snooze(completeAgain, errPricesWait)
	}
	defer p.leave()
	return do(ctx)
}

// makeRest has a worker pack and draw; where that takes too much, only pack. Files that
// were too much to inspect are not drawn at all.
func (s *Service) makeRest(ctx context.Context, data boards.CompleteData, r boards.ReadFiles, keep *keeper) error {
	packing := completeAsk{Answers: data.Answers, Files: len(data.Files), Boards: len(r.Boards)}
	boards := 0
	order := worker.Order{Task: completeTask, Ask: packing, Files: s.sources(data.Files), Put: keep.put, Timeout: s.cfg.ReadTimeout / 4, Result: &boards}
	marks, err := s.blobs.Stat(ctx, r.Prefix+marksFile)
	switch {
	case errors.Is(err, blob.ErrNotFound): // it was made meanwhile, or nothing can be drawn
	case err != nil:
		return err
	case len(r.Boards) > 0 && !isTooComplex(r):
		drawing := packing
		drawing.Draw = true
		order.Ask, order.Files, order.Timeout = drawing, append(order.Files, s.source(marksFile, marks.Key, marks.Size)), s.cfg.ReadTimeout/2
	}
	err = s.run(ctx, order, packing)
	switch {
	case worker.IsFailure(err) && keep.hasPackages(r):
		s.log.Warn("a board is not drawn", zap.String("digest", r.Digest), zap.Error(err), trace.ID(ctx))
		return nil
	case worker.IsFailure(err):
		return flow.Permanent(err)
	case err == nil && boards != packing.Boards:
		return flow.Permanent(fmt.Errorf("%d boards were read, now %d", packing.Boards, boards))
	}
	return err
}

// isTooComplex reports whether a board of a reading was not inspected to its end.
func isTooComplex(r boards.ReadFiles) bool {
	return slices.ContainsFunc(r.Boards, func(b boards.Board) bool {
		return slices.ContainsFunc(b.Findings, func(f contract.Finding) bool { return f.Check == pcb.TooComplexCode })
	})
}

// hasPackages reports whether all packages that a reading names were made.
func (k *keeper) hasPackages(r boards.ReadFiles) bool {
	return k.has(r.Package) && !slices.ContainsFunc(r.Boards, func(b boards.Board) bool { return b.Package != "" && !k.has(b.Package) })
}

func (k *keeper) has(key string) bool { return k.kept[path.Base(key)] }

// dropUnmade is a reading that names nothing that was not made, now or in an earlier try.
func (k *keeper) dropUnmade(ctx context.Context, r boards.ReadFiles) (boards.ReadFiles, error) {
	keys := []*string{&r.Package}
	r.Boards = slices.Clone(r.Boards)
	for i := range r.Boards {
		b := &r.Boards[i]
		b.Findings = slices.Clone(b.Findings)
		keys = append(keys, &b.Top, &b.Bottom, &b.Package)
		for j := range b.Findings {
			keys = append(keys, &b.Findings[j].Image)
		}
	}
	for _, key := range keys {
		if *key == "" || k.has(*key) {
			continue
		}
		_, err := k.s.blobs.Stat(ctx, *key)
		if errors.Is(err, blob.ErrNotFound) {
			*key, err = "", nil
		}
		if err != nil {
			return r, fmt.Errorf("look for %s: %w", *key, err)
		}
	}
	return r, nil
}
