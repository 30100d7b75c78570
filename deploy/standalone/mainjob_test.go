package standalone_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract/quotes"
)

// quote asks for a price of an upload and gives the reply.
func (s *system) quote(t testing.TB, body string, want int) quotes.Reply {
	t.Helper()
	status, data := s.post(t, "/v1/quotes?wait_s=60", "application/json", strings.NewReader(body))
	if status != want {
		t.Fatalf("quote %s: %d %s; want %d", body, status, data, want)
	}
	var q quotes.Reply
	if err := json.Unmarshal(data, &q); err != nil {
		t.Fatal(err)
	}
	return q
}

// page is a checkout page as a browser without scripts uses it.
type page struct {
	*system
	address string
	text    string
	next    string // where it leads by itself
}

func (s *system) open(t testing.TB, address string) *page {
	t.Helper()
	p := &page{system: s, address: address}
	p.take(t, http.MethodGet, nil)
	return p
}

var refresh = regexp.MustCompile(`(?i)url=(\S+)`)

func (p *page) take(t testing.TB, method string, form url.Values) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, p.address, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", p.BaseURL)
		req.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	resp, data := p.roundTrip(t, req)
	if resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s %s: %s, want 200 or 303\n%s", method, p.address, resp.Status, data)
	}
	p.text, p.next = string(data), resp.Header.Get("Location")
	if m := refresh.FindStringSubmatch(resp.Header.Get("Refresh")); m != nil {
		p.next = m[1]
	}
}

// value is what an input of the page holds.
func (p *page) value(name string) string {
	m := regexp.MustCompile(`name="` + name + `"[^>]*value="([^"]*)"`).FindStringSubmatch(p.text)
	if m == nil {
		return ""
	}
	return html.UnescapeString(m[1])
}

// send submits the page's form with a button.
func (p *page) send(t testing.TB, button string, fields url.Values) {
	t.Helper()
	form := url.Values{"do": {button}}
	for _, name := range []string{"token", "version", "total", "seen"} {
		form.Set(name, p.value(name))
	}
	for name, v := range fields {
		form[name] = v
	}
	p.take(t, http.MethodPost, form)
}

var home = url.Values{
	"name": {"Ada Lovelace"}, "email": {"ada@example.com"}, "phone": {"+1 512 555 0100"}, "line1": {"1 Main St"},
	"city": {"Austin"}, "state": {"TX"}, "postal_code": {"78701"}, "country": {"US"}, "shipping_id": {"DHL Express"}, "build_hours": {"48"},
}

// beginPaying leads a quote to the card page, and gives its address.
func (s *system) beginPaying(t testing.TB, address string) string {
	t.Helper()
	p := s.open(t, address)
	p.send(t, "update", home)
	if !strings.HasSuffix(p.next, "updated=1") {
		t.Errorf("an entered delivery led to %q, want the page with its price; the page says\n%s", p.next, p.text)
	}
	p = s.open(t, address)
	p.send(t, "pay", home)
	if !strings.HasPrefix(p.next, "http") {
		t.Fatalf("paying led to %q, want the card page; the page says\n%s\nand is now\n%s", p.next, p.text, s.open(t, address).text)
	}
	return p.next
}

