package console_test

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/door"
	"boardorder/pkg/secret"
	"boardorder/services/console"
	"boardorder/services/console/internal/web"
)

func (a answer) wants(t *testing.T, status int, words ...string) {
	t.Helper()
	if a.status != status {
		t.Errorf("%s: status %d, want %d\n%s", a.url.Path, a.status, status, a.body)
	}
	text := html.UnescapeString(a.body)
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("%s does not say %q:\n%s", a.url.Path, w, a.body)
		}
	}
}

func (a answer) lacks(t *testing.T, words ...string) {
	t.Helper()
	text := html.UnescapeString(a.body)
	for _, w := range words {
		if strings.Contains(text, w) {
			t.Errorf("%s says %q:\n%s", a.url.Path, w, a.body)
		}
	}
}

// awaitAudit waits for a line of the log on what an operator did.
func (w *world) awaitAudit(operator, action string) {
	w.t.Helper()
	bustest.WaitFor(w.t, operator+" "+action+" in the log", func() bool {
		for _, e := range w.log.FilterMessage("operator").All() {
			if f := e.ContextMap(); f["action"] == action && (f["operator"] == operator || f["name"] == operator) {
				return true
			}
		}
		return false
	})
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	w := start(t)
	v := w.visitor()
	first := v.get("/quotes?status=quote_ready")
	first.wants(t, http.StatusOK, "Password")
	if got := first.url.RequestURI(); got != "/sign-in?back=%2Fquotes%3Fstatus%3Dquote_ready" {
		t.Errorf("sent to %s", got)
	}
	if policy := first.header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy %q", policy)
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "X-Frame-Options": "DENY", "Referrer-Policy": "same-origin",
	} {
		if got := first.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	v.post("/sign-in", url.Values{"name": {"ann"}, "password": {password}}).wants(t, http.StatusForbidden, "made here")
	v.fill("/sign-in", "/sign-in", "name", "ann", "password", "wrong").wants(t, http.StatusForbidden, "name or the password is wrong")
	w.awaitAudit("ann", "sign-in failed")
	in := v.fill("/sign-in?back=%2Fquotes", "/sign-in", "name", "ann", "password", password)
	in.wants(t, http.StatusOK, "There is no such quote", "ann", "admin")
	w.awaitAudit("ann", "signed in")
	out := v.fill("/", "/sign-out")
	out.wants(t, http.StatusOK, "You are signed out")
	v.get("/orders").wants(t, http.StatusOK, "Password")
	for _, back := range []string{"//evil.example", "https://evil.example", "/\\evil.example"} {
		if got := w.visitor().fill("/sign-in?back="+url.QueryEscape(back), "/sign-in", "name", "ann", "password", password); got.url.Path != "/" {
			t.Errorf("back to %q led to %s", back, got.url)
		}
	}
}

func TestSignInCookie(t *testing.T) {
	t.Parallel()
	w := start(t)
	v := w.visitor()
	v.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	got := v.fill("/sign-in", "/sign-in", "name", "ann", "password", password)
	cookie := ""
	for _, c := range got.header.Values("Set-Cookie") {
		if strings.HasPrefix(c, "console_session=") {
			cookie = c
		}
	}
	for _, want := range []string{"HttpOnly", "SameSite=Strict", "Path=/", "Expires="} {
		if !strings.Contains(cookie, want) {
			t.Errorf("cookie %q lacks %s", cookie, want)
		}
	}
}

// parameter is a part of a route that is typed.
var parameter = regexp.MustCompile(`\{[a-z]+\}`)

// What is typed into an address or a field for a name may be a secret: the log has
// the route, and names of operators only.
func TestLogHasNothingTyped(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	typed := "416a0eb2c3d4e5f60718293a4b5c6d7e8f9000112233445566778899aabb8044"
	ben := w.signInAs("ben")
	ben.get("/quotes/"+typed+"/picture/top").wants(t, http.StatusForbidden)
	ben.get("/" + typed)
	ben.post("/accounts/"+account+"/keys/"+typed+"/revoke", url.Values{"form_token": {ben.form("/", "/sign-out").Get("form_token")}}).wants(t, http.StatusForbidden)
	w.visitor().fill("/sign-in", "/sign-in", "name", typed, "password", typed).wants(t, http.StatusForbidden)
	ann := w.signInAs("ann")
	formToken := ann.form("/", "/sign-out").Get("form_token")
	for _, r := range web.Routes() {
		method, pattern, _ := strings.Cut(r.Pattern, " ")
		if strings.HasSuffix(pattern, "/live") || pattern == "/sign-out" {
			continue
		}
		to := parameter.ReplaceAllString(strings.Replace(pattern, "{$}", "", 1), typed)
		if method == http.MethodGet {
			ann.get(to + "?status=" + typed + "&q=" + typed + "&back=/" + typed + "&account=" + typed + "&cursor=" + typed)
			continue
		}
		form := url.Values{"form_token": {formToken}}
		for _, field := range []string{"request", "id", "account", "name", "seq", "operator", "email", "decision", "status", "key"} {
			form.Set(field, typed)
		}
		ann.post(to, form)
	}
	w.awaitAudit("ben", "refused")
	routes := map[any]bool{}
	for _, e := range w.log.All() {
		routes[e.ContextMap()["route"]] = true
		if line := fmt.Sprint(e.Message, e.ContextMap()); strings.Contains(line, typed) {
			t.Errorf("the log has what was typed: %s", line)
		}
	}
	if want := "GET /quotes/{ref}/picture/{side}"; !routes[want] {
		t.Errorf("routes in the log: %v, want %s among them", routes, want)
	}
}

