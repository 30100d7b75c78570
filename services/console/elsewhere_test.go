package console_test

import (
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/services/console"
)

// TestElsewhereIsNotedOnceADay: whatever comes again, from wherever, and of a usable key only.
func TestElsewhereIsNotedOnceADay(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	revoked := now.Add(-time.Hour)
	state := accounts.Account{ID: "acc_1", Name: "Partner", Keys: []accounts.APIKey{{ID: "one", Live: true}, {ID: "two"}, {ID: "gone", RevokedAt: &revoked}}}
	first, err := contract.NewRootCommand(accounts.Open, "open", "acc_1", now, accounts.OpenData{})
	if err != nil {
		t.Fatal(err)
	}
	of := aggregate.At[accounts.Account](b, contract.AccountAggregate, "acc_1")
	if err := of.Create(t.Context(), first, now, aggregate.Change[accounts.Account]{Event: accounts.EventOpened, State: state}); err != nil {
		t.Fatal(err)
	}
	handle := console.NewAccounts(b, func() time.Time { return now }).Handlers()[accounts.NoteElsewhere]
	for i, tt := range []struct {
		key, network string
		after        time.Duration
		version      uint64
	}{
		{"one", "203.0.113.1", 0, 2}, {"one", "203.0.113.2", time.Hour, 2}, {"two", "203.0.113.3", 0, 3}, {"gone", "203.0.113.4", 0, 3}, {"none", "203.0.113.5", 0, 3},
		{"one", "203.0.113.6", 23 * time.Hour, 4},
	} {
		now = now.Add(tt.after)
		c, err := contract.NewRootCommand(accounts.NoteElsewhere, contract.DeriveID("note", tt.network), "", now, accounts.NoteElsewhereData{Account: "acc_1", KeyID: tt.key, Network: tt.network})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // a delivery that comes again
			if err := handle(t.Context(), c); err != nil {
				t.Fatalf("%s from %s: %v", tt.key, tt.network, err)
			}
		}
		got, err := of.Load(t.Context())
		if err != nil || got.Version != tt.version {
			t.Errorf("note %d, %s from %s: version %d, %v; want %d", i+1, tt.key, tt.network, got.Version, err, tt.version)
		}
	}
	got, err := of.Load(t.Context())
	if err != nil || got.State.Keys[0].Elsewhere.Network != "203.0.113.6" || got.State.Keys[1].Elsewhere.Network != "203.0.113.3" || got.State.Keys[2].Elsewhere != nil {
		t.Errorf("the keys: %+v, %v", got.State.Keys, err)
	}
}
