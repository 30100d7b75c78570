package portal

import (
	"net/http"
	"net/mail"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
)

type membersView struct {
	frame
	Team []accounts.Member
}

// membersPage answers GET /portal/members.
func (p *Portal) membersPage(c *call) error {
	return p.show(c.Call, http.StatusOK, "members", membersView{p.frame("Members", c), c.account.Team()})
}

type memberView struct {
	frame
	Subject accounts.Member // of the page; of a new one what was typed
	Roles   []accounts.Role
	Problem string
}

func (p *Portal) memberView(c *call, title string) memberView {
	return memberView{frame: p.frame(title, c), Roles: accounts.Roles(), Subject: accounts.Member{Role: accounts.Viewer}}
}

// newMemberPage answers GET /portal/members/add.
func (p *Portal) newMemberPage(c *call) error {
	return p.show(c.Call, http.StatusOK, "newmember", p.memberView(c, "Add a member"))
}

// addMember answers POST /portal/members/add: somebody is made a member, and written to.
func (p *Portal) addMember(c *call) error {
	v := p.memberView(c, "Add a member")
	v.Subject.Email, v.Subject.Role = strings.TrimSpace(c.form.Get("email")), accounts.Role(c.form.Get("role"))
	if a, err := mail.ParseAddress(v.Subject.Email); err != nil || a.Address != v.Subject.Email || len(v.Subject.Email) > maxEmail {
		v.Problem = "This is not an e-mail address; one looks like name@example.com."
		return p.show(c.Call, http.StatusUnprocessableEntity, "newmember", v)
	}
	slow, err := p.command(c, accounts.AddMember, accounts.AddMemberData{By: p.author(c), Email: v.Subject.Email, Role: v.Subject.Role})
	if refusal := contract.RefusalIn(err); refusal != nil {
		v.Problem = refusal.Message
		return p.show(c.Call, http.StatusUnprocessableEntity, "newmember", v)
	}
	return p.finish(c, slow, err, root+"/members", "added")
}

// memberPage answers GET /portal/members/{member}.
func (p *Portal) memberPage(c *call) error {
	v := p.memberView(c, "A member")
	var ok bool
	if v.Subject, ok = c.account.Member(c.Param("member")); !ok {
		return p.missing(c, "member")
	}
	return p.show(c.Call, http.StatusOK, "member", v)
}

// changeMember answers POST /portal/members/{member}: their role, or that they are one no more.
func (p *Portal) changeMember(c *call) error {
	v := p.memberView(c, "A member")
	var ok bool
	if v.Subject, ok = c.account.Member(c.Param("member")); !ok {
		return p.missing(c, "member")
	}
	name, data, done := accounts.SetRole, any(accounts.SetRoleData{By: p.author(c), Subject: v.Subject.ID, Role: accounts.Role(c.form.Get("role"))}), "role"
	if c.form.Get("do") == "remove" {
		name, data, done = accounts.RemoveMember, accounts.RemoveMemberData{By: p.author(c), Subject: v.Subject.ID}, "removed"
	}
	slow, err := p.command(c, name, data)
	if refusal := contract.RefusalIn(err); refusal != nil {
		v.Problem = refusal.Message
		return p.show(c.Call, http.StatusUnprocessableEntity, "member", v)
	}
	return p.finish(c, slow, err, root+"/members", done)
}
