package edge_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/secret"

	"github.com/chromedp/chromedp"

	"boardorder/pkg/browsertest"
)

const formType = "application/x-www-form-urlencoded"

// report sends a key as JSON and by the form.
func (w *world) report(key string, headers ...string) (inJSON, inForm answer) {
	w.t.Helper()
	body, err := json.Marshal(map[string]string{"key": key})
	if err != nil {
		w.t.Fatal(err)
	}
	inJSON = w.do("POST", "/leaked-key", strings.NewReader(string(body)), append([]string{"X-API-Key", "", "Content-Type", "application/json"}, headers...)...)
	inForm = w.do("POST", "/leaked-key", strings.NewReader(url.Values{"key": {key}}.Encode()), append([]string{"X-API-Key", "", "Content-Type", formType}, headers...)...)
	return inJSON, inForm
}

// TestLeakedKeyReportsLookAlike: what is answered tells nobody whether a key was one,
// and the key goes no further than the edge.
func TestLeakedKeyReportsLookAlike(t *testing.T) {
	t.Parallel()
	w := start(t)
	revoked, madeUp, test := secret.NewAPIKey(true), secret.NewAPIKey(true), secret.NewAPIKey(false)
	w.putKey(test, account, accounts.DefaultScopes(), nil)
	mistyped := w.key.Text[:len(w.key.Text)-1] + "?"
	var wantJSON, wantForm answer
	for i, key := range []string{w.key.Text, revoked.Text, madeUp.Text, test.Text, " " + test.Text + " ", mistyped, "garbage", "bo_live_", "<script>"} {
		a, b := w.report(key)
		if i == 0 {
			wantJSON, wantForm = a, b
		}
		if a.status != 202 || string(a.body) != string(wantJSON.body) || b.status != 202 || string(b.body) != string(wantForm.body) {
			t.Errorf("the key %q: %d %s, by form %d %s; want 202 in the same words for each", key, a.status, a.body, b.status, b.body)
		}
		for _, h := range []string{"Content-Type", "Cache-Control", "Content-Security-Policy"} {
			if a.header.Get(h) != wantJSON.header.Get(h) || b.header.Get(h) != wantForm.header.Get(h) {
				t.Errorf("%q has another %s: %q and by form %q, want %q and %q", key, h, a.header.Get(h), b.header.Get(h), wantJSON.header.Get(h), wantForm.header.Get(h))
			}
		}
	}
	bustest.WaitFor(t, "ten commands", func() bool { return len(w.commandsOf(accounts.ReportKey)) >= 10 })
	hashes := map[string]int{}
	for _, c := range w.commandsOf(accounts.ReportKey) {
		var data accounts.ReportKeyData
		if err := json.Unmarshal(c.Data, &data); err != nil || c.Request != "" {
			t.Errorf("reported by %+v, %v; want a command of no request", c, err)
		}
		hashes[data.KeyID+data.Hash]++
		for _, k := range []secret.APIKey{w.key, revoked, madeUp, test} {
			if strings.Contains(fmt.Sprintf("%+v %s", c, c.Data), k.Text[len(k.Prefix())+1:]) {
				t.Error("the command holds the key")
			}
		}
	}
	for k, n := range map[secret.APIKey]int{w.key: 2, revoked: 2, madeUp: 2, test: 4} {
		if hashes[k.ID+k.Hash()] != n {
			t.Errorf("%d commands about %s, want %d", hashes[k.ID+k.Hash()], k.Prefix(), n)
		}
	}
	if len(hashes) != 4 {
		t.Errorf("commands about %d keys, want 4", len(hashes))
	}
	w.holdLogsFree(w.key.Text, revoked.Text, madeUp.Text, test.Text, mistyped)
}

// holdLogsFree looks for secrets in all that was logged.
func (w *world) holdLogsFree(secrets ...string) {
	w.t.Helper()
	if w.logs.Len() == 0 {
		w.t.Error("nothing was logged: looked in the wrong place")
	}
	for _, line := range w.logs.All() {
		text := fmt.Sprint(line.Message, line.ContextMap())
		for _, s := range secrets {
			if strings.Contains(text, s) || strings.Contains(text, url.QueryEscape(s)) {
				w.t.Errorf("the log holds a key: %s", text)
			}
		}
	}
}

