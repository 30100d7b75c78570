package table_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"boardorder/services/part-sourcing/internal/table"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

func wide(s string, big bool) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return string(out)
}

func must(s string, err error) string {
	if err != nil {
		panic(err)
	}
	return s
}

func flat(sheets []table.Sheet) string {
	var lines []string
	for _, s := range sheets {
		for _, r := range s.Rows {
			lines = append(lines, fmt.Sprintf("%d:%s", r.Line, strings.Join(r.Cells, "|")))
		}
	}
	return strings.Join(lines, "\n")
}

func TestRead(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ file, data, want string }{
		"commas":                     {"a.csv", "A,B\n1,\"x,y\"\n", "1:A|B\n2:1|x,y"},
		"semicolons, decimal commas": {"a.csv", "Ref;X;Y\nR1;1,5;2,5\nR2;3,5;4,5\n", "1:Ref|X|Y\n2:R1|1,5|2,5\n3:R2|3,5|4,5"},
		"lists in cells":             {"a.csv", "Value;Ref\n1k;R1,R2,R3\n2k;R4,R5,R6\n", "1:Value|Ref\n2:1k|R1,R2,R3\n3:2k|R4,R5,R6"},
		"colons":                     {"a.csv", "Ref:Value:Qty\nR1:1k:1\nC1:1u:2\n", "1:Ref|Value|Qty\n2:R1|1k|1\n3:C1|1u|2"},
		"a colon in each cell":       {"a.txt", "Ref Package\nR1 Resistor_SMD:R_0603\nC1 Capacitor_SMD:C_0603\n", "1:Ref|Package\n2:R1|Resistor_SMD:R_0603\n3:C1|Capacitor_SMD:C_0603"},
		"wide commas":                {"a.csv", "位号，值，数量\nR1，1k，1\nC1，1u，2\n", "1:位号|值|数量\n2:R1|1k|1\n3:C1|1u|2"},
		"wide commas in cells":       {"a.csv", "位号,值\nR1，R2,1k\nC1，C2,1u\n", "1:位号|值\n2:R1，R2|1k\n3:C1，C2|1u"},
		"tabs":                       {"a.txt", "A\tB\r\n1\t2\r\n", "1:A|B\n2:1|2"},
		"bars, old Mac":              {"a.txt", "A|B\r1|2\r", "1:A|B\n2:1|2"},
		"Excel's hint":               {"a.csv", "sep=;\nA;B,C\n", "2:A|B,C"},
		"two lines in a cell":        {"a.csv", "A,B\n\"x\ny\",2\nz,3\n", "1:A|B\n2:x\ny|2\n4:z|3"},
		"inches in quotes":           {"a.csv", "A,B\n\"1.8\" LCD, big\",2\n", "1:A|B\n2:1.8\" LCD, big|2"},
		"a quote without an end":     {"a.csv", "A,B\n\"x,1\ny,2\n" + strings.Repeat("z,3\n", 40), "1:A|B\n2:\"x|1\n3:y|2\n" + zs(40)},
		"single quotes":              {"a.csv", "'A','B','C'\n'R1,R2','10k','it''s'\n'R3',' 1k ',''\n", "1:A|B|C\n2:R1,R2|10k|it's\n3:R3|1k|"},
		"single quotes where needed": {"a.csv", "A;B;C\n'R1;R2';10k;5' cable\nR3;'1k' ; x\n", "1:A|B|C\n2:R1;R2|10k|5' cable\n3:R3|1k|x"},
		"a text's mark":              {"a.csv", "A,B,C\nR1,'0603,'100\nR2,'0402,10\n", "1:A|B|C\n2:R1|'0603|'100\n3:R2|'0402|10"},
		"both marks":                 {"a.csv", "A,B\n\"R1,R2\",'10k'\n", "1:A|B\n2:R1,R2|'10k'"},
		"a single mark without end":  {"a.csv", "A,B\n'x',1\n'y,2\nz,'3'\n", "1:A|B\n2:'x'|1\n3:'y|2\n4:z|'3'"},
		"doubled quotes":             {"a.csv", "A,B\n\"say \"\"x\"\"\",2\n", "1:A|B\n2:say \"x\"|2"},
		"aligned columns":            {"a.pos", "# Ref  Val  PosX\nR1   1k   2.5\nR2   \"a b\"  3\n", "1:#|Ref|Val|PosX\n2:R1|1k|2.5\n3:R2|a b|3"},
		"aligned with commas inside": {"a.txt", "Ref  X  Y  Note\nR1  1  2  \"a,b\"\nR2  1  2  c\nR3  1  2  d\n", "1:Ref|X|Y|Note\n2:R1|1|2|a,b\n3:R2|1|2|c\n4:R3|1|2|d"},
		"columns below headings":     {"a.txt", "Partlist\n\nQty Value  Parts      Note\n1          J1, J2     a b\n2   10 k   R1\n", "1:Part|list||\n3:Qty|Value|Parts|Note\n4:1||J1, J2|a b\n5:2|10 k|R1|"},
		"blank lines":                {"a.csv", "\n,,\nA,B\n\n1,2\n", "3:A|B\n5:1|2"},
		"UTF-8 with a mark":          {"a.csv", "\xef\xbb\xbfA,µ\n", "1:A|µ"},
		"UTF-16 LE":                  {"a.csv", "\xff\xfe" + wide("A\t注释\n", false), "1:A|注释"},
		"UTF-16 BE":                  {"a.csv", "\xfe\xff" + wide("A\tB\n", true), "1:A|B"},
		"UTF-16 without a mark":      {"a.csv", wide("Ref\tValue\nR1\t1k\n", false), "1:Ref|Value\n2:R1|1k"},
		"Windows-1252":               {"a.csv", "A,4.7 \xb5F \xb1 10 %\nB,Widerst\xe4nde\n", "1:A|4.7 µF ± 10 %\n2:B|Widerstände"},
		"Shift-JIS":                  {"a.csv", must(japanese.ShiftJIS.NewEncoder().String("部品番号,メーカー\nR1,村田製作所\n")), "1:部品番号|メーカー\n2:R1|村田製作所"},
		"GBK":                        {"a.csv", must(simplifiedchinese.GBK.NewEncoder().String("位号,数量\nR1,注释\n")), "1:位号|数量\n2:R1|注释"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := table.Read(tt.file, []byte(tt.data))
			if d := cmp.Diff(tt.want, flat(got)); d != "" || err != nil {
				t.Errorf("read %s: %v; (-want +got)\n%s", tt.file, err, d)
			}
		})
	}
}

