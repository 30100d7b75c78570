package edge_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/secret"
)

// needs is the right that each page and form of the portal takes; "" is every member's.
var needs = map[string]accounts.Right{
	"GET /portal": "", "POST /portal/change": "", "POST /portal/sessions": "", "POST /portal/sign-out": "",
	"GET /portal/confirm": "", "POST /portal/confirm": "", "GET /portal/confirm/code": "", "POST /portal/confirm/code": "",
	"GET /portal/webhooks": accounts.ManageWebhooks, "GET /portal/webhooks/add": accounts.ManageWebhooks, "POST /portal/webhooks/add": accounts.ManageWebhooks,
	"GET /portal/webhooks/{endpoint}":        accounts.ManageWebhooks,
	"GET /portal/webhooks/{endpoint}/change": accounts.ManageWebhooks, "POST /portal/webhooks/{endpoint}/change": accounts.ManageWebhooks,
	"GET /portal/webhooks/{endpoint}/rotate": accounts.ManageWebhooks, "POST /portal/webhooks/{endpoint}/rotate": accounts.ManageWebhooks,
	"GET /portal/webhooks/{endpoint}/delete": accounts.ManageWebhooks, "POST /portal/webhooks/{endpoint}/delete": accounts.ManageWebhooks,
	"POST /portal/webhooks/{endpoint}/status": accounts.ManageWebhooks, "POST /portal/webhooks/{endpoint}/test": accounts.ManageWebhooks, "POST /portal/webhooks/{endpoint}/resend": accounts.ManageWebhooks,
	"GET /portal/webhooks/{endpoint}/deliveries/{number}": accounts.ManageWebhooks,
	"GET /portal/details": accounts.ManageAccount, "POST /portal/details": accounts.ManageAccount,
	"GET /portal/keys/{key}/change": accounts.ManageKeys, "POST /portal/keys/{key}/change": accounts.ManageKeys,
	"GET /portal/requests": "",
	"GET /portal/usage":    "", "GET /portal/quotes": "", "GET /portal/orders": "", "GET /portal/orders/{quote}/invoices/{n}": accounts.SeeInvoices,
	"GET /portal/members": accounts.ManageMembers, "GET /portal/members/add": accounts.ManageMembers, "POST /portal/members/add": accounts.ManageMembers,
	"GET /portal/members/{member}": accounts.ManageMembers, "POST /portal/members/{member}": accounts.ManageMembers,
	"GET /portal/keys": "", "GET /portal/keys/new-test": accounts.ManageKeys, "POST /portal/keys/new-test": accounts.ManageKeys,
	"GET /portal/keys/new-live": accounts.ManageKeys, "POST /portal/keys/new-live": accounts.ManageKeys,
	"GET /portal/keys/{key}/rotate": accounts.ManageKeys, "POST /portal/keys/{key}/rotate": accounts.ManageKeys,
	"GET /portal/keys/{key}/revoke": accounts.ManageKeys, "POST /portal/keys/{key}/revoke": accounts.ManageKeys,
}

// fresh are the pages that need a code that was entered lately.
var fresh = []string{"/portal/details", "/portal/keys/{key}/change", "/portal/keys/new-live", "/portal/keys/{key}/rotate", "/portal/members/add", "/portal/members/{member}",
	"/portal/webhooks/add", "/portal/webhooks/{endpoint}/change", "/portal/webhooks/{endpoint}/rotate"}

// open asks for a page, or sends a form of the session with nothing in it.
func (v *portalVisit) open(method, path, token string) portalPage {
	path = strings.NewReplacer("{key}", "oldkey000000", "{member}", "none", "{quote}", "none", "{endpoint}", "none", "{number}", "1", "{n}", "0").Replace(path)
	if method == http.MethodGet {
		return v.get(path)
	}
	return v.post(path, url.Values{"form_token": {token}, "request": {"x"}})
}

