package edge_test

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/secret"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
)

func newKey(w *world, account string, scopes []string, limits map[string]int) secret.APIKey {
	k := secret.NewAPIKey(true)
	w.putKey(k, account, scopes, limits)
	return k
}

// logText is everything that was logged, in one text.
func (w *world) logText() string {
	var all strings.Builder
	for _, e := range w.logs.All() {
		fmt.Fprintln(&all, e.Message, e.ContextMap())
	}
	return all.String()
}

func TestKeyIsNeeded(t *testing.T) {
	t.Parallel()
	w := start(t)
	revoked := secret.NewAPIKey(true)
	past := time.Now().Add(-time.Hour)
	if err := w.write("api-key", revoked.ID, map[string]any{"account": account, "key": accounts.APIKey{ID: revoked.ID, Hash: revoked.Hash(), Live: true, RevokedAt: &past}}); err != nil {
		t.Fatal(err)
	}
	stranger := secret.NewAPIKey(true)
	var first answer
	for name, key := range map[string]string{"none": "", "nonsense": "hello", "unknown": stranger.Text, "revoked": revoked.Text, "typo": w.key.Text[:len(w.key.Text)-1] + "!"} {
		a := w.get("/auth/check", "X-API-Key", key)
		if first.body == nil {
			first = a
		}
		if a.status != 401 || a.header.Get("WWW-Authenticate") == "" || string(a.body) != string(first.body) || a.header.Get("Request-Id") == "" {
			t.Errorf("%s: %d %v %s; want 401 with a challenge, in the same words as for others", name, a.status, a.header, a.body)
		}
	}
	if n := w.logs.FilterLevelExact(zap.WarnLevel).FilterField(zap.Int("status", 401)).Len(); n != 5 {
		t.Errorf("%d refusals are logged as warnings, want 5", n)
	}
	if a := w.get("/auth/check", "X-API-Key", "", "Authorization", "bearer "+w.key.Text); a.status != 200 {
		t.Errorf("Bearer = %d %s, want 200", a.status, a.body)
	}
	if strings.Contains(w.logText(), w.key.Text) || strings.Contains(w.logText(), stranger.Text) {
		t.Error("the log holds a key")
	}
}

func TestAuthCheck(t *testing.T) {
	t.Parallel()
	w := start(t)
	a := w.get("/auth/check")
	want := map[string]any{
		"ok": true, "account": map[string]any{"id": account, "name": "Partner"},
		"key": map[string]any{"id": w.key.ID, "name": "main", "prefix": w.key.Prefix(), "livemode": true, "expires_at": nil,
			"scopes": []any{"uploads", "quotes", "checks", "orders"}},
		"limits": map[string]any{
			"requests": map[string]any{"quota": 600.0, "window_s": 60.0}, "design-checks": map[string]any{"quota": 120.0, "window_s": 3600.0},
			"part-checks": map[string]any{"quota": 240.0, "window_s": 3600.0}, "buy-links": map[string]any{"quota": 100.0, "window_s": 86400.0}, "webhook-endpoints": map[string]any{"quota": 60.0, "window_s": 3600.0},
			"part-approvals": map[string]any{"quota": 60.0, "window_s": 3600.0},
			"savings":        map[string]any{"quota": 60.0, "window_s": 3600.0},
			"quotes-day":     map[string]any{"quota": 2000.0, "window_s": 86400.0}, "link-quotes-day": map[string]any{"quota": 4000.0, "window_s": 86400.0},
			"assemblies-day": map[string]any{"quota": 220.0, "window_s": 86400.0},
			"uploads-day":    map[string]any{"quota": 800.0, "window_s": 86400.0}, "design-checks-day": map[string]any{"quota": 500.0, "window_s": 86400.0},
			"part-checks-day": map[string]any{"quota": 400.0, "window_s": 86400.0}, "orders-day": map[string]any{"quota": 45.0, "window_s": 86400.0},
			"buy-links-day": map[string]any{"quota": 95.0, "window_s": 86400.0},
			"uploads":       map[string]any{"quota": 500.0, "window_s": 21600.0}, "upload-megabytes": map[string]any{"quota": 10000.0, "window_s": 86400.0},
		},
	}
	if diff := cmp.Diff(want, a.json(t)); diff != "" {
		t.Errorf("reply (-want +got):\n%s", diff)
	}
	for query, status := range map[string]int{"?api_key=x": 400, "?x=" + w.key.Text: 400} {
		b := w.get("/auth/check" + query)
		if d, _ := b.json(t)["detail"].([]any); b.status != status || len(d) != 1 {
			t.Errorf("GET /auth/check%s: %d %s; want %d with one detail", query, b.status, b.body, status)
		}
	}
	if b := w.get("/auth/check", "Authorization", "Bearer other"); b.status != 422 || b.json(t)["detail"] == nil {
		t.Errorf("two keys: %d %s, want 422 with one detail", b.status, b.body)
	}
	if b := w.get("/v1/capabilities?key=" + w.key.Text); b.status != 400 || b.code(t) != "invalid_request" {
		t.Errorf("key in the query: %d %s, want 400 invalid_request", b.status, b.body)
	}
}

