package edge_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math/bits"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
)

const house = "acc_house"

func openShop(limits map[string]int) option {
	return func(c *edgeConfig) { c.ShopAccount, c.ShopLimits = house, limits }
}

// visit sends a request as a browser does that keeps to redirects itself.
func (w *world) visit(method, path string, body io.Reader, headers ...string) answer {
	w.t.Helper()
	if !strings.HasPrefix(path, "http") {
		path = w.url + path
	}
	req, err := http.NewRequestWithContext(w.t.Context(), method, path, body)
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Accept", browser)
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		w.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatalf("%s %s: %v", method, path, err)
	}
	return answer{resp.StatusCode, resp.Header, []byte(html.UnescapeString(string(data))), resp.Close}
}

// challengeIn is what differs between two visits of a page.
var challengeIn = regexp.MustCompile(`challenge=[^&"]+`)

var shopAction = regexp.MustCompile(`<form id="send"[^>]* action="([^"]+)"`)

// shopForm is where the first page's form is sent to.
func (w *world) shopForm() string {
	w.t.Helper()
	page := w.visit("GET", "/", nil)
	m := shopAction.FindStringSubmatch(string(page.body))
	if page.status != 200 || m == nil {
		w.t.Fatalf("GET /: %d %s, want a form for files", page.status, page.body)
	}
	return m[1]
}

// solve does the work that a form's challenge asks for.
func solve(t testing.TB, action string) string {
	t.Helper()
	u, err := url.Parse(action)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(u.Query().Get("challenge")))
	key := hex.EncodeToString(sum[:16])
	for n := 0; ; n++ {
		digest := sha256.Sum256(fmt.Appendf(nil, "%s.%d", key, n))
		if bits.LeadingZeros32(uint32(digest[0])<<24|uint32(digest[1])<<16|uint32(digest[2])<<8) >= 17 {
			return action + "&answer=" + strconv.Itoa(n)
		}
	}
}

// shopBody is the first page's form with files; trap is in the field that people do not see.
func shopBody(t testing.TB, trap string, files ...file) (io.Reader, string) {
	t.Helper()
	return formBody(t, url.Values{"website": {trap}}, files...)
}

