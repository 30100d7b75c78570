package edge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"boardorder/pkg/browsertest"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/secret"
)

func TestPagesInABrowser(t *testing.T) {
	t.Parallel()
	widths := []int64{320, 1440, 390}
	if testing.Short() {
		widths = widths[:2] // the narrowest and the widest
	}
	w := start(t)
	ctx, complaints := browsertest.Open(t)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1200, 900), chromedp.Navigate(w.url+"/")); err != nil {
		t.Fatal(err)
	}
	heading, err := chromedp.Run(ctx, chromedp.Text("h1"))
	if err != nil || heading != "Printed circuit boards by HTTP" {
		t.Errorf("heading %q, %v", heading, err)
	}
	styled, err := chromedp.Run(ctx, chromedp.Evaluate[string](`getComputedStyle(document.querySelector("pre")).borderRadius`))
	if err != nil || styled == "0px" {
		t.Errorf("the landing page has no style: %q, %v", styled, err)
	}
	browsertest.Keep(ctx, t, "landing")
	for _, page := range []string{"/", "/docs", "/docs/first-quote", "/docs/quotes", "/docs/formal-orders", "/docs/agents", "/docs/board", "/docs/kicad", "/docs/buttons", "/docs/errors", "/docs/changes", "/nope"} {
		for _, width := range widths {
			for _, scheme := range []string{"light", "dark"} {
				_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
				if err != nil {
					t.Fatal(err)
				}
				if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 844), chromedp.Navigate(w.url+page)); err != nil {
					t.Fatal(err)
				}
				wide, err := chromedp.Run(ctx, chromedp.Evaluate[int](`document.documentElement.scrollWidth`))
				if err != nil || int64(wide) > width {
					t.Errorf("%s is %d wide in a window of %d: %v", page, wide, width, err)
				}
				if width > 320 {
					browsertest.Axe(t, ctx)
				}
				browsertest.Keep(ctx, t, fmt.Sprintf("reference-%s-%d-%s", strings.ReplaceAll(page, "/", "_"), width, scheme))
			}
		}
	}
	missing := func(s string) bool { return strings.HasSuffix(s, " "+w.url+"/nope") } // Chromium's word on the page's own status
	if c := slices.DeleteFunc(complaints(), missing); len(c) > 0 {
		t.Errorf("the pages complain: %v", c)
	}
}

// TestReferenceFindsAndCopies: what the reference does with a script.
func TestReferenceFindsAndCopies(t *testing.T) {
	t.Parallel()
	w := start(t)
	ctx, complaints := browsertest.Open(t)
	if err := chromedp.Do(ctx, chromedp.Navigate(w.url+"/docs"), chromedp.SendKeys("#find", "quote_not_accepted")); err != nil {
		t.Fatal(err)
	}
	const shown = `[...document.querySelectorAll(".endpoints li")].filter(e => e.checkVisibility()).map(e => e.querySelector("a").getAttribute("href")).join(" ") + " | " + document.getElementById("found").textContent`
	if got, err := chromedp.Run(ctx, chromedp.Evaluate[string](shown)); err != nil || got != "/docs/formal-orders#acceptQuote | 1 endpoint" {
		t.Errorf("found %q, %v", got, err)
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(w.url+"/docs/quotes#createQuote"), chromedp.Click(".copy"), chromedp.WaitVisible(`//button[@class="copy" and text()!="Copy"]`)); err != nil {
		t.Fatal(err)
	}
	if c := complaints(); len(c) > 0 {
		t.Errorf("the pages complain: %v", c)
	}
}

// TestReferenceCallsEndpoints: with a test key, and with no other.
func TestReferenceCallsEndpoints(t *testing.T) {
	t.Parallel()
	w := start(t)
	test := secret.NewAPIKey(false)
	w.putKey(test, account, accounts.DefaultScopes(), nil)
	ctx, complaints := browsertest.Open(t)
	const form, key = `[aria-labelledby="checkKey"] .try`, "#checkKey-key"
	const outcome = `document.querySelector('[aria-labelledby="checkKey"] .outcome').textContent`
	if err := chromedp.Do(ctx, chromedp.Navigate(w.url+"/docs/account#checkKey"), chromedp.Click(form+" summary"), chromedp.SendKeys(key, w.key.Text), chromedp.Click(form+" button")); err != nil {
		t.Fatal(err)
	}
	refused, err := chromedp.Run(ctx, chromedp.Evaluate[string](outcome))
	if err != nil || refused != "Only a key that begins with bo_test_ can be used here." {
		t.Errorf("a live key: %q, %v; want it refused and nothing sent", refused, err)
	}
	if err := chromedp.Do(ctx, chromedp.SetValue(key, test.Text), chromedp.Click(form+" button"), chromedp.WaitVisible(form+" pre")); err != nil {
		t.Fatal(err)
	}
	browsertest.Axe(t, ctx)
	reply, err := chromedp.Run(ctx, chromedp.Evaluate[string](outcome+` + "|" + document.querySelector('[aria-labelledby="checkKey"] .try pre').textContent`))
	if err != nil || !strings.HasPrefix(reply, "200 ") || !strings.Contains(reply, `"livemode": false`) {
		t.Errorf("a test key: %q, %v; want 200 and the test key", reply, err)
	}
	for _, width := range []int64{320, 1280} {
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(w.url+"/docs/uploads"), chromedp.Click(`[aria-labelledby="createUpload"] .try summary`)); err != nil {
			t.Fatal(err)
		}
		wide, err := chromedp.Run(ctx, chromedp.Evaluate[int](`document.documentElement.scrollWidth`))
		if err != nil || int64(wide) > width {
			t.Errorf("an opened form is %d wide in a window of %d: %v", wide, width, err)
		}
		browsertest.Keep(ctx, t, fmt.Sprintf("reference-try-%d", width))
	}
	bustest.WaitFor(t, "the key on the next page", func() bool { // the form opens after the click
		remembered, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.querySelector("#createUpload-key").value`))
		return err == nil && remembered == test.Text
	})
	if c := complaints(); len(c) > 0 {
		t.Errorf("the pages complain: %v", c)
	}
}
