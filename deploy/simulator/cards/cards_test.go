package cards_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/deploy/simulator/cards"
	"boardorder/deploy/simulator/fault"

	"github.com/stripe/stripe-go/v85/webhook"
)

const secret = "whsec_test"

// processor is one card processor on loopback that can be killed and started
// again on its ledger.
type processor struct {
	t      *testing.T
	dir    string
	now    func() time.Time
	faults fault.Registry
	*cards.Server
	http *httptest.Server
	stop func()
}

func start(t *testing.T) *processor {
	t.Helper()
	p := &processor{t: t, dir: t.TempDir(), now: time.Now}
	p.start()
	t.Cleanup(func() { p.stop() })
	return p
}

func (p *processor) start() {
	p.t.Helper()
	var base string
	s, err := cards.New(cards.Config{
		Dir: p.dir, BaseURL: func() string { return base }, Now: func() time.Time { return p.now() },
		RetryDelays: []time.Duration{time.Millisecond}, Faults: &p.faults,
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.Server, p.http = s, httptest.NewServer(s)
	base = p.http.URL
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	p.stop = func() {
		p.http.Close()
		cancel()
		<-done
		s.Close()
	}
}

// restart ends the processor and starts it on the same ledgers.
func (p *processor) restart() {
	p.stop()
	p.start()
}

// doc is an answer of the API.
type doc map[string]any

func (d doc) text(path ...string) string {
	var v any = map[string]any(d)
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	s, _ := v.(string)
	return s
}

func (p *processor) call(method, path, key string, form url.Values) (int, doc) {
	p.t.Helper()
	req, err := http.NewRequest(method, p.http.URL+path, strings.NewReader(form.Encode()))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer sk_test_1")
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	var d doc
	if err := json.NewDecoder(res.Body).Decode(&d); err != nil {
		p.t.Fatal(err)
	}
	return res.StatusCode, d
}

func sale(extra ...string) url.Values {
	f := url.Values{
		"mode": {"payment"}, "success_url": {"https://shop.example/done"},
		"line_items[0][price_data][currency]": {"usd"}, "line_items[0][price_data][unit_amount]": {"700"},
		"line_items[0][price_data][product_data][name]": {"Boards"}, "line_items[0][quantity]": {"2"},
	}
	for i := 0; i < len(extra); i += 2 {
		f.Set(extra[i], extra[i+1])
	}
	return f
}

// pay submits the hosted page's form and returns the answer.
func (p *processor) pay(session, number string) doc {
	p.t.Helper()
	form := url.Values{"number": {number}, "expiry": {"11/33"}, "cvc": {"321"}, "email": {"a@b.example"}}
	req, err := http.NewRequest(http.MethodPost, p.http.URL+"/pay/"+session, strings.NewReader(form.Encode()))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	var d doc
	if err := json.NewDecoder(res.Body).Decode(&d); err != nil {
		p.t.Fatal(err)
	}
	return d
}

// Everything is there again after a restart, and every key still answers.
func TestLedgerSurvivesARestart(t *testing.T) {
	t.Parallel()
	p := start(t)
	_, s := p.call("POST", "/v1/checkout/sessions", "k1", sale("payment_intent_data[setup_future_usage]", "off_session"))
	if a := p.pay(s.text("id"), "4242424242424242"); a.text("status") != "paid" {
		t.Fatalf("pay = %v, want paid", a)
	}
	before := p.Ledger()
	p.restart()
	after := p.Ledger()
	if len(after.Charges) != 1 || after.Charges[0].ID != before.Charges[0].ID || len(after.Events) != len(before.Events) {
		t.Errorf("after the restart: %+v, want as before: %+v", after, before)
	}
	_, again := p.call("POST", "/v1/checkout/sessions", "k1", sale("payment_intent_data[setup_future_usage]", "off_session"))
	if again.text("id") != s.text("id") {
		t.Errorf("the key made %s after the restart, want %s as before", again.text("id"), s.text("id"))
	}
	if want := p.http.URL; !strings.HasPrefix(again.text("url"), want) {
		t.Errorf("the replayed address is %s, want one at %s", again.text("url"), want)
	}
	_, got := p.call("GET", "/v1/checkout/sessions/"+s.text("id")+"?expand[]=payment_intent.payment_method&expand[]=line_items", "", nil)
	if got.text("payment_intent", "payment_method", "card", "last4") != "4242" || got.text("payment_status") != "paid" {
		t.Errorf("the session after the restart: %v, want it paid by 4242", got)
	}
}

func TestIdempotency(t *testing.T) {
	t.Parallel()
	p := start(t)
	status, first := p.call("POST", "/v1/customers", "k", url.Values{"email": {"a@b.example"}, "name": {"A"}})
	if status != 200 {
		t.Fatalf("create: %d %v, want 200", status, first)
	}
	if status, d := p.call("POST", "/v1/customers", "k", url.Values{"name": {"A"}, "email": {"a@b.example"}}); status != 200 || d.text("id") != first.text("id") {
		t.Errorf("same request: %d %v, want 200 %s", status, d, first.text("id"))
	}
	if status, d := p.call("POST", "/v1/customers", "k", url.Values{"email": {"x@b.example"}}); status != 400 || d.text("error", "type") != "idempotency_error" {
		t.Errorf("another request: %d %v, want 400 idempotency_error", status, d)
	}
	// A request that was refused before anything happened leaves its key free.
	if status, _ := p.call("POST", "/v1/customers", "k2", url.Values{"emial": {"a@b.example"}}); status != 400 {
		t.Errorf("misspelt: %d, want 400", status)
	}
	if status, d := p.call("POST", "/v1/customers", "k2", url.Values{"email": {"a@b.example"}}); status != 200 {
		t.Errorf("mended: %d %v, want 200", status, d)
	}
	if n := len(p.Ledger().Customers); n != 2 {
		t.Errorf("%d customers, want 2", n)
	}
}

// One key in many calls at once makes one object.
func TestIdempotencyAtOnce(t *testing.T) {
	t.Parallel()
	p := start(t)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() { p.call("POST", "/v1/checkout/sessions", "same", sale()) })
	}
	wg.Wait()
	if n := len(p.Ledger().Sessions); n != 1 {
		t.Errorf("%d sessions, want 1", n)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	p := start(t)
	soon := time.Now().Add(time.Minute).Unix()
	for _, tt := range []struct {
		name, method, path string
		form               url.Values
		status             int
		code               string
	}{
		{"unknown parameter", "POST", "/v1/checkout/sessions", sale("colour", "red"), 400, "parameter_unknown"},
		{"no such language", "POST", "/v1/checkout/sessions", sale("locale", "zh-Hans"), 400, ""},
		{"nothing to sell", "POST", "/v1/checkout/sessions", url.Values{"mode": {"payment"}, "success_url": {"https://x"}}, 400, "parameter_missing"},
		{"closes too soon", "POST", "/v1/checkout/sessions", sale("expires_at", jsonInt(soon)), 400, ""},
		{"no number", "POST", "/v1/checkout/sessions", sale("line_items[0][quantity]", "two"), 400, "parameter_invalid_integer"},
		{"too little", "POST", "/v1/checkout/sessions", sale("line_items[0][price_data][unit_amount]", "1"), 400, "amount_too_small"},
		{"no such session", "GET", "/v1/checkout/sessions/cs_test_x", nil, 404, "resource_missing"},
		{"no such payment", "POST", "/v1/payment_intents/pi_x/cancel", nil, 404, "resource_missing"},
		{"no such customer", "POST", "/v1/payment_intents", url.Values{"amount": {"100"}, "currency": {"usd"}, "customer": {"cus_x"}}, 400, "resource_missing"},
		{"bad limit", "GET", "/v1/payment_intents?limit=1000", nil, 400, ""},
		{"bad expansion", "GET", "/v1/payment_intents?expand[]=data.everything", nil, 200, ""},
		{"no such path", "GET", "/v1/nothing", nil, 404, ""},
		{"refund of nothing", "POST", "/v1/refunds", url.Values{}, 400, ""},
	} {
		status, d := p.call(tt.method, tt.path, "", tt.form)
		if status != tt.status || d.text("error", "code") != tt.code {
			t.Errorf("%s: %d %v; want %d %s", tt.name, status, d, tt.status, tt.code)
		}
	}
	req, _ := http.NewRequest("GET", p.http.URL+"/v1/events", nil)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != 401 {
		t.Errorf("without a key: %d, want 401", res.StatusCode)
	}
}

func jsonInt(n int64) string { b, _ := json.Marshal(n); return string(b) }

// The processor's own test tokens charge without a page, and may be searched.
func TestTokensAndSearch(t *testing.T) {
	t.Parallel()
	p := start(t)
	_, c := p.call("POST", "/v1/customers", "", url.Values{"email": {"a@b.example"}})
	_, m := p.call("POST", "/v1/payment_methods/pm_card_visa/attach", "", url.Values{"customer": {c.text("id")}})
	pay := url.Values{
		"amount": {"900"}, "currency": {"usd"}, "customer": {c.text("id")}, "payment_method": {m.text("id")},
		"confirm": {"true"}, "off_session": {"true"}, "metadata[quote]": {"q'7"}, "expand[]": {"latest_charge"},
	}
	status, pi := p.call("POST", "/v1/payment_intents", "", pay)
	if status != 200 || pi.text("status") != "succeeded" || pi.text("latest_charge", "object") != "charge" {
		t.Fatalf("charge: %d %v, want 200 succeeded with its charge", status, pi)
	}
	pay.Set("payment_method", "pm_card_authenticationRequired")
	status, d := p.call("POST", "/v1/payment_intents", "", pay)
	if status != 402 || d.text("error", "code") != "authentication_required" || d.text("error", "payment_intent", "status") != "requires_payment_method" {
		t.Errorf("bank asks: %d %v, want 402 authentication_required, requires_payment_method", status, d)
	}
	q := url.QueryEscape(`metadata["quote"]:"q'7" AND status:"succeeded"`)
	if _, d := p.call("GET", "/v1/payment_intents/search?query="+q, "", nil); d != nil {
		// A quote mark within the value is not in the language that is spoken here.
		if d.text("error", "type") != "invalid_request_error" {
			t.Errorf("search with a quote mark: %v, want invalid_request_error", d)
		}
	}
	_, d = p.call("GET", "/v1/payment_intents/search?query="+url.QueryEscape(`status:"succeeded" AND amount:900`), "", nil)
	if data, _ := d["data"].([]any); len(data) != 1 {
		t.Errorf("search: %v, want one", d)
	}
}

// inbox is a webhook endpoint that counts what it gets.
type inbox struct {
	mu     sync.Mutex
	refuse bool
	got    map[string]int // by event id
	order  []string       // types, as they came
	more   chan struct{}
	*httptest.Server
}

func newInbox(t *testing.T) *inbox {
	in := &inbox{got: map[string]int{}, more: make(chan struct{}, 1000)}
	in.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		e, err := webhook.ConstructEvent(body, r.Header.Get("Stripe-Signature"), secret)
		if err != nil {
			t.Errorf("webhook: %v", err)
		}
		in.mu.Lock()
		defer in.mu.Unlock()
		in.got[e.ID]++
		in.order = append(in.order, string(e.Type))
		if in.refuse {
			w.WriteHeader(500)
		}
		in.more <- struct{}{}
	}))
	t.Cleanup(in.Close)
	return in
}

