package pay_test

import (
	"strings"
	"testing"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"

	"github.com/google/go-cmp/cmp"
)

var (
	open     = card.Session{ID: "cs_0", URL: "https://pay.test/cs_0", Status: card.SessionOpen, Reference: quote}
	paidPage = card.Session{ID: "cs_0", Status: card.SessionComplete, Paid: true, AmountTotal: 5000, Currency: "USD", PaymentIntent: "pi_1", Reference: quote}
	deciding = card.Session{ID: "cs_0", Status: card.SessionComplete, PaymentIntent: "pi_1", Reference: quote}
	expired  = card.Session{ID: "cs_0", Status: card.SessionExpired, Reference: quote}
)

// TestBegin: a shopper is given one page to pay at, or told why not, whatever became of
// pages before.
func TestBegin(t *testing.T) {
	t.Parallel()
	wants := func(change func(*checkouts.BeginData)) checkouts.BeginData {
		d := checkouts.BeginData{Version: 3}
		if change != nil {
			change(&d)
		}
		return d
	}
	old := attempt()
	old.PriceVersion = 2
	ending := attempt()
	ending.ExpiresAt = now.Add(5 * time.Minute)
	starting := attempt()
	starting.Status, starting.SessionID, starting.SessionURL = checkouts.Starting, "", ""
	forgotten := starting
	forgotten.ExpiresAt = now
	closed := attempt()
	closed.Status = checkouts.Closed
	charging := chargingAttempt()
	for name, tt := range map[string]struct {
		before *checkouts.Checkout
		wants  checkouts.BeginData
		cards  processor
		world  func(*world)
		code   contract.Code
		status checkouts.Status
		number int    // of the attempt
		page   string // where it is paid
		pages  int    // that the processor was asked for
	}{
		"the first time":                      {nil, wants(nil), processor{}, nil, "", checkouts.Open, 1, "https://pay.test/cs_1", 1},
		"after a page that closed":            {&closed, wants(nil), processor{}, nil, "", checkouts.Open, 2, "https://pay.test/cs_1", 1},
		"a page that is open":                 {new(attempt()), wants(nil), processor{session: open}, nil, "", checkouts.Open, 1, "https://pay.test/cs_0", 0},
		"a page that moved":                   {new(attempt()), wants(nil), processor{session: card.Session{ID: "cs_0", URL: "https://other.test/cs_0", Status: card.SessionOpen}}, nil, "", checkouts.Open, 1, "https://other.test/cs_0", 0},
		"a page that nobody can read now":     {new(attempt()), wants(nil), processor{sessionErr: fails(card.Unavailable, card.CodeBusy)}, nil, "", checkouts.Open, 1, "https://pay.test/cs_0", 0},
		"a page of which nothing is certain":  {new(attempt()), wants(nil), processor{sessionErr: fails(card.Unknown, card.CodeTimeout)}, nil, contract.PaymentUnavailable, checkouts.Open, 1, "https://pay.test/cs_0", 0},
		"a page that is lost":                 {new(attempt()), wants(nil), processor{sessionErr: fails(card.Refused, card.CodeNotFound)}, nil, "", checkouts.Open, 2, "https://pay.test/cs_1", 1},
		"a page that expired":                 {new(attempt()), wants(nil), processor{session: expired}, nil, "", checkouts.Open, 2, "https://pay.test/cs_1", 1},
		"a page that was paid":                {new(attempt()), wants(nil), processor{session: paidPage}, nil, contract.QuoteNotPayable, checkouts.Paid, 1, "", 0},
		"a page whose bank decides":           {new(attempt()), wants(nil), processor{session: deciding, payment: card.Payment{ID: "pi_1", Status: card.PaymentProcessing}}, nil, contract.QuoteNotPayable, checkouts.Open, 1, "https://pay.test/cs_0", 0},
		"a page whose bank said no":           {new(attempt()), wants(nil), processor{session: deciding, payment: card.Payment{ID: "pi_1", Status: card.PaymentOpen}}, nil, "", checkouts.Open, 2, "https://pay.test/cs_1", 1},
		"a page of an old price":              {&old, wants(nil), processor{session: open}, nil, "", checkouts.Open, 2, "https://pay.test/cs_1", 1},
		"a page of an old price, paid":        {&old, wants(nil), processor{session: paidPage}, nil, contract.QuoteNotPayable, checkouts.Paid, 1, "", 0},
		"a page that ends in five minutes":    {&ending, wants(nil), processor{session: open}, nil, "", checkouts.Open, 2, "https://pay.test/cs_1", 1},
		"the card shall be kept now":          {new(attempt()), wants(func(d *checkouts.BeginData) { d.SaveDetails = true }), processor{session: open}, nil, "", checkouts.Open, 2, "https://pay.test/cs_1", 1},
		"written down, the page is not known": {&starting, wants(nil), processor{}, nil, "", checkouts.Open, 1, "https://pay.test/cs_1", 1},
		"written down, its time is over":      {&forgotten, wants(nil), processor{}, nil, "", checkouts.Open, 2, "https://pay.test/cs_1", 1},

		"a saved card's charge is undecided": {&charging, wants(nil), processor{payment: card.Payment{ID: "pi_0", Status: card.PaymentProcessing}}, nil, contract.QuoteNotPayable, checkouts.Charging, 1, "", 0},
		"a saved card's charge succeeded":    {&charging, wants(nil), processor{payment: paidBefore}, nil, contract.QuoteNotPayable, checkouts.Paid, 1, "", 0},
		"a saved card's charge took nothing": {&charging, wants(nil), processor{payment: card.Payment{ID: "pi_0", Status: card.PaymentCanceled}}, nil, "", checkouts.Open, 2, "https://pay.test/cs_1", 1},

		"the processor says no":          {nil, wants(nil), processor{createErr: fails(card.Refused, card.CodeBadRequest)}, nil, contract.PaymentUnavailable, checkouts.Closed, 1, "", 1},
		"the processor is away":          {nil, wants(nil), processor{createErr: fails(card.Unavailable, card.CodeConnection)}, nil, contract.PaymentUnavailable, checkouts.Starting, 1, "", 1},
		"the processor's answer is lost": {nil, wants(nil), processor{createErr: fails(card.Unknown, card.CodeTimeout)}, nil, contract.PaymentUnavailable, checkouts.Starting, 1, "", 3},

		"another price":     {nil, wants(func(d *checkouts.BeginData) { d.Version = 2 }), processor{}, nil, contract.Conflict, "", 0, "", 0},
		"findings not seen": {nil, wants(func(d *checkouts.BeginData) { d.Acknowledgement = "other" }), processor{}, nil, contract.InvalidRequest, "", 0, "", 0},
		"expired":           {nil, wants(nil), processor{}, func(w *world) { w.now = now.Add(24 * time.Hour) }, contract.QuoteExpired, "", 0, "", 0},
		"ordered":           {nil, wants(nil), processor{}, func(w *world) { put(w, contract.OrderAggregate, quote, makePlacedOrder()) }, contract.QuoteNotPayable, "", 0, "", 0},
		"files have gone":   {nil, wants(nil), processor{}, func(w *world) { put(w, contract.BoardAggregate, digest, boards.ReadFiles{Gone: true}) }, contract.QuoteNotPayable, "", 0, "", 0},
		"a test without cards": {nil, wants(nil), processor{}, func(w *world) {
			q := payable()
			q.Account = contract.TestOwner(account)
			put(w, contract.QuoteAggregate, quote, q)
		}, contract.PaymentUnavailable, checkouts.Closed, 1, "", 0},
	} {
		w := newWorld(t)
		*w.cards = tt.cards
		if tt.before != nil {
			put(w, contract.CheckoutAggregate, quote, *tt.before)
		}
		if tt.world != nil {
			tt.world(w)
		}
		r, err := w.begin("c1", tt.wants)
		got := w.checkout()
		if err != nil || codeOf(r) != tt.code || got.Status != tt.status || got.Attempt != tt.number || got.SessionURL != tt.page || len(w.cards.pages) != tt.pages {
			t.Errorf("%s: Begin = %v, %v: %s attempt %d at %q, %d pages asked for; want %q: %s attempt %d at %q, %d pages",
				name, r, err, got.Status, got.Attempt, got.SessionURL, len(w.cards.pages), tt.code, tt.status, tt.number, tt.page, tt.pages)
		}
		if paid := tt.status == checkouts.Paid; w.hasOrder() != (paid || name == "ordered") {
			t.Errorf("%s: ordered %t, want it only of what is paid", name, w.hasOrder())
		}
	}
}

