package console_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/emails"
	"boardorder/services/console"
)

// letters are the items of all e-mails of a kind, each once.
func (p *club) letters(kind emails.Kind) []string {
	p.t.Helper()
	seen, items := map[string]bool{}, []string{}
	for _, c := range p.core.emails {
		var d emails.SendData
		if err := json.Unmarshal(c.Data, &d); err != nil {
			p.t.Fatal(err)
		}
		if d.Kind == kind && !seen[c.ID] {
			seen[c.ID] = true
			items = append(items, d.Item)
		}
	}
	return items
}

// TestOwnDetails: owners alone set the account's name and address; whoever read the old address stays an owner, and all owners
// are told, once.
func TestOwnDetails(t *testing.T) {
	t.Parallel()
	p := newClub(t, fullAccount())
	for _, role := range []accounts.Role{"stranger", accounts.Viewer, accounts.Finance, accounts.Developer, accounts.Owner} {
		data := accounts.SetOwnDetailsData{By: memberBy(role), Name: "Acme 2", Email: "owner@acme.example"}
		err := errors.Join(p.do(accounts.SetOwnDetails, "req_"+string(role), data), p.do(accounts.SetOwnDetails, "req_"+string(role), data))
		a, may := p.state(), role == accounts.Owner
		if refusal := contract.RefusalIn(err); may != (err == nil) || !may && (refusal == nil || refusal.Code != contract.Forbidden) || (a.Name == "Acme 2" && a.Email == "owner@acme.example") != may {
			t.Errorf("%s: %v, %s %s; want it set: %t", role, err, a.Name, a.Email, may)
		}
		want := []string{}
		if may {
			want = append(want, clubMember(accounts.Owner).ID)
		}
		if got := p.letters(emails.DetailsSet); !slices.Equal(got, want) {
			t.Errorf("%s: letters to %v, want %v", role, got, want)
		}
	}
	lone := accounts.Account{ID: "acc_1", Name: "Acme", Email: "ops@acme.example"}
	p = newClub(t, lone)
	by := accounts.By{Account: "acc_1", Member: lone.Team()[0].ID}
	for name, tt := range map[string]struct {
		data accounts.SetOwnDetailsData
		want contract.Code
	}{
		"no name":       {accounts.SetOwnDetailsData{Email: "x@acme.example"}, contract.InvalidRequest},
		"two lines":     {accounts.SetOwnDetailsData{Name: "a\nb", Email: "x@acme.example"}, contract.InvalidRequest},
		"a long name":   {accounts.SetOwnDetailsData{Name: strings.Repeat("a", 101), Email: "x@acme.example"}, contract.InvalidRequest},
		"no address":    {accounts.SetOwnDetailsData{Name: "Acme"}, contract.InvalidRequest},
		"a stranger's":  {accounts.SetOwnDetailsData{Name: "Acme", Email: "stranger@victim.example"}, contract.InvalidRequest},
		"wrong address": {accounts.SetOwnDetailsData{Name: "Acme", Email: "Ops <ops@acme.example>"}, contract.InvalidRequest},
	} {
		tt.data.By = by
		if refusal := contract.RefusalIn(p.do(accounts.SetOwnDetails, "req_"+name, tt.data)); refusal == nil || refusal.Code != tt.want {
			t.Errorf("%s: %v, want %s", name, refusal, tt.want)
		}
	}
	if err := p.do(accounts.SetOwnDetails, "req_name", accounts.SetOwnDetailsData{By: by, Name: "Acme 3", Email: lone.Email}); err != nil || len(p.letters(emails.DetailsSet)) != 1 {
		t.Errorf("another name: %v, letters %v; want one", err, p.letters(emails.DetailsSet))
	}
	for n := range 5 { // asked, done, recorded, written; 0 is never
		p := newClub(t, lone)
		data := accounts.SetOwnDetailsData{By: by, Name: "Acme 4", Email: "Ops@acme.example"}
		p.core.n = n
		if err := p.do(accounts.SetOwnDetails, "req_1", data); (n > 0) != errors.Is(err, errDied) {
			t.Fatalf("write %d: %v", n, err)
		}
		if err := p.do(accounts.SetOwnDetails, "req_1", data); err != nil {
			t.Fatalf("write %d, again: %v", n, err)
		}
		if team := p.state().Team(); len(team) != 1 || team[0].Email != "ops@acme.example" || team[0].Role != accounts.Owner || len(p.letters(emails.DetailsSet)) != 1 {
			t.Errorf("write %d: team %+v, letters %v; want who read the old address to be owner, and told once", n, team, p.letters(emails.DetailsSet))
		}
	}
}