func TestGuessingIsSlow(t *testing.T) {
	t.Parallel()
	w := start(t)
	v := w.visitor()
	for range 5 {
		v.fill("/sign-in", "/sign-in", "name", "ann", "password", "wrong").wants(t, http.StatusForbidden)
	}
	got := v.fill("/sign-in", "/sign-in", "name", "ann", "password", password)
	got.wants(t, http.StatusTooManyRequests, "Too many attempts")
	if got.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	w.signInAs("ben") // others are not held up
}

// TestParallelGuessesAreCountedBeforeTheyAreLookedAt: of guesses that are made
// at the same time no more are looked at than of those that come in turn.
func TestParallelGuessesAreCountedBeforeTheyAreLookedAt(t *testing.T) {
	t.Parallel()
	w := start(t)
	v := w.visitor()
	form := v.form("/sign-in", "/sign-in")
	form.Set("name", "ann")
	form.Set("password", "wrong")
	statuses := make(chan int, 120)
	for range cap(statuses) {
		go func() {
			resp, err := v.client.PostForm(w.url+"/sign-in", form)
			if err != nil {
				t.Error(err)
				statuses <- 0
				return
			}
			_ = resp.Body.Close()
			statuses <- resp.StatusCode
		}()
	}
	got := map[int]int{}
	for range cap(statuses) {
		got[<-statuses]++
	}
	if got[http.StatusForbidden] != 5 || got[http.StatusTooManyRequests] != 115 {
		t.Errorf("answers by status: %v; want 5 looked at, 115 refused", got)
	}
}

// TestStrangersDoNotLockTheOwnerOut: the browser that the owner has signed in
// with is counted by itself.
func TestStrangersDoNotLockTheOwnerOut(t *testing.T) {
	t.Parallel()
	w := start(t)
	ann := w.signInAs("ann")
	ann.fill("/", "/sign-out").wants(t, http.StatusOK, "You are signed out")
	stranger := w.visitor() // from the same address, even
	for range 6 {
		stranger.fill("/sign-in", "/sign-in", "name", "ann", "password", "wrong")
	}
	stranger.fill("/sign-in", "/sign-in", "name", "ann", "password", password).wants(t, http.StatusTooManyRequests)
	ann.fill("/sign-in", "/sign-in", "name", "ann", "password", password).wants(t, http.StatusOK, "Overview")
}

func TestSignInLinkWorksOnce(t *testing.T) {
	t.Parallel()
	w := start(t)
	v := w.visitor()
	v.get("/?token="+token).wants(t, http.StatusOK, "signs you in once", "owner") // looking uses nothing up
	v.fill("/?token="+token, "/sign-in/link").wants(t, http.StatusOK, "Overview", "owner")
	w.awaitAudit("owner", "signed in by link")
	if got := v.get("/?token=" + token); got.url.RequestURI() != "/" || got.status != http.StatusOK {
		t.Errorf("signed in, the link leads to %s: %d", got.url, got.status)
	}
	w.visitor().get("/?token="+token).wants(t, http.StatusForbidden, "has been used")
	w.visitor().get("/?token=another").wants(t, http.StatusForbidden, "not valid")
}

func TestFormsAreOurs(t *testing.T) {
	t.Parallel()
	w := start(t)
	v := w.signInAs("ann")
	v.post("/accounts", url.Values{"name": {"X"}, "request": {"req_x"}}).wants(t, http.StatusForbidden, "made here")
	form := v.form("/accounts", "/accounts")
	form.Set("name", "X")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+"/accounts", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	v.do(r).wants(t, http.StatusForbidden, "another site")
	other := w.signInAs("ann").form("/accounts", "/accounts") // another session's token
	form.Set("form_token", other.Get("form_token"))
	v.post("/accounts", form).wants(t, http.StatusForbidden, "made here")
}

func TestPages(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	ann := w.signInAs("ann")
	for path, words := range map[string][]string{
		"/":                          {"reviews wait", "orders are held", "dead letters", "console</th>", "quote request"},
		"/reviews":                   {"Demo account", "=Navy", "the board has 34 layers", "Waits", "/reviews/" + reviewRef},
		"/reviews/" + reviewRef:      {"Set this price", "1 Compiler Way", "impedance of the pairs", "34 layers", "edge plating: yes", "core mm: 1.2", "U77", "R99", "The team picks parts", "there is no drill file"},
		"/quotes":                    {"ordered", "sourcing requested", "$84.17", "=Navy"},
		"/quotes?account=" + account: {"ordered"},
		"/quotes/" + instantRef: {"Shipping: express", "blinker.gbrjob:12", "its X2 attributes", "quote: priced", "order: held", "5 working days", "2 layers, 50.0",
			"blind vias: no", "core mm: 1.2", "U77", "R99", "The team picks parts", "there is no drill file", "50 mm"},
		"/orders":                     {"BO-2345ABCD", "W-77", "=Navy"},
		"/orders/" + instantRef:       {"We build it with the usual stackup.", "Asked the fabricator by mail.", "impedance of the pairs", "edge plating: yes", "pi_123", "Grace Hopper", "Drilling", "Place it again", "W-77", "checkout: paid"},
		"/uploads":                    {"blinker-F_Cu.gbr", "itar declared"},
		"/events":                     {"order: held", "Demo account"},
		"/events?aggregate=upload":    {"upload: files added"},
		"/events/order/" + instantRef: {"order: paid", "order: held"},
		"/event/order/1":              {"\"ref\": \"BO-2345ABCD\"", contract.EventSubject(contract.OrderAggregate, instantRef)},
		"/dead-letters":               {"dead.payment.follow-order", "the order is odd: <b>no</b> such thing", "0 failed"},
		"/accounts":                   {"Demo account", "Open an account"},
		"/accounts/" + account:        {"first key", "bo_live_oldkey000000", "Make a key"},
	} {
		got := ann.get(path)
		got.wants(t, http.StatusOK, words...)
		if strings.ContainsRune(got.body, '\u202e') || strings.Contains(got.body, "<script>alert") || strings.Contains(got.body, "0xc0") {
			t.Errorf("%s shows foreign words as they are:\n%s", path, got.body)
		}
	}
	ann.get("/uploads").lacks(t, "seeker-head")
	for _, path := range []string{"/nowhere", "/quotes/none", "/orders/none", "/reviews/" + instantRef, "/accounts/none", "/event/order/99", "/event/moon/1",
		"/events/moon/1", "/events/order/none", "/dead-letters/99", "/dead-letters/x", "/quotes/" + instantRef + "/picture/bottom", "/accounts/" + account + "/keys/none/revoke"} {
		ann.get(path).wants(t, http.StatusNotFound, "Not Found")
	}
}

