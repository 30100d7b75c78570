package part

import (
	"slices"
	"testing"
)

// TestCodes: one number of each scheme, the first that was given, in one order whatever
// order they came in.
func TestCodes(t *testing.T) {
	t.Parallel()
	var none Codes
	one := none.Add(Mouser, "595-LM358DR")
	for _, tt := range []struct {
		what  string
		codes Codes
		want  Codes
	}{
		{"none", none, nil},
		{"no number", none.Add(DigiKey, ""), nil},
		{"one", one, Codes{{Mouser, "595-LM358DR"}}},
		{"two", one.Add(DigiKey, "296-1-ND"), Codes{{DigiKey, "296-1-ND"}, {Mouser, "595-LM358DR"}}},
		{"a second of one", one.Add(Mouser, "999-OTHER"), Codes{{Mouser, "595-LM358DR"}}},
	} {
		if !slices.Equal(tt.codes, tt.want) {
			t.Errorf("%s: %v, want %v", tt.what, tt.codes, tt.want)
		}
	}
	if len(one) != 1 || one.Number(Mouser) != "595-LM358DR" || one.Number(DigiKey) != "" {
		t.Errorf("adding changed the codes before: %v, want 595-LM358DR alone", one)
	}
}

// TestSourceWords: sources as sentences call them.
func TestSourceWords(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"fab": "the fabricator", "aggregator": "the parts search", "distributor_a": "distributor A", "distributor_c": "distributor C",
		"mouser_eu": "mouser eu", "octa": "octa", "a": "A", "": "",
	} {
		if got := SourceWords(source); got != want {
			t.Errorf("SourceWords(%q) = %q, want %q", source, got, want)
		}
	}
}
