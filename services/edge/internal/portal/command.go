package portal

import (
	"context"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
)

// timeout is how long a form waits for what comes of it.
const timeout = 10 * time.Second

// author says to the console service who gives a command.
func (p *Portal) author(c *call) accounts.By {
	return accounts.By{Account: c.account.ID, Member: c.member.ID, From: p.Address(c.Call)}
}

// request names what the form asks for: the same for the form that is sent twice, and
// another than any other account's, whatever stands in the form.
func (c *call) request() string {
	return contract.RequestPrefix + contract.DeriveID("portal", c.account.ID, c.member.ID, c.form.Get("request"))
}

// readOutcome is how a request ended; nil while it has not. The account itself is not looked at,
// which the edge reads from its stream alone.
func (p *Portal) readOutcome(ctx context.Context, request string) (*contract.Operation, error) {
	op, found, err := outcome.Read[contract.Operation](ctx, p.Docs, string(contract.OperationAggregate), request)
	if err != nil || !found {
		return nil, err
	}
	return &op, nil
}

// command sends what a form asks for and waits for what comes of it. A refusal is a
// *contract.Refusal; slow says that the command is stored and not carried out yet. The
// command is sent once more where the answer was lost: the same id is the same command.
func (p *Portal) command(c *call, name contract.CommandName, data any) (slow bool, err error) {
	cmd, err := contract.NewCommand(name, c.request(), c.account.ID, p.Now(), data)
	if err != nil {
		return false, err
	}
	w := p.Waiters.Join(wait.Request(cmd.Request))
	defer w.Leave()
	if err := p.Send.Send(c.Context(), cmd); err != nil {
		if err := p.Send.Send(c.Context(), cmd); err != nil {
			return false, problem.Unavailable(err)
		}
	}
	var op *contract.Operation
	_, _ = w.AwaitNext(c.Context(), timeout, func(ctx context.Context) (bool, error) {
		found, err := p.readOutcome(ctx, cmd.Request)
		if err == nil {
			op = found
		}
		return op != nil, nil
	})
	if op != nil && op.Refusal != nil {
		return false, op.Refusal
	}
	return op == nil, nil
}

// finish goes on after a command: to a page that says what was done, that it takes longer,
// or what was wrong.
func (p *Portal) finish(c *call, slow bool, err error, to, done string) error {
	refusal := contract.RefusalIn(err)
	switch {
	case refusal != nil && refusal.Code == contract.NotFound:
		return p.missing(c, "thing")
	case refusal != nil:
		return p.refuse(c, refusal.Message)
	case err != nil:
		return err
	case slow:
		done = "slow"
	}
	return redirect(c.Call, to+"?done="+done)
}
