package assembled_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/pricing/internal/assembled"
)

// TestQuestions: what the customer has to answer before an assembly has a price,
// the fields first, then places and numbers together.
func TestQuestions(t *testing.T) {
	t.Parallel()
	off := []contract.PartQuestion{{Reference: "R1", Why: "no position"}}
	unnamed := []contract.PartQuestion{{Reference: "R2", Why: "no number"}}
	for name, tt := range map[string]struct {
		plan    assemblies.Plan
		request quotes.Request
		code    contract.Code
		field   string // that is refused
		words   string
	}{
		"nothing open":              {plan: assemblies.Plan{}},
		"left off and supplied":     {assemblies.Plan{Both: []string{"U1", "U2"}, OffBoard: off}, quotes.Request{}, contract.InvalidRequest, "customer_supplied_refs:contradicts", "U1, U2"},
		"everything left off":       {assemblies.Plan{Empty: true}, quotes.Request{DoNotFitRefs: []string{"R1"}}, contract.InvalidRequest, "do_not_fit_refs:nothing_to_fit", "assembly: false"},
		"the list fits nothing":     {assemblies.Plan{Empty: true, NoPlaces: true}, quotes.Request{}, contract.InvalidRequest, "assembly:nothing_to_fit", "assembly: false"},
		"no such reference":         {assemblies.Plan{Unknown: []string{"R9"}}, quotes.Request{DoNotFitRefs: []string{"r9"}}, contract.InvalidRequest, "do_not_fit_refs:unknown", "R9"},
		"part of a line":            {assemblies.Plan{Split: []string{"R1"}}, quotes.Request{}, contract.InvalidRequest, "do_not_fit_refs:part_of_a_line", "R1"},
		"a substitution for nobody": {assemblies.Plan{Substs: []assemblies.RequestedSub{{Applied: true}, {Why: "No line."}}}, quotes.Request{}, contract.InvalidRequest, "substitutions.1:not_applied", "No line."},
		"no places":                 {assemblies.Plan{NoPlaces: true, OffBoard: off}, quotes.Request{}, contract.OffBoardParts, "", "Nothing says where"},
		"no unit":                   {assemblies.Plan{NoUnit: true, OffBoard: off}, quotes.Request{}, contract.OffBoardParts, "", "does not say its unit"},
		"no place":                  {assemblies.Plan{OffBoard: off}, quotes.Request{}, contract.OffBoardParts, "", "do_not_fit_refs"},
		"no number":                 {assemblies.Plan{Unnamed: unnamed}, quotes.Request{}, contract.NeedsPartNumbers, "", "staff_picks_parts"},
		"left to the team":          {assemblies.Plan{Unnamed: unnamed}, quotes.Request{StaffPicksParts: true}, "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := assembled.Questions(tt.plan, tt.request)
			if got == nil {
				if tt.code != "" {
					t.Errorf("nothing is asked, want %s", tt.code)
				}
				return
			}
			text, field := got.Message, ""
			if len(got.Fields) > 0 {
				field, text = got.Fields[0].Field+":"+got.Fields[0].Problem, got.Fields[0].Message
			}
			if got.Code != tt.code || field != tt.field || !strings.Contains(text, tt.words) {
				t.Errorf("%s at %q: %s; want %s at %q: %s", got.Code, field, text, tt.code, tt.field, tt.words)
			}
		})
	}
}

// TestQuestionsTogether: whatever is open about a list is asked in one reply, and nothing
// that is not.
func TestQuestionsTogether(t *testing.T) {
	t.Parallel()
	const place, sense, number, voltage = "have no place on the board", "make no sense", "name no exact part", "state no voltage"
	one := func(ref string) []contract.PartQuestion { return []contract.PartQuestion{{Reference: ref}} }
	for name, tt := range map[string]struct {
		plan      assemblies.Plan
		picks     bool
		code      contract.Code
		off       int // lines in off_board_parts
		parts     int // and in parts
		requested []string
		notAsked  []string
	}{
		"places and numbers":          {assemblies.Plan{OffBoard: one("R1"), Unnamed: one("U1")}, false, contract.OffBoardParts, 1, 1, []string{place, number}, []string{sense, voltage}},
		"all of it":                   {assemblies.Plan{OffBoard: one("R1"), Doubtful: one("R2"), Unnamed: one("U1"), Unrated: one("C1")}, false, contract.OffBoardParts, 2, 2, []string{place, sense, number, voltage}, nil},
		"no placements, and numbers":  {assemblies.Plan{NoPlaces: true, OffBoard: one("R1"), Unrated: one("C1")}, false, contract.OffBoardParts, 1, 1, []string{"Nothing says where", voltage}, []string{place, number}},
		"numbers and voltages":        {assemblies.Plan{Unnamed: one("U1"), Unrated: one("C1")}, false, contract.NeedsPartNumbers, 0, 2, []string{number, voltage}, []string{place}},
		"places, and the team picks":  {assemblies.Plan{OffBoard: one("R1"), Unnamed: one("U1"), Unrated: one("C1")}, true, contract.OffBoardParts, 1, 0, []string{place}, []string{number, voltage}},
		"positions on no pads":        {assemblies.Plan{Misread: []assemblies.Misread{{File: "pos.csv", Known: 9}}, Unnamed: one("U1")}, false, contract.NeedsDetails, 0, 1, []string{"file_answers.placements", number}, []string{place, sense}},
		"parts beside their pads":     {assemblies.Plan{OffPads: one("R1")}, true, contract.OffBoardParts, 1, 0, []string{"by_pads", "as_listed", "do_not_fit_refs"}, []string{place, sense, number}},
		"numbers, and the team picks": {assemblies.Plan{Unnamed: one("U1"), Unrated: one("C1")}, true, "", 0, 0, nil, nil},
	} {
		r := assembled.Questions(tt.plan, quotes.Request{StaffPicksParts: tt.picks})
		if r == nil {
			r = &contract.Refusal{}
		}
		if r.Code != tt.code || len(r.OffBoard) != tt.off || len(r.Parts) != tt.parts {
			t.Errorf("%s: refused by %+v; want %q with %d parts off the board and %d parts", name, r, tt.code, tt.off, tt.parts)
		}
		for _, words := range tt.requested {
			if !strings.Contains(r.Message, words) {
				t.Errorf("%s: %q lacks %q", name, r.Message, words)
			}
		}
		for _, words := range tt.notAsked {
			if strings.Contains(r.Message, words) {
				t.Errorf("%s: %q has %q", name, r.Message, words)
			}
		}
	}
}