// TestPageIsAskedForOnce: a delivery that comes again opens no second page, and each
// attempt has a key of its own.
func TestPageIsAskedForOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 3 {
		if r, err := w.begin("c1", checkouts.BeginData{Version: 3}); r != nil || err != nil {
			t.Fatalf("Begin = %v, %v; want a page", r, err)
		}
	}
	if len(w.cards.pages) != 1 {
		t.Errorf("three deliveries asked for %d pages, want 1", len(w.cards.pages))
	}
	if got := w.timers(); !strings.HasPrefix(got, "settle in 1m0s") {
		t.Errorf("timers %q, want a look at the page in a minute", got)
	}
	got := w.cards.pages[0]
	page := "https://boards.test/checkout/" + w.Secrets.QuoteIDOf("req_q", quote)
	want := card.CheckoutRequest{
		Reference: quote, Metadata: map[string]string{"quote": quote, "price_version": "3", "attempt": "1", "account": account}, Description: "10 × 2 layers",
		Lines: []card.Line{{Label: "Boards", Cents: 4202}, {Label: "VAT", Cents: 798}}, Currency: "USD", CustomerEmail: "ada@example.com",
		SuccessURL: page + "?paid=" + w.Secrets.ReturnToken("req_q", quote, 1), CancelURL: page + "?cancelled=1", ExpiresAt: now.Add(23*time.Hour + 55*time.Minute), IdempotencyKey: "cs:q1:3:1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("asked the processor for (-want +got):\n%s", diff)
	}
	w.cards.session = expired
	if r, err := w.begin("c2", checkouts.BeginData{Version: 3}); r != nil || err != nil {
		t.Fatalf("Begin after the page expired = %v, %v; want another page", r, err)
	}
	if n := len(w.cards.pages); n != 2 || w.cards.pages[1].IdempotencyKey != "cs:q1:3:2" {
		t.Errorf("after the page expired: %d pages, the last by %q; want 2, cs:q1:3:2", n, w.cards.pages[n-1].IdempotencyKey)
	}
}

