package checkout_test

import (
	"net/http"
	"net/url"
	"testing"

	"boardorder/pkg/contract/quotes"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestAnotherLanguageKeepsWhatIsTyped: the links are buttons of the form, so that also without a
// script all that was typed goes along. Nothing else comes of it.
func TestAnotherLanguageKeepsWhatIsTyped(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(nil)
	s.get("").has(t, `form="order" name="do" value="language" formaction="?lang=ja" formnovalidate lang="ja"`)
	to := ada()
	to.Name, to.Country, to.Email, to.State = "山田 太郎", "JP", "not complete", "東京都"
	a := s.do("POST", s.path()+"?lang=ja", s.form(to, "do", "language", "quantity", "30", "save_details", "yes"))
	if a.status != http.StatusOK || len(s.commandsOf(quotes.ChooseDelivery)) != 0 {
		t.Errorf("another language = %d, %d choices sent; want 200, none", a.status, len(s.commandsOf(quotes.ChooseDelivery)))
	}
	a.has(t, `<html lang="ja">`, `value="山田 太郎"`, `value="not complete"`, `value="東京都"`, `<option value="JP" selected>`, `name="quantity" type="text" inputmode="numeric" maxlength="7" value="30"`)
	a.lacks(t, `value="pay"`)
	s.quote(setDelivery)
	a = s.do("POST", s.path()+"?lang=de", s.form(ada(), "do", "language", "shipping_id", "us-eco"))
	a.has(t, `<html lang="de">`, `value="us-eco" checked`)
	s.quote(askQuestion)
	a = s.do("POST", s.path()+"?lang=fr", s.formOf(s.get(""), "language", "answer", "Die obere.\nBitte."))
	a.has(t, `<html lang="fr">`, "Die obere.\nBitte.</textarea>")
	if got := s.commandsOf(quotes.AnswerReview); len(got) != 0 {
		t.Errorf("another language answered %d times, want none", len(got))
	}
}

// formOf is the form of a page, sent with one of its buttons and what was typed.
func (s *harness) formOf(page answer, button string, typed ...string) url.Values {
	s.t.Helper()
	form := url.Values{"do": {button}}
	for _, m := range hidden.FindAllStringSubmatch(page.body, -1) {
		form.Set(m[1], m[2])
	}
	for i := 0; i+1 < len(typed); i += 2 {
		form.Set(typed[i], typed[i+1])
	}
	return form
}

// TestAnotherLanguageInABrowser without a script, and with one.
func TestAnotherLanguageInABrowser(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	for _, scripts := range []bool{false, true} {
		w := s.browse()
		s.quote(nil)
		if _, err := chromedp.Call(w.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !scripts}); err != nil {
			t.Fatal(err)
		}
		w.open(s.url + s.path())
		w.do(chromedp.SendKeys("#f-name", "Ada"), chromedp.Click("button.link[lang=ja]"))
		w.waitFor("document.documentElement.lang === 'ja' && document.getElementById('f-name').value === 'Ada'")
	}
}
