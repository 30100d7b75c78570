package stripe_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/card/stripe"

	"github.com/google/go-cmp/cmp"
)

// An answer is what the processor sends back for one call.
type answer struct {
	status int // 0: 200
	body   string
}

// A processor answers calls in order with what a test says, the last for all that follow.
type processor struct {
	*stripe.Processor
	mu      sync.Mutex
	answers []answer
	calls   []call
}

// A call is one that came: its method and path, its fields, and its idempotency key.
type call struct {
	to   string
	form url.Values
	key  string
}

func (p *processor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = r.ParseForm()
	p.calls = append(p.calls, call{r.Method + " " + r.URL.Path, r.Form, r.Header.Get("Idempotency-Key")})
	a := p.answers[0]
	if len(p.answers) > 1 {
		p.answers = p.answers[1:]
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(max(a.status, http.StatusOK))
	_, _ = w.Write([]byte(a.body))
}

// got are the calls that came.
func (p *processor) got() []call {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls
}

func serve(t *testing.T, answers ...answer) *processor {
	t.Helper()
	p := &processor{answers: answers}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	var err error
	if p.Processor, err = stripe.New(stripe.Config{Key: "sk_test_1", BaseURL: server.URL}); err != nil {
		t.Fatal(err)
	}
	return p
}

// failure is an answer that says why not.
func failure(status int, kind, code string) answer {
	return answer{status, fmt.Sprintf(`{"error": {"type": %q, "code": %q, "message": "because"}}`, kind, code)}
}

// object is JSON of an object's fields, with some of them replaced or, by "", left out.
func object(fields map[string]string, replace ...string) string {
	fields = maps.Clone(fields)
	for i := 0; i+1 < len(replace); i += 2 {
		fields[replace[i]] = replace[i+1]
	}
	var out []string
	for name, value := range fields {
		if value != "" {
			out = append(out, fmt.Sprintf("%q: %s", name, value))
		}
	}
	return "{" + strings.Join(out, ", ") + "}"
}

// What the processor tells of a checkout, a payment, a refund and a dispute that nothing
// is wrong with.
var (
	openCheckout = map[string]string{
		"id": `"cs_1"`, "object": `"checkout.session"`, "status": `"open"`, "payment_status": `"unpaid"`, "amount_total": `12345`, "currency": `"usd"`,
		"url": `"https://pay.example/cs_1"`, "expires_at": `1750000000`, "customer_email": `"typed@example.com"`, "client_reference_id": `"qt_1"`,
	}
	paidIntent = map[string]string{
		"id": `"pi_1"`, "object": `"payment_intent"`, "status": `"succeeded"`, "amount": `12345`, "amount_received": `12345`, "currency": `"usd"`,
		"created": `1750000000`, "setup_future_usage": `"off_session"`, "customer": `"cus_1"`,
		"payment_method": `{"id": "pm_1", "card": {"brand": "visa", "last4": "4242", "exp_month": 4, "exp_year": 2031}}`,
		"latest_charge":  `{"id": "ch_1", "amount_refunded": 345, "disputed": true}`,
	}
	madeRefund = map[string]string{
		"id": `"re_1"`, "object": `"refund"`, "amount": `500`, "status": `"succeeded"`, "created": `1750000000`,
		"metadata": `{"refund": "rf_1"}`, "payment_intent": `{"id": "pi_1", "metadata": {"reference": "qt_1"}}`,
	}
	openDispute = map[string]string{
		"id": `"dp_1"`, "object": `"dispute"`, "amount": `500`, "status": `"needs_response"`, "reason": `"fraudulent"`, "created": `1750000000`, "payment_intent": `"pi_1"`,
	}
	noticed = time.Unix(1_750_000_000, 0).UTC()
	visa    = card.Saved{MethodID: "pm_1", Brand: "visa", Last4: "4242", ExpMonth: 4, ExpYear: 2031}
)

// checkoutWithPayment is a checkout whose payment has these fields replaced.
func checkoutWithPayment(replace ...string) string {
	return object(openCheckout, "status", `"complete"`, "payment_status", `"paid"`, "url", "null", "customer", `"cus_1"`,
		"customer_details", `{"email": "payer@example.com", "name": "P. Ayer"}`, "payment_intent", object(paidIntent, replace...))
}

func page(more bool, objects ...string) answer {
	return answer{body: fmt.Sprintf(`{"object": "list", "has_more": %v, "data": [%s]}`, more, strings.Join(objects, ", "))}
}

// calls are the methods by what they ask for, with requests that nothing is wrong with.
var calls = map[string]struct {
	writes bool
	do     func(context.Context, card.Processor) (any, error)
}{
	"create checkout": {true, func(ctx context.Context, p card.Processor) (any, error) { return p.CreateCheckout(ctx, checkout()) }},
	"checkout":        {false, func(ctx context.Context, p card.Processor) (any, error) { return p.Session(ctx, "cs_1") }},
	"expire":          {true, func(ctx context.Context, p card.Processor) (any, error) { return p.ExpireSession(ctx, "cs_1") }},
	"charge":          {true, func(ctx context.Context, p card.Processor) (any, error) { return p.ChargeSaved(ctx, charge()) }},
	"cancel":          {true, func(ctx context.Context, p card.Processor) (any, error) { return p.CancelPayment(ctx, "pi_1") }},
	"forget":          {true, func(ctx context.Context, p card.Processor) (any, error) { return nil, p.ForgetCustomer(ctx, "cus_1") }},
	"refund":          {true, func(ctx context.Context, p card.Processor) (any, error) { return p.Refund(ctx, giveBack()) }},
	"refunds": {false, func(ctx context.Context, p card.Processor) (any, error) {
		return p.Refunds(ctx, card.Lookup{Since: noticed})
	}},
	"disputes": {false, func(ctx context.Context, p card.Processor) (any, error) {
		return p.Disputes(ctx, card.Lookup{PaymentIntent: "pi_1"})
	}},
	"payment":  {false, func(ctx context.Context, p card.Processor) (any, error) { return p.Payment(ctx, "pi_1") }},
	"payments": {false, func(ctx context.Context, p card.Processor) (any, error) { return p.Payments(ctx, noticed) }},
}

func checkout() card.CheckoutRequest {
	return card.CheckoutRequest{
		Reference: "qt_1", Lines: []card.Line{{Label: "Boards", Cents: 12_000}, {Label: "Shipping", Cents: 345}}, Currency: "USD",
		CustomerEmail: "typed@example.com", SuccessURL: "https://shop.example/paid", CancelURL: "https://shop.example/left", IdempotencyKey: "key",
	}
}

func charge() card.SavedCharge {
	return card.SavedCharge{Reference: "qt_1", Cents: 12_345, Currency: "USD", CustomerID: "cus_1", MethodID: "pm_1", IdempotencyKey: "key"}
}

func giveBack() card.RefundRequest {
	return card.RefundRequest{PaymentIntent: "pi_1", Cents: 500, Reason: "a part was out of stock", Name: "rf_1", IdempotencyKey: "key"}
}

// TestFailures: what an error means for the money, whichever call met it.
func TestFailures(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer        answer
		writes, reads card.Kind
		code          string
		elsewhere     []string // calls that take this answer otherwise
	}{
		"a wrong request":               {failure(400, "invalid_request_error", "parameter_unknown"), card.Refused, card.Refused, "parameter_unknown", nil},
		"no code: the type says it":     {failure(400, "invalid_request_error", ""), card.Refused, card.Refused, "invalid_request_error", nil},
		"nothing of that name":          {failure(404, "invalid_request_error", "resource_missing"), card.Refused, card.Refused, card.CodeNotFound, []string{"forget"}},
		"the key was used otherwise":    {failure(400, "idempotency_error", ""), card.Refused, card.Refused, card.CodeKeyReused, nil},
		"the key is in use this moment": {failure(409, "idempotency_error", ""), card.Unknown, card.Unavailable, card.CodeBusy, nil},
		"our key is wrong":              {failure(401, "invalid_request_error", ""), card.Unavailable, card.Unavailable, card.CodeBadKey, nil},
		"our key may not":               {failure(403, "invalid_request_error", ""), card.Unavailable, card.Unavailable, card.CodeBadKey, nil},
		"too many calls":                {failure(429, "invalid_request_error", "rate_limit"), card.Unavailable, card.Unavailable, card.CodeBusy, nil},
		"it failed":                     {failure(500, "api_error", ""), card.Unknown, card.Unavailable, card.CodeServerError, nil},
		"something before it failed":    {answer{503, "<html>no"}, card.Unknown, card.Unavailable, card.CodeConnection, nil},
		"no answer of its own":          {answer{200, "<html>yes"}, card.Unknown, card.Unavailable, card.CodeConnection, nil},
		"an empty object":               {answer{200, "{}"}, card.Unknown, card.Unavailable, card.CodeImplausible, []string{"refunds", "disputes", "payments"}},
	} {
		for call, c := range calls {
			t.Run(name+": "+call, func(t *testing.T) {
				t.Parallel()
				p := serve(t, tt.answer)
				_, err := c.do(t.Context(), p)
				want := tt.reads
				if c.writes {
					want = tt.writes
				}
				for _, other := range tt.elsewhere {
					if call == other {
						want = ""
					}
				}
				if got := card.KindOf(err); got != want || want != "" && !card.IsCode(err, tt.code) {
					t.Errorf("%s, answered %d %s: %v (kind %q), want kind %q and code %q", call, tt.answer.status, tt.answer.body, err, got, want, tt.code)
				}
			})
		}
	}
}