// TestBrowsersKeepTheirPages: whoever has the quote's address can ask for a page, and closes no
// page of another browser's; each gets its own again, and the first payment closes the rest.
func TestBrowsersKeepTheirPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.cards.session = open
	press := func(name, browser, language, want string) {
		t.Helper()
		if r, err := w.begin(name, checkouts.BeginData{Version: 3, Browser: browser, Language: language}); r != nil || err != nil {
			t.Fatalf("%s presses Pay = %v, %v; want a page", browser, r, err)
		}
		if got := w.checkout().SessionID; got != want {
			t.Errorf("%s pays on %s, want %s", browser, got, want)
		}
	}
	press("c1", "buyer", "", "cs_1")
	press("c2", "thief", "", "cs_2")
	press("c3", "thief", "de", "cs_3") // closes the thief's own
	if w.cards.expired != 1 {
		t.Errorf("%d pages closed, want the thief's first", w.cards.expired)
	}
	w.cards.session.URL = "https://pay.test/cs_1"
	press("c4", "buyer", "", "cs_1")
	if w.cards.session = paidPage; len(w.cards.pages) != 3 {
		t.Errorf("%d pages made, want 3", len(w.cards.pages))
	}
	w.cards.session.ID, w.cards.expired = "cs_1", 0
	if r, err := w.begin("c5", checkouts.BeginData{Version: 3, Browser: "buyer"}); codeOf(r) != contract.QuoteNotPayable || err != nil {
		t.Errorf("once paid: %v, %v; want it refused", r, err)
	}
	if got := w.checkout(); got.Status != checkouts.Paid || got.Browser != "buyer" || got.SessionID != "cs_1" || len(got.Others) != 0 || w.cards.expired != 1 {
		t.Errorf("paid: %s by %s on %s beside %d pages, %d closed; want the buyer's on cs_1, alone, one closed", got.Status, got.Browser, got.SessionID, len(got.Others), w.cards.expired)
	}
}

// TestLinesAddUp: what the processor is asked for is what its lines say.
func TestLinesAddUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	q := payable()
	q.Reply.Lines = []prices.Line{{Label: "Boards", Cents: 4999}}
	put(w, contract.QuoteAggregate, quote, q)
	if r, err := w.begin("c1", checkouts.BeginData{Version: 3}); r != nil || err == nil || len(w.cards.pages) != 0 {
		t.Errorf("lines of 4999 cents for a total of 5000: %v, %v and %d pages; want an error and none", r, err, len(w.cards.pages))
	}
}

