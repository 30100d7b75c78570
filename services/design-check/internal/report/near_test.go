package report_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync/atomic"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/browsertest"
	"boardorder/pkg/contract/designchecks"
	"boardorder/services/design-check/internal/report"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

const um, mm = geom.Micrometre, geom.Millimetre

// serve serves a report as the edge does: in a sandbox, with all places beside it.
func serve(t *testing.T, pages report.Pages) (address string) {
	t.Helper()
	return serveAll(t, map[string]report.Pages{"/": pages}) + "/report.html"
}

// makingFolder is of a report that is still being made when it is first asked for.
const makingFolder = "/making/"

// serveAll serves reports, each below a folder; it gives the address of all.
func serveAll(t *testing.T, reports map[string]report.Pages) (base string) {
	t.Helper()
	policy := designchecks.DesignCheck{ReportPolicy: report.Policy()}.PagePolicy()
	var made atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		folder, name := path.Split(r.URL.Path)
		pages, known := reports[folder]
		if !known {
			w.WriteHeader(http.StatusNotFound) // no favicon
			return
		}
		body := pages.HTML
		switch name {
		case "report.html":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Security-Policy", policy)
			w.Header().Set("Access-Control-Allow-Origin", "*")
			if folder == makingFolder && !made.Swap(true) {
				w.WriteHeader(http.StatusAccepted)
				return
			}
		case "places.json":
			w.Header().Set("Access-Control-Allow-Origin", "*")
			body = pages.Places
		default:
			w.Header().Set("Access-Control-Allow-Origin", "*")
			if body = searchFile(pages, name); body == nil {
				w.WriteHeader(http.StatusNotFound)
				return
			}
		}
		w.Header().Set("Content-Encoding", "gzip")
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		if _, err := z.Write(body); err != nil {
			t.Error(err)
		}
		if err := z.Close(); err != nil {
			t.Error(err)
		}
		if _, err := w.Write(packed.Bytes()); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// searchFile is a file of what is searched; nil where there is none of the name.
func searchFile(pages report.Pages, name string) []byte {
	if name == designchecks.SearchName && len(pages.Search.Index) > 0 {
		return pages.Search.Index
	}
	for i, file := range pages.Search.Nets {
		if name == designchecks.NetsName(i) {
			return file
		}
	}
	return nil
}

// gaps is a board of 90 by 90 mm with so many gaps of 80 µm and more between tracks, the
// narrowest first.
func gaps(n int) (*pcb.Board, *dfm.Report) {
	b := pcb.NewBoard("gaps")
	box := geom.Box{Max: geom.Pt(90*mm, 90*mm)}
	b.Outline.Areas = []geom.Polygon{{Outer: geom.Rect(box)}}
	b.Nets = []pcb.Net{{}, {Name: "SDA"}, {Name: "SCL"}}
	l := pcb.NewLayer("F.Cu", "")
	l.Role, l.Side, l.Order = pcb.RoleCopper, pcb.Top, 1
	l.Apertures = []pcb.Aperture{pcb.Circle(200 * um)}
	f := dfm.Finding{Check: dfm.TrackClearance, Level: dfm.MustFix, What: "gaps", Limit: 100 * um, Value: 80 * um, Count: n}
	track := func(net int32, x, y int64) {
		l.Features = append(l.Features, pcb.Feature{Kind: pcb.LineFeature, A: geom.Pt(x, y), B: geom.Pt(x, y+mm), Net: net})
	}
	for i := range int64(n) {
		x, y, gap := 5*mm+i%9*9*mm, 5*mm+i/9*5*mm, 80*um+i*100
		track(1, x-100*um, y)
		track(2, x+gap+100*um, y)
		f.Places = append(f.Places, dfm.Place{
			Layer: "F.Cu", At: geom.Pt(x, y+mm/2), To: geom.Pt(x+gap, y+mm/2), Value: gap, Distance: true, Nets: [2]string{"SDA", "SCL"},
		})
	}
	b.Layers = append(b.Layers, l)
	return b, &dfm.Report{Findings: []dfm.Finding{f}}
}

// short is a board of 90 by 90 mm with two tracks that cross.
func short() (*pcb.Board, *dfm.Report) {
	b, _ := gaps(0)
	l := b.Layers[0]
	at := geom.Pt(45*mm, 45*mm)
	l.Features = []pcb.Feature{
		{Kind: pcb.LineFeature, A: at.Add(geom.Pt(-20*mm, 0)), B: at.Add(geom.Pt(20*mm, 0)), Net: 1},
		{Kind: pcb.LineFeature, A: at.Add(geom.Pt(0, -20*mm)), B: at.Add(geom.Pt(0, 20*mm)), Net: 2},
	}
	return b, &dfm.Report{Findings: []dfm.Finding{{Check: dfm.Short, Level: dfm.MustFix, What: "short", Count: 1, Places: []dfm.Place{
		{Layer: "F.Cu", At: at, To: at, Nets: [2]string{"SDA", "SCL"}, Pieces: [2]dfm.Piece{{Layer: 1}, {Layer: 1, Item: 1}}},
	}}}}
}

func reportOf(t *testing.T, b *pcb.Board, found *dfm.Report) report.Pages {
	t.Helper()
	d := designchecks.DesignCheck{Board: b.Name, CopperOz: 1, ThicknessMM: 1.6, Status: designchecks.MustFix}
	d.Findings, d.MoreFindings = report.List(report.Findings(found))
	return write(t.Context(), t, d, b, found)
}

const where = `document.getElementById("where").textContent`

// TestFaultFillsAThirdOfTheWindow: a click on a finding shows a gap of 80 µm of a board of 90 by
// 90 mm large, between edges where the copper has them, on windows of all widths.
func TestFaultFillsAThirdOfTheWindow(t *testing.T) {
	t.Parallel()
	ctx, complaints := browsertest.Open(t)
	b, found := gaps(3)
	address := serve(t, reportOf(t, b, found))
	for _, width := range []int64{320, 390, 768, 1280, 1920} {
		for _, scheme := range []string{"light", "dark"} {
			name := fmt.Sprintf("%d %s", width, scheme)
			prefer(ctx, t, scheme)
			if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(address)); err != nil {
				t.Fatal(err)
			}
			got := eval[[]float64](ctx, t, `(() => {
				document.querySelector("[data-finding]").click();
				const line = document.querySelector("#arrow .line"), svg = document.getElementById("board"), crop = document.querySelector("#crop svg");
				const copper = crop.querySelector(".about"), k = 10; // steps of a crop in a micrometre
				const x = 5000 - Number(crop.getAttribute("x")) + left(), y = crop.viewBox.baseVal.height / 2;
				function left() { return -JSON.parse(document.getElementById("places").textContent).origin[0] * 1000; }
				const inside = x => Number(copper.isPointInFill(new DOMPoint(x * k, y)));
				return [line.getBoundingClientRect().width / Math.min(svg.clientWidth, svg.clientHeight), inside(x - 1), inside(x + 1), inside(x + 79), inside(x + 81)];
			})()`)
			if got[0] < 0.28 || got[0] > 0.4 {
				t.Errorf("%s: the gap fills %.2f of the window, want about a third", name, got[0])
			}
			if got[1] != 1 || got[2] != 0 || got[3] != 0 || got[4] != 1 {
				t.Errorf("%s: copper 1 µm before the gap %v, after its begin %v, before its end %v, behind it %v; want 1 0 0 1", name, got[1], got[2], got[3], got[4])
			}
			if w := eval[string](ctx, t, where); !strings.Contains(w, "Place 1 of 3, the worst · F.Cu · 0.08 mm, limit 0.1 mm") || !strings.Contains(w, "SDA · SCL") {
				t.Errorf("%s: the place is described as %q", name, w)
			}
			if l := eval[string](ctx, t, `document.querySelector("#arrow text").textContent`); l != "0.08 mm (limit 0.1 mm)" {
				t.Errorf("%s: the arrow says %q, want value and limit", name, l)
			}
			if wide := eval[int](ctx, t, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
				t.Errorf("%s: the page is %d pixels too wide", name, wide)
			}
			browsertest.Axe(t, ctx)
			browsertest.Keep(ctx, t, "near-"+strings.ReplaceAll(name, " ", "-"))
		}
	}
	for _, c := range complaints() {
		t.Errorf("the browser complains: %s", c)
	}
}

