package console

import (
	"context"
	"encoding/json"
	"slices"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/flow"
)

type caseNow = aggregate.Snapshot[cases.Case]

type caseChange = aggregate.Change[cases.Case]

// maxApprovals bounds what one case remembers.
const maxApprovals = 100

// takeCase gives a case to an operator, or leaves it to the others. Whoever takes
// it from a colleague has it then: people agree on that, not programs.
func (a *Accounts) takeCase(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[cases.TakeData](c)
	if err != nil {
		return err
	}
	if data.Operator == "" || !contract.ValidToken(data.Case) {
		return contract.Refuse(contract.InvalidRequest, "A case is of a quote, and an operator takes it.")
	}
	return a.changeCase(ctx, c, data.Case, data.Person, data.ITAR, func(now cases.Case) (*caseChange, error) {
		switch {
		case data.Leave && now.Assignee == "", !data.Leave && now.Assignee == data.Operator:
			return nil, nil
		case data.Leave:
			now.Assignee, now.TakenAt = "", nil
			return &caseChange{Event: cases.EventReleased, State: now}, nil
		}
		at := a.now().UTC()
		now.Assignee, now.TakenAt = data.Operator, &at
		return &caseChange{Event: cases.EventTaken, State: now}, nil
	})
}

// requestApproval records what an operator wants to do. Nothing of it is done before
// another operator has agreed.
func (a *Accounts) requestApproval(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[cases.RequestApprovalData](c)
	if err != nil {
		return err
	}
	if data.Operator == "" || !contract.ValidToken(data.Case) || data.Cents <= 0 || commandOf(data.Kind) == (contract.CommandName{}) {
		return contract.Refuse(contract.InvalidRequest, "A request for approval says who wants what, and for how much.")
	}
	return a.changeCase(ctx, c, data.Case, data.Person, data.ITAR, func(now cases.Case) (*caseChange, error) {
		if slices.ContainsFunc(now.Open(), func(o cases.Approval) bool { return o.Kind == data.Kind }) {
			return nil, contract.Refuse(contract.Conflict, "Another %s is already waiting for approval. It must be decided first.", data.Kind)
		}
		if len(now.Approvals) >= maxApprovals {
			return nil, contract.Refuse(contract.Conflict, "There have already been %d requests for approval.", maxApprovals)
		}
		now.Approvals = append(slices.Clone(now.Approvals), cases.Approval{
			ID: c.ID, Kind: data.Kind, Cents: data.Cents, Currency: data.Currency, Command: data.Command,
			AskedBy: data.Operator, AskedAt: a.now().UTC(), Status: cases.ApprovalOpen,
		})
		now.Waiting = cases.Waits
		return &caseChange{Event: cases.EventApprovalRequested, State: now}, nil
	})
}

// decide records the second operator's decision, and has what was approved done.
// The decision is an event before anything is sent, and the command's id follows
// from it: a redelivery sends the same command again.
func (a *Accounts) decide(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[cases.DecideData](c)
	if err != nil {
		return err
	}
	snap, err := aggregate.At[cases.Case](a.events, contract.CaseAggregate, data.Case).Execute(ctx, c, a.now(), func(now caseNow) (*caseChange, error) {
		return a.decision(now.State, data)
	})
	if err != nil || !data.Approve {
		return err
	}
	return a.carryOut(ctx, c, snap.State, data.Approval)
}

func (a *Accounts) decision(now cases.Case, data cases.DecideData) (*caseChange, error) {
	i := slices.IndexFunc(now.Approvals, func(o cases.Approval) bool { return o.ID == data.Approval })
	if i < 0 {
		return nil, contract.Refuse(contract.NotFound, "There is no such request for approval.")
	}
	o := now.Approvals[i]
	switch {
	case o.Status != cases.ApprovalOpen:
		return nil, contract.Refuse(contract.Conflict, "This has already been %s by %s.", o.Status, o.DecidedBy)
	case data.Operator == "":
		return nil, contract.Refuse(contract.InvalidRequest, "A decision names its operator.")
	case data.Approve && data.Operator == o.AskedBy:
		return nil, contract.Refuse(contract.Conflict, "Someone else must approve what %s requested.", o.AskedBy)
	case data.Approve && len(o.Command) == 0:
		return nil, contract.Refuse(contract.Conflict, "What you asked for was erased with the customer’s data.")
	}
	at := a.now().UTC()
	o.DecidedBy, o.DecidedAt, o.Status = data.Operator, &at, cases.ApprovalRefused
	event := cases.EventApprovalDeclined
	if data.Approve {
		o.Status, o.Request, event = cases.ApprovalApproved, contract.RequestPrefix+contract.DeriveID(o.ID, "carried out"), cases.EventApprovalGranted
	}
	now.Approvals = slices.Clone(now.Approvals)
	now.Approvals[i] = o
	if len(now.Open()) == 0 {
		now.Waiting = ""
	}
	return &caseChange{Event: event, State: now}, nil
}

