package checkout_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/browsertest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/language"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// readable gives what a reader of the page's language is given to read: each piece of text and
// each name of a thing, without what is marked as being in another language.
const readable = `(() => {
  const page = document.body.cloneNode(true);
  for (const other of page.querySelectorAll("[lang], script, style")) other.remove();
  const out = [document.title.split(" · ")[0]];
  const walk = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) out.push(walk.currentNode.data);
  for (const e of page.querySelectorAll("[alt], [aria-label], [placeholder], [title], [data-failed]"))
    for (const name of ["alt", "aria-label", "placeholder", "title", "data-failed"]) if (e.hasAttribute(name)) out.push(e.getAttribute(name));
  return out.map((s) => s.trim().replace(/^\u2068|\u2069$/g, "")).filter(Boolean);
})()`

// englishTexts are the texts of a page that the catalog has in its language.
func englishTexts(t *testing.T, texts []string, code string) []string {
	t.Helper()
	p := language.Find(code)
	var left []string
	for _, text := range texts {
		if own, known := p.Lookup(text); known && own != text {
			left = append(left, text)
		}
	}
	return left
}

// languageScenes are the pages that are looked at in each language.
func languageScenes() []scene {
	priced := func(s *harness) {
		s.quote(func(q *quotes.Quote) {
			setDelivery(q)
			doubtful(q)
			q.Reply.InYourCurrency = &prices.CurrencyPrice{Currency: "EUR", Total: "EUR 137.31", TotalMinor: 13731, RateDate: "2026-11-20", Source: "European Central Bank", Indicative: true}
		})
	}
	out := []scene{{name: "pay", query: "?updated=1", set: priced}}
	for _, one := range slices.Concat(scenes(), extraScenes()) {
		if slices.Contains([]string{"start", "errors", "order", "shipped", "expired", "review", "question", "confirm", "assembled", "withdrawn", "payable in euro", "priced by the team", "declined", "begun"}, one.name) {
			out = append(out, one)
		}
	}
	return out
}

// TestPagesInEachLanguage: the whole page is in the language that its address names, is said to
// be, and fits on a phone and a desk.
func TestPagesInEachLanguage(t *testing.T) {
	t.Parallel()
	languages := language.List()
	if testing.Short() {
		languages = []*language.Printer{language.Find("de"), language.Find("ja")} // long words and another script
	}
	for _, l := range languages {
		t.Run(l.Code, func(t *testing.T) {
			t.Parallel()
			w := open(t, nil).browse()
			for _, at := range languageScenes() {
				checkLanguage(t, open(t, nil), w, l, at) // what was paid in one scene is paid
			}
		})
	}
}

func checkLanguage(t *testing.T, s *harness, w *window, l *language.Printer, at scene) {
	t.Helper()
	at.set(s)
	w.look(1280, 900, "light")
	query := at.query + "?lang="
	if at.query != "" {
		query = at.query + "&lang="
	}
	w.open(s.url + s.path() + query + l.Code)
	if at.press != "" {
		w.do(chromedp.SetValue("#f-email", "nonsense"), chromedp.Click(`.act button[value="`+at.press+`"]`), chromedp.WaitVisible("#errors"))
	}
	if got := eval[string](w, "document.documentElement.lang"); got != l.Code {
		t.Errorf("%s in %s: lang=%q", at.name, l.Name, got)
	}
	if l.Code != language.English {
		for _, text := range englishTexts(t, eval[[]string](w, readable), l.Code) {
			t.Errorf("%s in %s: %q is English", at.name, l.Name, text)
		}
	}
	for _, width := range []int64{360, 1280} {
		w.look(width, 800, "light")
		name := fmt.Sprint(at.name, " ", l.Code, " ", width)
		browsertest.Fits(t, w.ctx, name)
		browsertest.Keep(w.ctx, w.t, name)
	}
}