// TestReadings: a file of positions on no pads is asked about with the reading that fits, and
// without one whether it is right all the same.
func TestReadings(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		misread assemblies.Misread
		words   []string
		choices string
	}{
		"another reading": {assemblies.Misread{File: "pos.csv", Known: 24, Listed: 2, Fit: 23, Words: "with the numbers in inches"}, []string{"24 parts", "2 lie", "23 do with the numbers in inches"}, "by_pads as_listed"},
		"one of several":  {assemblies.Misread{File: "pos.csv", Known: 24, Listed: 24, Copies: 4}, []string{"4 equal boards", "one board only"}, "as_listed"},
		"none":            {assemblies.Misread{File: "pos.csv", Known: 24, Listed: 2}, []string{"24 parts", "2 lie", "no other reading fits"}, "as_listed"},
	} {
		r := assembled.Questions(assemblies.Plan{Misread: []assemblies.Misread{tt.misread}}, quotes.Request{StaffPicksParts: true})
		if r == nil || r.Code != contract.NeedsDetails || len(r.Questions) != 1 {
			t.Errorf("%s: refused by %+v; want %s with one question", name, r, contract.NeedsDetails)
			continue
		}
		q := r.Questions[0]
		var choices, values []string
		for _, c := range q.Choices {
			choices = append(choices, fmt.Sprint(c))
		}
		for _, a := range q.Answers {
			values = append(values, fmt.Sprint(a.Value))
			if a.Field != "file_answers.placements" || a.Means == "" {
				t.Errorf("%s: answer %+v; want one of file_answers.placements that says what it means", name, a)
			}
		}
		if strings.Join(choices, " ") != tt.choices || strings.Join(values, " ") != tt.choices || q.File != "pos.csv" || q.Option != "file_answers.placements" {
			t.Errorf("%s: question %+v; want choices and answers %q about pos.csv", name, q, tt.choices)
		}
		for _, w := range tt.words {
			if !strings.Contains(q.Question, w) {
				t.Errorf("%s: %q lacks %q", name, q.Question, w)
			}
		}
	}
}

// TestPick: the part that the team chose is bought, and no other one in its place.
func TestPick(t *testing.T) {
	t.Parallel()
	q := quotes.Quote{Status: quotes.SourcingRequested, Assembly: &quotes.QuotedAssembly{Boards: 10}, Reply: quotes.Reply{Parts: []assemblies.Part{
		{Found: partchecks.Found{Reference: "C1"}, Fitting: assemblies.Fitted, Picked: true},
	}}}
	q.Request.StaffPicksParts = true
	data := quotes.PickPartData{Reference: "C1", MPN: "CL05B104KO5NNNC", Operator: "ann"}
	for name, tt := range map[string]struct {
		found partchecks.Found
		ok    bool
	}{
		"sold":            {partchecks.Found{MPN: data.MPN, Bought: 10, CostUSD: "2.00"}, true},
		"not sold":        {partchecks.Found{Why: "out of stock at fab"}, false},
		"another instead": {partchecks.Found{MPN: "CC0402KRX7R7BB104", Replaces: data.MPN, Bought: 10, CostUSD: "2.00"}, false},
	} {
		after, r := assembled.Pick(q, data, tt.found)
		if (r == nil) != tt.ok || tt.ok && (after.Reply.Parts[0].MPN != data.MPN || after.Assembly.PartCents != 200) {
			t.Errorf("%s: picked %+v, refused by %v; want it taken %t, as %s for 200 cents", name, after.Reply.Parts, r, tt.ok, data.MPN)
		}
	}
}

// TestQuestionsOfParts: capacitors of no voltage are asked about unless the team picks
// parts, and placements that make no sense always.
func TestQuestionsOfParts(t *testing.T) {
	t.Parallel()
	unrated := assemblies.Plan{Unrated: []contract.PartQuestion{{Reference: "C1"}}}
	doubtful := assemblies.Plan{Doubtful: []contract.PartQuestion{{Reference: "U1"}}}
	for name, tt := range map[string]struct {
		plan  assemblies.Plan
		picks bool
		want  contract.Code
		parts int
	}{
		"no voltage":             {unrated, false, contract.NeedsPartNumbers, 1},
		"no voltage, team picks": {unrated, true, "", 0},
		"placed oddly":           {doubtful, false, contract.OffBoardParts, 0},
		"oddly, team picks":      {doubtful, true, contract.OffBoardParts, 0},
		"nothing":                {assemblies.Plan{}, false, "", 0},
	} {
		r := assembled.Questions(tt.plan, quotes.Request{StaffPicksParts: tt.picks})
		code, parts := contract.Code(""), 0
		if r != nil {
			code, parts = r.Code, len(r.Parts)
		}
		if code != tt.want || parts != tt.parts {
			t.Errorf("%s: refused by %+v; want %q with %d parts", name, r, tt.want, tt.parts)
		}
	}
}
