package console

import (
	"context"
	"encoding/json"
	"slices"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
)

type caseNow = aggregate.Snapshot[contract.Case]

type caseChange = aggregate.Change[contract.Case]

// maxApprovals bounds what one case remembers.
const maxApprovals = 100

// takeCase gives a case to an operator, or leaves it to the others. Whoever takes
// it from a colleague has it then: people agree on that, not programs.
func (a *Accounts) takeCase(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[contract.TakeCaseData](c)
	if err != nil {
		return err
	}
	if data.Operator == "" || !contract.ValidToken(data.Case) {
		return contract.Refuse(contract.InvalidRequest, "A case is of a quote, and an operator takes it.")
	}
	return a.changeCase(ctx, c, data.Case, data.Person, data.ITAR, func(now contract.Case) (*caseChange, error) {
		switch {
		case data.Leave && now.Assignee == "", !data.Leave && now.Assignee == data.Operator:
			return nil, nil
		case data.Leave:
			now.Assignee, now.TakenAt = "", nil
			return &caseChange{Event: contract.CaseReleased, State: now}, nil
		}
		at := a.now().UTC()
		now.Assignee, now.TakenAt = data.Operator, &at
		return &caseChange{Event: contract.CaseTaken, State: now}, nil
	})
}

// askApproval records what an operator wants to do. Nothing of it is done before
// another operator has agreed.
func (a *Accounts) askApproval(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[contract.AskApprovalData](c)
	if err != nil {
		return err
	}
	if data.Operator == "" || !contract.ValidToken(data.Case) || data.Cents <= 0 || commandOf(data.Kind) == (contract.CommandName{}) {
		return contract.Refuse(contract.InvalidRequest, "A request for approval says who wants what, and for how much.")
	}
	return a.changeCase(ctx, c, data.Case, data.Person, data.ITAR, func(now contract.Case) (*caseChange, error) {
		if slices.ContainsFunc(now.Open(), func(o contract.Approval) bool { return o.Kind == data.Kind }) {
			return nil, contract.Refuse(contract.Conflict, "Another %s waits for approval already. It has to be decided first.", data.Kind)
		}
		if len(now.Approvals) >= maxApprovals {
			return nil, contract.Refuse(contract.Conflict, "There were %d requests for approval already.", maxApprovals)
		}
		now.Approvals = append(slices.Clone(now.Approvals), contract.Approval{
			ID: c.ID, Kind: data.Kind, Cents: data.Cents, Currency: data.Currency, Command: data.Command,
			AskedBy: data.Operator, AskedAt: a.now().UTC(), Status: contract.ApprovalOpen,
		})
		now.Waiting = contract.CaseWaits
		return &caseChange{Event: contract.ApprovalAsked, State: now}, nil
	})
}

// decide records the second operator's decision, and has what was approved done.
// The decision is an event before anything is sent, and the command's id follows
// from it: a redelivery sends the same command again.
func (a *Accounts) decide(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[contract.DecideRequestData](c)
	if err != nil {
		return err
	}
	snap, err := aggregate.At[contract.Case](a.events, contract.CaseAggregate, data.Case).Execute(ctx, c, a.now(), func(now caseNow) (*caseChange, error) {
		return a.decision(now.State, data)
	})
	if err != nil || !data.Approve {
		return err
	}
	return a.carryOut(ctx, c, snap.State, data.Approval)
}

func (a *Accounts) decision(now contract.Case, data contract.DecideRequestData) (*caseChange, error) {
	i := slices.IndexFunc(now.Approvals, func(o contract.Approval) bool { return o.ID == data.Approval })
	if i < 0 {
		return nil, contract.Refuse(contract.NotFound, "There is no such request for approval.")
	}
	o := now.Approvals[i]
	switch {
	case o.Status != contract.ApprovalOpen:
		return nil, contract.Refuse(contract.Conflict, "This was %s by %s already.", o.Status, o.DecidedBy)
	case data.Operator == "":
		return nil, contract.Refuse(contract.InvalidRequest, "A decision names its operator.")
	case data.Approve && data.Operator == o.AskedBy:
		return nil, contract.Refuse(contract.Conflict, "Somebody else has to approve what %s asked for.", o.AskedBy)
	case data.Approve && len(o.Command) == 0:
		return nil, contract.Refuse(contract.Conflict, "What was asked for was erased with the customer’s data.")
	}
	at := a.now().UTC()
	o.DecidedBy, o.DecidedAt, o.Status = data.Operator, &at, contract.ApprovalRefused
	event := contract.ApprovalDeclined
	if data.Approve {
		o.Status, o.Request, event = contract.ApprovalApproved, contract.RequestPrefix+contract.DeriveID(o.ID, "carried out"), contract.ApprovalGranted
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
func (a *Accounts) carryOut(ctx context.Context, c contract.Command, now contract.Case, approval string) error {
	i := slices.IndexFunc(now.Approvals, func(o contract.Approval) bool { return o.ID == approval })
	if i < 0 || now.Approvals[i].Status != contract.ApprovalApproved || len(now.Approvals[i].Command) == 0 {
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

func commandOf(k contract.ApprovalKind) contract.CommandName {
	return map[contract.ApprovalKind]contract.CommandName{
		contract.ApproveRefund: contract.RefundOrder, contract.ApproveCancel: contract.CancelOrder, contract.ApprovePrice: contract.PriceReview,
		contract.ApproveFormal: contract.QuoteCentral,
	}[k]
}

// signCommand is what was asked for, in the names of both operators.
func signCommand(o contract.Approval) (json.RawMessage, error) {
	var data map[string]json.RawMessage
	if err := json.Unmarshal(o.Command, &data); err != nil {
		return nil, err
	}
	who, err := json.Marshal(o.AskedBy + ", approved by " + o.DecidedBy)
	if err != nil {
		return nil, err
	}
	data["operator"] = who
	return json.Marshal(data)
}

// changeCase changes a case, which begins with the first command about it. A command
// that finds nothing to change completes its request.
func (a *Accounts) changeCase(ctx context.Context, c contract.Command, ref, person string, controlled bool, decide func(contract.Case) (*caseChange, error)) error {
	snap, err := aggregate.At[contract.Case](a.events, contract.CaseAggregate, ref).Execute(ctx, c, a.now(), func(now caseNow) (*caseChange, error) {
		state := now.State
		if !now.Exists() {
			state = contract.Case{Ref: ref, Account: c.Account, CreatedAt: a.now().UTC()}
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
	return aggregate.At[contract.Case](a.events, contract.CaseAggregate, ref).Complete(ctx, c, a.now())
}

// eraseCases removes the words that were written to a customer, and whose cases
// they were, from the team's own records.
func (a *Accounts) eraseCases(ctx context.Context, c contract.Command, person string) error {
	eraser := aggregate.Eraser{Core: a.events, Command: c, Marks: contract.EraseData{Person: person}.Marks(), At: a.now()}
	refs, err := eraser.Find(ctx, contract.CaseAggregate)
	if err != nil {
		return err
	}
	for _, ref := range refs {
		if err := aggregate.Redact(ctx, eraser, contract.CaseAggregate, ref, contract.Case.Redact); err != nil {
			return err
		}
	}
	if len(refs) == 0 {
		return nil
	}
	return eraser.Record(ctx, person, map[contract.Aggregate]int{contract.CaseAggregate: len(refs)}, 0)
}
