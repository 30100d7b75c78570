package edge_test

import (
	"encoding/json"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
)

// TestPortalDetails: an owner sets the account's name and address; what the console refuses is said, with what was typed.
func TestPortalDetails(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.putAccount(acme(w.now()))
	v := w.portal()
	v.signIn(owner)
	form := v.fill(v.get("/portal/details"), "/portal/details")
	form.Set("name", " Acme  <b>Boards</b> ")
	form.Set("email", "new@acme.example")
	w.set(func() { w.refuse = contract.Refuse(contract.InvalidRequest, "This is not an e-mail address.") })
	if p := v.post("/portal/details", form); p.status != 422 || !strings.Contains(p.body, "This is not an e-mail address.") || !strings.Contains(p.body, "new@acme.example") {
		t.Errorf("refused: %d, want 422, why, and what was typed", p.status)
	}
	w.set(func() { w.refuse = nil })
	form.Set("request", "another")
	if v.post("/portal/details", form); len(w.commandsOf(accounts.SetOwnDetails)) != 2 {
		t.Fatalf("%d commands, want 2", len(w.commandsOf(accounts.SetOwnDetails)))
	}
	if c := readLast[accounts.SetOwnDetailsData](w, accounts.SetOwnDetails); c.Name != "Acme <b>Boards</b>" || c.Email != "new@acme.example" || c.Member != accounts.MemberID(account, owner) || c.From == "" {
		t.Errorf("the command is %+v", c)
	}
}

// TestPortalMembers: an owner adds a member, whose role counts with their next request, and
// whose session ends when they are removed; what the console refuses is said.
func TestPortalMembers(t *testing.T) {
	t.Parallel()
	w := start(t)
	dev := memberOf(accounts.Developer, w.now())
	w.putAccount(acme(w.now(), memberOf(accounts.Owner, w.now()), dev))
	v, other := w.portal(), w.portal()
	v.signIn("owner@acme.example")
	other.signIn(dev.Email)
	if p := v.post("/portal/members/add", v.fill(v.get("/portal/members/add"), "/portal/members/add", "email", "no address", "role", "viewer")); p.status != 422 {
		t.Errorf("no address: %d, want 422", p.status)
	}
	if p := v.post("/portal/members/add", v.fill(v.get("/portal/members/add"), "/portal/members/add", "email", "new@acme.example", "role", "finance")); p.status != 200 || !strings.Contains(p.body, "new@acme.example") {
		t.Errorf("add: %d, want the list with the new member", p.status)
	}
	var added accounts.AddMemberData
	if all := w.commandsOf(accounts.AddMember); len(all) != 1 || json.Unmarshal(all[0].Data, &added) != nil || added.Member != accounts.MemberID(account, "owner@acme.example") || added.Role != accounts.Finance {
		t.Errorf("the commands %+v; want one of the owner's for a member of finance", all)
	}
	at := "/portal/members/" + dev.ID
	if p := other.get("/portal/keys/new-test"); p.status != 200 {
		t.Errorf("a developer makes keys: %d, want 200", p.status)
	}
	form := v.fill(v.get(at), at)
	form.Set("role", "viewer")
	if p := v.post(at, form); p.status != 200 {
		t.Errorf("set a role: %d", p.status)
	}
	if p := other.get("/portal/keys/new-test"); p.status != 403 {
		t.Errorf("once a viewer, without signing in again: %d, want 403", p.status)
	}
	form = v.fill(v.get(at), at)
	form.Set("do", "remove")
	if p := v.post(at, form); p.status != 200 || strings.Contains(p.body, dev.Email) {
		t.Errorf("remove: %d, want the list without the member", p.status)
	}
	if p := other.get("/portal"); p.path != "/portal/sign-in" {
		t.Errorf("once removed, at %s; want the sign-in page", p.path)
	}
	if p := v.get(at); p.status != 404 {
		t.Errorf("a member who is none: %d, want 404", p.status)
	}
	if p := v.get("/portal/members/" + accounts.MemberID("acc_foreign", "new@acme.example")); p.status != 404 {
		t.Errorf("a member of another account: %d, want 404", p.status)
	}
	w.set(func() { w.refuse = contract.Refuse(contract.Conflict, "The last owner cannot be removed.") })
	at = "/portal/members/" + accounts.MemberID(account, "owner@acme.example")
	form = v.fill(v.get(at), at)
	form.Set("do", "remove")
	if p := v.post(at, form); p.status != 422 || !strings.Contains(p.body, "The last owner cannot be removed.") {
		t.Errorf("refused by the console: %d, want 422 and why", p.status)
	}
}
