package accounts_test

import (
	"slices"
	"testing"
	"time"

	"boardorder/pkg/contract/accounts"
)

// TestRoles: each right is one of those that the table gives the role, and an owner has all.
func TestRoles(t *testing.T) {
	t.Parallel()
	want := map[accounts.Role][]accounts.Right{
		accounts.Owner:     accounts.Rights(),
		accounts.Developer: {accounts.ManageKeys, accounts.ManageWebhooks},
		accounts.Finance:   {accounts.SeeInvoices},
		accounts.Viewer:    nil,
		"admin":            nil,
		"":                 nil,
	}
	for role, rights := range want {
		for _, right := range accounts.Rights() {
			if got := role.May(right); got != slices.Contains(rights, right) {
				t.Errorf("%q may %s: %t, want %t", role, right, got, !got)
			}
		}
	}
	for _, role := range accounts.Roles() {
		if _, ok := want[role]; !ok {
			t.Errorf("nothing is said of the role %s", role)
		}
	}
}

// TestTeam: the account's address is its owner while no owner is stored.
func TestTeam(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	ann := accounts.Member{ID: accounts.MemberID("acc_1", "ann@acme.example"), Email: "ann@acme.example", Role: accounts.Viewer, AddedAt: at}
	boss := accounts.Member{ID: accounts.MemberID("acc_1", "boss@acme.example"), Email: "boss@acme.example", Role: accounts.Owner, AddedAt: at}
	for name, tt := range map[string]struct {
		account accounts.Account
		want    []string // address role
	}{
		"nobody":  {accounts.Account{ID: "acc_1"}, nil},
		"address": {accounts.Account{ID: "acc_1", Email: "ops@acme.example"}, []string{"ops@acme.example owner"}},
		"stored":  {accounts.Account{ID: "acc_1", Email: "ops@acme.example", Members: []accounts.Member{ann}}, []string{"ops@acme.example owner", "ann@acme.example viewer"}},
		"owned":   {accounts.Account{ID: "acc_1", Email: "ops@acme.example", Members: []accounts.Member{ann, boss}}, []string{"ann@acme.example viewer", "boss@acme.example owner"}},
		"lowered": {accounts.Account{ID: "acc_1", Email: "Ann@acme.example", Members: []accounts.Member{ann}}, []string{"ann@acme.example viewer"}},
	} {
		var got []string
		for _, m := range tt.account.Team() {
			got = append(got, m.Email+" "+string(m.Role))
			if found, ok := tt.account.Member(accounts.MemberID("acc_1", " "+m.Email)); !ok || found != m {
				t.Errorf("%s: %s is found as %+v, %t", name, m.Email, found, ok)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: the team is %v, want %v", name, got, tt.want)
		}
	}
	again := ann
	again.AddedAt = at.Add(time.Second)
	a := accounts.Account{ID: "acc_1"}
	name, bound := a.Session(ann)
	if name2, bound2 := a.Session(again); name2 != name || bound2 == bound {
		t.Errorf("added again, the sessions are %q bound to %q; want %q and another than %q", name2, bound2, name, bound)
	}
	if account, member := accounts.ReadSession(name); account != "acc_1" || member != ann.ID {
		t.Errorf("%q is read as %q, %q", name, account, member)
	}
}

// TestSignInCodeIsLive: for ten minutes, five tries and one use.
func TestSignInCodeIsLive(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		code  accounts.SignInCode
		after time.Duration
		want  bool
	}{
		"new":       {accounts.SignInCode{At: at}, 0, true},
		"last":      {accounts.SignInCode{At: at, Tries: 4}, accounts.SignInCodeTTL - 1, true},
		"late":      {accounts.SignInCode{At: at}, accounts.SignInCodeTTL, false},
		"exhausted": {accounts.SignInCode{At: at, Tries: 5}, 0, false},
		"used":      {accounts.SignInCode{At: at, Used: true}, 0, false},
	} {
		if got := tt.code.IsLive(at.Add(tt.after)); got != tt.want {
			t.Errorf("%s: %+v after %s is live: %t, want %t", name, tt.code, tt.after, got, tt.want)
		}
	}
}
