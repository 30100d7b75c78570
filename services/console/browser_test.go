package console_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/browsertest"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/uploads"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// awaitVisible waits until something is on the page. It asks the page itself, again
// and again: what chromedp knows of a document can be of the one before.
func awaitVisible(selector string) chromedp.Action[chromedp.Void] {
	look := chromedp.Evaluate[bool]("document.querySelector(" + strconv.Quote(selector) + ")?.checkVisibility() === true")
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		for {
			if ok, err := look(ctx, t); ok && err == nil { // an error: the page is just changing
				return chromedp.Void{}, nil
			}
			select {
			case <-ctx.Done():
				return chromedp.Void{}, fmt.Errorf("waited in vain for %s: %w", selector, ctx.Err())
			case <-time.After(5 * time.Millisecond):
			}
		}
	}
}

// typeText types into an input with the keyboard.
func typeText(selector, text string) chromedp.Action[chromedp.Void] {
	return chromedp.Steps(js("document.querySelector("+strconv.Quote(selector)+").focus()"), chromedp.KeyEvent(text))
}

func js(statement string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Evaluate[bool](statement+", true")(ctx, t)
		return chromedp.Void{}, err
	}
}

func text(selector string) chromedp.Action[string] {
	return chromedp.Evaluate[string]("document.querySelector(" + strconv.Quote(selector) + ").innerText")
}

func scheme(ctx context.Context, name string) error {
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
	})
	return err
}

// pages is each page of the console, by a name for its picture.
func (w *world) pages() map[string]string {
	return map[string]string{
		"overview": "/", "reviews": "/reviews", "review": "/reviews/" + reviewRef, "quotes": "/quotes", "quote": "/quotes/" + instantRef,
		"layers": "/quotes/" + instantRef + "/layers", "approvals": "/approvals", "audit": "/audit", "quote history": "/quotes/" + instantRef + "/history", "streams": "/streams", "verified": "/audit/verify", "sessions": "/sessions", "factor": "/factor",
		"customers": "/customers", "customer": "/customers/" + customers.Ref(account, "grace@example.com"),
		"central": "/central", "formal": "/central/" + formalRef,
		"orders": "/orders", "order": "/orders/" + instantRef, "uploads": "/uploads", "events": "/events", "history": "/events/order/" + instantRef,
		"event": "/event/order/1", "dead": "/dead-letters", "letter": fmt.Sprintf("/dead-letters/%d", w.dead()[0].Seq),
		"accounts": "/accounts", "account": "/accounts/" + account, "changekey": "/accounts/" + account + "/keys/oldkey000000", "revoke": "/accounts/" + account + "/keys/oldkey000000/revoke", "nowhere": "/nowhere",
	}
}

// TestEveryPageInABrowser is one walk through all pages with one browser: starting one
// costs more than all the rest.
func TestEveryPageInABrowser(t *testing.T) {
	t.Parallel()
	type screen struct {
		device, colors string
		width, height  int64
	}
	screens := []screen{{"desktop", "light", 1440, 900}, {"phone", "dark", 320, 740}}
	if !testing.Short() { // least room for tables: beside the menu, and not yet stacked
		screens = append(screens, screen{"laptop", "light", 1024, 768}, screen{"tablet", "light", 768, 1024})
	}
	for _, tt := range screens {
		w, ctx, complaints := openBrowser(t)
		w.checkPages(ctx, t, tt.device, tt.colors, tt.width, tt.height)
		checkComplaints(t, complaints)
	}
}

// TestActsInABrowser is what people do there with script.
func TestActsInABrowser(t *testing.T) {
	t.Parallel()
	w, ctx, complaints := openBrowser(t)
	w.eventsAppear(ctx, t)
	w.priceAddsUp(ctx, t)
	w.keyIsShown(ctx, t)
	w.layersSwitch(ctx, t)
	checkComplaints(t, complaints)
}

// openBrowser is a furnished console with somebody signed in.
func openBrowser(t *testing.T) (*world, context.Context, func() []string) {
	t.Helper()
	w := start(t)
	ctx, complaints := browsertest.Open(t)
	w.furnish()
	w.furnishFormal()
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 860), chromedp.Navigate(w.url+"/orders"), awaitVisible("[name=password]")); err != nil {
		t.Fatal(err)
	}
	browsertest.Keep(ctx, t, "desktop-sign-in")
	browsertest.Axe(t, ctx)
	// The link signs in by itself: the script presses the button.
	if err := chromedp.Do(ctx, chromedp.Navigate(w.url+"/?token="+token), awaitVisible(".tiles")); err != nil {
		t.Fatal(err)
	}
	return w, ctx, complaints
}

func checkComplaints(t *testing.T, complaints func() []string) {
	t.Helper()
	for _, got := range complaints() {
		if !strings.HasSuffix(got, "/nowhere") {
			t.Errorf("the browser complains: %s", got)
		}
	}
}

