package standalone_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/simulator/parts"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract/partchecks"
)

// checkParts asks until nothing is looked up any more.
func (s *system) checkParts(t testing.TB, request map[string]any) (r partchecks.Report) {
	t.Helper()
	body, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	bustest.WaitFor(t, "the parts", func() bool {
		r = partchecks.Report{}
		status, data := s.post(t, "/v1/part-checks", "application/json", strings.NewReader(string(body)))
		if err := json.Unmarshal(data, &r); status != http.StatusOK || err != nil {
			t.Fatalf("part check: %d %s, want 200", status, data)
		}
		return r.RetryAfterS == 0
	})
	return r
}

// TestPartCheck checks the bill of materials of a real board over HTTP, then the
// same one again, and a part of it by its number.
func TestPartCheck(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/bom.csv")
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, nil)
	list := map[string]any{"boards": 20, "bom_csv": string(text)}
	r := s.checkParts(t, list)
	if r.Phase != partchecks.Complete || r.Boards != 20 || len(r.Parts) != 14 || len(r.Notes) == 0 {
		t.Fatalf("report %+v, want it complete for 20 boards, with 14 parts and notes", r)
	}
	find := func(ref string) partchecks.Found {
		i := slices.IndexFunc(r.Parts, func(p partchecks.Found) bool { return strings.HasPrefix(p.Reference+",", ref+",") })
		if i < 0 {
			t.Fatalf("no part %s in %+v", ref, r.Parts)
		}
		return r.Parts[i]
	}
	if p := find("R15"); p.Verdict != "ok" || p.Source != "fab" || p.QuantityPerBoard != 2 || p.Bought < 40 || p.Stock == nil || p.CostUSD == "" {
		t.Errorf("a resistor by its value: %+v, want it ok at the fabricator, 2 to a board, 40 bought at least, with stock and cost", p)
	}
	bought, off := int64(0), ""
	for _, p := range r.Parts {
		if p.LeftOff {
			off += p.Reference + " "
		}
		var dollars, cents int64
		if p.Verdict == "checking" || p.Verdict != "ok" && p.Why == "" {
			t.Errorf("part %+v, want a verdict, and why where it is not ok", p)
		}
		if p.CostUSD != "" {
			if _, err := fmt.Sscanf(p.CostUSD, "%d.%d", &dollars, &cents); err != nil {
				t.Errorf("%s costs %q (%v), want dollars.cents", p.Reference, p.CostUSD, err)
			}
		}
		bought += 100*dollars + cents
	}
	if off != "J10 R40 " {
		t.Errorf("left off: %s, want J10 R40", off)
	}
	if bought == 0 || bought != r.Summary.PartsCents {
		t.Errorf("the parts cost %d cents, the summary says %d, want the same, above 0", bought, r.Summary.PartsCents)
	}
	calls := func() int {
		return s.Simulator().Parts().Calls(parts.DigiKey) + s.Simulator().Parts().Calls(parts.Mouser)
	}
	before := calls()
	s.checkParts(t, list)
	one := s.checkParts(t, map[string]any{"boards": 5, "parts": []map[string]any{{"reference": "FB1", "mpn": "BLM15PX601SZ1D", "manufacturer": "Murata"}}})
	if len(one.Parts) != 1 || one.Parts[0].Reference != "FB1" || one.Parts[0].Verdict == "checking" {
		t.Errorf("report %+v, want a verdict on FB1 alone", one)
	}
	if n := calls() - before; n != 0 {
		t.Errorf("distributors were called %d times about parts that they were asked about a moment ago, want not at all", n)
	}
	if status, data := s.post(t, "/v1/part-checks", "application/json", strings.NewReader(`{"boards":1,"bom_csv":"Designator,MPN\nU1,secret\n","itar":true}`)); status != 422 || !strings.Contains(string(data), "itar_not_supported") {
		t.Errorf("declared ITAR: %d %s, want 422 itar_not_supported", status, data)
	}
	if status, data := s.post(t, "/v1/part-checks", "application/json", strings.NewReader(`{"boards":1,"bom_csv":"no list at all"}`)); status != 422 || !strings.Contains(string(data), "bom_csv") {
		t.Errorf("no list: %d %s, want 422 bom_csv", status, data)
	}
}

// TestSimilarPartsFit: what is offered beside a part that nobody has comes in the package
// that its footprint is for, however alike the numbers are.
func TestSimilarPartsFit(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	for _, tt := range []struct{ mpn, footprint, want string }{
		{"1N4148WT", "D_SOD-523", "1N4148WT-7"},
		{"1N4148WT", "D_SOD-323", ""},
		{"1N4148X", "D_SOD-523", ""}, {"1N4148X", "D_DO-35_P7.62mm", "1N4148"},
	} {
		r := s.checkParts(t, map[string]any{"boards": 5, "parts": []map[string]any{{"reference": "D1", "quantity": 1, "mpn": tt.mpn, "footprint": tt.footprint}}})
		got := ""
		if p := r.Parts[0].SimilarPart; p != nil {
			got = p.MPN
		}
		if got != tt.want || r.Parts[0].Verdict != "problem" {
			t.Errorf("%s for %s: %q is offered, want %q: %+v", tt.mpn, tt.footprint, got, tt.want, r.Parts[0])
		}
	}
}

