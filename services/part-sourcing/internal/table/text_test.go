package table_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/services/part-sourcing/internal/table"

	"github.com/google/go-cmp/cmp"
)

// TestDelimiters: what separates columns is what most lines agree on; where nothing does, columns
// are aligned with spaces.
func TestDelimiters(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct{ file, data, want string }{
		"exclamation marks":                    {"a.txt", "A!B!C\n1!2!3\n", "1:A|B|C\n2:1|2|3"},
		"circumflexes, three columns at least": {"a.csv", "A^B^C\n1^2^3\n", "1:A|B|C\n2:1|2|3"},
		"tildes":                               {"a.csv", "A~B~C\n1~2~3\n", "1:A|B|C\n2:1|2|3"},
		"wide semicolons":                      {"a.csv", "位号；值；数量\nR1；1k；1\nC1；1u；2\n", "1:位号|值|数量\n2:R1|1k|1\n3:C1|1u|2"},
		"of two that divide as often, the one of more":  {"a.csv", "A;B,C;D\n1;2,3;4\n", "1:A|B,C|D\n2:1|2,3|4"},
		"a title above is no line of the table":         {"a.txt", "Parts of a board\nof two sides\n\nA;B;C\n1;2;3\n4;5;6\n", "1:Parts of a board\n2:of two sides\n4:A|B|C\n5:1|2|3\n6:4|5|6"},
		"a hint of tabs":                                {"a.csv", "sep=\t\nA\tB,C\n1\t2,3\n", "2:A|B,C\n3:1|2,3"},
		"a hint in capitals, with blanks":               {"a.csv", " SEP=| \nA|B;C\n", "2:A|B;C"},
		"a hint of two characters is none":              {"a.csv", "sep=;;\nA;B\n1;2\n", "1:sep=||\n2:A|B\n3:1|2"},
		"one column":                                    {"a.csv", "Ref\nR1\n", "1:Ref\n2:R1"},
		"one column of a CSV may hold spaces":           {"a.csv", "Ref\nR1 to R4,\n", "1:Ref\n2:R1 to R4|"},
		"words of a text are columns":                   {"a.txt", "R1 10k 0603\nR2 1k 0402\n", "1:R1|10k|0603\n2:R2|1k|0402"},
		"a quoted word is one":                          {"a.txt", "R1 \"10 k\" 0603\nR2 1k 0402\n", "1:R1|10 k|0603\n2:R2|1k|0402"},
		"a quote that is not closed is a sign":          {"a.txt", "R1 5\" 0603\nR2 \"1k 0402\n", "1:R1|5\"|0603\n2:R2|\"1k|0402"},
		"tabs beside commas only are no columns":        {"a.csv", "A,B\r\n\"1\"\t,\"2\"\r\n", "1:A|B\n2:1|2"},
		"tabs among the headings are":                   {"a.csv", "A\t,B\t,C\n1\t,2\t,3\n", "1:A|,B|,C\n2:1|,2|,3"},
		"a delimiter in quotes divides nothing":         {"a.csv", "\"A;x\",B\n\"1;y\",2\n", "1:A;x|B\n2:1;y|2"},
		"a blank before a quote":                        {"a.csv", "A, \"B,C\" ,D\n1, \"2,3\" ,4\n", "1:A|B,C|D\n2:1|2,3|4"},
		"rows shorter and longer than the headings":     {"a.csv", "A,B,C\n1\n1,2,3,4\n", "1:A|B|C\n2:1\n3:1|2|3|4"},
		"the last line without an end":                  {"a.csv", "A,B\n1,2", "1:A|B\n2:1|2"},
		"a quoted cell at the end of the file":          {"a.csv", "A,B\n1,\"2\"", "1:A|B\n2:1|2"},
		"thirty lines in a cell":                        {"a.csv", "A,B\n\"" + strings.Repeat("x\n", 30) + "\",2\nz,3\n", "1:A|B\n2:" + strings.TrimSpace(strings.Repeat("x\n", 30)) + "|2\n33:z|3"},
		"entities of HTML":                              {"a.csv", "A,B\n10k&Omega; &amp; more,&#177;5 %\n", "1:A|B\n2:10kΩ & more|±5 %"},
		"what is no entity":                             {"a.csv", "A,B\nR&D;x,&nonsense;\n", "1:A|B\n2:R&D;x|&nonsense;"},
		"spaces that do not break, narrow and wide":     {"a.csv", "A,B\n1\u00a0k,\u30002\u202fµF\u2009\n", "1:A|B\n2:1 k|2 µF"},
		"marks that change the direction are taken out": {"a.csv", "A,B\nR\u202e1,\u200f2\n", "1:A|B\n2:R1|2"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			got, err := table.Read(tt.file, []byte(tt.data))
			if d := cmp.Diff(tt.want, flat(got)); d != "" || err != nil {
				t.Errorf("Read(%q, %q): %v, (-want +got)\n%s", tt.file, tt.data, err, d)
			}
		})
	}
}

