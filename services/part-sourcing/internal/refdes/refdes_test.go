package refdes_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/services/part-sourcing/internal/refdes"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ list, refs, odd string }{
		{"R1-R4, R7", "R1 R2 R3 R4 R7", ""},
		{"R1-4", "R1 R2 R3 R4", ""},
		{"C1 C2 C2", "C1 C2", ""},
		{"R[1..3]", "R1 R2 R3", ""},
		{"R1 - R3; C5 to C7", "R1 R2 R3 C5 C6 C7", ""},
		{"D1…", "", "D1..."},
		{"C4…C6 D1～D3 D4－D5 D6−D7 D8‑D9", "C4 C5 C6 D1 D2 D3 D4 D5 D6 D7 D8 D9", ""},
		{"R1 thru R3, R5 through R6; R8 到 R9", "R1 R2 R3 R5 R6 R8 R9", ""},
		{"R1|R2 + R3+R4", "R1 R2 R3 R4", ""},
		{"C9\nC10/C11、C12", "C9 C10 C11 C12", ""},
		{"U1A, C70_1, TP1, MH.1", "U1A C70_1 TP1 MH.1", ""},
		{"LED01–LED03", "LED01 LED02 LED03", ""},
		{"4B1", "4B1", ""},
		{"U$1, U$3-U$5, LED$2", "U$1 U$3 U$4 U$5 LED$2", ""},
		{"US$ 1", "US$", "1"},
		{"R9-R1", "", "R9-R1"},
		{"R1-C4", "", "R1-C4"},
		{"R1*, R2(!) R3† R4[1] R5**", "R1 R2 R3 R4 R5", ""},
		{"C1 (near U1)", "C1", "(near U1)"},
		{"BT+ BT-", "BT+ BT-", ""},
		{"G*** REF**", "", "G*** REF**"},
		{"R1-R999999", "", "R1-R999999"},
		{"（ PIN1与PIN2之间）", "", "（ PIN1与PIN2之间）"},
		{"", "", ""},
	} {
		refs, odd := refdes.Parse(tt.list)
		if strings.Join(refs, " ") != tt.refs || strings.Join(odd, " ") != tt.odd {
			t.Errorf("Parse(%q) = %q, odd %q; want %q, %q", tt.list, refs, odd, tt.refs, tt.odd)
		}
	}
}

func TestContinue(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]string{
		"R1,2,3": "R1 R2 R3", "R1-3, 7, C2/4": "R1 R2 R3 R7 C2 C4", "R1, R2": "R1 R2", "1, 2": "", "R1, x": "", "R1 2 pcs": "", "R9, 8-6": "",
	} {
		refs, ok := refdes.Continue(list)
		if got := strings.Join(refs, " "); ok != (want != "") || ok && got != want {
			t.Errorf("Continue(%q) = %q, %t; want %q", list, got, ok, want)
		}
	}
}

func TestMay(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]bool{
		"3V3_ANT": true, "+X": true, "-Y": true, "*1": true, "*": true, "HRS%10": true, "DS18B20": true,
		"(near": false, "U1)": false, "screws": false, "see": false, "": false, "-": false, "5×": false,
	} {
		if got := refdes.May(word); got != want {
			t.Errorf("May(%q) = %t, want %t", word, got, want)
		}
	}
}

func TestUsual(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]bool{"R1": true, "led12": true, "U1A": true, "LM358": false, "BC847": false, "C25804": false, "R": false, "A4": false} {
		if got := refdes.Usual(word); got != want {
			t.Errorf("Usual(%q) = %t, want %t", word, got, want)
		}
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	refs := strings.Fields("R10 C1 R2 R2A U1 R?")
	slices.SortFunc(refs, refdes.Compare)
	if got := strings.Join(refs, " "); got != "C1 R? R2 R2A R10 U1" {
		t.Errorf("in order: %s, want C1 R? R2 R2A R10 U1", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("R1-R4, R7 C[1..9] x")
	f.Add("R1-R1999,C1-C1999,D1-D1999,L1-L1999")
	f.Fuzz(func(t *testing.T, list string) {
		refs, _ := refdes.Parse(list)
		if len(refs) > refdes.Max {
			t.Errorf("%d designators, want %d at most", len(refs), refdes.Max)
		}
		sorted := slices.Clone(refs)
		slices.SortFunc(sorted, refdes.Compare)
		if len(slices.Compact(sorted)) != len(refs) {
			t.Errorf("%q comes twice", refs)
		}
	})
}