// pay leads a quote through its checkout page and the card page, and gives how
// the card page ended.
func (s *system) pay(t testing.TB, address, number string) shopper.Result {
	t.Helper()
	result, err := shopper.Pay(t.Context(), s.beginPaying(t, address), shopper.Card{Number: number, Email: "ada@example.com", Name: "Ada Lovelace"})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

type orderState struct {
	Status   string `json:"status"`
	OrderRef string `json:"order_ref"`
	Tracking *struct {
		Carrier, Number string
	} `json:"tracking"`
}

// busy lets a test look as often as it likes.
var busy = map[string]string{"DEMO_REQUESTS_PER_MINUTE": "1000000"}

// TestMainJob walks the whole way of one bare board over HTTP: files in,
// questions, price, checkout, paid, ordered, in production, shipped.
func TestMainJob(t *testing.T) {
	t.Parallel()
	s := start(t, busy)
	upload := s.upload(t, s.sample(t))
	s.quote(t, fmt.Sprintf(`{"upload_id":%q,"quantity":10}`, upload), http.StatusUnprocessableEntity)
	body := fmt.Sprintf(`{"upload_id":%q,"quantity":10,"standard_for_unstated":true}`, upload)
	q := s.quote(t, body, http.StatusCreated)
	if again := s.quote(t, body, http.StatusCreated); again.QuoteID != q.QuoteID || *again.RequestID != *q.RequestID {
		t.Errorf("the same request led to the quote %s of request %s, want %s of %s", again.QuoteID, *again.RequestID, q.QuoteID, *q.RequestID)
	}
	var sum int64
	for _, l := range q.Lines {
		sum += l.Cents
	}
	if sum != *q.TotalCents || q.Mode != quotes.ModeInstant || q.BoardDetails.Layers != 2 || q.BoardDetails.WidthMM != 50 || q.BoardDetails.HeightMM != 30 {
		t.Errorf("%s quote: lines add up to %d of %d; %+v; want an %s one, all, 2 layers of 50 x 30 mm", q.Mode, sum, *q.TotalCents, q.BoardDetails, quotes.ModeInstant)
	}
	if status, _ := s.do(t, http.MethodGet, strings.TrimPrefix(*q.BoardImageURL, s.BaseURL), "", nil); status != http.StatusOK {
		t.Errorf("board picture: %d, want 200", status)
	}
	var seen []string
	where := func() orderState {
		var now orderState
		s.get(t, "/v1/quotes/"+q.QuoteID, &now)
		if len(seen) == 0 || seen[len(seen)-1] != now.Status {
			seen = append(seen, now.Status)
		}
		return now
	}
	if now := where(); now.Status != "quote_ready" || now.OrderRef != "" {
		t.Errorf("before checkout: %+v, want quote_ready without an order", now)
	}
	if declined := s.pay(t, q.CheckoutURL, "4000000000000002"); declined.Status == "paid" {
		t.Errorf("a declined card paid: %+v", declined)
	}
	if now := where(); now.Status != "awaiting_payment" {
		t.Errorf("after a declined card: %+v, want awaiting_payment", now)
	}
	s.pay(t, q.CheckoutURL+"?lang=de", "4242424242424242")
	bustest.WaitFor(t, "shipped", func() bool { return where().Status == "shipped" })
	if now := where(); !strings.HasPrefix(now.OrderRef, "BO-") || now.Tracking == nil || now.Tracking.Number == "" {
		t.Errorf("shipped: %+v, want an order BO-… and a tracking number", now)
	}
	forward := "quote_ready awaiting_payment ordered in_production shipped"
	if got := strings.Join(seen, " "); !subsequence(seen, strings.Fields(forward)) {
		t.Errorf("statuses %s, want a part of %s", got, forward)
	}
	bustest.WaitFor(t, "a receipt and a shipping notice", func() bool { return len(s.Simulator().Mailbox().Messages("ada@example.com")) >= 2 })
	s.checkGermanPapers(t, where().OrderRef)
	if paid := s.open(t, q.CheckoutURL); !strings.Contains(paid.text, where().OrderRef) {
		t.Errorf("the checkout page of a shipped order does not name %s:\n%s", where().OrderRef, paid.text)
	}
}

var invoiceLink = regexp.MustCompile(`https?://\S+/invoice\.pdf\?\S+`)

// checkGermanPapers holds that an order that was paid on a German page has German letters
// and a German invoice.
func (s *system) checkGermanPapers(t *testing.T, ref string) {
	t.Helper()
	var subjects, link string
	for _, m := range s.Simulator().Mailbox().Messages("ada@example.com") {
		subjects += m.Subject + "\n"
		link += invoiceLink.FindString(m.Text)
	}
	for _, want := range []string{"Zahlungsbestätigung zu Ihrer Bestellung " + ref, "Ihre Bestellung " + ref + " ist versandt"} {
		if !strings.Contains(subjects, want) {
			t.Errorf("letters %q, want one %q", subjects, want)
		}
	}
	status, pdf := s.do(t, http.MethodGet, strings.TrimPrefix(link, s.BaseURL), "", nil)
	if status != http.StatusOK || !strings.Contains(string(pdf), "/Lang (de)") {
		t.Errorf("%s: %d and %d bytes, want an invoice in German", link, status, len(pdf))
	}
}

func subsequence(part, whole []string) bool {
	i := 0
	for _, w := range whole {
		if i < len(part) && part[i] == w {
			i++
		}
	}
	return i == len(part)
}

// TestStartedAgain: everything that a system had, it has after a restart.
func TestStartedAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startIn(t, dir, busy)
	upload := s.upload(t, s.sample(t))
	q := s.quote(t, fmt.Sprintf(`{"upload_id":%q,"quantity":10,"standard_for_unstated":true}`, upload), http.StatusCreated)
	key := s.APIKey
	if banner := s.Ready.Banner(dir); strings.Count(banner, key) != 1 {
		t.Errorf("the key stands %d times in the first start's lines, want once", strings.Count(banner, key))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = startIn(t, dir, busy)
	if s.APIKey != key {
		t.Errorf("the demo key is %q after a restart, want %q", s.APIKey, key)
	}
	if banner := s.Ready.Banner(dir); strings.Contains(banner, key) || !strings.Contains(banner, filepath.Join(dir, "demo.key")) {
		t.Errorf("a later start says of the key, want its file and not the key:\n%s", banner)
	}
	var now orderState
	if s.get(t, "/v1/quotes/"+q.QuoteID, &now); now.Status != "quote_ready" {
		t.Errorf("the quote is %q after a restart, want quote_ready", now.Status)
	}
	s.quote(t, fmt.Sprintf(`{"upload_id":%q,"quantity":20,"standard_for_unstated":true}`, upload), http.StatusCreated)
	s.pay(t, s.BaseURL+"/checkout/"+q.QuoteID, "4242424242424242")
	bustest.WaitFor(t, "ordered", func() bool { s.get(t, "/v1/quotes/"+q.QuoteID, &now); return now.OrderRef != "" })
}

// TestQuotasOutliveARestart: what a caller used of an hour's or a day's quota stays used.
func TestQuotasOutliveARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startIn(t, dir, nil)
	checks := func(s *system) string {
		return s.quotaLeft(t, "/v1/design-checks", `{"upload_id":"up_none"}`, "design-checks")
	}
	quotes := func(s *system) string {
		return s.quotaLeft(t, "/v1/quotes", `{"upload_id":"up_none","quantity":5}`, "quotes-day")
	}
	for range 3 {
		checks(s)
		quotes(s)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = startIn(t, dir, nil)
	if left, want := checks(s), "116"; left != want {
		t.Errorf("%s of 120 design checks are left after four, with a restart between them, want %s", left, want)
	}
	if left, want := quotes(s), "1996"; left != want {
		t.Errorf("%s of 2000 quotes are left after four, with a restart between them, want %s", left, want)
	}
}

// quotaLeft posts, and gives what the reply says to be left of a quota.
func (s *system) quotaLeft(t *testing.T, path, body, quota string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.BaseURL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-API-Key", s.APIKey)
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	for _, one := range strings.Split(strings.Join(resp.Header.Values("RateLimit"), ","), ",") {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(one), fmt.Sprintf("%q;r=", quota)); ok {
			left, _, _ := strings.Cut(rest, ";")
			return left
		}
	}
	t.Fatalf("%s: %s, nothing is said of %s: %v", path, resp.Status, quota, resp.Header.Values("RateLimit"))
	return ""
}
