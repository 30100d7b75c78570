package reviews_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/page/pagetest"
	"boardorder/services/console/internal/pages/reviews"
)

var (
	sales  = pagetest.Operator("sal", operator.Sales)
	viewer = pagetest.Operator("vera", operator.Viewer)
)

const limit = 100_000 // cents that one operator may set alone

type desk struct {
	*pagetest.Desk
	list, show, price, pick, ask, refuse page.Route
}

func open(t testing.TB) *desk {
	t.Helper()
	d := &desk{Desk: pagetest.New(t)}
	s := &reviews.Section{Docs: d.Docs, Now: pagetest.Now, MaxCents: limit}
	d.list = page.Route{Pattern: "GET /reviews", Handle: s.List}
	d.show = page.Route{Pattern: "GET /reviews/{ref}", Needs: operator.SetPrices, Handle: s.Show}
	d.price = page.Route{Pattern: "POST /reviews/{ref}", Needs: operator.SetPrices, Handle: s.Price}
	d.pick = page.Route{Pattern: "POST /reviews/{ref}/parts", Needs: operator.SetPrices, Handle: s.PickPart}
	d.ask = page.Route{Pattern: "POST /reviews/{ref}/ask", Needs: operator.SetPrices, Handle: s.Ask}
	d.refuse = page.Route{Pattern: "POST /reviews/{ref}/refuse", Needs: operator.SetPrices, Handle: s.Refuse}
	return d
}

// review is one that the customer asked for, of bare boards of which 20.00 are known.
func review() quotes.Quote {
	requestedAt := pagetest.At.Add(-time.Hour)
	return quotes.Quote{
		Ref: "r1", Account: "acc_1", RequestID: "req_1", Mode: quotes.ModeReview, Status: quotes.SourcingRequested, Request: quotes.Request{Quantity: 10}, RequestedAt: &requestedAt,
		Known:     &quotes.KnownPrice{Landed: true, Lines: []prices.PricedLine{{Line: prices.Line{Label: "Boards", Cents: 2000}, For: prices.Boards}}},
		CreatedAt: pagetest.At.Add(-2 * time.Hour), ExpiresAt: pagetest.At.Add(24 * time.Hour),
	}
}

func (d *desk) put(q quotes.Quote) {
	d.Put(contract.QuoteAggregate, q.Ref, q, map[string]string{"status": contract.ListWord(q.Account, string(q.Status))})
}

// price is a form that is right for review().
func price(change url.Values) url.Values {
	f := url.Values{
		"label": {"Boards", "Shipping"}, "amount": {"25.00", "10.00"}, "for": {"boards", "shipping"}, "build_days": {"5"}, "transit": {"3 to 5"}, "action": {"price"},
	}
	for name, v := range change {
		f[name] = v
	}
	return f
}