// checkPages looks at each page: nothing sticks out, every input has a label, and
// no rule of accessibility is broken.
func (w *world) checkPages(ctx context.Context, t *testing.T, device, colors string, width, height int64) {
	t.Helper()
	if err := scheme(ctx, colors); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, height)); err != nil {
		t.Fatal(err)
	}
	for name, path := range w.pages() {
		if err := chromedp.Do(ctx, chromedp.Navigate(w.url+path), awaitVisible("h1")); err != nil {
			t.Fatalf("%s on a %s: %v", path, device, err)
		}
		wide, err := chromedp.Run(ctx, chromedp.Evaluate[int](`Math.max(...[...document.querySelectorAll("html, section, table, nav")].map(e => e.scrollWidth - e.clientWidth))`))
		if err != nil || wide > 0 {
			t.Errorf("%s on a %s is %d pixels too wide, %v", path, device, wide, err)
		}
		nameless, err := chromedp.Run(ctx, chromedp.Evaluate[int](`[...document.querySelectorAll("input:not([type=hidden]), select, textarea")].filter(e => !e.labels.length).length`))
		if err != nil || nameless > 0 {
			t.Errorf("%s has %d inputs without a label, %v", path, nameless, err)
		}
		browsertest.Keep(ctx, t, device+"-"+name)
		t.Run(device+" "+name, func(t *testing.T) { browsertest.Axe(t, ctx) })
	}
}

func (w *world) eventsAppear(ctx context.Context, t *testing.T) {
	t.Helper()
	if err := chromedp.Do(ctx, chromedp.Navigate(w.url+"/events"), awaitVisible(".livebar.on")); err != nil {
		t.Fatal(err)
	}
	i := 0
	bustest.WaitFor(t, "an event on the page", func() bool {
		i++
		commit(w, contract.UploadAggregate, fmt.Sprintf("upload%d", i), uploads.EventCreated, account, uploads.Upload{Account: account})
		rows, err := chromedp.Run(ctx, text("[data-rows]"))
		return err == nil && strings.Contains(rows, "upload: created")
	})
	browsertest.Keep(ctx, t, "desktop-live")
	browsertest.Axe(t, ctx)
}

func (w *world) priceAddsUp(ctx context.Context, t *testing.T) {
	t.Helper()
	err := chromedp.Do(ctx, chromedp.Navigate(w.url+"/reviews/"+reviewRef), awaitVisible("[data-price]"),
		typeText(`.row:nth-of-type(1) [name="amount"]`, "1,200.50"), typeText(`.row:nth-of-type(2) [name="amount"]`, "80"),
		typeText(`[name="tax"]`, "19.5"), typeText(`[name="build_days"]`, "5"), typeText(`[name="transit"]`, "3 to 5"), js(`document.querySelectorAll('[name="rest"]').forEach((e) => { e.value = "left_off" })`))
	if err != nil {
		t.Fatal(err)
	}
	if total, err := chromedp.Run(ctx, text("[data-total]")); err != nil || total != "$1,300.00" {
		t.Errorf("total %q, %v", total, err)
	}
	if err := chromedp.Do(ctx, js(`document.querySelector("button[value=price]").click()`), awaitVisible(".notice")); err != nil {
		t.Fatal(err)
	}
	if page, err := chromedp.Run(ctx, text("main")); err != nil || !strings.Contains(page, "$1,300.00") || !strings.Contains(page, "sourcing quoted") {
		t.Errorf("after pricing: %s, %v", page, err)
	}
	browsertest.Keep(ctx, t, "desktop-priced")
}

// keyIsShown makes a key with the keyboard alone.
func (w *world) keyIsShown(ctx context.Context, t *testing.T) {
	t.Helper()
	err := chromedp.Do(ctx, chromedp.Navigate(w.url+"/accounts/"+account), awaitVisible(".card [name=name]"), typeText(".card [name=name]", "robot\r"), awaitVisible(".secret"))
	if err != nil {
		t.Fatal(err)
	}
	if key, err := chromedp.Run(ctx, text("#key")); err != nil || !shownKey.MatchString(key) {
		t.Errorf("key %q, %v", key, err)
	}
	browsertest.Keep(ctx, t, "desktop-newkey")
}

// layersSwitch draws the layers of a board and switches one off.
func (w *world) layersSwitch(ctx context.Context, t *testing.T) {
	t.Helper()
	err := chromedp.Do(ctx, chromedp.Navigate(w.url+"/quotes/"+instantRef+"/layers"), js(`document.querySelector("main form button").click()`), awaitVisible(".layerview"))
	if err != nil {
		t.Fatal(err)
	}
	browsertest.Keep(ctx, t, "desktop-layers-drawn")
	browsertest.Axe(t, ctx)
	off, err := chromedp.Run(ctx, chromedp.Evaluate[string](`(() => { const box = document.querySelector("[data-layer]:checked"), img = document.querySelector('[data-of="' + box.dataset.layer + '"]');
		const before = getComputedStyle(img).display; box.click(); return before + " " + getComputedStyle(img).display; })()`))
	if err != nil || off != "block none" {
		t.Errorf("a layer that is switched off: %q, %v", off, err)
	}
}

func evaluate(t *testing.T, ctx context.Context, expression string) int { //nolint:revive // the test comes first
	t.Helper()
	n, err := chromedp.Run(ctx, chromedp.Evaluate[int](expression))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
