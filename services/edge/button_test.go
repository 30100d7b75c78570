package edge_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/quotes"
)

// readSVG reads an SVG: its title, and the texts that it shows.
func readSVG(t *testing.T, a answer) (title string, texts []string) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(a.body))
	in := ""
	for {
		token, err := d.Token()
		if err == io.EOF {
			return title, texts
		}
		if err != nil {
			t.Fatalf("%d %s is no SVG: %v", a.status, a.body, err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			in = token.Name.Local
		case xml.EndElement:
			in = ""
		case xml.CharData:
			switch in {
			case "title":
				title += string(token)
			case "text":
				texts = append(texts, string(token))
			}
		}
	}
}

// TestButtonShowsThePriceOfTheHour: one price is made in an hour, whoever asks; what cannot be made anew is shown with its
// day for a day, and never after the board was refused or is no longer offered.
func TestButtonShowsThePriceOfTheHour(t *testing.T) {
	t.Parallel()
	w := start(t)
	hour := time.Now().UTC().Truncate(time.Hour).Add(24 * time.Hour)
	at := strings.TrimPrefix(w.putBuyLink(), w.url) + "/button.svg"
	closed := time.Now()
	w.put(contract.BuyLinkAggregate, "bl_closed", buylinks.BuyLink{ID: "bl_closed", Account: account, ClosedAt: &closed})
	away, gone := contract.Refuse(contract.PriceUnavailable, "Later."), contract.Refuse(contract.DesignFiles, "Not these.")
	asked := 0
	for _, step := range []struct {
		name   string
		after  time.Duration
		refuse *contract.Refusal
		asks   int // commands more
		want   string
	}{
		{"the first", 5 * time.Minute, nil, 1, "10 boards · $123.45"},
		{"later in the hour, whatever has happened since", 50 * time.Minute, gone, 0, "10 boards · $123.45"},
		{"the next hour, without an answer", 65 * time.Minute, away, 1, "10 boards · $123.45 · " + hour.Format("2 Jan")},
		{"once in that hour", 100 * time.Minute, nil, 0, "10 boards · $123.45 · " + hour.Format("2 Jan")},
		{"refused for good", 125 * time.Minute, gone, 1, "No price just now"},
		{"again without an answer", 185 * time.Minute, away, 1, "No price just now"},
		{"and priced again", 245 * time.Minute, nil, 1, "10 boards · $123.45"},
		{"23 hours later", 27 * time.Hour, away, 1, "10 boards · $123.45 · " + hour.Format("2 Jan")},
		{"more than a day later", 30 * time.Hour, away, 1, "No price just now"},
	} {
		w.stopAt(hour.Add(step.after))
		w.set(func() { w.refuse = step.refuse })
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { w.visit("GET", at, nil) })
		}
		all.Wait()
		a := w.visit("GET", at, nil)
		_, texts := readSVG(t, a)
		if got := strings.Join(texts, "|"); a.status != http.StatusOK || got != "Order this board|"+step.want {
			t.Errorf("%s: %d %q, want %q", step.name, a.status, got, "Order this board|"+step.want)
		}
		asked += step.asks
		if got := len(w.commandsOf(quotes.Price)); got != asked {
			t.Errorf("%s: prices were asked for %d times by now, want %d", step.name, got, asked)
			asked = got
		}
	}
	if title, texts := readSVG(t, w.visit("GET", "/buy/bl_closed/button.svg", nil)); title != "This board is no longer offered." || strings.Join(texts, "|") != "No longer offered" {
		t.Errorf("the button of a link that was closed: %q %q, want that the board is no longer offered", title, texts)
	}
	if a := w.visit("GET", "/buy/bl_none/button.svg", nil); a.status != http.StatusNotFound {
		t.Errorf("the button of no link: %d %s, want 404", a.status, a.body)
	}
	if n := len(w.commandsOf(quotes.Price)); n != asked {
		t.Errorf("links that are not open had prices asked for: %d, want %d", n, asked)
	}
}

// TestAnotherEdgeFindsThePrice: an edge that begins within the hour, or a day later at most, asks for nothing that is there.
func TestAnotherEdgeFindsThePrice(t *testing.T) {
	t.Parallel()
	w := start(t)
	hour := time.Now().UTC().Truncate(time.Hour).Add(24 * time.Hour)
	path := strings.TrimPrefix(w.putBuyLink(), w.url) + "/button.svg"
	w.stopAt(hour)
	w.visit("GET", path, nil)
	w.open()
	for _, step := range []struct {
		after time.Duration
		asks  int
		want  string
	}{{time.Minute, 1, "10 boards · $123.45"}, {23*time.Hour + 30*time.Minute, 2, "10 boards · $123.45 · " + hour.Format("2 Jan")}} {
		w.stopAt(hour.Add(step.after))
		w.set(func() { w.refuse = contract.Refuse(contract.PriceUnavailable, "Later.") })
		_, texts := readSVG(t, w.visit("GET", path, nil))
		if got, n := strings.Join(texts[1:], "|"), len(w.commandsOf(quotes.Price)); got != step.want || n != step.asks {
			t.Errorf("after %v: %q, asked %d times; want %q, %d", step.after, got, n, step.want, step.asks)
		}
	}
}

