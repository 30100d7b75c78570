package report_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/testkit/faulty"
	"boardorder/pkg/browsertest"
	"boardorder/pkg/contract/designchecks"

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
	b, d, found := checkSketch(t.Context(), t, fault(t, dfm.Short))
	page := write(t.Context(), t, d, b, found).HTML
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
		t.Errorf("a finding that was chosen is pressed: %s, want true", on)
	}
	near := eval[string](ctx, t, box)
	if near == whole {
		t.Errorf("a chosen finding is shown in the window %s, want a closer one", near)
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
		t.Errorf("after + the window is %s, want a closer one", zoomed)
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
		t.Errorf("a layer that is switched off is shown as %s, want none", got)
	}
	for _, c := range complaints() {
		t.Errorf("the browser complains: %s", c)
	}
}

// TestFindingsLightTheirLayer holds that choosing a finding shows the copper at
// fault, by what is on the screen: taking its layer away changes it, and the others
// are dim.
func TestFindingsLightTheirLayer(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]func(faulty.Fault) bool{
		"outer layer":  func(f faulty.Fault) bool { return f.Check == dfm.TrackClearance && f.Variant == "parallel" },
		"inner layer":  func(f faulty.Fault) bool { return f.Check == dfm.TrackClearance && f.Variant == "inner" },
		"bottom layer": func(f faulty.Fault) bool { return f.Check == dfm.TrackWidth && f.Variant == "bottom" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := faulty.Faults()
			i := slices.IndexFunc(all, f)
			sketch, _ := all[i].SketchAt(50_000) // below every limit
			b, d, found := checkSketch(t.Context(), t, sketch)
			page := write(t.Context(), t, d, b, found).HTML
			file := filepath.Join(t.TempDir(), "report.html")
			if err := os.WriteFile(file, page, 0o600); err != nil {
				t.Fatal(err)
			}
			ctx, _ := browsertest.Open(t)
			if err := chromedp.Do(ctx, chromedp.EmulateViewport(1200, 900), chromedp.Navigate("file://"+file)); err != nil {
				t.Fatal(err)
			}
			n := slices.IndexFunc(d.Findings, func(g designchecks.Finding) bool { return g.Check == string(all[i].Check) })
			button := `document.querySelector('[data-finding="` + strconv.Itoa(n+1) + `"]')`
			lit := eval[string](ctx, t, button+`.click(), `+button+`.dataset.lit`)
			if lit == "" {
				t.Fatal("the finding lights no layer")
			}
			browsertest.Keep(ctx, t, "report-lit-"+strings.ReplaceAll(name, " ", "-"))
			if dim := eval[int](ctx, t, `document.querySelectorAll('.layer[data-of="`+lit+`"].dim, .layer[data-of="`+lit+`"].off').length`); dim > 0 {
				t.Error("the layer at fault is dim, or off")
			}
			if bright := eval[int](ctx, t, `document.querySelectorAll('.layer:not(.off):not(.dim)').length`); bright != 1 {
				t.Errorf("%d layers are bright, want the one at fault", bright)
			}
			with := shot(ctx, t)
			eval[bool](ctx, t, `document.querySelector('.layer[data-of="`+lit+`"]').classList.add("off"), document.querySelectorAll("#crop .about").forEach(p => p.remove()), true`)
			if changed := differences(with, shot(ctx, t)); changed < 1000 {
				t.Errorf("without its layer %d pixels look different: its copper was not to be seen, want 1000 at least", changed)
			}
		})
	}
}

func shot(ctx context.Context, t *testing.T) image.Image {
	t.Helper()
	data, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// differences counts the pixels that differ clearly.
func differences(a, b image.Image) int {
	n := 0
	for y := range min(a.Bounds().Dy(), b.Bounds().Dy()) {
		for x := range min(a.Bounds().Dx(), b.Bounds().Dx()) {
			r, g, bl, _ := a.At(x, y).RGBA()
			s, h, cl, _ := b.At(x, y).RGBA()
			if max(difference(r, s), difference(g, h), difference(bl, cl)) > 60<<8 {
				n++
			}
		}
	}
	return n
}

func difference(a, b uint32) uint32 { return max(a, b) - min(a, b) }

// TestReportIsWorkedThrough goes from finding to finding, filters them, turns the
// board over and comes back by a link.
func TestReportIsWorkedThrough(t *testing.T) {
	t.Parallel()
	ctx, complaints := browsertest.Open(t)
	b, d, found := checkSketch(t.Context(), t, fault(t, dfm.Short))
	page := write(t.Context(), t, d, b, found).HTML
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, page, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(390, 844), chromedp.Navigate("file://"+file+"#f1")); err != nil {
		t.Fatal(err)
	}
	pressed := `(document.querySelector('[aria-pressed=true][data-finding]') || {dataset: {}}).dataset.finding`
	if got := eval[string](ctx, t, pressed); got != "1" {
		t.Errorf("a link to a finding shows %q, want 1", got)
	}
	if got := eval[string](ctx, t, `document.querySelector('[data-step="1"]').click(), location.hash`); got == "#f1" && len(d.Findings) > 1 {
		t.Errorf("the next finding is at %s, want another than the first", got)
	}
	flipped := eval[string](ctx, t, `document.getElementById("flip").click(), document.getElementById("side").textContent`)
	if flipped == eval[string](ctx, t, `document.getElementById("flip").click(), document.getElementById("side").textContent`) {
		t.Errorf("turned over twice the board shows the side %q both times", flipped)
	}
	both := `(() => { const r = document.querySelector('[aria-pressed=true][data-finding]').getBoundingClientRect(), s = document.getElementById("board").getBoundingClientRect();
		return s.bottom > 50 && s.top < innerHeight && r.top >= s.top && r.bottom <= innerHeight + 1 })()`
	if !eval[bool](ctx, t, both) {
		t.Error("on a phone board and finding are not seen together")
	}
	level := d.Findings[0].Level
	if left := eval[int](ctx, t, `document.querySelector('[data-level="`+level+`"]').click(), [...document.querySelectorAll(".findings li.`+level+`")].filter(r => r.offsetParent).length`); left != 0 {
		t.Errorf("%d findings are shown that were filtered out", left)
	}
	for _, c := range complaints() {
		t.Errorf("the browser complains: %s", c)
	}
}