// TestPrices: a price is set as a whole, by one operator alone up to a limit, and for less
// than is known only where that is meant.
func TestPrices(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		form   url.Values
		change func(*quotes.Quote)
		refuse *contract.Refusal
		status int
		sent   contract.CommandName
		says   string
	}{
		"whole":                {price(nil), nil, nil, http.StatusSeeOther, quotes.PriceReview, ""},
		"only added up":        {price(url.Values{"action": {"add"}}), nil, nil, http.StatusOK, contract.CommandName{}, "35.00"},
		"at the limit":         {price(url.Values{"amount": {"990.00", "10.00"}}), nil, nil, http.StatusSeeOther, quotes.PriceReview, ""},
		"a cent above it":      {price(url.Values{"amount": {"990.01", "10.00"}}), nil, nil, http.StatusSeeOther, cases.RequestApproval, ""},
		"less than is known":   {price(url.Values{"amount": {"19.99", "10.00"}}), nil, nil, http.StatusUnprocessableEntity, contract.CommandName{}, "at least $20.00 is known"},
		"less, and meant":      {price(url.Values{"amount": {"19.99", "10.00"}, "below": {"yes"}}), nil, nil, http.StatusSeeOther, quotes.PriceReview, ""},
		"nothing for shipping": {price(url.Values{"amount": {"25.00", ""}}), nil, nil, http.StatusUnprocessableEntity, contract.CommandName{}, "There is nothing for shipping"},
		"shipping left out":    {price(url.Values{"amount": {"25.00", ""}, "out-shipping": {"yes"}, "words-shipping": {"Shipping to you"}}), nil, nil, http.StatusSeeOther, quotes.PriceReview, ""},
		"an amount in words":   {price(url.Values{"amount": {"much", "10.00"}}), nil, nil, http.StatusUnprocessableEntity, contract.CommandName{}, "“much” is not an amount of “Boards”. Write it like 1234.50."},
		"no time to build":     {price(url.Values{"build_days": {""}}), nil, nil, http.StatusUnprocessableEntity, contract.CommandName{}, "Say how long it takes to build."},
		"refused behind":       {price(nil), nil, contract.Refuse(contract.Conflict, "It is being paid."), http.StatusUnprocessableEntity, quotes.PriceReview, "It is being paid."},
		"as it was opened":     {price(url.Values{"version": {"3"}}), func(q *quotes.Quote) { q.Version = 3 }, nil, http.StatusSeeOther, quotes.PriceReview, ""},
		"priced meanwhile": {price(url.Values{"version": {"3"}}), func(q *quotes.Quote) {
			total := int64(4200)
			q.Version, q.PricedBy, q.Reply.TotalCents, q.Status = 4, "eve", &total, quotes.SourcingQuoted
		}, nil, http.StatusUnprocessableEntity, contract.CommandName{}, "eve has set a price since you opened this: $42.00"},
		"of a quote that is none": {price(nil), func(q *quotes.Quote) { q.Mode = quotes.ModeInstant }, nil, http.StatusNotFound, contract.CommandName{}, ""},
	} {
		d := open(t)
		q := review()
		if tt.change != nil {
			tt.change(&q)
		}
		d.put(q)
		d.Answer = func(contract.Command) *contract.Refusal { return tt.refuse }
		w := d.Post(sales, d.price, "/reviews/r1", tt.form)
		var got contract.CommandName
		if sent := d.Commands(); len(sent) == 1 {
			got = sent[0].Name
		}
		if w.Code != tt.status || got != tt.sent || !strings.Contains(w.Body.String(), tt.says) {
			t.Errorf("%s: price %v: %d, sent %s, says %q: %t; want %d, %s", name, tt.form, w.Code, got, tt.says, strings.Contains(w.Body.String(), tt.says), tt.status, tt.sent)
		}
	}
	d := open(t)
	d.put(review())
	d.Post(sales, d.price, "/reviews/r1", price(nil))
	var data quotes.PriceReviewData
	if err := json.Unmarshal(d.Commands()[0].Data, &data); err != nil {
		t.Fatal(err)
	}
	if data.Operator != "sal" || data.Quote != "r1" || data.Cents(prices.Boards) != 2500 || data.Cents(prices.Shipping) != 1000 || data.BuildDays != 5 || data.TransitMin != 3 || data.TransitMax != 5 {
		t.Errorf("sent %+v, want 25.00 and 10.00 by sal in 5 days and 3 to 5", data)
	}
	if r := d.Trail()[0]; r.Action != "set a price" || !strings.Contains(r.After["total"], "35.00") || r.Before["status"] != string(quotes.SourcingRequested) {
		t.Errorf("the trail begins with %+v, want the price before and after", r)
	}
	if w := d.Post(viewer, d.price, "/reviews/r1", price(nil)); w.Code != http.StatusForbidden {
		t.Errorf("a price by who may set none: %d, want 403", w.Code)
	}
}