// TestUnreachedSupplier: a part that nobody else sells stays open while a distributor
// cannot be reached, and says so; once it can be, the same check has the part.
func TestUnreachedSupplier(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	sold := s.distributorPart(t)
	for _, supplier := range []string{"digikey", "mouser", "nexar"} {
		if err := s.Simulator().Faults().Add(fault.Fault{Match: "* /parts/" + supplier, Kind: fault.Drop, Times: -1}); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(boards int) (r partchecks.Report) {
		bustest.WaitFor(t, "the parts", func() bool {
			r = partchecks.Report{}
			status, data := s.post(t, "/v1/part-checks", "application/json", strings.NewReader(fmt.Sprintf(`{"boards":%d,"parts":[{"reference":"U1","mpn":%q},{"reference":"R1","value":"10k","footprint":"0603"}]}`, boards, sold)))
			if err := json.Unmarshal(data, &r); status != http.StatusOK || err != nil {
				t.Fatalf("part check: %d %s, want 200", status, data)
			}
			return r.RetryAfterS == 0 || len(r.Unreached) > 0
		})
		return r
	}
	r := ask(5)
	if p := r.Parts[0]; p.Verdict != "checking" || !strings.Contains(p.Why, "could not be reached") || p.SimilarPart != nil && p.SimilarPart.MPN == sold {
		t.Errorf("part %+v, want it still looked for, since a source could not be reached", p)
	}
	if !slices.Contains(r.Unreached, "distributor_a") || r.RetryAfterS < 30 || r.Summary.Complete || r.Parts[1].Verdict != "ok" {
		t.Errorf("report %+v, want distributor_a unreached, 30 s at least to wait, the second part ok", r)
	}
	s.Simulator().Faults().Clear()
	if r := ask(6); r.Parts[0].Verdict != "ok" || r.RetryAfterS != 0 || len(r.Unreached) > 0 {
		t.Errorf("reached again: %+v, want the first part ok, everybody reached, no time to come back", r)
	}
}

// distributorPart is the number of a part that a distributor sells and the fabricator does not.
func (s *system) distributorPart(t testing.TB) string {
	t.Helper()
	c := s.Simulator().Parts().Catalogue()
	i := slices.IndexFunc(c.Parts, func(p parts.Part) bool {
		return !p.IsSoldBy(parts.Library) && p.Stock(parts.DigiKey) > 1000 && p.Lifecycle == "active"
	})
	if i < 0 {
		t.Fatal("every part is in the fabricator's library")
	}
	return c.Parts[i].MPN
}

// TestOddLines: what a list's lines say in odd places is read, or asked about.
func TestOddLines(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	list := "Designator,Qty,Value,Footprint,Description\n\"DNS R5, R6\",2,10k,R_0603,\nR7,DNS,10k,R_0603,\nR8,1,\"10k, 12k\",R_0603,\nC1,1,100nF/1uF,C_0603,\nC2,1,100nF 16V,C_0603,330nF 16V\nTP2,1,Header 1x2,PinHeader_1x02,\nR9,1,10k,R_0603,\n"
	r := s.checkParts(t, map[string]any{"boards": 5, "bom_csv": list})
	got := map[string]string{}
	for _, p := range r.Parts {
		got[p.Reference] = p.Verdict
		switch {
		case p.LeftOff:
			got[p.Reference] = "left off"
		case strings.Contains(p.Why, "several values"):
			got[p.Reference] += ", several values"
		}
	}
	want := map[string]string{
		"R5,R6": "left off", "R7": "left off", "R8": "problem, several values", "C1": "problem, several values", "C2": "problem, several values", "TP2": "problem", "R9": "ok",
	}
	if !maps.Equal(got, want) {
		t.Errorf("verdicts %v, want %v", got, want)
	}
}

// TestListOfTwoBoards: where the lists of two boards are in one text, the reply says what
// to send instead.
func TestListOfTwoBoards(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	const head = "Designator,Value,Footprint\n"
	r := s.checkParts(t, map[string]any{"boards": 5, "bom_csv": head + "R1,1k,0402\nR2,2k,0402\nR3,3k,0402\n" + head + "R1,4k7,0402\nR2,10k,0402\nR3,22k,0402\n"})
	if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "send the list of this board alone") }) {
		t.Errorf("notes %q, want one that asks for the list of this board alone", r.Notes)
	}
	for _, p := range r.Parts {
		if p.Verdict == "ok" || p.Bought > 0 || !strings.Contains(p.Why, "send a list that has each designator once") {
			t.Errorf("part %+v, want none bought and each designator asked for once", p)
		}
	}
}