func TestLeakedKeyReportsAreRefused(t *testing.T) {
	t.Parallel()
	w := start(t)
	for body, want := range map[string]int{`{}`: 422, `{"key":7}`: 422, `{"key":"` + strings.Repeat("a", 201) + `"}`: 422, `{`: 400} {
		if a := w.do("POST", "/leaked-key", strings.NewReader(body), "X-API-Key", "", "Content-Type", "application/json"); a.status != want {
			t.Errorf("POST /leaked-key %.60s: %d %s, want %d", body, a.status, a.body, want)
		}
	}
	if a := w.do("POST", "/leaked-key", strings.NewReader("key="), "X-API-Key", "", "Content-Type", formType); a.status != 422 || !strings.Contains(string(a.body), `role="alert"`) {
		t.Errorf("an empty form: %d %s, want 422 with an alert", a.status, a.body)
	}
	for _, method := range []string{"GET", "POST"} {
		if a := w.do(method, "/leaked-key?key="+w.key.Text, nil, "X-API-Key", ""); a.status != 400 || strings.Contains(string(a.body), w.key.Text) {
			t.Errorf("%s with a key in the address: %d %s, want 400 without the key", method, a.status, a.body)
		}
	}
	if n := len(w.commandsOf(accounts.ReportKey)); n != 0 {
		t.Errorf("%d commands, want none", n)
	}
}

func TestLeakedKeyReportsAreCounted(t *testing.T) {
	t.Parallel()
	w := start(t, func(c *edgeConfig) { c.TrustedProxies = []string{"127.0.0.1"} })
	for n := range 30 {
		if a, b := w.report("nonsense", "X-Forwarded-For", "192.0.2.1"); a.status != 202 || b.status != 202 {
			t.Fatalf("report %d: %d, %d, want 202 twice", 2*n, a.status, b.status)
		}
	}
	if a, b := w.report("nonsense", "X-Forwarded-For", "192.0.2.1"); a.status != 429 || b.status != 429 || a.header.Get("Retry-After") == "" {
		t.Errorf("the 61st: %d %s, %d, want 429 twice with Retry-After", a.status, a.body, b.status)
	}
	if a, _ := w.report("nonsense", "X-Forwarded-For", "198.51.100.1"); a.status != 202 {
		t.Errorf("another network: %d %s, want 202", a.status, a.body)
	}
}

// TestLeakedKeyPage: the page needs no script, is one for phones, and works by keyboard.
func TestLeakedKeyPage(t *testing.T) {
	t.Parallel()
	w := start(t)
	a := w.get("/leaked-key", "X-API-Key", "")
	if p := a.header.Get("Content-Security-Policy"); a.status != 200 || !strings.HasPrefix(p, "default-src 'none'; style-src 'self';") || strings.Contains(p, "script") || strings.Contains(string(a.body), "<script") {
		t.Errorf("%d, policy %s, want 200, a policy and a page without scripts", a.status, p)
	}
	ctx, complaints := browsertest.Open(t)
	look := func(name string, width int64) {
		t.Helper()
		wide, err := chromedp.Run(ctx, chromedp.Evaluate[int](`document.documentElement.scrollWidth`))
		if err != nil || int64(wide) > width {
			t.Errorf("%s is %d wide in a window of %d: %v", name, wide, width, err)
		}
		browsertest.Axe(t, ctx)
		browsertest.Keep(ctx, t, fmt.Sprintf("leaked-%s-%d", name, width))
	}
	for _, width := range []int64{320, 1200} {
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 844), chromedp.Navigate(w.url+"/leaked-key")); err != nil {
			t.Fatal(err)
		}
		look("form", width)
		if err := chromedp.Do(ctx, chromedp.SendKeys("#key", w.key.Text+"\r"), chromedp.WaitVisible(`//h1[text()="Thank you"]`)); err != nil {
			t.Fatal(err)
		}
		look("done", width)
		address, err := chromedp.Run(ctx, chromedp.Evaluate[string](`location.href`))
		if err != nil || address != w.url+"/leaked-key" {
			t.Errorf("ends at %s, %v", address, err)
		}
	}
	bustest.WaitFor(t, "two commands", func() bool { return len(w.commandsOf(accounts.ReportKey)) == 2 })
	if c := complaints(); len(c) > 0 {
		t.Errorf("the page complains: %v", c)
	}
}
