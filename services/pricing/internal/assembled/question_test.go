package assembled_test

import (
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/services/pricing/internal/assembled"
)

// TestQuestions: what the customer has to answer before an assembly has a price,
// the fields first, then places, then numbers.
func TestQuestions(t *testing.T) {
	t.Parallel()
	off := []contract.PartQuestion{{Reference: "R1", Why: "no position"}}
	unnamed := []contract.PartQuestion{{Reference: "R2", Why: "no number"}}
	for name, tt := range map[string]struct {
		plan  contract.AssemblyPlan
		asked contract.QuoteRequest
		code  contract.Code
		field string // that is refused
		words string
	}{
		"nothing open":              {plan: contract.AssemblyPlan{}},
		"left off and supplied":     {contract.AssemblyPlan{Both: []string{"U1", "U2"}, OffBoard: off}, contract.QuoteRequest{}, contract.InvalidRequest, "customer_supplied_refs:contradicts", "U1, U2"},
		"everything left off":       {contract.AssemblyPlan{Empty: true}, contract.QuoteRequest{DoNotFitRefs: []string{"R1"}}, contract.InvalidRequest, "do_not_fit_refs:nothing_to_fit", "assembly: false"},
		"the list fits nothing":     {contract.AssemblyPlan{Empty: true, NoPlaces: true}, contract.QuoteRequest{}, contract.InvalidRequest, "assembly:nothing_to_fit", "assembly: false"},
		"no such reference":         {contract.AssemblyPlan{Unknown: []string{"R9"}}, contract.QuoteRequest{DoNotFitRefs: []string{"r9"}}, contract.InvalidRequest, "do_not_fit_refs:unknown", "R9"},
		"part of a line":            {contract.AssemblyPlan{Split: []string{"R1"}}, contract.QuoteRequest{}, contract.InvalidRequest, "do_not_fit_refs:part_of_a_line", "R1"},
		"a substitution for nobody": {contract.AssemblyPlan{Substs: []contract.RequestedSub{{Applied: true}, {Why: "No line."}}}, contract.QuoteRequest{}, contract.InvalidRequest, "substitutions.1:not_applied", "No line."},
		"no places":                 {contract.AssemblyPlan{NoPlaces: true, OffBoard: off}, contract.QuoteRequest{}, contract.OffBoardParts, "", "Nothing says where"},
		"no unit":                   {contract.AssemblyPlan{NoUnit: true, OffBoard: off}, contract.QuoteRequest{}, contract.OffBoardParts, "", "does not say its unit"},
		"no place":                  {contract.AssemblyPlan{OffBoard: off, Unnamed: unnamed}, contract.QuoteRequest{}, contract.OffBoardParts, "", "do_not_fit_refs"},
		"no number":                 {contract.AssemblyPlan{Unnamed: unnamed}, contract.QuoteRequest{}, contract.NeedsPartNumbers, "", "staff_picks_parts"},
		"left to the team":          {contract.AssemblyPlan{Unnamed: unnamed}, contract.QuoteRequest{StaffPicksParts: true}, "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := assembled.Questions(tt.plan, tt.asked)
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
				t.Errorf("%s at %q: %s", got.Code, field, text)
			}
		})
	}
}