// TestQuotesByStatus: each of the nine statuses gives the quotes that stand there.
func TestQuotesByStatus(t *testing.T) {
	t.Parallel()
	w := start(t)
	now := time.Now()
	quote := func(ref string, status quotes.Status, age time.Duration) quotes.Quote {
		q := quotes.Quote{Ref: ref, Account: account, Status: status, CreatedAt: now.Add(-age), ExpiresAt: now.Add(quotes.InstantLife - age),
			Asked: quotes.Request{Quantity: 1, ProjectName: ptr("project of " + ref)}}
		commit(w, contract.QuoteAggregate, ref, quotes.EventPriced, account, q)
		return q
	}
	paying := func(q quotes.Quote, status checkouts.Status) {
		commit(w, contract.CheckoutAggregate, q.Ref, checkouts.EventBegun, account, checkouts.Checkout{Quote: q.Ref, Account: account, Status: status, Sold: q, StartedAt: now})
	}
	order := func(q quotes.Quote, status orders.Status) {
		paying(q, checkouts.Paid)
		commit(w, contract.OrderAggregate, q.Ref, orders.EventPaid, account, orders.Order{Quote: q.Ref, Account: account, Status: status, Sold: q, PaidAt: now})
	}
	quote("ready", quotes.Ready, time.Hour)
	quote("review", quotes.SourcingReady, time.Hour)
	quote("wished", quotes.SourcingRequested, time.Hour)
	quote("told", quotes.SourcingQuoted, time.Hour)
	paying(quote("paying", quotes.Ready, time.Hour), checkouts.Open)
	order(quote("sold", quotes.Ready, time.Hour), orders.Placed)
	order(quote("built", quotes.Ready, time.Hour), orders.InProduction)
	order(quote("sent", quotes.Ready, time.Hour), orders.Shipped)
	quote("old", quotes.Ready, quotes.InstantLife+time.Hour)
	ben := w.signInAs("ben")
	for status, ref := range map[quotes.Status]string{
		quotes.Ready: "ready", quotes.SourcingReady: "review", quotes.SourcingRequested: "wished",
		quotes.SourcingQuoted: "told", quotes.AwaitingPayment: "paying", quotes.Ordered: "sold",
		quotes.InProduction: "built", quotes.Shipped: "sent", quotes.Expired: "old",
	} {
		for _, filter := range []string{"", "&account=" + account} {
			got := ben.get("/quotes?status=" + string(status) + filter)
			got.wants(t, http.StatusOK, "project of "+ref)
			if n := strings.Count(got.body, "project of "); n != 1 {
				t.Errorf("%s%s shows %d quotes", status, filter, n)
			}
		}
	}
	ben.get("/quotes?status=moon").wants(t, http.StatusNotFound, "no such status")
}

// TestLayers shows a board layer by layer once its layers are drawn, and the
// reports of its checks with nothing of the console's around them.
func TestLayers(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	ann, at := w.signInAs("ann"), "/quotes/"+instantRef+"/layers"
	ann.get(at).wants(t, http.StatusOK, "have not been drawn yet", "1 oz, 1.6 mm", "/checks/"+checkRef)
	ann.get(at).lacks(t, "/checks/gone")
	drawn := ann.fill(at, at)
	drawn.wants(t, http.StatusOK, "The layers are drawn", "F.Cu", at+"/1")
	drawn.lacks(t, "have not been drawn")
	w.awaitAudit("ann", "had layers drawn")
	if got := ann.get(at + "?layer=1&zoom=4").body; !strings.Contains(got, `class="sheet z4"`) || !strings.Contains(got, `data-of="0" hidden`) || strings.Contains(got, `data-of="1" hidden`) {
		t.Errorf("the second layer alone, four times as large:\n%s", got)
	}
	if got := ann.get(at + "/1"); got.header.Get("Content-Type") != "image/png" || !strings.HasPrefix(got.body, "\x89PNG") {
		t.Errorf("layer: %d %v", got.status, got.header)
	}
	for _, none := range []string{at + "/2", at + "/-1", at + "/x", "/quotes/" + instantRef + "/checks/gone", "/quotes/none/layers"} {
		ann.get(none).wants(t, http.StatusNotFound, "There is no such")
	}
	report := ann.get("/quotes/" + instantRef + "/checks/" + checkRef)
	report.wants(t, http.StatusOK, "<title>report</title>")
	if csp := report.header.Get("Content-Security-Policy"); !strings.Contains(csp, "sandbox allow-scripts") || strings.Contains(csp, "allow-same-origin") || strings.Contains(csp, "unsafe") {
		t.Errorf("the report may do what it likes: %s", csp)
	}
	ben := w.signInAs("ben")
	for _, path := range []string{at, at + "/1", "/quotes/" + instantRef + "/checks/" + checkRef} {
		ben.get(path).wants(t, http.StatusForbidden, "Your roles do not let you")
	}
}

