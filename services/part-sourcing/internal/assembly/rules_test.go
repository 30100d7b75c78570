package assembly_test

import (
	"strings"
	"testing"

	"boardorder/services/part-sourcing/internal/assembly"
	"boardorder/services/part-sourcing/internal/bom"
)

// TestSubstitutions: each reason why a substitution is not applied, and what it is applied to: the
// lines of all its designators, or of all that name the original.
func TestSubstitutions(t *testing.T) {
	t.Parallel()
	list := lines(t, "U1,,,LM358DR,", "U2,,,LM358DR,", "U3,,,NE555DR,", "U4,,,OLD123,DNP")
	of := func(reference, original, replacement string) assembly.Substitution {
		return assembly.Substitution{Reference: reference, Original: original, Replacement: replacement}
	}
	for rule, tt := range map[string]struct {
		list []assembly.Substitution
		why  string // of each
		now  string // numbers of U1 to U4
	}{
		"at a place":                       {[]assembly.Substitution{of("U1", "LM358DR", "LM358DT")}, "ok", "LM358DT LM358DR NE555DR OLD123"},
		"at a place, no original is named": {[]assembly.Substitution{of("U1", "", "LM358DT")}, "ok", "LM358DT LM358DR NE555DR OLD123"},
		"at several places":                {[]assembly.Substitution{of("U1, U2", "LM358DR", "LM358DT")}, "ok", "LM358DT LM358DT NE555DR OLD123"},
		"everywhere":                       {[]assembly.Substitution{of("", "lm358-dr", "LM358DT")}, "ok", "LM358DT LM358DT NE555DR OLD123"},
		"one after another":                {[]assembly.Substitution{of("U1", "LM358DR", "LM358DT"), of("U3", "NE555DR", "NE555P")}, "ok ok", "LM358DT LM358DR NE555P OLD123"},
		"no such place":                    {[]assembly.Substitution{of("U9", "LM358DR", "LM358DT")}, assembly.WhyNoLine, "LM358DR LM358DR NE555DR OLD123"},
		"one of two places":                {[]assembly.Substitution{of("U1, U9", "LM358DR", "LM358DT")}, assembly.WhyNoLine, "LM358DR LM358DR NE555DR OLD123"},
		"another part is there":            {[]assembly.Substitution{of("U3", "LM358DR", "LM358DT")}, assembly.WhyOtherPart, "LM358DR LM358DR NE555DR OLD123"},
		"nobody names it":                  {[]assembly.Substitution{of("", "TL072", "TL082")}, assembly.WhyNotInList, "LM358DR LM358DR NE555DR OLD123"},
		"nothing in its place":             {[]assembly.Substitution{of("U1", "LM358DR", " - ")}, assembly.WhyIncomplete, "LM358DR LM358DR NE555DR OLD123"},
		"neither place nor original":       {[]assembly.Substitution{of("", "", "LM358DT")}, assembly.WhyIncomplete, "LM358DR LM358DR NE555DR OLD123"},
		"the same part":                    {[]assembly.Substitution{of("U1", "", "lm358dr")}, assembly.WhySameAsBefore, "LM358DR LM358DR NE555DR OLD123"},
		"twice":                            {[]assembly.Substitution{of("U1", "", "LM358DT"), of("U1", "", "LM358P")}, "ok " + assembly.WhyTwice, "LM358DT LM358DR NE555DR OLD123"},
	} {
		plan := assembly.Match(list, places("U1 U2 U3"), assembly.Choices{Substitutions: tt.list})
		var why []string
		for _, s := range plan.Substitutions {
			if s.Applied != (s.Why == "") {
				t.Errorf("%s: %+v is applied %t for the reason %q; want one of the two", rule, s.Substitution, s.Applied, s.Why)
			}
			why = append(why, strings.TrimSpace(s.Why+map[bool]string{true: "ok"}[s.Applied]))
		}
		now := map[string]string{}
		for _, l := range plan.Lines {
			for _, ref := range l.Refs {
				now[ref] = l.MPN
				if changed := l.MPN != l.Original && l.Original != ""; l.Substituted != changed {
					t.Errorf("%s: %s is substituted %t, want %t, of %q in place of %q", rule, ref, l.Substituted, changed, l.MPN, l.Original)
				}
			}
		}
		if got := strings.Join(why, " "); got != tt.why {
			t.Errorf("%s: %+v: %q, want %q", rule, tt.list, got, tt.why)
		}
		if got := strings.Join([]string{now["U1"], now["U2"], now["U3"], now["U4"]}, " "); got != tt.now {
			t.Errorf("%s: U1 to U4 are %q, want %q", rule, got, tt.now)
		}
	}
}

// TestCounts: how many of a part there are on a board, and whether any is fitted.
func TestCounts(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct {
		line   assembly.Line
		count  int
		fitted bool
	}{
		"nothing":            {assembly.Line{}, 0, false},
		"by its places":      {assembly.Line{Line: bom.Line{Refs: []string{"R1", "R2"}, Quantity: 2}}, 2, true},
		"by its quantity":    {assembly.Line{Line: bom.Line{Quantity: 4}}, 4, true},
		"by the client":      {assembly.Line{Line: bom.Line{Refs: []string{"R1", "R2"}, Quantity: 2}, PerBoard: 7}, 7, true},
		"left off":           {assembly.Line{Line: bom.Line{Refs: []string{"R1"}, Quantity: 1}, LeftOff: true}, 1, false},
		"a fiducial":         {assembly.Line{Line: bom.Line{Refs: []string{"FID1"}, Quantity: 1}, Mechanical: true}, 1, false},
		"a quantity of none": {assembly.Line{Line: bom.Line{Refs: []string{"R1"}}}, 1, false},
	} {
		if n, fitted := tt.line.Count(), tt.line.IsFitted(); n != tt.count || fitted != tt.fitted {
			t.Errorf("%s: %d pieces, fitted %t; want %d, %t", rule, n, fitted, tt.count, tt.fitted)
		}
	}
}

// TestSubstitutedEverywhere: of lines that name the original those that are fitted get the
// replacement, and that is said, whichever of them come first.
func TestSubstitutedEverywhere(t *testing.T) {
	t.Parallel()
	list := lines(t, "U1,,,LM358DR,", "U2,,,LM358DR,", "U3,,,LM358DR,")
	for off, want := range map[string]string{"": "LM358DT LM358DT LM358DT", "U1": "LM358DR LM358DT LM358DT", "U2": "LM358DT LM358DR LM358DT", "U3": "LM358DT LM358DT LM358DR", "U1 U2 U3": "LM358DR LM358DR LM358DR"} {
		plan := assembly.Match(list, places("U1 U2 U3"), assembly.Choices{
			DoNotFit: strings.Fields(off), Substitutions: []assembly.Substitution{{Original: "LM358DR", Replacement: "LM358DT"}},
		})
		numbers := map[string]string{}
		for _, l := range plan.Lines {
			for _, ref := range l.Refs {
				numbers[ref] = l.MPN
			}
		}
		if got := numbers["U1"] + " " + numbers["U2"] + " " + numbers["U3"]; got != want || plan.Substitutions[0].Applied != (strings.Contains(want, "LM358DT")) {
			t.Errorf("with %q left off: %q, applied %t, %q; want %q", off, got, plan.Substitutions[0].Applied, plan.Substitutions[0].Why, want)
		}
	}
}
