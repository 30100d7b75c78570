// Package flow says what becomes of a delivered command: done, tried again
// later, or buried. It is the one place where a handler's error turns into a
// verdict, for the real broker and for the simulated one alike.
package flow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
)

// A Handler carries out one command. It may run more than once for the same
// command, also on two replicas at once, so every effect is keyed by the
// command's id or guarded by the aggregate it changes.
//
// Nil means done. A *contract.Refusal is an outcome too: it is recorded for
// the waiting client. See Snooze and Permanent; any other error is tried again.
type Handler func(ctx context.Context, c contract.Command) error

// Handlers are a service's handlers by command.
type Handlers map[contract.CommandName]Handler

type later struct {
	after time.Duration
	err   error
}

func (l *later) Error() string { return l.err.Error() }
func (l *later) Unwrap() error { return l.err }

// Snooze asks for another delivery after a time of the handler's choosing. It
// does not count as a failure: what is waited for is expected to come.
func Snooze(after time.Duration, why error) error { return &later{after, why} }

type poison struct{ err error }

func (p *poison) Error() string { return p.err.Error() }
func (p *poison) Unwrap() error { return p.err }

// Permanent says that trying again cannot help: the command is buried at once.
func Permanent(err error) error { return &poison{err} }

// Decode reads what a command asks for. What cannot be read is poison.
func Decode[T any](c contract.Command) (T, error) {
	var data T
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return data, Permanent(fmt.Errorf("decode %s: %w", c.Name, err))
	}
	return data, nil
}

// A Kind is what happens to a delivery.
type Kind int

// The kinds of verdict.
const (
	Done Kind = iota
	Retry
	DeadLetter
)

func (k Kind) String() string { return [...]string{"done", "retry", "bury"}[k] }

// A Verdict is what shall become of a delivery.
type Verdict struct {
	Kind    Kind
	After   time.Duration // with Retry
	Waits   bool          // with Retry: no failure; the handler waits for something
	Err     error
	Refused contract.Code // with Done: the outcome was this refusal
}

// Policy bounds the attempts.
type Policy struct {
	Attempts int // deliveries before a failing command is buried
	First    time.Duration
	Most     time.Duration
}

// DefaultPolicy tries for about five minutes.
func DefaultPolicy() Policy {
	return Policy{Attempts: 12, First: 250 * time.Millisecond, Most: time.Minute}
}

// Delay is the wait before the delivery after attempt (1 = the first): doubling, with jitter of a fifth.
func (p Policy) Delay(attempt int) time.Duration {
	d := p.Most
	if shift := attempt - 1; shift < 20 && p.First<<shift < p.Most {
		d = p.First << shift
	}
	return d - d/10 + rand.N(d/5+1)
}

// Run delivers c to h and gives the verdict. attempt counts deliveries from 1,
// less those that ended with Snooze.
// A command that was delivered too often is buried before it runs again: it
// may be what kills the process.
func (p Policy) Run(ctx context.Context, log aggregate.Log, h Handler, c contract.Command, attempt int, now func() time.Time) Verdict {
	if attempt > p.Attempts {
		return p.bury(ctx, log, c, attempt, fmt.Errorf("delivered %d times without an end", attempt), now)
	}
	if c.Request != "" {
		// An earlier delivery, or another copy of the command, may have refused it.
		op, err := aggregate.Load[contract.Operation](ctx, log, contract.OperationAggregate, c.Request)
		if err != nil {
			return Verdict{Kind: Retry, After: p.Delay(attempt), Err: err}
		}
		if op.Exists() {
			return Verdict{Kind: Done}
		}
	}
	ctx, outcome := aggregate.Watch(ctx)
	err := protect(ctx, h, c)
	if r := contract.AsRefusal(err); r != nil {
		if outcome.Known { // it was granted before; that stands
			return Verdict{Kind: Done}
		}
		if err := aggregate.Refuse(ctx, log, c, r, now()); err != nil {
			return Verdict{Kind: Retry, After: p.Delay(attempt), Err: err}
		}
		return Verdict{Kind: Done, Refused: r.Code}
	}
	l, isLater := errors.AsType[*later](err)
	_, isPoison := errors.AsType[*poison](err)
	switch {
	case err == nil:
		return Verdict{Kind: Done}
	case outcome.Known && (isPoison || attempt >= p.Attempts && !isLater):
		return Verdict{Kind: DeadLetter, Err: err} // the client has its answer
	case isPoison, attempt >= p.Attempts && !isLater:
		return p.bury(ctx, log, c, attempt, err, now)
	case isLater:
		return Verdict{Kind: Retry, After: l.after, Waits: true, Err: l.err}
	default:
		return Verdict{Kind: Retry, After: p.Delay(attempt), Err: err}
	}
}

// bury gives the waiting client its answer first: a request has an outcome even
// if its command has to wait for a person.
func (p Policy) bury(ctx context.Context, log aggregate.Log, c contract.Command, attempt int, why error, now func() time.Time) Verdict {
	r := contract.Refuse(contract.Internal, "Something went wrong on our side. Our team has been told; nothing was charged for this request.")
	if err := aggregate.Refuse(ctx, log, c, r, now()); err != nil {
		return Verdict{Kind: Retry, After: p.Delay(attempt), Err: errors.Join(why, err)}
	}
	return Verdict{Kind: DeadLetter, Err: why}
}

// A PanicError is a panic of a handler, with its stack.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Crash is what the simulation throws to stand for the death of the process;
// it is the one panic that no handler survives.
type Crash struct{ At string }

func protect(ctx context.Context, h Handler, c contract.Command) (err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case Crash:
			panic(v)
		default:
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return h(ctx, c)
}