func TestRoles(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	ben := w.signInAs("ben")
	ben.get("/quotes/"+instantRef).lacks(t, "blinker-F_Cu.gbr</th>", "Design files")
	ben.get("/orders/"+instantRef).lacks(t, "Grace Hopper", "1 Compiler Way", "Report on this order")
	ben.get("/orders/"+instantRef).wants(t, http.StatusOK, "22201")
	ben.get("/orders").wants(t, http.StatusOK, "=…, US")
	ben.get("/uploads").lacks(t, "blinker-F_Cu.gbr")
	ben.get(fmt.Sprintf("/dead-letters/%d", w.dead()[0].Seq)).lacks(t, "Replay", instantRef)
	ben.get("/accounts/"+account).lacks(t, "Make a key", "/revoke")
	for _, path := range []string{"/reviews/" + reviewRef, "/orders.csv", "/orders/" + instantRef + "/package", "/quotes/" + instantRef + "/picture/top",
		"/event/order/1", "/accounts/" + account + "/keys/oldkey000000/revoke"} {
		ben.get(path).wants(t, http.StatusForbidden, "Your roles do not let you")
	}
	w.awaitAudit("ben", "refused")
	formToken := ben.form("/", "/sign-out").Get("form_token")
	for _, path := range []string{"/reviews/" + reviewRef, "/orders/" + instantRef, "/dead-letters/1/replay", "/dead-letters/1/discard", "/accounts", "/accounts/" + account + "/keys"} {
		ben.post(path, url.Values{"form_token": {formToken}, "sure": {"yes"}}).wants(t, http.StatusForbidden, "Your roles do not let you")
	}
	if len(w.dead()) != 1 {
		t.Error("the dead letter is gone")
	}
	w.signInAs("pia").get("/reviews/"+reviewRef).wants(t, http.StatusOK, "Set this price", "Grace Hopper")
	w.signInAs("fin").get("/orders/"+instantRef).wants(t, http.StatusOK, "Report on this order", "Grace Hopper")
	w.signInAs("con").get("/uploads").wants(t, http.StatusOK, "seeker-head.gbr") // a us_person who sees designs
}

// priceFields is a price of the boards alone as it is filled in, with the rest said to be
// left out.
func priceFields(more ...string) []string {
	return append(more, "label", "Boards", "for", "boards", "build_days", "5", "out-shipping", "yes", "words-shipping", "You fetch them.",
		"out-tax", "yes", "words-tax", "No tax.", "rest", "left_off", "action", "price")
}

func TestPriceReview(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	pia, at := w.signInAs("pia"), "/reviews/"+reviewRef
	pia.fill(at, at, "label", "Boards", "amount", "12,00", "action", "price").wants(t, http.StatusUnprocessableEntity, "An amount like 1234.50.")
	pia.fill(at, at, "label", "Boards", "amount", "1200.5", "tax", "99.50", "action", "add").wants(t, http.StatusOK, "$1,300.00")
	if q := quoteOf(w, reviewRef); q.Status != quotes.SourcingRequested {
		t.Errorf("adding up changed the quote to %s", q.Status)
	}
	pia.fill(at, at, "label", "Boards", "for", "boards", "amount", "1200.5", "tax", "99.50", "action", "price").
		wants(t, http.StatusUnprocessableEntity, "There is nothing for shipping.", "has no price: say what becomes of it.", "Say how long it takes to build.", "Say how long the parcel takes")
	pia.fill(at, at, priceFields("amount", "1", "out-shipping", "yes", "words-shipping", "")...).wants(t, http.StatusUnprocessableEntity, "Say it in words: the customer reads them.")
	pia.fill(at, at, priceFields("amount", "1200.5", "tax", "99.50")...).wants(t, http.StatusUnprocessableEntity, "The price holds $99.50 for tax, which is said to be left out.")
	pia.fill(at, at, priceFields("amount", "1", "build_days", "99")...).wants(t, http.StatusUnprocessableEntity, "Nobody waits that long.", "Too long.")
	pia.fill(at, at, priceFields("amount", "1200.5", "tax", "99.50", "out-tax", "no", "build_days", "12")...).
		wants(t, http.StatusOK, "The price is set", "$1,300.00", "sourcing quoted")
	if q := quoteOf(w, reviewRef); q.Version != 2 || len(q.Reply.Lines) != 2 || q.Reply.Lines[0].Cents != 120050 {
		t.Errorf("priced quote: %+v", q)
	}
	w.awaitAudit("pia", "set a price")
}

func quoteOf(w *world, ref string) (q quotes.Quote) {
	w.t.Helper()
	doc, err := w.docs.Get(w.t.Context(), "quote", ref)
	if err != nil || json.Unmarshal(doc.Body, &q) != nil {
		w.t.Fatal(err)
	}
	return q
}

func TestReportOrder(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	fin, at := w.signInAs("fin"), "/orders/"+instantRef
	fin.fill(at, at).wants(t, http.StatusUnprocessableEntity, "Choose what becomes of the order.")
	fin.fill(at, at, "status", "held").wants(t, http.StatusUnprocessableEntity, "Choose what becomes of the order.")
	fin.fill(at, at, "status", "shipped", "url", "javascript:alert(1)").
		wants(t, http.StatusUnprocessableEntity, "Say who carries it.", "Say how the parcel is found.", "https://")
	fin.fill(at, at, "status", "placed", "note", "refuse").wants(t, http.StatusUnprocessableEntity, "An order cannot become this.")
	form := fin.form(at, at)
	for name, value := range map[string]string{"status": "shipped", "carrier": "DHL", "number": "JD01", "url": "https://dhl.example/JD01"} {
		form.Set(name, value)
	}
	fin.post(at, form).wants(t, http.StatusOK, "The order has been changed", "JD01", "fin,")
	w.awaitAudit("fin", "reported on an order")
}