// TestTalks: what is written to a customer is not nothing and not endless, and a review
// is refused only where that is meant.
func TestTalks(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.put(review())
	for _, tt := range []struct {
		name   string
		route  page.Route
		path   string
		form   url.Values
		status int
		sent   contract.CommandName
	}{
		{"a question", d.ask, "/ask", url.Values{"text": {"Which side?\nTop?"}}, http.StatusSeeOther, quotes.AskCustomer},
		{"no question", d.ask, "/ask", url.Values{"text": {" \n "}}, http.StatusUnprocessableEntity, contract.CommandName{}},
		{"a question of 5000", d.ask, "/ask", url.Values{"text": {strings.Repeat("ä", 5000)}}, http.StatusSeeOther, quotes.AskCustomer},
		{"a question of 5001", d.ask, "/ask", url.Values{"text": {strings.Repeat("ä", 5001)}}, http.StatusUnprocessableEntity, contract.CommandName{}},
		{"a refusal", d.refuse, "/refuse", url.Values{"why": {"Nobody builds it."}, "sure": {"yes"}}, http.StatusSeeOther, quotes.RefuseReview},
		{"a refusal that is not meant", d.refuse, "/refuse", url.Values{"why": {"Nobody builds it."}}, http.StatusUnprocessableEntity, contract.CommandName{}},
		{"a refusal without a word", d.refuse, "/refuse", url.Values{"sure": {"yes"}}, http.StatusUnprocessableEntity, contract.CommandName{}},
		{"a part", d.pick, "/parts", url.Values{"reference": {"R1"}, "mpn": {" RC0603 "}, "manufacturer": {"Yageo"}}, http.StatusSeeOther, quotes.PickPart},
		{"no part", d.pick, "/parts", url.Values{"reference": {"R1"}, "mpn": {" "}}, http.StatusUnprocessableEntity, contract.CommandName{}},
	} {
		before := len(d.Commands())
		w := d.Post(sales, tt.route, "/reviews/r1"+tt.path, tt.form)
		var got contract.CommandName
		var data struct{ MPN, Text string }
		if sent := d.Commands()[before:]; len(sent) == 1 {
			got = sent[0].Name
			if err := json.Unmarshal(sent[0].Data, &data); err != nil {
				t.Fatal(err)
			}
		}
		if w.Code != tt.status || got != tt.sent {
			t.Errorf("%s: %d, sent %s; want %d, %s", tt.name, w.Code, got, tt.status, tt.sent)
		}
		if tt.name == "a part" && data.MPN != "RC0603" || tt.name == "a question" && data.Text != "Which side?\nTop?" {
			t.Errorf("%s: sent %+v, want what was written, without blanks around it", tt.name, data)
		}
	}
	for _, r := range d.Trail() {
		for _, text := range r.After {
			if strings.Contains(text, "Which side") || strings.Contains(text, "Nobody builds") {
				t.Errorf("the trail holds what was written to a customer: %+v", r)
			}
		}
	}
}

// TestQueue: those that wait, oldest first, then those that were priced.
func TestQueue(t *testing.T) {
	t.Parallel()
	d := open(t)
	name := func(s string) *string { return &s }
	for i, ref := range []string{"r1", "r2", "r3"} {
		q := review()
		q.Ref, q.Request.ProjectName = ref, name("project "+ref)
		at := pagetest.At.Add(-time.Duration(i) * time.Hour) // the last has waited longest
		q.RequestedAt = &at
		d.put(q)
	}
	priced := review()
	priced.Ref, priced.Status, priced.Request.ProjectName = "r4", quotes.SourcingQuoted, name("project r4")
	d.put(priced)
	d.Put(contract.CaseAggregate, "r1", cases.Case{Assignee: "somebody"}, nil)
	test := review()
	test.Ref, test.Account, test.Request.ProjectName = "r5", contract.TestOwner("acc_1"), name("project r5")
	d.put(test)
	body := d.Get(viewer, d.list, "/reviews").Body.String()
	last := -1
	for _, want := range []string{"project r3", "project r2", "project r1", "/quotes/r4"} {
		i := strings.Index(body, want)
		if i <= last {
			t.Errorf("%q stands at %d of the queue, after %d; want the one that has waited longest first, then what was priced", want, i, last)
		}
		last = i
	}
	if strings.Contains(body, "project r5") || !strings.Contains(body, "somebody") {
		t.Errorf("the queue holds what a test key asked for: %t, and who has r1: %t; want false, true", strings.Contains(body, "project r5"), strings.Contains(body, "somebody"))
	}
}

// TestClosedReviews: the page of a review says why no price can be set, and which parts
// the team chooses.
func TestClosedReviews(t *testing.T) {
	t.Parallel()
	part := assemblies.Part{Fitting: assemblies.Fitted, Picked: true, Found: partchecks.Found{Reference: "R1", Part: "10k 0603"}}
	for name, tt := range map[string]struct {
		change   func(*quotes.Quote)
		has, not string
	}{
		"asked for":     {func(*quotes.Quote) {}, "Set this price", "its price cannot change"},
		"not asked for": {func(q *quotes.Quote) { q.Status = quotes.SourcingReady }, "has not asked for this review yet", ""},
		"expired":       {func(q *quotes.Quote) { q.ExpiresAt = pagetest.At }, "its price cannot change", ""},
		"parts to choose": {func(q *quotes.Quote) {
			q.Request.Assembly, q.Request.StaffPicksParts, q.Assembly, q.Reply.Parts = true, true, &quotes.QuotedAssembly{}, []assemblies.Part{part}
		}, `name="mpn"`, ""},
		"parts not chosen": {func(q *quotes.Quote) {
			q.Request.Assembly, q.Assembly, q.Reply.Parts = true, &quotes.QuotedAssembly{}, []assemblies.Part{part}
		}, "", `name="mpn"`},
	} {
		d := open(t)
		q := review()
		tt.change(&q)
		d.put(q)
		w := d.Get(sales, d.show, "/reviews/r1")
		body := w.Body.String()
		if w.Code != http.StatusOK || !strings.Contains(body, tt.has) || tt.not != "" && strings.Contains(body, tt.not) {
			t.Errorf("%s: GET /reviews/r1: %d, has %q: %t, has %q: %t; want the first and not the second", name, w.Code, tt.has, strings.Contains(body, tt.has), tt.not, tt.not != "" && strings.Contains(body, tt.not))
		}
	}
}

