package edge_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

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
	ctx, stop := context.WithTimeout(ctx, 2*time.Minute)
	defer stop()
	w.signInBrowser(ctx, t)
	for colors, width := range map[string]int64{"light": 320, "dark": 1280} {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: colors}}})
		if err != nil {
			t.Fatal(err)
		}
		for name, path := range w.portalPages() {
			if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 844), chromedp.Navigate(w.url+path), awaitShown("h1")); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			look(ctx, t, fmt.Sprintf("portal-%s-%s-%d", name, colors, width))
		}
	}
	if c := complaints(); len(c) > 0 {
		t.Errorf("the pages complain: %v", c)
	}
}

// awaitShown waits until something is on a page that is loaded. It asks the page itself: what
// chromedp knows of a document can be of the one before.
func awaitShown(selector string) chromedp.Action[chromedp.Void] {
	return awaitTrue(`document.readyState === "complete" && document.querySelector(` + strconv.Quote(selector) + `)?.checkVisibility() === true`)
}

// awaitTrue waits until an expression is true of the page.
func awaitTrue(expression string) chromedp.Action[chromedp.Void] {
	see := chromedp.Evaluate[bool](expression)
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		for {
			if ok, err := see(ctx, t); ok && err == nil { // an error: the page is just changing
				return chromedp.Void{}, nil
			}
			select {
			case <-ctx.Done():
				return chromedp.Void{}, fmt.Errorf("waited in vain for %s: %w", expression, ctx.Err())
			case <-time.After(5 * time.Millisecond):
			}
		}
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
	a := acme(w.now(), memberOf(accounts.Owner, w.now()), memberOf(accounts.Developer, w.now()))
	at := w.now()
	a.Keys = []accounts.APIKey{
		{ID: "oldkey000000", Name: "Web shop with a long name", Prefix: "bo_live_oldkey000000", Scopes: accounts.DefaultScopes(), Live: true, CreatedAt: at, CreatedBy: "ann", Networks: []string{"192.0.2.0/24", "2001:db8::/32"}},
		{ID: "testkey00000", Name: "CI", Prefix: "bo_test_testkey00000", Scopes: accounts.DefaultScopes(), CreatedAt: at, RevokedAt: &at, RevokedFor: accounts.KeyLeaked},
	}
	w.putAccount(a)
	w.putSales()
	w.furnishEndpoints()
	w.furnishFailures()
}

// portalPages are addresses of all pages for members, by name.
func (w *world) portalPages() map[string]string {
	return map[string]string{"home": "/portal", "confirm": "/portal/confirm", "confirm-code": "/portal/confirm/code",
		"keys": "/portal/keys", "usage": "/portal/usage", "members": "/portal/members", "new-member": "/portal/members/add", "member": "/portal/members/" + memberOf(accounts.Developer, w.now()).ID, "quotes": "/portal/quotes?mode=test", "orders": "/portal/orders", "new-key": "/portal/keys/new-live", "rotate": "/portal/keys/oldkey000000/rotate", "revoke": "/portal/keys/oldkey000000/revoke",
		"change-key": "/portal/keys/oldkey000000/change", "details": "/portal/details",
		"webhooks": "/portal/webhooks", "new-webhook": "/portal/webhooks/add", "webhook-failing": "/portal/webhooks/we_failing", "webhook-given-up": "/portal/webhooks/we_given_up", "webhook-stopped": "/portal/webhooks/we_stopped", "webhook-paused": "/portal/webhooks/we_test",
		"webhook-change": "/portal/webhooks/we_failing/change", "webhook-rotate": "/portal/webhooks/we_failing/rotate", "webhook-delete": "/portal/webhooks/we_failing/delete", "requests": "/portal/requests?mode=live", "delivery": "/portal/webhooks/we_failing/deliveries/25",
	}
}

// signInBrowser signs the owner in as a person does.
func (w *world) signInBrowser(ctx context.Context, t *testing.T) {
	t.Helper()
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(320, 844), chromedp.Navigate(w.url+"/portal"), awaitShown("#email")); err != nil {
		t.Fatal(err)
	}
	look(ctx, t, "portal-sign-in")
	if err := chromedp.Do(ctx, chromedp.SendKeys("#email", "owner@acme.example\r"), awaitShown("#code")); err != nil {
		t.Fatal(err)
	}
	look(ctx, t, "portal-code")
	if err := chromedp.Do(ctx, chromedp.SendKeys("#code", w.awaitCode(0)+"\r"), awaitShown(".who")); err != nil {
		t.Fatal(err)
	}
}
