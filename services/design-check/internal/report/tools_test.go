package report_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/browsertest"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// openGaps opens the report of a board with gaps and a finding without a place.
func openGaps(t *testing.T, width int64) context.Context {
	t.Helper()
	ctx, complaints := browsertest.Open(t)
	b, found := gaps(3)
	found.Findings = append(found.Findings, dfm.Finding{Check: dfm.LayerEmpty, Level: dfm.Warning, What: "Empty.", Count: 1, Places: []dfm.Place{{Layer: "B.Mask"}}})
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(serve(t, reportOf(t, b, found)))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, c := range complaints() {
			t.Errorf("the browser complains: %s", c)
		}
	})
	return ctx
}

// TestFirstFindingIsAFewTabsAway: by keyboard people come to the findings at once, by a link or
// past the filters, and choose one.
func TestFirstFindingIsAFewTabsAway(t *testing.T) {
	t.Parallel()
	ctx := openGaps(t, 1280)
	const focused = `document.activeElement.matches(%q)`
	for n := 1; ; n++ {
		if err := chromedp.Do(ctx, chromedp.KeyEvent("\t")); err != nil {
			t.Fatal(err)
		}
		if skip := eval[bool](ctx, t, fmt.Sprintf(focused, ".skip")); skip != (n == 1) {
			t.Errorf("at Tab %d the skip link has the focus: %v, want it at the first alone", n, skip)
		}
		if eval[bool](ctx, t, fmt.Sprintf(focused, "[data-finding]")) {
			break
		}
		if n == 8 {
			t.Fatalf("after %d Tabs no finding has the focus, but %s", n, eval[string](ctx, t, `document.activeElement.outerHTML`))
		}
	}
	if err := chromedp.Do(ctx, chromedp.KeyEvent("\r")); err != nil {
		t.Fatal(err)
	}
	if w := eval[string](ctx, t, where); !strings.HasPrefix(w, "Place 1 of 3") {
		t.Errorf("Enter on a finding shows %q, want its worst place", w)
	}
	if at := eval[string](ctx, t, `document.querySelector(".skip").click(), document.activeElement.id`); at != "findings" {
		t.Errorf("the skip link leads to %q, want the findings", at)
	}
}

// TestFindingsAreSearchedAndHidden: by net, part and layer; a rule goes by one click and comes back.
func TestFindingsAreSearchedAndHidden(t *testing.T) {
	t.Parallel()
	ctx := openGaps(t, 390)
	const seen = `[...document.querySelectorAll(".findings li[id]")].filter(r => r.offsetParent).map(r => r.id).join()`
	search := func(words string) string {
		return eval[string](ctx, t, fmt.Sprintf(`(() => { const s = document.getElementById("search"); s.value = %q; s.dispatchEvent(new Event("input")); return %s })()`, words, seen))
	}
	for words, want := range map[string]string{"scl": "f1", "F.CU": "f1", "b.mask": "f2", "": "f1,f2", "no such net": ""} {
		if got := search(words); got != want {
			t.Errorf("a search for %q shows %q, want %q", words, got, want)
		}
	}
	if said := (search("no such net") + eval[string](ctx, t, `document.getElementById("nothing").textContent`)); said != "No finding is about that." {
		t.Errorf("a search that finds nothing says %q", said)
	}
	search("")
	if got := eval[string](ctx, t, `document.querySelector('[data-hide="track_clearance"]').click(), `+seen); got != "f2" {
		t.Errorf("with a rule hidden %q are shown, want f2", got)
	}
	if marks := eval[int](ctx, t, `[...document.querySelectorAll("#marks .mark")].filter(m => getComputedStyle(m).display !== "none").length`); marks != 0 {
		t.Errorf("%d marks of a hidden rule are on the board, want none", marks)
	}
	browsertest.Axe(t, ctx)
	if got := eval[string](ctx, t, `document.getElementById("unhide").click(), `+seen); got != "f1,f2" {
		t.Errorf("with no rule hidden %q are shown, want both", got)
	}
}

