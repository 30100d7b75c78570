package checkout_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/browsertest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// window is a browser without a head.
type window struct {
	t   testing.TB
	ctx context.Context
}

// browse opens a browser that is closed before the edge is: a page that goes on
// asking an edge that has ended complains.
func (s *harness) browse() *window {
	t := s.t
	t.Helper()
	ctx, complaints := browsertest.Open(t)
	w := &window{t: t, ctx: ctx}
	w.do(chromedp.EmulateViewport(1200, 900))
	t.Cleanup(func() {
		for _, c := range complaints() {
			if !strings.Contains(c, "status of") { // pages of errors are looked at too
				t.Errorf("the browser complains: %s", c)
			}
		}
	})
	return w
}

func (w *window) do(steps ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	if err := chromedp.Do(w.ctx, steps...); err != nil {
		w.t.Fatal(err)
	}
}

func (w *window) open(address string) {
	w.t.Helper()
	for tries := 1; ; tries++ {
		err := chromedp.Do(w.ctx, chromedp.Navigate(address))
		switch {
		case err == nil:
			return
		// The page that is left may be loading itself anew (order.js), which ends this load.
		case tries == 5 || !strings.Contains(err.Error(), "net::ERR_ABORTED"):
			w.t.Fatal(err)
		}
	}
}

func eval[T any](w *window, js string) T {
	w.t.Helper()
	v, err := chromedp.Run(w.ctx, chromedp.Evaluate[T](js))
	if err != nil {
		w.t.Fatalf("%s: %v", js, err)
	}
	return v
}

