package edge_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"boardorder/pkg/browsertest"
)

func TestPagesInABrowser(t *testing.T) {
	t.Parallel()
	w := start(t)
	ctx, complaints := browsertest.Open(t)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1200, 900), chromedp.Navigate(w.url+"/")); err != nil {
		t.Fatal(err)
	}
	heading, err := chromedp.Run(ctx, chromedp.Text("h1"))
	if err != nil || heading != "Board Ordering Service" {
		t.Errorf("heading %q, %v", heading, err)
	}
	styled, err := chromedp.Run(ctx, chromedp.Evaluate[string](`getComputedStyle(document.querySelector("pre")).borderRadius`))
	if err != nil || styled == "0px" {
		t.Errorf("the landing page has no style: %q, %v", styled, err)
	}
	browsertest.Keep(ctx, t, "landing")
	if err := chromedp.Do(ctx, chromedp.Navigate(w.url+"/docs"), chromedp.WaitVisible("#operations-Quotes-createQuote")); err != nil {
		t.Fatal(err)
	}
	text, err := chromedp.Run(ctx, chromedp.Text("#swagger-ui"))
	for _, want := range []string{"/v1/uploads", "/v1/quotes", "/auth/check", "Ask for a quote"} {
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("the description does not show %q: %v", want, err)
		}
	}
	if strings.Contains(text, "Warning") || strings.Contains(text, "Resolver error") {
		t.Errorf("the viewer warns:\n%s", text)
	}
	browsertest.Keep(ctx, t, "docs")
	if c := complaints(); len(c) > 0 {
		t.Errorf("the pages complain: %v", c)
	}
}
