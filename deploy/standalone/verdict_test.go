package standalone_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
)

// verdictLines are lines of a list, and their verdict and part wherever they are asked
// about. A part that nobody knows is not replaced, whatever the list says of it.
var verdictLines = []struct {
	ref, value, footprint, mpn, code, want string
}{
	{"C1", "22u", "C_0805_2012Metric", "", "C900000001", "problem "},                               // a code that nobody has
	{"R1", "10k", "R_0603_1608Metric", "", "C900000002", "problem "},                               // the same of a resistor
	{"C2", "100n", "C_0402_1005Metric", "", "", "check"},                                           // no voltage: some part, and a look
	{"C3", "100n 16V X7R", "C_0402_1005Metric", "", "", "ok"},                                      // some part
	{"U1", "", "SOIC-8", "LM358DR", "another's", "problem "},                                       // a number and the code of another part
	{"U2", "", "LQFP-48", "STM32F103C8T6", "C900000003", "ok STM32F103C8T6"},                       // a dead code beside a number
	{"U3", "STM32F103C8T6", "LQFP-48", "", "C900000003", "check STM32F103C8T6"},                    // a dead code beside a value
	{"U4", "", "SOIC-8", "LM358D", "", "problem "},                                                 // nearly a number
	{"U5", "", "SOIC-8", "NOSUCHPART", "C900000004", "problem "},                                   // nothing at all
	{"R2", "4k7 1%", "R_0603_1608Metric", "", "", "ok"},                                            // some part
	{"R3", "10k", "R_0603_1608Metric", "RC0603FR-0710KL", "", "ok RC0603FR-0710KL"},                // a number
	{"U6", "", "TSSOP-8", "LM358DR", "", "check LM358DR"},                                          // of another package
	{"R4", "4k7", "R_0402_1005Metric", "RC0402FR-0710KL", "", "check RC0402FR-0710KL"},             // words of another value
	{"R5", "10k 0.1%", "R_0402_1005Metric", "RC0402FR-0710KL", "", "check RC0402FR-0710KL"},        // words that ask for more
	{"R6", "10k frobnicated", "R_0402_1005Metric", "RC0402FR-0710KL", "", "check RC0402FR-0710KL"}, // words that nobody knows
	{"C4", "", "C_0603_1608Metric", "GCM188R71H104KA57D", "", "problem "},                          // a grade that no other has
	{"C5", "1uF", "C_0402_1005Metric", "GRM155R71C104KA88D", "", "problem "},                       // out of stock, and words of another value
	{"C6", "100nF 16V", "C_0402_1005Metric", "GRM155R71C104KA88D", "", "ok "},                      // out of stock, and the words agree
}

// TestOneVerdict: a line has the same verdict and the same part in a part check, in a
// design check, and in a quote with and without the choice left to the team.
func TestOneVerdict(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	list, places := "Designator,Value,Footprint,MPN,LCSC\n", "Ref,PosX,PosY,Rot,Side\n"
	var sent []map[string]any
	catalogue := s.Simulator().Parts().Catalogue()
	controller := catalogue.Code(catalogue.Find("STM32F103C8T6"))
	for i, l := range verdictLines {
		l.code = strings.Replace(l.code, "another's", controller, 1)
		list += strings.Join([]string{l.ref, l.value, l.footprint, l.mpn, l.code}, ",") + "\n"
		places += fmt.Sprintf("%s,%dmm,%dmm,0,top\n", l.ref, 5+2*i, 10)
		line := map[string]any{}
		for name, text := range map[string]string{"reference": l.ref, "value": l.value, "footprint": l.footprint, "mpn": l.mpn, "fab_part_code": l.code} {
			if text != "" {
				line[name] = text
			}
		}
		sent = append(sent, line)
	}
	answers := map[string][]partchecks.Found{"parts": s.checkParts(t, map[string]any{"boards": 10, "parts": sent}).Parts, "bom_csv": s.checkParts(t, map[string]any{"boards": 10, "bom_csv": list}).Parts}
	upload := s.uploadWithFiles(t, map[string]string{"bom.csv": list, "pos.csv": places})
	const asListed = `,"file_answers":{"placements":"as_listed"}` // nothing of the board lies where the list has parts
	if r := s.wantRefusal(t, assemblyBody(upload, asListed)); r.Code != contract.NeedsPartNumbers || len(r.Parts) != 1 || r.Parts[0].Reference != "C2" || !strings.Contains(r.Parts[0].Why, "10 V, 16 V, 25 V, 50 V") {
		t.Errorf("refusal %+v, want C2 without a number, and the voltages that there are", r)
	}
	quoted := func(name, more string) {
		for _, p := range s.quote(t, assemblyBody(upload, asListed+more), http.StatusCreated).Parts {
			answers[name] = append(answers[name], p.Found)
		}
	}
	quoted("quote with picks", `,"staff_picks_parts":true`)
	quoted("quote", `,"do_not_fit_refs":["C2"]`)
	answers["design check"] = s.designParts(t, upload)
	for name, parts := range answers {
		for i, l := range verdictLines {
			p := parts[i]
			got := p.Verdict + " " + p.MPN
			if name == "quote" && l.ref == "C2" {
				continue // is left off
			}
			same := answers["parts"][i]
			if p.Reference != l.ref || !strings.HasPrefix(got, l.want) || p.Verdict != same.Verdict || p.Bought > 0 && p.MPN != same.MPN || p.CostUSD != same.CostUSD {
				t.Errorf("%s: %s: %s %s %s (%s), want %s, in part checks %s %s", name, p.Reference, got, p.SKU, p.CostUSD, p.Why, l.want, same.Verdict, same.MPN)
			}
			if near := p.SimilarPart; l.ref == "U4" && (near == nil || near.MPN != "LM358DR") {
				t.Errorf("%s: near %s is %+v, want LM358DR", name, l.mpn, near)
			}
		}
	}
	replies, _ := json.Marshal(answers)
	if strings.Contains(string(replies), "exactly") {
		t.Error("a reply says that something is exactly the same")
	}
}

