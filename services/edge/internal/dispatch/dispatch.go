// Package dispatch passes what clients ask on as commands and waits for what comes of
// them. All handlers share one client, which is filled once.
package dispatch

import (
	"context"
	"errors"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/idempotency"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
)

// Client is what every handler works with.
type Client struct {
	Send    aggregate.Sender
	Docs    projection.Store // an outcome.Current
	Waiters *wait.Waiters
	Secrets *secret.Keyring
	Keys    *idempotency.Keys // by which clients name their requests
	// PublicURL is where customers reach the service, without a slash at the end.
	PublicURL string
	Now       func() time.Time
}

// ErrNotSent says that a command is perhaps not stored.
var ErrNotSent = errors.New("the command was not confirmed")

// NewRequest names a new request.
func (k *Client) NewRequest() string { return contract.NewID(contract.RequestPrefix, k.Now()) }

// Do sends a command and waits for what comes of it. A refusal is an error. So is
// an outcome that takes longer than the timeout.
func (k *Client) Do(ctx context.Context, cmd contract.Command, timeout time.Duration) (*outcome.Outcome, error) {
	w := k.Waiters.Join(wait.Request(cmd.Request))
	defer w.Leave()
	if err := k.Send.Send(ctx, cmd); err != nil {
		return nil, problem.Unavailable(err)
	}
	out, err := outcome.Outcomes{Docs: k.Docs}.Await(ctx, w, cmd.Request, timeout)
	switch {
	case err != nil:
		return nil, err
	case out == nil:
		return nil, problem.New(contract.Unavailable, "This takes longer than usual. Nothing is lost; please try again in a moment.")
	case out.Refusal != nil:
		return nil, out.Refusal
	}
	return out, nil
}

// Submit sends a command of a new request, whose sender goes on if the outcome takes
// longer than the timeout: then it is nil. A refusal is a [*problem.Problem]. The
// command is sent once more where the answer was lost, as the same id is the same
// command; ErrNotSent is in the error where that was in vain, too.
func (k *Client) Submit(ctx context.Context, cmd contract.Command, timeout time.Duration) (*outcome.Outcome, error) {
	w := k.Waiters.Join(wait.Request(cmd.Request))
	defer w.Leave()
	err := k.Send.Send(ctx, cmd)
	if err != nil {
		err = k.Send.Send(ctx, cmd)
	}
	if err != nil {
		return nil, errors.Join(ErrNotSent, err)
	}
	out := outcome.Outcomes{Docs: k.Docs}.AwaitNext(ctx, w, cmd.Request, timeout)
	if out != nil && out.Refusal != nil {
		return nil, problem.NewFromRefusal(out.Refusal)
	}
	return out, nil
}
