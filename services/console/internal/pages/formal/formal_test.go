package formal_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/blob/folder"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/prices"
	"boardorder/services/console/internal/download"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/page/pagetest"
	pages "boardorder/services/console/internal/pages/formal"

	"go.uber.org/zap"
)

var (
	sales   = pagetest.Operator("sal", operator.Sales)
	citizen = pagetest.Operator("uma", operator.Sales, operator.USPerson)
	admin   = pagetest.Operator("ann", operator.Admin)
	viewer  = pagetest.Operator("vera", operator.Viewer)
)

const limit = 100_000 // cents of a quote that one operator may issue alone

type desk struct {
	*pagetest.Desk
	blobs                                      *folder.Store
	list, show, pdf, file, quote, review, move page.Route
	ask, answer                                page.Route
}

func open(t testing.TB) *desk {
	t.Helper()
	blobs, err := folder.Open(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{Desk: pagetest.New(t), blobs: blobs}
	s := &pages.Section{Letters: pagetest.NoLetters{}, Docs: d.Docs, Files: download.Files{Docs: d.Docs, Blobs: blobs, Log: zap.NewNop()}, Now: pagetest.Now, MaxCents: limit}
	d.list = page.Route{Pattern: "GET /central", Handle: s.List}
	d.show = page.Route{Pattern: "GET /central/{ref}", Handle: s.Show}
	d.pdf = page.Route{Pattern: "GET /central/{ref}/quote.pdf", Needs: operator.SeeCustomers, Handle: s.QuotePDF}
	d.file = page.Route{Pattern: "GET /central/{ref}/files/{field}", Needs: operator.SeeDesigns, Handle: s.File}
	d.quote = page.Route{Pattern: "POST /central/{ref}/quote", Needs: operator.SetPrices, Handle: s.Quote}
	d.review = page.Route{Pattern: "POST /central/{ref}/review", Needs: operator.SetPrices, Handle: s.Review}
	d.ask = page.Route{Pattern: "POST /central/{ref}/ask", Needs: operator.SetPrices, Handle: s.Ask}
	d.answer = page.Route{Pattern: "POST /central/{ref}/answer", Needs: operator.SetPrices, Handle: s.WriteAnswer}
	d.move = page.Route{Pattern: "POST /central/{ref}/move", Needs: operator.MoveOrders, Handle: s.Move}
	return d
}

func order(key string, itar bool) formal.Order {
	return formal.Order{
		Key: key, ID: "ord_" + key, Ref: "CO-" + key, Account: "acc_1", Status: formal.Submitted, Form: formal.Form{Name: "Motor " + key, Qty: 50, ITAR: itar, Email: "ada@example.com"},
		Files: []formal.File{{Role: formal.Gerbers, Name: "a\"b.zip", Size: 3, Key: "central/" + key + "/gerbers"}, {Role: formal.BOM, Name: "bom.csv"}}, CreatedAt: pagetest.At,
	}
}

func (d *desk) put(o formal.Order) {
	d.Put(contract.FormalAggregate, o.Key, o, map[string]string{"status": contract.ListWord(o.Account, string(o.Status))})
}

// TestControlledOrders: for who is no US person a controlled order does not exist, in no
// list and at no address; who sees one is noted.
func TestControlledOrders(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.put(order("k1", true))
	d.put(order("k2", false))
	if _, err := d.blobs.Put(t.Context(), "central/k1/gerbers", strings.NewReader("zip"), 3, "application/zip"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		who    operator.Operator
		sees   bool
		opened int
	}{{sales, false, http.StatusNotFound}, {admin, false, http.StatusNotFound}, {citizen, true, http.StatusOK}} {
		list := d.Get(tt.who, d.list, "/central").Body.String()
		if strings.Contains(list, "CO-k1") != tt.sees || !strings.Contains(list, "CO-k2") {
			t.Errorf("%s: the list has the controlled order %t and the other %t, want %t and true", tt.who.Name, strings.Contains(list, "CO-k1"), strings.Contains(list, "CO-k2"), tt.sees)
		}
		before := len(d.Trail())
		for route, path := range map[*page.Route]string{&d.show: "/central/k1", &d.file: "/central/k1/files/gerbers"} {
			if w := d.Get(tt.who, *route, path); w.Code != tt.opened {
				t.Errorf("%s: GET %s: %d, want %d", tt.who.Name, path, w.Code, tt.opened)
			}
		}
		recorded := d.Trail()[before:]
		if want := map[bool]int{true: 2}[tt.sees]; len(recorded) != want {
			t.Errorf("%s: %d looks at a controlled order are noted, want %d", tt.who.Name, len(recorded), want)
		}
		for _, r := range recorded {
			if !r.Controlled || r.Operator != tt.who.Name {
				t.Errorf("%s: noted %+v, want it as controlled", tt.who.Name, r)
			}
		}
	}
	sent := len(d.Commands())
	for route, path := range map[*page.Route]string{&d.quote: "/quote", &d.review: "/review"} {
		if w := d.Post(sales, *route, "/central/k1"+path, url.Values{"findings": {"note: x"}}); w.Code != http.StatusNotFound || len(d.Commands()) != sent {
			t.Errorf("POST %s of a controlled order: %d, %d commands, want 404 and none", path, w.Code, len(d.Commands())-sent)
		}
	}
}

func fillQuote(amounts ...string) url.Values {
	form := url.Values{"fabricator": {"North Fab"}, "description": {""}, "days": {"10"}, "amount-0": amounts, "until": {"2026-12-20"}, "email": {"ada@example.com"}, "action": {"issue"}}
	for range amounts {
		form.Add("label-0", "Boards")
	}
	return form
}

// TestQuotes: a quote is issued to the cent, above a limit once a second operator has
// agreed, whichever of its options is the dearest.
func TestQuotes(t *testing.T) {
	t.Parallel()
	two := fillQuote("10")
	two["fabricator"], two["description"], two["days"] = []string{"A", "B"}, []string{"", ""}, []string{"1", "2"}
	two["label-1"], two["amount-1"] = []string{"Boards"}, []string{"1000.01"}
	add := fillQuote("10")
	add.Set("action", "add")
	for name, tt := range map[string]struct {
		form   url.Values
		refuse *contract.Refusal
		status int
		sent   contract.CommandName
		cents  int64 // of the first option, or asked about
	}{
		"two lines":           {fillQuote("900.50", "99.49"), nil, http.StatusSeeOther, formal.IssueQuote, 99_999},
		"at the limit":        {fillQuote("1,000.00"), nil, http.StatusSeeOther, formal.IssueQuote, 100_000},
		"a cent above it":     {fillQuote("1000.01"), nil, http.StatusSeeOther, cases.RequestApproval, 100_001},
		"one option above it": {two, nil, http.StatusSeeOther, cases.RequestApproval, 100_001},
		"only added up":       {add, nil, http.StatusOK, contract.CommandName{}, 0},
		"nothing to pay":      {fillQuote("5", "-5"), nil, http.StatusUnprocessableEntity, contract.CommandName{}, 0},
		"refused behind":      {fillQuote("10"), contract.Refuse(contract.Conflict, "It is cancelled."), http.StatusUnprocessableEntity, formal.IssueQuote, 1000},
	} {
		d := open(t)
		d.put(order("k1", false))
		d.Answer = func(contract.Command) *contract.Refusal { return tt.refuse }
		w := d.Post(sales, d.quote, "/central/k1/quote", tt.form)
		var got contract.CommandName
		cents := int64(0)
		if sent := d.Commands(); len(sent) == 1 {
			got = sent[0].Name
			var data struct {
				Cents   int64
				Options []formal.Option
			}
			if err := json.Unmarshal(sent[0].Data, &data); err != nil {
				t.Fatal(err)
			}
			if cents = data.Cents; len(data.Options) > 0 {
				cents = data.Options[0].TotalCents
			}
		}
		if w.Code != tt.status || got != tt.sent || cents != tt.cents {
			t.Errorf("%s: quote %v: %d, sent %s of %d cents; want %d, %s of %d", name, tt.form["amount-0"], w.Code, got, cents, tt.status, tt.sent, tt.cents)
		}
		if tt.refuse != nil && !strings.Contains(w.Body.String(), "It is cancelled.") {
			t.Errorf("%s: the page does not say why", name)
		}
	}
}

// TestMovesAndReviews: how an order stands and what was found goes on with who said it and from
// where the page stood.
func TestMovesAndReviews(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		who    operator.Operator
		review bool
		form   url.Values
		status int
		want   string
	}{
		"taken into review":    {admin, false, url.Values{"status": {"in_review"}, "from": {"submitted"}, "note": {"soon"}}, http.StatusSeeOther, `"from":"submitted","status":"in_review","note":"soon"`},
		"accepted by us":       {admin, false, url.Values{"status": {"accepted"}}, http.StatusUnprocessableEntity, ""},
		"a day alone":          {admin, false, url.Values{"ship": {"2026-12-01"}}, http.StatusSeeOther, `"estimated_ship":"2026-12-01"`},
		"a day that is none":   {admin, false, url.Values{"ship": {"2026-13-01"}}, http.StatusUnprocessableEntity, ""},
		"by who may not":       {sales, false, url.Values{"status": {"in_review"}}, http.StatusForbidden, ""},
		"found":                {sales, true, url.Values{"findings": {"Must fix: a short\nnote: fine"}}, http.StatusSeeOther, `{"level":"must_fix","what":"a short"},{"level":"note","what":"fine"}`},
		"found in other words": {sales, true, url.Values{"findings": {"bad: a short"}}, http.StatusUnprocessableEntity, ""},
		"found without words":  {sales, true, url.Values{"findings": {"note:"}}, http.StatusUnprocessableEntity, ""},
		"nothing was found":    {sales, true, url.Values{"findings": {""}, "note": {"Looks fine."}}, http.StatusSeeOther, `"note":"Looks fine."`},
	} {
		d := open(t)
		d.put(order("k1", false))
		route, path := d.move, "/central/k1/move"
		if tt.review {
			route, path = d.review, "/central/k1/review"
		}
		w := d.Post(tt.who, route, path, tt.form)
		sent := d.Commands()
		got := ""
		if len(sent) == 1 {
			got = string(sent[0].Data)
		}
		if w.Code != tt.status || (got != "") != (tt.want != "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: POST %s %v: %d, sent %s; want %d with %s", name, path, tt.form, w.Code, got, tt.status, tt.want)
		}
		if got != "" && !strings.Contains(got, fmt.Sprintf(`"operator":%q`, tt.who.Name)) {
			t.Errorf("%s: sent %s, want it in the name of %s", name, got, tt.who.Name)
		}
	}
}

