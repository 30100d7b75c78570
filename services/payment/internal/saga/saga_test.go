package saga_test

import (
	"errors"
	"testing"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/card/stripe"
	"boardorder/services/payment/internal/saga"
)

func TestBackoff(t *testing.T) {
	t.Parallel()
	b := saga.Backoff{First: time.Second, Max: 5 * time.Second}
	for try, want := range map[int]time.Duration{0: time.Second, 1: 2 * time.Second, 2: 4 * time.Second, 3: 5 * time.Second, 1000: 5 * time.Second} {
		if got := b.Delay(try); got != want {
			t.Errorf("%+v after try %d: %s, want %s", b, try, got, want)
		}
	}
	long := saga.Backoff{First: time.Hour, Max: time.Minute}
	if got := long.Delay(0); got != time.Minute {
		t.Errorf("%+v after try 0: %s, want %s", long, got, time.Minute)
	}
}

// TestModes: the mode follows from the owner, and test mode takes no money where it
// is not configured.
func TestModes(t *testing.T) {
	t.Parallel()
	cards, err := stripe.New(stripe.Config{Key: "sk_test_x"})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		tests card.Processor
		modes int
	}{"no test mode": {nil, 1}, "test mode": {cards, 2}} {
		env := saga.Env{Live: saga.Mode{Cards: cards}, Test: saga.TestMode(tt.tests, time.Now)}
		if got := len(env.Modes()); got != tt.modes {
			t.Errorf("%s: %d modes, want %d", name, got, tt.modes)
		}
		for owner, want := range map[string]bool{"acc_1": false, "acc_1~test": true} {
			if got := env.ModeOf(owner); got.Test != want || len(got.Fabricators) == 0 && want {
				t.Errorf("%s: mode of %s: test %t, want %t, fabricators %v", name, owner, got.Test, want, got.Fabricators)
			}
		}
		if tt.tests != nil {
			continue
		}
		_, err := env.ModeOf("acc_1~test").Cards.CreateCheckout(t.Context(), card.CheckoutRequest{})
		if e, ok := errors.AsType[*card.Error](err); !ok || e.Kind != card.Refused {
			t.Errorf("%s: a checkout is made, or fails otherwise: %v, want a refusal", name, err)
		}
	}
}
