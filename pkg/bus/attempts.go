package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

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
		if err := b.putAttempts(ctx, command, next, rev); !errors.Is(err, ErrMoved) {
			return next, err
		}
	}
	return flow.Attempts{}, fmt.Errorf("attempts of %s: %w %d times", command, ErrMoved, attemptConflicts)
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

// begin writes down that a risky command is about to run.
func (d *delivery) begin(ctx context.Context) (flow.Attempts, error) {
	if !d.risky {
		return flow.Attempts{}, nil
	}
	return d.bus.updateAttempts(ctx, d.command.ID, func(a flow.Attempts) (flow.Attempts, error) {
		begun, err := d.work.Policy.Begin(a)
		if err != nil {
			return a, &exhausted{err}
		}
		return begun, nil
	})
}

// end writes down how a run ended, where that is not "at once and well". Where
// it cannot be written down the command is tried again all the same.
func (d *delivery) end(ctx context.Context, begun flow.Attempts, v flow.Verdict) (flow.Attempts, flow.Verdict) {
	if !d.risky && v.Kind != flow.Retry {
		return begun, v
	}
	verdict := v
	after, err := d.bus.updateAttempts(ctx, d.command.ID, func(a flow.Attempts) (flow.Attempts, error) {
		a, verdict = d.work.Policy.End(a, d.risky, v)
		return a, nil
	})
	if err != nil {
		d.bus.log.Warn("attempts cannot be counted", zap.String("id", d.command.ID), zap.Error(err))
		return d.work.Policy.End(begun, d.risky, v)
	}
	return after, verdict
}
