package contract

import "testing"

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
