package standalone_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"boardorder/pkg/browsertest"
)

// TestShopAddsFilesInABrowser: a parts list joins the board that is there, with a script and
// without; what was chosen stays, and a file that cannot be read is named and costs nothing.
func TestShopAddsFilesInABrowser(t *testing.T) {
	t.Parallel()
	s := start(t, busy)
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	bad, list := write("bad.zip", "no archive"), write("bom.csv", "Reference,Value,MPN,Quantity\nR1,10k,RC0603FR-0710KL,1\n")
	board := s.sendToShop(t, s.sample(t))
	for _, script := range []bool{true, false} {
		ctx, complaints := browsertest.Open(t)
		w := shopWindow{t, ctx, script}
		width := map[bool]int64{true: 360, false: 1280}[script]
		w.do(chromedp.EmulateViewport(width, 800))
		w.allow(script)
		w.do(chromedp.Navigate(board + "?quantity=30&solder_mask=Blue"))
		w.await("document.querySelector('#sum strong')?.textContent.startsWith('$')")
		name := map[bool]string{true: "add-script", false: "add-plain"}[script]
		w.look(name, width)
		// Chosen, and not priced yet.
		w.run("document.getElementById('o-surface_finish').value = 'enig', document.getElementById('o-notes').value = 'with care'")
		kept := "document.getElementById('o-quantity').value === '30' && document.getElementById('o-solder_mask').value === 'Blue' && document.getElementById('o-surface_finish').value === 'enig' && document.getElementById('o-notes').value === 'with care'"
		add := func(path string) {
			if !script {
				w.await("performance.now() > 5500") // what the page asks for
			}
			w.do(chromedp.SetUploadFiles("#f-add", []string{path}), chromedp.Click("#add-files"))
		}
		add(bad)
		w.await("document.getElementById('main').innerText.includes('bad.zip”: ') && " + kept)
		w.look(name+"-refused", width)
		add(list)
		w.await("!location.href.startsWith('" + board + "') && document.querySelector('#sum strong')?.textContent.startsWith('$') && " + kept)
		files, err := chromedp.Run(w.ctx, chromedp.Evaluate[string]("[...document.querySelectorAll('#more tbody th')].map(e => e.textContent).join(' ')"))
		if err != nil || !strings.Contains(files, "bom.csv") || !strings.Contains(files, "F_Cu") {
			t.Errorf("script %v: the new board has %s (%v), want its old files and bom.csv", script, files, err)
		}
		var odd []string
		for _, c := range complaints() {
			if !strings.Contains(c, "status of 422") {
				odd = append(odd, c)
			}
		}
		if len(odd) > 0 {
			t.Errorf("script %v: the pages complain: %v", script, odd)
		}
		w.do(chromedp.Navigate(board))
		w.await("document.querySelector('#sum strong')")
		if old, err := chromedp.Run(w.ctx, chromedp.Evaluate[string]("document.getElementById('more').textContent")); err != nil || strings.Contains(old, "bom.csv") {
			t.Errorf("script %v: the old board has bom.csv as well (%v):\n%s", script, err, old)
		}
	}
}
