package web

import (
	"context"
	"errors"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/services/console/internal/ask"

	"go.uber.org/zap"
)

// A Recorder writes the audit trail. What it could not record is not done.
type Recorder interface {
	Record(ctx context.Context, r audits.Record) error
}

// recordTimeout bounds how long the outcome of something that was done is tried
// to be recorded after whoever asked for it has left.
const recordTimeout = 10 * time.Second

// did does something in the operator's name: that it is about to be done is
// recorded first, and how it ended after it.
func (c *call) did(r audits.Record, do func() error) error {
	r.Outcome = "asked"
	if err := c.record(c.r.Context(), &r); err != nil {
		return err
	}
	err := do()
	r.Outcome, r.Before, r.After = outcomeWord(err), nil, nil
	c.note(zap.InfoLevel, r.Action, zap.String(r.Kind, r.ID), zap.String("account", r.Account), zap.String("request", r.Request), outcome(err))
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.r.Context()), recordTimeout)
	defer cancel()
	if wrong := c.record(ctx, &r); wrong != nil {
		c.s.Log.Error("how an operator's action ended is not in the audit trail", zap.String("request", r.Request), zap.Error(wrong))
	}
	return err
}

// command is did for a command whose outcome is waited for.
func (c *call) command(r audits.Record, name contract.CommandName, request, account string, data any) error {
	r.Request, r.Account = request, account
	return c.did(r, func() error { return c.s.Ask.Do(c.r.Context(), name, request, account, data) })
}

// saw records that an operator is about to see or take something that not all may.
func (c *call) saw(r audits.Record) error {
	r.Outcome = "done"
	if err := c.record(c.r.Context(), &r); err != nil {
		return err
	}
	c.note(zap.InfoLevel, r.Action, zap.String(r.Kind, r.ID))
	return nil
}

func (c *call) record(ctx context.Context, r *audits.Record) error {
	if r.Operator == "" && c.session != nil {
		r.Operator = c.session.Operator.Name
	}
	r.From = c.address()
	return c.s.Trail.Record(ctx, *r)
}

// outcomeWord is how something ended, in the words of the trail.
func outcomeWord(err error) string {
	switch {
	case err == nil:
		return "done"
	case contract.RefusalIn(err) != nil:
		return "refused"
	case errors.Is(err, ask.ErrSlow):
		return "slow"
	}
	return "failed"
}
