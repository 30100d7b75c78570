package report_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/board/check"
	"boardorder/services/design-check/internal/report"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser opens a window without a head and collects what its pages complain
// of: exceptions and what the security policy forbade.
func browser(t *testing.T) (context.Context, func() []string) {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Skip("needs a browser: chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.NoFirstRun)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	var mu sync.Mutex
	var complaints []string
	err := chromedp.Listen(ctx, func(e any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := e.(type) {
		case *runtime.EventExceptionThrown:
			complaints = append(complaints, fmt.Sprint(e.ExceptionDetails))
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError {
				complaints = append(complaints, e.Entry.Text+" "+e.Entry.URL)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return ctx, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return complaints
	}
}

func eval[T any](ctx context.Context, t *testing.T, js string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](js))
	if err != nil {
		t.Fatalf("%s: %v", js, err)
	}
	return v
}

// keep keeps a picture of a page where PICTURES names a folder for them.
func keep(ctx context.Context, t *testing.T, name string) {
	t.Helper()
	dir := os.Getenv("PICTURES")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600)
	}
	if err != nil {
		t.Error(err)
	}
}

// TestInABrowser works with the page as people do, by mouse and keyboard, on a
// desk and on a phone.
func TestInABrowser(t *testing.T) {
	t.Parallel()
	ctx, complaints := browser(t)
	b, d := checked(t.Context(), t, fault(t, check.Short))
	page, err := report.Page(d, b)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, page, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, device := range []struct {
		name          string
		width, height int64
	}{{"desk", 1360, 900}, {"phone", 390, 844}} {
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(device.width, device.height), chromedp.Navigate("file://"+file)); err != nil {
			t.Fatal(err)
		}
		if wide := eval[int](ctx, t, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
			t.Errorf("on a %s the page is %d pixels too wide", device.name, wide)
		}
		keep(ctx, t, "report-"+device.name)
	}
	const box = `document.getElementById("board").getAttribute("viewBox")`
	whole := eval[string](ctx, t, box)
	finding := `document.querySelector("[data-finding]")`
	if on := eval[string](ctx, t, finding+`.focus(), document.activeElement.click(), `+finding+`.getAttribute("aria-pressed")`); on != "true" {
		t.Errorf("a finding that was chosen is pressed: %s", on)
	}
	near := eval[string](ctx, t, box)
	if near == whole {
		t.Error("choosing a finding shows it no closer")
	}
	if n := eval[int](ctx, t, `document.querySelectorAll("#marks .chosen circle").length`); n == 0 {
		t.Error("no mark is chosen")
	}
	keep(ctx, t, "report-chosen")
	if again := eval[string](ctx, t, finding+`.click(), `+box); again != whole {
		t.Errorf("chosen once more it shows %s, want all of %s", again, whole)
	}
	eval[bool](ctx, t, `document.getElementById("board").focus(), true`)
	if err := chromedp.Do(ctx, chromedp.KeyEvent("+")); err != nil {
		t.Fatal(err)
	}
	if zoomed := eval[string](ctx, t, box); zoomed == whole {
		t.Error("+ does not zoom")
	}
	if err := chromedp.Do(ctx, chromedp.KeyEvent("0")); err != nil {
		t.Fatal(err)
	}
	if all := eval[string](ctx, t, box); all != whole {
		t.Errorf("0 shows %s, want %s", all, whole)
	}
	layer := eval[string](ctx, t, `document.querySelector("[data-layer]:checked").dataset.layer`)
	hidden := `getComputedStyle(document.querySelector('.layer[data-of="' + ` + strconv.Quote(layer) + ` + '"]')).display`
	if got := eval[string](ctx, t, `document.querySelector("[data-layer]:checked").click(), `+hidden); got != "none" {
		t.Errorf("a layer that is switched off is shown as %s", got)
	}
	for _, c := range complaints() {
		t.Errorf("the browser complains: %s", c)
	}
}
