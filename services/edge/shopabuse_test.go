package edge_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/edge"
)

// TestShopKeepsRobotsOut: nothing of what is sent is kept unless its sender worked or waited for
// it, once, from our own page.
func TestShopKeepsRobotsOut(t *testing.T) {
	t.Parallel()
	w := start(t, openShop(nil))
	one := []file{{"board.zip", "PK"}}
	for name, tt := range map[string]struct {
		action  func() string // nil: the page's own
		worked  bool
		wait    time.Duration
		trap    string
		files   []file
		headers []string
		status  int
		words   string
	}{
		"worked":                      {worked: true, files: one, status: 303},
		"waited":                      {wait: 6 * time.Second, files: one, status: 303},
		"by a browser, from our page": {worked: true, files: one, headers: []string{"Sec-Fetch-Site", "same-origin", "Origin", "null"}, status: 303},
		"neither":                     {files: one, status: 403, words: "too quick for a person: please wait 5 seconds"},
		"almost waited":               {wait: 3 * time.Second, files: one, status: 403, words: "too quick"},
		"no challenge":                {action: func() string { return "/order" }, files: one, status: 403, words: "choose your files again"},
		"a challenge of one's own":    {action: func() string { return "/order?challenge=aa.tpaedz.7cf57612.xx" }, wait: time.Minute, files: one, status: 403, words: "choose your files again"},
		"of another purpose":          {action: func() string { return "/order?challenge=" + w.secrets.Link("upload", "aa", w.now().Add(time.Hour)) }, wait: time.Minute, files: one, status: 403, words: "choose your files again"},
		"an old one":                  {worked: true, wait: time.Hour, files: one, status: 403, words: "open for more than an hour"},
		"work for another":            {action: func() string { return w.shopForm() + "&answer=" + cutBefore(solve(t, w.shopForm()), "&answer=") }, wait: time.Minute, files: one, status: 403, words: "answer was wrong"},
		"no number":                   {action: func() string { return w.shopForm() + "&answer=+1" }, wait: time.Minute, files: one, status: 403, words: "answer was wrong"},
		"a trap filled in":            {worked: true, trap: "https://spam.example", files: one, status: 403, words: "people do not see"},
		"from another site":           {worked: true, files: one, headers: []string{"Sec-Fetch-Site", "cross-site"}, status: 403, words: "another site"},
		"from a sister site":          {worked: true, files: one, headers: []string{"Sec-Fetch-Site", "same-site"}, status: 403, words: "another site"},
		"from another origin":         {worked: true, files: one, headers: []string{"Origin", "https://evil.example"}, status: 403, words: "another site"},
		"no file":                     {worked: true, status: 422, words: "choose the files of your board first"},
		"too many files":              {worked: true, files: makeFiles(uploads.MaxFiles + 1), status: 422, words: "pack them into one zip"},
		"a broken archive":            {worked: true, files: []file{{"x.bad", "PK"}}, status: 422, words: "“x.bad”: "},
	} {
		kept := len(w.blobKeys())
		action := w.shopForm()
		if tt.action != nil {
			action = tt.action()
		}
		if tt.worked {
			action = solve(t, action)
		}
		w.advance(tt.wait)
		a := w.drop(action, tt.trap, tt.files, tt.headers...)
		if a.status != tt.status || !strings.Contains(string(a.body), tt.words) {
			t.Errorf("%s: %d, want %d with %q:\n%s", name, a.status, tt.status, tt.words, a.body)
		}
		if now := len(w.blobKeys()); tt.status == 403 && now != kept {
			t.Errorf("%s: %d files were kept, want none", name, now-kept)
		}
		if tt.status == 303 {
			if again := w.drop(action, "", one); again.status != 403 || !strings.Contains(string(again.body), "sent already") {
				t.Errorf("%s, sent twice: %d, want 403: %s", name, again.status, again.body)
			}
		}
	}
}

// cutBefore is what comes behind a word.
func cutBefore(text, word string) string { _, rest, _ := strings.Cut(text, word); return rest }

func makeFiles(n int) []file {
	out := make([]file, n)
	for i := range out {
		out[i] = file{strings.Repeat("x", i+1), "x"}
	}
	return out
}

// TestShopAnswersScripts: a script gets the address of the board's page, or a sentence.
func TestShopAnswersScripts(t *testing.T) {
	t.Parallel()
	w := start(t, openShop(nil))
	challenge, _ := w.visit("GET", "/order-challenge", nil).json(t)["challenge"].(string)
	body, kind := shopBody(t, "", file{"board.zip", "PK"})
	a := w.visit("POST", solve(t, "/order?challenge="+challenge), body, "Content-Type", kind, "Accept", "application/json")
	if at, _ := a.json(t)["location"].(string); a.status != 201 || !strings.HasPrefix(at, "/order/up_") {
		t.Errorf("sent by a script: %d %s, want 201 and where the board is", a.status, a.body)
	}
	body, kind = shopBody(t, "", file{"large.zip", strings.Repeat("x", uploads.MaxFileBytes+1)})
	a = w.visit("POST", solve(t, w.shopForm()), body, "Content-Type", kind, "Accept", "application/json")
	if words, _ := a.json(t)["message"].(string); a.status != 413 || !strings.Contains(words, "larger than 50 MB") || !strings.Contains(words, "leave out") {
		t.Errorf("a file of more than 50 MB: %d %s, want 413 and what to do", a.status, a.body)
	}
}