// TestLongText: of a text that is longer than is read, the last line that is read is a whole
// one; a letter that the end would cut through does not change how the rest is read.
func TestLongText(t *testing.T) {
	t.Parallel()
	const most = 8 << 20
	line := "R1,4.7 µF\n" // of 11 bytes
	for rule, tt := range map[string]struct {
		text string
		want int // bytes
		cut  bool
	}{
		"as long as is read": {strings.Repeat("x", most-1) + "\n", most, false},
		"longer, by lines":   {strings.Repeat(line, most/len(line)+2), most / len(line) * len(line), true},
		"of old Macs":        {strings.Repeat(strings.ReplaceAll(line, "\n", "\r"), most/len(line)+2), most / len(line) * len(line), true},
		"a single line":      {strings.Repeat("x", most+1), most, true},
	} {
		got, cut := table.Text([]byte(tt.text))
		end := got[max(0, len(got)-len(line)):]
		if len(got) != tt.want || cut != tt.cut || !strings.HasPrefix(strings.ReplaceAll(tt.text[:64], "\r", "\n"), got[:64]) {
			t.Errorf("%s: of %d bytes %d are read that end in %q, cut %t; want %d, cut %t", rule, len(tt.text), len(got), end, cut, tt.want, tt.cut)
		}
	}
}

// TestColumnHolds: more than half of the first cells that are filled decide.
func TestColumnHolds(t *testing.T) {
	t.Parallel()
	is := func(cell string) bool { return cell == "x" }
	column := func(cells string) (rows []table.Row) {
		for _, c := range strings.Split(cells, "") {
			rows = append(rows, table.Row{Cells: []string{"other", strings.Trim(c, "_")}})
		}
		return rows
	}
	for cells, want := range map[string]bool{
		"x": true, "xo": false, "xxo": true, "x_": true, "____x": true, "_": false, "o": false, "oxx": true, "ooxx": false,
		strings.Repeat("x", 31) + strings.Repeat("o", 29) + strings.Repeat("o", 50): true, // of the first sixty
		strings.Repeat("x", 30) + strings.Repeat("o", 30) + strings.Repeat("x", 50): false,
	} {
		if got := table.ColumnHolds(column(cells), 1, is); got != want {
			t.Errorf("ColumnHolds of %q = %t, want %t", cells, got, want)
		}
	}
	if table.ColumnHolds(column("xxx"), 7, is) || table.ColumnHolds(column("xxx"), -1, is) {
		t.Error("a column that no row has holds something, want nothing")
	}
}