// TestKeyInAnAddressIsFlagged: refused wherever it is sent, and noted once for
// the team; a key that opens nothing is not.
func TestKeyInAnAddressIsFlagged(t *testing.T) {
	t.Parallel()
	w := start(t)
	flags, err := w.bus.Bucket(t.Context(), contract.APIKeyFlagsBucket)
	if err != nil {
		t.Fatal(err)
	}
	stranger := secret.NewAPIKey(true)
	for _, path := range []string{"/v1/capabilities?x=", "/checkout/0?q=", "/openapi.json?key=", "/healthz?a=1&b="} {
		if a := w.get(path + stranger.Text); a.status != 400 {
			t.Errorf("GET %s with a key in the address: %d %s, want 400", path, a.status, a.body)
		}
	}
	if _, _, err := flags.Get(t.Context(), stranger.ID); !errors.Is(err, bus.ErrNoKey) {
		t.Errorf("a stranger's key is flagged: %v", err)
	}
	for range 2 {
		w.get("/healthz?a=" + w.key.Text)
	}
	if _, _, err := flags.Get(t.Context(), w.key.ID); err != nil {
		t.Errorf("the key is not flagged: %v", err)
	}
	if n := w.logs.FilterMessage("key sent in an address").FilterLevelExact(zap.WarnLevel).Len(); n != 1 {
		t.Errorf("%d warnings, want 1", n)
	}
}

func TestRevokedKeyClosesAtOnceAfterAWakeUpCall(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.get("/auth/check")
	now := time.Now()
	doc := map[string]any{"account": account, "key": accounts.APIKey{ID: w.key.ID, Hash: w.key.Hash(), Live: true, RevokedAt: &now}}
	if err := w.write("api-key", w.key.ID, doc); err != nil {
		t.Fatal(err)
	}
	if err := w.bus.Wake(contract.AccountAggregate, account); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the key to close", func() bool { return w.get("/auth/check").status == 401 })
}

func TestRevokedKeyClosesWithinSecondsAnyway(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.get("/auth/check")
	now := time.Now()
	doc := map[string]any{"account": account, "key": accounts.APIKey{ID: w.key.ID, Hash: w.key.Hash(), Live: true, RevokedAt: &now}}
	if err := w.write("api-key", w.key.ID, doc); err != nil {
		t.Fatal(err)
	}
	w.advance(5 * time.Second)
	if a := w.get("/auth/check"); a.status != 401 {
		t.Errorf("after 5 s = %d, want 401", a.status)
	}
}

func TestScopes(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.key = newKey(w, account, []string{accounts.ScopeUploads}, nil)
	if a := w.post("/v1/quotes", `{}`); a.status != 403 || a.code(t) != "forbidden" {
		t.Errorf("quote = %d %s, want 403 forbidden", a.status, a.body)
	}
	if a := w.do("POST", "/v1/uploads", nil); a.status != 201 {
		t.Errorf("upload = %d %s, want 201", a.status, a.body)
	}
}

