package table

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNumber: numbers are written as cells show them, without the digits that only their
// binary form has.
func TestNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"1": "1", "1.0": "1", "12.50": "12.5", "130.93700000000001": "130.937", "0.1": "0.1", "1.0E+5": "100000", "6.94101308002E+11": "694101308002", "1E-7": "0.0000001",
		"-3": "-3", " 7 ": "7", "": "", "R1": "R1", "1,5": "1,5", "0603": "603",
		"1E+39": "1" + strings.Repeat("0", 39), "1E+40": "1E+40", "-1E+39": "-1E+39", "1E-38": "0." + strings.Repeat("0", 37) + "1", "1E-39": "1E-39", "1E+999": "1E+999",
	} {
		if got := number(text); got != want {
			t.Errorf("number(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestDay: 1 is the first day of 1900; after the day that never was, calendars and spreadsheets
// agree: 25569 is the first of 1970, 45361 is 10 March 2024.
func TestDay(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"1": "1900-01-01", "31": "1900-01-31", "59": "1900-02-28", "61": "1900-03-01", "25569": "1970-01-01", "45361": "2024-03-10", "45361.75": "2024-03-10", "2958465": "2958465",
		"36526": "2000-01-01", "2000001": "2000001", "0": "0", "0.5": "0.5", "-1": "-1", "": "", "soon": "soon",
	} {
		if got := since1900.day(text); got != want {
			t.Errorf("day %q since 1900 is %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"0": "1904-01-01", "1": "1904-01-02", "59": "1904-02-29", "60": "1904-03-01", "24107": "1970-01-01", "43899.75": "2024-03-10", "2000001": "2000001", "-1": "-1", "soon": "soon",
	} {
		if got := since1904.day(text); got != want {
			t.Errorf("day %q since 1904 is %q, want %q", text, got, want)
		}
	}
}

// TestDisplayText: which formats show zeros before a number, or a day; what stands in a format
// as text says neither.
func TestDisplayText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ code, text, want string }{
		{"", "22232021", "22232021"},
		{"General", "22232021", "22232021"},
		{"0000000000", "22232021", "0022232021"},
		{"0000", "12345", "12345"},
		{"0000", "-5", "-5"},
		{"0000", "1.5", "1.5"},
		{"0", "5", "5"},
		{"0000.00", "5", "5"},
		{"yyyy-mm-dd", "45361", "2024-03-10"},
		{"d/m/yy", "45361", "2024-03-10"},
		{`d\-mmm`, "45361", "2024-03-10"},
		{"[$-409]D-MMM-YY", "45361", "2024-03-10"},
		{"h:mm", "0.5", "0.5"},
		{`0.00" day"`, "12.5", "12.5"},
		{"[Red]0.00", "12.5", "12.5"},
		{`0.00\d`, "12.5", "12.5"},
		{`#,##0.00\ _D_M`, "12.5", "12.5"},
		{"#,##0.00*d", "12.5", "12.5"},
	} {
		w := workbook{formats: []string{"0", tt.code}}
		if got := w.displayText(tt.text, "1"); got != tt.want {
			t.Errorf("%q in the format %q is shown as %q, want %q", tt.text, tt.code, got, tt.want)
		}
	}
	w := workbook{formats: []string{"0000"}}
	for style, want := range map[string]string{"0": "0007", "1": "7", "-1": "7", "": "7", "x": "7"} {
		if got := w.displayText("7", style); got != want {
			t.Errorf("7 in the style %q of one is shown as %q, want %q", style, got, want)
		}
	}
	for id, want := range map[string]string{"0": "", "13": "", "14": "yyyy-mm-dd", "17": "yyyy-mm-dd", "18": "", "21": "", "22": "yyyy-mm-dd", "23": "", "164": "000", "x": ""} {
		if got := formatOf(id, map[string]string{"164": "000"}); got != want {
			t.Errorf("the format %q is %q, want %q", id, got, want)
		}
	}
}

// TestReferences: letters count columns from A, Z comes before AA, and a block is of several rows.
func TestReferences(t *testing.T) {
	t.Parallel()
	for ref, want := range map[string][2]int{
		"A1": {0, 1}, "Z9": {25, 9}, "AA10": {26, 10}, "AZ1": {51, 1}, "BA1": {52, 1}, "ZZ1": {701, 1}, "AAA1": {702, 1}, "SF3": {499, 3}, "": {-1, 0}, "7": {-1, 7}, "a1": {-1, 0}, "A": {0, 0},
		"A1048576": {0, 1048576}, "A99999999999": {0, 0}, "A-1": {0, 0},
	} {
		if c, r := column(ref), rowOf(ref); c != want[0] || r != want[1] {
			t.Errorf("%q is column %d and row %d, want %d and %d", ref, c, r, want[0], want[1])
		}
	}
	for ref, want := range map[string]block{"B2:B5": {1, 2, 5}, "B2:D3": {1, 2, 3}, "A1:A2": {0, 1, 2}} {
		if got, ok := blockOf(ref); got != want || !ok {
			t.Errorf("blockOf(%q) = %+v, %t; want %+v", ref, got, ok, want)
		}
	}
	for _, ref := range []string{"", "B2", "B2:D2", "B5:B2", "2:5", "SG1:SG2", "B0:B2", "nonsense"} {
		if got, ok := blockOf(ref); ok {
			t.Errorf("blockOf(%q) = %+v, want none of several rows", ref, got)
		}
	}
}

// TestDecodeRK: a number in four bytes is an integer of 30 bits or the head of a float, either
// of which may be in hundredths, as [MS-XLS] 2.5.218 has it.
func TestDecodeRK(t *testing.T) {
	t.Parallel()
	head := func(v float64) uint32 { return uint32(math.Float64bits(v)>>32) &^ 3 }
	for _, tt := range []struct {
		rk   uint32
		want float64
	}{
		{head(1), 1}, {head(-2.5), -2.5}, {head(100) | 1, 1}, {2, 0}, {1<<2 | 2, 1}, {123<<2 | 3, 1.23}, {0xFFFFFFFE, -1}, {0xFFFFFFFF, -0.01}, {0x7FFFFFFE, 1<<29 - 1}, {0x80000002, -1 << 29}, {0, 0},
	} {
		if got := decodeRK(tt.rk); got != tt.want {
			t.Errorf("decodeRK(%#08x) = %g, want %g", tt.rk, got, tt.want)
		}
	}
}

// le writes numbers little endian, those that are given as int in two bytes.
func le(values ...any) []byte {
	var out []byte
	for _, v := range values {
		switch v := v.(type) {
		case int:
			out = binary.LittleEndian.AppendUint16(out, uint16(v))
		case string:
			out = append(out, v...)
		default:
			out, _ = binary.Append(out, binary.LittleEndian, v)
		}
	}
	return out
}

// TestCells: what each record of a sheet puts where; one that is too short puts nothing.
func TestCells(t *testing.T) {
	t.Parallel()
	const half = 0x3FE00000 // the head of 0.5
	for rule, tt := range map[string]struct {
		kind int
		data []byte
		want string
	}{
		"a shared text":                 {recordSharedText, le(1, 2, 0, uint32(1)), "1,2 two"},
		"a shared text that is none":    {recordSharedText, le(1, 2, 0, uint32(2)), ""},
		"a text of narrow characters":   {recordText, le(1, 2, 0, 3, "\x00", "a\xb5b"), "1,2 aµb"},
		"a text of wide characters":     {recordText, le(1, 2, 0, 2, "\x01", 0x3A9, int('k')), "1,2 Ωk"},
		"a number":                      {recordNumber, le(1, 2, 0, 0.25), "1,2 0.25"},
		"a number that is shown padded": {recordNumber, le(1, 2, 1, 7.0), "1,2 0007"},
		"no number":                     {recordNumber, le(1, 2, 0, math.NaN()), ""},
		"infinity":                      {recordNumber, le(1, 2, 0, math.Inf(1)), ""},
		"a short number":                {recordRK, le(1, 2, 0, uint32(half)), "1,2 0.5"},
		"several":                       {recordNumbers, le(1, 2, 0, uint32(half), 1, uint32(7<<2|2), 3), "1,2 0.5; 1,3 0007"},
		"what a formula gave":           {recordFormula, le(1, 2, 0, 1.5, 0, uint32(0), 0), "1,2 1.5"},
		"a formula of text":             {recordFormula, le(1, 2, 0, "\x00\x00\x00\x00\x00\x00\xff\xff", 0, uint32(0)), ""},
		"a column that no tool writes":  {recordNumber, le(1, 500, 0, 1.0), ""},
		"the last that is read":         {recordNumber, le(1, 499, 0, 1.0), "1,499 1"},
		"nothing":                       {recordNumber, nil, ""},
		"a cut number":                  {recordNumber, le(1, 2, 0, uint32(1)), ""},
		"a cut short number":            {recordRK, le(1, 2, 0, 1), ""},
		"a cut shared text":             {recordSharedText, le(1, 2, 0, 1), ""},
		"a cut text":                    {recordText, le(1, 2, 0, 3), ""},
		"a text shorter than it says":   {recordText, le(1, 2, 0, 300, "\x00", "abc"), "1,2 abc"},
		"an unknown record":             {0x7777, le(1, 2, 0, 1.0), ""},
	} {
		g := &grid{book: &binaryBook{workbook: workbook{strings: []string{"one", "two"}, formats: []string{"", "0000"}}}, rows: map[int]*Row{}}
		g.record(tt.kind, tt.data)
		if got := textOf(g); got != tt.want {
			t.Errorf("%s: record %#x of % x gives %q, want %q", rule, tt.kind, tt.data, got, tt.want)
		}
	}
}

// textOf are the cells of a grid's second row, which is the one that the records name.
func textOf(g *grid) (out string) {
	for n, r := range g.rows {
		for k, c := range r.Cells {
			if c != "" {
				if out != "" {
					out += "; "
				}
				out += fmt.Sprintf("%d,%d %s", n, k, c)
			}
		}
	}
	return out
}

// TestRecordsBetweenCells: the text of a formula comes in a record of its own; rows are hidden
// and cells merged by others.
func TestRecordsBetweenCells(t *testing.T) {
	t.Parallel()
	g := &grid{book: &binaryBook{}, rows: map[int]*Row{}}
	g.record(recordFormula, le(4, 1, 0, "\x00\x00\x00\x00\x00\x00\xff\xff", 0, uint32(0)))
	g.record(recordResult, le(5, "\x00", "LM358"))
	g.record(recordRow, le(4, 0, 2, 255, 0, 0, 0x20, 0))
	g.record(recordRow, le(5, 0, 2, 255, 0, 0, 0x00, 0))
	g.record(recordMerged, le(3, 4, 6, 1, 1, 2, 2, 1, 3, 9))
	if d := cmp.Diff([]block{{1, 5, 7}}, g.merged, cmp.AllowUnexported(block{})); d != "" {
		t.Errorf("a block of three rows, one of one row and one that is cut (-want +got)\n%s", d)
	}
	if got := textOf(g); got != "4,1 LM358" || !g.rows[4].Hidden || g.rows[5] != nil {
		t.Errorf("the formula's text is shown as %q, its row hidden %t; want %q, true", got, g.rows[4].Hidden, "4,1 LM358")
	}
}

// TestRecords: a stream is cut into records, and what continues one belongs to it.
func TestRecords(t *testing.T) {
	t.Parallel()
	rec := func(kind int, data string) string { return string(le(kind, len(data), data)) }
	for rule, tt := range map[string]struct{ stream, want string }{
		"nothing":                         {"", ""},
		"less than a head":                {"\x01\x02\x03", ""},
		"two":                             {rec(1, "a") + rec(2, "bc"), "1:a 2:bc"},
		"one that goes on twice":          {rec(1, "a") + rec(recordContinue, "b") + rec(recordContinue, "c") + rec(2, ""), "1:a+b+c 2:"},
		"a continuation of nothing":       {rec(recordContinue, "a") + rec(1, "b"), "60:a 1:b"},
		"one that is longer than is left": {rec(1, "a") + string(le(2, 9, "bc")), "1:a 2:bc"},
		"none behind the one that ends":   {rec(1, "a") + rec(recordEnd, "") + rec(2, "b"), "1:a 10:"},
	} {
		var got []string
		records([]byte(tt.stream), func(r record) bool {
			var parts []string
			for _, p := range r.parts {
				parts = append(parts, string(p))
			}
			got = append(got, fmt.Sprintf("%d:%s", r.kind, strings.Join(parts, "+")))
			return r.kind != recordEnd
		})
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: % x holds %q, want %q", rule, tt.stream, s, tt.want)
		}
	}
}

// TestSharedStrings: texts of the table that cells share, with what may stand behind each and
// with pieces that begin anew in the midst of one, where their first byte says how wide they are.
func TestSharedStrings(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct {
		parts [][]byte
		want  []string
	}{
		"narrow and wide":                     {[][]byte{le(uint32(9), uint32(2), 2, "\x00", "ab", 1, "\x01", 0x3A9)}, []string{"ab", "Ω"}},
		"runs of formats are passed over":     {[][]byte{le(uint32(9), uint32(2), 2, "\x08", 1, "ab", "....", 1, "\x00", "c")}, []string{"ab", "c"}},
		"phonetic guides are passed over":     {[][]byte{le(uint32(9), uint32(2), 2, "\x04", uint32(3), "ab", "...", 1, "\x00", "c")}, []string{"ab", "c"}},
		"a piece that goes on narrow":         {[][]byte{le(uint32(9), uint32(1), 4, "\x00", "ab"), le("\x00", "cd")}, []string{"abcd"}},
		"a piece that goes on wide":           {[][]byte{le(uint32(9), uint32(1), 4, "\x00", "ab"), le("\x01", 0x3A9, int('c'))}, []string{"abΩc"}},
		"a piece between two texts":           {[][]byte{le(uint32(9), uint32(2), 2, "\x00", "ab"), le(1, "\x00", "c")}, []string{"ab", "c"}},
		"a text that is cut is none":          {[][]byte{le(uint32(9), uint32(2), 1, "\x00", "a", 9, "\x00", "b")}, []string{"a"}},
		"fewer than are said":                 {[][]byte{le(uint32(9), uint32(1000), 1, "\x00", "a")}, []string{"a"}},
		"a count that is absurd":              {[][]byte{le(uint32(9), uint32(math.MaxUint32))}, nil},
		"a guide that is longer than is left": {[][]byte{le(uint32(9), uint32(1), 1, "\x04", uint32(math.MaxUint32), "a")}, nil},
		"nothing":                             {[][]byte{nil}, nil},
	} {
		if d := cmp.Diff(tt.want, readSharedStrings(tt.parts)); d != "" {
			t.Errorf("%s (-want +got)\n%s", rule, d)
		}
	}
}
