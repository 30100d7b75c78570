package checkout_test

import (
	"testing"

	"boardorder/pkg/contract/quotes"
)

// TestCheckoutIsShort: on a phone a shopper gets through it with a few thumbs' lengths, and what
// matters before paying is not folded.
func TestCheckoutIsShort(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	w := s.browse()
	for name, tt := range map[string]struct {
		set  func(*quotes.Quote)
		most float64 // px
	}{
		"bare":        {nil, 3300},
		"bare, ready": {setDelivery, 3000},
		"assembled":   {assembleBoards(s), 4700},
		"long words":  {long, 4700},
	} {
		s.quote(tt.set)
		w.look(390, 740, "light")
		w.open(s.url + s.path())
		w.waitFor("[...document.images].every(i => i.complete)")
		if got := eval[float64](w, "document.documentElement.scrollHeight"); got > tt.most {
			t.Errorf("%s: %.0f px high, want %.0f at most", name, got, tt.most)
		} else {
			t.Logf("%s: %.0f px", name, got)
		}
		for _, text := range []string{"Import duty", "Sales tax", "Paid today, the boards should arrive"} {
			if !eval[bool](w, `document.getElementById("price").innerText.includes("`+text+`")`) {
				t.Errorf("%s: the price does not show %q:\n%s", name, text, eval[string](w, `document.getElementById("price").innerText`))
			}
		}
	}
}

// TestAddressOfJapan: the fields stand as people there write an address, from the postal code
// down, also once the country is chosen in a browser.
func TestAddressOfJapan(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	w := s.browse()
	s.quote(nil)
	const order = `[...document.querySelectorAll("#fields :is(input, select)")].filter((e) => !e.closest("[hidden]")).map((e) => e.name).join(" ")`
	w.open(s.url + s.path())
	if got, want := eval[string](w, order), "name email phone country line1 postal_code city state"; got != want {
		t.Errorf("before a country is chosen: %s, want %s", got, want)
	}

	eval[bool](w, `(s => { s.value = "JP"; return s.dispatchEvent(new Event("change", { bubbles: true })) })(document.getElementById("f-country"))`)
	w.waitFor("document.getElementById('sum').innerText.includes('delivered to Japan')")
	if got, want := eval[string](w, order), "name email phone country postal_code state city line1"; got != want {
		t.Errorf("to Japan: %s, want %s", got, want)
	}
	s.do("GET", s.path(), nil, "Accept-Language", "ja").has(t, "姓・名の順にご記入ください。", "氏名")
}
