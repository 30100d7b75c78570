package stripe_test

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/card/stripe"

	"github.com/google/go-cmp/cmp"
)

func TestNew(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		key, base string
		want      string // of the error; empty: none
	}{
		"the processor itself":               {"sk_live_1", "", ""},
		"a restricted key":                   {"rk_live_1", "https://cards.example", ""},
		"a stand-in":                         {"sk_test_1", "http://127.0.0.1:1", ""},
		"a restricted test key":              {"rk_test_1", "http://127.0.0.1:1", ""},
		"a live key in the clear":            {"sk_live_1", "http://127.0.0.1:1", "over https only"},
		"a restricted live key in the clear": {"rk_live_1", "http://127.0.0.1:1", "over https only"},
		"a public key":                       {"pk_test_1", "", "begin with sk_ or rk_"},
		"no key":                             {"", "", "begin with sk_ or rk_"},
		"no host":                            {"sk_test_1", "https://", "is not an http or https address"},
		"no scheme":                          {"sk_test_1", "cards.example", "is not an http or https address"},
		"another scheme":                     {"sk_test_1", "ftp://cards.example", "is not an http or https address"},
		"no address at all":                  {"sk_test_1", "https://%zz", "is not an http or https address"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := stripe.New(stripe.Config{Key: tt.key, BaseURL: tt.base})
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("New(key %q, base %q) = %v, want an error with %q", tt.key, tt.base, err, tt.want)
			}
		})
	}
}

