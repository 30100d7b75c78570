package designcheck

import (
	"context"
	"errors"
	"time"

	"boardorder/pkg/flow"
)

// errLong ends short work that turns out to be long, to be done again when it
// is long work's turn.
var errLong = errors.New("this takes longer than short work may")

// runAdmitted does work on so many bytes of an account's files when there is a
// slot. do may be called twice.
func (s *Service) runAdmitted(ctx context.Context, account string, size int64, do func(context.Context) error) error {
	w := work{account: account, long: size > bigBytes, size: size}
	err := s.runInSlot(ctx, w, do)
	if errors.Is(err, errLong) {
		w.long = true
		err = s.runInSlot(ctx, w, do)
	}
	return err
}

func (s *Service) runInSlot(ctx context.Context, w work, do func(context.Context) error) error {
	p, err := s.gate.enter(ctx, w)
	switch {
	case errors.Is(err, errCrowded):
		return flow.Snooze(5*time.Second, err) // others come first meanwhile
	case err != nil:
		return flow.Snooze(time.Second, err) // nobody failed; others are at work
	}
	defer p.leave()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go p.watch(ctx, s.cfg.ShortTimeout, cancel)
	err = do(ctx)
	if err != nil && errors.Is(context.Cause(ctx), errLong) {
		return errLong
	}
	return err
}

// watch makes work long that is not done in time, or cuts it off where there is no
// slot for that and others wait for this one.
func (p *slot) watch(ctx context.Context, short time.Duration, cut context.CancelCauseFunc) {
	t := time.NewTicker(short)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		if p.lengthen() {
			return
		}
		if p.hasRival() {
			cut(errLong)
			return
		}
	}
}