// implausible is wanted of an answer that cannot be true.
const implausible = "implausible"

// TestAnswers: what is read from answers, and which cannot be true.
func TestAnswers(t *testing.T) {
	t.Parallel()
	checkoutOpen := card.Session{ID: "cs_1", URL: "https://pay.example/cs_1", Status: card.SessionOpen, AmountTotal: 12_345, Currency: "USD",
		CustomerEmail: "typed@example.com", Reference: "qt_1", ExpiresAt: noticed}
	checkoutPaid := card.Session{ID: "cs_1", Status: card.SessionComplete, Paid: true, AmountTotal: 12_345, Currency: "USD", PaymentIntent: "pi_1", CustomerID: "cus_1",
		CustomerEmail: "payer@example.com", CustomerName: "P. Ayer", Reference: "qt_1", ExpiresAt: noticed, Card: visa, CardSaved: true, RefundedCents: 345}
	checkoutExpired := checkoutOpen
	checkoutExpired.Status, checkoutExpired.URL = card.SessionExpired, ""
	paymentDone := card.Payment{ID: "pi_1", Status: card.PaymentSucceeded, Cents: 12_345, ReceivedCents: 12_345, RefundedCents: 345, Disputed: true,
		Currency: "USD", CustomerID: "cus_1", CreatedAt: noticed, Card: visa, CardSaved: true}
	paymentOpen := paymentDone
	paymentOpen.Status, paymentOpen.CardSaved, paymentOpen.ReceivedCents = card.PaymentOpen, false, 0
	paymentGone := paymentOpen
	paymentGone.Status = card.PaymentCanceled
	refunded := card.Refund{ID: "re_1", Name: "rf_1", PaymentIntent: "pi_1", Reference: "qt_1", Cents: 500, Status: card.RefundSucceeded, CreatedAt: noticed}
	pending, failed := refunded, refunded
	pending.Status, failed.Status = card.RefundPending, card.RefundFailed
	disputed := card.Dispute{ID: "dp_1", PaymentIntent: "pi_1", Cents: 500, Reason: "fraudulent", Status: card.DisputeOpen, CreatedAt: noticed}
	won, lost := disputed, disputed
	won.Status, lost.Status = card.DisputeWon, card.DisputeLost
	one := func(body string) []answer { return []answer{{body: body}} }
	closed := failure(400, "invalid_request_error", "checkout_session_not_open")
	for name, tt := range map[string]struct {
		call    string
		answers []answer
		want    any
	}{
		"opened":                           {"create checkout", one(object(openCheckout)), checkoutOpen},
		"opened for another amount":        {"create checkout", one(object(openCheckout, "amount_total", "12346")), implausible},
		"opened in another currency":       {"create checkout", one(object(openCheckout, "currency", `"eur"`)), implausible},
		"opened at no address":             {"create checkout", one(object(openCheckout, "url", "null")), implausible},
		"opened at no web address":         {"create checkout", one(object(openCheckout, "url", `"javascript:pay()"`)), implausible},
		"opened in a state nobody knows":   {"create checkout", one(object(openCheckout, "status", `"ajar"`)), implausible},
		"a payment for a checkout":         {"checkout", one(object(openCheckout, "id", `"pi_1"`)), implausible},
		"of another checkout":              {"checkout", one(object(openCheckout, "id", `"cs_2"`)), implausible},
		"without an amount":                {"checkout", one(object(openCheckout, "amount_total", "0")), implausible},
		"open, with no e-mail of its own":  {"checkout", one(object(openCheckout, "customer_details", `{"email": null, "name": null}`)), checkoutOpen},
		"paid":                             {"checkout", one(checkoutWithPayment()), checkoutPaid},
		"paid with a part of it":           {"checkout", one(checkoutWithPayment("amount_received", "12344")), implausible},
		"paid by a payment that is not":    {"checkout", one(checkoutWithPayment("status", `"processing"`)), implausible},
		"paid yet open":                    {"checkout", one(object(openCheckout, "payment_status", `"paid"`, "payment_intent", `"pi_1"`)), implausible},
		"paid by nothing":                  {"checkout", one(object(openCheckout, "status", `"complete"`, "payment_status", `"paid"`)), implausible},
		"expired":                          {"expire", one(object(openCheckout, "status", `"expired"`, "url", "")), checkoutExpired},
		"asked to expire, still open":      {"expire", one(object(openCheckout)), implausible},
		"was paid before":                  {"expire", []answer{closed, {body: checkoutWithPayment()}}, checkoutPaid},
		"charged":                          {"charge", one(object(paidIntent)), card.ChargeResult{Outcome: card.Succeeded, PaymentIntent: "pi_1", Card: visa}},
		"charged another amount":           {"charge", one(object(paidIntent, "amount", "12346")), implausible},
		"charged and not received":         {"charge", one(object(paidIntent, "amount_received", "0")), implausible},
		"charged in a state nobody knows":  {"charge", one(object(paidIntent, "status", `"dreaming"`)), implausible},
		"the bank answers later":           {"charge", one(object(paidIntent, "status", `"processing"`)), card.ChargeResult{Outcome: card.Processing, PaymentIntent: "pi_1", Card: visa}},
		"the bank asks its customer":       {"charge", one(object(paidIntent, "status", `"requires_action"`)), card.ChargeResult{Outcome: card.AuthenticationRequired, PaymentIntent: "pi_1", Code: "authentication_required", Card: visa}},
		"the bank says no":                 {"charge", one(object(paidIntent, "status", `"requires_payment_method"`)), card.ChargeResult{Outcome: card.Declined, PaymentIntent: "pi_1", Code: "card_declined", Card: visa}},
		"the bank says why not":            {"charge", []answer{{402, `{"error": {"type": "card_error", "code": "card_declined", "decline_code": "insufficient_funds", "payment_intent": {"id": "pi_1"}}}`}}, card.ChargeResult{Outcome: card.Declined, PaymentIntent: "pi_1", Code: "card_declined", DeclineCode: "insufficient_funds"}},
		"the bank asks its customer first": {"charge", []answer{{402, `{"error": {"type": "card_error", "code": "authentication_required"}}`}}, card.ChargeResult{Outcome: card.AuthenticationRequired, Code: "authentication_required"}},
		"cancelled":                        {"cancel", one(object(paidIntent, "status", `"canceled"`, "amount_received", "0")), paymentGone},
		"asked to cancel, still open":      {"cancel", one(object(paidIntent, "status", `"requires_action"`, "amount_received", "0")), implausible},
		"was cancelled before":             {"cancel", []answer{failure(400, "invalid_request_error", "payment_intent_unexpected_state"), {body: object(paidIntent, "status", `"canceled"`, "amount_received", "0")}}, paymentGone},
		"a payment":                        {"payment", one(object(paidIntent)), paymentDone},
		"a payment in an unknown state":    {"payment", one(object(paidIntent, "status", `"dreaming"`, "amount_received", "0")), paymentOpen},
		"of another payment":               {"payment", one(object(paidIntent, "id", `"pi_2"`)), implausible},
		"succeeded with nothing":           {"payment", one(object(paidIntent, "amount_received", "0")), implausible},
		"given back":                       {"refund", one(object(madeRefund)), refunded},
		"given back another amount":        {"refund", one(object(madeRefund, "amount", "501")), implausible},
		"given back in no state":           {"refund", one(object(madeRefund, "status", `""`)), implausible},
		"nothing was given back":           {"refunds", []answer{page(false)}, []card.Refund(nil)},
		"refunds in every state": {"refunds", []answer{page(false, object(madeRefund, "status", `"canceled"`), object(madeRefund, "status", `"requires_action"`), object(madeRefund))},
			[]card.Refund{refunded, pending, failed}},
		"page by page":                 {"refunds", []answer{page(true, object(madeRefund)), page(false, object(madeRefund, "status", `"pending"`))}, []card.Refund{pending, refunded}},
		"an empty page before the end": {"refunds", []answer{page(true)}, implausible},
		"one refund of several broken": {"refunds", []answer{page(false, object(madeRefund), object(madeRefund, "amount", "0"))}, implausible},
		"disputes in every state": {"disputes", []answer{page(false, object(openDispute, "status", `"lost"`), object(openDispute, "status", `"warning_closed"`), object(openDispute))},
			[]card.Dispute{disputed, won, lost}},
		"a dispute in an unknown state": {"disputes", []answer{page(false, object(openDispute, "status", `"thinking"`))}, implausible},
		"payments":                      {"payments", []answer{page(false, object(paidIntent))}, []card.Payment{paymentDone}},
		"forgotten":                     {"forget", one(`{"id": "cus_1", "object": "customer", "deleted": true}`), nil},
		"not forgotten":                 {"forget", one(`{"id": "cus_1", "object": "customer", "deleted": false}`), implausible},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := calls[tt.call].do(t.Context(), serve(t, tt.answers...))
			if tt.want == implausible {
				if !card.IsCode(err, card.CodeImplausible) {
					t.Errorf("%s, answered %+v: %+v, %v; want an error of code %s", tt.call, tt.answers, got, err, card.CodeImplausible)
				}
				return
			}
			if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
				t.Errorf("%s, answered %+v: %v (-want +got):\n%s", tt.call, tt.answers, err, diff)
			}
		})
	}
}