// TestPartsBeforePaying: suppliers are asked again where their answers are an hour old;
// a shopper waits for them half a minute, and is told what changed.
func TestPartsBeforePaying(t *testing.T) {
	t.Parallel()
	part := func(change func(*partchecks.Found)) *partchecks.Report {
		f := partchecks.Found{Reference: "R1", Part: "RC0603", Verdict: "ok", Bought: 50, CostUSD: "4.00"}
		if change != nil {
			change(&f)
		}
		return &partchecks.Report{Parts: []partchecks.Found{f}}
	}
	for name, tt := range map[string]struct {
		requested time.Duration // suppliers, before now
		since     time.Duration // the command was sent
		report    *partchecks.Report
		bare      bool
		short     time.Duration // before now: when the watch found the part sold out
		team      bool
		code      contract.Code
		waits     bool
		sent      int
		pages     int
	}{
		"asked a minute ago":                      {requested: time.Minute, pages: 1},
		"asked an hour ago":                       {requested: time.Hour, waits: true, sent: 1},
		"asked an hour ago, no answer":            {requested: time.Hour, since: 30 * time.Second, pages: 1},
		"bare boards":                             {requested: time.Hour, bare: true, pages: 1},
		"as they were":                            {requested: time.Hour, report: part(nil), pages: 1},
		"gone":                                    {requested: time.Hour, report: part(func(f *partchecks.Found) { f.Bought, f.Verdict, f.Why = 0, "problem", "no stock" }), code: contract.PartsChanged},
		"twice the price":                         {requested: time.Hour, report: part(func(f *partchecks.Found) { f.CostUSD = "8.00" }), code: contract.PartsChanged},
		"a cent below twice the price":            {requested: time.Hour, report: part(func(f *partchecks.Found) { f.CostUSD = "7.99" }), pages: 1},
		"another in its place":                    {requested: time.Hour, report: part(func(f *partchecks.Found) { f.Replaces = "RC0603" }), code: contract.PartsChanged},
		"sold out, the watch says":                {requested: 2 * time.Minute, short: time.Minute, waits: true, sent: 1},
		"sold out, and still is":                  {requested: 2 * time.Minute, short: time.Minute, report: part(func(f *partchecks.Found) { f.Bought, f.Verdict, f.Why = 0, "problem", "no stock" }), code: contract.PartsChanged},
		"sold out, and is there again":            {requested: 2 * time.Minute, short: time.Minute, report: part(nil), pages: 1},
		"sold out, and still being asked about":   {requested: 2 * time.Minute, short: time.Minute, report: part(func(f *partchecks.Found) { f.Bought, f.Verdict = 0, "checking" }), code: contract.PartsChanged},
		"sold out, and nobody answers":            {requested: 2 * time.Minute, short: time.Minute, since: 30 * time.Second, code: contract.PartsChanged},
		"sold out of a team's price, and dearer":  {requested: 2 * time.Minute, short: time.Minute, team: true, report: part(func(f *partchecks.Found) { f.CostUSD = "8.00" }), pages: 1},
		"sold out of a team's price, and is gone": {requested: 2 * time.Minute, short: time.Minute, team: true, report: part(func(f *partchecks.Found) { f.Bought, f.Verdict = 0, "problem" }), code: contract.PartsChanged},
		"not answered about in this list":         {requested: time.Hour, report: &partchecks.Report{}, pages: 1},
	} {
		w := newWorld(t)
		q := payable()
		q.Request.Quantity = 10
		if !tt.bare {
			q.Request.Assembly = true
			q.Assembly = &quotes.QuotedAssembly{ID: "as_1", Boards: 10, At: now.Add(-tt.requested)}
			q.Reply.Parts = []assemblies.Part{{
				Found:   partchecks.Found{Reference: "R1", Part: "RC0603", MPN: "RC0603", QuantityPerBoard: 5, Bought: 50},
				Fitting: assemblies.Fitted, CostCents: 400,
			}}
		}
		if tt.short > 0 {
			q.Watched = &quotes.WatchedParts{At: now.Add(-tt.short), Low: []quotes.LowPart{{Line: 1, Reference: "R1", Needed: 50, At: now.Add(-tt.short), Short: true}}}
		}
		if tt.team {
			q.Mode, q.Status = quotes.ModeReview, quotes.SourcingQuoted
		}
		put(w, contract.QuoteAggregate, quote, q)
		data := partchecks.CheckData{Boards: 10, Parts: []partchecks.Line{{Reference: "R1", Quantity: 5, MPN: "RC0603"}}}
		if tt.report != nil {
			id, err := partchecks.ID(account, data)
			if err != nil {
				t.Fatal(err)
			}
			put(w, contract.PartCheckAggregate, id, partchecks.PartCheck{ID: id, Status: partchecks.Ended, StartedAt: now, EndedAt: now, Report: tt.report})
		}
		c := w.command(checkouts.Begin, "c1", checkouts.BeginData{Quote: quote, Version: 3})
		c.At = now.Add(-tt.since)
		err := w.Begin(t.Context(), c)
		r := contract.RefusalIn(err)
		if waits := err != nil && r == nil; codeOf(r) != tt.code || waits != tt.waits || len(w.events.Sent) != tt.sent || len(w.cards.pages) != tt.pages {
			t.Errorf("%s: Begin = %v, %d questions to suppliers, %d pages; want code %q, to wait %t, %d questions, %d pages", name, err, len(w.events.Sent), len(w.cards.pages), tt.code, tt.waits, tt.sent, tt.pages)
		}
		if tt.code != "" && (len(r.Parts) != 1 || r.Parts[0].Reference != "R1" || r.Parts[0].Why == "") {
			t.Errorf("%s: parts %+v, want R1 and why", name, r.Parts)
		}
	}
}