// TestEncodings: lists in the encodings of before Unicode are read as they were
// written, the short ones of a column or two also.
func TestEncodings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		encoding encoding.Encoding
		texts    []string
	}{
		{"Windows-1252", charmap.Windows1252, []string{"Wert,Bauform\n4,7 µF,Widerstände\n", "Repère,Boîtier,Qté\nR1,créé à côté,1\n", "A,Ø 3 mm ±0.1 mm²\n", "A,25 °C × 2\n", "Référence;Désignation\nR1;Résistance 1 kOhm à couche métallique\n", "Ref;Nota\nR1;condensador cerámico ±10 % señal\n"}},
		{"Windows-1250", charmap.Windows1250, []string{"Oznaczenie,Ilość,Wartość\nR1,1,10k\n", "Numer części producenta,Obudowa\nx,rezystor węglowy\n", "Označení,Počet,Hodnota,Výrobce\nR1,1,řada čipů,Číslo dílu žluté\n"}},
		{"Windows-1251", charmap.Windows1251, []string{"Обозначение,Номинал\nR1,10к\n", "Позиционное обозначение;Количество;Корпус\nR1;2;чип 0603 ±5 %\n", "Поз.,Кол.\nR1,1\n"}},
		{"Shift-JIS", japanese.ShiftJIS, []string{"部品番号,員数\nR1,2\n", "リファレンス,型番\nR1,x\n", "実装,抵抗器 10kΩ\n"}},
		{"EUC-JP", japanese.EUCJP, []string{"部品番号,メーカー,備考\nR1,村田製作所,チップ抵抗\n"}},
		{"GB 18030", simplifiedchinese.GB18030, []string{"位号,数量\nR1,1\n", "序号,位号,型号,制造商,备注\n1,R1,x,国巨,不贴\n", "元件位号,封装\nR1，R2,贴片电阻\n"}},
		{"Big5", traditionalchinese.Big5, []string{"項次,位號,數量,型號,製造商\n1,R1,2,x,國巨\n", "零件位置,規格,備註\nR1,貼片電阻,不焊\n"}},
		{"EUC-KR", korean.EUCKR, []string{"번호,참조,수량,값,부품번호,제조사\n1,R1,1,10k,x,삼성전기\n", "부품,수량\n저항,1\n"}},
	} {
		for _, text := range tt.texts {
			data, err := tt.encoding.NewEncoder().String(text)
			if err != nil {
				t.Fatalf("%s %q: %v", tt.name, text, err)
			}
			if got, _ := table.Text([]byte(data)); got != text {
				t.Errorf("%s: %q, want %q", tt.name, got, text)
			}
		}
	}
}

