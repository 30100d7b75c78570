package customer

import (
	"bytes"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/dispatch"
	"boardorder/services/edge/internal/problem"
)

// TestTokensEndOnTime: what was confirmed with a code is good in the last second of its
// time, and afterwards tells that a new code is needed.
func TestTokensEndOnTime(t *testing.T) {
	t.Parallel()
	keys, err := secret.New(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	now := begun
	k := &Customers{Client: &dispatch.Client{Secrets: keys, Now: func() time.Time { return now }}}
	confirm := keys.Link(confirmLink, "quote-nonce", begun.Add(confirmations.CodeTTL))
	history := keys.Link(historyLink("acc_1"), "customer", begun.Add(confirmations.HistoryTTL))
	for _, tt := range []struct {
		name string
		ttl  time.Duration
		open func() error
		code contract.Code
	}{
		{"confirm_token", confirmations.CodeTTL, func() error { _, _, err := k.openConfirmation("quote", confirm); return err }, contract.CodeExpired},
		{"history_token", confirmations.HistoryTTL, func() error { _, _, err := k.OpenHistory("acc_1", history); return err }, contract.LinkExpired},
	} {
		now = begun.Add(tt.ttl - time.Second)
		if err := tt.open(); err != nil {
			t.Errorf("%s, a second before its end: %v", tt.name, err)
		}
		now = begun.Add(tt.ttl + time.Second)
		if err := tt.open(); err == nil || problem.Find(err).Refusal.Code != tt.code || problem.Find(err).Status != 410 {
			t.Errorf("%s, a second after its end: %v, want %s", tt.name, err, tt.code)
		}
	}
	now = begun
	if _, _, err := k.openConfirmation("other", confirm); err == nil {
		t.Error("a confirm_token of another quote is taken")
	}
	if _, _, err := k.OpenHistory("acc_2", history); err == nil {
		t.Error("a history_token of another account is taken")
	}
}
