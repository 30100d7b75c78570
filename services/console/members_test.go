package console_test

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	letterscontract "boardorder/pkg/contract/emails"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/sqlite"
	"boardorder/services/console"
)

// A club is the account acme with its members, as the console's handlers see it.
type club struct {
	t    *testing.T
	core *dying
	docs *sqlite.Store
}

func newClub(t *testing.T, a accounts.Account) *club {
	t.Helper()
	docs, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "docs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = docs.Close() })
	p := &club{t, &dying{Core: bustest.Start(t)}, docs}
	_, err = aggregate.At[accounts.Account](p.core.Core, contract.AccountAggregate, a.ID).Execute(t.Context(), contract.Command{ID: "cmd_open"}, time.Now(),
		func(aggregate.Snapshot[accounts.Account]) (*aggregate.Change[accounts.Account], error) {
			return &aggregate.Change[accounts.Account]{Event: accounts.EventOpened, State: a}, nil
		})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range a.Team() {
		body, err := json.Marshal(accounts.Membership{Account: a.ID, Member: m.ID})
		if err == nil {
			err = docs.Put(t.Context(), projection.Document{
				Kind: accounts.MembershipDocumentKind, ID: m.ID, Seq: 1, At: time.Now(), Body: body, Keys: map[string]string{accounts.MembershipKey: contract.PersonRef(m.Email)},
			})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func (p *club) do(name contract.CommandName, id string, data any) error {
	p.t.Helper()
	c, err := contract.NewCommand(name, id, "acc_1", time.Now(), data)
	if err != nil {
		p.t.Fatal(err)
	}
	c.ID = id
	return console.NewMembers(p.core, p.docs, time.Now).Handlers()[name](p.t.Context(), c)
}

// TestCodesGoToMembers: one letter each time, to nobody who is none, also where the
// projection still says so; delivered again, the command sends the same.
func TestCodesGoToMembers(t *testing.T) {
	t.Parallel()
	p := newClub(t, accounts.Account{ID: "acc_1", Name: "Acme", Email: "ops@acme.example"})
	stale, err := json.Marshal(accounts.Membership{Account: "acc_1", Member: accounts.MemberID("acc_1", "gone@acme.example")})
	if err == nil {
		err = p.docs.Put(t.Context(), projection.Document{Kind: accounts.MembershipDocumentKind, ID: "gone", Seq: 1, At: time.Now(), Body: stale, Keys: map[string]string{accounts.MembershipKey: contract.PersonRef("gone@acme.example")}})
	}
	if err != nil {
		t.Fatal(err)
	}
	for email, want := range map[string]int{"OPS@acme.example": 1, "nobody@acme.example": 0, "gone@acme.example": 0} {
		p.core.emails = nil
		for range 2 {
			if err := p.do(accounts.SendSignInCode, "sic_"+contract.PersonRef(email), accounts.SendSignInCodeData{Code: "code-of-" + email, Email: email}); err != nil {
				t.Fatal(err)
			}
		}
		ids := map[string]bool{}
		for _, c := range p.core.emails {
			var data letterscontract.SendData
			if err := json.Unmarshal(c.Data, &data); err != nil || data.Kind != letterscontract.SignInCode || data.About != "acc_1" || data.Item != "code-of-"+email {
				t.Errorf("%s: letter %s, %v", email, c.Data, err)
			}
			ids[c.ID] = true
		}
		if len(ids) != want {
			t.Errorf("%s: %d letters, want %d", email, len(ids), want)
		}
	}
}