// TestShopAcrossEdges: what one edge gave out another takes, and what one took no other takes
// again; limits are counted together.
func TestShopAcrossEdges(t *testing.T) {
	t.Parallel()
	w := start(t, openShop(map[string]int{"uploads-day": 1}))
	first := w.url
	w.open(openShop(map[string]int{"uploads-day": 1}))
	second := w.url
	one := []file{{"board.zip", "PK"}}
	w.url = first
	action := solve(t, w.shopForm())
	a := w.drop(second+action, "", one, "Origin", second)
	if a.status != 303 {
		t.Fatalf("the other edge says %d to a form of this one, want 303: %s", a.status, a.body)
	}
	page := a.header.Get("Location")
	for _, at := range []string{first, second} {
		if again := w.drop(at+action, "", one); again.status != 403 || !strings.Contains(string(again.body), "sent already") {
			t.Errorf("sent again to %s: %d, want 403: %s", at, again.status, again.body)
		}
		hold(t, w.visit("GET", at+page, nil), 200, "$123.45")
	}
	if n := len(w.commandsOf(quotes.Price)); n != 1 {
		t.Errorf("seen at both edges it was priced %d times, want once", n)
	}
	if a := w.drop(solve(t, w.shopForm()), "", one); a.status != http.StatusTooManyRequests {
		t.Errorf("a second upload of the house in a day: %d, want 429: %s", a.status, a.body)
	}
}

// TestShopRefusedFilesAreNotCounted against what may be sent in an hour without a script.
func TestShopRefusedFilesAreNotCounted(t *testing.T) {
	t.Parallel()
	w := start(t, openShop(nil))
	slow := func(files ...file) answer {
		action := w.shopForm()
		w.advance(6 * time.Second)
		return w.drop(action, "", files)
	}
	for i := range 7 {
		if a := slow(file{"x.bad", "PK"}); a.status != 422 {
			t.Fatalf("broken archive %d without work: %d, want 422: %s", i+1, a.status, a.body)
		}
	}
	if a := slow(file{"board.zip", "PK"}); a.status != 303 {
		t.Errorf("after seven refused ones a good one without work: %d, want 303: %s", a.status, a.body)
	}
}

// TestShopLimits: what a network sends is bounded, more so without work; looking is not.
func TestShopLimits(t *testing.T) {
	t.Parallel()
	w := start(t, openShop(map[string]int{"quotes-day": 2}))
	one := []file{{"board.zip", "PK"}}
	slow := func() answer {
		action := w.shopForm()
		w.advance(6 * time.Second)
		return w.drop(action, "", one)
	}
	for i := range 5 {
		if a := slow(); a.status != 303 {
			t.Fatalf("upload %d without work: %d, want 303: %s", i+1, a.status, a.body)
		}
	}
	hold(t, slow(), 429, "That was a lot in a short time from your network. Please come back after")
	page := ""
	for i := 5; i < 30; i++ {
		a := w.drop(solve(t, w.shopForm()), "", one)
		if page = a.header.Get("Location"); a.status != 303 {
			t.Fatalf("upload %d with work: %d, want 303: %s", i+1, a.status, a.body)
		}
	}
	if a := w.drop(solve(t, w.shopForm()), "", one); a.status != 429 || a.header.Get("Retry-After") == "" {
		t.Errorf("upload 31 of an hour: %d, want 429 and when to come again", a.status)
	}
	for range 5 { // the same price again costs nothing
		hold(t, w.visit("GET", page, nil), 200, "$123.45")
	}
	hold(t, w.visit("GET", page+"?quantity=11", nil), 200, "$123.45")
	full := w.visit("GET", page+"?quantity=12", nil)
	hold(t, full, 429, "Please wait a little", "is used up")
	hold(t, w.visit("GET", "/", nil), 200, "Order circuit boards")
}

func TestShopConfiguration(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		change option
		names  string
	}{
		{func(c *edgeConfig) { c.ShopAccount = "acc_x~test" }, "SHOP_ACCOUNT"},
		{openShop(map[string]int{"quotes": 5}), "SHOP_LIMITS"}, {openShop(map[string]int{"uploads-day": 0}), "SHOP_LIMITS"},
	} {
		cfg := edgeConfig{PublicURL: "https://boards.example"}
		tt.change(&cfg)
		if _, err := edge.New(t.Context(), cfg, edge.Deps{}); err == nil || !strings.Contains(err.Error(), tt.names) {
			t.Errorf("New with %q, %v: %v, want an error that names %s", cfg.ShopAccount, cfg.ShopLimits, err, tt.names)
		}
	}
}
