package pricing_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
)

// requestNamed is a request of a project name that leaves all else open or usual.
func requestNamed(word contract.TestWord, change func(*contract.QuoteRequest)) contract.PriceQuoteData {
	data := standard(change)
	name := string(word)
	data.Request.ProjectName = &name
	return data
}

// TestWordsGiveTheirAnswers: each with a test key, until the request says what would
// mend it; with a live key the same name is a name.
func TestWordsGiveTheirAnswers(t *testing.T) {
	t.Parallel()
	open := func(r *contract.QuoteRequest) { r.StandardForUnstated = false }
	details := 1.6
	for word, tt := range map[contract.TestWord]struct {
		code   contract.Code
		change func(*contract.QuoteRequest)
		mend   func(*contract.QuoteRequest) // nil: nothing does
	}{
		contract.TestNeedsDetails:     {contract.NeedsDetails, open, func(r *contract.QuoteRequest) { r.ThicknessMM = &details }},
		contract.TestNeedsPartNumbers: {contract.NeedsPartNumbers, nil, func(r *contract.QuoteRequest) { r.StaffPicksParts = true }},
		contract.TestOffBoardParts:    {contract.OffBoardParts, nil, func(r *contract.QuoteRequest) { r.DoNotFitRefs = []string{"J1"} }},
		contract.TestDesignFiles:      {contract.DesignFiles, nil, func(r *contract.QuoteRequest) { r.SkipBoardChecks = true }},
		contract.TestPriceUnavailable: {contract.PriceUnavailable, nil, nil},
	} {
		d := setup(t)
		d.reads(t, twoLayers("a"))
		if _, r := d.do(t, contract.PriceQuote, requestNamed(word, nil)); word != contract.TestNeedsDetails && r != nil {
			t.Errorf("%s with a live key: %v", word, r)
		}
		d.owner = "acc_1~test"
		_, r := d.do(t, contract.PriceQuote, requestNamed(word, tt.change))
		if r == nil || r.Code != tt.code || word == contract.TestNeedsDetails && len(r.Questions) == 0 || word == contract.TestDesignFiles && len(r.Findings) == 0 {
			t.Errorf("%s: %+v", word, r)
		}
		if tt.mend == nil {
			continue
		}
		if _, r := d.do(t, contract.PriceQuote, requestNamed(word, tt.mend)); r != nil {
			t.Errorf("%s, mended: %v", word, r)
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
	request, _ := d.do(t, contract.PriceQuote, requestNamed(contract.TestSlow, nil))
	if _, ok := d.Outcome(request); ok {
		t.Fatalf("an outcome after %s", d.Now().Sub(began))
	}
	d.Run(began.Add(time.Minute))
	if op, ok := d.Outcome(request); !ok || op.Refusal != nil || d.quote(t, request).Mode != contract.ModeInstant {
		t.Errorf("outcome %+v, %t", op, ok)
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
		request, refusal := d.do(t, contract.PriceQuote, standard(nil))
		if refusal != nil {
			t.Fatal(refusal)
		}
		q := d.quote(t, request)
		if asked := len(d.fab.asked) > 0; q.Account != owner || asked == contract.IsTest(owner) {
			t.Errorf("quote %d is %s's, want %s's; the fabricator was asked: %t", i, q.Account, owner, asked)
		}
		d.fab.asked = nil
		totals = append(totals, *q.Reply.TotalCents)
		d.do(t, contract.ChooseDelivery, contract.ChooseDeliveryData{Quote: q.Ref, Estimate: true, ShipTo: contract.ShipTo{Country: "DE", PostalCode: "10115"}})
		if asked := len(d.fab.asked) > 0; asked == contract.IsTest(owner) {
			t.Errorf("%s: the fabricator was asked for another country: %t", owner, asked)
		}
		d.fab.asked = nil
	}
	if !slices.Equal(totals[:2], totals[2:]) || totals[0] == totals[1] {
		t.Errorf("totals %v", totals)
	}
}

// TestTestReviewIsPricedByItself, and so a whole review can be tried out.
func TestTestReviewIsPricedByItself(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.owner = "acc_1~test"
	d.reads(t, twoLayers("a"))
	request, refusal := d.do(t, contract.PriceQuote, requestNamed(contract.TestReview, nil))
	if refusal != nil {
		t.Fatal(refusal)
	}
	q := d.quote(t, request)
	if q.Mode != contract.ModeReview || q.Status != contract.StatusSourcingReady || len(q.Reply.CustomQuoteReasons) == 0 {
		t.Fatalf("quote %+v", q)
	}
	if _, refusal := d.do(t, contract.RequestReview, contract.RequestReviewData{Quote: q.Ref, ShipTo: home}); refusal != nil {
		t.Fatal(refusal)
	}
	d.Run(d.Now().Add(10 * time.Second))
	if q = d.quote(t, request); q.Status != contract.StatusSourcingQuoted || *q.Reply.TotalCents != 10_000 {
		t.Errorf("a while later: %+v", q)
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
		{"acc_1~test", string(contract.TestReview), true, false}, {"acc_1", "test_nope", false, false},
	} {
		d := setup(t)
		d.owner = tt.owner
		d.reads(t, twoLayers("a"))
		for _, name := range []string{"another", tt.name} { // the offer of the first must not stand in for the second
			request, refusal := d.do(t, contract.PriceQuote, requestNamed(contract.TestWord(name), nil))
			if refusal != nil {
				t.Fatal(refusal)
			}
			notes := strings.Join(d.quote(t, request).Reply.Notes, " ")
			if test, missed := strings.Contains(notes, "A test key asked"), strings.Contains(notes, "test_needs_details"); test != tt.test || missed != (tt.missed && name == tt.name) {
				t.Errorf("%s, %s: notes %q", tt.owner, name, notes)
			}
		}
	}
}

func TestExpiredWord(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.owner = "acc_1~test"
	d.reads(t, twoLayers("a"))
	request, refusal := d.do(t, contract.PriceQuote, requestNamed(contract.TestExpired, nil))
	if q := d.quote(t, request); refusal != nil || !q.IsExpired(q.CreatedAt.Add(2*time.Second)) {
		t.Errorf("%v; expires at %s, it is %s", refusal, q.ExpiresAt, d.Now())
	}
}