// TestFiles: a customer's file is something to keep, under its own name, and a quote a
// document; what there is not is nowhere.
func TestFiles(t *testing.T) {
	t.Parallel()
	d := open(t)
	o := order("k1", false)
	o.Quote = &formal.Quote{Number: "Q-1", IssuedAt: pagetest.At, ValidUntil: pagetest.At.AddDate(0, 1, 0), Options: []formal.Option{{ID: "o1", Fabricator: "Fab", TotalCents: 100, Currency: "USD", Lines: []prices.Line{{Label: "Boards", Cents: 100}}}}}
	d.put(o)
	d.put(order("k2", false))
	if _, err := d.blobs.Put(t.Context(), "central/k1/gerbers", strings.NewReader("<script>"), 8, "text/html"); err != nil {
		t.Fatal(err)
	}
	w := d.Get(sales, d.file, "/central/k1/files/gerbers")
	if h := w.Header(); w.Code != http.StatusOK || h.Get("Content-Type") != "application/octet-stream" || !strings.HasPrefix(h.Get("Content-Disposition"), "attachment") || !strings.Contains(h.Get("Content-Security-Policy"), "sandbox") || w.Body.String() != "<script>" {
		t.Errorf("GET gerbers: %d %v %q, want a file to keep", w.Code, h, w.Body)
	}
	for path, want := range map[string]int{
		"/central/k1/files/bom": http.StatusNotFound, "/central/k1/files/cpl": http.StatusNotFound, "/central/k1/files/odd": http.StatusNotFound,
		"/central/k2/files/gerbers": http.StatusNotFound, "/central/k9/files/gerbers": http.StatusNotFound,
	} {
		if w := d.Get(sales, d.file, path); w.Code != want {
			t.Errorf("GET %s: %d, want %d", path, w.Code, want)
		}
	}
	if w := d.Get(viewer, d.file, "/central/k1/files/gerbers"); w.Code != http.StatusForbidden {
		t.Errorf("a file for who may see no designs: %d, want 403", w.Code)
	}
	if w := d.Get(sales, d.pdf, "/central/k1/quote.pdf"); w.Code != http.StatusOK || !strings.HasPrefix(w.Body.String(), "%PDF-") {
		t.Errorf("GET quote.pdf: %d, want a document", w.Code)
	}
	if w := d.Get(sales, d.pdf, "/central/k2/quote.pdf"); w.Code != http.StatusNotFound {
		t.Errorf("GET quote.pdf of no quote: %d, want 404", w.Code)
	}
}

