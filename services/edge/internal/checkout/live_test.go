package checkout_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"boardorder/pkg/browsertest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

// TestPriceFollowsWhatIsChosen: total and Pay change at once, by the page's script.
func TestPriceFollowsWhatIsChosen(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	w := s.browse()
	s.quote(setDelivery)
	w.open(s.url + s.path())
	w.do(chromedp.Click("#saving summary"), chromedp.Click("#save"), chromedp.Click("label[for=ship-0]"))
	shows := func(total string) string {
		return fmt.Sprintf("document.querySelector('#sum strong').textContent === %q && [...document.querySelectorAll('button[value=pay]')].every(b => b.textContent === 'Pay ' + %q)", total, total)
	}
	w.waitFor(shows("$132.87"))
	if !eval[bool](w, "document.activeElement.id === 'ship-0' && document.getElementById('ship-0').checked && document.getElementById('save').checked") {
		t.Error("the choice, the focus or the consent was lost")
	}
	w.do(chromedp.Click("#builds summary"), chromedp.Click("label[for=build-48]"))
	w.waitFor(shows("$163.87"))
	w.do(chromedp.Click("#pay button"))
	w.waitFor("document.title === 'Card'")
	if n := len(s.commandsOf(checkouts.Begin)); n != 1 {
		t.Errorf("%d payment pages, want 1", n)
	}
}

// TestCountryIsPricedAtOnce: before the address is complete, its price stands there,
// and what was typed stays.
func TestCountryIsPricedAtOnce(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	w := s.browse()
	s.quote(nil)
	w.open(s.url + s.path())
	if got := eval[string](w, "document.getElementById('sum').innerText"); !strings.Contains(got, "Example") || !strings.Contains(got, "an example price for the United States") {
		t.Errorf("nobody named a country: %s, want an example price for the United States", got)
	}
	w.do(chromedp.SetValue("#f-name", "Ada Lovelace"))
	choose := func(code string) {
		eval[bool](w, fmt.Sprintf(`(s => { s.value = %q; return s.dispatchEvent(new Event("change", { bubbles: true })) })(document.getElementById("f-country"))`, code))
	}
	choose("DE")
	w.waitFor("document.getElementById('sum').innerText.includes('delivered to Germany')")
	if !eval[bool](w, "!document.getElementById('sum').innerText.includes('Example') && document.getElementById('f-name').value === 'Ada Lovelace' && !document.querySelector('button[value=pay]')") {
		t.Error("what was typed was lost, or an estimate can be paid")
	}
	if d := decode[quotes.ChooseDeliveryData](t, s.commandsOf(quotes.ChooseDelivery)[1]); !d.Estimate || d.ShipTo != (shipments.ShipTo{Name: "Ada Lovelace", Country: "DE"}) {
		t.Errorf("asked for %+v, want an estimate for Ada Lovelace in DE", d)
	}
	s.set(func() {
		s.refuse[quotes.ChooseDelivery] = contract.Refuse(contract.QuoteNotPayable, "Our team has to price the delivery to this country.")
	})
	choose("FR")
	w.waitFor("document.getElementById('sum').innerText.includes('not known yet')")
}

// TestNoPriceOfAnotherCountry: after an error no price stands there but that of the
// country that was entered.
func TestNoPriceOfAnotherCountry(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(setDelivery)
	to := ada()
	to.Country, to.State, to.Line1 = "DE", "", ""
	a := s.post(s.form(to, "do", "update"))
	if a.status != http.StatusUnprocessableEntity {
		t.Fatalf("update = %d, want 422", a.status)
	}
	a.has(t, "delivered to Germany", `href="#f-line1"`)
	s.quote(setDelivery)
	to.Country = "XX" // cannot be priced
	a = s.post(s.form(to, "do", "update"))
	a.has(t, "not known yet")
	a.lacks(t, "$149.27", `value="pay"`)
}

