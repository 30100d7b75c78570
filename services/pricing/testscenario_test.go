package pricing_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
)

// requestNamed is a request of a project name that leaves all else open or usual.
func requestNamed(word quotes.TestScenario, change func(*quotes.Request)) quotes.PriceData {
	data := standard(change)
	name := string(word)
	data.Request.ProjectName = &name
	return data
}

// TestWordsGiveTheirAnswers: each with a test key, until the request says what would
// mend it; with a live key the same name is a name.
func TestWordsGiveTheirAnswers(t *testing.T) {
	t.Parallel()
	open := func(r *quotes.Request) { r.StandardForUnstated = false }
	details := 1.6
	for word, tt := range map[quotes.TestScenario]struct {
		code   contract.Code
		change func(*quotes.Request)
		mend   func(*quotes.Request) // nil: nothing does
	}{
		quotes.TestNeedsDetails:     {contract.NeedsDetails, open, func(r *quotes.Request) { r.ThicknessMM = &details }},
		quotes.TestNeedsPartNumbers: {contract.NeedsPartNumbers, nil, func(r *quotes.Request) { r.StaffPicksParts = true }},
		quotes.TestOffBoardParts:    {contract.OffBoardParts, nil, func(r *quotes.Request) { r.DoNotFitRefs = []string{"J1"} }},
		quotes.TestDesignFiles:      {contract.DesignFiles, nil, func(r *quotes.Request) { r.SkipBoardChecks = true }},
		quotes.TestPriceUnavailable: {contract.PriceUnavailable, nil, nil},
	} {
		d := setup(t)
		d.reads(t, twoLayers("a"))
		if _, r := d.do(t, quotes.Price, requestNamed(word, nil)); word != quotes.TestNeedsDetails && r != nil {
			t.Errorf("%s with a live key: %v, want it granted", word, r)
		}
		d.owner = "acc_1~test"
		_, r := d.do(t, quotes.Price, requestNamed(word, tt.change))
		if r == nil || r.Code != tt.code || word == quotes.TestNeedsDetails && len(r.Questions) == 0 || word == quotes.TestDesignFiles && len(r.Findings) == 0 {
			t.Errorf("%s: refused by %+v, want %q with what it is about", word, r, tt.code)
		}
		if tt.mend == nil {
			continue
		}
		if _, r := d.do(t, quotes.Price, requestNamed(word, tt.mend)); r != nil {
			t.Errorf("%s, mended: %v, want it granted", word, r)
		}
	}
}

// TestSlowWord: the client learns that it takes time, and then the price.
func TestSlowWord(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.owner = "acc_1~test"
	d.reads(t, twoLayers("a"))
	began := d.Now()
	request, _ := d.do(t, quotes.Price, requestNamed(quotes.TestSlow, nil))
	if _, ok := d.Outcome(request); ok {
		t.Fatalf("an outcome after %s, want none yet", d.Now().Sub(began))
	}
	d.Run(began.Add(time.Minute))
	if op, ok := d.Outcome(request); !ok || op.Refusal != nil || d.quote(t, request).Mode != quotes.ModeInstant {
		t.Errorf("outcome %+v, %t; want no refusal, true, for %s", op, ok, quotes.ModeInstant)
	}
}

// TestTestKeysAreNotPricedByTheFabricator, and a live key's quotes are.
func TestTestKeysAreNotPricedByTheFabricator(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.reads(t, twoLayers("a"))
	var totals []int64
	for i, owner := range []string{"acc_1", "acc_1~test", "acc_1", "acc_1~test"} {
		d.owner = owner
		request, refusal := d.do(t, quotes.Price, standard(nil))
		if refusal != nil {
			t.Fatalf("refused: %+v, want it granted", refusal)
		}
		q := d.quote(t, request)
		if requested := len(d.fab.requests) > 0; q.Account != owner || requested == contract.IsTest(owner) {
			t.Errorf("quote %d is %s's, want %s's; the fabricator was asked: %t", i, q.Account, owner, requested)
		}
		d.fab.requests = nil
		totals = append(totals, *q.Reply.TotalCents)
		d.do(t, quotes.ChooseDelivery, quotes.ChooseDeliveryData{Quote: q.Ref, Estimate: true, ShipTo: shipments.ShipTo{Country: "DE", PostalCode: "10115"}})
		if requested := len(d.fab.requests) > 0; requested == contract.IsTest(owner) {
			t.Errorf("%s: the fabricator was asked for another country: %t, want %t", owner, requested, !contract.IsTest(owner))
		}
		d.fab.requests = nil
	}
	if !slices.Equal(totals[:2], totals[2:]) || totals[0] == totals[1] {
		t.Errorf("totals %v, want the same of both modes, two different ones", totals)
	}
}

// TestTestReviewIsPricedByItself, and so a whole review can be tried out.
func TestTestReviewIsPricedByItself(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.owner = "acc_1~test"
	d.reads(t, twoLayers("a"))
	request, refusal := d.do(t, quotes.Price, requestNamed(quotes.TestReview, nil))
	if refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	q := d.quote(t, request)
	if q.Mode != quotes.ModeReview || q.Status != quotes.SourcingReady || len(q.Reply.CustomQuoteReasons) == 0 {
		t.Fatalf("quote %+v, want %s, %s with reasons", q, quotes.ModeReview, quotes.SourcingReady)
	}
	if _, refusal := d.do(t, quotes.RequestReview, quotes.RequestReviewData{Quote: q.Ref, ShipTo: home}); refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	d.Run(d.Now().Add(10 * time.Second))
	if q = d.quote(t, request); q.Status != quotes.SourcingQuoted || *q.Reply.TotalCents != 10_000 {
		t.Errorf("a while later: %+v, want %s at 10000 cents", q, quotes.SourcingQuoted)
	}
}

// TestTestQuotesSaySo: in their notes, with the words that there are where one is
// misspelt, also for the second of two equal requests; live quotes say nothing of it.
func TestTestQuotesSaySo(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		owner, name  string
		test, missed bool
	}{
		{"acc_1~test", "Lamp", true, false}, {"acc_1~test", "Test_Review", true, true}, {"acc_1~test", "test_nope", true, true},
		{"acc_1~test", string(quotes.TestReview), true, false}, {"acc_1", "test_nope", false, false},
	} {
		d := setup(t)
		d.owner = tt.owner
		d.reads(t, twoLayers("a"))
		for _, name := range []string{"another", tt.name} { // the offer of the first must not stand in for the second
			request, refusal := d.do(t, quotes.Price, requestNamed(quotes.TestScenario(name), nil))
			if refusal != nil {
				t.Fatalf("refused: %+v, want it granted", refusal)
			}
			notes := strings.Join(d.quote(t, request).Reply.Notes, " ")
			if test, missed := strings.Contains(notes, "A test key asked"), strings.Contains(notes, "test_needs_details"); test != tt.test || missed != (tt.missed && name == tt.name) {
				t.Errorf("%s, %s: notes %q, want that a test key asked: %t, that a name was missed: %t", tt.owner, name, notes, tt.test, tt.missed && name == tt.name)
			}
		}
	}
}

func TestExpiredWord(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.owner = "acc_1~test"
	d.reads(t, twoLayers("a"))
	request, refusal := d.do(t, quotes.Price, requestNamed(quotes.TestExpired, nil))
	if q := d.quote(t, request); refusal != nil || !q.IsExpired(q.CreatedAt.Add(2*time.Second)) {
		t.Errorf("%v; expires at %s, it is %s; want it granted, expired 2 seconds later", refusal, q.ExpiresAt, d.Now())
	}
}
