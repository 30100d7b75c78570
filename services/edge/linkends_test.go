package edge_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/designchecks"
	formalcontract "boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/secret"
)

// A link is one kind of signed link: how it is used, and what whoever uses it after its
// end, or after its account revoked it, is told.
type link struct {
	use     func(w *world) answer
	until   time.Time // its end
	good    func(a answer) bool
	ended   string // status, and code or what the page says
	revoke  func(w *world)
	revoked string // as ended; "": nobody can
}

// endOf reads the end out of a token, which is part of an address.
func endOf(t *testing.T, address string) time.Time {
	t.Helper()
	for part := range strings.SplitSeq(address, "/") {
		if fields := strings.Split(part, "."); len(fields) >= 4 && len(fields[3]) > 40 {
			at, err := strconv.ParseInt(fields[1], 36, 64)
			if err != nil {
				t.Fatal(err)
			}
			return time.Unix(at, 0)
		}
	}
	t.Fatalf("%s holds no token", address)
	return time.Time{}
}

// says puts an answer as link has it.
func says(t *testing.T, a answer) string {
	t.Helper()
	if strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
		return fmt.Sprint(a.status, " ", string(a.body))
	}
	return fmt.Sprint(a.status, " ", a.code(t))
}

// visit gives what a browser is shown.
func visit(t *testing.T, address string) func(*world) answer {
	return func(*world) answer {
		t.Helper()
		r, err := http.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer{status: r.StatusCode, header: r.Header, body: body}
	}
}

// makeLinks makes one of each kind.
func makeLinks(t *testing.T, w *world) map[string]link {
	t.Helper()
	w.set(func() { w.check = aCheck(designchecks.Warning) })
	for _, key := range []string{"pictures/board.png", "boards/d/checks/0.png", "boards/d/checks/report.html"} {
		if _, err := w.blobs.Put(t.Context(), key, strings.NewReader("made"), -1, ""); err != nil {
			t.Fatal(err)
		}
	}
	up := w.upload(file{"board.gbr", "G04*"})
	id, _ := up["upload_id"].(string)
	quote := w.post("/v1/quotes", quoteBody(id, "")).json(t)
	check := w.post("/v1/design-checks", fmt.Sprintf(`{"upload_id":%q}`, id)).json(t)
	finding, _ := check["findings"].([]any)[0].(map[string]any)
	th := w.writeThings(account)
	order := w.get("/v1/orders/" + th.order).json(t)
	buy := buylinks.BuyLink{ID: "bl_1", Account: account, Key: w.key.ID, Upload: "gone", Digest: "d"}
	w.put(contract.BuyLinkAggregate, buy.ID, buy)
	expires, err := time.Parse(time.RFC3339, quote["expires_at"].(string))
	if err != nil {
		t.Fatal(err)
	}
	ordered := w.url + "/checkout/" + th.quote
	ref := contract.SecretRef(th.quote)
	sold := newQuote(w.now(), ref, contract.Command{Account: account, Request: th.request}, quotes.PriceData{Request: quotes.Request{Quantity: 5}})
	w.put(contract.OrderAggregate, ref, orders.Order{ID: "ord_x", Ref: "BO-X", Quote: ref, Account: account, Request: th.request, Status: orders.Paid, Sold: sold, PaidAt: w.now()})

	ok := func(a answer) bool { return a.status == 200 }
	open := func(address string) func(*world) answer {
		return func(w *world) answer { return w.get(address, "X-API-Key", "") }
	}
	revoke := func(w *world) {
		if a := w.post("/v1/uploads/"+id+"/revoke-links", ""); a.status != 200 {
			t.Fatalf("revoke: %d %s, want 200", a.status, a.body)
		}
	}
	made := func(address any) link {
		at, _ := address.(string)
		return link{use: open(at), until: endOf(t, at), good: ok, ended: "410 link_expired", revoke: revoke, revoked: "410 link_expired"}
	}
	uploadURL, _ := up["upload_url"].(string)
	report, _ := check["report_url"].(string)
	formal, _ := order["quote_pdf_url"].(string)
	owner := w.secrets.Link(secret.OrderOwner, ref, w.now().Add(400*24*time.Hour))
	owned := `name="k" value="` + owner // in the forms of who owns the order; links to other languages keep the query
	return map[string]link{
		"upload": {
			use: func(w *world) answer {
				body, kind := form(t, file{"more.gbr", "G04*"})
				return w.do("POST", uploadURL, body, "Content-Type", kind, "X-API-Key", "")
			},
			until: endOf(t, uploadURL), good: ok, ended: "410 link_expired", revoke: revoke, revoked: "410 link_expired",
		},
		"picture":              made(quote["board_image_url"]),
		"report":               made(report),
		"report as data":       made(strings.Replace(report, ".html", ".json", 1)),
		"picture of a finding": made(finding["image_url"]),
		"formal quote": {
			use: open(formal), until: endOf(t, formal), good: ok, ended: "410 link_expired",
			revoke: func(w *world) { // by another quote in its place
				w.putListed(contract.FormalAggregate, "k"+contract.DeriveID(account), nil, formalcontract.Order{
					Key: "k" + contract.DeriveID(account), ID: th.order, Ref: th.orderRef, Account: account, Status: formalcontract.Quoted,
					Quote: &formalcontract.Quote{Number: "Q-2", IssuedAt: w.now(), ValidUntil: w.now().Add(time.Hour)},
				})
			},
			revoked: "410 link_expired",
		},
		"checkout": {
			use: visit(t, quote["checkout_url"].(string)), until: expires, ended: "410 " + "This quote has expired",
			good: func(a answer) bool { return a.status == 200 && strings.Contains(string(a.body), `name="token"`) },
		},
		"history_token": {
			use: func(w *world) answer {
				return w.post("/v1/previous-orders", fmt.Sprintf(`{"history_token":%q}`, th.history))
			},
			until: endOf(t, th.history), good: ok, ended: "410 link_expired",
		},
		"an e-mail's, to an order": {
			use: func(w *world) answer {
				a := w.get(ordered+"?k="+url.QueryEscape(owner), "X-API-Key", "")
				if !strings.Contains(string(a.body), owned) {
					a.body = []byte("a stranger's view")
				}
				return a
			},
			until: endOf(t, owner), good: func(a answer) bool { return strings.Contains(string(a.body), owned) }, ended: "200 a stranger's view",
		},
		"buy": { // has no end
			use: visit(t, w.url+"/buy/"+buy.ID), until: time.Now().Add(10 * 365 * 24 * time.Hour), good: ok, ended: "200",
			revoke: func(w *world) {
				at := w.now()
				buy.ClosedAt = &at
				w.put(contract.BuyLinkAggregate, buy.ID, buy)
			},
			revoked: "410 This board is no longer offered.",
		},
	}
}