// carryOut sends the command that was approved. It answers a request of its own,
// so that its outcome, also a refusal, can be looked up.
func (a *Accounts) carryOut(ctx context.Context, c contract.Command, now cases.Case, approval string) error {
	i := slices.IndexFunc(now.Approvals, func(o cases.Approval) bool { return o.ID == approval })
	if i < 0 || now.Approvals[i].Status != cases.ApprovalApproved || len(now.Approvals[i].Command) == 0 {
		return nil
	}
	o := now.Approvals[i]
	data, err := signCommand(o)
	if err != nil {
		return flow.Permanent(err)
	}
	next, err := c.Follow(commandOf(o.Kind), o.ID, a.now(), data)
	if err != nil {
		return err
	}
	next.ID, next.Request, next.Account = o.Request, o.Request, now.Account
	return a.events.Send(ctx, next)
}

func commandOf(k cases.ApprovalKind) contract.CommandName {
	return map[cases.ApprovalKind]contract.CommandName{
		cases.ApproveRefund: orders.IssueRefund, cases.ApproveCancel: orders.Cancel, cases.ApprovePrice: quotes.PriceReview,
		cases.ApproveFormal: formal.IssueQuote,
	}[k]
}

// signCommand is what was asked for, in the names of both operators.
func signCommand(o cases.Approval) (json.RawMessage, error) {
	var data map[string]json.RawMessage
	if err := json.Unmarshal(o.Command, &data); err != nil {
		return nil, err
	}
	who, err := json.Marshal(cases.NamePair(o.AskedBy, o.DecidedBy))
	if err != nil {
		return nil, err
	}
	data["operator"] = who
	return json.Marshal(data)
}

// changeCase changes a case, which begins with the first command about it. A command
// that finds nothing to change completes its request.
func (a *Accounts) changeCase(ctx context.Context, c contract.Command, ref, person string, controlled bool, decide func(cases.Case) (*caseChange, error)) error {
	snap, err := aggregate.At[cases.Case](a.events, contract.CaseAggregate, ref).Execute(ctx, c, a.now(), func(now caseNow) (*caseChange, error) {
		state := now.State
		if !now.Exists() {
			state = cases.Case{Ref: ref, Account: c.Account, CreatedAt: a.now().UTC()}
		}
		if person != "" {
			state.Person = person
		}
		state.ITAR = state.ITAR || controlled
		return decide(state)
	})
	if err != nil || snap.Did(c.ID) {
		return err
	}
	return aggregate.At[cases.Case](a.events, contract.CaseAggregate, ref).Complete(ctx, c, a.now())
}

// eraseCases removes the words that were written to a customer, and whose cases
// they were, from the team's own records.
func (a *Accounts) eraseCases(ctx context.Context, c contract.Command, person string) error {
	eraser := aggregate.Eraser{Core: a.events, Command: c, Labels: erasures.Data{Person: person}.Labels(), At: a.now()}
	refs, err := eraser.Find(ctx, contract.CaseAggregate)
	if err != nil {
		return err
	}
	for _, ref := range refs {
		if err := aggregate.Redact(ctx, eraser, contract.CaseAggregate, ref, cases.Case.Redact); err != nil {
			return err
		}
	}
	if len(refs) == 0 {
		return nil
	}
	return eraser.Record(ctx, person, map[contract.Aggregate]int{contract.CaseAggregate: len(refs)}, 0)
}
