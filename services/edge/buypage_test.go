package edge_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"boardorder/pkg/browsertest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
)

// putBuyLink puts a buy link whose upload has gone.
func (w *world) putBuyLink() string {
	w.t.Helper()
	name := "Desk lamp"
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 40, 30))); err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.blobs.Put(w.t.Context(), "pictures/board.png", &picture, int64(picture.Len()), "image/png"); err != nil {
		w.t.Fatal(err)
	}
	link := buylinks.BuyLink{ID: "bl_1", Account: account, Key: w.key.ID, Upload: "gone", Digest: "d", Request: quotes.Request{ProjectName: &name, StandardForUnstated: true, ShipTo: &shipments.ShipTo{Country: "DE"}}, SourceURL: "https://example.com/lamp", Assembly: true}
	if err := w.write(string(contract.BuyLinkAggregate), link.ID, link); err != nil {
		w.t.Fatal(err)
	}
	return w.url + "/buy/" + link.ID
}

// TestShopperBuysByALink: on a phone and on a desk, with a script and without, by
// keyboard: number and country, live prices of several numbers, then the checkout.
func TestShopperBuysByALink(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.uploadID()
	at := w.putBuyLink()
	for _, script := range []bool{true, false} {
		ctx, complaints := browsertest.Open(t)
		if !script {
			if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
				t.Fatal(err)
			}
		}
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(390, 844), chromedp.Navigate(at)); err != nil {
			t.Fatal(err)
		}
		// The prices are live, so none stands there before the country is known.
		if err := chromedp.Do(ctx, chromedp.Focus("#quantity"), chromedp.KeyEvent("\x01"), chromedp.SetValue("#quantity", "7"),
			chromedp.Focus("#country"), chromedp.KeyEvent("Germ"), chromedp.Focus("#postal_code"), chromedp.KeyEvent("10115"), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab)); err != nil {
			t.Fatal(err)
		}
		if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible("table.prices")); err != nil {
			t.Fatalf("with script %v: %v", script, err)
		}
		table, err := chromedp.Run(ctx, chromedp.Text("table.prices"))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []string{"5", "7", "10", "25", "50", "100"} {
			if !strings.Contains(table, "\n"+n+"\t") && !strings.Contains(table, "\n"+n+"\n") {
				t.Errorf("no price of %s:\n%q", n, table)
			}
		}
		if strings.Count(table, "$123.45") != 6 {
			t.Errorf("%d prices of $123.45, want 6:\n%s", strings.Count(table, "$123.45"), table)
		}
		current, err := chromedp.Run(ctx, chromedp.Text(`tr[aria-current=true] th`))
		if err != nil || strings.TrimSpace(current) != "7" {
			t.Errorf("the chosen number is %q, %v", current, err)
		}
		if err := chromedp.Do(ctx, chromedp.Click("tr[aria-current=true] a"), chromedp.WaitVisible("#price")); err != nil {
			t.Fatal(err)
		}
		body, err := chromedp.Run(ctx, chromedp.Text("main"))
		if err != nil || !strings.Contains(body, "7 boards") || !strings.Contains(body, "$123.45") || !strings.Contains(body, "Desk lamp") {
			t.Errorf("the checkout: %v, want 7 boards of Desk lamp for $123.45:\n%s", err, body)
		}
		if c := complaints(); len(c) > 0 {
			t.Errorf("the pages complain: %v", c)
		}
	}
	for _, c := range w.commandsOf(quotes.Price) {
		if c.Data == nil || !strings.Contains(string(c.Data), `"digest":"d"`) {
			t.Errorf("a price was asked of the upload, whose files have gone: %s", c.Data)
		}
	}
}

// TestBuyPageIsEasyToUse: in each state, size and colour scheme.
func TestBuyPageIsEasyToUse(t *testing.T) {
	t.Parallel()
	type size struct {
		width  int64
		scheme string
	}
	sizes := []size{{320, "light"}, {1440, "dark"}, {390, "light"}, {390, "dark"}, {1440, "light"}}
	if testing.Short() {
		sizes = sizes[:2] // the narrowest and the widest, in both sets of colors
	}
	w := start(t)
	w.uploadID()
	at := w.putBuyLink()
	ctx, _ := browsertest.Open(t)
	look := func(name, query string) {
		t.Helper()
		for _, size := range sizes {
			_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
				{Name: "prefers-color-scheme", Value: size.scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
			if err != nil {
				t.Fatal(err)
			}
			if err := chromedp.Do(ctx, chromedp.EmulateViewport(size.width, 844), chromedp.Navigate(at+query)); err != nil {
				t.Fatal(err)
			}
			wide, err := chromedp.Run(ctx, chromedp.Evaluate[int64](`document.documentElement.scrollWidth`))
			if err != nil || wide > size.width {
				t.Errorf("%s is %d wide in a window of %d: %v", name, wide, size.width, err)
			}
			browsertest.Axe(t, ctx)
			browsertest.Keep(ctx, t, fmt.Sprintf("buy-%s-%d-%s", name, size.width, size.scheme))
		}
		for _, width := range []int64{320, 390, 768, 900, 1280} {
			if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 844)); err != nil {
				t.Fatal(err)
			}
			browsertest.Fits(t, ctx, fmt.Sprintf("%s %d", name, width))
		}
	}
	look("start", "")
	look("prices", "?quantity=12&country=DE&postal_code=10115")
	look("errors", "?quantity=none&country=&postal_code="+strings.Repeat("9", 30))
	look("assembled", "?quantity=3&country=US&assembled=yes")
	w.set(func() { w.refuse = contract.Refuse(contract.PriceUnavailable, "Later.") })
	look("unavailable", "?quantity=13&country=FR")
	w.set(func() {
		w.refuse = contract.Refuse(contract.DesignFiles, "The fabricator cannot use the design files as they are.")
	})
	look("refused", "?quantity=14&country=FR")
	for _, gone := range []string{"/buy/bl_none", "/legal/terms", "/legal/privacy", "/legal/withdrawal", "/legal/imprint", "/legal/contact"} {
		at = w.url + gone
		look(strings.ReplaceAll(gone[1:], "/", "-"), "")
	}
}