// TestLinksEndOnTime: each kind of signed link opens in the last second before its end,
// and one second later tells that it has ended, with the status and words that are right.
func TestLinksEndOnTime(t *testing.T) {
	t.Parallel()
	w := start(t)
	for name, l := range makeLinks(t, w) {
		w.stopAt(l.until.Add(-time.Second))
		// The account's keys and other things have their own times.
		if a := l.use(w); !l.good(a) {
			t.Errorf("%s, a second before its end: %d %.200s, want it to work", name, a.status, a.body)
		}
		w.stopAt(l.until.Add(time.Second))
		holdAnswer(t, name+", a second after its end", l.use(w), l.ended)
	}
}

// TestLinksAreNotReplayed: a link that worked does not work once it was revoked, however
// much of its time is left, nor with the time of another in it.
func TestLinksAreNotReplayed(t *testing.T) {
	t.Parallel()
	w := start(t)
	links := makeLinks(t, w)
	for name, l := range links {
		if a := l.use(w); !l.good(a) {
			t.Errorf("%s at first: %d %.200s, want it to work", name, a.status, a.body)
		}
	}
	for name, l := range links {
		if l.revoke == nil {
			continue
		}
		l.revoke(w)
		for range 2 { // whoever tries again is told the same
			holdAnswer(t, name+", revoked", l.use(w), l.revoked)
		}
	}
}

// holdAnswer holds an answer to its status and its code, or what its page says.
func holdAnswer(t *testing.T, what string, a answer, want string) {
	t.Helper()
	status, words, _ := strings.Cut(want, " ")
	if got := says(t, a); !strings.HasPrefix(got, status+" ") || !strings.Contains(got, words) {
		t.Errorf("%s: %.300s, want %s", what, got, want)
	}
}

// TestEndsAreSigned: nobody gives a link more time.
func TestEndsAreSigned(t *testing.T) {
	t.Parallel()
	w := start(t)
	up := w.upload(file{"board.gbr", "G04*"})
	address, _ := up["upload_url"].(string)
	end := endOf(t, address)
	at := strconv.FormatInt(end.Unix(), 36)
	for _, later := range []time.Duration{-time.Second, time.Second, 24 * time.Hour} {
		longer := strings.Replace(address, "."+at+".", "."+strconv.FormatInt(end.Add(later).Unix(), 36)+".", 1)
		body, kind := form(t, file{"more.gbr", "G04*"})
		if a := w.do("POST", longer, body, "Content-Type", kind, "X-API-Key", ""); a.status != 403 || a.code(t) != "link_invalid" {
			t.Errorf("an end moved by %v: %d %s, want 403 link_invalid", later, a.status, a.body)
		}
	}
}
