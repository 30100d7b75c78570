package edge_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"boardorder/pkg/browsertest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
)

// TestCardInABrowser: alone it fits from 280 pixels on, in both sets of colours and without complaints; on a page of
// another site, as the snippets put it there, the button is seen, and a click on the card leads the whole window to the board.
func TestCardInABrowser(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.uploadID()
	at := w.putBuyLink()
	read := boards.ReadFiles{Digest: "d", Reader: "r", ReadAt: w.now(), Boards: []boards.Board{{
		Name: "lamp", Top: "pictures/board.png", Facts: map[string]boards.Fact{"layers": {Value: 4.0}, "width_mm": {Value: 62.5}, "height_mm": {Value: 40.0}},
	}}}
	w.put(contract.BoardAggregate, "d", read)
	ctx, complaints := browsertest.Open(t)
	for i, query := range []string{"", "?lang=de", "?lang=ja"} {
		for _, width := range []int64{280, 320, 480} {
			scheme := []string{"light", "dark"}[i%2]
			if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}); err != nil {
				t.Fatal(err)
			}
			if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 400), chromedp.Navigate(at+"/card"+query)); err != nil {
				t.Fatal(err)
			}
			seen, err := chromedp.Run(ctx, chromedp.Evaluate[[]int64](`[document.documentElement.scrollWidth, document.querySelector(".board").naturalWidth, getComputedStyle(document.querySelector("main")).display == "flex" ? 1 : 0]`))
			if err != nil || seen[0] > width || seen[1] == 0 || seen[2] != 1 {
				t.Errorf("the card %s in a window of %d: %v, %v; want its width within, a picture, and its own style", query, width, seen, err)
			}
			browsertest.Fits(t, ctx, fmt.Sprintf("card %s %d", query, width))
			browsertest.Axe(t, ctx)
			browsertest.Keep(ctx, t, fmt.Sprintf("card-%d%s-%s", width, strings.TrimPrefix(query, "?lang="), scheme))
		}
	}
	reply := w.post("/v1/buy-links", fmt.Sprintf(`{"upload_id":%q}`, w.uploadID())).json(t)
	snippets, _ := reply["snippets"].(map[string]any)
	here, _ := reply["buy_url"].(string)
	page := strings.ReplaceAll(fmt.Sprint(snippets["html"], "<br>", snippets["card"]), here, at)
	theirs := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		io.WriteString(rw, "<!doctype html><title>A shop</title><link rel=icon href=data:,>"+page+`<script>document.querySelector("iframe").onload = () => document.body.id = "framed"</script>`) //nolint:errcheck // the test sees what is missing
	}))
	defer theirs.Close()
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(400, 600), chromedp.Navigate(theirs.URL), chromedp.WaitReady("#framed")); err != nil {
		t.Fatal(err)
	}
	wide, err := chromedp.Run(ctx, chromedp.Evaluate[int](`document.querySelector("img").naturalWidth`))
	if err != nil || wide < 200 {
		t.Errorf("the button on another page is %d wide, %v; want it seen", wide, err)
	}
	browsertest.Keep(ctx, t, "card-framed")
	if _, err := chromedp.Run(ctx, chromedp.CaptureScreenshot()); err != nil { // the frame is drawn before it is clicked
		t.Fatal(err)
	}
	frame, err := chromedp.Run(ctx, chromedp.Evaluate[[]float64](`(r => [r.left + r.width / 2, r.bottom])(document.querySelector("iframe").getBoundingClientRect())`))
	if err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.MouseClickXY(frame[0], frame[1]-74), chromedp.WaitVisible("#buy")); err != nil {
		t.Fatalf("a click on the card of\n%s\ndoes not lead to its board: %v", page, err)
	}
	where, err := chromedp.Run(ctx, chromedp.Location())
	if err != nil || where != at {
		t.Errorf("the card leads to %s, %v; want %s", where, err, at)
	}
	if c := complaints(); len(c) > 0 {
		t.Errorf("the pages complain: %v", c)
	}
}
