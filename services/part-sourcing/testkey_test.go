package partsourcing

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/simulator/parts"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/services/part-sourcing/internal/testparts"
)

// TestTestKeysCallNobody: what a test key asks is answered from the built-in catalogue,
// each test number as it promises, and says so; the same list of a live key is looked up.
func TestTestKeysCallNobody(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.replica()
	lines := []partchecks.Line{
		{Reference: "R1", Value: "10k", Footprint: "0603", Quantity: 1}, {Reference: "U1", MPN: "LM358DR", Manufacturer: "Texas Instruments", Quantity: 1},
		{Reference: "U2", FabPartCode: "C7950", Quantity: 1}, {Reference: "U3", Codes: map[string]string{"distributor_a": "296-1014-1-ND"}, Quantity: 1}, {Reference: "U4", MPN: "LM358DR", FabPartCode: "C7950", Quantity: 1},
		{Reference: "J1", Value: "Connector", Quantity: 1},
	}
	want := map[string]string{
		"R1": "ok fab", "U1": "ok fab", "U2": "ok fab", "U3": "ok distributor_a", "U4": "ok fab", "J1": "problem ",
		testparts.Stocked: "ok fab", testparts.Distributor: "ok distributor_a", testparts.Slow: "ok distributor_a", testparts.Unknown: "problem ",
		testparts.Short: "problem ", testparts.NoStock: "problem ", testparts.Obsolete: "ok fab", testparts.SellsOut: "ok fab", testparts.Dearer: "ok fab",
	}
	for _, word := range testparts.Words() {
		lines = append(lines, partchecks.Line{Reference: word, MPN: word, Quantity: 1})
	}
	data := partchecks.CheckData{Boards: 10, Parts: lines}
	before := s.calls()
	var first partchecks.Report
	check := s.awaitCheck(s.sendAs("acc_1~test", "1", data), "the check of a test key", func(c partchecks.PartCheck) bool {
		if c.Report != nil && c.Report.Phase == partchecks.AtFab {
			first = *c.Report
		}
		return hasEnded(c)
	})
	if n := s.calls() - before; n != 0 {
		t.Errorf("suppliers were called %d times for a test key, want not at all", n)
	}
	r := check.Report
	if !slices.Contains(r.Notes, testparts.Notice) || !slices.Contains(first.Notes, testparts.Notice) {
		t.Errorf("notes %q, before the distributors %q; want %q in both", r.Notes, first.Notes, testparts.Notice)
	}
	for _, p := range r.Parts {
		if got := p.Verdict + " " + p.Source; got != want[p.Reference] || p.Verdict != "ok" && p.Why == "" {
			t.Errorf("%s: %s (%s), want %s", p.Reference, got, p.Why, want[p.Reference])
		}
		switch p.Reference {
		case testparts.NoStock:
			if p.SimilarPart == nil || p.SimilarPart.MPN != testparts.Stocked {
				t.Errorf("part %+v, want %s as similar", p, testparts.Stocked)
			}
			if len(p.Alternatives) != 1 || p.Alternatives[0].MPN != testparts.Stocked || p.Alternatives[0].NoWorse || p.Alternatives[0].Score < 30 || len(p.Alternatives[0].Reasons) < 4 {
				t.Errorf("alternatives %+v, want %s, of which something is not known, with reasons", p.Alternatives, testparts.Stocked)
			}
		case testparts.Unknown:
			if len(p.Searched) != 4 {
				t.Errorf("searched %q, want 4 searches", p.Searched)
			}
		case testparts.Obsolete:
			if p.Lifecycle != "obsolete" || len(p.Risks) == 0 || p.Risks[0].Kind != "end_of_life" || p.Risks[0].At.IsZero() {
				t.Errorf("part %+v, want it obsolete, and that among its risks", p)
			}
		}
	}
	if len(r.Parts) != len(want) || first.RetryAfterS == 0 || first.Summary.Lines["checking"] == 0 {
		t.Errorf("%d parts, want %d; before the distributors %+v, again after %d s, want lines being looked up", len(r.Parts), len(want), first.Summary, first.RetryAfterS)
	}
	live := s.awaitCheck(s.sendAs("acc_1", "2", data), "the same of a live key", hasEnded)
	if s.calls() == before || slices.Contains(live.Report.Notes, testparts.Notice) {
		t.Errorf("a live key's parts: %d calls, notes %q; want calls, and no word of tests", s.calls()-before, live.Report.Notes)
	}
	again := s.awaitCheck(s.sendAs("acc_1~test", "3", partchecks.CheckData{Boards: 11, Parts: lines}), "another check of a test key", hasEnded)
	for i, p := range again.Report.Parts {
		if p.Supplier != r.Parts[i].Supplier {
			t.Errorf("what a live key learnt reached a test key: %+v, want %s as before", p, r.Parts[i].Supplier)
		}
	}
}

