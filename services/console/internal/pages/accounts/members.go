package accounts

import (
	"fmt"

	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/session"
	"boardorder/services/console/internal/page"
)

// memberRow is a member of an account and where they are signed in to the portal.
type memberRow struct {
	accounts.Member
	Sessions []session.Listed
}

// listMembers lists who may sign in to the portal for an account.
func (s *Section) listMembers(c *page.Call, a accounts.Account) ([]memberRow, error) {
	var rows []memberRow
	for _, m := range a.Team() {
		name, _ := a.Session(m)
		found, err := s.Members.List(c.R.Context(), name)
		if err != nil {
			return nil, err
		}
		rows = append(rows, memberRow{m, found})
	}
	return rows, nil
}

// findMember gives the account and the member that the address names.
func (s *Section) findMember(c *page.Call) (v accountView, m accounts.Member, err error) {
	if v, err = s.accountView(c); err != nil {
		return v, m, err
	}
	m, known := v.Member(c.R.PathValue("member"))
	if !known {
		return v, m, page.Missing("member")
	}
	return v, m, nil
}

// EndSessions signs a member out of the portal, everywhere.
func (s *Section) EndSessions(c *page.Call) error {
	v, m, err := s.findMember(c)
	if err != nil {
		return err
	}
	name, _ := v.Account.Session(m)
	err = c.Act(audits.Record{Action: "ended a member's sessions", Kind: "member", ID: m.ID, Account: v.ID, After: map[string]string{"e-mail": m.Email}}, func() error {
		_, err := s.Members.EndAll(c.R.Context(), name)
		return err
	})
	return c.Finish(err, fmt.Sprintf("/accounts/%s", v.ID), "sessions-ended")
}

// RemoveMember ends a membership.
func (s *Section) RemoveMember(c *page.Call) error {
	v, m, err := s.findMember(c)
	if err != nil {
		return err
	}
	err = c.Command(audits.Record{Action: "removed a member", Kind: "member", ID: m.ID, Before: map[string]string{"e-mail": m.Email, "role": string(m.Role)}},
		accounts.EndMember, c.R.PostFormValue("request"), v.ID, accounts.EndMemberData{Account: v.ID, Subject: m.ID, Operator: c.Session.Operator.Name})
	return c.Finish(err, fmt.Sprintf("/accounts/%s", v.ID), "member-removed")
}