// TestButtonsLeaveLookersTheirPrices: buttons of an account's links take half of what its links may show in a day, and no more.
func TestButtonsLeaveLookersTheirPrices(t *testing.T) {
	t.Parallel()
	w := start(t, func(c *edgeConfig) { c.DailyQuotas = map[string]int{"link-quotes-day": 6} })
	w.uploadID()
	w.stopAt(time.Now())
	priced := 0
	for i := range 6 {
		id := fmt.Sprintf("bl_%d", i)
		w.put(contract.BuyLinkAggregate, id, buylinks.BuyLink{ID: id, Account: account, Key: w.key.ID, Upload: "gone", Digest: "d"})
		if _, texts := readSVG(t, w.visit("GET", "/buy/"+id+"/button.svg", nil)); strings.Contains(texts[1], "$") {
			priced++
		} else if texts[1] != "No price just now" {
			t.Errorf("button %d: %q, want a price or that there is none", i, texts)
		}
	}
	if n := len(w.commandsOf(quotes.Price)); priced != 3 || n != 3 {
		t.Errorf("%d of 6 buttons have a price, by %d requests; want 3", priced, n)
	}
}

// TestButtonsAndCardsMayStandElsewhere: what stands on pages of others says for how long, needs no cookie and may be framed
// if it is a card; every other page refuses frames.
func TestButtonsAndCardsMayStandElsewhere(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.uploadID()
	at := strings.TrimPrefix(w.putBuyLink(), w.url)
	w.visit("GET", at+"/button.svg", nil)
	for path, want := range map[string][]string{
		"/button.svg":                       {"image/svg+xml", "Order this board: 10 boards for $123.45, delivered to Germany<"},
		"/button.svg?lang=de":               {"image/svg+xml", "Diese Platine bestellen"},
		"/button.svg?lang=%3Cscript%3E":     {"image/svg+xml", "Order this board"},
		"/button.svg?currency=%22%3E%3Cb":   {"image/svg+xml", "$123.45"},
		"/card":                             {"text/html; charset=utf-8", "Desk lamp", "$123.45", `target="_top"`, `href="` + w.url + at + `"`},
		"/card?lang=de&currency=%27%3E%3Cb": {"text/html; charset=utf-8", `lang="de"`, `href="` + w.url + at + `?lang=de"`},
	} {
		a := w.get(at+path, "X-API-Key", "", "Cookie", "lang=ja", "Accept-Language", "en")
		for _, text := range want[1:] {
			if a.status != http.StatusOK || a.header.Get("Content-Type") != want[0] || !strings.Contains(string(a.body), text) {
				t.Errorf("GET %s: %d %s lacks %q\n%s", path, a.status, a.header.Get("Content-Type"), text, a.body)
			}
		}
		if regexp.MustCompile(`(?i)<script|<b\b|\son\w+=|javascript:`).Match(a.body) {
			t.Errorf("GET %s has what can run, or markup of the address:\n%s", path, a.body)
		}
		for name, want := range map[string]string{
			"Cache-Control": "public, max-age=300", "Set-Cookie": "", "Cross-Origin-Resource-Policy": "cross-origin", "X-Content-Type-Options": "nosniff",
			"Vary": "Accept-Encoding, Accept-Language",
		} {
			if got := a.header.Get(name); got != want {
				t.Errorf("GET %s: %s %q, want %q", path, name, got, want)
			}
		}
		if b := w.get(at+path, "X-API-Key", "", "Accept-Language", "en", "If-None-Match", a.header.Get("ETag")); b.status != http.StatusNotModified || len(b.body) > 0 {
			t.Errorf("GET %s again: %d, %d bytes; want 304 and nothing", path, b.status, len(b.body))
		}
	}
	if a := w.visit("GET", at+"/board.png?side=top", nil); a.header.Get("Set-Cookie") != "" {
		t.Errorf("the picture of the card sets the cookie %q, want none", a.header.Get("Set-Cookie"))
	}
	quote := w.post("/v1/quotes", quoteBody(w.uploadID(), "")).json(t)
	checkout := strings.TrimPrefix(quote["checkout_url"].(string), w.url)
	for path, framed := range map[string]bool{
		at + "/card": true, "/buy/bl_none/card": true, at + "/button.svg": false, at: false, at + "?quantity=7&country=DE": false, "/buy/bl_none": false, checkout: false,
		checkout + "/events": false, "/": false, "/docs": false, "/portal": false, "/status": false, "/legal/terms": false, "/openapi.json": false, "/nope": false, "/leaked-key": false,
	} {
		a := w.get(path, "X-API-Key", "", "Accept", "text/html")
		policy := a.header.Get("Content-Security-Policy")
		if strings.Contains(policy, "frame-ancestors *") != framed || strings.Contains(policy, "frame-ancestors 'none'") == framed {
			t.Errorf("GET %s: %d, policy %q; framed by others %t, want %t", path, a.status, policy, !framed, framed)
		}
	}
}
