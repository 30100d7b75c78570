package edge_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser opens a window without a head, and collects what its pages complain of.
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
		if e, ok := e.(*runtime.EventExceptionThrown); ok {
			mu.Lock()
			defer mu.Unlock()
			complaints = append(complaints, fmt.Sprint(e.ExceptionDetails))
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

// picture keeps a picture of a page where PICTURES names a folder for them.
func picture(t *testing.T, name string, png []byte) {
	t.Helper()
	if dir := os.Getenv("PICTURES"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600); err != nil {
			t.Error(err)
		}
	}
}

func TestPagesInABrowser(t *testing.T) {
	t.Parallel()
	w := start(t)
	ctx, complaints := browser(t)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1200, 900), chromedp.Navigate(w.url+"/")); err != nil {
		t.Fatal(err)
	}
	heading, err := chromedp.Run(ctx, chromedp.Text("h1"))
	if err != nil || heading != "Board Ordering Service" {
		t.Errorf("heading %q, %v", heading, err)
	}
	styled, err := chromedp.Run(ctx, chromedp.Evaluate[string](`getComputedStyle(document.querySelector("pre")).borderRadius`))
	if err != nil || styled == "0px" {
		t.Errorf("the landing page has no style: %q, %v", styled, err)
	}
	shot(ctx, t, "landing")
	if err := chromedp.Do(ctx, chromedp.Navigate(w.url+"/docs"), chromedp.WaitVisible("#operations-Quotes-createQuote")); err != nil {
		t.Fatal(err)
	}
	text, err := chromedp.Run(ctx, chromedp.Text("#swagger-ui"))
	for _, want := range []string{"/v1/uploads", "/v1/quotes", "/auth/check", "Ask for a quote"} {
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("the description does not show %q: %v", want, err)
		}
	}
	if strings.Contains(text, "Warning") || strings.Contains(text, "Resolver error") {
		t.Errorf("the viewer warns:\n%s", text)
	}
	shot(ctx, t, "docs")
	if c := complaints(); len(c) > 0 {
		t.Errorf("the pages complain: %v", c)
	}
}

func shot(ctx context.Context, t *testing.T, name string) {
	t.Helper()
	png, err := chromedp.Run(ctx, chromedp.Screenshot("body"))
	if err != nil {
		t.Fatal(err)
	}
	picture(t, name, png)
}
