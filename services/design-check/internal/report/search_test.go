package report_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/browsertest"
	"boardorder/services/design-check/internal/report"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// netBoard is a board of 90 by 90 mm: R1 between GND and VCC on top, where a track leads from a pad of
// GND to a plane on the bottom through a via, and a part that the files give no place.
func netBoard() *pcb.Board {
	b, _ := gaps(0)
	b.Nets = []pcb.Net{{}, {Name: "GND"}, {Name: "VCC"}, {Name: "SPARE"}}
	top := b.Layers[0]
	top.Apertures = append(top.Apertures, pcb.Rect(mm, mm))
	bottom := pcb.NewLayer("B.Cu", "")
	bottom.Role, bottom.Side, bottom.Order = pcb.RoleCopper, pcb.Bottom, 2
	b.Layers = append(b.Layers, bottom)
	for i, net := range []int32{1, 2} {
		at := geom.Pt(int64(20+10*i)*mm, 20*mm)
		pin := b.Pin("R1", fmt.Sprint(i+1))
		b.Pins[pin].Net = net
		top.Features = append(top.Features, pcb.Feature{Kind: pcb.FlashFeature, A: at, Shape: 1, Net: net, Pin: pin, Function: pcb.FuncSMDPad})
	}
	top.Features = append(top.Features, pcb.Feature{Kind: pcb.LineFeature, A: geom.Pt(20*mm, 20*mm), B: geom.Pt(20*mm, 40*mm)}) // states no net
	b.Holes = []pcb.Hole{{A: geom.Pt(20*mm, 40*mm), B: geom.Pt(20*mm, 40*mm), Diameter: 300 * um, Plating: pcb.Plated, Function: pcb.FuncViaDrill}}
	bottom.Regions = []geom.Polygon{{Outer: geom.Rect(geom.Box{Min: geom.Pt(10*mm, 30*mm), Max: geom.Pt(60*mm, 60*mm)})}}
	bottom.Features = []pcb.Feature{{Kind: pcb.RegionFeature}}
	b.Component("R2")
	b.Components[0].Value = "10k"
	return b
}

// TestNetsPartsAndPadsAreSearched: what no finding names is found, told with how many there are, and
// shown on the board: the copper of a net through all layers, also where it states no net.
func TestNetsPartsAndPadsAreSearched(t *testing.T) {
	t.Parallel()
	ctx, complaints := browsertest.Open(t)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(serve(t, reportOf(t, netBoard(), &dfm.Report{})))); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ words, count, first, drawn, tells string }{
		{"gnd", "Findings: 0 · nets: 1 · parts: 0 · pads: 0", "GND net, pads: 1", "area beneath,area,track", "GND · net, pads: 1 · F.Cu · B.Cu"},
		{"r1", "Findings: 0 · nets: 0 · parts: 1 · pads: 0", "R1 part, 10k", "place,place line", "R1 · part, 10k"},
		{"10K", "Findings: 0 · nets: 0 · parts: 1 · pads: 0", "R1 part, 10k", "place,place line", "R1 · part, 10k"},
		{"R1-2", "Findings: 0 · nets: 0 · parts: 0 · pads: 1", "R1-2 pad, net VCC", "area,place,place line", "R1-2 · pad, net VCC · F.Cu"},
		{"R1.", "Findings: 0 · nets: 0 · parts: 0 · pads: 2", "R1-1 pad, net GND", "area beneath,area,track,place,place line", "R1-1 · pad, net GND · F.Cu · B.Cu"},
		{"r2", "Findings: 0 · nets: 0 · parts: 1 · pads: 0", "R2 part", "", "R2 · The files do not say where this is."},
		{"spare", "Findings: 0 · nets: 1 · parts: 0 · pads: 0", "SPARE net, pads: 0", "", "SPARE · The files do not say where this is."},
	} {
		search(ctx, t, tt.words)
		await(ctx, t, `document.getElementById("count").textContent === `+fmt.Sprintf("%q", tt.count)+` && document.querySelector("#hits:not([hidden]) button") !== null`)
		if first := eval[string](ctx, t, `document.querySelector("#hits button").textContent`); first != tt.first {
			t.Errorf("%q finds %q first, want %q", tt.words, first, tt.first)
		}
		if err := chromedp.Do(ctx, chromedp.KeyEvent("\r")); err != nil {
			t.Fatal(err)
		}
		await(ctx, t, `document.getElementById("where").textContent === `+fmt.Sprintf("%q", tt.tells)+` && !document.getElementById("spot").hidden`)
		drawn := eval[string](ctx, t, `[...document.querySelectorAll("#found > *")].map(e => e.getAttribute("class")).join()`)
		if drawn != tt.drawn {
			t.Errorf("%q draws %q, want %q", tt.words, drawn, tt.drawn)
		}
		browsertest.Keep(ctx, t, "searched-"+strings.Trim(tt.words, "."))
	}
	search(ctx, t, "gnd")
	browsertest.Axe(t, ctx)
	search(ctx, t, "")
	if left := eval[int](ctx, t, `document.querySelectorAll("#found *, #hits:not([hidden]), .searched").length`); left != 0 {
		t.Errorf("%d parts of a search stay when it is cleared", left)
	}
	for _, c := range complaints() {
		t.Errorf("the browser complains: %s", c)
	}
}

