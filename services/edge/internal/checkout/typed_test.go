package checkout_test

import (
	"fmt"
	"net/http"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"

	"github.com/chromedp/chromedp"
)

// typeIn types into a field and leaves it.
func (w *window) typeIn(id, text string) {
	w.t.Helper()
	w.do(chromedp.SendKeys("#"+id, text))
	eval[bool](w, "document.activeElement.blur() === undefined")
}

func (w *window) holds(values map[string]string) {
	w.t.Helper()
	for id, want := range values {
		if got := eval[string](w, fmt.Sprintf("(e => e.type === 'checkbox' ? String(e.checked) : e.value)(document.getElementById(%q))", id)); got != want {
			w.t.Errorf("%s holds %q, want %q", id, got, want)
		}
	}
}

// TestNothingTypedIsLost: a reload of the page, at whatever moment, shows what was typed,
// with a country or without; what the quote was given meanwhile comes first.
func TestNothingTypedIsLost(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	w := s.browse()
	s.quote(nil)
	w.open(s.url + s.path())
	w.typeIn("f-name", "Ada Lovelace")
	w.typeIn("f-email", "ada@example.com")
	w.do(chromedp.Click("#f-city"))
	w.typeIn("f-city", "Berlin")
	w.open(s.url + s.path())
	w.holds(map[string]string{"f-name": "Ada Lovelace", "f-email": "ada@example.com", "f-city": "Berlin", "f-country": ""})
	eval[bool](w, `(s => { s.value = "DE"; s.dispatchEvent(new Event("input", { bubbles: true })); return s.dispatchEvent(new Event("change", { bubbles: true })) })(document.getElementById("f-country"))`)
	w.waitFor("document.getElementById('sum').innerText.includes('delivered to Germany')")
	w.typeIn("f-city", "-Mitte") // after the server was given the rest
	w.typeIn("f-line1", "Chausseestr. 1")
	w.open(s.url + s.path())
	w.holds(map[string]string{"f-name": "Ada Lovelace", "f-email": "ada@example.com", "f-city": "Berlin-Mitte", "f-country": "DE", "f-line1": "Chausseestr. 1"})
	if got := eval[int](w, "sessionStorage.length"); got != 1 {
		t.Errorf("%d things are kept in the tab, want one", got)
	}
	to := ada()
	s.quote(func(q *quotes.Quote) { setDelivery(q); q.Delivery.ShipTo = to })
	w.open(s.url + s.path())
	w.holds(map[string]string{"f-name": to.Name, "f-city": to.City, "f-country": "US", "f-line1": to.Line1})
	if got := eval[int](w, "sessionStorage.length"); got != 0 {
		t.Errorf("%d things are kept in the tab of a complete page, want none", got)
	}
}

// TestNoteIsNotLost: what is written to the team stays until it is sent.
func TestNoteIsNotLost(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	w := s.browse()
	s.quote(review)
	w.open(s.url + s.path())
	w.typeIn("f-note", "Six boards for a trial.")
	w.open(s.url + s.path())
	w.holds(map[string]string{"f-note": "Six boards for a trial."})
	s.quote(askQuestion)
	w.open(s.url + s.path())
	w.typeIn("f-answer", "The upper side.")
	w.open(s.url + s.path())
	w.holds(map[string]string{"f-answer": "The upper side."})
}

// TestPressKeepsWhatIsTyped without any script: whatever is missing, a press of a button
// leaves with the quote what was typed, the city too.
func TestPressKeepsWhatIsTyped(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(nil)
	to := shipments.ShipTo{Name: "Ada Lovelace", City: "Berlin", PostalCode: "10115", Country: "DE"}
	if a := s.post(s.form(to, "do", "update")); a.status != http.StatusUnprocessableEntity {
		t.Errorf("update without street and e-mail = %d, want 422", a.status)
	}
	s.get("").has(t, `value="Ada Lovelace"`, `value="Berlin"`, `value="10115"`, `<option value="DE" selected>`)
	if q := load[quotes.Quote](s, contract.QuoteAggregate); q.Estimate == nil || q.Estimate.Delivery.ShipTo != to {
		t.Errorf("the quote has the estimate %+v, want one for %+v", q.Estimate, to)
	}
}
