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

// awaitVisible waits until something is on a page whose script has run. It asks the page
// itself, again and again: what chromedp knows of a document can be of the one before.
func awaitVisible(selector string) chromedp.Action[chromedp.Void] {
	look := chromedp.Evaluate[bool](`document.readyState === "complete" && document.querySelector(` + strconv.Quote(selector) + `)?.checkVisibility() === true`)
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
		"overview": "/", "providers": "/providers", "reviews": "/reviews", "review": "/reviews/" + reviewRef, "quotes": "/quotes", "quote": "/quotes/" + instantRef,
		"layers": "/quotes/" + instantRef + "/layers", "approvals": "/approvals", "audit": "/audit", "quote history": "/quotes/" + instantRef + "/history", "streams": "/streams", "verified": "/audit/verify", "sessions": "/sessions", "factor": "/factor",
		"customers": "/customers", "customer": "/customers/" + customers.Ref(account, "grace@example.com"),
		"central": "/central", "formal": "/central/" + formalRef,
		"orders": "/orders", "disputes": "/disputes", "held": "/orders?status=held", "order": "/orders/" + instantRef, "uploads": "/uploads", "events": "/events", "history": "/events/order/" + instantRef,
		"event": "/event/order/1", "dead": "/dead-letters", "letter": fmt.Sprintf("/dead-letters/%d", w.dead()[0].Seq),
		"incidents": "/incidents", "accounts": "/accounts", "account": "/accounts/" + account, "told": "/accounts/" + account + "/events", "webhooks": "/accounts/" + account + "/webhooks", "failures": "/accounts/" + account + "/requests", "changekey": "/accounts/" + account + "/keys/oldkey000000", "revoke": "/accounts/" + account + "/keys/oldkey000000/revoke", "nowhere": "/nowhere",
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
		screens = append(screens, screen{"laptop", "light", 1024, 768}, screen{"tablet", "light", 768, 1024}, screen{"wide", "dark", 1920, 1080})
	}
	for _, tt := range screens {
		w, ctx, complaints := openBrowser(t)
		w.checkPages(ctx, t, w.pages(), tt.device, tt.colors, tt.width, tt.height)
		checkComplaints(t, complaints)
	}
}

// TestActsInABrowser is what people do there with script.
func TestActsInABrowser(t *testing.T) {
	t.Parallel()
	w, ctx, complaints := openBrowser(t)
	w.eventsAppear(ctx, t)
	w.refusalsAreShown(ctx, t)
	w.optionsAreAdded(ctx, t)
	w.priceAddsUp(ctx, t)
	w.linesComeAndGo(ctx, t)
	w.keyIsShown(ctx, t)
	w.layersSwitch(ctx, t)
	w.keysLead(ctx, t)
	w.rowsHaveKeys(ctx, t)
	w.filtersAreKept(ctx, t)
	checkComplaints(t, complaints)
}

// openBrowser is a furnished console with somebody signed in.
func openBrowser(t *testing.T) (*world, context.Context, func() []string) {
	t.Helper()
	w := start(t)
	ctx, complaints := browsertest.Open(t)
	w.furnish()
	w.furnishFormal()
	w.furnishProviders()
	w.furnishLetters()
	w.furnishTold()
	w.furnishEndpoints()
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
		if !strings.HasSuffix(got, "/nowhere") && !strings.Contains(got, "status of 422") { // a form that was filled in wrong
			t.Errorf("the browser complains: %s", got)
		}
	}
}

