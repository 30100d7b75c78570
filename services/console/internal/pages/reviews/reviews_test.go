package reviews_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
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
		"whole":                   {price(nil), nil, nil, http.StatusSeeOther, quotes.PriceReview, ""},
		"only added up":           {price(url.Values{"action": {"add"}}), nil, nil, http.StatusOK, contract.CommandName{}, "35.00"},
		"at the limit":            {price(url.Values{"amount": {"990.00", "10.00"}}), nil, nil, http.StatusSeeOther, quotes.PriceReview, ""},
		"a cent above it":         {price(url.Values{"amount": {"990.01", "10.00"}}), nil, nil, http.StatusSeeOther, cases.RequestApproval, ""},
		"less than is known":      {price(url.Values{"amount": {"19.99", "10.00"}}), nil, nil, http.StatusUnprocessableEntity, contract.CommandName{}, "at least $20.00 is known"},
		"less, and meant":         {price(url.Values{"amount": {"19.99", "10.00"}, "below": {"yes"}}), nil, nil, http.StatusSeeOther, quotes.PriceReview, ""},
		"nothing for shipping":    {price(url.Values{"amount": {"25.00", ""}}), nil, nil, http.StatusUnprocessableEntity, contract.CommandName{}, "There is nothing for shipping"},
		"shipping left out":       {price(url.Values{"amount": {"25.00", ""}, "out-shipping": {"yes"}, "words-shipping": {"Shipping to you"}}), nil, nil, http.StatusSeeOther, quotes.PriceReview, ""},
		"an amount in words":      {price(url.Values{"amount": {"much", "10.00"}}), nil, nil, http.StatusUnprocessableEntity, contract.CommandName{}, "An amount like 1234.50."},
		"no time to build":        {price(url.Values{"build_days": {""}}), nil, nil, http.StatusUnprocessableEntity, contract.CommandName{}, "Say how long it takes to build."},
		"refused behind":          {price(nil), nil, contract.Refuse(contract.Conflict, "It is being paid."), http.StatusUnprocessableEntity, quotes.PriceReview, "It is being paid."},
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
