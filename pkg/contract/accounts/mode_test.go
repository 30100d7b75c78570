package accounts_test

import (
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/orders"
)

func TestOwnerOfAKey(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		live          bool
		owner, listed string
	}{{true, "acc_1", "held"}, {false, "acc_1~test", "held~test"}} {
		owner := accounts.APIKey{Live: tt.live}.Owner("acc_1")
		if owner != tt.owner || contract.IsTest(owner) == tt.live || contract.AccountOf(owner) != "acc_1" || contract.ListWord(owner, orders.Held) != tt.listed || contract.ListWord(owner, "") != "" {
			t.Errorf("live %t: owner %s, test %t, account %s, listed as %q, all as %q; want %s, %t, acc_1, %q, \"\"", tt.live, owner, contract.IsTest(owner), contract.AccountOf(owner), contract.ListWord(owner, orders.Held), contract.ListWord(owner, ""), tt.owner, !tt.live, tt.listed)
		}
	}
	if contract.ValidToken("acc_1~test") {
		t.Error("an account could be opened under the name of another's test mode")
	}
}