// look sets the size of the window and how bright it is.
func (w *window) look(width, height int64, scheme string) {
	w.t.Helper()
	options := []chromedp.EmulateViewportOption{}
	if width < 600 {
		options = append(options, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	w.do(chromedp.EmulateViewport(width, height, options...))
	media := ""
	if scheme == "print" {
		media, scheme = "print", "dark" // the paper is white all the same
	}
	_, err := chromedp.Call(w.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: media,
		Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme},
			{Name: "prefers-reduced-motion", Value: "reduce"}, // colours are measured at once
		},
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// check looks for what makes a page hard to use: labels, headings, contrast,
// width, size of what is pressed.
func (w *window) check(name string) {
	w.t.Helper()
	w.waitFor("[...document.images].every(i => i.complete || !i.checkVisibility())") // lazy ones come after the page
	script, err := os.ReadFile(filepath.Join("testdata", "check.js"))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, problem := range eval[[]string](w, string(script)) {
		w.t.Errorf("%s: %s", name, problem)
	}
	browsertest.Axe(w.t, w.ctx)
	if w.t.Failed() {
		w.t.Log("up to " + name)
	}
}

// tab presses Tab until the focus is where js says.
func (w *window) tab(js string) {
	w.t.Helper()
	for range 60 {
		w.do(chromedp.KeyEvent(kb.Tab))
		if eval[bool](w, "(a => "+js+")(document.activeElement)") {
			return
		}
	}
	w.t.Fatalf("the keyboard does not reach %s", js)
}

func (w *window) tabTo(id string) {
	w.t.Helper()
	w.tab(fmt.Sprintf("a.id === %q", id))
}

// enter presses Enter, as a keyboard does: what happens on pressing it down
// swallows the character.
func (w *window) enter() {
	w.t.Helper()
	key := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13, Text: "\r", UnmodifiedText: "\r"}
	_, err := chromedp.Call(w.ctx, input.DispatchKeyEvent, key)
	if err == nil {
		key.Type, key.Text, key.UnmodifiedText = input.DispatchKeyEventTypeKeyUp, "", ""
		_, err = chromedp.Call(w.ctx, input.DispatchKeyEvent, key)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// waitFor waits until the page is there as a whole and says yes.
func (w *window) waitFor(js string) {
	w.t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if ok, err := chromedp.Run(w.ctx, chromedp.Evaluate[bool]("document.readyState === 'complete' && ("+js+")")); err == nil && ok {
			return
		}
	}
	w.t.Fatalf("waited in vain for %s on\n%s", js, eval[string](w, "document.body.innerText"))
}

func TestShopperWithAKeyboard(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	w := s.browse()
	s.quote(nil)
	w.open(s.url + s.path())
	w.tabTo("f-name")
	w.do(chromedp.KeyEvent("Ada Lovelace"))
	w.enter()
	w.waitFor("document.activeElement?.id === 'errors'")
	if got := eval[int](w, "document.querySelectorAll('[aria-invalid=true]').length"); got != 6 {
		t.Errorf("%d inputs are marked, want 6", got)
	}
	w.check("errors")
	w.do(chromedp.KeyEvent(kb.Tab))
	w.enter()
	w.waitFor("document.activeElement?.id === 'f-email'")
	w.do(chromedp.KeyEvent("ada@example.com"))
	for _, in := range [][2]string{
		{"f-phone", "+1 415 555 0100"}, {"f-country", "United St"}, {"f-line1", "1 Market Street"}, {"f-postal_code", "94105"},
		{"f-city", "San Francisco"}, {"f-state", "CA"},
	} {
		w.tabTo(in[0])
		w.do(chromedp.KeyEvent(in[1]))
	}
	w.enter()
	w.waitFor("document.activeElement?.matches('.notice.good')")
	w.check("ready")
	chosen := s.commandsOf(quotes.ChooseDelivery)
	d := decode[quotes.ChooseDeliveryData](t, chosen[len(chosen)-1])
	if d.ShipTo != ada() {
		t.Errorf("delivered to %+v, want %+v", d.ShipTo, ada())
	}
	w.tab("a.matches('#saving summary')")
	w.enter()
	w.tabTo("save")
	w.do(chromedp.KeyEvent(" "))
	w.tab("a.textContent.startsWith('Pay $')")
	w.enter()
	w.waitFor("document.title === 'Card'")
	if b := decode[checkouts.BeginData](t, s.commandsOf(checkouts.Begin)[0]); !b.SaveDetails {
		t.Error("the consent was lost")
	}
	s.set(func() { s.place = true })
	w.open(s.url + s.path() + "?paid=1")
	if got, want := eval[string](w, "document.querySelector('h1').textContent"), "Thank you, your order is placed"; got != want {
		t.Errorf("after paying: %q, want %q", got, want)
	}
}

func TestConfirmationComesByItself(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	w := s.browse()
	q := s.quote(setDelivery)
	c := checkoutOf(q, s.card.URL, s.now())
	s.put(contract.CheckoutAggregate, s.ref, c)
	w.open(s.url + s.path() + "?paid=1&n=1")
	s.put(contract.OrderAggregate, s.ref, orderOf(c, s.now()))
	w.waitFor("document.title.startsWith('Order BO-')")
}

// A scene is one page to look at.
type scene struct {
	name, query string
	set         func(*harness)
	press       string // a button to press first
}

// scenes lists the pages in the order in which they can come about.
func scenes() []scene {
	return []scene{
		{name: "unknown", set: func(*harness) {}},
		{name: "start", set: func(s *harness) { s.quote(nil) }},
		{name: "errors", set: func(s *harness) { s.quote(nil) }, press: "update"},
		{name: "long", set: func(s *harness) { s.quote(long) }},
		{name: "assembled", set: func(s *harness) { s.quote(assembleBoards(s)) }},
		{name: "review", set: func(s *harness) { s.quote(review) }},
		{name: "waiting", set: func(s *harness) {
			s.quote(func(q *quotes.Quote) { review(q); setDelivery(q); q.Status = quotes.SourcingRequested })
		}},
		{name: "question", set: func(s *harness) { s.quote(askQuestion) }},
		{name: "declined", set: func(s *harness) {
			s.quote(func(q *quotes.Quote) {
				askQuestion(q)
				q.ExpiresAt, q.Review.Refused = s.now().Add(-time.Hour), &quotes.ReviewRefusal{Why: "We build no flex boards."}
			})
		}},
		{name: "expired", set: func(s *harness) { s.quote(func(q *quotes.Quote) { q.ExpiresAt = s.now().Add(-time.Hour) }) }},
		{name: "ready", query: "?updated=1", set: func(s *harness) { s.quote(setDelivery) }},
		{name: "test", set: func(s *harness) { s.quote(func(q *quotes.Quote) { setDelivery(q); makeTest(q) }) }},
		{name: "confirm", query: "?paid=1&n=1", set: func(s *harness) {
			s.put(contract.CheckoutAggregate, s.ref, checkoutOf(s.quote(setDelivery), s.card.URL, s.now()))
		}},
		{name: "paid", set: func(s *harness) { s.putPaidOrder(nil) }},
		{name: "cancelled", set: func(s *harness) {
			s.putPaidOrder(func(o *orders.Order) {
				o.Status, o.Cancelled = orders.Cancelled, &orders.Cancellation{Operator: "customer", At: s.now()}
			})
		}},
		{name: "withdrawn", set: func(s *harness) {
			s.putPaidOrder(func(o *orders.Order) {
				o.Status, o.Cancelled = orders.Cancelled, &orders.Cancellation{Operator: "the service", At: s.now()}
				o.Refunds = []orders.Refund{{Cents: o.TotalCents, Status: orders.RefundDone, At: s.now()}}
				*o = o.Withdraw()
			})
		}},
		{name: "order", set: func(s *harness) {
			o := orderOf(checkoutOf(s.quote(setDelivery), s.card.URL, s.now()), s.now())
			at := s.now()
			o.Status, o.PlacedAt = orders.InProduction, &at
			o.Steps = []orders.Step{{Name: "Files checked", At: at}, {Name: "Drilling", At: at}, {Name: "Plating", At: at}}
			s.put(contract.OrderAggregate, s.ref, o)
		}},
		{name: "shipped", set: func(s *harness) {
			at := s.now()
			o := orderOf(checkoutOf(s.quote(setDelivery), s.card.URL, at), at)
			o.Status, o.PlacedAt, o.ShippedAt = orders.Shipped, &at, &at
			o.Tracking = &shipments.Tracking{Carrier: "DHL", Number: "4711 0815 42", URL: "https://track.example/4711"}
			s.put(contract.OrderAggregate, s.ref, o)
		}},
	}
}

// long is a quote of many long words.
func long(q *quotes.Quote) {
	setDelivery(q)
	name := "Low-noise photodiode transimpedance amplifier with Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
	q.Request.ProjectName = &name
	to := ada()
	to.Company, to.Line1 = strings.Repeat("Gesellschaft", 8), "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch road 1234567890"
	q.Delivery.ShipTo = to
	for i := range 14 {
		q.Reply.Lines = append(q.Reply.Lines, prices.Line{Label: fmt.Sprintf("Option number %d, castellated holes on the long edges, with a fee for each side", i+1), Cents: 1234})
		*q.Reply.TotalCents += 1234
	}
	q.Reply.InYourCurrency = &prices.CurrencyPrice{Currency: "EUR", Total: "€277.31", RateDate: "2026-11-20", Source: "European Central Bank", Indicative: true}
	q.Request.DoNotFitRefs = []string{"R1", "R2", "C17"}
}

func TestPagesAreEasyToUse(t *testing.T) {
	t.Parallel()
	type look struct {
		name          string
		width, height int64
		scheme        string
	}
	looks := []look{{"desktop-light", 1440, 900, "light"}, {"phone-dark", 390, 740, "dark"}, {"phone-light", 390, 740, "light"},
		{"desktop-dark", 1440, 900, "dark"}, {"narrow", 320, 640, "light"}, {"paper", 794, 1123, "print"}}
	if testing.Short() {
		looks = looks[:2] // both sizes and both sets of colors once
	}
	s := open(t, nil)
	w := s.browse()
	for _, at := range scenes() {
		at.set(s)
		w.look(1280, 900, "light") // paper has no buttons
		w.open(s.url + s.path() + at.query)
		if at.press != "" {
			w.do(chromedp.SetValue("#f-email", "nonsense"), chromedp.SetValue("#f-name", "Ada Lovelace"), chromedp.Click(`.act button[value="`+at.press+`"]`), chromedp.WaitVisible("#errors"))
		}
		for _, look := range looks {
			w.look(look.width, look.height, look.scheme)
			w.check(at.name + " " + look.name)
			browsertest.Keep(w.ctx, w.t, at.name+"-"+look.name)
		}
	}
}
