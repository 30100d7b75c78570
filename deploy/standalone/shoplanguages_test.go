package standalone_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"boardorder/pkg/browsertest"
	"boardorder/pkg/language"
)

// ownWords is the text of a page but for what is marked as English, foreign or for machines.
const ownWords = `(() => {
	const page = document.body.cloneNode(true);
	page.querySelectorAll('[lang], bdi, code, script, noscript, .brand, #board-title').forEach(e => e.remove());
	return page.innerText + '\\n' + [...page.querySelectorAll('[alt], [aria-label], [placeholder], [title]')].map(e => [e.alt, e.ariaLabel, e.placeholder, e.title].join(' ')).join(' ');
})()`

// englishWords stand in hardly a sentence of any other language.
var englishWords = regexp.MustCompile(`(?i)\b(?:the|and|your|with|from|please|board|boards|of|you|not|what)\b`)

// speaks holds a page to one language and to its window.
func (w shopWindow) speaks(p *language.Printer, name string, width int64) {
	w.t.Helper()
	w.await("[...document.images].every(i => i.complete && i.naturalWidth)")
	w.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
	code, err := chromedp.Run(w.ctx, chromedp.Evaluate[string]("document.documentElement.lang"))
	if err != nil || code != p.Code {
		w.t.Errorf("%s says that it is in %q, want %s: %v", name, code, p.Code, err)
	}
	text, err := chromedp.Run(w.ctx, chromedp.Evaluate[string](ownWords))
	if err != nil {
		w.t.Fatal(err)
	}
	for line := range strings.Lines(text) {
		if word := englishWords.FindString(line); word != "" && p.Code != language.English {
			w.t.Errorf("%s in %s says %q, want no English", name, p.Name, strings.TrimSpace(line))
		}
	}
	label := fmt.Sprintf("%s-%s-%d", name, p.Code, width)
	browsertest.Fits(w.t, w.ctx, label)
	browsertest.Keep(w.ctx, w.t, label)
}

// TestShopInEachLanguage: the pages are whole in every language, on a phone and on a desk.
func TestShopInEachLanguage(t *testing.T) {
	t.Parallel()
	languages := language.List()
	if testing.Short() {
		languages = languages[1:2]
	}
	s := start(t, busy)
	board := s.sendToShop(t, s.sample(t))
	for _, width := range []int64{360, 1280} {
		ctx, _ := browsertest.Open(t)
		w := shopWindow{t, ctx, true}
		w.do(chromedp.EmulateViewport(width, 900))
		for _, p := range languages {
			w.do(chromedp.Navigate(s.BaseURL + "/?lang=" + p.Code))
			w.speaks(p, "start", width)
			w.do(chromedp.Navigate(board + "?quantity=1200&country=DE&solder_mask=Blue&table=yes"))
			w.await("document.querySelector('#sum strong')")
			w.speaks(p, "board", width)
			w.do(chromedp.Navigate(board + "?quantity=many&solder_mask=Pink"))
			w.speaks(p, "refused", width)
			w.do(chromedp.Navigate(s.BaseURL + "/order/up_none"))
			w.speaks(p, "nothing", width)
		}
	}
}

// dropDrills gives a design without the files that drill its holes.
func dropDrills(t testing.TB, design []byte) []byte {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(design), int64(len(design)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range r.File {
		if strings.HasSuffix(f.Name, ".drl") {
			continue
		}
		if err := z.Copy(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestShopInJapaneseOnAPhone: the whole way in one language, once a link has chosen it: files,
// a question, options that another language keeps, and the checkout.
func TestShopInJapaneseOnAPhone(t *testing.T) {
	t.Parallel()
	s := start(t, busy)
	design := filepath.Join(t.TempDir(), "board.zip")
	if err := os.WriteFile(design, dropDrills(t, s.sample(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	ja := language.Find("ja")
	ctx, _ := browsertest.Open(t)
	w := shopWindow{t, ctx, true}
	w.do(chromedp.EmulateViewport(360, 740), chromedp.Navigate(s.BaseURL+"/"), chromedp.Click(`a[hreflang=ja]`))
	w.await("document.documentElement.lang === 'ja'")
	w.do(chromedp.SetUploadFiles("#f-files", []string{design}))
	w.await("document.querySelector('#chosen').textContent.startsWith('board.zip、')")
	w.do(chromedp.Click("#send button[type=submit]"))
	w.await("document.querySelector('#asks input[type=radio]')")
	w.speaks(ja, "phone-asked", 360)
	w.do(chromedp.Click("#asks input[type=radio]"))
	w.await("document.querySelector('#sum strong')?.textContent.startsWith('$')")
	w.choose("o-quantity", "30")
	w.choose("o-country", "JP")
	w.await("document.querySelector('#sum').innerText.includes('30枚') && document.querySelector('#sum').innerText.includes('日本')")
	w.speaks(ja, "phone-priced", 360)
	w.run("document.getElementById('o-solder_mask').value = 'Blue'") // chosen a moment ago, and not priced yet
	w.do(chromedp.Click(`button.link[lang=de]`))
	w.await("document.documentElement.lang === 'de' && document.getElementById('o-solder_mask').value === 'Blue' && document.getElementById('o-quantity').value === '30'")
	w.do(chromedp.Click(`button.link[lang=ja]`))
	w.await("document.documentElement.lang === 'ja' && document.querySelector('#sum button.first')?.textContent === '購入手続きへ'")
	w.do(chromedp.Click("#sum button.first"))
	w.await("location.pathname.startsWith('/checkout/') && document.documentElement.lang === 'ja'")
	at, err := chromedp.Run(w.ctx, chromedp.Evaluate[string]("location.search"))
	if q, perr := url.ParseQuery(strings.TrimPrefix(at, "?")); err != nil || perr != nil || q.Get("lang") != "ja" {
		t.Errorf("the checkout is at %q (%v, %v), want lang=ja in it", at, err, perr)
	}
}
