package console

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/flow"
)

// approver stands in the trail for whoever answered on a page for customers: the quote has the name,
// which goes when the customer's data are erased, and the trail its digest.
const approver = "customer"

// Approvals writes into the trail what customers answered about alternative parts.
type Approvals struct {
	events aggregate.Log
	trail  *Trail
}

// NewApprovals makes it.
func NewApprovals(events aggregate.Log, now func() time.Time) *Approvals {
	return &Approvals{events, NewTrail(events, now)}
}

// Handlers are the commands about approvals.
func (a *Approvals) Handlers() flow.Handlers {
	return flow.Handlers{audits.NoteApproval: a.note}
}

// note records the answer to an approval as its quote has it, whatever the command says.
func (a *Approvals) note(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[audits.NoteApprovalData](c)
	if err != nil {
		return err
	}
	now, err := aggregate.At[quotes.Quote](a.events, contract.QuoteAggregate, data.Quote).Load(ctx)
	if err != nil {
		return err
	}
	if !now.Exists() { // it was erased
		return nil
	}
	asked := now.State.Approval(data.Approval)
	if asked == nil || asked.Answer == nil {
		return flow.Permanent(fmt.Errorf("quote %s has no answered approval %q", data.Quote, data.Approval))
	}
	answer := asked.Answer
	r := audits.Record{
		Operator: approver, Action: "declined parts", Kind: "quote", ID: data.Quote, Account: now.State.Account, Outcome: "done",
		After: map[string]string{"approval": asked.ID, "shown": answer.Shown, "name": audits.DigestText(answer.Name), "looked at it for": strconv.Itoa(answer.LookedS) + " s"},
	}
	if approved, _ := asked.Count(); approved > 0 {
		r.Action = "approved parts"
	}
	if answer.SameNetwork {
		r.After["network"] = "that of the key that asked"
	}
	for i, l := range asked.Lines {
		word := answer.Chosen[i]
		if word == "" {
			word = "declined"
		}
		r.After[fmt.Sprintf("line %d", i+1)] = l.Reference + ": " + word
	}
	return a.trail.record(ctx, c.ID, r)
}