func TestGiveMoneyBack(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	fin, page := w.signInAs("fin"), "/orders/"+instantRef
	for _, amount := range []string{"", "0", "-1", "ten"} {
		fin.fill(page, page+"/refund", "amount", amount).wants(t, http.StatusUnprocessableEntity, "An amount like 1234.50.")
	}
	fin.fill(page, page+"/refund", "amount", "9999").wants(t, http.StatusUnprocessableEntity, "Of this payment less is left: $")
	form := fin.form(page, page+"/refund")
	form.Set("amount", "12.50")
	form.Set("why", "a scratch")
	for range 2 { // a double click is one refund
		fin.post(page+"/refund", form).wants(t, http.StatusOK, "The money goes back", "$12.50", "a scratch")
	}
	if o := orderOf(w, instantRef); len(o.Refunds) != 1 || o.Refunds[0].Cents != 1250 || o.Refunds[0].Operator == "" {
		t.Errorf("refunds = %+v", o.Refunds)
	}
	w.awaitAudit("fin", "refunded an order")
	if a := w.signInAs("pia").post(page+"/refund", form); a.status != http.StatusForbidden {
		t.Errorf("who may not = %d", a.status)
	}
}

func TestCancelOrder(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	fin, page := w.signInAs("fin"), "/orders/"+instantRef
	fin.fill(page, page+"/cancel").wants(t, http.StatusUnprocessableEntity, "Say that it is meant")
	fin.fill(page, page+"/cancel", "sure", "yes", "why", "as you asked").wants(t, http.StatusOK, "The order is cancelled", "as you asked", "cancelled")
	if o := orderOf(w, instantRef); o.Status != orders.Cancelled {
		t.Errorf("order = %s", o.Status)
	}
	if strings.Contains(fin.get(page).body, page+"/cancel") {
		t.Error("it could be cancelled again")
	}
	w.awaitAudit("fin", "cancelled an order")
}

func orderOf(w *world, ref string) (o orders.Order) {
	w.t.Helper()
	doc, err := w.docs.Get(w.t.Context(), "order", ref)
	if err != nil || json.Unmarshal(doc.Body, &o) != nil {
		w.t.Fatal(err)
	}
	return o
}

// TestPicturesAndPackagesFollow a reading: until they are there people are told so.
func TestPicturesAndPackagesFollow(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	ann, prefix := w.signInAs("ann"), "boards/"+boardRef+"/1/"
	for _, tt := range []struct {
		rest   boards.RestStatus
		gone   bool
		status int
		again  string
		want   string
	}{
		{boards.RestMaking, false, http.StatusServiceUnavailable, "5", " is still being made. Look again in a few seconds."},
		{boards.RestFailed, false, http.StatusNotFound, "", " could not be made. The command that makes it, design-check.complete, is among the dead letters"},
		{boards.RestMade, false, http.StatusNotFound, "", "There is no such "},
		{boards.RestMaking, true, http.StatusNotFound, "", "There is no such "},
	} {
		commit(w, contract.BoardAggregate, boardRef, boards.EventRead, account, boards.ReadFiles{
			Digest: boardRef, Reader: "1", Gone: tt.gone, Prefix: prefix, Rest: tt.rest, Package: prefix + "package.zip",
			Boards: []boards.Board{{Name: "blinker", Top: prefix + "0-top.png"}},
		})
		for what, path := range map[string]string{"picture": "/picture/top", "package": "/package"} {
			got := ann.get("/quotes/" + instantRef + path)
			got.wants(t, tt.status)
			if !strings.Contains(got.body, tt.want) || got.header.Get("Retry-After") != tt.again {
				t.Errorf("%s, rest %q, gone %v: Retry-After %q, want %q; want %q in\n%s", what, tt.rest, tt.gone, got.header.Get("Retry-After"), tt.again, tt.want, got.body)
			}
		}
	}
}

func TestDownloads(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	ann := w.signInAs("ann")
	zip := ann.get("/orders/" + instantRef + "/package")
	if zip.status != http.StatusOK || zip.header.Get("Content-Type") != "application/zip" || zip.header.Get("Content-Disposition") != "attachment; filename=BO-2345ABCD.zip" ||
		zip.header.Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(zip.body, "PK") {
		t.Errorf("package: %d %v", zip.status, zip.header)
	}
	w.awaitAudit("ann", "downloaded a package")
	if got := ann.get("/quotes/" + instantRef + "/picture/top"); got.header.Get("Content-Type") != "image/png" || !strings.HasPrefix(got.body, "\x89PNG") {
		t.Errorf("picture: %d %v", got.status, got.header)
	}
	file := w.signInAs("fin").get("/orders.csv?status=held")
	rows, err := csv.NewReader(strings.NewReader(file.body)).ReadAll()
	if err != nil || len(rows) != 2 || len(rows[1]) != len(rows[0]) {
		t.Fatalf("csv: %v, %v", rows, err)
	}
	for i, cell := range rows[1] {
		if cell != "" && strings.ContainsAny(cell[:1], "=+-@") {
			t.Errorf("%s could be a formula: %q", rows[0][i], cell)
		}
	}
	got := map[string]string{}
	for i, head := range rows[0] {
		got[head] = rows[1][i]
	}
	if got["order"] != "BO-2345ABCD" || got["total"] != "84.17" || got["company"] != "'=Navy" || got["quantity"] != "10" {
		t.Errorf("csv row %v", got)
	}
}