// TestRequests: what the processor is sent for each call.
func TestRequests(t *testing.T) {
	t.Parallel()
	full := checkout()
	full.Description, full.SaveCard, full.CustomerID = "12 boards", true, "cus_1"
	full.Language = "zh-Hans"
	full.ExpiresAt, full.Metadata = time.Unix(1_750_003_600, 0), map[string]string{"tenant": "a"}
	discount := checkout()
	discount.Lines = append(discount.Lines, card.Line{Label: "Discount", Cents: -45})
	described := discount
	described.Description = "12 boards"
	many := checkout()
	many.Lines = nil
	for range 101 {
		many.Lines = append(many.Lines, card.Line{Label: "Board", Cents: 100})
	}
	long := checkout()
	long.Lines = []card.Line{{Label: strings.Repeat("a", 249) + "ä", Cents: 100}}
	receipt := charge()
	receipt.Description, receipt.ReceiptEmail, receipt.Metadata = "Again", "payer@example.com", map[string]string{"tenant": "a"}
	nameless := giveBack()
	nameless.Name, nameless.Reason = "", strings.Repeat("b", 600)
	for name, tt := range map[string]struct {
		do   func(context.Context, card.Processor)
		to   string
		want map[string]string // fields; an empty one is not sent
	}{
		"a checkout": {func(ctx context.Context, p card.Processor) { _, _ = p.CreateCheckout(ctx, checkout()) }, "POST /v1/checkout/sessions", map[string]string{
			"mode": "payment", "line_items[0][price_data][unit_amount]": "12000", "line_items[0][price_data][currency]": "usd", "line_items[0][quantity]": "1",
			"line_items[1][price_data][product_data][name]": "Shipping", "client_reference_id": "qt_1", "metadata[reference]": "qt_1",
			"payment_intent_data[metadata][reference]": "qt_1", "customer_creation": "always", "customer_email": "typed@example.com", "customer": "",
			"payment_intent_data[setup_future_usage]": "", "expires_at": "", "locale": "", "success_url": "https://shop.example/paid", "cancel_url": "https://shop.example/left",
		}},
		"a checkout of somebody known who saves a card": {func(ctx context.Context, p card.Processor) { _, _ = p.CreateCheckout(ctx, full) }, "POST /v1/checkout/sessions", map[string]string{
			"customer": "cus_1", "customer_creation": "", "customer_email": "", "payment_intent_data[setup_future_usage]": "off_session", "expires_at": "1750003600", "locale": "zh",
			"metadata[tenant]": "a", "payment_intent_data[metadata][tenant]": "a", "metadata[reference]": "qt_1", "payment_intent_data[description]": "12 boards",
		}},
		"a line below nothing makes one of all": {func(ctx context.Context, p card.Processor) { _, _ = p.CreateCheckout(ctx, discount) }, "POST /v1/checkout/sessions", map[string]string{
			"line_items[0][price_data][unit_amount]": "12300", "line_items[0][price_data][product_data][name]": "Your order", "line_items[1][quantity]": "",
		}},
		"that one line is described": {func(ctx context.Context, p card.Processor) { _, _ = p.CreateCheckout(ctx, described) }, "POST /v1/checkout/sessions", map[string]string{
			"line_items[0][price_data][product_data][name]": "12 boards",
		}},
		"lines beyond a hundred make one": {func(ctx context.Context, p card.Processor) { _, _ = p.CreateCheckout(ctx, many) }, "POST /v1/checkout/sessions", map[string]string{
			"line_items[0][price_data][unit_amount]": "10100", "line_items[1][quantity]": "",
		}},
		"a label is cut before a letter": {func(ctx context.Context, p card.Processor) { _, _ = p.CreateCheckout(ctx, long) }, "POST /v1/checkout/sessions", map[string]string{
			"line_items[0][price_data][product_data][name]": strings.Repeat("a", 249),
		}},
		"a charge": {func(ctx context.Context, p card.Processor) { _, _ = p.ChargeSaved(ctx, receipt) }, "POST /v1/payment_intents", map[string]string{
			"amount": "12345", "currency": "usd", "customer": "cus_1", "payment_method": "pm_1", "off_session": "true", "confirm": "true", "metadata[reference]": "qt_1",
			"metadata[tenant]": "a", "description": "Again", "receipt_email": "payer@example.com",
		}},
		"a refund": {func(ctx context.Context, p card.Processor) { _, _ = p.Refund(ctx, giveBack()) }, "POST /v1/refunds", map[string]string{
			"payment_intent": "pi_1", "amount": "500", "metadata[refund]": "rf_1", "metadata[reason]": "a part was out of stock",
		}},
		"a refund without a name": {func(ctx context.Context, p card.Processor) { _, _ = p.Refund(ctx, nameless) }, "POST /v1/refunds", map[string]string{
			"metadata[refund]": "", "metadata[reason]": strings.Repeat("b", 500),
		}},
		"refunds since then": {func(ctx context.Context, p card.Processor) { _, _ = p.Refunds(ctx, card.Lookup{Since: noticed}) }, "GET /v1/refunds", map[string]string{
			"created[gte]": "1750000000", "payment_intent": "", "limit": "100", "starting_after": "",
		}},
		"disputes of a payment": {func(ctx context.Context, p card.Processor) {
			_, _ = p.Disputes(ctx, card.Lookup{PaymentIntent: "pi_1"})
		}, "GET /v1/disputes", map[string]string{
			"created[gte]": "", "payment_intent": "pi_1",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, answer{body: "{}"})
			tt.do(t.Context(), p)
			got := p.got()
			if len(got) != 1 || got[0].to != tt.to {
				t.Fatalf("calls %+v, want one to %s", got, tt.to)
			}
			for field, want := range tt.want {
				if sent := got[0].form.Get(field); sent != want {
					t.Errorf("%s sends %s = %q, want %q; all of it: %v", tt.to, field, sent, want, got[0].form)
				}
			}
			if posts := strings.HasPrefix(tt.to, "POST"); posts && got[0].key != "key" {
				t.Errorf("%s has the idempotency key %q, want %q", tt.to, got[0].key, "key")
			}
		})
	}
}

// TestPagesFollow: the next page begins after the last of the one before.
func TestPagesFollow(t *testing.T) {
	t.Parallel()
	p := serve(t, page(true, object(paidIntent, "id", `"pi_3"`), object(paidIntent, "id", `"pi_2"`)), page(false, object(paidIntent)))
	got, err := p.Payments(t.Context(), noticed)
	var ids []string
	for _, v := range got {
		ids = append(ids, v.ID)
	}
	if diff := cmp.Diff([]string{"pi_1", "pi_2", "pi_3"}, ids); err != nil || diff != "" {
		t.Errorf("payments of two pages, newest first: %v (-want +got):\n%s", err, diff)
	}
	var starts []url.Values
	for _, c := range p.got() {
		starts = append(starts, url.Values{"starting_after": c.form["starting_after"], "created[gte]": c.form["created[gte]"]})
	}
	want := []url.Values{{"starting_after": nil, "created[gte]": {"1750000000"}}, {"starting_after": {"pi_2"}, "created[gte]": {"1750000000"}}}
	if diff := cmp.Diff(want, starts); diff != "" {
		t.Errorf("the pages begin (-want +got):\n%s", diff)
	}
}