func prefer(ctx context.Context, t *testing.T, scheme string) {
	t.Helper()
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	if err != nil {
		t.Fatal(err)
	}
}

// TestAllPlacesAreReached: places that the page does not bring with it are fetched when
// somebody comes to them, with the copper round them, under the policy that pages are served by.
func TestAllPlacesAreReached(t *testing.T) {
	t.Parallel()
	ctx, complaints := browsertest.Open(t)
	b, found := gaps(30)
	address := serve(t, reportOf(t, b, found))
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(address+"#f1")); err != nil {
		t.Fatal(err)
	}
	await := func(place string) {
		t.Helper()
		const seen = `new Promise(done => { const look = () => %s.startsWith(%q) && document.querySelector("#crop .about") ? done(true) : requestAnimationFrame(look); look(); })`
		if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](fmt.Sprintf(seen, where, place), chromedp.EvalAwaitPromise)); err != nil {
			t.Fatalf("%s is not shown: %v", place, err)
		}
	}
	await("Place 1 of 30, the worst")
	press := func(by string) { eval[bool](ctx, t, `document.querySelector('[data-place="`+by+`"]').click(), true`) }
	press("1")
	await("Place 2 of 30 · ")
	press("-1")
	press("-1")
	await("Place 30 of 30 · F.Cu · 0.083 mm")
	press("1")
	await("Place 1 of 30, the worst")
	if gone := eval[bool](ctx, t, `document.getElementById("everywhere").click(), document.getElementById("spot").hidden && document.querySelectorAll("#crop *").length === 0`); !gone {
		t.Error("all places are shown from near, want the board")
	}
	for _, c := range complaints() {
		t.Errorf("the browser complains: %s", c)
	}
}