// await waits until something is so; what the search then says is told where it is not.
func await(ctx context.Context, t *testing.T, js string) {
	t.Helper()
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](js, chromedp.WithPollingTimeout(time.Minute))); err != nil {
		t.Fatalf("%s: %v; the search says %s", js, err, eval[string](ctx, t, `document.getElementById("count").textContent + " / " + document.getElementById("hits").textContent + " / " + document.getElementById("where").textContent`))
	}
}

// search types into the search box.
func search(ctx context.Context, t *testing.T, words string) {
	t.Helper()
	eval[bool](ctx, t, fmt.Sprintf(`(() => { const s = document.getElementById("search"); s.focus(); s.value = %q; s.dispatchEvent(new Event("input")); return true })()`, words))
}

// TestSearchByKeyboard: arrows go through what was found and back.
func TestSearchByKeyboard(t *testing.T) {
	t.Parallel()
	ctx, _ := browsertest.Open(t)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(390, 844), chromedp.Navigate(serve(t, reportOf(t, netBoard(), &dfm.Report{})))); err != nil {
		t.Fatal(err)
	}
	search(ctx, t, "r")
	await(ctx, t, `document.querySelectorAll("#hits:not([hidden]) button").length === 3`)
	for _, step := range [][2]string{{kb.ArrowDown, "R1"}, {kb.ArrowDown, "R2"}, {kb.ArrowDown, "SPARE"}, {kb.ArrowDown, "SPARE"}, {kb.ArrowUp, "R2"}, {kb.ArrowUp, "R1"}, {kb.ArrowUp, ""}} {
		if err := chromedp.Do(ctx, chromedp.KeyEvent(step[0])); err != nil {
			t.Fatal(err)
		}
		if at := eval[string](ctx, t, `document.activeElement.matches("#hits button") ? document.activeElement.firstChild.textContent : ""`); at != step[1] {
			t.Errorf("after an arrow the focus is on %q, want %q", at, step[1])
		}
	}
	if !eval[bool](ctx, t, `document.activeElement.id === "search"`) {
		t.Error("above the first that was found is not the search")
	}
}

// TestSearchOfManyNets: of a board of ten thousand nets, their names come in a file that is fetched
// within a second or two, and the copper of one net in another, which is small.
func TestSearchOfManyNets(t *testing.T) {
	t.Parallel()
	b, _ := gaps(0)
	l := b.Layers[0]
	for i := range 10_000 {
		net := b.Net(fmt.Sprintf("/sheet%d/NET_%05d", i/100, i))
		pin := b.Pin(fmt.Sprintf("U%d", i/40), fmt.Sprint(i%40))
		b.Pins[pin].Net = net
		at := geom.Pt(int64(i%100)*mm*9/10, int64(i/100)*mm*9/10)
		l.Features = append(l.Features,
			pcb.Feature{Kind: pcb.FlashFeature, A: at, Net: net, Pin: pin},
			pcb.Feature{Kind: pcb.LineFeature, A: at, B: at.Add(geom.Pt(mm/2, 0)), Net: net})
	}
	found := reportOf(t, b, &dfm.Report{}).Search
	if n := wireSize(t, found.Index); n > maxOnTheWire {
		t.Errorf("names take %d bytes, want %d at most", n, maxOnTheWire)
	}
	nets := 0
	for i, file := range found.Nets {
		var got map[int][]json.RawMessage
		if err := json.Unmarshal(file, &got); err != nil {
			t.Fatalf("file %d: %v", i, err)
		}
		nets += len(got)
		if n := wireSize(t, file); n > 60_000 {
			t.Errorf("file %d of nets takes %d bytes, want 60000 at most", i, n)
		}
	}
	if nets != 10_000 || len(found.Nets) > report.MaxNetFiles {
		t.Errorf("%d nets in %d files, want all 10000 in %d at most", nets, len(found.Nets), report.MaxNetFiles)
	}
}