// TestApprovedSubstitutions: a part of an automotive series that nobody has is replaced by
// the part that the request approves, which is shown at checkout, and by no other.
func TestApprovedSubstitutions(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	const automotive, approved = "GCM188R71H104KA57D", "CL10B104KB8NNNC"
	upload := s.uploadWithFiles(t, map[string]string{
		"bom.csv": "Designator,Value,Footprint,MPN\nC1,100nF,C_0603_1608Metric," + automotive + "\nR1,10k,R_0603_1608Metric,RC0603FR-0710KL\n",
		"pos.csv": "Ref,PosX,PosY,Rot,Side\nC1,5mm,10mm,0,top\nR1,15mm,10mm,0,top\n",
	})
	reply := s.quote(t, assemblyBody(upload, ""), http.StatusCreated)
	if p := partOf(t, reply.Parts, "C1"); reply.Mode != quotes.ModeReview || len(reply.UnpricedParts) != 1 || p.Bought > 0 || p.Replaces != "" || p.Approved {
		t.Errorf("nothing was approved: %s, %+v; want %s, C1 not bought and not replaced", reply.Mode, p, quotes.ModeReview)
	}
	substitution := func(original, replacement string) string {
		return fmt.Sprintf(`,"substitutions":[{"reference":"C1","original_mpn":%q,"replacement_mpn":%q,"reason":"the customer said so"}]`, original, replacement)
	}
	taken := s.quote(t, assemblyBody(upload, substitution(automotive, approved)), http.StatusCreated)
	if p := partOf(t, taken.Parts, "C1"); taken.Mode != quotes.ModeInstant || p.MPN != approved || p.Replaces != automotive || !p.Approved || p.Bought < 10 {
		t.Errorf("%s was approved: %s, %+v; want %s, 10 at least in place of %s", approved, taken.Mode, p, quotes.ModeInstant, automotive)
	}
	if page := s.open(t, taken.CheckoutURL); !strings.Contains(page.text, "Replaced, as you approved") || !strings.Contains(page.text, automotive) {
		t.Errorf("the checkout page does not show what takes the place of %s: %s", automotive, page.text)
	}
	if r := s.wantRefusal(t, assemblyBody(upload, substitution("GCM188R71H104KA64D", approved))); r.Code != contract.InvalidRequest || len(r.Fields) != 1 || r.Fields[0].Problem != "not_applied" {
		t.Errorf("a substitution for another part: %+v, want %s, not_applied", r, contract.InvalidRequest)
	}
	again := s.quote(t, assemblyBody(upload, substitution(automotive, "GCM188R71H104KA64D")), http.StatusCreated)
	if p := partOf(t, again.Parts, "C1"); again.Mode != quotes.ModeReview || p.Bought > 0 || p.MPN == approved {
		t.Errorf("nobody has the approved part, and no other was approved: %s, %+v; want %s, C1 not bought", again.Mode, p, quotes.ModeReview)
	}
}

// TestPlacesWithoutLines: what has a position and stands on no line is not fitted, and said.
func TestPlacesWithoutLines(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	upload := s.uploadWithFiles(t, map[string]string{
		"bom.csv": "Designator,Value,Footprint,MPN\n\"R1,R2\",10k,R_0603_1608Metric,RC0603FR-0710KL\n",
		"pos.csv": "Ref,PosX,PosY,Rot,Side\nR1,5mm,10mm,0,top\nR2,15mm,10mm,0,top\nU9,25mm,10mm,0,top\nFID1,2mm,2mm,0,top\n",
	})
	notes := strings.Join(s.quote(t, assemblyBody(upload, ""), http.StatusCreated).Notes, "\n")
	if !strings.Contains(notes, "not fitted: U9.") {
		t.Errorf("U9 is left off without a word: %s", notes)
	}
}