// TestQueueIsOrderedByTheQuestion: who asked the team first stands first, whenever the quote
// was made; one is told from the other by size and number.
func TestQueueIsOrderedByTheQuestion(t *testing.T) {
	t.Parallel()
	d := open(t)
	for i, ref := range []string{"late", "early"} {
		q := review()
		asked, size := pagetest.At.Add(-time.Duration(i+1)*time.Hour), fmt.Sprintf("%d0 × 30 mm", i+2)
		q.Ref, q.RequestedAt, q.CreatedAt, q.Reply.Board = ref, &asked, pagetest.At.Add(time.Duration(i-9)*time.Hour), &size
		q.Reply.CustomQuoteReasons = []string{"It is large.", "It is odd."}
		d.put(q)
	}
	got := d.Get(sales, d.list, "/reviews").Body.String()
	first, second := strings.Index(got, "/reviews/early"), strings.Index(got, "/reviews/late")
	if first < 0 || second < first {
		t.Errorf("the first to ask stands at %d, the second at %d of the page, want them in this order:\n%s", first, second, got)
	}
	for _, want := range []string{"2 h 0 min", "1 h 0 min", "30 × 30 mm", "20 × 30 mm", "It is large. It is odd.", quotes.CustomerRef("early")} {
		if !strings.Contains(got, want) {
			t.Errorf("the queue lacks %q:\n%s", want, got)
		}
	}
}

// TestRefusedFormsKeepWhatWasTyped: whatever is wrong is said beside it, and nothing that was
// typed is lost.
func TestRefusedFormsKeepWhatWasTyped(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 5001)
	part := assemblies.Part{Fitting: assemblies.Fitted, Picked: true, Found: partchecks.Found{Reference: "R1", Part: "10k 0603"}}
	for name, tt := range map[string]struct {
		route  func(*desk) page.Route
		path   string
		form   url.Values
		refuse *contract.Refusal
		keeps  []string
	}{
		"a price": {func(d *desk) page.Route { return d.price }, "", price(url.Values{"amount": {"12,50", "much"}, "detail": {"ENIG", ""}, "tax": {"1,2,3"}, "build_days": {"soon"}, "transit": {"3 weeks"}, "valid_days": {"ever"}, "note": {"Thanks."}}), nil,
			[]string{"Nothing is set yet", `value="12,50"`, `value="ENIG"`, `value="much"`, `value="1,2,3"`, `value="soon"`, `value="3 weeks"`, `value="ever"`, ">Thanks.</textarea>", `placeholder="0.00" maxlength="20" data-amount autofocus aria-invalid="true"`}},
		"a price that is refused behind": {func(d *desk) page.Route { return d.price }, "", price(nil), contract.Refuse(contract.Conflict, "It is being paid."),
			[]string{"It is being paid.", `value="25.00"`, `tabindex="-1" autofocus role="alert"`}},
		"a question": {func(d *desk) page.Route { return d.ask }, "/ask", url.Values{"text": {long}}, nil, []string{"<details open>", ">" + long + "</textarea>", "At most 5000 characters; these are 5001.", "required autofocus"}},
		"a question that is refused behind": {func(d *desk) page.Route { return d.ask }, "/ask", url.Values{"text": {"Which side?"}}, contract.Refuse(contract.Conflict, "Not answered yet."),
			[]string{"<details open>", ">Which side?</textarea>", "Not answered yet.", "required autofocus"}},
		"a refusal": {func(d *desk) page.Route { return d.refuse }, "/refuse", url.Values{"why": {"Nobody builds it."}}, nil,
			[]string{"<details open>", ">Nobody builds it.</textarea>", "tick the box", `value="yes" required autofocus`}},
		"a part": {func(d *desk) page.Route { return d.pick }, "/parts", url.Values{"reference": {"R1"}, "mpn": {"RC0603"}, "manufacturer": {"Yageo"}}, contract.Refuse(contract.InvalidRequest, "It cannot be bought."),
			[]string{`value="R1" selected`, `value="RC0603"`, `value="Yageo"`, "It cannot be bought.", "required autofocus"}},
	} {
		d := open(t)
		q := review()
		if name == "a part" {
			q.Request.Assembly, q.Request.StaffPicksParts, q.Assembly, q.Reply.Parts = true, true, &quotes.QuotedAssembly{}, []assemblies.Part{part}
		}
		d.put(q)
		d.Answer = func(contract.Command) *contract.Refusal { return tt.refuse }
		w := d.Post(sales, tt.route(d), "/reviews/r1"+tt.path, tt.form)
		body := w.Body.String()
		if w.Code != http.StatusUnprocessableEntity || strings.Count(body, " autofocus") != 1 {
			t.Errorf("%s: %d with %d fields that have the focus, want 422 and one", name, w.Code, strings.Count(body, " autofocus"))
		}
		for _, want := range tt.keeps {
			if !strings.Contains(body, want) {
				t.Errorf("%s: the page lacks %.60q", name, want)
			}
		}
	}
}

