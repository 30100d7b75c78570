package page

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	casescontract "boardorder/pkg/contract/cases"
	"boardorder/services/console/internal/ask"
	"boardorder/services/console/internal/cases"

	"go.uber.org/zap"
)

// A Recorder writes the audit trail. What it could not record is not done.
type Recorder interface {
	Record(ctx context.Context, r audits.Record) error
}

// recordTimeout bounds how long the outcome of something that was done is tried
// to be recorded after whoever asked for it has left.
const recordTimeout = 10 * time.Second

// Act does something in the operator's name: that it is about to be done is
// recorded first, and how it ended after it.
func (c *Call) Act(r audits.Record, do func() error) error {
	r.Outcome = "asked"
	if err := c.record(c.R.Context(), &r); err != nil {
		return err
	}
	err := do()
	r.Outcome, r.Before, r.After = outcomeWord(err), nil, nil
	c.note(zap.InfoLevel, r.Action, zap.String(r.Kind, r.ID), zap.String("account", r.Account), zap.String("request", r.Request), outcome(err))
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.R.Context()), recordTimeout)
	defer cancel()
	if wrong := c.record(ctx, &r); wrong != nil {
		c.site.Log.Error("how an operator's action ended is not in the audit trail", zap.String("request", r.Request), zap.Error(wrong))
	}
	return err
}

// Command is Act for a command whose outcome is waited for.
func (c *Call) Command(r audits.Record, name contract.CommandName, request, account string, data any) error {
	r.Request, r.Account = request, account
	return c.Act(r, func() error { return c.site.Ask.Do(c.R.Context(), name, request, account, data) })
}

// RecordAccess records that an operator is about to see or take something that not all may.
func (c *Call) RecordAccess(r audits.Record) error {
	r.Outcome = "done"
	if err := c.record(c.R.Context(), &r); err != nil {
		return err
	}
	c.note(zap.InfoLevel, r.Action, zap.String(r.Kind, r.ID))
	return nil
}

func (c *Call) record(ctx context.Context, r *audits.Record) error {
	if r.Operator == "" && c.Session != nil {
		r.Operator = c.Session.Operator.Name
	}
	r.From = c.Address()
	return c.site.Trail.Record(ctx, *r)
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

// outcome is how a command ended, for the log.
func outcome(err error) zap.Field {
	if refusal := contract.RefusalIn(err); refusal != nil {
		return zap.String("outcome", string(refusal.Code))
	}
	if err != nil {
		return zap.String("outcome", err.Error())
	}
	return zap.String("outcome", "done")
}

// RequestApproval has a second operator look at something before it is done.
func (c *Call) RequestApproval(r audits.Record, of cases.Subject, kind casescontract.ApprovalKind, request string, cents int64, currency string, data any) error {
	body, err := json.Marshal(data)
	if err != nil {
		return err
	}
	r.Action = "asked to " + cases.Describe(kind)
	return c.Command(r, casescontract.RequestApproval, request, of.Account, casescontract.RequestApprovalData{
		Case: of.Ref, Person: of.Person, ITAR: of.ITAR, Operator: c.Session.Operator.Name, Kind: kind, Cents: cents, Currency: currency, Command: body,
	})
}