// designParts is what a design check says of the parts, once all are looked up.
func (s *system) designParts(t testing.TB, upload string) []partchecks.Found {
	t.Helper()
	var r struct {
		Parts       *partchecks.Report `json:"parts"`
		RetryAfterS int                `json:"retry_after_s"`
	}
	bustest.WaitFor(t, "the design check's parts", func() bool {
		r.Parts, r.RetryAfterS = nil, 0
		status, data := s.post(t, "/v1/design-checks", "application/json", strings.NewReader(fmt.Sprintf(`{"upload_id":%q,"boards":10,"wait_s":50}`, upload)))
		if err := json.Unmarshal(data, &r); status != http.StatusOK || err != nil {
			t.Fatalf("check the design: %d %s, %v; want %d", status, data, err, http.StatusOK)
		}
		return r.Parts != nil && r.RetryAfterS == 0
	})
	return r.Parts.Parts
}

// TestPartsThatStopAQuote: what makes no sense is asked about and never sold, whoever
// supplies the part.
func TestPartsThatStopAQuote(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	const head, places = "Designator,Value,Footprint,MPN\n", "Ref,PosX,PosY,Rot,Side\nU1,10mm,10mm,0,top\nR1,20mm,10mm,0,top\n"
	const list = head + "U1,,SOIC-8,LM358DR\nR1,10k,R_0603_1608Metric,\n"
	long := head
	for i := range 301 {
		long += fmt.Sprintf("U%d,,SOIC-8,NO%dX\n", i+1, i)
	}
	for name, tt := range map[string]struct {
		file, list, places string
		code               contract.Code
		text               string
	}{
		"an empty list":       {"bom.csv", "", places, contract.NeedsPartNumbers, "bom.csv was left aside: it is empty."},
		"headings alone":      {"bom.csv", head, places, contract.NeedsPartNumbers, "bom.csv was left aside: it has a line of headings and no part below it."},
		"foreign headings":    {"bom.csv", "Kuku,Zuzu,Mumu\nU1,SOIC,LM358DR\n", places, contract.NeedsPartNumbers, "bom.csv was left aside: none of its first lines has headings that are known"},
		"301 lines":           {"bom.csv", long, places, contract.NeedsPartNumbers, "bom.csv was left aside: it has 301 lines of parts, and at most 300 are taken."},
		"a damaged workbook":  {"bom.xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and more", places, contract.NeedsPartNumbers, "bom.xls was left aside: it is a damaged spreadsheet."},
		"a rotation of words": {"bom.csv", list, strings.Replace(places, "10mm,0,top\nR1", "10mm,abc,top\nR1", 1), contract.OffBoardParts, "Its rotation is no number."},
		"a missing rotation":  {"bom.csv", list, strings.Replace(places, "10mm,0,top\nR1", "10mm,,top\nR1", 1), contract.OffBoardParts, "Its rotation is not stated, while those of other parts are."},
		"a position of words": {"bom.csv", list, strings.Replace(places, "U1,10mm", "U1,left", 1), contract.OffBoardParts, "Its position is no number."},
		"an unknown side":     {"bom.csv", list, strings.Replace(places, "0,top\nR1", "0,sideways\nR1", 1), contract.OffBoardParts, "Its side is neither top nor bottom."},
		"placed twice":        {"bom.csv", list, places + "U1,30mm,12mm,0,top\n", contract.OffBoardParts, "It has several positions"},
	} {
		upload := s.uploadWithFiles(t, map[string]string{tt.file: tt.list, "pos.csv": tt.places})
		r := s.wantRefusal(t, assemblyBody(upload, ""))
		message := r.Message
		for _, q := range r.OffBoard {
			message += " " + q.Why
			if q.Reference != "U1" {
				t.Errorf("%s: asked about %s, want U1 alone", name, q.Reference)
			}
		}
		if r.Code != tt.code || !strings.Contains(message, tt.text) {
			t.Errorf("%s: %s %s, want %s with %q", name, r.Code, message, tt.code, tt.text)
		}
	}
	headed := s.uploadWithFiles(t, map[string]string{"bom.csv": "位号,数值,封装\nR1,10k,R_0603_1608Metric\n", "pos.csv": places})
	if q := s.quote(t, assemblyBody(headed, ""), http.StatusCreated); q.Mode != quotes.ModeInstant {
		t.Errorf("a list with headings in Chinese: %s, want %s", q.Mode, quotes.ModeInstant)
	}
	misfit := s.uploadWithFiles(t, map[string]string{"bom.csv": head + "U1,,TSSOP-8,LM358DR\nR1,10k,R_0603_1608Metric,\n", "pos.csv": places})
	for _, more := range []string{"", `,"customer_supplied_refs":["U1"]`} {
		q := s.quote(t, assemblyBody(misfit, more), http.StatusCreated)
		if q.Mode != quotes.ModeReview || len(q.UnpricedParts) != 1 || q.UnpricedParts[0].Reference != "U1" || strings.Contains(strings.Join(q.Notes, " "), "looked at and confirmed") {
			t.Errorf("a part of another package %s: %s %+v %q; want %s, U1 without a price, not said to be confirmed", more, q.Mode, q.UnpricedParts, q.Notes, quotes.ModeReview)
		}
	}
}
