package note

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// numberLines gives the lines of a text with their numbers.
func numberLines(lines []line) []string {
	var out []string
	for _, l := range lines {
		out = append(out, fmt.Sprintf("%d %s", l.number, l.text))
	}
	return out
}

// TestTableLines: the rows or columns of a table as labels and values.
func TestTableLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"rows", "Finish,ENIG\nThickness,1.6 mm\n", []string{"1 Finish: ENIG", "2 Thickness: 1.6 mm"}},
		{"rows with remarks", "Finish,ENIG,both sides\n", []string{"1 Finish: ENIG ; both sides"}},
		{"rows with colons", "Finish: ,ENIG\n", []string{"1 Finish: ENIG"}},
		{"semicolons", "Finish;ENIG\nThickness;1,6 mm\n", []string{"1 Finish: ENIG", "2 Thickness: 1,6 mm"}},
		{"tabs", "Finish\tENIG\n", []string{"1 Finish: ENIG"}},
		{"bars", "Finish|ENIG\n", []string{"1 Finish: ENIG"}},
		{"quotes", "\"Finish\",\"ENIG, both\"\n", []string{"1 Finish: ENIG, both"}},
		{"empty cells", ",Finish,,ENIG,\n", []string{"1 Finish: ENIG"}},
		{"empty rows", "Finish,ENIG\n,,\nThickness,1 mm\n", []string{"1 Finish: ENIG", "3 Thickness: 1 mm"}},
		{"one cell", "Order\nFinish,ENIG\n", []string{"1 Order", "2 Finish: ENIG"}},
		{"columns", "Finish,Thickness\nENIG,1.6 mm\nHASL,1 mm\n", []string{"2 Finish: ENIG", "2 Thickness: 1.6 mm", "3 Finish: HASL", "3 Thickness: 1 mm"}},
		{"columns with more cells than headings", "Finish,Thickness\nENIG,1.6 mm,x\n", []string{"2 Finish: ENIG", "2 Thickness: 1.6 mm"}},
		{"one heading is a row", "Finish,Remark\nENIG,x\n", []string{"1 Finish: Remark", "2 ENIG: x"}},
		{"a row that is too long", "Finish," + strings.Repeat("x", maxLine) + "\nThickness,1 mm\n", []string{"2 Thickness: 1 mm"}},
		{"nothing", "", nil},
	} {
		if diff := cmp.Diff(c.want, numberLines(tableLines(c.in))); diff != "" {
			t.Errorf("%s: tableLines(%.80q) (-want +got):\n%s", c.name, c.in, diff)
		}
	}
	rows := strings.Repeat("a,b\n", maxRows+10)
	if got := len(tableLines(rows)); got != maxRows {
		t.Errorf("%d lines of a table of %d rows, want %d", got, maxRows+10, maxRows)
	}
	wide := strings.Repeat("Finish,", 100) + "Thickness\n" + strings.Repeat(strings.Repeat("1 mm,", 100)+"x\n", 100)
	if got := len(tableLines(wide)); got != maxPairs {
		t.Errorf("%d lines of a table of 101 columns and 100 rows, want %d", got, maxPairs)
	}
}

// TestOptionLines: the options of a JSON object, a line for each plain value.
func TestOptionLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"plain values", `{"finish": "ENIG", "layers": 4, "tented": true, "fingers": false}`, []string{"1 finish: ENIG", "1 layers: 4", "1 tented: yes", "1 fingers: no"}},
		{"lines", "{\n\"finish\": \"ENIG\",\n\n\"layers\": 4}", []string{"2 finish: ENIG", "4 layers: 4"}},
		{"words of keys", `{"solderMask": "red", "board_thickness": 1.6, "edge.plating": true}`, []string{"1 solder mask: red", "1 board thickness: 1.6", "1 edge plating: yes"}},
		{"below another key", `{"via": {"type": "tented"}}`, []string{"1 via type: tented"}},
		{"a subject below another key", `{"board": {"thickness": 1.6}}`, []string{"1 thickness: 1.6"}},
		{"what nobody chose", `{"layers": -1, "finish": null}`, nil},
		{"things in a list", `{"parts": [{"material": "FR4"}]}`, nil},
		{"plain values in a list", `{"finish": ["ENIG", "HASL"]}`, []string{"1 finish: ENIG", "1 finish: HASL"}},
		{"the record of a check", `{"audit": {"finish": "ENIG"}, "layers": 2}`, []string{"1 layers: 2"}},
		{"a value without a key", `"ENIG"`, nil},
		{"no object", `{"finish": `, nil},
		{"nothing", ``, nil},
		{"a value that is too long", `{"finish": "` + strings.Repeat("x", maxLine) + `", "layers": 2}`, []string{"1 layers: 2"}},
		{"twelve deep", strings.Repeat(`{"a":`, 11) + `{"finish":"ENIG"}` + strings.Repeat("}", 11), []string{"1 finish: ENIG"}},
		{"deeper than that", strings.Repeat(`{"a":`, 12) + `{"finish":"ENIG"}` + strings.Repeat("}", 12), nil},
	} {
		if diff := cmp.Diff(c.want, numberLines(optionLines(c.in))); diff != "" {
			t.Errorf("%s: optionLines(%.80q) (-want +got):\n%s", c.name, c.in, diff)
		}
	}
}

// TestMarkdownTable: how many lines a table has that begins with the first one.
func TestMarkdownTable(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{
		"| a | b |\n|---|---|\n| 1 | 2 |\n": 3,
		"a | b\n--|--\n1 | 2\n3 | 4\n":      4,
		"| a | b |\n|:--|--:|\n":            2,
		"| a | b |\n| 1 | 2 |\n":            0,
		"a b\n|---|---|\n":                  0,
		"a\n---\n":                          0,
		"| a | b |":                         0,
		"":                                  0,
	} {
		if got := markdownTable(strings.Split(in, "\n")); got != want {
			t.Errorf("markdownTable(%q) = %d, want %d", in, got, want)
		}
	}
}
