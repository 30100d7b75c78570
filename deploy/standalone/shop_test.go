package standalone_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/browsertest"
)

var shopForm = regexp.MustCompile(`<form id="send"[^>]* action="([^"]+)"`)

// sendToShop sends a board to the first page as a browser without a script does, once it may,
// and gives the address of the board's page.
func (s *system) sendToShop(t testing.TB, design []byte) string {
	t.Helper()
	to := ""
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if to == "" {
			_, page := s.viewPage(t, s.BaseURL+"/")
			m := shopForm.FindStringSubmatch(page)
			if m == nil {
				t.Fatalf("the first page has no form for files:\n%s", page)
			}
			to = s.BaseURL + m[1]
		}
		status, location, text := s.sendForm(t, to, design)
		switch {
		case status == http.StatusSeeOther:
			return s.BaseURL + location
		case status == http.StatusServiceUnavailable: // busy with other tests: from the beginning
			to = ""
		case !strings.Contains(text, "too quick for a person"):
			t.Fatalf("sending a board: %d %s, want 303", status, text)
		}
	}
	t.Fatal("no board was taken for a minute")
	return ""
}

// sendForm sends the first page's form with a board.
func (s *system) sendForm(t testing.TB, to string, design []byte) (status int, location, text string) {
	t.Helper()
	kind, form := boardForm(t, design)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, to, form)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", kind)
	resp, data := s.roundTrip(t, req)
	return resp.StatusCode, resp.Header.Get("Location"), string(data)
}

// shopWindow is a browser at the shop.
type shopWindow struct {
	t      testing.TB
	ctx    context.Context
	script bool // pages may run theirs
}

// allow lets scripts run, or not.
func (w shopWindow) allow(scripts bool) {
	w.t.Helper()
	if _, err := chromedp.Call(w.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !scripts}); err != nil {
		w.t.Fatal(err)
	}
}

func (w shopWindow) do(steps ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	if err := chromedp.Do(w.ctx, steps...); err != nil {
		w.t.Fatal(err)
	}
}

// run carries out a statement in the page.
func (w shopWindow) run(js string) {
	w.t.Helper()
	if _, err := chromedp.Run(w.ctx, chromedp.Evaluate[bool](js+", true")); err != nil {
		w.t.Fatalf("%s: %v", js, err)
	}
}

// await waits until the page says yes.
func (w shopWindow) await(js string) {
	w.t.Helper()
	for end := time.Now().Add(40 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if ok, err := chromedp.Run(w.ctx, chromedp.Evaluate[bool]("document.readyState === 'complete' && !!("+js+")")); err == nil && ok {
			return
		}
	}
	text, _ := chromedp.Run(w.ctx, chromedp.Evaluate[string]("location.href + document.body.innerText"))
	w.t.Fatalf("waited in vain for %s on\n%s", js, text)
}

// look holds the page to the rules of accessibility and to its width, in both brightnesses.
func (w shopWindow) look(name string, width int64) {
	w.t.Helper()
	w.await("[...document.images].every(i => i.complete && i.naturalWidth)")
	w.allow(true) // the rules are a script too; the page is there without its own
	defer w.allow(w.script)
	w.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
	const cut = `Math.max(0, ...[...document.querySelectorAll('.card')].flatMap(c => [...c.querySelectorAll('table')].map(t => t.getBoundingClientRect().right - c.getBoundingClientRect().right)))`
	if by, err := chromedp.Run(w.ctx, chromedp.Evaluate[float64](cut)); err != nil || by > 1 {
		w.t.Errorf("%s, %d wide: a table reaches %v px beyond its card, want it within: %v", name, width, by, err)
	}
	for _, scheme := range []string{"light", "dark"} {
		_, err := chromedp.Call(w.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		}})
		if err != nil {
			w.t.Fatal(err)
		}
		wide, err := chromedp.Run(w.ctx, chromedp.Evaluate[int64](`document.documentElement.scrollWidth`))
		if err != nil || wide > width {
			w.t.Errorf("%s is %d wide in a window of %d: %v", name, wide, width, err)
		}
		browsertest.Axe(w.t, w.ctx)
		browsertest.Keep(w.ctx, w.t, fmt.Sprintf("shop-%s-%d-%s", name, width, scheme))
	}
}

// choose sets a field of the form as a person does.
func (w shopWindow) choose(id, value string) {
	w.t.Helper()
	w.run(fmt.Sprintf("(e => { e.type === 'checkbox' ? e.checked = true : e.value = %q; e.dispatchEvent(new Event('change', {bubbles: true})); })(document.getElementById(%q))", value, id))
}

// TestShopInABrowser: a person drops a board, sees it, changes what it is made of, and goes to
// the checkout, with a script and without, on a desk and on a phone.
func TestShopInABrowser(t *testing.T) {
	t.Parallel()
	s := start(t, busy)
	design := filepath.Join(t.TempDir(), "board.zip")
	if err := os.WriteFile(design, s.sample(t), 0o600); err != nil {
		t.Fatal(err)
	}
	widths := []int64{1280, 320}
	for _, script := range []bool{true, false} {
		for _, width := range widths {
			ctx, complaints := browsertest.Open(t)
			w := shopWindow{t, ctx, script}
			w.do(chromedp.EmulateViewport(width, 900))
			w.allow(script)
			checkout := w.buy(s.BaseURL, design, width)
			if !strings.HasPrefix(checkout, s.BaseURL+"/checkout/") {
				t.Errorf("%d wide, script %v: the way leads to %s, want the checkout", width, script, checkout)
			}
			if c := slices.DeleteFunc(complaints(), func(c string) bool { return strings.Contains(c, "status of 422") }); len(c) > 0 {
				t.Errorf("%d wide, script %v: the pages complain: %v", width, script, c)
			}
			if !script && width == 320 {
				s.open(t, checkout).send(t, "update", home)
				if res := s.pay(t, checkout, shopper.Pays); res.Status != "paid" {
					t.Errorf("pay %s: %+v, want it paid", checkout, res)
				}
			}
		}
	}
}

