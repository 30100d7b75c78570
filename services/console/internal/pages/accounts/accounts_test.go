package accounts_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/session"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/page/pagetest"
	pages "boardorder/services/console/internal/pages/accounts"
)

var (
	admin  = pagetest.Operator("ann", operator.Admin)
	viewer = pagetest.Operator("vera", operator.Viewer)
)

// notes are what was noted of keys.
type notes map[string]string

func (n notes) Get(_ context.Context, key string) ([]byte, uint64, error) {
	if text, ok := n[key]; ok {
		return []byte(text), 1, nil
	}
	return nil, 0, bus.ErrNoKey
}

// sessions are members' sessions, by their names.
type sessions map[string][]session.Listed

func (s sessions) List(_ context.Context, name string) ([]session.Listed, error) { return s[name], nil }

func (s sessions) EndAll(_ context.Context, name string) (int, error) {
	n := len(s[name])
	delete(s, name)
	return n, nil
}

type desk struct {
	*pagetest.Desk
	signedIn                                                  sessions
	end, fabricators                                          page.Route
	list, open, show, address, create, change, rotate, revoke page.Route
}

func open(t testing.TB) *desk {
	t.Helper()
	d := &desk{Desk: pagetest.New(t), signedIn: sessions{}}
	s := &pages.Section{
		Docs: d.Docs, Ask: d.Ask, Now: pagetest.Now, Uses: notes{"k1": "2026-11-20T08:00:00Z", "k2": "yesterday"}, Flags: notes{"k3": "2026-11-19T08:00:00Z"}, Members: d.signedIn,
	}
	manage := func(pattern string, handle func(*page.Call) error) page.Route {
		return page.Route{Pattern: pattern, Needs: operator.ManageAccounts, Handle: handle}
	}
	d.list = page.Route{Pattern: "GET /accounts", Handle: s.List}
	d.open = manage("POST /accounts", s.Open)
	d.show = page.Route{Pattern: "GET /accounts/{id}", Handle: s.Show}
	d.address = manage("POST /accounts/{id}/address", s.SetAddress)
	d.fabricators = manage("POST /accounts/{id}/fabricators", s.SetFabricators)
	d.create = manage("POST /accounts/{id}/keys", s.CreateKey)
	d.change = manage("POST /accounts/{id}/keys/{key}", s.ChangeKey)
	d.rotate = manage("POST /accounts/{id}/keys/{key}/rotate", s.RotateKey)
	d.end = manage("POST /accounts/{id}/members/{member}/end-sessions", s.EndSessions)
	d.revoke = manage("POST /accounts/{id}/keys/{key}/revoke", s.RevokeKey)
	revoked, ends := pagetest.At, pagetest.At.AddDate(0, 0, 3)
	d.Put(contract.AccountAggregate, "acc_1", accounts.Account{ID: "acc_1", Name: "Demo", Email: "a@example.com", Keys: []accounts.APIKey{
		{ID: "k1", Name: "shop", Prefix: "bo_live_k1", Hash: "secret-hash", Scopes: accounts.DefaultScopes(), Live: true, Networks: []string{"10.0.0.0/8"}},
		{ID: "k2", Name: "old", Prefix: "bo_live_k2", Hash: "secret-hash", Scopes: []string{"quotes"}, Live: true, RevokedAt: &revoked},
		{ID: "k3", Name: "soon", Prefix: "bo_test_k3", Hash: "secret-hash", Scopes: []string{"quotes"}, ExpiresAt: &ends},
	}}, nil)
	return d
}

// command gives the only command since a number of them, and its data.
func command[D any](t testing.TB, d *desk, since int) (name contract.CommandName, data D) {
	t.Helper()
	sent := d.Commands()[since:]
	if len(sent) == 0 {
		return name, data
	}
	if err := json.Unmarshal(sent[0].Data, &data); err != nil {
		t.Fatalf("decode %s: %v", sent[0].Data, err)
	}
	return sent[0].Name, data
}

