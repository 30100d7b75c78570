package browsertest

import (
	"context"
	_ "embed"
	"testing"

	"github.com/chromedp/chromedp"
)

//go:embed testdata/layout.js
var layout string

// Fits reports what stands wrong on the page as it is: wider than the window, text
// that is cut off or lies over other text, what is too small for a finger.
func Fits(t testing.TB, ctx context.Context, name string) {
	t.Helper()
	problems, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](layout))
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range problems {
		t.Errorf("%s: %s", name, problem)
	}
}