// buy goes from the first page to the checkout.
func (w shopWindow) buy(url, design string, width int64) string {
	w.t.Helper()
	name := map[bool]string{true: "script", false: "plain"}[w.script]
	w.do(chromedp.Navigate(url + "/"))
	w.look(name+"-start", width)
	if !w.script {
		w.await("performance.now() > 5500") // what the page asks for
	}
	w.do(chromedp.SetUploadFiles("#f-files", []string{design}))
	w.do(chromedp.Click("#send button[type=submit]"))
	w.await("document.querySelector('#sum strong')?.textContent.startsWith('$')")
	w.look(name+"-board", width)
	w.choose("o-solder_mask", "Blue")
	w.choose("o-quantity", "30")
	w.choose("o-country", "DE")
	if !w.script {
		w.do(chromedp.Click("#choose button[type=submit]"))
	}
	w.await("document.querySelector('#sum').innerText.includes('30 boards') && document.querySelector('#sum').innerText.includes('Germany') && document.images[1].src.includes('Blue')")
	w.look(name+"-chosen", width)
	w.seeSavings(name, width)
	w.choose("o-quantity", "many")
	if !w.script {
		w.do(chromedp.Click("#choose button[type=submit]"))
	}
	w.await("document.querySelector('#sum').innerText.includes('whole number')")
	w.look(name+"-refused", width)
	w.choose("o-quantity", "30")
	w.choose("o-special", "")
	if !w.script {
		w.do(chromedp.Click("#choose button[type=submit]"))
	}
	w.await("document.querySelector('#sum').innerText.includes('Our team prices this')")
	w.look(name+"-review", width)
	w.run("(e => { e.checked = false; e.dispatchEvent(new Event('change', {bubbles: true})); })(document.getElementById('o-special'))")
	if !w.script {
		w.do(chromedp.Click("#choose button[type=submit]"))
	}
	w.await("document.querySelector('#sum button.first')?.textContent === 'Go to checkout'")
	w.run("document.getElementById('o-notes').value = 'typed last'") // and no change of focus
	w.do(chromedp.Click("#sum button.first"))
	w.await("document.title.startsWith('Checkout') && document.documentElement.innerHTML.includes('typed last')")
	at, err := chromedp.Run(w.ctx, chromedp.Evaluate[string]("location.href"))
	if err != nil {
		w.t.Fatal(err)
	}
	return at
}

// seeSavings chooses what costs more than it has to, looks at what would be cheaper, and takes
// the first change.
func (w shopWindow) seeSavings(name string, width int64) {
	w.t.Helper()
	w.choose("o-surface_finish", "enig")
	w.choose("o-solder_mask", "Purple")
	if !w.script {
		w.do(chromedp.Click("#choose button[type=submit]"))
	}
	w.await("location.search.includes('enig') && location.search.includes('Purple') && !document.querySelector('#price').ariaBusy && document.querySelector('#sum strong')?.textContent.startsWith('$')")
	w.do(chromedp.Click("#cheaper a.button"))
	w.await("document.querySelector('#cheaper h2')")
	for range 5 { // prices that take longer than the page waits for
		if later, err := chromedp.Run(w.ctx, chromedp.Evaluate[bool]("!!document.querySelector('#cheaper h2 + p a')")); err != nil || !later {
			break
		}
		w.do(chromedp.Click("#cheaper h2 + p a"))
		w.await("document.querySelector('#cheaper h2')")
	}
	w.await("document.querySelector('#cheaper .savings a.button') && document.querySelector('#cheaper').innerText.includes(' less')")
	w.look(name+"-cheaper", width)
	w.do(chromedp.Click("#cheaper .savings a.button"))
	w.await("!(location.search.includes('enig') && location.search.includes('Purple')) && document.querySelector('#sum strong')?.textContent.startsWith('$') && document.querySelector('#cheaper a.button[href*=cheaper]')")
}

// TestShopPacksFolders: more files than a form takes, with names of every kind, arrive as one
// package that the script made.
func TestShopPacksFolders(t *testing.T) {
	t.Parallel()
	s := start(t, busy)
	data := s.sample(t)
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	dir, paths := t.TempDir(), []string{}
	keep := func(name string, content []byte) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		keep(filepath.Base(f.Name), content)
	}
	long := "Übersicht-" + strings.Repeat("x", 110) + ".txt"
	keep(long, []byte("A list."))
	for i := range 20 {
		keep(fmt.Sprintf("more-%d.txt", i), []byte("x"))
	}
	ctx, complaints := browsertest.Open(t)
	w := shopWindow{t, ctx, true}
	w.do(chromedp.Navigate(s.BaseURL+"/"), chromedp.SetUploadFiles("#f-files", paths), chromedp.Click("#send button[type=submit]"))
	w.await("document.readyState === 'complete' && document.querySelector('#sum strong')?.textContent.startsWith('$')")
	names, err := chromedp.Run(ctx, chromedp.Evaluate[[]string]("[...document.querySelectorAll('#more tbody th')].map(e => e.textContent)"))
	if err != nil || !slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, long[:60]) }) || len(names) != len(paths) {
		t.Errorf("%d files arrived as %q (%v), want all with %s", len(paths), names, err, long)
	}
	if c := complaints(); len(c) > 0 {
		t.Errorf("the pages complain: %v", c)
	}
}
