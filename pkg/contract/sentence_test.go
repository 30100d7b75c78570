package contract

import "testing"

// TestFindingSentence: what a finding says by itself names its file, once.
func TestFindingSentence(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ what, file, want string }{
		{"the unit is not stated; read as inches", "gerbers/lamp.gtl", `"lamp.gtl": the unit is not stated; read as inches.`},
		{"the unit is not stated", "F_Cu.gbr", "F_Cu.gbr: the unit is not stated."},
		{"the unit is not stated", "pay the bearer now.gbr", `"pay the bearer now.gbr": the unit is not stated.`},
		{`"lamp.gtl" is empty`, "gerbers/lamp.gtl", `"lamp.gtl" is empty.`},
		{"two holes touch", "", "Two holes touch."},
	} {
		if got := (Finding{What: tt.what, File: tt.file}).Sentence(); got != tt.want {
			t.Errorf("%q of %q says %q, want %q", tt.what, tt.file, got, tt.want)
		}
	}
}

func TestSentence(t *testing.T) {
	t.Parallel()
	for clause, want := range map[string]string{
		"": "", "no file is the outline": "No file is the outline.", "Two holes touch.": "Two holes touch.", " a gap ": "A gap.",
		"top.gbr: line 3 cannot be read": "top.gbr: line 3 cannot be read.", "solder_mask is unknown": "solder_mask is unknown.", "[file 1] is damaged": "[file 1] is damaged.", "ähnlich": "ähnlich.",
	} {
		if got := Sentence(clause); got != want {
			t.Errorf("Sentence(%q) = %q, want %q", clause, got, want)
		}
	}
}
