package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract/feed"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// A receiver is a webhook endpoint of the customers' account, which never fails: whatever is
// missing at the end was lost by us.
type receiver struct {
	mu    sync.Mutex
	judge *standardwebhooks.Webhook
	from  uint64              // the feed's position when it was made
	times map[string]int      // event id -> how often it came
	order map[string][]uint64 // object -> sequences, as they came first
	wrong []string
}

// watch has all events of the customers' account sent to a receiver.
func (r *rig) watch(ctx context.Context) *receiver {
	r.t.Helper()
	w := &receiver{times: map[string]int{}, order: map[string][]uint64{}}
	server := httptest.NewServer(w)
	r.t.Cleanup(server.Close)
	state, err := r.bus.FeedState(ctx)
	if err != nil {
		r.t.Fatal(err)
	}
	body := fmt.Appendf(nil, `{"url":%q,"types":["*"],"rate_per_second":500}`, server.URL)
	a, err := newClient(r).insist(ctx, http.MethodPost, "/v1/webhook-endpoints", "application/json", body, "Idempotency-Key", "watch")
	var reply struct{ Secret string }
	if err == nil {
		err = json.Unmarshal(a.body, &reply)
	}
	if err != nil || a.status != http.StatusCreated {
		r.t.Fatalf("make a webhook endpoint: %d %s, %v", a.status, a.body, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.judge, err = standardwebhooks.NewWebhook(reply.Secret); err != nil {
		r.t.Fatal(err)
	}
	w.from = state.Last
	return w
}

func (w *receiver) ServeHTTP(out http.ResponseWriter, in *http.Request) {
	body, err := io.ReadAll(in.Body)
	if err != nil { // who sent it was killed meanwhile
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var e feed.Event
	if err := json.Unmarshal(body, &e); err != nil {
		w.wrong = append(w.wrong, fmt.Sprintf("%s: %v", body, err))
		return
	}
	if w.judge == nil {
		out.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if err := w.judge.VerifyIgnoringTimestamp(body, in.Header); err != nil { // clocks are set wrong
		w.wrong = append(w.wrong, fmt.Sprintf("%s: %v", e.ID, err))
	}
	if w.times[e.ID]++; w.times[e.ID] == 1 {
		key, _, _ := feed.ParseID(e.ID)
		w.order[key] = append(w.order[key], e.Sequence)
	}
	out.WriteHeader(http.StatusNoContent)
}

// missing names an event of the feed that the receiver was not sent; "" where it has all.
func (w *receiver) missing(ctx context.Context, r *rig, owner string) (string, error) {
	for after := w.from; ; {
		e, err := r.bus.PublicAfter(ctx, owner, "*", after)
		if errors.Is(err, aggregate.ErrNone) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		w.mu.Lock()
		n := w.times[e.ID]
		w.mu.Unlock()
		if after = e.Seq; n == 0 {
			return string(e.Type) + " " + e.ID, nil
		}
	}
}

// checkWebhooks holds what a receiver was sent to the feed: all of it, in order within an object.
func (r *rig) checkWebhooks(ctx context.Context, w *receiver) {
	a, err := newClient(r).insist(ctx, http.MethodGet, "/auth/check", "", nil)
	var who struct{ Account struct{ ID string } }
	if err == nil {
		err = json.Unmarshal(a.body, &who)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	for {
		missing, err := w.missing(ctx, r, who.Account.ID)
		if err == nil && missing == "" {
			break
		}
		if wait(ctx, 200*time.Millisecond); ctx.Err() != nil {
			r.t.Errorf("the webhook endpoint was not sent %s, %v", missing, err)
			return
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, wrong := range w.wrong {
		r.t.Errorf("the webhook endpoint was sent what is not right: %s", wrong)
	}
	again := 0
	for _, n := range w.times {
		again += n - 1
	}
	for object, sequences := range w.order {
		for i := 1; i < len(sequences); i++ {
			if sequences[i] <= sequences[i-1] {
				r.t.Errorf("events of %s came in the order %v", object, sequences)
				break
			}
		}
	}
	r.t.Logf("webhooks: %d events of %d objects, %d of them came again", len(w.times), len(w.order), again)
}
