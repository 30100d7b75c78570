package report_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/browsertest"
	"boardorder/services/design-check/internal/report"

	"github.com/chromedp/chromedp"
)

// compareWith opens a report and compares it with an earlier one that was saved.
func compareWith(t *testing.T, ctx context.Context, now report.Pages, earlier []byte) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "earlier.html")
	if err := os.WriteFile(file, earlier, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(serve(t, now)), chromedp.SetUploadFiles(`#compare [name=page]`, []string{file})); err != nil {
		t.Fatal(err)
	}
	eval[bool](ctx, t, `document.getElementById("compare").open = true, document.querySelector("#compare [data-compare]").click(), true`)
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](settled, chromedp.WithPollingTimeout(0))); err != nil {
		t.Fatal(err)
	}
}

const (
	compared = `document.querySelector("#compare [role=status]").textContent`
	settled  = `!["", "Comparing …"].includes(document.querySelector("#compare [role=status]").textContent)`
	changed  = `[...document.querySelectorAll("#compare tbody tr")].map(r => [...r.cells].map(c => c.textContent).join(" | ")).join("\n")`
)

// move shifts all of a board.
func move(b *pcb.Board, dx, dy int64) {
	by := geom.Pt(dx, dy)
	for i := range b.Outline.Areas {
		for j, p := range b.Outline.Areas[i].Outer.Points {
			b.Outline.Areas[i].Outer.Points[j] = p.Add(by)
		}
	}
	for _, l := range b.Layers {
		for i := range l.Features {
			l.Features[i].A, l.Features[i].B = l.Features[i].A.Add(by), l.Features[i].B.Add(by)
		}
	}
}

// TestChangesAreShown: against an earlier report the page lists, by layer, where copper was added
// and removed, and how much of it, also where the board was moved as a whole.
func TestChangesAreShown(t *testing.T) {
	t.Parallel()
	now, found := gaps(3)
	l := now.Layers[0]
	l.Features = append(l.Features, pcb.Feature{Kind: pcb.LineFeature, A: geom.Pt(60*mm, 60*mm), B: geom.Pt(70*mm, 60*mm)})
	page := reportOf(t, now, found)
	for name, tt := range map[string]struct {
		edit       func(*pcb.Board)
		said, rows string
	}{
		"nothing":          {func(b *pcb.Board) { b.Layers[0].Features = append(b.Layers[0].Features, l.Features[len(l.Features)-1]) }, "Nothing differs from “gaps”.", ""},
		"added":            {func(*pcb.Board) {}, "1 place differs from “gaps”.", "F.Cu | 2.0"},
		"moved as a whole": {func(b *pcb.Board) { move(b, 7*mm, -3*mm) }, "1 place differs from “gaps”. The board was moved as a whole", "F.Cu | 2.0"},
		"removed": {func(b *pcb.Board) {
			b.Layers[0].Features = append(b.Layers[0].Features, l.Features[len(l.Features)-1], pcb.Feature{Kind: pcb.LineFeature, A: geom.Pt(20*mm, 80*mm), B: geom.Pt(20*mm, 85*mm)})
		}, "1 place differs from “gaps”.", "F.Cu | 0.00 mm² | 1.0"},
		"a layer": {func(b *pcb.Board) {
			b.Layers[0].Features = append(b.Layers[0].Features, l.Features[len(l.Features)-1])
			second := pcb.NewLayer("B.Cu", "")
			second.Role, second.Side, second.Order, second.Apertures = pcb.RoleCopper, pcb.Bottom, 2, l.Apertures
			second.Features = []pcb.Feature{{Kind: pcb.LineFeature, A: geom.Pt(20*mm, 20*mm), B: geom.Pt(30*mm, 20*mm)}}
			b.Layers = append(b.Layers, second)
		}, "1 place differs from “gaps”.", "B.Cu (only in the earlier one) | 0.00 mm² | 2.0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			earlier, before := gaps(3)
			tt.edit(earlier)
			ctx, complaints := browsertest.Open(t)
			compareWith(t, ctx, page, reportOf(t, earlier, before).HTML)
			if said := eval[string](ctx, t, compared); !strings.HasPrefix(said, tt.said) {
				t.Errorf("the page says %q, want %q", said, tt.said)
			}
			if rows := eval[string](ctx, t, changed); !strings.HasPrefix(rows, tt.rows) || tt.rows == "" && rows != "" || strings.Contains(rows, "\n") {
				t.Errorf("the page lists %q, want one row that begins %q", rows, tt.rows)
			}
			browsertest.Keep(ctx, t, "compare-"+strings.ReplaceAll(name, " ", "-"))
			browsertest.Axe(t, ctx)
			for _, c := range complaints() {
				t.Errorf("the browser complains: %s", c)
			}
		})
	}
}

