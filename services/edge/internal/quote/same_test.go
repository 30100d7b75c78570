package quote

import (
	"crypto/sha256"
	"encoding/json"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
)

var began = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func requests(t *testing.T, now func() time.Time) Requests {
	t.Helper()
	return NewRequests(bustest.Start(t), quotes.Price, now)
}

// commandMaker makes the commands of an account.
func commandMaker(account string) func(string, time.Time) (contract.Command, error) {
	return func(request string, at time.Time) (contract.Command, error) {
		return contract.NewCommand(quotes.Price, request, account, at, quotes.PriceData{})
	}
}

func answerNo(string) (bool, error) { return false, nil }

func TestClaimIsWonByOne(t *testing.T) {
	t.Parallel()
	r := requests(t, time.Now)
	sum := sha256.Sum256([]byte("content"))
	var wg sync.WaitGroup
	var first atomic.Int64
	ids := make([]string, 16)
	for i := range ids {
		wg.Go(func() {
			id, joined, err := r.claim(t.Context(), sum, commandMaker("acc_a"), answerNo)
			if err != nil {
				t.Errorf("claim of one content by many: %v", err)
			}
			if !joined {
				first.Add(1)
			}
			ids[i] = id
		})
	}
	wg.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Errorf("requests %s and %s for one content", id, ids[0])
		}
	}
	if first.Load() != 1 {
		t.Errorf("%d began it, want 1", first.Load())
	}
	if sent, found, err := r.readClaim(t.Context(), ids[0]); sent.Account != "acc_a" || !found || err != nil {
		t.Errorf("sent = %+v, %v, %v", sent, found, err)
	}
}

func TestClaimEndsAfterTenMinutesAndAfterAPassingFailure(t *testing.T) {
	t.Parallel()
	now := began
	r := requests(t, func() time.Time { return now })
	sum := sha256.Sum256([]byte("content"))
	claim := func(ended bool) (string, bool) {
		id, joined, err := r.claim(t.Context(), sum, commandMaker("acc_a"), func(string) (bool, error) { return ended, nil })
		if err != nil {
			t.Fatal(err)
		}
		return id, joined
	}
	first, _ := claim(false)
	now = began.Add(sameWindow - time.Millisecond)
	if id, joined := claim(false); id != first || !joined {
		t.Errorf("within ten minutes the same content has the request %s (joined: %t), want %s", id, joined, first)
	}
	failed, joined := claim(true)
	if failed == first || joined {
		t.Errorf("after a failed request the next is %s (joined: %t), want another than %s", failed, joined, first)
	}
	now = now.Add(sameWindow)
	if id, joined := claim(false); id == failed || joined {
		t.Errorf("after ten minutes the request is %s (joined: %t), want another than %s", id, joined, failed)
	}
	if _, found, err := r.readClaim(t.Context(), first); found || err != nil {
		t.Errorf("the request whose place was taken has an owner: %v", err)
	}
}

// A request may fail within the millisecond in which it began, while another of the
// same content is under way. What begins in its place is found by whoever comes next.
func TestClaimAfterAFailureOfTheSameMillisecond(t *testing.T) {
	t.Parallel()
	r := requests(t, func() time.Time { return began })
	sum := sha256.Sum256([]byte("content"))
	var failed string
	claim := func() (string, bool) {
		id, joined, err := r.claim(t.Context(), sum, commandMaker("acc_a"), func(request string) (bool, error) { return request == failed, nil })
		if err != nil {
			t.Fatal(err)
		}
		return id, joined
	}
	for range 3 {
		before := failed
		first, joined := claim()
		if first == before || joined {
			t.Fatalf("claim after %q failed = %s, joined %v, want another, not joined", before, first, joined)
		}
		if second, joined := claim(); second != first || !joined {
			t.Errorf("claim after that of %s = %s, joined %v, want it, joined", first, second, joined)
		}
		failed = first
	}
}

func TestClaimSurvivesACollision(t *testing.T) {
	t.Parallel()
	r := requests(t, func() time.Time { return began })
	a, b := sha256.Sum256([]byte("a")), sha256.Sum256([]byte("b"))
	copy(b[:10], a[:10]) // the same name for another content
	first, _, err := r.claim(t.Context(), a, commandMaker("acc_a"), answerNo)
	if err != nil {
		t.Fatal(err)
	}
	second, joined, err := r.claim(t.Context(), b, commandMaker("acc_b"), answerNo)
	if err != nil || joined || second == first {
		t.Fatalf("claim = %s, %v, %v", second, joined, err)
	}
	if sent, found, err := r.readClaim(t.Context(), second); sent.Account != "acc_b" || !found || err != nil {
		t.Errorf("sent = %+v, %v, %v", sent, found, err)
	}
}

func TestDigestTellsContentsApart(t *testing.T) {
	t.Parallel()
	seen := map[[32]byte]string{}
	two := 2
	for name, d := range map[string]struct {
		account, files string
		data           quotes.PriceData
	}{
		"plain":         {"a", "f", quotes.PriceData{Upload: "u"}},
		"other account": {"b", "f", quotes.PriceData{Upload: "u"}},
		"other files":   {"a", "g", quotes.PriceData{Upload: "u"}},
		"other upload":  {"a", "f", quotes.PriceData{Upload: "v"}},
		"an option":     {"a", "f", quotes.PriceData{Upload: "u", Request: quotes.Request{Layers: &two}}},
		"free shape":    {"a", "f", quotes.PriceData{Upload: "u", Request: quotes.Request{FileStackup: json.RawMessage(`1`)}}},
	} {
		body, err := json.Marshal(d.data)
		if err != nil {
			t.Fatal(err)
		}
		sum := digest(d.account, endpoint, body, d.files)
		if other, twice := seen[sum]; twice {
			t.Errorf("%s and %s are the same", name, other)
		}
		seen[sum] = name
	}
}

func TestParseRequest(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256([]byte("x"))
	key, at, ok := parseRequest(requestID(sum, began))
	if !ok || !at.Equal(began) || len(key) != 20 {
		t.Errorf("parseRequest = %q, %v, %v; want 20 characters, %v, true", key, at, ok, began)
	}
	for _, bad := range []string{"", "req_", "req_x", "quo_01KAJ6F5Q1X4S8T3V6W9Y2Z5B7", "req_01kaj6f5q1x4s8t3v6w9y2z5b7", "req_81KAJ6F5Q1X4S8T3V6W9Y2Z5B7", "req_01KAJ6F5Q1X4S8T3V6W9Y2Z5B7.>"} {
		if _, _, ok := parseRequest(bad); ok {
			t.Errorf("parseRequest(%q) is ok, want it refused", bad)
		}
	}
}
