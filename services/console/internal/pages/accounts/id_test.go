package accounts

import (
	"strings"
	"testing"
)

func TestAccountIDs(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{
		"acc_demo": true, "acc_A1": true, "acc_": false, "demo": false, "acc_a.b": false, "acc_a b": false, "acc_é": false, "acc_" + strings.Repeat("x", 61): false,
	} {
		if got := accountID.MatchString(id); got != want {
			t.Errorf("%q can be an account's id: %v, want %v", id, got, want)
		}
	}
}
