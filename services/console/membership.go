package console

import (
	"context"
	"slices"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/emails"
	"boardorder/pkg/flow"
)

// add makes somebody a member and writes to them. Delivered again, it writes the same letter,
// which goes out once.
func (m *Members) add(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[accounts.AddMemberData](c)
	if err != nil {
		return err
	}
	id := accounts.MemberID(data.Account, data.Email)
	r := audits.Record{Action: "added a member", Kind: "member", ID: id, After: map[string]string{"e-mail": data.Email, "role": string(data.Role)}}
	err = m.act(ctx, c, data.By, accounts.ManageMembers, r, func(now aggregate.Snapshot[accounts.Account], by accounts.Member) (*change, error) {
		return addMember(now.State, data, by, m.now())
	})
	if err != nil {
		return err
	}
	email, err := c.Follow(emails.Send, id, m.now(), emails.SendData{
		Kind: emails.MemberAdded, About: data.Account, Item: id, ID: contract.DeriveID("email", string(emails.MemberAdded), c.ID),
	})
	if err != nil {
		return err
	}
	return m.events.Send(ctx, email)
}

func addMember(account accounts.Account, data accounts.AddMemberData, by accounts.Member, at time.Time) (*change, error) {
	team := slices.Clone(account.Team())
	id := accounts.MemberID(account.ID, data.Email)
	switch _, known := account.Member(id); {
	case data.Email == "" || !mailAddress(data.Email):
		return nil, refuseAddress()
	case !slices.Contains(accounts.Roles(), data.Role):
		return nil, contract.Refuse(contract.InvalidRequest, "A member's role is one of %v.", accounts.Roles())
	case known:
		return nil, contract.Refuse(contract.Conflict, "This address is a member's already.")
	case len(team) >= accounts.MaxMembers:
		return nil, contract.Refuse(contract.Conflict, "An account has %d members at most.", accounts.MaxMembers)
	}
	account.Members = append(team, accounts.Member{ID: id, Email: data.Email, Role: data.Role, AddedAt: at.UTC(), AddedBy: by.Email})
	return &change{Event: accounts.EventMemberAdded, State: account}, nil
}

// setRole says what another member does.
func (m *Members) setRole(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[accounts.SetRoleData](c)
	if err != nil {
		return err
	}
	r := audits.Record{Action: "set a member's role", Kind: "member", ID: data.Subject, After: map[string]string{"role": string(data.Role)}}
	return m.act(ctx, c, data.By, accounts.ManageMembers, r, func(now aggregate.Snapshot[accounts.Account], by accounts.Member) (*change, error) {
		return setRole(now.State, data.Subject, data.Role, by)
	})
}

func setRole(account accounts.Account, subject string, role accounts.Role, by accounts.Member) (*change, error) {
	team := slices.Clone(account.Team())
	i := slices.IndexFunc(team, func(m accounts.Member) bool { return m.ID == subject })
	switch {
	case i < 0:
		return nil, refuseNobody()
	case !slices.Contains(accounts.Roles(), role):
		return nil, contract.Refuse(contract.InvalidRequest, "A member's role is one of %v.", accounts.Roles())
	case subject == by.ID:
		return nil, contract.Refuse(contract.Forbidden, "Nobody changes their own role. Another owner can.")
	case team[i].Role == role:
		return nil, nil
	}
	team[i].Role = role
	account.Members = team
	return &change{Event: accounts.EventMemberChanged, State: account}, nil
}

// remove ends a membership. Sessions of the member find nobody to be of.
func (m *Members) remove(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[accounts.RemoveMemberData](c)
	if err != nil {
		return err
	}
	r := audits.Record{Action: "removed a member", Kind: "member", ID: data.Subject}
	return m.act(ctx, c, data.By, accounts.ManageMembers, r, func(now aggregate.Snapshot[accounts.Account], _ accounts.Member) (*change, error) {
		owners := slices.DeleteFunc(slices.Clone(now.State.Team()), func(m accounts.Member) bool { return m.Role != accounts.Owner })
		if len(owners) == 1 && owners[0].ID == data.Subject {
			return nil, contract.Refuse(contract.Conflict, "The last owner cannot be removed. Make another member an owner first.")
		}
		return removeMember(now.State, data.Subject)
	})
}

// end removes a member in an operator's name, who may remove the last owner, too.
func (m *Members) end(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[accounts.EndMemberData](c)
	if err != nil {
		return err
	}
	_, err = aggregate.At[accounts.Account](m.events, contract.AccountAggregate, data.Account).Execute(ctx, c, m.now(),
		func(now aggregate.Snapshot[accounts.Account]) (*change, error) {
			if !slices.ContainsFunc(now.State.Members, func(m accounts.Member) bool { return m.ID == data.Subject }) {
				return nil, contract.Refuse(contract.Conflict, "The account has no such member beside its address, which is changed by itself.")
			}
			return removeMember(now.State, data.Subject)
		})
	return err
}

// removeMember takes a member out. Of their address no earlier event stays.
func removeMember(account accounts.Account, subject string) (*change, error) {
	team := account.Team()
	left := slices.DeleteFunc(slices.Clone(team), func(m accounts.Member) bool { return m.ID == subject })
	if len(left) == len(team) {
		return nil, refuseNobody()
	}
	account.Members = left
	return &change{Event: accounts.EventMemberRemoved, State: account, Forget: true}, nil
}

func refuseNobody() *contract.Refusal {
	return contract.Refuse(contract.NotFound, "The account has no such member.")
}