func TestGuessersAreSlowedDown(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.get("/auth/check")
	for i := 0; ; i++ {
		a := w.get("/auth/check", "X-API-Key", secret.NewAPIKey(true).Text)
		if a.status == 429 && a.header.Get("Retry-After") != "" {
			break
		}
		if a.status != 401 || i > 100 {
			t.Fatalf("guess %d = %d %s, want 401, and 429 with Retry-After after 100 at most", i, a.status, a.body)
		}
	}
	if a := w.get("/auth/check"); a.status != 200 {
		t.Errorf("the good key of the same address = %d, want 200", a.status)
	}
	w.key = newKey(w, account, accounts.DefaultScopes(), nil)
	if a := w.get("/auth/check"); a.status != 200 {
		t.Errorf("a good key of the same address that was never used = %d, want 200", a.status)
	}
	w.open() // another replica counts on, but for what has flowed back meanwhile
	guesses := 0
	for ; guesses < 60; guesses++ {
		if w.get("/auth/check", "X-API-Key", secret.NewAPIKey(true).Text).status == 429 {
			break
		}
	}
	if guesses > 40 {
		t.Errorf("%d guesses more at another replica, want 40 at most", guesses)
	}
}

func TestQuotaIsSharedByReplicas(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.key = newKey(w, account, accounts.DefaultScopes(), map[string]int{"requests": 10})
	first := w.url
	w.open() // a second edge on the same broker
	passed := 0
	var last answer
	for i := range 14 {
		url := []string{first, w.url}[i%2]
		last = w.get(url + "/v1/capabilities")
		if last.status == 200 {
			passed++
		}
	}
	if passed < 10 || passed > 11 { // one may flow back meanwhile
		t.Errorf("%d requests passed, want 10", passed)
	}
	if last.status != 429 || last.code(t) != "rate_limited" || last.header.Get("Retry-After") != fmt.Sprint(last.json(t)["retry_after_s"]) {
		t.Errorf("over the quota: %d %v %s, want 429 rate_limited with Retry-After as in the body", last.status, last.header, last.body)
	}
	if got, want := last.header.Get("RateLimit-Policy"), `"requests";q=10;w=60`; got != want {
		t.Errorf("RateLimit-Policy = %s, want %s", got, want)
	}
	if message := fmt.Sprint(last.json(t)["message"]); !strings.Contains(message, `quota "requests" of 10 in a minute`) || !strings.Contains(message, " UTC") {
		t.Errorf("the message names neither quota nor time: %s", message)
	}
	if got, want := last.header.Get("RateLimit"), `"requests";r=0;t=`+last.header.Get("Retry-After"); got != want {
		t.Errorf("RateLimit = %s, want %s", got, want)
	}
	w.advance(time.Minute)
	if a := w.get("/v1/capabilities"); a.status != 200 {
		t.Errorf("a minute later = %d %s, want 200", a.status, a.body)
	}
}

