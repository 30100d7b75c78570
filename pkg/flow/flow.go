// Package flow says what becomes of a delivered command. It is the one place
// where the outcome of a handler turns into a verdict, for the real broker and
// for the simulated one alike.
//
// # The life of a command
//
//	delivered ──► begun ──► done                      nil, or a refusal, which is an outcome
//	    ▲           │
//	    │           ├─────► snoozed ──► begun again   Snooze: it waits; no attempt is used up
//	    │           ├─────► failed                    any other error: one attempt is used up
//	    │           ├─────► failed                    ErrUnavailable: no attempt is used up
//	    │           ├─────► late                      its time ran out: one more run at most
//	    │           ├─────► interrupted               the process stops: given back, no attempt is used up
//	    │           └─────► the process died          one unfinished run, if the command is risky
//	    └─ after a growing delay, until Policy.Failures failures, or Policy.Late
//	       that were late, or Policy.Unfinished runs that never ended, or
//	       Permanent, or what no message can hold:
//	                        dead letter, with the reason and the number of attempts
//
// What is counted is kept in the bucket ATTEMPTS, by command, not in a process
// and not in the broker's count of deliveries: a deploy, a restart, another
// replica or a long wait changes nothing about it.
package flow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
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

type snooze struct {
	after time.Duration
	until Aggregate
	err   error
}

// An Aggregate names what a command waits for.
type Aggregate struct {
	Of contract.Aggregate
	ID string
}

func (s *snooze) Error() string { return s.err.Error() }
func (s *snooze) Unwrap() error { return s.err }

// Snooze asks for another run after a time of the handler's choosing. It is no
// failure: what is waited for is expected to come.
func Snooze(after time.Duration, why error) error { return &snooze{after: after, err: why} }

// SnoozeUntil is Snooze that ends early once the aggregate has changed.
func SnoozeUntil(a contract.Aggregate, id string, after time.Duration, why error) error {
	return &snooze{after, Aggregate{a, id}, why}
}

type permanent struct{ err error }

func (p *permanent) Error() string { return p.err.Error() }
func (p *permanent) Unwrap() error { return p.err }

// Permanent says that trying again cannot help: the command becomes a dead
// letter at once.
func Permanent(err error) error { return &permanent{err} }

// Decode reads what a command asks for. What cannot be read never will be.
func Decode[T any](c contract.Command) (T, error) {
	var data T
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return data, Permanent(fmt.Errorf("decode %s: %w", c.Name, err))
	}
	return data, nil
}

// ErrStopping is the cause with which a run's context ends when its process
// stops and the run does not end in time by itself.
var ErrStopping = errors.New("the process stops")

// ErrUnavailable is in errors which say that the event system gave no answer, or has no
// room: the command is not what is wrong. It is tried again for as long as that
// lasts, and soon once it is over.
var ErrUnavailable = errors.New("the event system is not available")

// maxBackoff is the longest wait after ErrUnavailable.
const maxBackoff = 8 * time.Second

// A Kind is what happens to a delivery.
type Kind int

// The kinds of verdict.
const (
	Done Kind = iota
	Retry
	Wait
	Interrupted // another process goes on with it
	DeadLetter
)

func (k Kind) String() string {
	return [...]string{"done", "retry", "wait", "interrupted", "dead_letter"}[k]
}

// A Verdict is what shall become of a delivery.
type Verdict struct {
	Kind    Kind
	After   time.Duration // with Retry and Wait
	Late    bool          // with Retry: the run took all the time that it may
	Until   Aggregate     // with Wait: ends it early
	Err     error
	Refused contract.Code // with Done: the outcome was this refusal
}

// Attempts is what is kept of a command that did not succeed at once.
type Attempts struct {
	Failed      int      `json:"failed,omitempty"`
	Late        int      `json:"late,omitempty"`        // of those, how many took all the time that they may
	Unfinished  []string `json:"unfinished,omitempty"`  // runs that began and of whose end nothing is known, by id
	Unavailable int      `json:"unavailable,omitempty"` // runs in a row that ended with ErrUnavailable
	Error       string   `json:"error,omitempty"`       // of the last failure
}

// Suspicious is how many deliveries make any command a risky one: the broker
// knows more often than not how often it was delivered.
const Suspicious = 4

// Policy bounds the attempts.
type Policy struct {
	Failures   int // failures until a command becomes a dead letter
	Late       int // failures likewise that took all the time that they may: doing the same again takes as long
	Unfinished int // runs that killed their process, or outlived it, likewise
	First      time.Duration
	MaxDelay   time.Duration
}

