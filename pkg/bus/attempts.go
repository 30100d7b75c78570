package bus

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"boardorder/pkg/flow"

	"go.uber.org/zap"
)

// exhausted says that a command must not run again.
type exhausted struct{ why error }

func (e *exhausted) Error() string { return e.why.Error() }

// Attempts gives what is kept of a command's attempts; the zero value if it
// never failed.
func (b *Bus) Attempts(ctx context.Context, command string) (flow.Attempts, error) {
	a, _, err := b.loadAttempts(ctx, command)
	return a, err
}

// loadAttempts gives the revision too: 0 for nothing.
func (b *Bus) loadAttempts(ctx context.Context, command string) (a flow.Attempts, rev uint64, err error) {
	value, rev, err := b.attempts.Get(ctx, command)
	if errors.Is(err, ErrNoKey) {
		return a, 0, nil
	}
	if err != nil {
		return a, 0, err
	}
	if err := json.Unmarshal(value, &a); err != nil {
		return a, 0, fmt.Errorf("attempts of %s: %w", command, err)
	}
	return a, rev, nil
}

// attemptConflicts bounds how often a change of attempts is made again: few
// replicas ever hold the same command at once.
const attemptConflicts = 10

// updateAttempts changes what is kept. Two replicas that hold the same command
// do not undo each other's changes. An error of change is given back as it is.
func (b *Bus) updateAttempts(ctx context.Context, command string, change func(flow.Attempts) (flow.Attempts, error)) (flow.Attempts, error) {
	for range attemptConflicts {
		a, rev, err := b.loadAttempts(ctx, command)
		if err != nil {
			return a, err
		}
		next, err := change(a)
		if err != nil {
			return a, err
		}
		if err := b.putAttempts(ctx, command, next, rev); !errors.Is(err, ErrWrongRevision) {
			return next, err
		}
	}
	return flow.Attempts{}, fmt.Errorf("attempts of %s: %w %d times", command, ErrWrongRevision, attemptConflicts)
}

func (b *Bus) putAttempts(ctx context.Context, command string, a flow.Attempts, rev uint64) error {
	value, err := json.Marshal(a)
	if err != nil {
		return err
	}
	if rev == 0 {
		_, err = b.attempts.Create(ctx, command, value)
	} else {
		_, err = b.attempts.Update(ctx, command, value, rev)
	}
	return err
}

// begin writes down that a risky command is about to run, and gives the run an id.
func (d *delivery) begin(ctx context.Context) (a flow.Attempts, run string, err error) {
	if !d.risky {
		return flow.Attempts{}, "", nil
	}
	run = rand.Text()[:runLength]
	a, err = d.bus.updateAttempts(ctx, d.command.ID, func(a flow.Attempts) (flow.Attempts, error) {
		begun, err := d.work.Policy.Begin(a, run)
		if err != nil {
			return a, &exhausted{err}
		}
		return begun, nil
	})
	return a, run, err
}

// runLength is enough to tell apart the few runs of one command.
const runLength = 8

// end writes down how a run ended, where that is not "at once and well". Where
// it cannot be written down the command is tried again all the same.
func (d *delivery) end(ctx context.Context, begun flow.Attempts, run string, v flow.Verdict) (after flow.Attempts, verdict flow.Verdict, err error) {
	if run == "" && v.Kind != flow.Retry {
		return begun, v, nil
	}
	after, err = d.bus.updateAttempts(ctx, d.command.ID, func(a flow.Attempts) (flow.Attempts, error) {
		a, verdict = d.work.Policy.End(a, run, v)
		return a, nil
	})
	if err != nil {
		d.bus.log.Warn("attempts cannot be counted", zap.String("id", d.command.ID), zap.Error(err))
		after, verdict = d.work.Policy.End(begun, run, v)
	}
	return after, verdict, err
}

// endLater writes down, once the broker answers, that a run ended: what this
// process lived through must not count as what stopped one. The run may be
// unknown, or noted as ended: a write of which no answer came may have been made.
func (d *delivery) endLater(ctx context.Context, run string, v flow.Verdict) {
	if run == "" {
		return
	}
	for n := 1; ctx.Err() == nil; n++ {
		_, err := d.bus.updateAttempts(ctx, d.command.ID, func(a flow.Attempts) (flow.Attempts, error) {
			if !slices.Contains(a.Unfinished, run) {
				return a, errEnded
			}
			a, _ = d.work.Policy.End(a, run, v)
			return a, nil
		})
		if err == nil || errors.Is(err, errEnded) {
			return
		}
		pause(ctx, d.work.Policy.Delay(n))
	}
}

var errEnded = errors.New("the run is known to have ended")