func TestErrorsHaveOneShape(t *testing.T) {
	t.Parallel()
	w := start(t)
	deep := strings.Repeat(`{"a":`, 30) + "1" + strings.Repeat("}", 30)
	tests := map[string]struct {
		method, path, body, kind string
		status                   int
		code                     string
	}{
		"unknown route":     {"GET", "/v2/nothing", "", "", 404, "not_found"},
		"trailing slash":    {"GET", "/v1/capabilities/", "", "", 404, "not_found"},
		"wrong method":      {"DELETE", "/v1/quotes", "", "", 405, "method_not_allowed"},
		"made-up method":    {"BREW", "/v1/quotes", "", "", 405, "method_not_allowed"},
		"trace":             {"TRACE", "/v1/quotes", "", "", 405, "method_not_allowed"},
		"no JSON":           {"POST", "/v1/quotes", "{", "application/json", 400, "invalid_json"},
		"no object":         {"POST", "/v1/quotes", "[]", "application/json", 400, "invalid_json"},
		"empty body":        {"POST", "/v1/quotes", "", "application/json", 400, "invalid_json"},
		"more than one":     {"POST", "/v1/quotes", "{}{}", "application/json", 400, "invalid_json"},
		"twice the name":    {"POST", "/v1/quotes", `{"quantity":1,"quantity":2}`, "application/json", 400, "invalid_json"},
		"not UTF-8":         {"POST", "/v1/quotes", "{\"a\":\"\xff\"}", "application/json", 400, "invalid_json"},
		"too deep":          {"POST", "/v1/quotes", deep, "application/json", 400, "invalid_json"},
		"too large":         {"POST", "/v1/quotes", strings.Repeat(" ", 1<<20) + "{}", "application/json", 413, "body_too_large"},
		"form":              {"POST", "/v1/quotes", "a=b", "application/x-www-form-urlencoded", 415, "unsupported_media_type"},
		"other characters":  {"POST", "/v1/quotes", "{}", "application/json; charset=latin1", 415, "unsupported_media_type"},
		"nothing filled in": {"POST", "/v1/quotes", "{}", "application/json", 422, "invalid_request"},
	}
	for name, tt := range tests {
		a := w.do(tt.method, tt.path, strings.NewReader(tt.body), "Content-Type", tt.kind)
		m := a.json(t)
		if a.status != tt.status || m["error"] != tt.code || m["ok"] != false || m["message"] == "" {
			t.Errorf("%s: %d %s; want %d %s", name, a.status, a.body, tt.status, tt.code)
		}
		for _, h := range []string{"Request-Id", "Api-Version", "X-Content-Type-Options"} {
			if a.header.Get(h) == "" {
				t.Errorf("%s: no %s", name, h)
			}
		}
		if (tt.status == 405) != (a.header.Get("Allow") != "") {
			t.Errorf("%s: Allow %q, want one only with 405, here %d", name, a.header.Get("Allow"), tt.status)
		}
	}
	if a := w.post("/v1/quotes", "{}", "Content-Encoding", "gzip"); a.status != 415 {
		t.Errorf("compressed body = %d, want 415", a.status)
	}
}

// Allow lists what the address takes, whatever it was asked with.
func TestAllowIsWhatAnAddressTakes(t *testing.T) {
	t.Parallel()
	w := start(t)
	for _, tt := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"DELETE", "/v1/quotes", 405, "POST, OPTIONS"},
		{"BREW", "/v1/quotes", 405, "POST, OPTIONS"},
		{"OPTIONS", "/v1/quotes", 204, "POST, OPTIONS"},
		{"BREW", "/v1/buy-links/x", 405, "DELETE, OPTIONS"},
		{"GET", "/v1/buy-links/x", 405, "DELETE, OPTIONS"},
		{"BREW", "/healthz", 405, "GET, HEAD, OPTIONS"},
		{"POST", "/healthz", 405, "GET, HEAD, OPTIONS"},
		{"BREW", "/u/x", 405, "POST, OPTIONS"},
		{"BREW", "/v2/nothing", 404, ""},
		{"OPTIONS", "/v2/nothing", 404, ""},
	} {
		if a := w.do(tt.method, tt.path, nil); a.status != tt.status || a.header.Get("Allow") != tt.allow {
			t.Errorf("%s %s = %d, Allow %q; want %d, %q", tt.method, tt.path, a.status, a.header.Get("Allow"), tt.status, tt.allow)
		}
	}
}