// TestOpening: an account has a name, an id of a form, and one form opens one account.
func TestOpening(t *testing.T) {
	t.Parallel()
	d := open(t)
	for name, tt := range map[string]struct {
		who    operator.Operator
		form   url.Values
		refuse *contract.Refusal
		status int
		sent   bool
		says   string
	}{
		"with an id":     {admin, url.Values{"name": {"New"}, "id": {"acc_new"}, "email": {"n@example.com"}}, nil, http.StatusSeeOther, true, ""},
		"without an id":  {admin, url.Values{"name": {"New"}}, nil, http.StatusSeeOther, true, ""},
		"without a name": {admin, url.Values{"name": {" \u202e"}}, nil, http.StatusUnprocessableEntity, false, "An account has a name."},
		"with a bad id":  {admin, url.Values{"name": {"New"}, "id": {"new"}}, nil, http.StatusUnprocessableEntity, false, "acc_ and letters or digits"},
		"that there is":  {admin, url.Values{"name": {"New"}, "id": {"acc_1"}}, contract.Refuse(contract.Conflict, "There is such an account."), http.StatusUnprocessableEntity, true, "There is such an account."},
		"by a viewer":    {viewer, url.Values{"name": {"New"}}, nil, http.StatusForbidden, false, ""},
	} {
		d.Answer = func(contract.Command) *contract.Refusal { return tt.refuse }
		before := len(d.Commands())
		w := d.Post(tt.who, d.open, "/accounts", tt.form)
		sent, data := command[accounts.OpenData](t, d, before)
		if w.Code != tt.status || (sent == accounts.Open) != tt.sent || !strings.Contains(w.Body.String(), tt.says) {
			t.Errorf("%s: open %v: %d, sent %s; want %d, sent %t, saying %q", name, tt.form, w.Code, sent, tt.status, tt.sent, tt.says)
		}
		if tt.status == http.StatusSeeOther && (data.Operator != "ann" || !strings.HasPrefix(data.ID, "acc_") || w.Header().Get("Location") != "/accounts/"+data.ID+"?done=opened") {
			t.Errorf("%s: opened %+v and went to %q, want acc_… by ann, and its page", name, data, w.Header().Get("Location"))
		}
	}
	d.Answer = nil
	before := len(d.Commands())
	form := url.Values{"name": {"Twice"}, "request": {d.Ask.NewRequest()}}
	first := d.Post(admin, d.open, "/accounts", form).Header().Get("Location")
	if second := d.Post(admin, d.open, "/accounts", form).Header().Get("Location"); second != first || len(d.Commands()) != before+2 || d.Commands()[before].ID != d.Commands()[before+1].ID {
		t.Errorf("the same form twice opened %q and %q, want one account by one command", first, second)
	}
}

// TestKeysAreShownOnce: a new key is on the page that answers its form and nowhere else: not in
// the command, the trail, or a second answer.
func TestKeysAreShownOnce(t *testing.T) {
	t.Parallel()
	d := open(t)
	form := url.Values{"name": {"web"}, "mode": {"live"}, "scope": {"quotes", "uploads"}, "networks": {"192.0.2.1"}, "request": {d.Ask.NewRequest()}}
	w := d.Post(admin, d.create, "/accounts/acc_1/keys", form)
	sent, data := command[accounts.CreateKeyData](t, d, 0)
	_, rest, found := strings.Cut(w.Body.String(), "bo_live_"+data.Key.ID+"_")
	if w.Code != http.StatusCreated || sent != accounts.CreateKey || !found {
		t.Fatalf("create: %d, sent %s; want a page with the key", w.Code, sent)
	}
	secret := rest[:20]
	for place, text := range map[string]string{"the command": string(d.Commands()[0].Data), "the trail": marshal(t, d.Trail())} {
		if strings.Contains(text, secret) {
			t.Errorf("%s holds the key: %s", place, text)
		}
	}
	if !data.Key.Live || !slices.Equal(data.Key.Scopes, []string{"quotes", "uploads"}) || len(data.Key.Networks) != 1 || data.Key.Hash == "" {
		t.Errorf("sent %+v, want a live key of two scopes, bound to a network", data.Key)
	}
	if again := d.Post(admin, d.create, "/accounts/acc_1/keys", form); again.Code != http.StatusConflict || len(d.Commands()) != 1 || strings.Contains(again.Body.String(), secret) {
		t.Errorf("the same form again: %d, %d commands; want 409 and no second key", again.Code, len(d.Commands()))
	}
	for name, form := range map[string]url.Values{"no scope": {"name": {"web"}}, "an odd scope": {"name": {"web"}, "scope": {"all"}}, "no network": {"name": {"web"}, "scope": {"quotes"}, "networks": {"here"}}} {
		if w := d.Post(admin, d.create, "/accounts/acc_1/keys", form); w.Code != http.StatusUnprocessableEntity || len(d.Commands()) != 1 {
			t.Errorf("%s: create %v: %d, %d commands; want 422 and no key", name, form, w.Code, len(d.Commands())-1)
		}
	}
}