// TestPortalMatrix walks every page and form as every role and as a stranger: what a row
// needs, and nothing else, decides who is let in; what needs a fresh code asks for one.
func TestPortalMatrix(t *testing.T) {
	t.Parallel()
	w := start(t)
	var team []accounts.Member
	for _, role := range accounts.Roles() {
		team = append(team, memberOf(role, w.now()))
	}
	w.putAccount(acme(w.now(), team...))
	var rows []string
	for _, r := range w.edge.PortalRoutes() {
		if row := r.Method + " " + r.Path; !slices.Contains([]string{"/portal/sign-in", "/portal/code"}, r.Path) && strings.HasPrefix(r.Path, "/portal") {
			rows = append(rows, row)
		}
	}
	if len(rows) != len(needs) {
		t.Errorf("%d pages and forms, and %d rows: %q", len(rows), len(needs), rows)
	}
	for _, role := range accounts.Roles() {
		v := w.portal()
		token := v.fill(v.signIn(string(role)+"@acme.example"), "/portal/sign-out").Get("form_token")
		for _, row := range rows {
			method, path, _ := strings.Cut(row, " ")
			right, known := needs[row]
			if !known {
				t.Errorf("nothing is said of %s", row)
			}
			if path == "/portal/sign-out" {
				continue // ends all that follows
			}
			p := v.open(method, path, token)
			if refused := p.status == 403 && strings.Contains(p.body, "Your role does not let you "+string(right)); refused == role.May(right) && right != "" || right == "" && p.status == 403 {
				t.Errorf("%s as %s: %d, refused %t; want %t", row, role, p.status, refused, !role.May(right))
			}
			if p := v.open(http.MethodPost, path, "forged"); method == http.MethodPost && p.status != 403 {
				t.Errorf("%s as %s with a forged token: %d, want 403", row, role, p.status)
			}
		}
		w.advance(11 * time.Minute)
		for _, path := range fresh {
			if p := v.open("GET", path, ""); (p.path == "/portal/confirm") != role.May(needs["GET "+path]) {
				t.Errorf("GET %s as %s eleven minutes later: %d at %s; want a fresh code asked for where the role may", path, role, p.status, p.path)
			}
		}
	}
	stranger := w.portal()
	for _, row := range rows {
		method, path, _ := strings.Cut(row, " ")
		if p := stranger.open(method, path, ""); p.path != "/portal/sign-in" {
			t.Errorf("%s for a stranger: %d at %s, want the sign-in page", row, p.status, p.path)
		}
	}
}

var keyText = regexp.MustCompile(`bo_(live|test)_[0-9A-Za-z]+_[0-9A-Za-z]+`)

// newestKey is what the newest command to make a key says.
func (w *world) newestKey() (data accounts.CreateOwnKeyData) {
	w.t.Helper()
	all := w.commandsOf(accounts.CreateOwnKey)
	if len(all) == 0 {
		w.t.Fatal("no key was asked for")
	}
	if err := json.Unmarshal(all[len(all)-1].Data, &data); err != nil {
		w.t.Fatal(err)
	}
	return data
}

