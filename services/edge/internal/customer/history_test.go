package customer

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/problem"
)

// TestHistoryTokenEnds: it opens a customer's orders for an hour, for the account
// that it was given to.
func TestHistoryTokenEnds(t *testing.T) {
	t.Parallel()
	keys, err := secret.New(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	k := &Customers{Secrets: keys, Now: func() time.Time { return now }}
	token := keys.Link(historyLink("acc_1"), "customer", now.Add(contract.HistoryLife))
	for _, tt := range []struct {
		after   time.Duration
		account string
		want    contract.Code
	}{{59 * time.Minute, "acc_1", ""}, {61 * time.Minute, "acc_1", contract.LinkExpired}, {0, "acc_2", contract.LinkInvalid}} {
		k.Now = func() time.Time { return now.Add(tt.after) }
		customer, _, err := k.OpenHistory(tt.account, token)
		got := contract.Code("")
		if p, ok := errors.AsType[*problem.Problem](err); ok {
			got = p.Refusal.Code
		}
		if got != tt.want || tt.want == "" && customer != "customer" {
			t.Errorf("after %s for %s: %q, %v", tt.after, tt.account, customer, err)
		}
	}
}