// TestQuestions are asked in the customer's language and marked in the list; an answer that
// came by mail is written down, and stands first on the page.
func TestQuestions(t *testing.T) {
	t.Parallel()
	d := open(t)
	o := order("k1", false)
	o.Language = "ja"
	d.put(o)
	page := d.Get(sales, d.show, "/central/k1").Body.String()
	if !strings.Contains(page, "The customer reads Japanese (日本語)") || !strings.Contains(page, "Ask the customer a question") || strings.Contains(page, "Write down the customer’s answer") {
		t.Error("the page of an order does not say what its customer reads, or has no form for a question alone")
	}
	if w := d.Post(sales, d.ask, "/central/k1/ask", url.Values{"text": {" "}}); w.Code != http.StatusUnprocessableEntity || len(d.Commands()) != 0 {
		t.Errorf("an empty question: %d and %d commands, want 422 and none", w.Code, len(d.Commands()))
	}
	d.Answer = func(contract.Command) *contract.Refusal {
		return contract.Refuse(contract.Conflict, "Not answered yet.")
	}
	if w := d.Post(sales, d.ask, "/central/k1/ask", url.Values{"text": {"Which stackup?"}}); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), ">Which stackup?</textarea>") || !strings.Contains(w.Body.String(), "Not answered yet.") {
		t.Errorf("a question that is refused behind: %d, want 422, why, and what was typed:\n%s", w.Code, w.Body)
	}
	d.Answer = nil
	if w := d.Post(sales, d.ask, "/central/k1/ask", url.Values{"text": {"Which stackup?"}}); w.Code != http.StatusSeeOther {
		t.Errorf("a question: %d, want 303", w.Code)
	}
	o.Status, o.Questions = formal.InReview, []formal.Question{{ID: "q1", Operator: "sal", Text: "Which stackup?", AskedAt: pagetest.At}}
	d.put(o)
	if body := d.Get(viewer, d.list, "/central").Body.String(); !strings.Contains(body, ">customer asked<") {
		t.Error("the list does not mark that the customer was asked")
	}
	if w := d.Post(sales, d.answer, "/central/k1/answer", url.Values{"question": {"q1"}, "answer": {"Ours."}}); w.Code != http.StatusSeeOther {
		t.Errorf("an answer: %d, want 303", w.Code)
	}
	sent := d.Commands()
	if got := string(sent[len(sent)-1].Data); got != `{"order":"k1","question":"q1","text":"Ours.","operator":"sal"}` {
		t.Errorf("sent %s, want the answer to q1 by sal", got)
	}
	at := pagetest.At
	o.Questions[0].Answer, o.Questions[0].AnsweredAt = "Ours.", &at
	d.put(o)
	page = d.Get(sales, d.show, "/central/k1").Body.String()
	if answer, what := strings.Index(page, "The customer has answered"), strings.Index(page, "What is ordered"); answer < 0 || answer > what || strings.Count(page, "Ours.") != 1 {
		t.Errorf("the answer stands at %d, what is ordered at %d; want it first and once", answer, what)
	}
	if body := d.Get(viewer, d.list, "/central").Body.String(); !strings.Contains(body, ">customer answered<") {
		t.Error("the list does not mark that the customer has answered")
	}
	if w := d.Post(viewer, d.ask, "/central/k1/ask", url.Values{"text": {"x"}}); w.Code != http.StatusForbidden {
		t.Errorf("a question by who may set no prices: %d, want 403", w.Code)
	}
}