// TestOwnKeysAreChanged: who may change a key, and what cannot be made of it.
func TestOwnKeysAreChanged(t *testing.T) {
	t.Parallel()
	past := time.Now().Add(-time.Hour)
	a := fullAccount()
	a.Keys = []accounts.APIKey{{ID: "k", Name: "shop", Hash: "h", Scopes: []string{"quotes"}, Live: true}, {ID: "gone", Name: "gone", Hash: "h", RevokedAt: &past}}
	data := func(role accounts.Role, change func(*accounts.ChangeOwnKeyData)) accounts.ChangeOwnKeyData {
		d := accounts.ChangeOwnKeyData{By: memberBy(role), KeyID: "k", Name: "till", Scopes: []string{"orders"}, Networks: []string{"192.0.2.0/24"}}
		if change != nil {
			change(&d)
		}
		return d
	}
	p := newClub(t, a)
	for _, role := range []accounts.Role{"stranger", accounts.Viewer, accounts.Finance, accounts.Developer, accounts.Owner} {
		err := p.do(accounts.ChangeOwnKey, "req_"+string(role), data(role, nil))
		k, may := p.state().Keys[0], role.May(accounts.ManageKeys)
		if changed := fmt.Sprint(k.Name, k.Scopes, k.Networks) == "till[orders] [192.0.2.0/24]"; (err == nil) != may || changed != may || !k.Live || k.Hash != "h" {
			t.Errorf("%s: %v, %+v; want it changed: %t", role, err, k, may)
		}
		if r, _ := p.trail(); may && (r.Action != "changed a key" || r.Key != "k" || r.Outcome != "done") {
			t.Errorf("%s: the trail ends with %+v", role, r)
		}
	}
	for name, tt := range map[string]struct {
		change func(*accounts.ChangeOwnKeyData)
		want   contract.Code
	}{
		"no name":        {func(d *accounts.ChangeOwnKeyData) { d.Name = "" }, contract.InvalidRequest},
		"no scope":       {func(d *accounts.ChangeOwnKeyData) { d.Scopes = nil }, contract.InvalidRequest},
		"a scope of all": {func(d *accounts.ChangeOwnKeyData) { d.Scopes = []string{"all"} }, contract.InvalidRequest},
		"no network":     {func(d *accounts.ChangeOwnKeyData) { d.Networks = []string{"here"} }, contract.InvalidRequest},
		"revoked":        {func(d *accounts.ChangeOwnKeyData) { d.KeyID = "gone" }, contract.Conflict},
		"no key":         {func(d *accounts.ChangeOwnKeyData) { d.KeyID = "none" }, contract.NotFound},
	} {
		if refusal := contract.RefusalIn(p.do(accounts.ChangeOwnKey, "req_"+name, data(accounts.Owner, tt.change))); refusal == nil || refusal.Code != tt.want {
			t.Errorf("%s: %v, want %s", name, refusal, tt.want)
		}
	}
	full := fullAccount()
	for i := range accounts.MaxOwnUsableKeys {
		full.Keys = append(full.Keys, accounts.APIKey{ID: fmt.Sprint("k", i), Name: "x", Hash: "h", Scopes: []string{"quotes"}})
	}
	full.Keys = append(full.Keys, accounts.APIKey{ID: "k", Name: "old", Hash: "h", Scopes: []string{"quotes"}, ExpiresAt: &past})
	p = newClub(t, full)
	if refusal := contract.RefusalIn(p.do(accounts.ChangeOwnKey, "req_revive", data(accounts.Owner, nil))); refusal == nil || refusal.Code != contract.Conflict {
		t.Errorf("one key more than may be usable, by its end: %v, want %s", refusal, contract.Conflict)
	}
}

// TestOwnersAreToldOfLiveKeys: each owner once, whoever made the key and wherever the process ends; of a test key nobody.
func TestOwnersAreToldOfLiveKeys(t *testing.T) {
	t.Parallel()
	for _, live := range []bool{true, false} {
		for n := range 5 { // asked, done, recorded, written; 0 is never
			if !live && n > 0 {
				continue // there is nothing to write
			}
			p := newClub(t, fullAccount())
			_, key := console.NewKey("shop", live, nil, nil, time.Now())
			data := accounts.CreateOwnKeyData{By: memberBy(accounts.Developer), Key: key}
			p.core.n = n
			err := p.do(accounts.CreateOwnKey, "req_1", data)
			if again := p.do(accounts.CreateOwnKey, "req_1", data); again != nil || err != nil && !errors.Is(err, errDied) {
				t.Fatalf("write %d: %v, then %v", n, err, again)
			}
			want := []string{}
			if live {
				want = append(want, key.ID+"."+clubMember(accounts.Owner).ID)
			}
			if got := p.letters(emails.KeyMade); !slices.Equal(got, want) {
				t.Errorf("live %t, write %d: letters %v, want %v", live, n, got, want)
			}
		}
	}
	for operator, want := range map[string]int{"ann": 1, "": 0} { // "": the system itself, when it is installed
		p := newClub(t, fullAccount())
		_, key := console.NewKey("shop", true, nil, nil, time.Now())
		c, err := contract.NewCommand(accounts.CreateKey, "req_1", "acc_1", time.Now(), accounts.CreateKeyData{Account: "acc_1", Key: key, Operator: operator})
		if err != nil {
			t.Fatal(err)
		}
		if err := console.NewAccounts(p.core, time.Now).Handlers()[c.Name](t.Context(), c); err != nil || len(p.letters(emails.KeyMade)) != want {
			t.Errorf("made by %q: %v, letters %v; want %d", operator, err, p.letters(emails.KeyMade), want)
		}
	}
}