// TestAnswersComeFirst, in the queue and on the page; what the customer has not answered is
// marked as well. A page says which language the customer reads.
func TestAnswersComeFirst(t *testing.T) {
	t.Parallel()
	d := open(t)
	question := func(text string, answeredAt *time.Time) quotes.ReviewQuestion {
		return quotes.ReviewQuestion{ID: text, Operator: "sal", Text: text, AskedAt: pagetest.At, Answer: "the answer", AnsweredAt: answeredAt}
	}
	early, late := pagetest.At.Add(-2*time.Minute), pagetest.At.Add(-time.Minute)
	for ref, asked := range map[string][]quotes.ReviewQuestion{
		"r1": {question("Which side?", &late)}, "r2": nil, "r3": {question("Which colour?", nil)}, "r4": {question("How thick?", &early)}, "r5": {question("Old?", &early), question("New?", nil)},
	} {
		q := review()
		at := pagetest.At.Add(-time.Duration(ref[1]) * time.Hour) // r5 has waited longest
		q.Ref, q.RequestedAt, q.Language, q.Review = ref, &at, "de", &quotes.Review{Questions: asked}
		d.put(q)
	}
	body := d.Get(sales, d.list, "/reviews").Body.String()
	var got []string
	for _, m := range regexp.MustCompile(`href="/reviews/(r\d)"`).FindAllStringSubmatch(body, -1) {
		got = append(got, m[1])
	}
	if want := []string{"r4", "r1", "r5", "r3", "r2"}; !slices.Equal(got, want) {
		t.Errorf("the queue is %q, want %q: the answers as they came, then the oldest", got, want)
	}
	if answered, asked := strings.Count(body, ">customer answered<"), strings.Count(body, ">customer asked<"); answered != 2 || asked != 2 {
		t.Errorf("%d are marked as answered and %d as asked, want 2 and 2", answered, asked)
	}
	for ref, want := range map[string]bool{"r1": true, "r5": false, "r2": false} {
		body := d.Get(sales, d.show, "/reviews/"+ref).Body.String()
		answer, form := strings.Index(body, "The customer has answered"), strings.Index(body, `class="price"`)
		if got := answer >= 0 && answer < form; got != want || strings.Count(body, "The customer answered, ") > 1 {
			t.Errorf("%s: the answer stands at %d of the page, the form at %d; want it first: %t, and once", ref, answer, form, want)
		}
		if !strings.Contains(body, "German (Deutsch); what you write is sent as it is.") {
			t.Errorf("%s: the page does not say that the customer reads German", ref)
		}
	}
}

// TestQueueIsNarrowed as the list of quotes is.
func TestQueueIsNarrowed(t *testing.T) {
	t.Parallel()
	d := open(t)
	for ref, name := range map[string]string{"r1": "Ada Lovelace", "r2": "Grace Hopper"} {
		for _, status := range []quotes.Status{quotes.SourcingRequested, quotes.SourcingQuoted} {
			q := review()
			q.Ref, q.Status, q.Delivery = ref+string(status[9:10]), status, &shipments.Delivery{ShipTo: shipments.ShipTo{Name: name}}
			d.put(q)
		}
	}
	for query, want := range map[string]string{"customer=hopper": "r2r r2q", "customer=nobody": "", "to=2026-11-20": "", "from=2026-11-21&customer=ada": "r1r r1q", "mode=test": ""} {
		body := d.Get(sales, d.list, "/reviews?"+query).Body.String()
		var got []string
		for _, m := range regexp.MustCompile(`href="/(?:reviews|quotes)/(r\w+)"`).FindAllStringSubmatch(body, -1) {
			got = append(got, m[1])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("GET /reviews?%s: %q, want %q", query, got, want)
		}
	}
}