// A body that was answered early must never be taken for the next request.
func TestEarlyAnswersKeepConnectionsInStep(t *testing.T) {
	t.Parallel()
	w := start(t)
	smuggled := "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
	tests := map[string]string{
		"small body":     fmt.Sprintf("POST /v1/uploads HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(smuggled), smuggled),
		"large body":     fmt.Sprintf("POST /v1/uploads HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", 1<<20, strings.Repeat(smuggled, 10000)),
		"chunked":        fmt.Sprintf("POST /v1/uploads HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(smuggled), smuggled),
		"endless chunks": "POST /v1/uploads HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat(fmt.Sprintf("%x\r\n%s\r\n", len(smuggled), smuggled), 20000),
		"unknown route":  fmt.Sprintf("POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(smuggled), smuggled),
	}
	for name, request := range tests {
		conn, err := net.Dial("tcp", strings.TrimPrefix(w.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
		go func() {
			_, _ = io.WriteString(conn, request+"GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		}()
		r := bufio.NewReader(conn)
		var statuses []int
		for {
			resp, err := http.ReadResponse(r, nil)
			if err != nil {
				break
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			statuses = append(statuses, resp.StatusCode)
		}
		_ = conn.Close()
		// Either the connection was closed after the refusal, or the body was
		// skipped and the honest second request was answered.
		if len(statuses) == 0 || statuses[0] != 401 && statuses[0] != 404 || len(statuses) > 2 {
			t.Errorf("%s: answers %v, want 401 or 404 first, 2 at most", name, statuses)
		}
	}
	if strings.Contains(w.logText(), "/healthz") {
		t.Error("a body was taken for a request")
	}
}

// What is no HTTP is answered in our shape, too.
func TestBrokenRequestsAreAnsweredInShape(t *testing.T) {
	t.Parallel()
	w := start(t)
	for name, tt := range map[string]struct {
		request string
		status  int
		code    string
	}{
		"no HTTP":           {"hello\r\n\r\n", 400, "invalid_request"},
		"large headers":     {"GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("y", 20<<10) + "\r\n\r\n", 431, "headers_too_large"},
		"many headers":      {"GET / HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X: y\r\n", 100) + "\r\n", 431, "headers_too_large"},
		"as many as may be": {"GET /v2 HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X: y\r\n", 99) + "\r\n", 404, "not_found"},
		"broken length":     {"POST /v1/quotes HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n", 400, "invalid_request"},
		"broken chunk":      {"POST /u/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 403, "link_invalid"},
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(w.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
		go func() { _, _ = io.WriteString(conn, tt.request) }()
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Errorf("%s: read the reply: %v", name, err)
			continue
		}
		body, _ := io.ReadAll(resp.Body)
		_ = conn.Close()
		if resp.StatusCode != tt.status || !strings.Contains(string(body), `"ok":false`) || !strings.Contains(string(body), `"error":"`+tt.code+`"`) || resp.Header.Get("Request-Id") == "" {
			t.Errorf("%s: %d %v %s; want %d %s", name, resp.StatusCode, resp.Header, body, tt.status, tt.code)
		}
	}
}

func TestStoppingAnswersThoseWhoWait(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.uploadID()
	hold := make(chan struct{})
	defer close(hold)
	w.set(func() { w.hold = hold })
	done := make(chan answer, 1)
	go func() { done <- w.post("/v1/quotes?wait_s=150", quoteBody(id, "")) }()
	waitFor(t, "the request", func() bool { return len(w.commandsOf(quotes.Price)) == 1 })
	w.stop()
	if a := <-done; a.status != 202 || !a.last {
		t.Errorf("while stopping = %d %v %s, the connection closed: %v; want 202, true", a.status, a.header, a.body, a.last)
	}
	if err := <-w.stopped; err != nil {
		t.Errorf("the edge ended with %v, want nil once it is stopped", err)
	}
	w.stopped <- nil
}

// Many clients waiting for one slow answer cost little and are all answered.
func TestManyClientsWait(t *testing.T) {
	const many = 500
	w := start(t)
	w.key = newKey(w, account, accounts.DefaultScopes(), map[string]int{"requests": 100_000, "in-hand": 2 * many})
	id := w.uploadID()
	hold := make(chan struct{})
	w.set(func() { w.hold = hold })
	request := w.post("/v1/quotes?wait_s=0", quoteBody(id, "")).json(t)["request_id"].(string)
	var before, during runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	statuses := make(chan int, many)
	for range many {
		go func() { statuses <- w.get("/v1/quote-requests/" + request + "?wait_s=150").status }()
	}
	waitFor(t, "all to wait", func() bool { return w.edge.WaitingForTest() == many })
	for range 4 { // each halves the stacks that are not used any more
		runtime.GC()
	}
	runtime.ReadMemStats(&during)
	// The clients are in this process, too.
	if each := (int64(during.HeapAlloc+during.StackInuse) - int64(before.HeapAlloc+before.StackInuse)) / many; each > 80<<10 {
		t.Errorf("%d KiB for each waiting client, want 80 at most", each>>10)
	} else {
		t.Logf("%d KiB for each waiting client, the client's own side included", each>>10)
	}
	close(hold)
	for range many {
		if s := <-statuses; s != 200 {
			t.Fatalf("a client was answered %d, want 200", s)
		}
	}
}

func TestManyWaitersAreTurnedAwayPolitely(t *testing.T) {
	t.Parallel()
	w := start(t, func(c *edgeConfig) { c.MaxWaiters = 1 })
	id := w.uploadID()
	hold := make(chan struct{})
	defer close(hold)
	w.set(func() { w.hold = hold })
	done := make(chan answer, 1)
	go func() { done <- w.post("/v1/quotes?wait_s=2", quoteBody(id, "")) }()
	waitFor(t, "the first", func() bool { return len(w.commandsOf(quotes.Price)) == 1 })
	if a := w.post("/v1/quotes?wait_s=150", quoteBody(id, `,"layers":2`)); a.status != 202 {
		t.Errorf("the second = %d, want 202", a.status)
	}
	if a := <-done; a.status != 202 {
		t.Errorf("the first = %d %s, want 202", a.status, a.body)
	}
}

func TestCardNotice(t *testing.T) {
	t.Parallel()
	w := start(t)
	payload := `{"id":"evt_1","object":"event","type":"checkout.session.completed","created":1,"data":{"object":{"id":"cs_1","object":"checkout.session","payment_intent":"pi_1","client_reference_id":"quoteref","customer_email":"a@b.c"}}}`
	sendAt := func(payload, secret string, when time.Time) answer {
		at := when.Unix()
		mac := hmac.New(sha256.New, []byte(secret))
		fmt.Fprintf(mac, "%d.%s", at, payload)
		return w.post("/webhooks/card", payload, "X-API-Key", "", "Stripe-Signature", fmt.Sprintf("t=%d,v1=%s", at, hex.EncodeToString(mac.Sum(nil))))
	}
	send := func(payload, secret string) answer { return sendAt(payload, secret, w.now()) }
	for range 2 {
		if a := send(payload, "whsec_test"); a.status != 200 {
			t.Fatalf("POST = %d %s, want 200", a.status, a.body)
		}
	}
	waitFor(t, "the command", func() bool { return len(w.commandsOf(checkouts.CardEvent)) > 0 })
	if got, want := string(w.commandsOf(checkouts.CardEvent)[0].Data), `{"event_id":"evt_1","type":"checkout.session.completed","session":"cs_1","intent":"pi_1","quote":"quoteref"}`; got != want {
		t.Errorf("command = %s, want %s", got, want)
	}
	if a := send(payload, "whsec_other"); a.status != 400 || a.code(t) != "webhook_invalid" {
		t.Errorf("wrong secret = %d %s, want 400 webhook_invalid", a.status, a.body)
	}
	// One that somebody kept: it was signed, but not now.
	if a := sendAt(payload, "whsec_test", w.now().Add(-10*time.Minute)); a.status != 400 || a.code(t) != "webhook_invalid" {
		t.Errorf("a notice of ten minutes ago = %d %s, want 400 webhook_invalid", a.status, a.body)
	}
	if n := len(w.commandsOf(checkouts.CardEvent)); n != 1 {
		t.Errorf("a notice that came twice and was replayed later is %d commands, want 1", n)
	}
	if a := send(strings.Repeat(" ", 257<<10), "whsec_test"); a.status != 413 {
		t.Errorf("large notice = %d %s, want 413", a.status, a.body)
	}
}

func TestCapabilitiesAreCached(t *testing.T) {
	t.Parallel()
	w := start(t)
	recordNoStackups(w)
	w.open()
	a := w.get("/v1/capabilities")
	if a.status != 200 || a.header.Get("Cache-Control") != "private, max-age=300" || len(a.json(t)["services"].([]any)) != 35 {
		t.Fatalf("GET = %d %v %.300s, want 200, private for 300 s, 35 services", a.status, a.header, a.body)
	}
	if b := w.get("/v1/capabilities", "If-None-Match", a.header.Get("ETag")); b.status != 304 || len(b.body) != 0 {
		t.Errorf("conditional GET = %d with %d bytes, want 304 with none", b.status, len(b.body))
	}
	if b := w.get("/v1/capabilities", "X-API-Key", ""); b.status != 401 {
		t.Errorf("without a key = %d, want 401", b.status)
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	w := start(t)
	for _, path := range []string{"/healthz", "/readyz"} {
		if a := w.get(path, "X-API-Key", ""); a.status != 200 {
			t.Errorf("GET %s without a key: %d %s, want 200", path, a.status, a.body)
		}
	}
	_ = w.docs.Close()
	w.advance(time.Second)
	if a := w.get("/readyz"); a.status != 503 || a.header.Get("Retry-After") == "" || strings.Contains(string(a.body), "sql") {
		t.Errorf("/readyz without a store = %d %s, want 503 with Retry-After, without a word of SQL", a.status, a.body)
	}
}

// TestEveryEndpointNeedsTheKey: but for the signed links and what is for everybody,
// no address answers without a key.
func TestEveryEndpointNeedsTheKey(t *testing.T) {
	t.Parallel()
	w := start(t)
	d, err := theDescription()
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for path, item := range d.doc["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			security, open := op.(map[string]any)["security"].([]any)
			if open && len(security) == 0 {
				continue
			}
			address := regexp.MustCompile(`\{[^}]+\}`).ReplaceAllString(path, "x")
			var body io.Reader
			if method == "post" {
				body = strings.NewReader("{}")
			}
			if a := w.do(strings.ToUpper(method), address, body, "X-API-Key", "", "Content-Type", "application/json"); a.status != 401 {
				t.Errorf("%s %s without a key = %d %s, want 401", method, path, a.status, a.body)
			}
			kept++
		}
	}
	if kept < 20 {
		t.Errorf("%d endpoints need a key, want 20 at least", kept)
	}
	for path := range d.doc["paths"].(map[string]any) {
		if op, ok := d.doc["paths"].(map[string]any)[path].(map[string]any)["post"].(map[string]any); ok && strings.HasPrefix(path, "/v1/") {
			if _, open := op["security"]; open {
				t.Errorf("POST %s is described as open", path)
			}
		}
	}
}

// TestBuyLinksAreLimited: a key makes a hundred a day. Calls that were refused take
// none of them, but are bounded as well.
func TestBuyLinksAreLimited(t *testing.T) {
	t.Parallel()
	w := start(t)
	if a := w.post("/v1/buy-links", `{}`); a.status != 422 || !strings.HasPrefix(a.header.Get("RateLimit-Policy"), `"buy-links";q=100;w=86400`) {
		t.Errorf("the first = %d, policy %q; want 422, 100 buy-links a day", a.status, a.header.Get("RateLimit-Policy"))
	}
	const most = 100 + 30 // the quota, and the refused calls that take nothing of it
	for i := range most + 1 {
		a := w.post("/v1/buy-links", `{}`)
		if a.status == 429 {
			if i < 99 || a.code(t) != "rate_limited" || a.header.Get("Retry-After") == "" {
				t.Errorf("call %d = %d %s, want 429 rate_limited with Retry-After, after 100 calls", i+2, a.status, a.body)
			}
			return
		}
	}
	t.Errorf("%d calls are answered, want 429 in the end", most+2)
}
