package auth

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestKeyIn(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		apiKey, authorization, want string
		err                         error
	}{
		"none":              {"", "", "", ErrUnauthorized},
		"header":            {" k ", "", "k", nil},
		"bearer":            {"", "Bearer k", "k", nil},
		"bearer, odd case":  {"", "bEARER   k", "k", nil},
		"both, the same":    {"k", "Bearer k", "k", nil},
		"both, not same":    {"k", "Bearer j", "", ErrTwoKeys},
		"basic is no key":   {"", "Basic k", "", ErrUnauthorized},
		"basic beside key":  {"k", "Basic j", "k", nil},
		"bearer of nothing": {"", "Bearer ", "", ErrUnauthorized},
	} {
		got, err := KeyIn(tt.apiKey, tt.authorization)
		if got != tt.want || !errors.Is(err, tt.err) || (err == nil) != (tt.err == nil) {
			t.Errorf("%s: KeyIn = %q, %v; want %q, %v", name, got, err, tt.want, tt.err)
		}
	}
}

func TestInQuery(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]bool{
		"": false, "wait_s=1": false, "api_key=x": true, "X-API-Key=x": true, "apikey=": true, "access_token=x": true, "key=1": true,
		"a=bo_live_abc": true, "a=1&b=bo_test_": true, "monkey=1": false, "%zz=1&api-key=2": true,
	} {
		if _, _, got := KeyInQuery(query); got != want {
			t.Errorf("KeyInQuery(%q) = %v, want %v", query, got, want)
		}
	}
}

func TestFailuresAreCountedByAddress(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	f := NewFailures(func() time.Time { return now })
	for i := range maxFailures {
		if !f.Count("1.2.3.4") {
			t.Fatalf("stopped after %d, want %d", i, maxFailures)
		}
	}
	if f.Count("1.2.3.4") || !f.IsExhausted("1.2.3.4") || f.IsExhausted("5.6.7.8") || !f.Count("5.6.7.8") {
		t.Error("the wrong address was stopped")
	}
	now = now.Add(failuresEvery)
	if f.IsExhausted("1.2.3.4") || !f.Count("1.2.3.4") {
		t.Error("still stopped a minute later")
	}
}

// TestFailuresDoNotFillTheMemory: of too many addresses the oldest are
// forgotten, and new ones are counted all the same.
func TestFailuresDoNotFillTheMemory(t *testing.T) {
	t.Parallel()
	f := NewFailures(time.Now)
	for i := range maxAddresses + 1000 {
		f.Count(fmt.Sprint(i))
	}
	if len(f.of) != maxAddresses || f.order.Len() != maxAddresses {
		t.Errorf("%d addresses are remembered in an order of %d, want %d", len(f.of), f.order.Len(), maxAddresses)
	}
	for range maxFailures {
		f.Count("new")
	}
	if !f.IsExhausted("new") {
		t.Error("an address that came late is not counted")
	}
}