func TestDeadLetters(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	ann := w.signInAs("ann")
	seq := w.dead()[0].Seq
	page := fmt.Sprintf("/dead-letters/%d", seq)
	ann.get(page).wants(t, http.StatusOK, "dead.payment.follow-order", "cmd_bad", instantRef, "Replay", "Discard")
	ann.fill(page, page+"/discard").wants(t, http.StatusUnprocessableEntity, "tick the box")
	ann.fill(page, page+"/replay").wants(t, http.StatusUnprocessableEntity, "tick the box")
	if letters := w.dead(); len(letters) != 1 || letters[0].Seq != seq {
		t.Fatalf("unconfirmed, but %+v", letters)
	}
	ann.fill(page, page+"/replay", "sure", "yes").wants(t, http.StatusOK, "The command was sent again")
	w.awaitAudit("ann", "replayed a dead letter")
	bustest.WaitFor(t, "the command to fail again", func() bool { l := w.dead(); return len(l) == 1 && l[0].Seq > seq })
	ann.get(page).wants(t, http.StatusNotFound, "gone")
	again := fmt.Sprint(w.dead()[0].Seq)
	form := ann.form("/dead-letters", "/dead-letters/replay")
	form.Set("letter", again)
	ann.post("/dead-letters/replay", form).wants(t, http.StatusUnprocessableEntity, "tick the box")
	form.Set("sure", "yes")
	form.Add("letter", "999")
	many := ann.post("/dead-letters/replay", form)
	many.wants(t, http.StatusOK, "1 could not be sent")
	bustest.WaitFor(t, "the outcome", func() bool { return strings.Contains(ann.get(many.url.RequestURI()).body, "the order is odd") })
	page = fmt.Sprintf("/dead-letters/%d", w.dead()[0].Seq)
	ann.fill(page, page+"/discard", "sure", "yes").wants(t, http.StatusOK, "The dead letter is gone", "There are none")
	w.awaitAudit("ann", "discarded a dead letter")
	if l := w.dead(); len(l) != 0 {
		t.Errorf("left: %+v", l)
	}
}

var shownKey = regexp.MustCompile(`bo_(live|test)_\w{12}_\w{49}`)

func TestAccountsAndKeys(t *testing.T) {
	t.Parallel()
	w := start(t)
	ann := w.signInAs("ann")
	ann.fill("/accounts", "/accounts", "name", " ", "id", "no").wants(t, http.StatusUnprocessableEntity, "An account has a name.", "acc_ and letters")
	opened := ann.fill("/accounts", "/accounts", "name", "Acme Boards")
	opened.wants(t, http.StatusOK, "The account is open", "Acme Boards", "It has no key yet")
	at := opened.url.Path
	keys := at + "/keys"
	ann.fill(at, at+"/address", "email", "nobody").wants(t, http.StatusUnprocessableEntity, "This is no e-mail address")
	ann.fill(at, at+"/address", "email", "dev@acme.example").wants(t, http.StatusOK, "dev@acme.example")
	ann.fill(at, keys, "name", "", "mode", "test", "expires", "2001-01-01", "networks", "office").
		wants(t, http.StatusUnprocessableEntity, "A key has a name", "at least one thing", "A day from today on", "is no network; one looks like 192.0.2.0/24")
	form := ann.form(at, keys)
	for name, value := range map[string]string{"name": "robot", "mode": "test", "scope": "quotes", "expires": "2999-12-31", "networks": "192.0.2.7/24, 2001:db8::/32"} {
		form.Set(name, value)
	}
	made := ann.post(keys, form)
	made.wants(t, http.StatusCreated, "shown this once", "robot")
	text := shownKey.FindString(made.body)
	parsed, err := secret.ParseAPIKey(text)
	if err != nil || parsed.Live {
		t.Fatalf("key %q: %v", text, err)
	}
	key := w.key(parsed.ID)
	if !parsed.Matches(key.Hash) || key.CreatedBy != "ann" || key.ExpiresAt == nil || len(key.Scopes) != 1 || !slices.Equal(key.Networks, []string{"192.0.2.0/24", "2001:db8::/32"}) || !key.Usable(time.Now()) {
		t.Errorf("kept of it: %+v", key)
	}
	ann.post(keys, form).wants(t, http.StatusConflict, "sent before")
	ann.get(at).lacks(t, text, "Sent in an address")
	flags, err := w.bus.Bucket(t.Context(), contract.APIKeyFlagsBucket)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := flags.Create(t.Context(), parsed.ID, []byte("2026-11-22T10:00:00Z")); err != nil {
		t.Fatal(err)
	}
	ann.get(at).wants(t, http.StatusOK, "Sent in an address on 2026-11-22 10:00:00")
	for _, e := range w.log.All() {
		if strings.Contains(fmt.Sprint(e.Message, e.ContextMap()), text) {
			t.Error("the key is in the log")
		}
	}
	ann.get(at).wants(t, http.StatusOK, "from 192.0.2.0/24, 2001:db8::/32")
	one := keys + "/" + parsed.ID
	ann.fill(one, one, "expires", "2001-01-01").wants(t, http.StatusUnprocessableEntity, "at least one thing", "A day from today on")
	ann.fill(one, one, "scope", "uploads", "expires", "2999-01-01").wants(t, http.StatusOK, "The key is changed", "uploads")
	if key := w.key(parsed.ID); len(key.Scopes) != 1 || key.Scopes[0] != "uploads" || key.ExpiresAt.Year() != 2999 || len(key.Networks) != 2 {
		t.Errorf("changed: %+v", key)
	}
	ann.fill(one, one+"/rotate", "days", "100").wants(t, http.StatusUnprocessableEntity, "0 to 90")
	rotated := ann.fill(one, one+"/rotate", "days", "7")
	rotated.wants(t, http.StatusCreated, "shown this once")
	other, err := secret.ParseAPIKey(shownKey.FindString(rotated.body))
	if err != nil || other.ID == parsed.ID {
		t.Fatal("no other key", err)
	}
	if old, fresh := w.key(parsed.ID), w.key(other.ID); old.ExpiresAt == nil || time.Until(*old.ExpiresAt) > 8*24*time.Hour || !old.Usable(time.Now()) || fresh.Scopes[0] != "uploads" || fresh.Name != old.Name {
		t.Errorf("after the rotation: %+v and %+v", old, fresh)
	}
	if fresh := w.key(other.ID); len(fresh.Networks) != 2 {
		t.Errorf("a rotated key is bound to %q", fresh.Networks)
	}
	ann.fill(one, one, "scope", "uploads", "networks", "").wants(t, http.StatusOK, "The key is changed")
	if key := w.key(parsed.ID); len(key.Networks) != 0 {
		t.Errorf("still bound to %q", key.Networks)
	}
	revoke := keys + "/" + parsed.ID + "/revoke"
	ann.fill(revoke, revoke).wants(t, http.StatusUnprocessableEntity, "tick the box")
	began := time.Now()
	ann.fill(revoke, revoke, "sure", "yes").wants(t, http.StatusOK, "The key is revoked", "by ann")
	if key := w.key(parsed.ID); key.Usable(time.Now()) || key.RevokedBy != "ann" {
		t.Errorf("after %v it is still usable: %+v", time.Since(began), key)
	}
	for _, action := range []string{"opened an account", "created a key", "revoked a key"} {
		w.awaitAudit("ann", action)
	}
}