// waitFor waits until the inbox has got n webhooks.
func (in *inbox) waitFor(t *testing.T, n int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for range n {
		select {
		case <-in.more:
		case <-ctx.Done():
			t.Fatalf("waited for %d webhooks in vain", n)
		}
	}
}

// awaitDelivery waits until every webhook is taken.
func (p *processor) awaitDelivery(t *testing.T) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for p.Ledger().Owed > 0 {
		if time.Now().After(deadline) {
			t.Fatalf("%d webhooks are still owed", p.Ledger().Owed)
		}
		time.Sleep(time.Millisecond)
	}
}

func TestWebhooksAreOwedAcrossARestart(t *testing.T) {
	t.Parallel()
	p := start(t)
	in := newInbox(t)
	in.refuse = true
	p.SetWebhook(in.URL, secret)
	_, s := p.call("POST", "/v1/checkout/sessions", "", sale())
	p.pay(s.text("id"), "4242424242424242")
	in.waitFor(t, 9) // three events, each tried again and again
	p.restart()
	if n := p.Ledger().Owed; n != 3 {
		t.Fatalf("%d webhooks owed after the restart, want 3", n)
	}
	in.mu.Lock()
	in.refuse = false
	in.mu.Unlock()
	p.SetWebhook(in.URL, secret)
	p.awaitDelivery(t)
	done := 0
	for _, d := range p.Ledger().Deliveries {
		if d.Done {
			done++
		}
	}
	if done != 3 {
		t.Errorf("%d deliveries are done, want 3", done)
	}
}