// TestEntryIsKept: what is entered and is not complete, or wrong, leaves the delivery
// and the price that are saved as they are; what was typed is there after a reload.
func TestEntryIsKept(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		do     string
		change func(*shipments.ShipTo)
		status int
		kept   []string // on the page once it is opened again
		lost   []string
	}{
		"a postal code of nowhere":  {"update", func(to *shipments.ShipTo) { to.PostalCode = "999" }, 422, []string{`value="Ada Lovelace"`, "94105", "Pay $149.27"}, nil},
		"no e-mail address":         {"update", func(to *shipments.ShipTo) { to.Email = "nobody" }, 422, []string{`value="ada@example.com"`, "Pay $149.27"}, nil},
		"wrong and abroad":          {"update", func(to *shipments.ShipTo) { to.Country, to.PostalCode = "DE", "999" }, 422, []string{"San Francisco", "Pay $149.27"}, nil},
		"no street yet":             {"update", func(to *shipments.ShipTo) { to.Country, to.State, to.Line1, to.City = "DE", "", "", "Jena" }, 422, []string{`value="Jena"`, `value="Ada Lovelace"`, "delivered to Germany"}, []string{`value="pay"`}},
		"typed so far":              {"estimate", func(to *shipments.ShipTo) { *to = shipments.ShipTo{Country: "DE", City: "Jena", PostalCode: "9"} }, 200, []string{`value="Jena"`, `value="9"`}, []string{`value="pay"`}},
		"typed so far, to be fixed": {"estimate", func(to *shipments.ShipTo) { to.Email = "nobody" }, 200, []string{`value="nobody"`, `value="San Francisco"`}, []string{`value="pay"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, nil)
			s.quote(setDelivery)
			before := load[quotes.Quote](s, contract.QuoteAggregate)
			to := ada()
			tt.change(&to)
			if a := s.post(s.form(to, "do", tt.do, "shipping_id", "us-exp", "build_hours", "0")); a.status != tt.status {
				t.Fatalf("POST do=%s: %d, want %d:\n%s", tt.do, a.status, tt.status, a.body)
			}
			after := load[quotes.Quote](s, contract.QuoteAggregate)
			after.Estimate = nil
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("the quote changed (-before +after):\n%s", diff)
			}
			page := s.get("")
			page.has(t, tt.kept...)
			page.lacks(t, tt.lost...)
			if a := s.post(s.form(ada(), "do", "pay", "shipping_id", "us-exp", "build_hours", "0", "total", "14927")); a.status != http.StatusSeeOther || !strings.HasSuffix(a.header.Get("Location"), "/pay/cs_test_1") {
				t.Errorf("paying what was saved = %d to %s, want 303 to /pay/cs_test_1", a.status, a.header.Get("Location"))
			}
		})
	}
}

// TestFirstScreen: the price and what leads to paying are seen without scrolling, and the
// column of the price stays where its end is seen.
func TestFirstScreen(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	w := s.browse()
	for name, set := range map[string]func(*quotes.Quote){"start": nil, "ready": setDelivery, "long": long, "acknowledge": func(q *quotes.Quote) { setDelivery(q); doubtful(q) }} {
		s.quote(set)
		for _, size := range [][2]int64{{320, 640}, {360, 740}, {390, 740}, {768, 900}, {900, 600}, {900, 700}, {1280, 720}, {1440, 900}, {1440, 1300}} {
			w.look(size[0], size[1], "light")
			w.open(s.url + s.path())
			low := eval[float64](w, `(([total, button]) => Math.max(total.getBoundingClientRect().bottom, button.getBoundingClientRect().bottom))(
				(innerWidth < 896 ? ["#bar strong", "#bar .button"] : ["#sum strong", "#pay button, #pay .button"]).map((s) => document.querySelector(s)))`)
			if low > float64(size[1]) {
				t.Errorf("%s at %v: Pay ends at %.0f, want it on the screen", name, size, low)
			}
			if size[0] >= 900 {
				w.waitFor("parseFloat(getComputedStyle(price).top) + price.offsetHeight <= innerHeight && getComputedStyle(price).position == 'sticky'")
			}
		}
	}
}

// TestBackFromTheCardPage: also to a page that answered a form with an error, there is
// the checkout again, as it was paid from.
func TestBackFromTheCardPage(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	w := s.browse()
	s.quote(func(q *quotes.Quote) { setDelivery(q); doubtful(q) })
	refusal := contract.Refuse(contract.InvalidRequest, "Please tick.")
	refusal.Fields = []contract.FieldProblem{{Field: "seen", Problem: "missing", Message: "Please tick that you have seen it."}}
	s.set(func() { s.refuse[checkouts.Begin] = refusal })
	w.open(s.url + s.path())
	w.do(chromedp.Click("#pay button"))
	w.waitFor("!!document.getElementById('errors')")
	s.set(func() { delete(s.refuse, checkouts.Begin) })
	w.do(chromedp.Click("#seen"), chromedp.Click("#pay button"))
	w.waitFor("document.title === 'Card'")
	w.do(chromedp.NavigateBack())
	w.waitFor("document.querySelector('h1').textContent === 'Checkout' && !!document.querySelector('#pay button')")
}

// TestSecondPressIsOnePage: whoever presses twice is led to one payment page.
func TestSecondPressIsOnePage(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(setDelivery)
	form := s.form(ada(), "do", "pay", "shipping_id", "us-exp", "build_hours", "0")
	for range 2 { // two tabs, or a double click without script
		if a := s.post(form); a.status != http.StatusSeeOther || a.header.Get("Location") != s.card.URL+"/pay/cs_test_1" {
			t.Errorf("pay = %d %s, want 303 to the payment page", a.status, a.header.Get("Location"))
		}
	}
}

// TestWhatIsSpecialIsShown: on the page that asks, on the price, and once it is paid.
func TestWhatIsSpecialIsShown(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	special := func(q *quotes.Quote) {
		notes, context := "Blind vias L1 to L2.\n50 Ω on the antenna.", "A lamp for <gardens>.\nIt gets wet."
		q.Request.SpecialRequirements, q.Request.SpecialNotes, q.Request.BoardContext = true, &notes, &context
		q.Request.FabOptions = map[string]any{"laminate_brand": "kb", "edge_plating": true, "unheard_of": "some_value"}
	}
	want := []string{"Special requirements", "Blind vias L1 to L2.", "50 Ω on the antenna.", "What you told our team about the board", "A lamp for &lt;gardens&gt;.", "It gets wet.", "Edge plating: yes", "Unheard of: some value"}
	s.quote(func(q *quotes.Quote) { review(q); special(q) })
	s.get("").has(t, want...)
	q := s.quote(func(q *quotes.Quote) { setDelivery(q); special(q) })
	page := s.get("")
	page.has(t, want...)
	page.lacks(t, "laminate_brand", "unheard_of")
	o := orderOf(checkoutOf(q, s.card.URL, s.now()), s.now())
	o.Sold = q
	s.put(contract.OrderAggregate, s.ref, o)
	s.get("").has(t, want...)
}

// TestQuantityFollows: the price of another number of boards stands there at once,
// and what is paid is what stands there.
func TestQuantityFollows(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	w := s.browse()
	s.quote(setDelivery)
	w.open(s.url + s.path())
	w.do(chromedp.Click("#saving summary"), chromedp.Click("#save"))
	enter := func(n string) {
		eval[bool](w, fmt.Sprintf(`(s => { s.focus(); s.value = %q; return s.dispatchEvent(new Event("change", { bubbles: true })) })(document.getElementById("f-quantity"))`, n))
	}
	enter("20")
	w.waitFor("document.querySelector('#sum strong').textContent === '$233.27' && document.querySelector('button[value=pay]').textContent === 'Pay $233.27'")
	if !eval[bool](w, "document.getElementById('boards').innerText.includes('20 ') && document.getElementById('f-quantity').value === '20' && document.activeElement.id === 'f-quantity' && document.getElementById('save').checked") {
		t.Errorf("the number, the focus or the consent was lost: %s", eval[string](w, "document.getElementById('boards').innerText"))
	}
	// Each says something else than the one before, so that its own answer is waited for.
	for _, tt := range [][2]string{{"0", "whole number"}, {"77777", "Our team has to price this number"}, {"lots", "whole number"}} {
		n, want := tt[0], tt[1]
		enter(n)
		w.waitFor(fmt.Sprintf("document.getElementById('sum').innerText.includes(%q) && document.getElementById('f-quantity').value === %q && !document.querySelector('button[value=pay]')", want, n))
	}
	w.waitFor("!document.querySelector('[aria-busy]')") // what is asked for is dimmed
	browsertest.Axe(t, w.ctx)
	enter("30")
	w.waitFor("document.querySelector('#sum strong').textContent === '$317.27'")
	w.do(chromedp.Click("#pay button"))
	w.waitFor("document.title === 'Card'")
	b := decode[checkouts.BeginData](t, s.commandsOf(checkouts.Begin)[0])
	if q := load[quotes.Quote](s, contract.QuoteAggregate); b.Version != q.Version || q.Request.Quantity != 30 || *q.Reply.TotalCents != 31727 {
		t.Errorf("paid for %+v, the quote is version %d of %d boards at %d; want that version, 30 boards at 31727 cents", b, q.Version, q.Request.Quantity, *q.Reply.TotalCents)
	}
}

// TestQuantityWithoutScript: the button does the same; Pay on a number whose price
// was not shown yet shows it first.
func TestQuantityWithoutScript(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(setDelivery)
	ways := []string{"shipping_id", "us-exp", "build_hours", "0"}
	if a := s.post(s.form(ada(), append(ways, "do", "update", "quantity", "20")...)); a.status != http.StatusSeeOther {
		t.Fatalf("update = %d, want 303\n%s", a.status, a.body)
	}
	s.get("").has(t, "$233.27", "<strong>20 boards</strong>", `value="20"`)
	if a := s.post(s.form(ada(), append(ways, "do", "pay", "quantity", "40")...)); a.status != http.StatusSeeOther || !strings.Contains(a.header.Get("Location"), "changed=1") {
		t.Errorf("pay of a price that was not shown = %d %s, want 303 with changed=1", a.status, a.header.Get("Location"))
	}
	if n := len(s.commandsOf(checkouts.Begin)); n != 0 {
		t.Errorf("%d payment pages of a price that was not shown, want none", n)
	}
	s.get("").has(t, "$401.27", "<strong>40 boards</strong>")
	a := s.post(s.form(ada(), append(ways, "do", "pay", "quantity", "x")...))
	if a.status != http.StatusUnprocessableEntity || len(s.commandsOf(checkouts.Begin)) != 0 {
		t.Errorf("a number that is none = %d, want 422 and no payment page", a.status)
	}
	a.has(t, `href="#f-quantity"`, `id="f-quantity-error"`, "Enter a whole number", `value="x"`)
	if a := s.post(s.form(ada(), "do", "update", "quantity", "2000", "shipping_id", "us-exp", "build_hours", "48")); a.status != http.StatusSeeOther {
		t.Errorf("a build that this number has not = %d, want 303\n%s", a.status, a.body)
	}
	if q := load[quotes.Quote](s, contract.QuoteAggregate); q.Request.Quantity != 2000 || q.Delivery.BuildHours != 0 {
		t.Errorf("%d boards, built in %d h; want 2000, the standard build", q.Request.Quantity, q.Delivery.BuildHours)
	}
	const instead = "A build time of 48 hours is not offered for 2,000 boards; this price is for a build time of 5 working days."
	s.get("").has(t, instead)
	if a := s.post(s.form(ada(), "do", "update", "quantity", "2000", "shipping_id", "us-eco", "build_hours", "0")); a.status != http.StatusSeeOther {
		t.Errorf("another way = %d, want 303\n%s", a.status, a.body)
	}
	s.get("").lacks(t, instead)
	s.quote(func(q *quotes.Quote) { setDelivery(q); q.Request.Assembly = true })
	s.get("").lacks(t, `name="quantity"`)
}

// TestBuildStaysWithAnotherWay: a way that another country has not is replaced, and the build
// that was chosen stays.
func TestBuildStaysWithAnotherWay(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(setDelivery)
	to := ada()
	to.Country, to.State, to.PostalCode = "DE", "", "10115"
	if a := s.post(s.form(to, "do", "update", "quantity", "20", "shipping_id", "us-exp", "build_hours", "48")); a.status != http.StatusSeeOther {
		t.Fatalf("update = %d, want 303\n%s", a.status, a.body)
	}
	if d := load[quotes.Quote](s, contract.QuoteAggregate).Delivery; d.ShippingID != "de-exp" || d.BuildHours != 48 {
		t.Errorf("to Germany by %q, built in %d h; want de-exp, 48", d.ShippingID, d.BuildHours)
	}
}

// TestBuildOfTheAddress: a faster build that the page's address names is chosen, and its price
// follows by the script, or with a press of the button.
func TestBuildOfTheAddress(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(nil)
	a := s.get("?build_hours=24")
	a.has(t, `name="build_hours" value="24" checked`, "“Built in 24 hours” is chosen, for $75.50 more", "data-update")
	a.lacks(t, `value="pay"`)
	s.get("?build_hours=7").lacks(t, "data-update", "is chosen, for")
	w := s.browse()
	s.quote(setDelivery)
	w.open(s.url + s.path() + "?build_hours=48")
	w.waitFor("document.querySelector('#sum strong')?.textContent === '$180.27' && !document.getElementById('made').textContent.includes('$75.50')")
}
