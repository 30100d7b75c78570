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
	var a flow.Attempts
	value, _, err := b.attempts.Get(ctx, command)
	if errors.Is(err, ErrNoKey) {
		return a, nil
	}
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal(value, &a); err != nil {
		return a, fmt.Errorf("attempts of %s: %w", command, err)
	}
	return a, nil
}

func (b *Bus) putAttempts(ctx context.Context, command string, a flow.Attempts) error {
	value, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return b.attempts.Put(ctx, command, value)
}

// begin writes down that a risky command is about to run.
func (d *delivery) begin(ctx context.Context) (flow.Attempts, error) {
	if !d.risky {
		return flow.Attempts{}, nil
	}
	a, err := d.bus.Attempts(ctx, d.command.ID)
	if err != nil {
		return a, err
	}
	begun, err := d.work.Policy.Begin(a)
	if err != nil {
		return a, &exhausted{err}
	}
	return begun, d.bus.putAttempts(ctx, d.command.ID, begun)
}

// end writes down how a run ended, where that is not "at once and well".
func (d *delivery) end(ctx context.Context, a flow.Attempts, v flow.Verdict) (flow.Attempts, flow.Verdict) {
	if !d.risky {
		if v.Kind != flow.Retry {
			return a, v
		}
		before, err := d.bus.Attempts(ctx, d.command.ID)
		if err != nil { // it is tried again all the same, and counted then
			d.bus.log.Warn("attempts cannot be read", zap.String("id", d.command.ID), zap.Error(err))
		}
		a = before
	}
	a, v = d.work.Policy.End(a, d.risky, v)
	if err := d.bus.putAttempts(ctx, d.command.ID, a); err != nil {
		d.bus.log.Warn("attempts cannot be counted", zap.String("id", d.command.ID), zap.Error(err))
	}
	return a, v
}