func TestWebhookChaos(t *testing.T) {
	t.Parallel()
	p := start(t)
	in := newInbox(t)
	p.SetWebhook(in.URL, secret)
	p.SetChaos(cards.Chaos{Duplicate: 1, DelayMS: 30})
	_, s := p.call("POST", "/v1/checkout/sessions", "", sale())
	p.pay(s.text("id"), "4242424242424242")
	in.waitFor(t, 6)
	p.awaitDelivery(t)
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.got) != 3 {
		t.Errorf("%d events came, want 3", len(in.got))
	}
	for id, n := range in.got {
		if n != 2 {
			t.Errorf("event %s came %d times, want 2", id, n)
		}
	}
}

func TestSessionsExpire(t *testing.T) {
	t.Parallel()
	p := start(t)
	var mu sync.Mutex
	ahead := time.Duration(0)
	p.stop()
	p.now = func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return time.Now().Add(ahead)
	}
	p.start()
	_, s := p.call("POST", "/v1/checkout/sessions", "", sale())
	mu.Lock()
	ahead = 25 * time.Hour
	mu.Unlock()
	p.restart() // as after a night switched off
	deadline := time.Now().Add(20 * time.Second)
	for p.Ledger().Sessions[0].Status != "expired" {
		if time.Now().After(deadline) {
			t.Fatal("the session did not expire")
		}
		time.Sleep(time.Millisecond)
	}
	if a := p.pay(s.text("id"), "4242424242424242"); a.text("status") != "expired" {
		t.Errorf("pay an expired session = %v, want expired", a)
	}
	if e := p.Ledger().Events; len(e) != 1 || e[0].Type != "checkout.session.expired" {
		t.Errorf("events = %+v, want checkout.session.expired alone", e)
	}
}