// TestUnsendable: what cannot be right is refused here, and nobody is called.
func TestUnsendable(t *testing.T) {
	t.Parallel()
	opens := func(change func(*card.CheckoutRequest)) func(context.Context, card.Processor) error {
		return func(ctx context.Context, p card.Processor) error {
			r := checkout()
			change(&r)
			_, err := p.CreateCheckout(ctx, r)
			return err
		}
	}
	charges := func(change func(*card.SavedCharge)) func(context.Context, card.Processor) error {
		return func(ctx context.Context, p card.Processor) error {
			r := charge()
			change(&r)
			_, err := p.ChargeSaved(ctx, r)
			return err
		}
	}
	refunds := func(change func(*card.RefundRequest)) func(context.Context, card.Processor) error {
		return func(ctx context.Context, p card.Processor) error {
			r := giveBack()
			change(&r)
			_, err := p.Refund(ctx, r)
			return err
		}
	}
	for name, do := range map[string]func(context.Context, card.Processor) error{
		"a checkout without a key":          opens(func(r *card.CheckoutRequest) { r.IdempotencyKey = "" }),
		"a checkout with too long a key":    opens(func(r *card.CheckoutRequest) { r.IdempotencyKey = strings.Repeat("k", 256) }),
		"a checkout of 49 cents":            opens(func(r *card.CheckoutRequest) { r.Lines = []card.Line{{Label: "a", Cents: 49}} }),
		"a checkout of a million":           opens(func(r *card.CheckoutRequest) { r.Lines = []card.Line{{Label: "a", Cents: 100_000_000}} }),
		"a checkout of less than nothing":   opens(func(r *card.CheckoutRequest) { r.Lines = []card.Line{{Label: "a", Cents: -100}} }),
		"a checkout in no currency":         opens(func(r *card.CheckoutRequest) { r.Currency = "US dollar" }),
		"a checkout with a long reference":  opens(func(r *card.CheckoutRequest) { r.Reference = strings.Repeat("r", 201) }),
		"a checkout with nowhere to return": opens(func(r *card.CheckoutRequest) { r.SuccessURL = "" }),
		"a checkout with nowhere to cancel": opens(func(r *card.CheckoutRequest) { r.CancelURL = "" }),
		"a charge without a key":            charges(func(r *card.SavedCharge) { r.IdempotencyKey = "" }),
		"a charge of 49 cents":              charges(func(r *card.SavedCharge) { r.Cents = 49 }),
		"a charge of a million":             charges(func(r *card.SavedCharge) { r.Cents = 100_000_000 }),
		"a charge in no currency":           charges(func(r *card.SavedCharge) { r.Currency = "" }),
		"a charge of nobody":                charges(func(r *card.SavedCharge) { r.CustomerID = "" }),
		"a charge of no card":               charges(func(r *card.SavedCharge) { r.MethodID = "" }),
		"a refund without a key":            refunds(func(r *card.RefundRequest) { r.IdempotencyKey = "" }),
		"a refund of nothing":               refunds(func(r *card.RefundRequest) { r.Cents = 0 }),
		"a refund of no payment":            refunds(func(r *card.RefundRequest) { r.PaymentIntent = "cs_1" }),
		"a payment's id for a checkout's":   func(ctx context.Context, p card.Processor) error { _, err := p.Session(ctx, "pi_1"); return err },
		"to expire what is no checkout":     func(ctx context.Context, p card.Processor) error { _, err := p.ExpireSession(ctx, ""); return err },
		"a checkout's id for a payment's":   func(ctx context.Context, p card.Processor) error { _, err := p.Payment(ctx, "cs_1"); return err },
		"to cancel what is no payment":      func(ctx context.Context, p card.Processor) error { _, err := p.CancelPayment(ctx, "pm_1"); return err },
		"to forget who is no customer":      func(ctx context.Context, p card.Processor) error { return p.ForgetCustomer(ctx, "pi_1") },
		"refunds of what is no payment": func(ctx context.Context, p card.Processor) error {
			_, err := p.Refunds(ctx, card.Lookup{PaymentIntent: "cs_1"})
			return err
		},
		"disputes of what is no payment": func(ctx context.Context, p card.Processor) error {
			_, err := p.Disputes(ctx, card.Lookup{PaymentIntent: "re_1"})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, answer{body: "{}"})
			err := do(t.Context(), p)
			if card.KindOf(err) != card.Refused || !card.IsCode(err, card.CodeBadRequest) {
				t.Errorf("%v, want kind %q and code %q", err, card.Refused, card.CodeBadRequest)
			}
			if got := p.got(); len(got) > 0 {
				t.Errorf("the processor was called: %+v, want no call", got)
			}
		})
	}
}