// checkPages looks at each page: nothing sticks out, every input has a label, and
// no rule of accessibility is broken.
func (w *world) checkPages(ctx context.Context, t *testing.T, pages map[string]string, device, colors string, width, height int64) {
	t.Helper()
	if err := scheme(ctx, colors); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, height)); err != nil {
		t.Fatal(err)
	}
	for name, path := range pages {
		if err := chromedp.Do(ctx, chromedp.Navigate(w.url+path), awaitVisible("h1")); err != nil {
			t.Fatalf("%s on a %s: %v", path, device, err)
		}
		wide, err := chromedp.Run(ctx, chromedp.Evaluate[int](`Math.max(...[...document.querySelectorAll("html, section, table, nav")].map(e => e.scrollWidth - e.clientWidth))`))
		if err != nil || wide > 0 {
			t.Errorf("%s on a %s is %d pixels too wide, %v", path, device, wide, err)
		}
		menu, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`document.querySelector("nav a").checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })`))
		if beside := width > 960; err != nil || menu != beside {
			t.Errorf("%s on a %s: the menu is shown: %v, %v; want %v", path, device, menu, err, beside)
		}
		nameless, err := chromedp.Run(ctx, chromedp.Evaluate[int](`[...document.querySelectorAll("input:not([type=hidden]), select, textarea")].filter(e => !e.labels.length).length`))
		if err != nil || nameless > 0 {
			t.Errorf("%s has %d inputs without a label, %v", path, nameless, err)
		}
		stretched, err := chromedp.Run(ctx, chromedp.Evaluate[int](`[...document.querySelectorAll("[type=checkbox], [type=radio]")].filter((e) => e.offsetWidth > 24).length`))
		if err != nil || stretched > 0 {
			t.Errorf("%s on a %s: %d boxes to tick are wider than a box, which leaves no room for their words, %v", path, device, stretched, err)
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

// widths are those of a phone and of a screen on a desk.
var widths = []int64{390, 1280}

// refusalsAreShown sends a price that is wrong in one field: that field has the focus, and all
// that was typed is there. A comma is a decimal one where it stands before two digits.
func (w *world) refusalsAreShown(ctx context.Context, t *testing.T) {
	t.Helper()
	for _, width := range widths {
		err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 860), chromedp.Navigate(w.url+"/reviews/"+reviewRef), awaitVisible("[data-price]"),
			typeText(`.line:nth-of-type(1) [name="amount"]`, "1.200,50"), typeText(`.line:nth-of-type(2) [name="amount"]`, "80"), typeText(`[name="build_days"]`, "soon"))
		if err != nil {
			t.Fatal(err)
		}
		if total, err := chromedp.Run(ctx, text("[data-total]")); err != nil || total != "$1,280.50" {
			t.Errorf("%d pixels: total %q, %v; want $1,280.50", width, total, err)
		}
		if err := chromedp.Do(ctx, js(`document.querySelector("button[value=price]").click()`), awaitVisible("[name=build_days][aria-invalid]")); err != nil {
			t.Fatal(err)
		}
		const stands = `[document.activeElement.name, document.activeElement.value, document.querySelector('[name="amount"]').value, document.querySelector("p.wrong").innerText].join("|")`
		want := "build_days|soon|1.200,50|Nothing is set yet: what is wrong stands beside it."
		if got, err := chromedp.Run(ctx, chromedp.Evaluate[string](stands)); err != nil || got != want {
			t.Errorf("%d pixels: a price that is refused leaves %q, %v; want %q", width, got, err, want)
		}
		seen, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`(() => { const at = document.activeElement.getBoundingClientRect(); return at.top >= 0 && at.bottom <= innerHeight; })()`))
		if err != nil || !seen {
			t.Errorf("%d pixels: the field at fault is on the screen: %t, %v; want true", width, seen, err)
		}
		browsertest.Keep(ctx, t, fmt.Sprintf("review-refused-%d", width))
		browsertest.Axe(t, ctx)
	}
}

// optionsAreAdded to a formal quote: the new one has lines, and what was typed stays.
func (w *world) optionsAreAdded(ctx context.Context, t *testing.T) {
	t.Helper()
	for _, width := range widths {
		err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 860), chromedp.Navigate(w.url+"/central/"+formalRef), awaitVisible("[data-lines]"),
			typeText(`[name="fabricator"]`, "Fab One"), typeText(`.line:nth-of-type(1) [data-amount]`, "12,50"), js(`document.querySelector("button[value=option]").click()`), awaitVisible("fieldset[data-price]:nth-of-type(2)"))
		if err != nil {
			t.Fatal(err)
		}
		const stands = `[...document.querySelectorAll('[name="fabricator"]')].map((f) => f.value).join() + " " + [...document.querySelectorAll('[name^="label-"]')].map((i) => i.value).join("|") + " " + [...document.querySelectorAll("[data-total]")].map((o) => o.innerText).join()`
		if got, err := chromedp.Run(ctx, chromedp.Evaluate[string](stands)); err != nil || got != "Fab One, Boards|Shipping||Boards|Shipping| $12.50,$0.00" {
			t.Errorf("%d pixels: after an option was added: %q, %v; want the first as it was, and the second with its lines", width, got, err)
		}
		browsertest.Keep(ctx, t, fmt.Sprintf("formal-option-%d", width))
		browsertest.Axe(t, ctx)
	}
}

