package standalone_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
)

// uploadWithFiles uploads the sample board with more files beside it.
func (s *system) uploadWithFiles(t testing.TB, files map[string]string) string {
	t.Helper()
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	sample, err := zip.NewReader(bytes.NewReader(s.sample(t)), int64(len(s.sample(t))))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range sample.File {
		if err := z.Copy(f); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return s.upload(t, packed.Bytes())
}

const (
	partsList  = "Designator,Value,Footprint,MPN\n\"R1,R2\",10k,R_0603_1608Metric,\nC1,100n 16V,C_0402_1005Metric,\nU1,,SOIC-8,LM358DR\nFID1,Fiducial,Fiducial_1mm,\n"
	partsPlace = "Ref,Val,Package,PosX,PosY,Rot,Side\nR1,10k,R_0603,10,10,0,top\nR2,10k,R_0603,12,10,90,bottom\nC1,100n,C_0402,14,10,0,top\nU1,LM358,SOIC-8,20,15,0,top\nFID1,F,F,1,1,0,top\n"
)

func assemblyBody(upload, more string) string {
	return fmt.Sprintf(`{"upload_id":%q,"quantity":10,"assembly":true,"standard_for_unstated":true,"ship_to":{"country":"US","state":"TX"}%s}`, upload, more)
}

// wantRefusal asks for an assembled quote that is refused.
func (s *system) wantRefusal(t testing.TB, body string) (r contract.Refusal) {
	t.Helper()
	status, data := s.post(t, "/v1/quotes?wait_s=120", "application/json", strings.NewReader(body))
	if err := json.Unmarshal(data, &r); status != http.StatusUnprocessableEntity || err != nil {
		t.Fatalf("quote %s: %d %s, %v; want a refusal with %d", body, status, data, err, http.StatusUnprocessableEntity)
	}
	return r
}

func partOf(t testing.TB, parts []assemblies.Part, ref string) assemblies.Part {
	t.Helper()
	i := slices.IndexFunc(parts, func(p assemblies.Part) bool { return strings.HasPrefix(p.Reference+",", ref+",") })
	if i < 0 {
		t.Fatalf("no part %s in %+v", ref, parts)
	}
	return parts[i]
}

// TestAssembledQuote asks for assembled boards over HTTP: an instant price whose
// lines add up, questions where the list leaves something open, and a review
// beside a price of the boards alone where a part cannot be bought.
func TestAssembledQuote(t *testing.T) {
	t.Parallel()
	s := start(t, nil)

	plain := s.uploadWithFiles(t, map[string]string{"bom.csv": partsList, "pos.csv": partsPlace})
	q := s.quote(t, assemblyBody(plain, ""), http.StatusCreated)
	s.checkInstant(t, q)

	substituted := s.quote(t, assemblyBody(plain, `,"customer_supplied_refs":["U1"],"substitutions":[{"reference":"R1,R2","original_mpn":"10k","replacement_mpn":"RC0603FR-0722KL"}]`), http.StatusCreated)
	if got := substituted.RequestedSubst; len(got) != 1 || !got[0].Applied || got[0].Why == "" {
		t.Errorf("requested substitutions: %+v, want one applied, and why", got)
	}
	if p := partOf(t, substituted.Parts, "R1"); p.MPN != "RC0603FR-0722KL" || p.Replaces != "10k" || !p.Approved {
		t.Errorf("R1 is %+v, want RC0603FR-0722KL approved in place of 10k", p)
	}
	if p := partOf(t, substituted.Parts, "U1"); p.Fitting != assemblies.CustomerSupplied || p.Bought != 0 {
		t.Errorf("U1 is %+v, want it from the customer and none bought", p)
	}

	for _, why := range []string{
		`{"reference":"R9","original_mpn":"10k","replacement_mpn":"RC0603FR-0722KL"}`, `{"reference":"U1","original_mpn":"NE555","replacement_mpn":"TL072CDR"}`,
		`{"reference":"U1","original_mpn":"LM358DR","replacement_mpn":"TL072CDR"},{"reference":"U1","original_mpn":"LM358DR","replacement_mpn":"TL082CDR"}`,
	} {
		if r := s.wantRefusal(t, assemblyBody(plain, `,"substitutions":[`+why+`]`)); r.Code != contract.InvalidRequest || len(r.Fields) != 1 || r.Fields[0].Problem != "not_applied" || !strings.HasPrefix(r.Fields[0].Field, "substitutions.") {
			t.Errorf("substitution %s: %+v, want it refused as not applied", why, r)
		}
	}

	one := s.quote(t, assemblyBody(plain, `,"substitutions":[{"reference":"R2","original_mpn":"10k","replacement_mpn":"RC0603FR-0722KL"}]`), http.StatusCreated)
	if kept, changed := partOf(t, one.Parts, "R1"), partOf(t, one.Parts, "R2"); kept.Replaces != "" || kept.QuantityPerBoard != 1 || changed.MPN != "RC0603FR-0722KL" || changed.QuantityPerBoard != 1 {
		t.Errorf("R1 and R2 are %+v and %+v, want R2 alone replaced, one of each a board", kept, changed)
	}

	open := s.uploadWithFiles(t, map[string]string{"bom.csv": partsList + "J1,Connector,,\nR3,22k,R_0603_1608Metric,\n", "pos.csv": partsPlace + "J1,C,C,25,20,0,top\n"})
	if r := s.wantRefusal(t, assemblyBody(open, "")); r.Code != contract.OffBoardParts || len(r.OffBoard) != 1 || r.OffBoard[0].Reference != "R3" || len(r.Parts) != 1 || r.Parts[0].Reference != "J1" {
		t.Errorf("a part without a place: %+v, want R3 off the board and J1 without a number", r)
	}
	if r := s.wantRefusal(t, assemblyBody(open, `,"do_not_fit_refs":["R3"]`)); r.Code != contract.NeedsPartNumbers || len(r.Parts) != 1 || r.Parts[0].Reference != "J1" {
		t.Errorf("without R3: %+v, want J1 without a number", r)
	}
	if r := s.wantRefusal(t, assemblyBody(open, `,"do_not_fit_refs":["R77"]`)); r.Code != contract.InvalidRequest || len(r.Fields) != 1 || r.Fields[0].Field != "do_not_fit_refs" {
		t.Errorf("without R77, which there is not: %+v, want do_not_fit_refs refused", r)
	}
	if r := s.wantRefusal(t, assemblyBody(open, `,"do_not_fit_refs":["R1","R3"]`)); r.Code != contract.InvalidRequest || len(r.Fields) != 1 || r.Fields[0].Problem != "part_of_a_line" {
		t.Errorf("without R1, one of a line: %+v, want it refused as part of a line", r)
	}
	off := s.quote(t, assemblyBody(open, `,"do_not_fit_refs":["R3","J1"]`), http.StatusCreated)
	if off.Mode != quotes.ModeInstant || partOf(t, off.Parts, "R3").Fitting != assemblies.LeftOff || !slices.ContainsFunc(off.Notes, func(n string) bool { return strings.Contains(n, "Left off") && strings.Contains(n, "R3") }) {
		t.Errorf("without R3 and J1: %s, notes %q; want an instant quote that says that R3 is left off", off.Mode, off.Notes)
	}
	picked := s.quote(t, assemblyBody(open, `,"do_not_fit_refs":["R3"],"staff_picks_parts":true`), http.StatusCreated)
	if picked.Mode != quotes.ModeReview || len(picked.UnpricedParts) != 1 || len(picked.PickedParts) != 2 || picked.FabricationQuote == nil {
		t.Errorf("%s, unpriced %+v, picked %+v; want %s, one, two, and a quote of the boards alone", picked.Mode, picked.UnpricedParts, picked.PickedParts, quotes.ModeReview)
	}

	astray := s.uploadWithFiles(t, map[string]string{"bom.csv": partsList, "pos.csv": strings.NewReplacer("PosX,PosY", "PosX (mm),PosY (mm)", "U1,LM358,SOIC-8,20,15", "U1,LM358,SOIC-8,1900,15", "12,10,90", "12,-400,90").Replace(partsPlace)})
	if r := s.wantRefusal(t, assemblyBody(astray, "")); r.Code != contract.OffBoardParts || len(r.OffBoard) != 2 || r.OffBoard[0].Reference != "R2" || r.OffBoard[1].Reference != "U1" || !strings.Contains(r.OffBoard[1].Why, "off the board") {
		t.Errorf("places off the board: %+v, want R2 and U1 told, and why", r)
	}

	if q := s.quote(t, assemblyBody(astray, `,"do_not_fit_refs":["R2","U1"]`), http.StatusCreated); q.Mode != quotes.ModeInstant || partOf(t, q.Parts, "R2").Fitting != assemblies.LeftOff || partOf(t, q.Parts, "R1").QuantityPerBoard != 1 {
		t.Errorf("without R2 and U1: %s, %+v; want an instant quote with R1 once and R2 left off", q.Mode, q.Parts)
	}

	unknown := s.uploadWithFiles(t, map[string]string{"bom.csv": partsList + "U2,,SOIC-8,no-such-part-1\n", "pos.csv": partsPlace + "U2,C,C,25,20,0,top\n"})
	s.checkReview(t, s.quote(t, assemblyBody(unknown, ""), http.StatusCreated))

	if r := s.wantRefusal(t, assemblyBody(s.upload(t, s.sample(t)), "")); r.Code != contract.NeedsPartNumbers {
		t.Errorf("no list: %+v, want %s", r, contract.NeedsPartNumbers)
	}
	unplaced := s.uploadWithFiles(t, map[string]string{"bom.csv": partsList})
	if r := s.wantRefusal(t, assemblyBody(unplaced, "")); r.Code != contract.OffBoardParts || len(r.OffBoard) != 3 {
		t.Errorf("no placements: %+v, want %s of 3 parts", r, contract.OffBoardParts)
	}
}

func (s *system) checkInstant(t testing.TB, q quotes.Reply) {
	t.Helper()
	if q.Mode != quotes.ModeInstant || q.Assembled == nil || !*q.Assembled || q.HSCode != "8537.10" || len(q.Parts) != 4 {
		t.Fatalf("quote %+v, want an instant one of an assembled board of four parts, 8537.10", q)
	}
	sum, labels := int64(0), ""
	for _, l := range q.Lines {
		sum += l.Cents
		labels += l.Label + "\n"
	}
	if sum != *q.TotalCents {
		t.Errorf("the lines add up to %d, want the total of %d", sum, *q.TotalCents)
	}
	for _, want := range []string{"Assembly setup", "Stencil", "top side", "bottom side", "Parts", "HS 8537.10"} {
		if !strings.Contains(labels, want) {
			t.Errorf("no line %q in\n%s", want, labels)
		}
	}
	if p := partOf(t, q.Parts, "R1"); p.Verdict != "ok" || p.Source != "fab" || p.Side != "both" || p.Bought < 20 || p.Fitting != assemblies.Fitted {
		t.Errorf("R1 is %+v, want it fitted on both sides, 20 at least bought of the fabricator", p)
	}
	if p := partOf(t, q.Parts, "FID1"); p.Fitting != assemblies.LeftOff || p.Why == "" || !slices.ContainsFunc(q.Notes, func(n string) bool { return strings.Contains(n, "left off: FID1") }) {
		t.Errorf("FID1 is %+v, notes %q; want it left off, why, and a note of it", p, q.Notes)
	}
	if q.LeadTime == nil || !strings.Contains(*q.LeadTime, "assembly included") {
		t.Errorf("lead time %v, want one that says assembly included", q.LeadTime)
	}
}

func (s *system) checkReview(t testing.TB, q quotes.Reply) {
	t.Helper()
	if q.Mode != quotes.ModeReview || len(q.UnpricedParts) != 1 || len(q.CustomQuoteReasons) != 1 {
		t.Fatalf("quote %+v, want a review for one part without a price", q)
	}
	if p := q.UnpricedParts[0]; p.Part != "no-such-part-1" || p.Why == "" || len(p.Searched) < 3 {
		t.Errorf("the part without a price is %+v, want no-such-part-1, why, and three sources searched at least", p)
	}
	b := q.FabricationQuote
	if b == nil || len(b.QuoteID) != 64 || b.QuoteID == q.QuoteID || b.TotalCents <= 0 {
		t.Fatalf("fabrication quote %+v, want another quote with a total", b)
	}
	if p := s.open(t, b.CheckoutURL); !strings.Contains(p.text, b.Total) {
		t.Errorf("the page of the boards alone does not say %s", b.Total)
	}
	var reply struct{ Status quotes.Status }
	if s.get(t, "/v1/quotes/"+b.QuoteID, &reply); reply.Status != quotes.Ready {
		t.Errorf("the quote of the boards alone is %s, want %s", reply.Status, quotes.Ready)
	}
}

// TestPartsInDesignCheck checks a design with its parts: who sells them, and
// whether they fit their footprints.
func TestPartsInDesignCheck(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	up := s.uploadWithFiles(t, map[string]string{"bom.csv": partsList + "U2,,QFN-32,LM358DR\n", "pos.csv": partsPlace + "U2,C,C,25,20,0,top\n"})
	var r struct {
		Status string
		Parts  *partchecks.Report
		Checks *struct {
			MustFix int `json:"must_fix"`
			Checks  []assemblies.Fit
		} `json:"part_checks"`
		RetryAfterS int `json:"retry_after_s"`
	}
	bustest.WaitFor(t, "the parts", func() bool {
		r.Parts, r.Checks, r.RetryAfterS = nil, nil, 0
		status, data := s.post(t, "/v1/design-checks", "application/json", strings.NewReader(fmt.Sprintf(`{"upload_id":%q,"boards":10,"wait_s":20}`, up)))
		if err := json.Unmarshal(data, &r); status != http.StatusOK || err != nil {
			t.Fatalf("check the design: %d %s, %v; want %d", status, data, err, http.StatusOK)
		}
		return r.RetryAfterS == 0
	})
	if r.Parts == nil || r.Parts.Boards != 10 || len(r.Parts.Parts) != 4 || r.Checks == nil || r.Checks.MustFix != 1 {
		t.Fatalf("parts %+v, checks %+v; want four parts for 10 boards and one thing that must be fixed", r.Parts, r.Checks)
	}
	i := slices.IndexFunc(r.Checks.Checks, func(f assemblies.Fit) bool { return f.Reference == "U2" })
	if f := r.Checks.Checks[i]; f.Level != "must_fix" || f.Verdict != "check" || len(f.What) == 0 {
		t.Errorf("the check of U2 is %+v, want one that must be fixed, and what it is", f)
	}
}