// TestMeasuring: a point tells how wide the gap or the copper is there, two points how far they are
// apart; both snap to edges of the copper, in what was cut out and on the board as a whole.
func TestMeasuring(t *testing.T) {
	t.Parallel()
	ctx := openGaps(t, 1280)
	eval[bool](ctx, t, `document.getElementById("measure").click(), true`)
	// press clicks so many micrometres from the middle of the first gap.
	press := func(x, y int) string {
		return eval[string](ctx, t, fmt.Sprintf(`(() => {
			const svg = document.getElementById("board"), o = JSON.parse(document.getElementById("places").textContent).origin, m = svg.getScreenCTM();
			const p = new DOMPoint((5.04 - o[0]) * 1000 + %d, (o[1] - 5.5) * 1000 + %d).matrixTransform(m);
			svg.dispatchEvent(new MouseEvent("click", {clientX: p.x, clientY: p.y, bubbles: true}));
			return document.getElementById("measured").textContent;
		})()`, x, y))
	}
	for _, tt := range [][2]string{{"cut out", `document.querySelector("[data-finding]").click(), document.querySelectorAll("#crop .about").length`}, {"drawn", `document.querySelectorAll("#crop *").forEach(e => e.remove()), 1`}} {
		name, near := tt[0], tt[1]
		if eval[int](ctx, t, near) != 1 {
			t.Fatalf("%s: the copper is not shown", name)
		}
		eval[bool](ctx, t, `document.getElementById("measure").click(), document.getElementById("measure").click(), true`)
		if got := press(0, 0); !strings.HasPrefix(got, "The gap is 0.080 mm wide here.") {
			t.Errorf("%s: a point in the gap tells %q, want 0.080 mm", name, got)
		}
		eval[bool](ctx, t, `document.getElementById("measure").click(), document.getElementById("measure").click(), true`)
		if got := press(-43, 0); !strings.HasPrefix(got, "Copper is 0.200 mm") && !strings.HasPrefix(got, "Choose") {
			t.Errorf("%s: a point on copper tells %q, want its width, where both edges are in sight", name, got)
		}
		if got := press(42, 0); got != "Distance 0.080 mm (x 0.080 mm, y 0.000 mm)." {
			t.Errorf("%s: from edge to edge it tells %q, want 0.080 mm", name, got)
		}
		browsertest.Keep(ctx, t, "measured-"+strings.ReplaceAll(name, " ", "-"))
	}
	if left := eval[int](ctx, t, `document.getElementById("measure").click(), document.querySelectorAll("#ruler *").length`); left != 0 {
		t.Errorf("%d parts of what was measured stay when measuring ends", left)
	}
}

// TestLimitsAreDownloaded: the page brings the limits as a file of KiCad's.
func TestLimitsAreDownloaded(t *testing.T) {
	t.Parallel()
	b, d, found := checkSketch(t.Context(), t, fault(t, dfm.Short))
	page := string(write(t.Context(), t, d, b, found).HTML)
	ctx, _ := browsertest.Open(t)
	if err := chromedp.Do(ctx, chromedp.Navigate(serve(t, write(t.Context(), t, d, b, found)))); err != nil {
		t.Fatal(err)
	}
	text := eval[string](ctx, t, `atob(document.querySelector('a[download="fabricator.kicad_dru"]').href.split(",")[1])`)
	if want := fmt.Sprintf("(constraint track_width (min %vmm))", float64(found.Limits.Outer[dfm.TrackWidth].Min)/1e6); !strings.HasPrefix(text, "(version 1)") || !strings.Contains(text, want) {
		t.Errorf("the file of a page of %d bytes is %.300q, want %s", len(page), text, want)
	}
}

// TestPrintReadsLikeAReport: no tools, every place of every finding.
func TestPrintReadsLikeAReport(t *testing.T) {
	t.Parallel()
	ctx := openGaps(t, 800)
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
		t.Fatal(err)
	}
	if shown := eval[string](ctx, t, `[...document.querySelectorAll("button:not([data-finding]):not(.at), input, .hint, .skip")].filter(e => e.offsetParent && e.getBoundingClientRect().width).map(e => e.outerHTML).join()`); shown != "" {
		t.Errorf("in print stay %s", shown)
	}
	if n := eval[int](ctx, t, `[...document.querySelectorAll(".findings details td:nth-child(2)")].filter(e => e.getBoundingClientRect().height > 5).length`); n != 3 {
		t.Errorf("%d places are printed, want all 3", n)
	}
}

// TestNothingIsDeadWithoutScripts: what would do nothing is not there, or is no button.
func TestNothingIsDeadWithoutScripts(t *testing.T) {
	t.Parallel()
	ctx, _ := browsertest.Open(t)
	b, found := gaps(3)
	if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(serve(t, reportOf(t, b, found)))); err != nil {
		t.Fatal(err)
	}
	if dead := eval[string](ctx, t, `[...document.querySelectorAll("button, input")].filter(e => !e.disabled && e.offsetParent).map(e => e.outerHTML).join()`); dead != "" {
		t.Errorf("without scripts these do nothing: %s", dead)
	}
	if text := eval[string](ctx, t, `document.querySelector(".findings").innerText`); !strings.Contains(text, "Without scripts") || !strings.Contains(text, "0.08 mm, limit 0.1 mm") {
		t.Errorf("without scripts the findings read %q", text)
	}
}