// TestEarlierReportIsFetched: by its address, as long as it is kept; what is no address is said.
func TestEarlierReportIsFetched(t *testing.T) {
	t.Parallel()
	earlier, before := gaps(3)
	now, found := gaps(3)
	now.Layers[0].Features = now.Layers[0].Features[1:]
	address := serve(t, reportOf(t, now, found))
	ctx, _ := browsertest.Open(t)
	for _, tt := range []struct{ address, want string }{
		{serve(t, reportOf(t, earlier, before)), "cannot be fetched"}, // of another service
		{address, "Nothing differs"},
		{strings.Replace(address, "report.html", "nothing/report.html", 1), "cannot be fetched"},
		{strings.Replace(address, "report.html", "places.json", 1), "ends in /report.html"},
		{"what is this", "no address"},
	} {
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(390, 844), chromedp.Navigate(address), chromedp.SetValue(`#compare [name=address]`, tt.address)); err != nil {
			t.Fatal(err)
		}
		eval[bool](ctx, t, `document.getElementById("compare").open = true, document.querySelector("#compare [data-compare]").click(), true`)
		if _, err := chromedp.Run(ctx, chromedp.Poll[bool](settled, chromedp.WithPollingTimeout(0))); err != nil {
			t.Fatal(err)
		}
		if said := eval[string](ctx, t, compared); !strings.Contains(said, tt.want) {
			t.Errorf("compared with %q the page says %q, want %q", tt.address, said, tt.want)
		}
	}
	browsertest.Keep(ctx, t, "compare-phone")
}

// TestLinkNamesTheEarlierReport: a link compares at once, once both are made; another service's
// report is fetched at a person's word only.
func TestLinkNamesTheEarlierReport(t *testing.T) {
	t.Parallel()
	earlier, before := gaps(3)
	now, found := gaps(3)
	now.Layers[0].Features = append(now.Layers[0].Features, pcb.Feature{Kind: pcb.LineFeature, A: geom.Pt(60*mm, 60*mm), B: geom.Pt(70*mm, 60*mm)})
	then := reportOf(t, earlier, before)
	base, elsewhere := serveAll(t, map[string]report.Pages{"/now/": reportOf(t, now, found), makingFolder: then}), serve(t, then)
	ctx, complaints := browsertest.Open(t)
	open := func(linked string) {
		t.Helper()
		link := base + "/now/report.html?" + url.QueryEscape(linked) + "#" + url.Values{"earlier": {linked}}.Encode()
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(link)); err != nil {
			t.Fatal(err)
		}
	}
	open(base + makingFolder + "report.html")
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](settled, chromedp.WithPollingTimeout(0))); err != nil {
		t.Fatal(err)
	}
	if said := eval[string](ctx, t, compared); !strings.Contains(said, "1 place differs") {
		t.Errorf("the page says %q, want one place that differs", said)
	}
	browsertest.Keep(ctx, t, "compare-linked")
	for _, linked := range []string{elsewhere, "//elsewhere.example/report.html", "javascript:alert(1)", ":"} {
		open(linked)
		if said := eval[string](ctx, t, compared); said != "" {
			t.Errorf("a link to %s: the page says %q, want nothing before somebody asks", linked, said)
		}
	}
	for _, c := range complaints() {
		t.Errorf("the browser complains: %s", c)
	}
}

// denseBoard is a board of so many copper layers that a page cannot bring all of them.
func denseBoard() *pcb.Board {
	b := pcb.NewBoard("crowded")
	b.Outline.Areas = []geom.Polygon{{Outer: geom.Rect(geom.Box{Max: geom.Pt(90*mm, 90*mm)})}}
	random := rand.New(rand.NewPCG(1, 2))
	at := func() geom.Point { return geom.Pt(1*mm+random.Int64N(88*mm), 1*mm+random.Int64N(88*mm)) }
	for i := range 12 {
		l := pcb.NewLayer(fmt.Sprintf("L%d", i+1), "")
		l.Role, l.Side, l.Order, l.Apertures = pcb.RoleCopper, pcb.Inner, i+1, []pcb.Aperture{pcb.Circle(200 * um)}
		switch i {
		case 0:
			l.Side = pcb.Top
		case 11:
			l.Side = pcb.Bottom
		}
		for range 3000 {
			from := at()
			l.Features = append(l.Features, pcb.Feature{Kind: pcb.LineFeature, A: from, B: from.Add(geom.Pt(random.Int64N(mm), random.Int64N(mm)))})
		}
		b.Layers = append(b.Layers, l)
	}
	return b
}