func zs(n int) string {
	var lines []string
	for i := range n {
		lines = append(lines, fmt.Sprintf("%d:z|3", i+4))
	}
	return strings.Join(lines, "\n")
}

// workbook makes an XLSX of one sheet's XML.
func workbook(t testing.TB, sheet string, more ...string) []byte {
	t.Helper()
	return zipFiles(t, append([]string{
		"xl/workbook.xml", `<workbook xmlns:r="r"><sheets><sheet name="BOM" sheetId="1" r:id="rId1"/><sheet name="Hidden" state="hidden" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml", `<worksheet><sheetData>` + sheet + `</sheetData></worksheet>`,
	}, more...)...)
}

func TestXLSX(t *testing.T) {
	t.Parallel()
	shared := `<sst><si><t>Ref</t></si><si><r><t>Ri</t></r><r><t>ch</t></r><rPh><t>no</t></rPh></si></sst>`
	data := workbook(t, `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>`+
		`<row r="2"/><row r="4"><c r="A4"><v>130.93700000000001</v></c><c r="B4" t="inlineStr"><is><t>in</t></is></c><c r="C4" t="str"><f>A1</f><v>calc</v></c>`+
		`<c r="D4" t="e"><v>#REF!</v></c><c r="E4"><v>6.94101308002E+11</v></c><c r="F4" t="s"><v>99</v></c></row>`,
		"xl/sharedStrings.xml", shared)
	got, err := table.Read("a.xlsx", data)
	want := "1:Ref||Rich\n4:130.937|in|calc||694101308002|"
	if d := cmp.Diff(want, flat(got)); err != nil || d != "" || got[0].Name != "BOM" {
		t.Errorf("read a.xlsx: %v, want sheet BOM; (-want +got)\n%s", err, d)
	}
}

// TestXLSXAsItIsShown: numbers with zeros before them and days are read as their
// cells show them; a merged cell is told to the rows below; hidden rows are marked.
func TestXLSXAsItIsShown(t *testing.T) {
	t.Parallel()
	data := workbook(t, `<row r="1"><c r="A1" t="str"><v>Ref</v></c><c r="B1" t="str"><v>MPN</v></c></row>`+
		`<row r="2"><c r="A2" t="str"><v>J1</v></c><c r="B2" s="1"><v>22232021</v></c></row>`+
		`<row r="3" hidden="1"><c r="A3" t="str"><v>J2</v></c><c r="B3" s="1"/></row>`+
		`<row r="4"><c r="A4" t="str"><v>J3</v></c></row>`+
		`<row r="5"><c r="A5" t="str"><v>U1</v></c><c r="B5" s="2"><v>45361</v></c></row>`+
		`<row r="6"><c r="A6" t="str"><v>U2</v></c><c r="B6" s="3"><v>45361</v></c><c r="C6" s="4"><v>12.50</v></c><c r="D6" s="99"><v>7</v></c></row>`+
		`</sheetData><mergeCells><mergeCell ref="B2:B4"/><mergeCell ref="A1:B1"/><mergeCell ref="B900:B901"/><mergeCell ref="nonsense"/></mergeCells><sheetData>`,
		"xl/styles.xml", `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="0000000000"/><numFmt numFmtId="165" formatCode="d\-mmm"/><numFmt numFmtId="166" formatCode="0.00&quot; day&quot;"/></numFmts>`+
			`<cellStyleXfs><xf numFmtId="166"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>`)
	got, err := table.Read("a.xlsx", data)
	want := "1:Ref|MPN\n2:J1|0022232021\n3:J2|\n4:J3\n5:U1|2024-03-10\n6:U2|2024-03-10|12.5|7"
	if d := cmp.Diff(want, flat(got)); err != nil || d != "" {
		t.Fatalf("read a.xlsx: %v; (-want +got)\n%s", err, d)
	}
	rows := got[0].Rows
	for i, merged := range []string{"", "", "0022232021", "0022232021", "", ""} {
		if rows[i].Merged[1] != merged || rows[i].Hidden != (i == 2) {
			t.Errorf("line %d: %q is merged, hidden %t; want %q, %t", rows[i].Line, rows[i].Merged[1], rows[i].Hidden, merged, i == 2)
		}
	}
}

// xls is a workbook of Excel 97, made with xlwt 1.3: with a hidden sheet, a merged cell,
// zeros before a number, a day, a hidden row and more texts than one record holds.
func xls(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile("testdata/list.xls")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestXLS(t *testing.T) {
	t.Parallel()
	got, err := table.Read("a.xls", []byte(xls(t)))
	if err != nil || len(got) != 2 || got[0].Name != "Cover" || got[1].Name != "Stückliste" || len(got[1].Rows) != 67 {
		t.Fatalf("%d sheets, %v", len(got), err)
	}
	head := table.Sheet{Rows: got[1].Rows[:7]}
	want := "1:Designator|Qty|Value|Footprint|MPN|Notes\n2:R1,R2|2|10 kΩ|0603|RC0603FR-0710KL\n3:C1|1|0,1 µF 16 V|0402\n4:U1|1||SOIC-8|LM358DR\n5:U2|||SOIC-8\n6:R3|0.25|||22232021\n7:D1||2009-07-06"
	if d := cmp.Diff(want, flat([]table.Sheet{head})); d != "" {
		t.Errorf("the first rows (-want +got)\n%s", d)
	}
	if r := got[1].Rows; r[4].Merged[4] != "LM358DR" || !r[5].Hidden || r[4].Hidden {
		t.Errorf("merged %v, hidden %t, then %t; want LM358DR, false, true", r[4].Merged, r[4].Hidden, r[5].Hidden)
	}
	for i, r := range got[1].Rows[7:] {
		if want := strings.TrimSpace(strings.Repeat(fmt.Sprintf("длинное примечание %d ", i), 5)); r.Cell(6) != want {
			t.Errorf("line %d: %q, want %q", r.Line, r.Cell(6), want)
		}
	}
}

func TestXLSXIsBounded(t *testing.T) {
	t.Parallel()
	bomb := workbook(t, `<row><c><v>1</v></c></row>`, "xl/sharedStrings.xml", "<sst>"+strings.Repeat("<si><t>"+strings.Repeat("x", 1000)+"</t></si>", 20_000)+"</sst>")
	if _, err := table.Read("a.xlsx", bomb); !errors.Is(err, table.ErrDamaged) {
		t.Errorf("20 MB of strings: %v", err)
	}
	long := workbook(t, strings.Repeat(`<row><c t="str"><v>x</v></c></row>`, 30_000))
	sheets, err := table.Read("a.xlsx", long)
	if err != nil || len(sheets[0].Rows) != 20_000 || !sheets[0].Cut {
		t.Errorf("30,000 rows: %v", err)
	}
	wide := workbook(t, strings.Repeat(`<row><c r="SA1" t="str"><v>x</v></c></row>`, 10_000))
	if sheets, err := table.Read("a.xlsx", wide); err != nil || len(sheets[0].Rows) > 1000 || !sheets[0].Cut {
		t.Errorf("10,000 rows of 495 columns: %d, %v", len(sheets[0].Rows), err)
	}
	if sheets, err := table.Read("a.xlsx", workbook(t, `<row><c r="ZZZ1"><v>1</v></c><c r="A1"><v>2</v></c></row>`)); err != nil || len(sheets[0].Rows[0].Cells) != 1 {
		t.Errorf("a far column: %v %v", sheets, err)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	whole := workbook(t, `<row><c><v>1</v></c></row>`)
	old := xls(t)
	second := strings.Index(old, "\x09\x08\x10\x00\x00\x06\x05\x00") + 20 // where the second record begins
	for name, tt := range map[string]struct {
		data string
		want error
	}{
		"a cut old one":   {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest", table.ErrDamaged},
		"of Excel 95":     {strings.Replace(old, wide("Workbook", false)+strings.Repeat("\x00", 48)+"\x12", wide("Book", false)+strings.Repeat("\x00", 56)+"\x0a", 1), table.ErrOldExcel},
		"protected":       {old[:second] + "\x2f\x00" + old[second+2:], table.ErrProtected},
		"an XLSX that is": {strings.Replace(old, wide("Workbook", false)+strings.Repeat("\x00", 48)+"\x12", wide("EncryptedPackage", false)+strings.Repeat("\x00", 32)+"\x22", 1), table.ErrProtected},
		"nothing":         {"", table.ErrNotTable},
		"binary":          {"\x01\x00\x00\x02\x00\x00\x00abc", table.ErrNotTable},
		"a cut workbook":  {string(whole[:len(whole)/2]), table.ErrDamaged},
		"another archive": {string(must2(zipOf("a.txt", "x"))), table.ErrNotTable},
		"broken XML":      {string(workbook(t, `<row><c>`)), table.ErrDamaged},
	} {
		if _, err := table.Read("f", []byte(tt.data)); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
	if s, err := table.Read("a.csv", []byte(strings.Repeat("R1,1k\n", 30_000))); err != nil || len(s[0].Rows) != 20_000 || !s[0].Cut {
		t.Errorf("30,000 lines: %v", err)
	}
}

func zipOf(name, text string) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name)
	if err != nil {
		return nil, err
	}
	io.WriteString(w, text)
	return b.Bytes(), z.Close()
}

func must2(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

func FuzzRead(f *testing.F) {
	f.Add("a.xls", []byte(xls(f)))
	f.Add("a.csv", []byte("Ref;Value\n\"R1\nR2\";1,5\n"))
	f.Add("a.pos", []byte("# Ref Val\nR1 \"1 k\n"))
	f.Add("a.txt", []byte(wide("A\tB\n", true)))
	f.Add("a.xlsx", workbook(f, `<row r="1"><c r="A1" t="s"><v>0</v></c><c t="inlineStr"><is><r><t>a</t></r></is></c></row>`, "xl/sharedStrings.xml", "<sst><si><t>x</t></si></sst>"))
	f.Add("a.ods", ods(f, `<table:table table:name="a">`+odsRow(`table:number-rows-repeated="3"`, "Ref", "4*x", `<table:table-cell office:value-type="float" office:value="1.5"><text:p>1,5</text:p></table:table-cell>`)+`</table:table>`))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		sheets, err := table.Read(name, data)
		if (err == nil) != (len(sheets) > 0) {
			t.Errorf("%d sheets, %v", len(sheets), err)
		}
		for _, s := range sheets {
			if len(s.Rows) == 0 || len(s.Rows) > 20_000 {
				t.Errorf("%d rows, want 1 to 20000", len(s.Rows))
			}
		}
	})
}

// TestSheetOfLines: a sheet that was filled with a text file's lines, each in one
// cell, is divided as the file would be.
func TestSheetOfLines(t *testing.T) {
	t.Parallel()
	cell := func(text string) string {
		return `<row><c t="inlineStr"><is><t>` + text + `</t></is></c></row>`
	}
	data := workbook(t, cell("Units used: mm")+cell("Designator,&quot;Comment&quot;,&quot;Layer&quot;")+cell("D48,&quot;blue, 5 mm&quot;,&quot;BottomLayer&quot;"))
	got, err := table.Read("a.xlsx", data)
	if d := cmp.Diff("1:Units used: mm\n2:Designator|Comment|Layer\n3:D48|blue, 5 mm|BottomLayer", flat(got)); err != nil || d != "" {
		t.Errorf("read a.xlsx: %v; (-want +got)\n%s", err, d)
	}
}