func (w *world) key(id string) accounts.APIKey {
	w.t.Helper()
	var key accounts.KeyDocument
	doc, err := w.docs.Get(w.t.Context(), accounts.KeyDocumentKind, id)
	if err != nil || json.Unmarshal(doc.Body, &key) != nil {
		w.t.Fatalf("key %s: %v", id, err)
	}
	return key.Key
}

func TestFind(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	commit(w, contract.OperationAggregate, "req_nine", contract.OperationRefused, account, contract.Operation{Request: "req_nine", Account: account})
	quoteID := strings.Repeat("ab", 32)
	commit(w, contract.QuoteAggregate, contract.SecretRef(quoteID), quotes.EventPriced, account, quotes.Quote{Ref: contract.SecretRef(quoteID), Account: account})
	ben := w.signInAs("ben")
	for what, path := range map[string]string{
		" bo-2345abcd ": "/orders/" + instantRef, "ord_01": "/orders/" + instantRef, instantRef: "/quotes/" + instantRef, account: "/accounts/" + account,
		"req_nine": "/events/operation/req_nine", quoteID: "/quotes/" + contract.SecretRef(quoteID), uploadRef: "/events/upload/" + uploadRef,
	} {
		if got := ben.fill("/", "/find", "what", what); got.url.Path != path || got.status != http.StatusOK {
			t.Errorf("find %q led to %s: %d", what, got.url, got.status)
		}
	}
	ben.fill("/", "/find", "what", "a b<c>").wants(t, http.StatusNotFound, "Nothing here has that number")
}

// TestSearch finds by the beginning of an id, by people, projects, parcels and
// files, as far as the operator's roles show them.
func TestSearch(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	order := orderOf(w, instantRef)
	order.Tracking = &shipments.Tracking{Carrier: "DHL", Number: "JD014600"}
	order.Sold.Asked.ProjectName = ptr("Blinker Two")
	commit(w, contract.OrderAggregate, instantRef, orders.EventShipped, account, order)
	ann, ben := w.signInAs("ann"), w.signInAs("ben")
	for _, tt := range []struct {
		what, ann, ben string // the page that it leads to; "" = a list, "-" = nothing
	}{
		{"bo-23", "/orders/" + instantRef, "/orders/" + instantRef}, {"jd0146", "/orders/" + instantRef, "/orders/" + instantRef},
		{"req_tw", "/quotes/" + reviewRef, "/quotes/" + reviewRef}, // the request of a quote leads to the quote alone
		{"Blinker Tw", "/orders/" + instantRef, "/orders/" + instantRef}, {"bbbbbbb", "/quotes/" + reviewRef, "/quotes/" + reviewRef},
		{"GRACE@example", "", "-"}, {"grace ho", "", "-"}, {"hopper", "", "-"},
		{"blinker-f_cu", "/events/upload/" + uploadRef, "-"}, {"seeker-head", "-", "-"}, {"demo acc", "/accounts/" + account, "/accounts/" + account},
		{"bo_live_oldkey", "/accounts/" + account, "/accounts/" + account}, {"ab", "-", "-"}, {"%%%", "-", "-"},
	} {
		for who, v := range map[string]*visitor{"ann": ann, "ben": ben} {
			want := tt.ann
			if who == "ben" {
				want = tt.ben
			}
			got := v.fill("/", "/find", "what", tt.what)
			switch {
			case want == "-" && got.status != http.StatusNotFound, want == "" && (got.status != http.StatusOK || !strings.Contains(got.body, "Found for")),
				want != "-" && want != "" && got.url.Path != want:
				t.Errorf("%s looks for %q: %s %d, want %q", who, tt.what, got.url.Path, got.status, want)
			}
		}
	}
	ann.fill("/", "/find", "what", "hopper").wants(t, http.StatusOK, "BO-2345ABCD", "=Navy")
}