// DefaultPolicy tries for about five minutes.
func DefaultPolicy() Policy {
	return Policy{Failures: 12, Late: 2, Unfinished: 3, First: 250 * time.Millisecond, MaxDelay: time.Minute}
}

// Backoff is the wait after the failure of that number (1 = the first): doubling.
func (p Policy) Backoff(failure int) time.Duration {
	if shift := failure - 1; shift < 20 && p.First<<shift < p.MaxDelay {
		return p.First << shift
	}
	return p.MaxDelay
}

// Delay is Backoff with jitter of a fifth.
func (p Policy) Delay(failure int) time.Duration {
	d := p.Backoff(failure)
	return d - d/10 + rand.N(d/5+1)
}

// Begin is what is written down before a risky command runs. An error says that
// it must not run again.
func (p Policy) Begin(a Attempts, run string) (Attempts, error) {
	if n := len(a.Unfinished); n >= p.Unfinished {
		return a, fmt.Errorf("%d attempts began and did not end: it may be what stops the process; last error: %q", n, a.Error)
	}
	a.Unfinished = append(slices.Clone(a.Unfinished), run)
	return a, nil
}

// End is what is written down after a run; its id is "" where Begin was not. The
// verdict is the one given, unless the failures are used up.
func (p Policy) End(a Attempts, run string, v Verdict) (Attempts, Verdict) {
	a.Unfinished = slices.DeleteFunc(slices.Clone(a.Unfinished), func(r string) bool { return r == run })
	if v.Kind != Retry {
		return a, v
	}
	a.Error = v.Err.Error()
	if errors.Is(v.Err, ErrUnavailable) {
		a.Unavailable++
		v.After = min(p.Delay(a.Unavailable), maxBackoff)
		return a, v
	}
	a.Failed, a.Unavailable = a.Failed+1, 0
	v.After = p.Delay(a.Failed)
	if v.Late {
		a.Late++
	}
	if a.Failed >= p.Failures || p.Late > 0 && a.Late >= p.Late {
		v.Kind = DeadLetter
	}
	return a, v
}

// Run gives c to h and says what the handler's error means. A refusal is
// recorded, unless the request has its outcome already.
func Run(ctx context.Context, log aggregate.Log, h Handler, c contract.Command, now func() time.Time) Verdict {
	err := protect(ctx, h, c)
	if err != nil && !errors.Is(err, aggregate.ErrSettled) && errors.Is(context.Cause(ctx), ErrStopping) {
		return Verdict{Kind: Interrupted, Err: err} // whatever it decided, it was cut short
	}
	if r := contract.RefusalIn(err); r != nil {
		if err := aggregate.Refuse(ctx, log, c, r, now()); err != nil {
			return Verdict{Kind: Retry, Err: err}
		}
		return Verdict{Kind: Done, Refused: r.Code}
	}
	s, isSnooze := errors.AsType[*snooze](err)
	_, isPermanent := errors.AsType[*permanent](err)
	switch {
	case err == nil, errors.Is(err, aggregate.ErrSettled):
		return Verdict{Kind: Done}
	case isPermanent, errors.Is(err, aggregate.ErrTooLarge):
		return Verdict{Kind: DeadLetter, Err: err}
	case isSnooze:
		return Verdict{Kind: Wait, After: s.after, Until: s.until, Err: s.err}
	default:
		return Verdict{Kind: Retry, Err: err, Late: errors.Is(ctx.Err(), context.DeadlineExceeded)}
	}
}

// GiveUp ends what a command began that becomes a dead letter, by the service's own
// handler where it has one for that, and answers the client: a request has an outcome
// even if its command has to wait for a person.
func GiveUp(ctx context.Context, log aggregate.Log, own Handlers, c contract.Command, now func() time.Time) error {
	if end := own[c.Name]; end != nil {
		if err := protect(ctx, end, c); err != nil {
			return fmt.Errorf("end %s: %w", c.Name, err)
		}
	}
	return aggregate.Refuse(ctx, log, c, contract.Refuse(contract.Internal,
		"Something went wrong on our side. Our team has been told; nothing was charged for this request."), now())
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

// Error makes it an error, by which it is found in what passes panics on.
func (c Crash) Error() string { return "simulated: the process died " + c.At }

func protect(ctx context.Context, h Handler, c contract.Command) (err error) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		if passed, ok := v.(error); ok {
			if crash, ok := errors.AsType[Crash](passed); ok {
				panic(crash)
			}
		}
		err = &PanicError{Value: v, Stack: debug.Stack()}
	}()
	return h(ctx, c)
}