// TestPortalKeys: a key is made and shown once, rotated with an overlap, and revoked; what
// the form says is what the command says, in the member's name.
func TestPortalKeys(t *testing.T) {
	t.Parallel()
	w := start(t)
	dev := memberOf(accounts.Developer, w.now())
	w.putAccount(acme(w.now(), memberOf(accounts.Owner, w.now()), dev))
	v := w.portal()
	v.signIn(dev.Email)
	for _, mode := range []string{"test", "live"} {
		at := "/portal/keys/new-" + mode
		form := v.fill(v.get(at), at, "name", "shop <b>", "scope", "quotes", "networks", "192.0.2.7", "expires", "2099-12-31")
		p := v.post(at, form)
		text := keyText.FindString(p.body)
		key, err := secret.ParseAPIKey(text)
		made := w.newestKey()
		if p.status != 201 || err != nil || key.Live != (mode == "live") || !key.Matches(made.Key.Hash) {
			t.Fatalf("%s: %d, key %q, %v, live %t; want 201 and a key of the mode that fits the hash", mode, p.status, text, err, key.Live)
		}
		if made.Member != dev.ID || made.Account != account || made.From == "" || made.Key.Live != (mode == "live") || !slices.Equal(made.Key.Scopes, []string{"quotes"}) || !slices.Equal(made.Key.Networks, []string{"192.0.2.7/32"}) || made.Key.ExpiresAt.Year() != 2100 {
			t.Errorf("%s: the command is %+v", mode, made)
		}
		before := len(w.commandsOf(accounts.CreateOwnKey))
		if p := v.post(at, form); p.status != 403 || keyText.MatchString(p.body) || len(w.commandsOf(accounts.CreateOwnKey)) != before {
			t.Errorf("%s, sent again: %d, %d commands; want to be told, and no other key", mode, p.status, len(w.commandsOf(accounts.CreateOwnKey))-before)
		}
		if p := v.get("/portal/keys"); keyText.MatchString(p.body) || !strings.Contains(p.body, made.Key.Prefix) {
			t.Errorf("%s: the list shows a whole key, or not where it begins:\n%s", mode, p.body)
		}
	}
	old := w.newestKey().Key
	at := "/portal/keys/" + old.ID + "/rotate"
	if p := v.post(at, v.fill(v.get(at), at, "days", "91")); p.status != 422 {
		t.Errorf("91 days of overlap: %d, want 422", p.status)
	}
	if p := v.post(at, v.fill(v.get(at), at, "days", "3")); p.status != 201 || keyText.FindString(p.body) == "" {
		t.Errorf("rotate: %d, want 201 and a key", p.status)
	}
	if next := w.newestKey(); next.Replaces != old.ID || next.Key.Live != old.Live || !slices.Equal(next.Key.Networks, old.Networks) || next.Until.Sub(w.now()).Round(time.Hour) != 72*time.Hour {
		t.Errorf("rotated by %+v; want one of the same in place of %s, in three days", next, old.ID)
	}
	at = "/portal/keys/" + old.ID + "/change"
	form := v.fill(v.get(at), at, "name", "till <i>", "scope", "orders", "networks", "198.51.100.7", "expires", "2098-12-31")
	if p := v.post(at, form); p.status != 200 || p.path != "/portal/keys" || !strings.Contains(p.body, "The key is changed") || keyText.MatchString(p.body) {
		t.Errorf("change: %d at %s, want the list", p.status, p.path)
	}
	if c := readLast[accounts.ChangeOwnKeyData](w, accounts.ChangeOwnKey); c.KeyID != old.ID || c.Member != dev.ID || c.Name != "till <i>" || fmt.Sprint(c.Scopes, c.Networks) != "[orders] [198.51.100.7/32]" || c.ExpiresAt.Year() != 2099 {
		t.Errorf("the change is %+v", c)
	}
	form.Set("name", "")
	if p := v.post(at, form); p.status != 422 || !strings.Contains(p.body, "198.51.100.7") {
		t.Errorf("change to no name: %d, want 422 and what was typed", p.status)
	}
	at = "/portal/keys/" + old.ID + "/revoke"
	if p := v.post(at, v.fill(v.get(at), at)); p.status != 422 || len(w.commandsOf(accounts.RevokeOwnKey)) != 0 {
		t.Errorf("revoke without being sure: %d, want 422 and nothing done", p.status)
	}
	if p := v.post(at, v.fill(v.get(at), at, "sure", "yes")); p.status != 200 || p.path != "/portal/keys" || !strings.Contains(p.body, "The key is revoked") {
		t.Errorf("revoke: %d at %s, want the list", p.status, p.path)
	}
	if p := v.get(at); p.status != 404 {
		t.Errorf("a key that is revoked: %d, want 404", p.status)
	}
	if p := v.get("/portal/keys/" + w.key.ID + "/revoke"); p.status != 404 {
		t.Errorf("a key that the account does not have: %d, want 404", p.status)
	}
	w.set(func() { w.refuse = contract.Refuse(contract.Forbidden, "Your role does not let you do this.") })
	at = "/portal/keys/new-test"
	if p := v.post(at, v.fill(v.get(at), at, "name", "x", "scope", "quotes")); p.status != 403 || keyText.MatchString(p.body) {
		t.Errorf("refused by the console: %d, want 403 without a key", p.status)
	}
	if p := v.post(at, v.fill(v.get(at), at, "name", "", "scope", "all")); p.status != 422 || strings.Count(p.body, `role="alert"`) != 2 {
		t.Errorf("without a name, with a scope that there is not: %d, want 422 and both said", p.status)
	}
}

// TestPortalConfirms: a fresh code of the session's own lets on to what needs one.
func TestPortalConfirms(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.putAccount(acme(w.now()))
	v, other := w.portal(), w.portal()
	v.signIn(owner)
	w.advance(11 * time.Minute)
	ask := func(v *portalVisit) (portalPage, string) {
		before := len(w.commandsOf(accounts.SendSignInCode))
		p := v.get("/portal/keys/new-live")
		return v.post("/portal/confirm", v.fill(p, "/portal/confirm")), w.awaitCode(before)
	}
	p, code := ask(v)
	if p.path != "/portal/confirm/code" {
		t.Fatalf("asked to confirm and at %s", p.path)
	}
	if p := v.post("/portal/confirm/code", v.fill(p, "/portal/confirm/code", "code", "000")); p.status != 422 {
		t.Errorf("a wrong code: %d, want 422", p.status)
	}
	_, foreign := other.ask(owner)
	if p := v.post("/portal/confirm/code", v.fill(p, "/portal/confirm/code", "code", foreign)); p.status != 422 {
		t.Errorf("a code of another browser: %d, want 422", p.status)
	}
	if p := v.post("/portal/confirm/code", v.fill(p, "/portal/confirm/code", "code", code)); p.status != 200 || p.path != "/portal/keys/new-live" {
		t.Errorf("the code: %d at %s, want the page that was wanted", p.status, p.path)
	}
	if p := other.enter(code); p.status != 422 {
		t.Errorf("a code that confirms signs in: %d, want 422", p.status)
	}
}
