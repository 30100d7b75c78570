package console_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
	"boardorder/services/console"
)

// state is the account as of now.
func (p *club) state() accounts.Account {
	p.t.Helper()
	snap, err := aggregate.At[accounts.Account](p.core.Core, contract.AccountAggregate, "acc_1").Load(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	return snap.State
}

// trail is the last entry of the audit trail, and how many there are.
func (p *club) trail() (audits.Record, uint64) {
	p.t.Helper()
	snap, err := aggregate.At[audits.Entry](p.core.Core, contract.AuditAggregate, audits.Chain).Load(p.t.Context())
	if err != nil || !snap.Exists() {
		return audits.Record{}, 0
	}
	r, err := snap.State.Read()
	if err != nil {
		p.t.Fatal(err)
	}
	return r, snap.State.N
}

func clubMember(role accounts.Role) accounts.Member {
	email := string(role) + "@acme.example"
	return accounts.Member{ID: accounts.MemberID("acc_1", email), Email: email, Role: role, AddedAt: time.Now().UTC()}
}

// fullAccount is an account with a member of each role.
func fullAccount() accounts.Account {
	a := accounts.Account{ID: "acc_1", Name: "Acme", Email: "ops@acme.example", Keys: []accounts.APIKey{}}
	for _, role := range accounts.Roles() {
		a.Members = append(a.Members, clubMember(role))
	}
	return a
}

func memberBy(role accounts.Role) accounts.By {
	return accounts.By{Account: "acc_1", Member: clubMember(role).ID, From: "192.0.2.9"}
}

// TestOwnKeysByRole: who may make and revoke keys, and that each attempt of a member is in the
// trail in the member's name.
func TestOwnKeysByRole(t *testing.T) {
	t.Parallel()
	p := newClub(t, fullAccount())
	for _, role := range append(accounts.Roles(), "stranger") {
		_, kept := console.NewKey("shop", true, nil, nil, time.Now())
		_, before := p.trail()
		err := p.do(accounts.CreateOwnKey, "req_make_"+string(role), accounts.CreateOwnKeyData{By: memberBy(role), Key: kept})
		may := role.May(accounts.ManageKeys)
		refusal := contract.RefusalIn(err)
		if may != (err == nil) || !may && (refusal == nil || refusal.Code != contract.Forbidden) {
			t.Errorf("%s makes a key: %v, want it let: %t", role, err, may)
		}
		if has := slices.ContainsFunc(p.state().Keys, func(k accounts.APIKey) bool { return k.ID == kept.ID && k.CreatedBy == string(role)+"@acme.example" }); has != may {
			t.Errorf("%s: the account has the key: %t, want %t", role, has, may)
		}
		r, n := p.trail()
		if role == "stranger" {
			continue
		}
		want := "refused"
		if may {
			want = "done"
		}
		if n != before+2 || r.Operator != "member "+string(role)+"@acme.example" || r.Outcome != want || r.Key != kept.ID || r.Account != "acc_1" || r.From != "192.0.2.9" {
			t.Errorf("%s: %d entries, the last %+v; want two, the last %s", role, n-before, r, want)
		}
		if may {
			if err := p.do(accounts.RevokeOwnKey, "req_end_"+string(role), accounts.RevokeOwnKeyData{By: memberBy(role), KeyID: kept.ID}); err != nil || p.state().Keys[len(p.state().Keys)-1].RevokedBy != string(role)+"@acme.example" {
				t.Errorf("%s revokes it: %v, %+v", role, err, p.state().Keys)
			}
		}
	}
}

// TestOwnKeysAreRotated: the old key gets an end with the new one, and no later one than it has;
// a key of the other mode, one that was revoked or of nobody is not replaced.
func TestOwnKeysAreRotated(t *testing.T) {
	t.Parallel()
	soon, late, revoked := time.Now().Add(time.Hour).UTC(), time.Now().AddDate(1, 0, 0).UTC(), time.Now().UTC()
	a := fullAccount()
	for id, k := range map[string]accounts.APIKey{
		"open": {Live: true}, "soon": {Live: true, ExpiresAt: &soon}, "late": {Live: true, ExpiresAt: &late}, "gone": {Live: true, RevokedAt: &revoked}, "test": {},
	} {
		k.ID, k.Name, k.Hash = id, id, id
		a.Keys = append(a.Keys, k)
	}
	p := newClub(t, a)
	until := time.Now().AddDate(0, 0, 7).UTC()
	for id, want := range map[string]*time.Time{"open": &until, "soon": &soon, "late": &until, "gone": nil, "test": nil, "none": nil} {
		_, kept := console.NewKey("new", true, nil, nil, time.Now())
		n := len(p.state().Keys)
		err := p.do(accounts.CreateOwnKey, "req_"+id, accounts.CreateOwnKeyData{By: memberBy(accounts.Developer), Key: kept, Replaces: id, Until: &until})
		if (err == nil) != (want != nil) || (len(p.state().Keys) > n) != (want != nil) {
			t.Errorf("in place of %s: %v, %d keys after %d; want it done: %t", id, err, len(p.state().Keys), n, want != nil)
		}
		for _, k := range p.state().Keys {
			if k.ID == id && want != nil && !k.ExpiresAt.Equal(*want) {
				t.Errorf("%s ends at %v, want %s", id, k.ExpiresAt, want)
			}
		}
	}
}

// TestOwnKeysAreBounded: members cannot fill the account's state.
func TestOwnKeysAreBounded(t *testing.T) {
	t.Parallel()
	a := fullAccount()
	for i := range accounts.MaxOwnUsableKeys {
		a.Keys = append(a.Keys, accounts.APIKey{ID: fmt.Sprint("k", i), Name: "k", Hash: "h"})
	}
	p := newClub(t, a)
	_, kept := console.NewKey("one more", true, nil, nil, time.Now())
	if refusal := contract.RefusalIn(p.do(accounts.CreateOwnKey, "req_1", accounts.CreateOwnKeyData{By: memberBy(accounts.Owner), Key: kept})); refusal == nil || refusal.Code != contract.Conflict {
		t.Errorf("one key more than may be: %v, want a conflict", refusal)
	}
	if err := p.do(accounts.RevokeOwnKey, "req_2", accounts.RevokeOwnKeyData{By: memberBy(accounts.Owner), KeyID: "k0"}); err != nil {
		t.Fatal(err)
	}
	if err := p.do(accounts.CreateOwnKey, "req_3", accounts.CreateOwnKeyData{By: memberBy(accounts.Owner), Key: kept}); err != nil {
		t.Errorf("once there is room: %v", err)
	}
}

// TestOwnKeyOutlivesItsProcess: wherever the process ends, the command that is delivered again
// leads to one key and to the same two entries of the trail.
func TestOwnKeyOutlivesItsProcess(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		for n := 1; n <= 3; n++ { // asked, done, recorded
			p := newClub(t, fullAccount())
			_, kept := console.NewKey("shop", true, nil, nil, time.Now())
			data := accounts.CreateOwnKeyData{By: memberBy(accounts.Owner), Key: kept}
			p.core.n, p.core.after = n, after
			if err := p.do(accounts.CreateOwnKey, "req_1", data); !errors.Is(err, errDied) {
				t.Fatalf("write %d, after %t: %v, want the process to end", n, after, err)
			}
			for range 2 {
				if err := p.do(accounts.CreateOwnKey, "req_1", data); err != nil {
					t.Fatalf("write %d, after %t, again: %v", n, after, err)
				}
			}
			r, entries := p.trail()
			if keys := p.state().Keys; len(keys) != 1 || entries != 2 || r.Outcome != "done" {
				t.Errorf("write %d, after %t: %d keys, %d entries, the last %s; want 1, 2, done", n, after, len(keys), entries, r.Outcome)
			}
		}
	}
}