// formBody is a form of the shop as a browser sends it with files.
func formBody(t testing.TB, fields url.Values, files ...file) (io.Reader, string) {
	t.Helper()
	var out bytes.Buffer
	m := multipart.NewWriter(&out)
	for name, values := range fields {
		for _, v := range values {
			if err := m.WriteField(name, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, f := range files {
		p, err := m.CreateFormFile("files", f.name)
		if err == nil {
			_, err = io.WriteString(p, f.content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return &out, m.FormDataContentType()
}

func (w *world) drop(action, trap string, files []file, headers ...string) answer {
	w.t.Helper()
	body, kind := shopBody(w.t, trap, files...)
	return w.visit("POST", action, body, append([]string{"Content-Type", kind}, headers...)...)
}

// sendToShop sends a board without a script, and gives the path of its page.
func (w *world) sendToShop(files ...file) string {
	w.t.Helper()
	action := w.shopForm()
	w.advance(6 * time.Second)
	if len(files) == 0 {
		files = []file{{"board.zip", "PK"}}
	}
	a := w.drop(action, "", files)
	if at := a.header.Get("Location"); a.status == http.StatusSeeOther && strings.HasPrefix(at, "/order/up_") {
		return at
	}
	w.t.Fatalf("POST %s: %d %s, want 303 to the board's page", action, a.status, a.body)
	return ""
}

func hold(t testing.TB, a answer, status int, texts ...string) {
	t.Helper()
	if a.status != status {
		t.Errorf("status %d, want %d: %s", a.status, status, a.body)
	}
	for _, text := range texts {
		if !strings.Contains(string(a.body), text) {
			t.Errorf("page (%d) lacks %q:\n%s", a.status, text, a.body)
		}
	}
}

// readBoard projects a reading of the files at a page's address: one board of two layers.
func (w *world) readBoard(page string) {
	w.t.Helper()
	w.readFiles(page, boards.ReadFiles{
		Reader: "1", Files: []boards.FileClass{{Name: "top.gbr", Role: "copper", Side: "top", Layer: 1, Why: "its name"}},
		Boards: []boards.Board{{Name: "lamp", Top: "boards/d/top.png", Bottom: "boards/d/bottom.png", Facts: map[string]boards.Fact{"layers": {Value: 2}, "width_mm": {Value: 50.0}, "height_mm": {Value: 30.0}}}},
	})
}

// readFiles projects a reading of the files at a page's address.
func (w *world) readFiles(page string, read boards.ReadFiles) {
	w.t.Helper()
	ref := contract.SecretRef(strings.TrimPrefix(page, "/order/"))
	doc, err := w.docs.Get(w.t.Context(), string(contract.UploadAggregate), ref)
	if err != nil {
		w.t.Fatal(err)
	}
	var up uploads.Upload
	if err := json.Unmarshal(doc.Body, &up); err != nil {
		w.t.Fatal(err)
	}
	read.Digest = up.Digest
	w.put(contract.BoardAggregate, up.Digest, read)
}

func TestWithoutAShopTheAddressIsForDevelopers(t *testing.T) {
	t.Parallel()
	w := start(t)
	page := w.visit("GET", "/", nil)
	hold(t, page, 200, "Board Ordering", "curl -s")
	for _, path := range []string{"/order", "/order-challenge", "/order/up_x"} {
		if a := w.visit("GET", path, nil); a.status != 404 || strings.Contains(string(page.body), path) {
			t.Errorf("GET %s: %d, want 404 and no word of it on the first page", path, a.status)
		}
	}
}

// TestShopWithoutAScript: files, board, options, price and the way to the checkout, by plain
// forms and as the API has them, on the house's account.
func TestShopWithoutAScript(t *testing.T) {
	t.Parallel()
	w := start(t, openShop(nil))
	hold(t, w.visit("GET", "/", nil), 200, "Order circuit boards", "For developers", "curl -s", "/docs")
	page := w.sendToShop()
	w.readBoard(page)
	first := w.visit("GET", page, nil)
	hold(t, first, 200, "$123.45", `<button type="submit" form="choose" name="go" value="checkout" class="first wide">Go to checkout</button>`, "Notes go with your order and change neither price nor options.", "lamp", "50 × 30 mm", "top copper (layer 1)", "/board.png?board=lamp", "side=bottom", "/report?quantity=10")
	if again := w.visit("GET", page, nil); len(w.commandsOf(quotes.Price)) != 1 || challengeIn.ReplaceAllString(string(again.body), "") != challengeIn.ReplaceAllString(string(first.body), "") {
		t.Errorf("seen again it was priced %d times, want once, and the same page", len(w.commandsOf(quotes.Price)))
	}
	choice := "?quantity=25&solder_mask=Blue&surface_finish=enig&thickness_mm=0.8&country=DE&postal_code=10115&special_notes=Two%0Alines&fab_options=x"
	hold(t, w.visit("GET", page+choice, nil), 200, "$123.45", `<option value="DE" selected>`, `value="25"`, "solder_mask=Blue")
	sent := w.commandsOf(quotes.Price)
	var d quotes.PriceData
	if err := json.Unmarshal(sent[len(sent)-1].Data, &d); err != nil {
		t.Fatal(err)
	}
	r := d.Request
	if c := sent[0]; c.Account != house || d.Key != "shop" || d.Upload != contract.SecretRef(strings.TrimPrefix(page, "/order/")) || !r.StandardForUnstated ||
		r.Quantity != 25 || *r.SolderMask != "Blue" || *r.SurfaceFinish != "enig" || *r.ThicknessMM != 0.8 || r.ShipTo.Country != "DE" || r.ShipTo.PostalCode != "10115" || *r.SpecialNotes != "Two\nlines" {
		t.Errorf("asked by %s for %s, want what was chosen, by %s", c.Account, sent[len(sent)-1].Data, house)
	}
	if a := w.visit("GET", page+choice+"&go=checkout", nil); a.status != http.StatusSeeOther || !strings.HasPrefix(a.header.Get("Location"), w.url+"/checkout/") {
		t.Errorf("on to the checkout: %d to %q, want 303 to the quote's", a.status, a.header.Get("Location"))
	}
	hold(t, w.visit("GET", page+"?quantity=many&go=checkout", nil), 422, "whole number")
	for path, texts := range map[string][]string{
		"?quantity=many":                  {"One of your choices does not work", "whole number from 1 to 100,000"},
		"?quantity=10&solder_mask=Pink":   {"One of your choices does not work", "tick “Something special"},
		"?quantity=10&thickness_mm=0.001": {"One of your choices does not work"},
	} {
		hold(t, w.visit("GET", page+path, nil), 422, texts...)
	}
	for _, l := range w.logs.All() {
		if text := fmt.Sprint(l.Message, l.ContextMap()); strings.Contains(text, strings.TrimPrefix(page, "/order/")) {
			t.Errorf("the secret of the board's page is in the log: %s", text)
		}
	}
}

// TestFirstPriceIsAtHome: before a country is chosen the price is an example for the reader's own,
// and the page says so; what is chosen comes first.
func TestFirstPriceIsAtHome(t *testing.T) {
	t.Parallel()
	w := start(t, openShop(nil))
	page := w.sendToShop()
	w.readBoard(page)
	for _, tt := range []struct{ query, language, country, says string }{
		{"", "ja", "JP", "配送先を日本とした場合の例です。"},
		{"", "en-GB", "GB", "An example, for delivery to the United Kingdom:"},
		{"", "en", "", ""},
		{"", "en-AQ", "", ""}, // nobody delivers there
		{"?country=DE", "ja", "DE", "ドイツ"},
	} {
		a := w.visit("GET", page+tt.query, nil, "Accept-Language", tt.language)
		hold(t, a, 200, tt.says)
		sent := w.commandsOf(quotes.Price)
		var d quotes.PriceData
		if err := json.Unmarshal(sent[len(sent)-1].Data, &d); err != nil {
			t.Fatal(err)
		}
		got := ""
		if d.Request.ShipTo != nil {
			got = d.Request.ShipTo.Country
		}
		if got != tt.country || tt.query != "" && strings.Contains(string(a.body), "の例です") {
			t.Errorf("%s at %q: priced to %q, want %q:\n%s", tt.language, tt.query, got, tt.country, a.body)
		}
	}
}

// TestShopHasImpedance: controlled impedance can be ticked, and the page says how else to ask.
func TestShopHasImpedance(t *testing.T) {
	t.Parallel()
	w := start(t, openShop(nil))
	page := w.sendToShop()
	w.readBoard(page)
	hold(t, w.visit("GET", page+"?impedance_controlled=yes", nil), 200, "More options: stackup and impedance", `name="impedance_controlled" value="yes" checked>`, "describe them in the notes")
	sent := w.commandsOf(quotes.Price)
	var d quotes.PriceData
	if err := json.Unmarshal(sent[len(sent)-1].Data, &d); err != nil {
		t.Fatal(err)
	}
	if d.Request.ImpedanceControlled == nil || !*d.Request.ImpedanceControlled {
		t.Errorf("asked for %+v, want controlled impedance", d.Request)
	}
}

// TestShopQuotesAreOneVisitors: whoever opens a board's page after somebody has filled in the
// checkout gets a quote of their own, with nothing of that person in it.
func TestShopQuotesAreOneVisitors(t *testing.T) {
	t.Parallel()
	w := start(t, openShop(nil))
	page := w.sendToShop()
	seen := map[string]bool{}
	for _, taken := range []func(*quotes.Quote){
		func(q *quotes.Quote) {
			q.Delivery = &shipments.Delivery{ShipTo: shipments.ShipTo{Email: "a@example.com"}}
		},
		func(q *quotes.Quote) {
			q.Estimate = &quotes.Estimate{Delivery: shipments.Delivery{ShipTo: shipments.ShipTo{Name: "A"}}}
		},
		nil,
	} {
		at := w.visit("GET", page+"?go=checkout", nil).header.Get("Location")
		if seen[at] || !strings.HasPrefix(at, w.url+"/checkout/") {
			t.Fatalf("on to %q, want another checkout than %v", at, seen)
		}
		if again := w.visit("GET", page+"?go=checkout", nil).header.Get("Location"); again != at {
			t.Errorf("a second visit leads to %q, want %q until somebody has taken it", again, at)
		}
		if taken == nil {
			return
		}
		seen[at] = true
		ref := contract.SecretRef(strings.TrimPrefix(at, w.url+"/checkout/"))
		doc, err := w.docs.Get(t.Context(), string(contract.QuoteAggregate), ref)
		var q quotes.Quote
		if err == nil {
			err = json.Unmarshal(doc.Body, &q)
		}
		if err != nil {
			t.Fatal(err)
		}
		taken(&q)
		w.put(contract.QuoteAggregate, ref, q)
	}
}

// TestShopReviewNamesNoCheckout: nor is the quote of the boards alone, beside a review of their
// assembly, anybody's who comes by.
func TestShopReviewNamesNoCheckout(t *testing.T) {
	t.Parallel()
	w := start(t, openShop(nil))
	page := w.sendToShop()
	at := w.visit("GET", page+"?go=checkout", nil).header.Get("Location")
	ref := contract.SecretRef(strings.TrimPrefix(at, w.url+"/checkout/"))
	doc, err := w.docs.Get(t.Context(), string(contract.QuoteAggregate), ref)
	var q quotes.Quote
	if err == nil {
		err = json.Unmarshal(doc.Body, &q)
	}
	if err != nil {
		t.Fatal(err)
	}
	q.Reply.TotalCents, q.Reply.FabricationQuote, q.Bare = nil, &quotes.BareQuote{Total: "$99.50", PerBoard: "$9.95"}, &quotes.BareRef{Ref: "b", Request: "req_b"}
	w.put(contract.QuoteAggregate, ref, q)
	a := w.visit("GET", page, nil)
	hold(t, a, 200, "Our team prices this", "at once for $99.50, $9.95 a board: untick")
	if strings.Contains(string(a.body), "/checkout/") {
		t.Errorf("the page names a checkout, want none, for whoever comes by:\n%s", a.body)
	}
}

// TestShopAsksAndRefusesInWords: what the API answers with questions and refusals are fields
// and sentences that say what to do; the answers go back with the next request.
func TestShopAsksAndRefusesInWords(t *testing.T) {
	t.Parallel()
	w := start(t, openShop(nil))
	page := w.sendToShop()
	n := 10
	for name, tt := range map[string]struct {
		refusal contract.Refusal
		texts   []string
	}{
		"a question about an option": {contract.Refusal{Code: contract.NeedsDetails, Message: "x", Questions: []contract.Question{{Option: "thickness_mm", Question: "How thick?", Choices: []any{1.0, 1.6}, Usual: 1.6}}},
			[]string{"We need your word on this", "How thick?", `name="thickness_mm" value="1.6" checked`, "1.6 mm (usual)"}},
		"a question about the files": {contract.Refusal{Code: contract.DesignFiles, Message: "The design files have problems that must be mended first: findings lists each. With skip_board_checks: true the board is built as designed, if that is what the customer wants; with special_requirements: true our team looks at it and quotes it.",
			Findings:  []contract.Finding{{Level: "must_fix", Check: "x", What: "there are no holes"}},
			Questions: []contract.Question{{Option: "file_answers.no_holes", Question: "Are there holes?", Answers: boardWithoutHoles()}}},
			[]string{"Must be mended.", "There are no holes.", "The board has no holes.", `value="{"field":"file_answers.no_holes","value":true}"`, "Build it exactly as designed", `name="skip_board_checks"`}},
		"parts without a number": {contract.Refusal{Code: contract.NeedsPartNumbers, Message: "x", Parts: []contract.PartQuestion{{Reference: "R1,R2", Part: "10k", Why: "it names no part"}}},
			[]string{"Some parts are not named exactly", "R1, R2 · 10k", "it names no part", `name="staff_picks_parts"`}},
		"parts without a place": {contract.Refusal{Code: contract.OffBoardParts, Message: "x", OffBoard: []contract.PartQuestion{{Reference: "R1,R2", Why: "no position"}}},
			[]string{"Some parts have no usable position", `name="leave_off" value="R1,R2"`}},
		"no positions": {contract.Refusal{Code: contract.OffBoardParts, Message: assemblies.PlacesMissing + ".", OffBoard: []contract.PartQuestion{{Reference: "R7", Why: "nothing lists it"}}, Parts: []contract.PartQuestion{{Reference: "C9", Part: "100n", Why: "no voltage"}}},
			[]string{"The file of positions is missing", "pick-and-place file", `href="#add">Add the file</a>`, "Leave all parts off</a>", `<details id="off">`, `name="leave_off" value="R7"`, "C9 · 100n"}},
		"no price now": {contract.Refusal{Code: contract.PriceUnavailable, Message: "x"}, []string{"No price just now", "try again in a minute or two"}},
	} {
		n++
		w.set(func() { w.refuse = &tt.refusal })
		a := w.visit("GET", page+"?quantity="+strconv.Itoa(n), nil)
		t.Log(name)
		hold(t, a, 200, tt.texts...)
		for _, word := range []string{"skip_board_checks: true", "special_requirements: true", "findings lists"} {
			if strings.Contains(string(a.body), word) {
				t.Errorf("%s: the page says %q to a person:\n%s", name, word, a.body)
			}
		}
	}
	w.set(func() { w.refuse = nil })
	said := url.Values{"quantity": {"9"}, "answer-abc": {`{"field":"file_answers.no_holes","value":true}`}, "say-fab_options.panel_columns": {"2"}, "leave_off": {"R1,R2", "C3"}, "answer-evil": {`{"field":"upload_id","value":"up_x"}`}}
	hold(t, w.visit("GET", page+"?"+said.Encode(), nil), 200, "$123.45", `type="hidden" name="answer-abc"`)
	sent := w.commandsOf(quotes.Price)
	var d quotes.PriceData
	if err := json.Unmarshal(sent[len(sent)-1].Data, &d); err != nil {
		t.Fatal(err)
	}
	if d.Upload != contract.SecretRef(strings.TrimPrefix(page, "/order/")) || d.Request.FileAnswers == nil || !d.Request.FileAnswers.NoHoles || strings.Join(d.Request.DoNotFitRefs, " ") != "R1 R2 C3" || fmt.Sprint(d.Request.FabOptions["panel_columns"]) != "2" {
		t.Errorf("the answers %v became %s, want no_holes, panel_columns 2 and R1, R2, C3 left off, of the page's own files", said, sent[len(sent)-1].Data)
	}
}

// TestShopAsksForPositions: where no file has positions the page asks for that file, with the form
// for it before the options, and does not say so of each part; or nothing is fitted.
func TestShopAsksForPositions(t *testing.T) {
	t.Parallel()
	w := start(t, openShop(nil))
	page := w.sendToShop()
	w.set(func() {
		w.refuse = &contract.Refusal{Code: contract.OffBoardParts, Message: assemblies.PlacesMissing + ".", OffBoard: []contract.PartQuestion{{Reference: "R7", Why: "Nothing lists it."}}}
	})
	a := w.visit("GET", page+"?quantity=5&assembly=yes&leave_off=R7&solder_mask=Red", nil)
	hold(t, a, 200, `href="`+page+`?quantity=5&solder_mask=Red">Leave all parts off</a>`)
	text := string(a.body)
	if form, options := strings.Index(text, `id="add"`), strings.Index(text, `id="choose"`); form < 0 || form > options || strings.Count(text, `id="add"`) != 1 {
		t.Errorf("the form for files stands at %d, the options at %d; want it once and first:\n%s", form, options, text)
	}
	if strings.Contains(text, "Nothing lists it.") || strings.Contains(text, "no usable position") {
		t.Errorf("the page says of each part that it has no position, want once that the file is missing:\n%s", text)
	}
}

// TestShopFindsNoBoard: files that hold no board have a page that says so, what was sent and what to
// send, and how to ask the team; nothing is chosen for a board that is not there.
func TestShopFindsNoBoard(t *testing.T) {
	t.Parallel()
	w := start(t, openShop(nil))
	page := w.sendToShop()
	w.readFiles(page, boards.ReadFiles{Reader: "1", Files: []boards.FileClass{{Name: "holiday.jpg", Role: "other", Why: "a picture"}}})
	w.set(func() { w.refuse = boards.RefuseBoardless(nil) })
	a := w.visit("GET", page+"?quantity=5", nil)
	hold(t, a, 200, "No board was found in these files", "Gerber and drill files in one zip", "What you sent", "holiday.jpg", `id="add"`, `<button type="submit" name="special_requirements" value="yes" class="second">Ask our team</button>`, `name="special_notes"`, `name="quantity"`)
	w.set(func() { w.refuse = nil })
	asked := w.visit("GET", page+"?quantity=6&special_requirements=yes&special_notes=Copy+it", nil)
	hold(t, asked, 200, "What you sent", `type="hidden" name="special_requirements" value="yes"`, "Copy it")
	for _, a := range []answer{a, asked} {
		for _, text := range []string{`name="material"`, `name="via_process"`, ">Update price<", "Build it exactly as designed", "There is no picture of it yet"} {
			if strings.Contains(string(a.body), text) {
				t.Errorf("the page of files without a board has %q, want nothing of a board:\n%s", text, a.body)
			}
		}
	}
}

// TestShopWaits: a page that has no price yet says how far it is and comes again by itself; one
// whose files are gone says what to do.
func TestShopWaits(t *testing.T) {
	t.Parallel()
	w := start(t, openShop(nil))
	page := w.sendToShop()
	wait := make(chan struct{})
	w.set(func() { w.hold = wait })
	hold(t, w.visit("GET", page, nil), 200, "Reading your files and pricing your board", `<noscript><meta http-equiv="refresh" content="3"></noscript>`, "Look again")
	close(wait)
	hold(t, w.visit("GET", page, nil), 200, "$123.45")
	theirs := "/order/" + w.uploadID()
	for name, tt := range map[string]struct {
		path   string
		status int
		words  string
	}{
		"of a partner": {theirs, 404, "There is no board at this address"}, "made up": {"/order/up_" + strings.Repeat("a", 48), 404, "Upload files"},
		"its ref": {"/order/" + contract.SecretRef(strings.TrimPrefix(page, "/order/")), 404, "There is no board"}, "long": {"/order/" + strings.Repeat("u", 65), 404, "There is no board"},
		"a partner's picture": {theirs + "/board.png?board=lamp", 404, ""}, "a partner's report": {theirs + "/report", 404, ""},
	} {
		a := w.visit("GET", tt.path, nil)
		t.Log(name)
		hold(t, a, tt.status, tt.words)
	}
	w.advance(6 * time.Hour)
	hold(t, w.visit("GET", page, nil), 410, "These files have been deleted", "six hours", "Upload files")
}

func boardWithoutHoles() []answers.Answer { return []answers.Answer{answers.ZeroHoles()} }
