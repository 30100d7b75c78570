// Package browsertest gives tests a browser without a head: the pages of every
// service are looked at as people see them.
package browsertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience ends a test whose page never comes to what it waits for. It is far more than
// the longest of them takes: a machine that is busy otherwise makes no page wrong.
const patience = 10 * time.Minute

// Open opens a window that is closed at the end of the test, with cookies and storage of
// its own; a test is skipped where there is no browser. complaints gives what the pages
// complained of until then: exceptions, what could not be loaded, what the security policy
// forbade.
func Open(t testing.TB) (ctx context.Context, complaints func() []string) {
	t.Helper()
	ctx, stop := context.WithTimeout(shared.join(t), patience)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(stop)
	var mu sync.Mutex
	var heard []string
	err := chromedp.Listen(ctx, func(e any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := e.(type) {
		case *runtime.EventExceptionThrown:
			heard = append(heard, fmt.Sprint(e.ExceptionDetails))
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError {
				heard = append(heard, e.Entry.Text+" "+e.Entry.URL)
			}
		}
	})
	if err == nil {
		_, err = chromedp.Call(ctx, log.Enable, cdp.Empty{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return ctx, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return heard
	}
}

// shared is the browser of a package's tests: starting one takes longer than most of them.
var shared browser

// A browser runs while a test uses it.
type browser struct {
	mu   sync.Mutex
	uses int
	ctx  context.Context
	stop func()
}

// join gives the browser's context until the end of the test, and starts it for the first.
func (b *browser) join(t testing.TB) context.Context {
	t.Helper()
	program := Program(t)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.uses == 0 {
		if err := b.start(program); err != nil {
			t.Fatal(err)
		}
	}
	b.uses++
	t.Cleanup(b.leave)
	return b.ctx
}

func (b *browser) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.uses--; b.uses == 0 {
		b.stop()
	}
}

func (b *browser) start(program string) error {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.NoFirstRun)
	ctx, end := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, closeWindow := chromedp.NewContext(ctx)
	b.ctx, b.stop = ctx, func() { closeWindow(); end() }
	err := chromedp.Do(ctx) // opens it
	if err != nil {
		b.stop()
	}
	return err
}

// Program is the path of the browser that tests use. It skips the test where there is none.
func Program(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("needs a browser: install chromium")
	return ""
}

// Keep keeps a picture of the whole page where PICTURES names a folder for them.
func Keep(ctx context.Context, t testing.TB, name string) {
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
