package console_test

import (
	"errors"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
)

// TestMembersByRole: owners alone manage members, nobody their own role; the last owner stays,
// but for an operator; another account's member is none.
func TestMembersByRole(t *testing.T) {
	t.Parallel()
	id := func(role accounts.Role) string { return clubMember(role).ID }
	add := func(by accounts.Role, email string, role accounts.Role) (contract.CommandName, any) {
		return accounts.AddMember, accounts.AddMemberData{By: memberBy(by), Email: email, Role: role}
	}
	set := func(by accounts.Role, subject string, role accounts.Role) (contract.CommandName, any) {
		return accounts.SetRole, accounts.SetRoleData{By: memberBy(by), Subject: subject, Role: role}
	}
	remove := func(by accounts.Role, subject string) (contract.CommandName, any) {
		return accounts.RemoveMember, accounts.RemoveMemberData{By: memberBy(by), Subject: subject}
	}
	type step struct {
		does string
		name contract.CommandName
		data any
		want contract.Code // "" = done
	}
	of := func(does string, want contract.Code, name contract.CommandName, data any) step {
		return step{does, name, data, want}
	}
	var steps []step
	put := func(does string, want contract.Code, name contract.CommandName, data any) {
		steps = append(steps, of(does, want, name, data))
	}
	do := func(does string, want contract.Code) func(contract.CommandName, any) {
		return func(name contract.CommandName, data any) { put(does, want, name, data) }
	}
	for _, role := range accounts.Roles()[1:] {
		do(string(role)+" adds", contract.Forbidden)(add(role, "x@acme.example", accounts.Viewer))
		do(string(role)+" raises themselves", contract.Forbidden)(set(role, id(role), accounts.Owner))
		do(string(role)+" removes an owner", contract.Forbidden)(remove(role, id(accounts.Owner)))
	}
	do("a stranger adds", contract.Forbidden)(add("stranger", "x@acme.example", accounts.Viewer))
	do("an owner lowers themselves", contract.Forbidden)(set(accounts.Owner, id(accounts.Owner), accounts.Viewer))
	do("the last owner leaves", contract.Conflict)(remove(accounts.Owner, id(accounts.Owner)))
	do("no address", contract.InvalidRequest)(add(accounts.Owner, "no address", accounts.Viewer))
	do("no role", contract.InvalidRequest)(add(accounts.Owner, "y@acme.example", "admin"))
	do("a member again", contract.Conflict)(add(accounts.Owner, "VIEWER@acme.example", accounts.Viewer))
	do("another account's", contract.NotFound)(remove(accounts.Owner, accounts.MemberID("acc_2", "viewer@acme.example")))
	do("an owner adds", "")(add(accounts.Owner, "second@acme.example", accounts.Finance))
	do("an owner raises", "")(set(accounts.Owner, id(accounts.Viewer), accounts.Owner))
	do("one of two owners leaves", "")(remove(accounts.Owner, id(accounts.Owner)))
	do("who has left adds", contract.Forbidden)(add(accounts.Owner, "z@acme.example", accounts.Owner))
	do("an operator removes the last owner", "")(accounts.EndMember, accounts.EndMemberData{Account: "acc_1", Subject: id(accounts.Viewer), Operator: "ann"})
	p := newClub(t, fullAccount())
	for i, s := range steps {
		before := len(p.state().Members)
		err := p.do(s.name, "req_"+string(rune('a'+i)), s.data)
		refusal := contract.RefusalIn(err)
		if s.want == "" && err != nil || s.want != "" && (refusal == nil || refusal.Code != s.want) {
			t.Errorf("%s: %v, want %q", s.does, err, s.want)
		}
		if after := len(p.state().Members); s.want != "" && after != before {
			t.Errorf("%s: %d members after %d, want as many", s.does, after, before)
		}
	}
	if team := p.state().Team(); team[0].Email != "ops@acme.example" || team[0].Role != accounts.Owner {
		t.Errorf("without an owner the team is %+v; want the account's address to be the owner again", team)
	}
}

// TestFirstMemberKeepsTheOwner: the account's address stays its owner when another member is
// added; once all are gone it is again. The letter goes out once, wherever the process ends.
func TestFirstMemberKeepsTheOwner(t *testing.T) {
	t.Parallel()
	for n := range 5 { // asked, done, recorded, written; 0 is never
		a := accounts.Account{ID: "acc_1", Name: "Acme", Email: "ops@acme.example"}
		p := newClub(t, a)
		by := accounts.By{Account: "acc_1", Member: a.Team()[0].ID}
		data := accounts.AddMemberData{By: by, Email: "dev@acme.example", Role: accounts.Developer}
		p.core.n = n
		if err := p.do(accounts.AddMember, "req_1", data); (n > 0) != errors.Is(err, errDied) {
			t.Fatalf("write %d: %v", n, err)
		}
		if err := p.do(accounts.AddMember, "req_1", data); err != nil {
			t.Fatalf("write %d, again: %v", n, err)
		}
		ids := map[string]bool{}
		for _, c := range p.core.emails {
			ids[c.ID] = true
		}
		if team := p.state().Members; len(team) != 2 || team[0].Email != "ops@acme.example" || team[0].Role != accounts.Owner || len(ids) != 1 {
			t.Errorf("write %d: team %+v, %d letters; want the owner and the developer, one letter", n, team, len(ids))
		}
	}
}

// TestEndpointActsAreRecorded: what a member asks the webhooks service for stands in the trail once, in their name; of
// whoever may not, or asks for what members do not, nothing does.
func TestEndpointActsAreRecorded(t *testing.T) {
	t.Parallel()
	p := newClub(t, fullAccount())
	note := func(role accounts.Role, verb string) error {
		return p.do(accounts.NoteEndpointAct, "req_"+string(role)+verb, accounts.NoteEndpointActData{By: memberBy(role), Endpoint: "we_1", Verb: verb})
	}
	for _, role := range append(accounts.Roles(), "stranger") {
		_, before := p.trail()
		err := errors.Join(note(role, "create-endpoint"), note(role, "create-endpoint"))
		r, n := p.trail()
		if may := role.May(accounts.ManageWebhooks); (err == nil) != may || may && (n != before+1 || r.Action != "made a webhook endpoint" || r.ID != "we_1" || r.Operator != "member "+string(role)+"@acme.example" || r.From != "192.0.2.9") || !may && n != before {
			t.Errorf("%s: %v, %d entries, the last %+v; want one where the role may", role, err, n-before, r)
		}
	}
	if err := note(accounts.Owner, "disable-endpoint"); err == nil {
		t.Error("a member's disabling is recorded, which is no command of theirs")
	}
}