func (w *world) priceAddsUp(ctx context.Context, t *testing.T) {
	t.Helper()
	err := chromedp.Do(ctx, chromedp.Navigate(w.url+"/reviews/"+reviewRef), awaitVisible("[data-price]"),
		typeText(`.line:nth-of-type(1) [name="amount"]`, "1,200.50"), typeText(`.line:nth-of-type(2) [name="amount"]`, "80"),
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

// linesComeAndGo adds and removes lines of a formal quote, with script and without, and
// shows what is wrong beside its line.
func (w *world) linesComeAndGo(ctx context.Context, t *testing.T) {
	t.Helper()
	page := w.url + "/central/" + formalRef
	const lines = `[...document.querySelectorAll('[name="label-0"]')].map((i) => i.value).join("|") + " " + document.querySelector("[data-total]").innerText`
	shows := func(when, want string) {
		t.Helper()
		if got, err := chromedp.Run(ctx, chromedp.Evaluate[string](lines)); err != nil || got != want {
			t.Errorf("%s the lines are %q, %v; want %q", when, got, err, want)
		}
	}
	err := chromedp.Do(ctx, chromedp.Navigate(page), awaitVisible("[data-lines]"), typeText(`.line:nth-of-type(1) [data-amount]`, "1200.50"),
		js(`document.querySelector("[data-add]").click()`), chromedp.KeyEvent("Assembly"), typeText(`.line:nth-of-type(4) [data-amount]`, "300"))
	if err != nil {
		t.Fatal(err)
	}
	shows("after one was added", "Boards|Shipping||Assembly $1,500.50")
	if err := chromedp.Do(ctx, js(`document.querySelector(".line:nth-of-type(1) [data-drop]").click()`)); err != nil {
		t.Fatal(err)
	}
	shows("after one was removed", "Shipping||Assembly $300.00")
	if err := chromedp.Do(ctx, js(`document.querySelector("button[value=issue]").click()`), awaitVisible(".line .wrong")); err != nil {
		t.Fatal(err)
	}
	if wrong, err := chromedp.Run(ctx, text(".line .wrong")); err != nil || wrong != "“Shipping” needs an amount such as 1234.50." {
		t.Errorf("beside the line without an amount: %q, %v", wrong, err)
	}
	browsertest.Keep(ctx, t, "desktop-lines-wrong")
	browsertest.Axe(t, ctx)
	if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(page), awaitVisible("[data-lines]"), js(`document.querySelector("[data-add]").click()`), awaitVisible(".line:nth-of-type(4)")); err != nil {
		t.Fatal(err)
	}
	shows("after one was added without script", "Boards|Shipping|| –")
	if err := chromedp.Do(ctx, js(`document.querySelector(".line:nth-of-type(1) [data-drop]").click()`), awaitVisible("[data-lines]:not(:has(.line:nth-of-type(4)))")); err != nil {
		t.Fatal(err)
	}
	shows("after one was removed without script", "Shipping|| –")
	if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{}); err != nil {
		t.Fatal(err)
	}
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

// filtersAreKept keeps a filter, finds it on the list without one, and forgets it.
func (w *world) filtersAreKept(ctx context.Context, t *testing.T) {
	t.Helper()
	kept := func(want string) {
		t.Helper()
		if got, err := chromedp.Run(ctx, chromedp.Evaluate[string](`[...document.querySelectorAll(".views a")].map((a) => a.text + " " + a.getAttribute("href")).join()`)); err != nil || got != want {
			t.Errorf("kept filters: %q, %v; want %q", got, err, want)
		}
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(w.url+"/orders?status=held"), awaitVisible(".views button")); err != nil {
		t.Fatal(err)
	}
	kept("")
	if err := chromedp.Do(ctx, js(`document.querySelector(".views button").click()`), chromedp.Navigate(w.url+"/orders"), awaitVisible(".views a")); err != nil {
		t.Fatal(err)
	}
	kept("held /orders?status=held")
	browsertest.Keep(ctx, t, "desktop-filters")
	browsertest.Axe(t, ctx)
	if err := chromedp.Do(ctx, js(`document.querySelector(".views button").click()`)); err != nil {
		t.Fatal(err)
	}
	kept("")
}

// keysLead goes through the console with keys: to a section, along its rows, to the search;
// what is typed there is typed. The first row is two Tabs and Enter away.
func (w *world) keysLead(ctx context.Context, t *testing.T) {
	t.Helper()
	const at = `document.activeElement.id || document.activeElement.getAttribute("href") || ""`
	focus := func(after, want string) {
		t.Helper()
		if got, err := chromedp.Run(ctx, chromedp.Evaluate[string](at)); err != nil || got != want {
			t.Errorf("after %s the focus is on %q, %v; want %q", after, got, err, want)
		}
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(w.url+"/streams"), awaitVisible("h1"), chromedp.KeyEvent("g"), chromedp.KeyEvent("q"), awaitVisible(`body:has(nav [href="/quotes"][aria-current]) #to-rows:not([hidden])`), chromedp.KeyEvent("j")); err != nil {
		t.Fatal(err)
	}
	rows, err := chromedp.Run(ctx, chromedp.Evaluate[string](`[...document.querySelectorAll("main tbody th a")].map((a) => a.getAttribute("href")).join(" ")`))
	hrefs := strings.Fields(rows)
	if err != nil || len(hrefs) < 2 {
		t.Fatalf("the quotes' rows are %q, %v; want two at least", rows, err)
	}
	focus("g q j", hrefs[0])
	for _, step := range []struct{ key, want string }{{"j", hrefs[1]}, {"k", hrefs[0]}, {"/", "what"}, {"j", "what"}, {"?", "what"}} {
		if err := chromedp.Do(ctx, chromedp.KeyEvent(step.key)); err != nil {
			t.Fatal(err)
		}
		focus(step.key, step.want)
		if step.key == "/" { // chromedp sends a character apart from its key, whatever became of that
			if err := chromedp.Do(ctx, js(`document.getElementById("what").value = ""`)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if typed, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.getElementById("what").value`)); err != nil || typed != "j?" {
		t.Errorf("typed into the search: %q, %v; want j?", typed, err)
	}
	if err := chromedp.Do(ctx, js("document.activeElement.blur()"), chromedp.KeyEvent("?"), awaitVisible("#keys")); err != nil {
		t.Fatal(err)
	}
	browsertest.Keep(ctx, t, "desktop-keys")
	browsertest.Axe(t, ctx)
	if err := chromedp.Do(ctx, js(`document.querySelector("[data-keys-on]").click(), document.querySelector("#keys button").click(), document.activeElement.blur()`), chromedp.KeyEvent("/")); err != nil {
		t.Fatal(err)
	}
	if got, err := chromedp.Run(ctx, chromedp.Evaluate[string](at)); err != nil || got == "what" {
		t.Errorf("after keys were switched off / still leads to %q, %v", got, err)
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(w.url+"/quotes"), awaitVisible("h1"), chromedp.KeyEvent("\t"), chromedp.KeyEvent("\t"), chromedp.KeyEvent("\r")); err != nil {
		t.Fatal(err)
	}
	focus("two Tabs and Enter", hrefs[0])
}

// rowsHaveKeys: j leads to the first row of every list, from a box in a row to the next one, and
// Enter opens it; where there are no rows the help names no keys for them.
func (w *world) rowsHaveKeys(ctx context.Context, t *testing.T) {
	t.Helper()
	if err := chromedp.Do(ctx, js(`localStorage.removeItem("keys-off")`)); err != nil {
		t.Fatal(err)
	}
	const at = `document.activeElement.closest("tbody th") ? document.activeElement.getAttribute("href") : ""`
	for _, width := range widths {
		for _, list := range []string{"/", "/reviews", "/quotes", "/orders", "/central", "/customers", "/approvals", "/uploads", "/events", "/dead-letters", "/accounts"} {
			if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 860), chromedp.Navigate(w.url+list), awaitVisible("h1")); err != nil {
				t.Fatal(err)
			}
			rows := evaluate(t, ctx, `document.querySelectorAll("main tbody tr:has(th)").length`)
			if err := chromedp.Do(ctx, chromedp.KeyEvent("j")); err != nil {
				t.Fatal(err)
			}
			if href, err := chromedp.Run(ctx, chromedp.Evaluate[string](at)); err != nil || (href != "") != (rows > 0) {
				t.Errorf("%d pixels: j on %s with %d rows leads to %q, %v; want a row, if there is one", width, list, rows, href, err)
			}
		}
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(w.url+"/orders?status=held"), awaitVisible("tbody [type=checkbox]"), js(`document.querySelector("tbody [type=checkbox]").focus()`), chromedp.KeyEvent("k"), chromedp.KeyEvent("\r"), awaitVisible("h1 .badge")); err != nil {
		t.Fatal(err)
	}
	for page, want := range map[string]int{"/streams": 0, "/quotes": 3} {
		if err := chromedp.Do(ctx, chromedp.Navigate(w.url+page), awaitVisible("h1"), chromedp.KeyEvent("?"), awaitVisible("#keys")); err != nil {
			t.Fatal(err)
		}
		if got := evaluate(t, ctx, `[...document.querySelectorAll("[data-row-keys] kbd")].filter((one) => one.checkVisibility()).length`); got != want {
			t.Errorf("the help on %s names %d keys of rows, want %d", page, got, want)
		}
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