func marshal(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestKeysAreChanged: what a key may do, until when and from where; a form of before there were
// networks unbinds nothing, and a key that was revoked stays so.
func TestKeysAreChanged(t *testing.T) {
	t.Parallel()
	d := open(t)
	for name, tt := range map[string]struct {
		key      string
		form     url.Values
		status   int
		scopes   []string
		networks []string
		ends     string
	}{
		"fewer scopes":        {"k1", url.Values{"scope": {"quotes"}, "networks": {"10.0.0.0/8"}}, http.StatusSeeOther, []string{"quotes"}, []string{"10.0.0.0/8"}, ""},
		"everywhere":          {"k1", url.Values{"scope": {"quotes"}, "networks": {""}}, http.StatusSeeOther, []string{"quotes"}, nil, ""},
		"without the field":   {"k1", url.Values{"scope": {"quotes"}}, http.StatusSeeOther, []string{"quotes"}, []string{"10.0.0.0/8"}, ""},
		"until a day":         {"k1", url.Values{"scope": {"quotes"}, "expires": {"2026-12-31"}}, http.StatusSeeOther, []string{"quotes"}, []string{"10.0.0.0/8"}, "2027-01-01T00:00:00Z"},
		"until yesterday":     {"k1", url.Values{"scope": {"quotes"}, "expires": {"2026-11-20"}}, http.StatusUnprocessableEntity, nil, nil, ""},
		"for nothing":         {"k1", url.Values{}, http.StatusUnprocessableEntity, nil, nil, ""},
		"one that is revoked": {"k2", url.Values{"scope": {"quotes"}}, http.StatusConflict, nil, nil, ""},
		"one that is none":    {"k9", url.Values{"scope": {"quotes"}}, http.StatusNotFound, nil, nil, ""},
	} {
		before := len(d.Commands())
		w := d.Post(admin, d.change, "/accounts/acc_1/keys/"+tt.key, tt.form)
		sent, data := command[accounts.ChangeKeyData](t, d, before)
		if w.Code != tt.status || (sent == accounts.ChangeKey) != (tt.scopes != nil) {
			t.Errorf("%s: change %s by %v: %d, sent %s; want %d", name, tt.key, tt.form, w.Code, sent, tt.status)
			continue
		}
		if tt.scopes == nil {
			continue
		}
		ends := ""
		if data.ExpiresAt != nil {
			ends = data.ExpiresAt.Format(time.RFC3339)
		}
		if !slices.Equal(data.Scopes, tt.scopes) || data.Networks == nil || !slices.Equal(*data.Networks, tt.networks) || ends != tt.ends {
			t.Errorf("%s: sent %s, want scopes %v, networks %v, end %q", name, d.Commands()[before].Data, tt.scopes, tt.networks, tt.ends)
		}
	}
}

// TestKeysAreRotated: another key takes the place of one, which ends some days later, and
// never later than it did.
func TestKeysAreRotated(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		key, days string
		status    int
		ends      string // of the old key; "" as it was
	}{
		"in a week":           {"k1", "7", http.StatusCreated, "2026-11-28T10:00:00Z"},
		"at once":             {"k1", "0", http.StatusCreated, "2026-11-21T10:00:00Z"},
		"in 90 days":          {"k1", " 90 ", http.StatusCreated, "2027-02-19T10:00:00Z"},
		"in 91 days":          {"k1", "91", http.StatusUnprocessableEntity, ""},
		"before now":          {"k1", "-1", http.StatusUnprocessableEntity, ""},
		"some day":            {"k1", "soon", http.StatusUnprocessableEntity, ""},
		"one that ends first": {"k3", "7", http.StatusCreated, ""},
		"one that ends later": {"k3", "2", http.StatusCreated, "2026-11-23T10:00:00Z"},
		"one that is revoked": {"k2", "7", http.StatusConflict, ""},
	} {
		d := open(t)
		w := d.Post(admin, d.rotate, "/accounts/acc_1/keys/"+tt.key+"/rotate", url.Values{"days": {tt.days}})
		var names []string
		ends := ""
		for i, c := range d.Commands() {
			names = append(names, c.Name.Verb)
			if c.Name == accounts.ChangeKey {
				if _, data := command[accounts.ChangeKeyData](t, d, i); data.ExpiresAt != nil {
					ends = data.ExpiresAt.Format(time.RFC3339)
				}
			}
		}
		if w.Code != tt.status || ends != tt.ends || (len(names) > 0) != (tt.status == http.StatusCreated) {
			t.Errorf("%s: rotate %s in %q days: %d, sent %v, the old key ends %q; want %d, %q", name, tt.key, tt.days, w.Code, names, ends, tt.status, tt.ends)
		}
	}
}