// TestLayersBesideThePage: layers for which a page has no room are fetched once they are wanted,
// and compared; a saved page says which it cannot compare.
func TestLayersBesideThePage(t *testing.T) {
	t.Parallel()
	now, earlier := denseBoard(), denseBoard()
	for i := range now.Layers {
		now.Layers[i].Features = append(now.Layers[i].Features, pcb.Feature{Kind: pcb.LineFeature, A: geom.Pt(0, 89*mm), B: geom.Pt(80*mm, 89*mm)})
	}
	then := reportOf(t, earlier, &dfm.Report{})
	base := serveAll(t, map[string]report.Pages{"/now/": reportOf(t, now, &dfm.Report{}), "/then/": then})
	ctx, complaints := browsertest.Open(t)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(base+"/now/report.html")); err != nil {
		t.Fatal(err)
	}
	const late, drawn = `document.querySelectorAll("[data-late]").length`, `document.querySelectorAll("#world > .layer").length`
	if n := eval[int](ctx, t, late); n < 2 || n > 10 {
		t.Fatalf("%d layers lie beside the page, want some of 12", n)
	}
	eval[bool](ctx, t, `document.querySelector('[data-preset="copper"]').click(), true`)
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](late+" === 0", chromedp.WithPollingTimeout(0))); err != nil {
		t.Fatal(err)
	}
	if n := eval[int](ctx, t, drawn); n != 12 {
		t.Errorf("%d layers are drawn, want 12", n)
	}
	browsertest.Keep(ctx, t, "report-all-copper")
	if err := chromedp.Do(ctx, chromedp.Navigate(base+"/now/report.html?again"), chromedp.SetValue(`#compare [name=address]`, base+"/then/report.html")); err != nil {
		t.Fatal(err)
	}
	eval[bool](ctx, t, `document.getElementById("compare").open = true, document.querySelector("#compare [data-compare]").click(), true`)
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](settled, chromedp.WithPollingTimeout(0))); err != nil {
		t.Fatal(err)
	}
	said, rows := eval[string](ctx, t, compared), strings.Count(eval[string](ctx, t, changed), "\n")+1
	if !strings.Contains(said, "differ from") || rows != 12 || strings.Contains(said, "Not compared") {
		t.Errorf("by its address: %q, %d layers, want all 12 to differ", said, rows)
	}
	compareWith(t, ctx, reportOf(t, now, &dfm.Report{}), then.HTML)
	if said := eval[string](ctx, t, compared); !strings.Contains(said, "Not compared, for a saved page does not have them: L") {
		t.Errorf("as it was saved: %q, want the layers that are not compared", said)
	}
	for _, c := range complaints() {
		t.Errorf("the browser complains: %s", c)
	}
}

// TestEarlierPageIsNoScript: what is compared with may be anybody's page; of it come shapes alone.
func TestEarlierPageIsNoScript(t *testing.T) {
	t.Parallel()
	b, found := gaps(3)
	page := reportOf(t, b, found)
	for name, tt := range map[string]struct{ old, new, want string }{
		"script":     {`<g id="world">`, `<g id="world"><g class="layer" data-of="1"><script>document.title = "taken"</script><foreignObject><p>taken</p></foreignObject><image href="https://example.com/x.png" onload="document.title='taken'"/></g>`, "place"},
		"no data":    {`id="places"`, `id="nowhere"`, "This is no report with a drawing."},
		"bad origin": {`"origin":[`, `"origin":["x",`, "This is no report with a drawing."},
		"no JSON":    {`{"origin"`, `{{"origin"`, "This is no report with a drawing."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, _ := browsertest.Open(t)
			text := strings.Replace(string(page.HTML), tt.old, tt.new, 1)
			if text == string(page.HTML) {
				t.Fatalf("the page has no %q", tt.old)
			}
			compareWith(t, ctx, page, []byte(text))
			if said := eval[string](ctx, t, compared); !strings.Contains(said, tt.want) {
				t.Errorf("the page says %q, want %q", said, tt.want)
			}
			if title := eval[string](ctx, t, `document.title + document.querySelectorAll("#changes script, #changes foreignObject, #changes [onload], #changes [href^=http]").length`); strings.Contains(title, "taken") || !strings.HasSuffix(title, "0") {
				t.Errorf("the earlier page left %q", title)
			}
		})
	}
}