// TestPlain: what headings are compared by.
func TestPlain(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "Ref. Des": "refdes", " MPN ": "mpn", "Qty/Board (2)": "qtyboard2", "Stück": "stück", "位号 #": "位号", "—": "", "Ω": "ω"} {
		if got := table.Plain(text); got != want {
			t.Errorf("Plain(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestSheets: which sheets of a workbook are read, wherever its parts lie.
func TestSheets(t *testing.T) {
	t.Parallel()
	const sheet = `<worksheet><sheetData><row r="3"><c r="B3" t="str"><v>x</v></c></row></sheetData></worksheet>`
	book := func(sheets string) string {
		return `<workbook xmlns:r="r"><sheets>` + sheets + `</sheets></workbook>`
	}
	rels := func(target string) string {
		return `<Relationships><Relationship Id="a" Target="` + target + `"/><Relationship Id="gone" Target="worksheets/none.xml"/></Relationships>`
	}
	for rule, tt := range map[string]struct {
		files []string
		want  string // sheets
	}{
		"beside the workbook":       {[]string{"xl/workbook.xml", book(`<sheet name="A" r:id="a"/>`), "xl/_rels/workbook.xml.rels", rels("worksheets/s.xml"), "xl/worksheets/s.xml", sheet}, "A 3:|x"},
		"from the root":             {[]string{"xl/workbook.xml", book(`<sheet name="A" r:id="a"/>`), "xl/_rels/workbook.xml.rels", rels("/xl/worksheets/s.xml"), "xl/worksheets/s.xml", sheet}, "A 3:|x"},
		"above it":                  {[]string{"xl/workbook.xml", book(`<sheet name="A" r:id="a"/>`), "xl/_rels/workbook.xml.rels", rels("../s.xml"), "s.xml", sheet}, "A 3:|x"},
		"names with a slash":        {[]string{"/xl/workbook.xml", book(`<sheet name="A" r:id="a"/>`), "/xl/_rels/workbook.xml.rels", rels("s.xml"), "/xl/s.xml", sheet}, "A 3:|x"},
		"one that is not there":     {[]string{"xl/workbook.xml", book(`<sheet name="G" r:id="gone"/><sheet name="A" r:id="a"/>`), "xl/_rels/workbook.xml.rels", rels("s.xml"), "xl/s.xml", sheet}, "A 3:|x"},
		"hidden ones are not":       {[]string{"xl/workbook.xml", book(`<sheet name="H" state="hidden" r:id="a"/><sheet name="V" state="veryHidden" r:id="a"/><sheet name="A" state="visible" r:id="a"/>`), "xl/_rels/workbook.xml.rels", rels("s.xml"), "xl/s.xml", sheet}, "A 3:|x"},
		"none":                      {[]string{"xl/workbook.xml", book(``)}, "not a table"},
		"blank ones":                {[]string{"xl/workbook.xml", book(`<sheet name="A" r:id="a"/>`), "xl/_rels/workbook.xml.rels", rels("s.xml"), "xl/s.xml", `<worksheet/>`}, "not a table"},
		"broken shared strings":     {[]string{"xl/workbook.xml", book(``), "xl/sharedStrings.xml", "<sst><si>"}, "a damaged spreadsheet"},
		"broken styles":             {[]string{"xl/workbook.xml", book(``), "xl/styles.xml", "<a"}, "a damaged spreadsheet"},
		"broken relations":          {[]string{"xl/workbook.xml", book(``), "xl/_rels/workbook.xml.rels", "<a"}, "a damaged spreadsheet"},
		"a broken workbook":         {[]string{"xl/workbook.xml", "<a"}, "a damaged spreadsheet"},
		"twenty sheets and no more": {[]string{"xl/workbook.xml", book(strings.Repeat(`<sheet name="A" r:id="a"/>`, 21)), "xl/_rels/workbook.xml.rels", rels("s.xml"), "xl/s.xml", sheet}, strings.TrimSpace(strings.Repeat("A 3:|x ", 20))},
	} {
		sheets, err := table.Read("a.xlsx", zipFiles(t, tt.files...))
		var got []string
		for _, s := range sheets {
			got = append(got, s.Name+" "+flat([]table.Sheet{s}))
		}
		if s := strings.Join(got, " "); s != tt.want && (err == nil || !strings.HasPrefix(err.Error(), tt.want)) {
			t.Errorf("%s: %q, %v; want %q", rule, s, err, tt.want)
		}
	}
}

// TestTextInODS: how the text of a cell is read, and which numbers are read by their value.
func TestTextInODS(t *testing.T) {
	t.Parallel()
	cell := func(attributes, text string) string {
		return fmt.Sprintf(`<table:table-cell %s>%s</table:table-cell>`, attributes, text)
	}
	float := func(value, shown string) string {
		return cell(`office:value-type="float" office:value="`+value+`"`, `<text:p>`+shown+`</text:p>`)
	}
	for rule, tt := range map[string]struct{ cell, want string }{
		"paragraphs are lines":               {cell(``, `<text:p>a</text:p><text:p>b</text:p>`), "a\nb"},
		"a break is a line":                  {cell(``, `<text:p>a<text:line-break/>b</text:p>`), "a\nb"},
		"a tab is a blank":                   {cell(``, `<text:p>a<text:tab/>b</text:p>`), "a b"},
		"blanks that are counted":            {cell(``, `<text:p>a<text:s text:c="3"/>b</text:p>`), "a   b"},
		"a blank that is not":                {cell(``, `<text:p>a<text:s/>b</text:p>`), "a b"},
		"what is emphasized is text":         {cell(``, `<text:p>a<text:span>b</text:span></text:p>`), "ab"},
		"white space around paragraphs":      {cell(``, "\n  <text:p>a</text:p>\n  "), "a"},
		"a comment is none":                  {cell(``, `<office:annotation><text:p>n</text:p></office:annotation><text:p>a</text:p>`), "a"},
		"a drawing is none":                  {cell(``, `<draw:frame xmlns:draw="d"><text:p>n</text:p></draw:frame><text:p>a</text:p>`), "a"},
		"a table within is none":             {cell(``, `<text:p>a</text:p><table:table><table:table-row/></table:table>`), "a"},
		"a number in another locale's marks": {float("1234.5", "1.234,5"), "1234.5"},
		"with narrow blanks":                 {float("1234567", "1\u202f234\u202f567"), "1234567"},
		"below zero":                         {float("-4.7", "-4,7"), "-4.7"},
		"with an exponent":                   {float("6.94101308002E+11", "6,94E+11"), "694101308002"},
		"a number shown with a zero before":  {float("603", "0603"), "0603"},
		"a number shown with its unit":       {float("10000", "10 kΩ"), "10 kΩ"},
		"nothing and a fraction":             {float("0.5", "0,5"), "0.5"},
		"none":                               {float("0", "0"), "0"},
		"a number that shows nothing":        {float("7", ""), ""},
		"a percentage is shown":              {cell(`office:value-type="percentage" office:value="0.05"`, `<text:p>5 %</text:p>`), "5 %"},
		"a day is shown":                     {cell(`office:value-type="date" office:date-value="2024-03-10"`, `<text:p>10.03.24</text:p>`), "10.03.24"},
	} {
		got, err := table.Read("a.ods", ods(t, `<table:table>`+odsRow(``, tt.cell, "behind")+`</table:table>`))
		if err != nil || len(got) != 1 || got[0].Rows[0].Cell(0) != tt.want || got[0].Rows[0].Cell(1) != "behind" {
			t.Errorf("%s: %s is %q, %v; want %q", rule, tt.cell, flat(got), err, tt.want)
		}
	}
}
