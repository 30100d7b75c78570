package compat_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/compat/peers"
	"boardorder/pkg/card"
	"boardorder/pkg/card/stripe"
)

// TestStripeTakesOurCalls holds the shape of every call that the adapter makes
// against Stripe's own description. The answers are samples, so all that can be
// wrong with them is that they are not about what was asked for.
func TestStripeTakesOurCalls(t *testing.T) {
	t.Parallel()
	p, err := stripe.New(stripe.Config{Key: "sk_test_compat", BaseURL: peers.StartStripe(t), Trip: 1000})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	checkout := card.CheckoutRequest{
		Reference: "quote-1", Metadata: map[string]string{"quote": "q"}, Description: "10 boards", Currency: "USD", CustomerEmail: "ada@example.com",
		Lines:      []card.Line{{Label: "Boards", Cents: 4550}, {Label: "Shipping", Cents: 2100}},
		SuccessURL: "https://shop.example/done", CancelURL: "https://shop.example/back", ExpiresAt: time.Now().Add(time.Hour),
		SaveCard: true, IdempotencyKey: "cs:1",
	}
	known := checkout
	known.CustomerEmail, known.CustomerID, known.IdempotencyKey = "", "cus_1", "cs:2"
	for name, call := range map[string]func() error{
		"create checkout":                func() error { _, err := p.CreateCheckout(ctx, checkout); return err },
		"create checkout for a customer": func() error { _, err := p.CreateCheckout(ctx, known); return err },
		"session":                        func() error { _, err := p.Session(ctx, "cs_test_1"); return err },
		"expire session":                 func() error { _, err := p.ExpireSession(ctx, "cs_test_1"); return err },
		"charge saved card": func() error {
			_, err := p.ChargeSaved(ctx, card.SavedCharge{
				Reference: "quote-1", Cents: 6650, Currency: "USD", CustomerID: "cus_1", MethodID: "pm_1", Description: "10 boards",
				ReceiptEmail: "ada@example.com", Metadata: map[string]string{"quote": "q"}, IdempotencyKey: "pay:1",
			})
			return err
		},
		"cancel payment": func() error { _, err := p.CancelPayment(ctx, "pi_1"); return err },
		"payment":        func() error { _, err := p.Payment(ctx, "pi_1"); return err },
		"payments":       func() error { _, err := p.Payments(ctx, time.Now().Add(-time.Hour)); return err },
		"refund": func() error {
			_, err := p.Refund(ctx, card.RefundRequest{PaymentIntent: "pi_1", Cents: 100, Name: "rf_1", Reason: "late", IdempotencyKey: "r:1"})
			return err
		},
		"refunds of a payment":  func() error { _, err := p.Refunds(ctx, card.Lookup{PaymentIntent: "pi_1"}); return err },
		"refunds since":         func() error { _, err := p.Refunds(ctx, card.Lookup{Since: time.Now().Add(-time.Hour)}); return err },
		"disputes of a payment": func() error { _, err := p.Disputes(ctx, card.Lookup{PaymentIntent: "pi_1"}); return err },
		"disputes since":        func() error { _, err := p.Disputes(ctx, card.Lookup{Since: time.Now().Add(-time.Hour)}); return err },
	} {
		if err := call(); err != nil && !card.IsCode(err, card.CodeImplausible) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestStripeRefusesNonsense: the peer does look at what is sent.
func TestStripeRefusesNonsense(t *testing.T) {
	t.Parallel()
	base := peers.StartStripe(t)
	for path, form := range map[string]url.Values{
		"/v1/refunds":           {"payment_intent": {"pi_1"}, "sum": {"100"}},
		"/v1/checkout/sessions": {"mode": {"nonsense"}},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+path, strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer sk_test_compat")
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != http.StatusBadRequest {
			t.Errorf("POST %s = %d %s, want 400", path, res.StatusCode, body)
		}
	}
}
