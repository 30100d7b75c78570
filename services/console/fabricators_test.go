package console_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/services/console"
)

// TestFabricatorsOfAnAccount: the rule is set once, wherever the process ends; what is none, or
// of no account, is refused.
func TestFabricatorsOfAnAccount(t *testing.T) {
	t.Parallel()
	preferred := &accounts.FabricatorRule{Kind: accounts.Preferred, Fabricator: "near_by", Percent: 10}
	for i, tt := range []struct {
		data accounts.SetFabricatorsData
		code contract.Code
	}{
		{accounts.SetFabricatorsData{Account: "acc_1", Rule: preferred}, ""},
		{accounts.SetFabricatorsData{Account: "acc_1", SeesOffers: true}, ""},
		{accounts.SetFabricatorsData{Account: "acc_1"}, ""}, // as it is
		{accounts.SetFabricatorsData{Account: "acc_1", Rule: &accounts.FabricatorRule{Kind: "best"}}, contract.InvalidRequest},
		{accounts.SetFabricatorsData{Account: "acc_2", Rule: preferred}, contract.NotFound},
	} {
		for _, death := range []struct {
			n     int
			after bool
		}{{0, false}, {1, false}, {1, true}} {
			p := newClub(t, accounts.Account{ID: "acc_1", Name: "Acme", Email: "ops@acme.example"})
			c, err := contract.NewCommand(accounts.SetFabricators, fmt.Sprintf("req_%d", i), tt.data.Account, time.Now(), tt.data)
			if err != nil {
				t.Fatal(err)
			}
			p.core.n, p.core.after = death.n, death.after
			for range 3 { // and delivered again
				err = console.NewAccounts(p.core, time.Now).Handlers()[accounts.SetFabricators](t.Context(), c)
			}
			refusal := contract.RefusalIn(err)
			if tt.code != "" && (refusal == nil || refusal.Code != tt.code) || tt.code == "" && err != nil {
				t.Errorf("%+v, ending at %+v: %v, want %q", tt.data, death, err, tt.code)
				continue
			}
			now, err := aggregate.At[accounts.Account](p.core.Core, contract.AccountAggregate, "acc_1").Load(t.Context())
			want, events := accounts.Account{}, uint64(1)
			if tt.code == "" { // one event, which only tells the outcome where nothing changed
				want.FabricatorRule, want.SeesOffers, events = tt.data.Rule, tt.data.SeesOffers, 2
			}
			if got := now.State; err != nil || fmt.Sprint(got.FabricatorRule) != fmt.Sprint(want.FabricatorRule) || got.SeesOffers != want.SeesOffers || got.Name != "Acme" || now.Version != events {
				t.Errorf("%+v, ending at %+v: %+v at version %d, %v; want the rule %v, once", tt.data, death, got, now.Version, err, want.FabricatorRule)
			}
		}
	}
}

// TestFabricatorsForm: what is typed is saved and stands there again, and in the trail.
func TestFabricatorsForm(t *testing.T) {
	t.Parallel()
	w := start(t)
	ann := w.signInAs("ann")
	at := ann.fill("/accounts", "/accounts", "name", "Acme Boards").url.Path
	ann.fill(at, at+"/fabricators", "rule", "best").wants(t, http.StatusUnprocessableEntity, "is no rule: want cheapest, fastest or preferred", `value="best"`)
	ann.fill(at, at+"/fabricators", "rule", "preferred near_by 10%", "sees_offers", "yes").wants(t, http.StatusOK, "The rule is saved", `value="preferred near_by 10%"`, `name="sees_offers" value="yes" checked`)
	ann.get("/audit").wants(t, http.StatusOK, "set an account's fabricators", "near_by")
	usual := ann.fill(at, at+"/fabricators", "rule", "")
	usual.wants(t, http.StatusOK, "The rule is saved")
	usual.lacks(t, `value="preferred near_by 10%"`)
}