// TestKeysAreRevoked: a key ends where that is meant.
func TestKeysAreRevoked(t *testing.T) {
	t.Parallel()
	d := open(t)
	for _, tt := range []struct {
		name, key, sure string
		status          int
	}{
		{"meant", "k1", "yes", http.StatusSeeOther}, {"not meant", "k1", "", http.StatusUnprocessableEntity}, {"a key that is none", "k9", "yes", http.StatusNotFound},
	} {
		before := len(d.Commands())
		w := d.Post(admin, d.revoke, "/accounts/acc_1/keys/"+tt.key+"/revoke", url.Values{"sure": {tt.sure}})
		sent, data := command[accounts.RevokeKeyData](t, d, before)
		if w.Code != tt.status || (sent == accounts.RevokeKey) != (tt.status == http.StatusSeeOther) || sent != (contract.CommandName{}) && data.KeyID != "k1" {
			t.Errorf("%s: revoke %s: %d, sent %s of %q; want %d", tt.name, tt.key, w.Code, sent, data.KeyID, tt.status)
		}
	}
}

// TestAccountPages: when keys were used and sent in an address, and never a hash; where a
// partner is written to.
func TestAccountPages(t *testing.T) {
	t.Parallel()
	d := open(t)
	body := d.Get(viewer, d.show, "/accounts/acc_1").Body.String()
	for _, want := range []string{"bo_live_k1", "2026-11-20 08:00:00", "2026-11-19 08:00:00"} {
		if !strings.Contains(body, want) {
			t.Errorf("the account's page lacks %q", want)
		}
	}
	if strings.Contains(body, "secret-hash") {
		t.Error("the account's page holds the hash of a key, want none")
	}
	if !strings.Contains(d.Get(viewer, d.list, "/accounts").Body.String(), "Demo") {
		t.Error("the list of accounts lacks the account Demo")
	}
	if w := d.Get(viewer, d.show, "/accounts/acc_9"); w.Code != http.StatusNotFound {
		t.Errorf("an account that there is not: %d, want 404", w.Code)
	}
	d.Answer = func(contract.Command) *contract.Refusal {
		return contract.Refuse(contract.InvalidRequest, "No address.")
	}
	if w := d.Post(admin, d.address, "/accounts/acc_1/address", url.Values{"email": {"x"}}); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "No address.") {
		t.Errorf("an address that is refused: %d, want 422 and why", w.Code)
	}
	d.Answer = nil
	if w := d.Post(admin, d.address, "/accounts/acc_1/address", url.Values{"email": {"b@example.com"}}); w.Header().Get("Location") != "/accounts/acc_1?done=saved" {
		t.Errorf("an address: %d to %q, want the account's page", w.Code, w.Header().Get("Location"))
	}
	if body := d.Get(admin, d.show, "/accounts/acc_1?done=saved").Body.String(); !strings.Contains(body, "The address is saved.") {
		t.Error("after an address was set the page does not say so")
	}
}

