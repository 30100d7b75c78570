package cards_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"boardorder/deploy/simulator/cards"
	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/card/stripe/webhook"

	library "github.com/stripe/stripe-go/v85/webhook"
)

// Our own check and the processor's library agree on what is authentic.
func TestVerifyAgreesWithTheLibrary(t *testing.T) {
	t.Parallel()
	now := time.Now()
	body := []byte(`{"id":"evt_1","object":"event","api_version":"2026-03-25.dahlia","type":"charge.refunded","data":{"object":{"id":"ch_1","object":"charge","payment_intent":"pi_1"}}}`)
	for name, tt := range map[string]struct {
		at     time.Time
		secret string
		ok     bool
	}{
		"good":    {now, secret, true},
		"old":     {now.Add(-time.Hour), secret, false},
		"foreign": {now, "whsec_other", false},
	} {
		signed := library.GenerateTestSignedPayload(&library.UnsignedPayload{Payload: body, Secret: tt.secret, Timestamp: tt.at})
		e, err := webhook.Verify(body, signed.Header, now, secret)
		_, theirs := library.ConstructEvent(body, signed.Header, secret)
		if (err == nil) != tt.ok || (theirs == nil) != tt.ok {
			t.Errorf("%s: ours %v, theirs %v; want ok %t", name, err, theirs, tt.ok)
		}
		if tt.ok && (e.ObjectID != "ch_1" || e.PaymentIntent != "pi_1") {
			t.Errorf("%s: %+v, want ch_1 and pi_1", name, e)
		}
		if _, err := webhook.Verify(body, cards.Sign(body, tt.secret, tt.at), now, secret); (err == nil) != tt.ok {
			t.Errorf("%s, signed by the simulator: %v, want ok %t", name, err, tt.ok)
		}
	}
}

// hooks is an endpoint that refuses each event a number of times.
type hooks struct {
	t      *testing.T
	refuse int
	seen   map[string]int
	taken  chan webhook.Event
}

func (h *hooks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		h.t.Errorf("read the webhook: %v", err)
	}
	if _, err := library.ConstructEvent(body, r.Header.Get(webhook.HeaderName), secret); err != nil {
		h.t.Errorf("the library refuses the webhook: %v", err)
	}
	e, err := webhook.Verify(body, r.Header.Get(webhook.HeaderName), time.Now(), secret)
	if err != nil {
		h.t.Errorf("Verify(%s) = %v, want it taken", body, err)
	}
	if e.Type == "checkout.session.completed" {
		if h.seen[e.ID]++; h.seen[e.ID] <= h.refuse {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		h.taken <- e
	}
	w.WriteHeader(http.StatusOK)
}

func TestWebhookComesUntilItIsTaken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	h := &hooks{t: t, refuse: 1, seen: map[string]int{}, taken: make(chan webhook.Event, 10)}
	srv := httptest.NewServer(h)
	defer srv.Close()
	s := b.checkout(t, request("cs:hook"))
	b.pay(t, s, shopper.Card{})
	b.sim.SetWebhook(srv.URL, secret)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	select {
	case e := <-h.taken:
		if e.ObjectID != s.ID || e.Object != "checkout.session" || e.PaymentIntent == "" || e.Reference != "quote-1" {
			t.Errorf("event = %+v, want about %s", e, s.ID)
		}
	case <-ctx.Done():
		t.Fatal("the webhook never came")
	}
}
