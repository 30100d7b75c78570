package checkout_test

import (
	"net/http"
	"strings"
	"testing"

	"boardorder/pkg/contract/checkouts"

	"github.com/chromedp/chromedp"
)

// TestWayThatIsNotOffered is said, no other is taken for chosen, and nothing is paid before one is.
func TestWayThatIsNotOffered(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(setDelivery)
	s.post(s.form(ada(), "do", "update", "shipping_id", "us-eco"))
	if a := s.post(s.form(ada(), "do", "update", "shipping_id", "us-eco", "quantity", "5000")); a.status != http.StatusSeeOther {
		t.Fatalf("5000 boards = %d, want 303\n%s", a.status, a.body)
	}
	const note = "Post Economy is not offered for 5,000 boards to the United States. Please choose a shipping method; the price shown is with DHL Express."
	page := s.get("")
	page.has(t, note, `href="#ways"`, "Choose the shipping method")
	page.lacks(t, `value="pay"`, `value="us-exp" checked`)
	s.do("GET", s.path(), nil, "Accept-Language", "ja").has(t, "Post Economyは、基板5,000枚（お届け先：アメリカ合衆国）ではご利用いただけません")
	a := s.post(s.form(ada(), "do", "pay", "quantity", "5000"))
	if a.status != http.StatusUnprocessableEntity || len(s.commandsOf(checkouts.Begin)) != 0 {
		t.Errorf("paid without a choice = %d, %d payments begun; want 422, none", a.status, len(s.commandsOf(checkouts.Begin)))
	}
	a.has(t, note, `<a href="#ship-0">Please choose a shipping method.</a>`)
	if a := s.post(s.form(ada(), "do", "update", "quantity", "5000", "shipping_id", "us-exp")); a.status != http.StatusSeeOther {
		t.Errorf("chosen = %d, want 303", a.status)
	}
	page = s.get("")
	page.has(t, `value="pay"`, `value="us-exp" checked`)
	page.lacks(t, "is not offered for")
}

// TestWayIsChosenInABrowser: what is not offered any more is said at once, and one press on
// another way leads on to Pay.
func TestWayIsChosenInABrowser(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	w := s.browse()
	s.quote(setDelivery)
	w.open(s.url + s.path())
	w.do(chromedp.Click("label[for=ship-0]"))
	w.waitFor("document.querySelector('#sum strong').textContent === '$132.87'")
	w.do(chromedp.SetValue("#f-quantity", "5000"))
	eval[bool](w, `document.getElementById("f-quantity").dispatchEvent(new Event("change", { bubbles: true }))`)
	w.waitFor("document.getElementById('ship-note')?.innerText.includes('Post Economy is not offered') && !document.querySelector('button[value=pay]') && !document.querySelector('[name=shipping_id]:checked')")
	for _, width := range []int64{320, 390, 1280} {
		for _, theme := range []string{"light", "dark"} {
			w.look(width, 900, theme)
			w.check("a way that is not offered")
		}
	}
	w.do(chromedp.Click("label[for=ship-0]"))
	w.waitFor("!!document.querySelector('#pay button[value=pay]') && !document.getElementById('ship-note')")
	if got := eval[string](w, "document.querySelector('#pay button').innerText"); !strings.HasPrefix(got, "Pay $") {
		t.Errorf("the button says %q, want Pay", got)
	}
}
