package console

import (
	"context"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
)

// A memberDecision decides what a member who has the right changes.
type memberDecision func(now aggregate.Snapshot[accounts.Account], by accounts.Member) (*change, error)

// act carries out what a member asks for: that it was asked for is recorded first, and how it
// ended after it, under ids that follow from the command, so that neither stands there
// twice. Whether the member may is decided on the state that the change is appended to.
func (m *Members) act(ctx context.Context, c contract.Command, by accounts.By, needs accounts.Right, r audits.Record, decide memberDecision) error {
	account := aggregate.At[accounts.Account](m.events, contract.AccountAggregate, by.Account)
	now, err := account.Load(ctx)
	if err != nil {
		return err
	}
	if now.HasRefused(c.ID) {
		return aggregate.ErrSettled
	}
	member, known := now.State.Member(by.Member)
	if !known {
		return refuseMember()
	}
	r.Operator, r.Account, r.Request, r.From, r.Outcome = memberName(member), by.Account, c.Request, by.From, "asked"
	if err := m.trail.record(ctx, contract.DeriveID(c.ID, "asked"), r); err != nil {
		return err
	}
	snap, err := account.Execute(ctx, c, m.now(), func(now aggregate.Snapshot[accounts.Account]) (*change, error) {
		member, known := now.State.Member(by.Member)
		if !known || !member.Role.May(needs) {
			return nil, refuseMember()
		}
		return decide(now, member)
	})
	refusal := contract.RefusalIn(err)
	if err != nil && refusal == nil {
		return err
	}
	r.Before, r.After, r.Outcome = nil, nil, "done"
	if refusal != nil {
		r.Outcome = "refused"
	}
	if wrong := m.trail.record(ctx, contract.DeriveID(c.ID, "ended"), r); wrong != nil {
		return wrong
	}
	if err != nil || snap.Did(c.ID) {
		return err
	}
	return account.Complete(ctx, c, m.now())
}

// memberName is what the trail calls a member, whose name is no operator's.
func memberName(m accounts.Member) string { return "member " + m.Email }

func refuseMember() *contract.Refusal {
	return contract.Refuse(contract.Forbidden, "Your role does not let you do this.")
}
