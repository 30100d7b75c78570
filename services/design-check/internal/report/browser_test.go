package report_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/browsertest"
	"boardorder/services/design-check/internal/report"

	"github.com/chromedp/chromedp"
)

func eval[T any](ctx context.Context, t *testing.T, js string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](js))
	if err != nil {
		t.Fatalf("%s: %v", js, err)
	}
	return v
}

// TestInABrowser works with the page as people do, by mouse and keyboard, on a
// desk and on a phone.
func TestInABrowser(t *testing.T) {
	t.Parallel()
	ctx, complaints := browsertest.Open(t)
	b, d := checked(t.Context(), t, fault(t, dfm.Short))
	page, err := report.Page(t.Context(), d, b)
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
		browsertest.Keep(ctx, t, "report-"+device.name)
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
	browsertest.Keep(ctx, t, "report-chosen")
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