// TestMembersAreSignedOut: the console sees who is signed in to the portal, and ends it.
func TestMembersAreSignedOut(t *testing.T) {
	t.Parallel()
	d := open(t)
	a := accounts.Account{ID: "acc_1", Email: "a@example.com"}
	name, _ := a.Session(a.Team()[0])
	d.signedIn[name] = []session.Listed{{Agent: "Firefox", Address: "192.0.2.9", Seen: pagetest.At}}
	body := d.Get(admin, d.show, "/accounts/acc_1").Body.String()
	for _, want := range []string{"a@example.com", "owner", "Firefox", "192.0.2.9", "End sessions"} {
		if !strings.Contains(body, want) {
			t.Errorf("the account's page lacks %q:\n%s", want, body)
		}
	}
	for member, want := range map[string]int{"none": http.StatusNotFound, a.Team()[0].ID: http.StatusSeeOther} {
		if w := d.Post(admin, d.end, "/accounts/acc_1/members/"+member+"/end-sessions", url.Values{}); w.Code != want {
			t.Errorf("member %s: %d, want %d", member, w.Code, want)
		}
	}
	if len(d.signedIn[name]) != 0 {
		t.Errorf("still signed in: %+v, want nobody", d.signedIn[name])
	}
}

// TestFabricators: a rule is checked as it is typed, and sent with who set it; the trail has
// what was and what is.
func TestFabricators(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		who          operator.Operator
		rule, sees   string
		refuse       *contract.Refusal
		status       int
		want         *accounts.FabricatorRule
		sent         bool
		after, words string
	}{
		{admin, "preferred near_by 10%", "yes", nil, http.StatusSeeOther, &accounts.FabricatorRule{Kind: accounts.Preferred, Fabricator: "near_by", Percent: 10}, true, "preferred near_by 10%", ""},
		{admin, " cheapest ", "", nil, http.StatusSeeOther, &accounts.FabricatorRule{Kind: accounts.Cheapest}, true, "cheapest", ""},
		{admin, "", "", nil, http.StatusSeeOther, nil, true, "the installation's", ""},
		{admin, "cheapest 10%", "", nil, http.StatusUnprocessableEntity, nil, false, "", "prefers no fabricator"},
		{admin, "cheapest", "", contract.Refuse(contract.NotFound, "There is no such account."), http.StatusUnprocessableEntity, &accounts.FabricatorRule{Kind: accounts.Cheapest}, true, "", "There is no such account."},
		{viewer, "cheapest", "", nil, http.StatusForbidden, nil, false, "", ""},
	} {
		d := open(t)
		d.Answer = func(contract.Command) *contract.Refusal { return tt.refuse }
		w := d.Post(tt.who, d.fabricators, "/accounts/acc_1/fabricators", url.Values{"rule": {tt.rule}, "sees_offers": {tt.sees}})
		name, data := command[accounts.SetFabricatorsData](t, d, 0)
		if w.Code != tt.status || (name == accounts.SetFabricators) != tt.sent || !strings.Contains(w.Body.String(), tt.words) {
			t.Errorf("%q by %s: %d, sent %s; want %d, sent %t, saying %q", tt.rule, tt.who.Name, w.Code, name, tt.status, tt.sent, tt.words)
			continue
		}
		if tt.sent && (data.Account != "acc_1" || data.Operator != "ann" || data.SeesOffers != (tt.sees == "yes") || (data.Rule == nil) != (tt.want == nil) || data.Rule != nil && *data.Rule != *tt.want) {
			t.Errorf("%q: sent %+v, want the rule %v by ann", tt.rule, data, tt.want)
		}
		if trail := marshal(t, d.Trail()); tt.after != "" && !strings.Contains(trail, `"rule of fabricators":"`+tt.after+`"`) {
			t.Errorf("%q: the trail is %s, want %q in it", tt.rule, trail, tt.after)
		}
	}
}
