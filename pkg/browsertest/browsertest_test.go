package browsertest

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestWindowsShareNothing: windows are of one browser, and each is a stranger to the others.
func TestWindowsShareNothing(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><title>page</title>"))
	}))
	t.Cleanup(server.Close)
	const leave, read = `document.cookie = "who=me"; localStorage.setItem("who", "me"); "left"`, `document.cookie + "," + localStorage.getItem("who")`
	for _, tt := range []struct{ name, script, want string }{
		{"the first window", leave + `; ` + read, "who=me,me"},
		{"the next window", read, ",null"},
	} {
		ctx, _ := Open(t)
		var got string
		err := chromedp.Do(ctx, chromedp.Navigate(server.URL))
		if err == nil {
			got, err = chromedp.Run(ctx, chromedp.Evaluate[string](tt.script))
		}
		if err != nil || got != tt.want {
			t.Errorf("%s: %s gives %q, %v; want %q", tt.name, tt.script, got, err, tt.want)
		}
	}
}

// TestBrowserEndsWithItsTests: the last test that leaves ends it, and the next starts another.
func TestBrowserEndsWithItsTests(t *testing.T) {
	t.Parallel()
	var b browser
	var before string
	for _, name := range []string{"first", "again"} {
		t.Run(name, func(t *testing.T) {
			one := b.join(t)
			other := b.join(t)
			if one != other {
				t.Errorf("two uses at once have the browsers %v and %v, want one", one, other)
			}
			got := chromedp.FromContext(one).Target.TargetID.String()
			if got == before {
				t.Errorf("the browser of %s shows window %s, want that of a new one", name, got)
			}
			before = got
		})
		if b.uses != 0 || b.ctx.Err() == nil {
			t.Errorf("after %s: %d uses, the browser's context ended with %v; want 0 and an end", name, b.uses, b.ctx.Err())
		}
	}
}
