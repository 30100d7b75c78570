package edge_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/projection"
	"boardorder/pkg/session"
)

const owner = "owner@acme.example"

// putAccount stores an account as the console and the projector do.
func (w *world) putAccount(a accounts.Account) {
	w.t.Helper()
	c, err := contract.NewCommand(accounts.SetAddress, contract.NewID("req_", w.now()), a.ID, w.now(), accounts.SetAddressData{Account: a.ID, Email: a.Email})
	if err != nil {
		w.t.Fatal(err)
	}
	_, err = aggregate.At[accounts.Account](w.bus, contract.AccountAggregate, a.ID).Execute(w.t.Context(), c, w.now(),
		func(aggregate.Snapshot[accounts.Account]) (*aggregate.Change[accounts.Account], error) {
			return &aggregate.Change[accounts.Account]{Event: accounts.EventAddressSet, State: a}, nil
		})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, m := range a.Team() {
		body, err := json.Marshal(accounts.Membership{Account: a.ID, Member: m.ID})
		if err == nil {
			err = w.docs.Put(w.t.Context(), projection.Document{
				Kind: accounts.MembershipDocumentKind, ID: m.ID, Seq: w.seq.Add(1), At: w.now(), Body: body,
				Keys: map[string]string{accounts.MembershipKey: contract.PersonRef(m.Email)},
			})
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

func acme(now time.Time, members ...accounts.Member) accounts.Account {
	return accounts.Account{ID: account, Name: "Acme", Email: owner, CreatedAt: now, Keys: []accounts.APIKey{}, Members: members}
}

func memberOf(role accounts.Role, now time.Time) accounts.Member {
	email := string(role) + "@acme.example"
	return accounts.Member{ID: accounts.MemberID(account, email), Email: email, Role: role, AddedAt: now, AddedBy: owner}
}

// A portalVisit is one browser at the portal.
type portalVisit struct {
	w      *world
	client *http.Client
	agent  string
}

func (w *world) portal() *portalVisit {
	jar, _ := cookiejar.New(nil)
	return &portalVisit{w, &http.Client{Jar: jar}, "test"}
}

type portalPage struct {
	status int
	path   string
	body   string
	header http.Header
}

func (v *portalVisit) send(r *http.Request) portalPage {
	v.w.t.Helper()
	r.Header.Set("User-Agent", v.agent)
	res, err := v.client.Do(r)
	if err != nil {
		v.w.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		v.w.t.Fatal(err)
	}
	return portalPage{res.StatusCode, res.Request.URL.Path, string(body), res.Header}
}

func (v *portalVisit) get(path string) portalPage {
	r, _ := http.NewRequestWithContext(v.w.t.Context(), "GET", v.w.url+path, nil)
	return v.send(r)
}

func (v *portalVisit) post(path string, form url.Values) portalPage {
	r, _ := http.NewRequestWithContext(v.w.t.Context(), "POST", v.w.url+path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", formType)
	return v.send(r)
}

var hidden = regexp.MustCompile(`<input type="hidden" name="([a-z_]+)" value="([^"]*)"`)

// fill fills in the first form of a page that leads to an address.
func (v *portalVisit) fill(p portalPage, action string, fields ...string) url.Values {
	v.w.t.Helper()
	_, form, found := strings.Cut(p.body, `action="`+action+`"`)
	if !found {
		v.w.t.Fatalf("%s has no form to %s: %d %s", p.path, action, p.status, p.body)
	}
	form, _, _ = strings.Cut(form, "</form>")
	out := url.Values{}
	for _, m := range hidden.FindAllStringSubmatch(form, -1) {
		out.Set(m[1], m[2])
	}
	for i := 0; i+1 < len(fields); i += 2 {
		out.Add(fields[i], fields[i+1])
	}
	return out
}

// ask asks for a code, and gives what the letter would say; "" where the console was not asked.
func (v *portalVisit) ask(email string) (portalPage, string) {
	v.w.t.Helper()
	before := len(v.w.commandsOf(accounts.SendSignInCode))
	p := v.post("/portal/sign-in", v.fill(v.get("/portal/sign-in"), "/portal/sign-in", "email", email))
	if p.status != 200 {
		return p, ""
	}
	return p, v.w.awaitCode(before)
}

// awaitCode waits for the command that follows so many, and gives its code.
func (w *world) awaitCode(before int) string {
	w.t.Helper()
	bustest.WaitFor(w.t, "the command to send a code", func() bool { return len(w.commandsOf(accounts.SendSignInCode)) > before })
	var data accounts.SendSignInCodeData
	c := w.commandsOf(accounts.SendSignInCode)[before]
	if err := json.Unmarshal(c.Data, &data); err != nil {
		w.t.Fatal(err)
	}
	bucket, err := w.bus.Bucket(w.t.Context(), contract.PortalCodesBucket)
	if err != nil {
		w.t.Fatal(err)
	}
	value, _, err := bucket.Get(w.t.Context(), data.Code)
	var kept accounts.SignInCode
	if err == nil {
		err = json.Unmarshal(value, &kept)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	code, ok := w.secrets.CodeOf(kept.Hash, data.Code, kept.Nonce)
	if !ok || strings.Contains(string(value)+string(c.Data), code) {
		w.t.Errorf("code %q, known %t, kept as %s, command %s; want one that neither holds", code, ok, value, c.Data)
	}
	return code
}

func (v *portalVisit) enter(code string) portalPage {
	v.w.t.Helper()
	return v.post("/portal/code", v.fill(v.get("/portal/code"), "/portal/code", "code", code))
}

// signIn signs in, and gives the first page.
func (v *portalVisit) signIn(email string) portalPage {
	v.w.t.Helper()
	_, code := v.ask(email)
	p := v.enter(code)
	if p.status != 200 || p.path != "/portal" {
		v.w.t.Fatalf("%s ends at %s, %d %s; want /portal", email, p.path, p.status, p.body)
	}
	return p
}

func TestPortalSignIn(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.putAccount(acme(w.now()))
	v := w.portal()
	if p := v.get("/portal"); p.path != "/portal/sign-in" {
		t.Errorf("a stranger ends at %s, want the sign-in page", p.path)
	}
	p := v.signIn("Owner@ACME.example")
	for _, want := range []string{"Acme", account, owner, "quotes-day", "no usable keys yet"} {
		if !strings.Contains(p.body, want) {
			t.Errorf("the first page lacks %q:\n%s", want, p.body)
		}
	}
	if policy := p.header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'") || strings.Contains(policy, "script") || p.header.Get("Cache-Control") != "no-store" {
		t.Errorf("policy %q, cache %q; want no scripts, no store", policy, p.header.Get("Cache-Control"))
	}
	u, _ := url.Parse(w.url)
	if p := v.post("/portal/sign-out", url.Values{}); p.status != 403 {
		t.Errorf("a form without a token: %d, want 403", p.status)
	}
	stolen := w.portal()
	stolen.client.Jar.SetCookies(u, v.client.Jar.Cookies(u))
	stolen.agent = "another browser"
	if p := stolen.get("/portal"); p.path != "/portal/sign-in" {
		t.Errorf("the cookie in another browser ends at %s, want the sign-in page", p.path)
	}
	if p := v.post("/portal/sign-out", v.fill(p, "/portal/sign-out")); p.path != "/portal/sign-in" {
		t.Errorf("signing out ends at %s, want the sign-in page", p.path)
	}
	if p := v.get("/portal"); p.path != "/portal/sign-in" {
		t.Errorf("once signed out: %s, want the sign-in page", p.path)
	}
}

// TestPortalTellsNobodyWhoIsMember: an unknown address is answered, counted and treated as a
// member's.
func TestPortalTellsNobodyWhoIsMember(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.putAccount(acme(w.now()))
	var pages [2][]string
	for i, email := range []string{owner, "nobody@acme.example"} {
		v := w.portal()
		for range 6 {
			p, _ := v.ask(email)
			pages[i] = append(pages[i], fmt.Sprint(p.status, p.path, hidden.ReplaceAllString(strings.ReplaceAll(p.body, email, "X"), "")))
		}
		if p := v.enter("000000"); p.status != 422 {
			t.Errorf("%s, a wrong code: %d, want 422", email, p.status)
		}
	}
	for i := range pages[0] {
		if pages[0][i] != pages[1][i] {
			t.Errorf("time %d: a member is answered\n%s\nand nobody\n%s", i, pages[0][i], pages[1][i])
		}
	}
	if !strings.HasPrefix(pages[0][5], "429") {
		t.Errorf("the sixth time: %.80s, want 429", pages[0][5])
	}
	v := w.portal()
	w.advance(2 * time.Hour)
	_, code := v.ask("nobody@acme.example")
	if got := v.enter(code).status; got != 422 {
		t.Errorf("the code of an address that is nobody's is answered %d, want 422", got)
	}
}

// TestPortalFailuresArePages: whoever sits at a browser reads what is wrong, not JSON.
func TestPortalFailuresArePages(t *testing.T) {
	t.Parallel()
	w := start(t)
	for _, path := range []string{"/portal/sign-in", "/portal/code"} {
		p := w.portal().post(path, url.Values{"email": {"a@example.com"}})
		if p.status != http.StatusForbidden || !strings.Contains(p.body, "<h1>") || !strings.Contains(p.body, "This form has expired") {
			t.Errorf("POST %s without a token: %d %.300s, want a page with 403", path, p.status, p.body)
		}
	}
}

// TestPortalCodes: a code is good once, for some minutes, a few tries and one browser.
func TestPortalCodes(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.putAccount(acme(w.now()))
	for name, tt := range map[string]struct {
		before func(v *portalVisit, code string)
		want   int
	}{
		"good":    {func(*portalVisit, string) {}, 200},
		"in time": {func(*portalVisit, string) { w.advance(9 * time.Minute) }, 200},
		"late":    {func(*portalVisit, string) { w.advance(11 * time.Minute) }, 422},
		"fifth":   {func(v *portalVisit, _ string) { v.miss(4) }, 200},
		"sixth":   {func(v *portalVisit, _ string) { v.miss(5) }, 422},
	} {
		v := w.portal()
		_, code := v.ask(owner)
		other := w.portal()
		if p := other.enter(code); p.status != 422 {
			t.Errorf("%s: in another browser %d, want 422", name, p.status)
		}
		u, _ := url.Parse(w.url)
		twin := w.portal()
		tt.before(v, code)
		twin.client.Jar.SetCookies(u, v.client.Jar.Cookies(u))
		if p := v.enter(code[:3] + " " + code[3:]); p.status != tt.want {
			t.Errorf("%s: %d, want %d", name, p.status, tt.want)
		}
		if p := twin.enter(code); p.status != 422 {
			t.Errorf("%s, again: %d, want 422", name, p.status)
		}
		w.advance(2 * time.Hour)
	}
}

// miss enters a wrong code so many times.
func (v *portalVisit) miss(times int) {
	for range times {
		v.enter("x")
	}
}

// TestPortalSessionsEnd: with idleness, with the member, when the console ends them, and with
// a copy of the cookie.
func TestPortalSessionsEnd(t *testing.T) {
	t.Parallel()
	w := start(t)
	dev := memberOf(accounts.Developer, w.now())
	with, without := acme(w.now(), memberOf(accounts.Owner, w.now()), dev), acme(w.now(), memberOf(accounts.Owner, w.now()))
	bucket, err := w.bus.Bucket(t.Context(), contract.PortalSessionsBucket)
	if err != nil {
		t.Fatal(err)
	}
	for name, end := range map[string]func(v *portalVisit){
		"idle":    func(*portalVisit) { w.advance(61 * time.Minute) },
		"removed": func(*portalVisit) { w.putAccount(without) },
		"added anew": func(*portalVisit) {
			again := dev
			again.AddedAt = w.now().Add(time.Second)
			w.putAccount(acme(w.now(), again))
		},
		"by the console": func(*portalVisit) {
			name, _ := with.Session(dev)
			if n, err := session.NewPortal(bucket, w.secrets, w.now).EndAll(t.Context(), name); n == 0 || err != nil {
				t.Errorf("the console ends %d sessions, %v; want some", n, err)
			}
		},
	} {
		w.putAccount(with)
		v := w.portal()
		v.signIn(dev.Email)
		if p := v.get("/portal"); p.path != "/portal" {
			t.Fatalf("%s: signed in, and at %s", name, p.path)
		}
		if end(v); v.get("/portal").path != "/portal/sign-in" {
			t.Errorf("%s: the session goes on", name)
		}
		w.advance(2 * time.Hour)
	}
}

// TestPortalAccounts: who is a member of two accounts changes between them, and of a third not.
func TestPortalAccounts(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.putAccount(acme(w.now()))
	other := acme(w.now())
	other.ID, other.Name = "acc_other", "Zebra"
	w.putAccount(other)
	foreign := acme(w.now())
	foreign.ID, foreign.Name, foreign.Email = "acc_foreign", "Foreign", "else@example.com"
	w.putAccount(foreign)
	v := w.portal()
	p := v.signIn(owner)
	form := v.fill(p, "/portal/change")
	form.Set("account", "acc_foreign")
	if p := v.post("/portal/change", form); p.status != 404 || strings.Contains(p.body, "Foreign") {
		t.Errorf("to a stranger's account: %d, want 404", p.status)
	}
	form.Set("account", "acc_other")
	if p := v.post("/portal/change", form); p.status != 200 || !strings.Contains(p.body, "<h1>Zebra") {
		t.Errorf("to the other account: %d %s, want its page", p.status, p.body)
	}
}

// changeAccount stands in for the console's handlers, which hold members to their roles.
func (w *world) changeAccount(ctx context.Context, c contract.Command) error {
	var key accounts.CreateOwnKeyData
	var end accounts.RevokeOwnKeyData
	var member accounts.AddMemberData
	var subject accounts.SetRoleData
	var details accounts.SetOwnDetailsData
	if err := errors.Join(json.Unmarshal(c.Data, &key), json.Unmarshal(c.Data, &end), json.Unmarshal(c.Data, &member), json.Unmarshal(c.Data, &subject), json.Unmarshal(c.Data, &details)); err != nil {
		return err
	}
	w.mu.Lock()
	refuse := w.refuse
	w.mu.Unlock()
	if refuse != nil {
		return w.finish(c, contract.Operation{Refusal: refuse})
	}
	_, err := aggregate.At[accounts.Account](w.bus, contract.AccountAggregate, key.Account).Execute(ctx, c, w.now(),
		func(now aggregate.Snapshot[accounts.Account]) (*aggregate.Change[accounts.Account], error) {
			a, at := now.State, w.now()
			a.Keys = slices.Clone(a.Keys)
			for i := range a.Keys {
				if a.Keys[i].ID == key.Replaces {
					a.Keys[i].ExpiresAt = key.Until
				}
				if c.Name == accounts.RevokeOwnKey && a.Keys[i].ID == end.KeyID {
					a.Keys[i].RevokedAt = &at
				}
			}
			switch c.Name {
			case accounts.AddMember:
				a.Members = append(slices.Clone(a.Team()), accounts.Member{ID: accounts.MemberID(a.ID, member.Email), Email: member.Email, Role: member.Role, AddedAt: at})
			case accounts.RemoveMember:
				a.Members = slices.DeleteFunc(slices.Clone(a.Team()), func(m accounts.Member) bool { return m.ID == subject.Subject })
			case accounts.SetRole:
				a.Members = slices.Clone(a.Team())
				for i := range a.Members {
					if a.Members[i].ID == subject.Subject {
						a.Members[i].Role = subject.Role
					}
				}
			}
			if c.Name == accounts.SetOwnDetails {
				a.Name, a.Email = details.Name, details.Email
			}
			if c.Name == accounts.CreateOwnKey {
				a.Keys = append(a.Keys, key.Key)
			}
			return &aggregate.Change[accounts.Account]{Event: accounts.EventKeyChanged, State: a}, nil
		})
	if err != nil {
		return err
	}
	return w.finish(c, contract.Operation{Aggregate: contract.AccountAggregate, ID: key.Account})
}

// TestPortalIsNotLockedByStrangers: whoever asks for codes of an address, and enters wrong ones, keeps
// out nobody who has signed in with it before, others of the network for the time of a code, and the
// guesses of all strangers together stay bounded.
func TestPortalIsNotLockedByStrangers(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.putAccount(acme(w.now()))
	known, stranger := w.portal(), w.portal()
	known.signIn(owner)
	known.post("/portal/sign-out", known.fill(known.get("/portal"), "/portal/sign-out"))
	w.advance(2 * time.Hour)
	asked := 0
	for i := range 4 {
		for range 6 {
			if p, _ := stranger.ask(owner); p.status == 200 {
				asked++
				stranger.enter("x")
			}
		}
		if p, _ := w.portal().ask(owner); p.status != 429 {
			t.Errorf("round %d, a new browser of the network: %d, want 429", i, p.status)
		}
		w.advance(11 * time.Minute)
	}
	if asked != 15 {
		t.Errorf("a stranger has %d codes sent in an hour, want 15", asked)
	}
	for range 60 {
		stranger.enter("x")
	}
	if p := stranger.enter("x"); p.status != 429 {
		t.Errorf("after 60 forms of a network: %d, want 429", p.status)
	}
	known.signIn(owner)
	w.advance(time.Hour)
	fresh := w.portal()
	_, code := fresh.ask(owner)
	if p := fresh.enter(code); p.path != "/portal" {
		t.Errorf("an hour later a new browser ends at %s, want it signed in", p.path)
	}
}
