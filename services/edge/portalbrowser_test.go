package edge_test

import (
	"context"
	"fmt"
	"testing"

	"boardorder/pkg/browsertest"
	"boardorder/pkg/contract/accounts"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestPortalInBrowser: a member signs in without a script on any page, and each page fits a
// phone and a desk, in light and dark, and breaks no rule of accessibility.
func TestPortalInBrowser(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnishPortal()
	ctx, complaints := browsertest.Open(t)
	w.signInBrowser(ctx, t)
	for _, colors := range []string{"light", "dark"} {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: colors}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, width := range []int64{320, 1280} {
			for name, path := range w.portalPages() {
				if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 844), chromedp.Navigate(w.url+path), chromedp.WaitVisible("h1")); err != nil {
					t.Fatalf("%s: %v", path, err)
				}
				look(ctx, t, fmt.Sprintf("portal-%s-%s-%d", name, colors, width))
			}
		}
	}
	if c := complaints(); len(c) > 0 {
		t.Errorf("the pages complain: %v", c)
	}
}

// look holds the page at hand to what all are held to.
func look(ctx context.Context, t *testing.T, name string) {
	t.Helper()
	browsertest.Fits(t, ctx, name)
	browsertest.Axe(t, ctx)
	browsertest.Keep(ctx, t, name)
}

// furnishPortal makes an account that has something of everything.
func (w *world) furnishPortal() {
	w.putAccount(acme(w.now(), memberOf(accounts.Owner, w.now()), memberOf(accounts.Developer, w.now())))
}

// portalPages are addresses of all pages for members, by name.
func (w *world) portalPages() map[string]string {
	return map[string]string{"home": "/portal", "confirm": "/portal/confirm", "confirm-code": "/portal/confirm/code"}
}

// signInBrowser signs the owner in as a person does.
func (w *world) signInBrowser(ctx context.Context, t *testing.T) {
	t.Helper()
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(320, 844), chromedp.Navigate(w.url+"/portal"), chromedp.WaitVisible("#email")); err != nil {
		t.Fatal(err)
	}
	look(ctx, t, "portal-sign-in")
	if err := chromedp.Do(ctx, chromedp.SendKeys("#email", "owner@acme.example\r"), chromedp.WaitVisible("#code")); err != nil {
		t.Fatal(err)
	}
	look(ctx, t, "portal-code")
	if err := chromedp.Do(ctx, chromedp.SendKeys("#code", w.awaitCode(0)+"\r"), chromedp.WaitVisible(`//h1[text()="Acme"]`)); err != nil {
		t.Fatal(err)
	}
}