// TestLanguageStays: what a link chose holds on the pages after it, on the answer to a form and
// on the way back from the card page, also without a script.
func TestLanguageStays(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]bool{"with a script": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, nil)
			w := s.browse()
			if _, err := chromedp.Call(w.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !script}); err != nil {
				t.Fatal(err)
			}
			s.quote(nil)
			w.open(s.url + s.path() + "?lang=ja")
			w.open(s.url + s.path())
			lang := func(when string) {
				t.Helper()
				if got := eval[string](w, "document.documentElement.lang"); got != "ja" {
					t.Errorf("%s the page is in %q, want ja", when, got)
				}
			}
			lang("next")
			for id, value := range map[string]string{
				"name": "Ada Lovelace", "email": "ada@example.com", "phone": "+1 415 555 0100", "line1": "1 Market Street", "postal_code": "94105", "city": "San Francisco", "state": "CA",
			} {
				w.do(chromedp.SetValue("#f-"+id, value))
			}
			w.do(chromedp.SetValue("#f-country", "US"), chromedp.Click(`.act button[value="update"]`)) // it may put the fields in another order
			w.waitFor(`!!document.querySelector("#pay button[value=pay]") && !!document.querySelector(".notice.good")`)
			lang("after the form")
			if got, want := eval[string](w, `document.querySelector("#pay button[value=pay]").textContent`), "$149.27を支払う"; strings.Trim(got, "\u2068\u2069") != want {
				t.Errorf("the button says %q, want %q", got, want)
			}
			w.do(chromedp.Click(`#pay button[value="pay"]`))
			w.waitFor("document.title === 'Card'")
			if b := decode[checkouts.BeginData](t, s.commandsOf(checkouts.Begin)[0]); b.Language != "ja" {
				t.Errorf("paid in %q, want ja", b.Language)
			}
			s.set(func() { s.place = true })
			w.open(s.url + s.path() + "?paid=1")
			lang("after paying")
			if got, want := eval[string](w, "document.querySelector('h1').textContent"), "ご注文ありがとうございます"; got != want {
				t.Errorf("after paying: %q, want %q", got, want)
			}
		})
	}
}

// TestLanguageOfTheBrowser: nobody chose, so it is the browser's, also of errors; a form keeps it.
func TestLanguageOfTheBrowser(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(nil)
	german := []string{"Accept-Language", "de-AT, en;q=0.8"}
	page := s.do(http.MethodGet, s.path(), nil, german...)
	page.has(t, `<html lang="de">`, "Lieferangaben eingeben", "Versand", "Österreich", "149,27", "Vereinigte Staaten", `<span lang="en">`)
	page.lacks(t, "Update price", "Delivery", "working day")
	to := ada()
	to.Email, to.PostalCode = "nobody", "1"
	bad := s.post(s.form(to, "do", "update"), german...)
	bad.has(t, "<title>Fehler: Kasse", "Das ist keine E-Mail-Adresse", `aria-label="Preis"`)
	bad.lacks(t, "This is not an e-mail address")
	s.quote(func(q *quotes.Quote) {
		q.Reply.BoardFindings = []contract.Finding{{Level: "must_fix", Check: "short", What: "Two nets touch"}}
	})
	s.do(http.MethodGet, s.path(), nil, german...).has(t, `<strong>Kurzschlüsse:</strong> <span lang="en">Two nets touch.</span>`)
	s.get("").has(t, "</strong> Two nets touch.")
	s.quote(func(q *quotes.Quote) { q.ExpiresAt = s.now().Add(-time.Hour) })
	s.do(http.MethodGet, s.path(), nil, german...).has(t, "Dieses Angebot ist abgelaufen", "Uhr UTC", "Preis neu berechnen")
	s.do(http.MethodGet, "/checkout/"+strings.Repeat("a", 64), nil, german...).has(t, "Unter dieser Adresse gibt es kein Angebot", "nennen Sie uns diese Nummer")
}