// TestTestPartsChangeOnceAQuoteIsLookedAtAgain: what sells out and what gets dearer does so for
// the watch of quotes and for the look before a payment alike, and for nobody else.
func TestTestPartsChangeOnceAQuoteIsLookedAtAgain(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.replica()
	data := partchecks.CheckData{Boards: 10}
	for _, word := range []string{testparts.Stocked, testparts.SellsOut, testparts.Dearer} {
		data.Parts = append(data.Parts, partchecks.Line{Reference: word, MPN: word, Quantity: 1})
	}
	for i, tt := range []struct {
		account string // the same list is the same check for an account
		since   time.Time
		sparing bool
		want    string
	}{
		{"acc_1~test", time.Time{}, false, "5.50 5.50 5.50 100000 100000"},
		{"acc_1~test", time.Now().Add(-time.Hour), true, "5.50 - 55.00 100000 0"},
		{"acc_2~test", time.Now().Add(-time.Hour), false, "5.50 - 55.00 100000 0"},
	} {
		data.Since, data.Sparing = tt.since, tt.sparing
		r := s.awaitCheck(s.sendAs(tt.account, fmt.Sprint(i), data), "a check of a test key", hasEnded).Report
		var got []string
		for _, p := range r.Parts {
			got = append(got, cmp.Or(p.CostUSD, "-"))
		}
		for _, p := range r.Parts[:2] {
			got = append(got, fmt.Sprint(p.Supply.Stock))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("since %s, sparing %t: %q, want %q", tt.since, tt.sparing, got, tt.want)
		}
	}
}

// TestSparingChecksLeaveTheQuotaToOthers: with no share of the day's calls left a sparing check
// calls no distributor and no search, says that it does not know, and takes what is kept.
func TestSparingChecksLeaveTheQuotaToOthers(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.replica() // its share is none
	data := partchecks.CheckData{Boards: 10, Sparing: true, Parts: []partchecks.Line{{Reference: "U1", MPN: "LM358DR", Quantity: 1}, {Reference: "U2", MPN: "NO-SUCH-PART-77", Quantity: 1}}}
	distributors := func() int {
		return s.sim.Parts().Calls(parts.DigiKey) + s.sim.Parts().Calls(parts.Mouser) + len(s.sim.Parts().Lookups("nexar"))
	}
	before := distributors()
	r := s.awaitCheck(s.sendAs("acc_1", "sparing", data), "a sparing check", hasEnded).Report
	if n := distributors() - before; n != 0 || r.Parts[1].Verdict != "checking" {
		t.Errorf("%d calls, U2 %+v; want none, and U2 still open", n, r.Parts[1])
	}
}

// TestAssembliesOfTestKeysAreTheirOwn: the files are the same, the answers are not.
func TestAssembliesOfTestKeysAreTheirOwn(t *testing.T) {
	t.Parallel()
	data := assemblies.AssembleData{Digest: "d", Board: "b", Boards: 5}
	ids := map[string]string{}
	for _, owner := range []string{"acc_1", "acc_2", "acc_1~test", "acc_2~test"} {
		id, err := assemblies.ID(owner, data)
		if err != nil {
			t.Fatal(err)
		}
		ids[owner] = id
	}
	if ids["acc_1"] != ids["acc_2"] || ids["acc_1~test"] != ids["acc_2~test"] || ids["acc_1"] == ids["acc_1~test"] {
		t.Errorf("ids %v, want one for all that is live and another for all that is test", ids)
	}
}

// TestTestNumbersAreDocumented: the reference lists exactly the numbers that there are.
func TestTestNumbersAreDocumented(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../edge/internal/openapi/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range testparts.Words() {
		if !strings.Contains(string(doc), "`"+word+"`") {
			t.Errorf("%s is not in the reference", word)
		}
	}
	if n := strings.Count(string(doc), "`TEST-"); n != len(testparts.Words())+1 { // and the numbers of documents
		t.Errorf("%d numbers that begin with TEST- are in the reference, want %d and the one of documents", n, len(testparts.Words()))
	}
}

// sendAs asks for a check as an owner.
func (s *shop) sendAs(owner, request string, data partchecks.CheckData) string {
	s.t.Helper()
	id, err := partchecks.ID(owner, data)
	if err != nil {
		s.t.Fatal(err)
	}
	data.Check = id
	c, err := contract.NewCommand(partchecks.Check, "", owner, s.currentTime(), data)
	if err != nil {
		s.t.Fatal(err)
	}
	c.ID = contract.DeriveID(s.t.Name(), fmt.Sprint(owner, request))
	if err := s.bus.Send(s.t.Context(), c); err != nil {
		s.t.Fatal(err)
	}
	return id
}