func TestSettle(t *testing.T) {
	t.Parallel()
	for outcome, want := range map[string]string{"succeeded": "paid", "failed": "unpaid"} {
		p := start(t)
		if err := p.faults.Add(fault.Fault{Kind: "processing"}); err != nil {
			t.Fatal(err)
		}
		_, s := p.call("POST", "/v1/checkout/sessions", "", sale())
		if a := p.pay(s.text("id"), "4242424242424242"); a.text("status") != "processing" || a.text("redirect") == "" {
			t.Fatalf("pay = %v, want processing, and where to", a)
		}
		pi := p.Ledger().Intents[0].ID
		for _, status := range []int{http.StatusNoContent, http.StatusConflict} {
			res, err := http.PostForm(p.http.URL+"/settle/"+pi, url.Values{"outcome": {outcome}})
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			if res.StatusCode != status {
				t.Errorf("settle: %d, want %d", res.StatusCode, status)
			}
		}
		if got := p.Ledger().Sessions[0].PaymentStatus; got != want {
			t.Errorf("%s: the session is %s, want %s", outcome, got, want)
		}
	}
}

// A browser that is declined comes back to the form, which says why; one that
// the bank refuses too.
func TestBrowser(t *testing.T) {
	t.Parallel()
	p := start(t)
	c := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	submit := func(path string, form url.Values) (int, string, string) {
		t.Helper()
		res, err := c.PostForm(p.http.URL+path, form)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, strings.TrimPrefix(res.Header.Get("Location"), p.http.URL), string(body)
	}
	card := func(number string) url.Values {
		return url.Values{"number": {number}, "expiry": {"12/34"}, "cvc": {"123"}, "email": {"a@b.example"}}
	}
	_, s := p.call("POST", "/v1/checkout/sessions", "", sale("cancel_url", "https://shop.example/back"))
	page := "/pay/" + s.text("id")
	if status, _, body := submit(page, card("4000000000009995")); status != 402 || !strings.Contains(body, "insufficient funds") || strings.Contains(body, "9995") {
		t.Errorf("declined: %d %s, want 402 insufficient funds, without the number", status, body)
	}
	status, challenge, _ := submit(page, card("4000002760003184"))
	if status != 303 || !strings.HasPrefix(challenge, "/challenge/") {
		t.Fatalf("the bank asks: %d %s, want 303 to the challenge", status, challenge)
	}
	if status, back, _ := submit(challenge, url.Values{"action": {"fail"}}); status != 303 || back != page {
		t.Errorf("refused at the bank: %d %s, want 303 to %s", status, back, page)
	}
	res, err := c.Get(p.http.URL + page)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(res.Body)
	res.Body.Close()
	if !strings.Contains(string(body), "unable to authenticate") || !strings.Contains(string(body), "https://shop.example/back") {
		t.Errorf("back at the page: %s, want that the bank did not authenticate, and the way back", body)
	}
	_, challenge, _ = submit(page, card("4000002760003184"))
	for range 2 { // a second click changes nothing
		if status, to, _ := submit(challenge, url.Values{"action": {"complete"}}); status != 303 || to != "https://shop.example/done" {
			t.Errorf("approved at the bank: %d %s, want 303 to the shop", status, to)
		}
	}
	if status, to, _ := submit(page, card("4242424242424242")); status != 303 || to != "https://shop.example/done" {
		t.Errorf("paid already: %d %s, want 303 to the shop", status, to)
	}
	paid := 0
	for _, ch := range p.Ledger().Charges {
		if ch.Paid {
			paid++
		}
	}
	if paid != 1 {
		t.Errorf("%d charges paid, want 1", paid)
	}
	for path, want := range map[string]int{"/pay/cs_test_x": 404, "/challenge/pi_x": 404, challenge: 200, page: 200, "/": 200} {
		res, err := c.Get(p.http.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, res.StatusCode, want)
		}
	}
}

// No ledger ever holds a card's number or its security code.
func TestNumbersAreNotKept(t *testing.T) {
	t.Parallel()
	p := start(t)
	_, s := p.call("POST", "/v1/checkout/sessions", "", sale())
	p.pay(s.text("id"), "4242424242424242")
	text, err := json.Marshal(p.Ledger())
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "42424242") || strings.Contains(string(text), `"321"`) {
		t.Error("the ledger holds a card's number or code")
	}
}