// TestShortIsShownInTwoColours: the copper of both nets, the bridge between them, and what
// each is called.
func TestShortIsShownInTwoColours(t *testing.T) {
	t.Parallel()
	ctx, _ := browsertest.Open(t)
	b, found := short()
	address := serve(t, reportOf(t, b, found))
	for _, width := range []int64{390, 1280} {
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 844), chromedp.Navigate(address+"#f1")); err != nil {
			t.Fatal(err)
		}
		colours := eval[[]string](ctx, t, `[".a", ".b", ".bridge"].map(c => getComputedStyle(document.querySelector("#crop " + c)).fill)`)
		if len(colours) != 3 || colours[0] == colours[1] || colours[1] == colours[2] || colours[0] == colours[2] {
			t.Errorf("at %d px the nets and their bridge are %v, want three colours", width, colours)
		}
		names := eval[string](ctx, t, `[...document.querySelectorAll("#where .net")].map(n => n.className + "=" + n.textContent).join(", ")`)
		if want := "net a=SDA, net b=SCL, net bridge=where they meet"; names != want {
			t.Errorf("at %d px the legend is %q, want %q", width, names, want)
		}
		seen := eval[float64](ctx, t, `(() => { const r = document.querySelector("#crop .bridge").getBoundingClientRect(), s = document.getElementById("board"); return r.width / Math.min(s.clientWidth, s.clientHeight) })()`)
		if seen < 0.1 || math.IsNaN(seen) {
			t.Errorf("at %d px the bridge fills %.2f of the window, want to see it", width, seen)
		}
		browsertest.Axe(t, ctx)
		browsertest.Keep(ctx, t, fmt.Sprintf("short-%d", width))
	}
}
