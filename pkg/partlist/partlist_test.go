package partlist_test

import (
	"encoding/csv"
	"errors"
	"strings"
	"testing"

	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/partlist"

	"github.com/google/go-cmp/cmp"
)

func TestCell(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                       "",
		"   ":                    "",
		"10k":                    "10k",
		"C1, C2\nC3":             "C1, C2 C3",
		"\tR1  R2\r\n":           "R1 R2",
		"=1+1":                   "'=1+1",
		"  =HYPERLINK(\"a\")":    "'=HYPERLINK(\"a\")",
		"+5V":                    "'+5V",
		"-12V":                   "'-12V",
		"@SUM(A1)":               "'@SUM(A1)",
		"\n=cmd|' /C calc'!A0":   "'=cmd|' /C calc'!A0",
		"1=1":                    "1=1",
		"5±1 %":                  "5±1 %",
		"'quoted":                "'quoted",
		"100 nF\u00a0± 10 %":     "100 nF ± 10 %",
		"Ω first, a wide letter": "Ω first, a wide letter",
	} {
		if got := partlist.Cell(in); got != want {
			t.Errorf("Cell(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestWrite: what is written is read again as it was meant, line by line.
func TestWrite(t *testing.T) {
	t.Parallel()
	headings := []string{"Designator", "Quantity", "Comment", "Footprint", "MPN", "Manufacturer", "Fabricator Part #", "Supplier", "Supplier Part #", "Fitting"}
	for name, tt := range map[string]struct {
		parts []assemblies.Part
		want  [][]string
	}{
		"no parts": {nil, [][]string{headings}},
		"every column": {[]assemblies.Part{{
			Found:     partchecks.Found{Reference: "C1,C2", QuantityPerBoard: 2, Part: "100nF", MPN: "CL10B104KB8NNNC", Manufacturer: "Samsung", FabCode: "C1591", Supplier: "Mouser", SKU: "187-CL10B104KB8NNNC"},
			Footprint: "0603", Fitting: assemblies.Fitted,
		}}, [][]string{headings, {"C1,C2", "2", "100nF", "0603", "CL10B104KB8NNNC", "Samsung", "C1591", "Mouser", "187-CL10B104KB8NNNC", "fitted"}}},
		"quotes, breaks and formulas": {[]assemblies.Part{
			{Found: partchecks.Found{Reference: "J1\nJ2", QuantityPerBoard: 2, Part: `2.54" header`, MPN: "=A1", Manufacturer: "@maker"}, Fitting: assemblies.LeftOff},
			{Found: partchecks.Found{Reference: "-R1", Part: "+10%;1;2"}},
		}, [][]string{headings, {"J1 J2", "2", `2.54" header`, "", "'=A1", "'@maker", "", "", "", "left_off"}, {"'-R1", "0", "'+10%;1;2", "", "", "", "", "", "", ""}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			if err := partlist.Write(&out, tt.parts); err != nil {
				t.Fatalf("Write(%+v): %v", tt.parts, err)
			}
			got, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
			if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
				t.Errorf("Write(%+v) = %q, read again: %v (-want +got):\n%s", tt.parts, out.String(), err, diff)
			}
		})
	}
}

type fullDisk struct{ err error }

func (d fullDisk) Write([]byte) (int, error) { return 0, d.err }

func TestWriteSaysWhatFails(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left")
	if err := partlist.Write(fullDisk{full}, []assemblies.Part{{}}); !errors.Is(err, full) {
		t.Errorf("Write to a full disk = %v, want %v", err, full)
	}
}