func TestLiveEvents(t *testing.T) {
	t.Parallel()
	w := start(t)
	v := w.signInAs("ben")
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.url+"/events/live?aggregate=upload", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := v.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if got := resp.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Fatalf("content type %q", got)
	}
	lines := make(chan string, 100)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(resp.Body); s.Scan(); {
			if data, ok := strings.CutPrefix(s.Text(), "data: "); ok {
				lines <- data
			}
		}
	}()
	i := 0
	bustest.WaitFor(t, "an event", func() bool {
		i++
		commit(w, contract.QuoteAggregate, fmt.Sprint("q", i), quotes.EventPriced, account, quotes.Quote{}) // not asked for
		commit(w, contract.UploadAggregate, fmt.Sprint("u", i), uploads.EventCreated, account, uploads.Upload{})
		select {
		case line := <-lines:
			var got struct {
				Total  int
				Counts map[string]int
				Events []map[string]any
			}
			if err := json.Unmarshal([]byte(line), &got); err != nil || got.Total < 1 || len(got.Counts) != 1 || got.Counts["upload: created"] != got.Total || len(got.Events) == 0 {
				t.Errorf("live events %s: %v", line, err)
				return true
			}
			if e := got.Events[0]; e["event"] != "upload: created" || e["account"] != account || e["seq"] == "" {
				t.Errorf("live event %v", e)
			}
			return true
		default:
			return false
		}
	})
}

// TestEventsAreFilteredAndScrolled: by type, account, id, time, cause and what
// they followed from; back to the first.
func TestEventsAreFilteredAndScrolled(t *testing.T) {
	t.Parallel()
	w := start(t)
	const n = 130
	for i := range n {
		w.append(fmt.Sprintf("up%03d", i))
	}
	commit(w, contract.QuoteAggregate, "quoted", quotes.EventPriced, "acc_other", quotes.Quote{Ref: "quoted", Account: "acc_other"})
	ben := w.signInAs("ben")
	seen, to := 0, "/events"
	older := regexp.MustCompile(`<p class="more"><a href="([^"]+)">Older`)
	for range 10 {
		body := ben.get(to).body
		seen += strings.Count(body, "upload: created</a>")
		next := older.FindStringSubmatch(body)
		if next == nil {
			break
		}
		to = html.UnescapeString(next[1])
	}
	if seen != n {
		t.Errorf("scrolled back over %d uploads, want %d", seen, n)
	}
	for query, want := range map[string]int{"type=created": 50, "id=up00": 10, "id=up007&aggregate=upload": 1, "account=acc_other": 0, "type=priced": 0, "correlation=none": 0} {
		body := ben.get("/events?" + query).body
		if got := strings.Count(body, "upload: created</a>"); got != want {
			t.Errorf("%s: %d uploads, want %d", query, got, want)
		}
	}
	ben.get("/events?account=acc_other").wants(t, http.StatusOK, "quote: priced")
	events, err := w.bus.History(t.Context(), contract.QuoteAggregate, "quoted", 0, 1)
	if err != nil || len(events) != 1 {
		t.Fatal(events, err)
	}
	ben.get("/events?cause="+events[0].Cause).wants(t, http.StatusOK, "quote: priced")
	ben.get("/events?cause="+events[0].Cause).lacks(t, "upload: created</a>")
	ben.get("/events?at=2001-01-01T00:00").wants(t, http.StatusOK, "Nothing that fits has happened")
	ben.get("/events?at="+time.Now().UTC().Add(time.Hour).Format("2006-01-02T15:04")).wants(t, http.StatusOK, "quote: priced")
}

// TestLife tells what happened to a quote from its files to its order.
func TestLife(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	w.signInAs("ben").get("/quotes/"+instantRef+"/life").wants(t, http.StatusOK, "upload: files added", "board: read", "quote: priced", "checkout: paid", "order: paid", "order: held", "After", "from the first event to the last")
	w.signInAs("ben").get("/quotes/none/life").wants(t, http.StatusNotFound)
}

func TestStreams(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	w.signInAs("ben").get("/streams").wants(t, http.StatusOK, "dead letters", "Redelivered", "projector", "Last took", "Oldest")
}

// TestOperatorsBehindAProxy: who stands behind a proxy that is listed is counted by
// its own address, with attempts to sign in and with connections. What a proxy says that
// is not listed is not believed.
func TestOperatorsBehindAProxy(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		trusted []string
		status  int // of a second client's guess
		served  bool
	}{
		"listed":     {[]string{"127.0.0.0/8"}, http.StatusForbidden, true},
		"not listed": {nil, http.StatusTooManyRequests, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t, func(c *console.Config) { c.TrustedProxies = tt.trusted })
			guess := func(client string) int {
				v := w.visitor()
				form := v.form("/sign-in", "/sign-in")
				form.Set("name", "ann")
				form.Set("password", "wrong")
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+"/sign-in", strings.NewReader(form.Encode()))
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				r.Header.Set("X-Forwarded-For", client)
				resp, err := v.client.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				_ = resp.Body.Close()
				return resp.StatusCode
			}
			for guess("198.51.100.7") == http.StatusForbidden {
			}
			if got := guess("198.51.100.8"); got != tt.status {
				t.Errorf("another client's guess: %d, want %d", got, tt.status)
			}
			held := make([]net.Conn, door.Operators.Network+10)
			for i := range held {
				c, err := net.Dial("tcp", strings.TrimPrefix(w.url, "http://"))
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				held[i] = c
			}
			guess("198.51.100.9") // by then all are accepted
			_, err := io.WriteString(held[0], "GET /sign-in HTTP/1.1\r\nHost: x\r\n\r\n")
			reply, _ := bufio.NewReader(held[0]).ReadString('\n')
			if served := err == nil && strings.Contains(reply, " 200 "); served != tt.served {
				t.Errorf("the connection that waited longest is served: %v (%q, %v), want %v", served, reply, err, tt.served)
			}
		})
	}
}
