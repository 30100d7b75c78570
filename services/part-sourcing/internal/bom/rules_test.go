package bom

import (
	"strings"
	"testing"

	"boardorder/services/part-sourcing/internal/part"

	"github.com/google/go-cmp/cmp"
)

// TestCount: pieces as lists write them. A mark before three digits may part thousands or
// decimals: of the two readings the one counts that is the number of designators.
func TestCount(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule, stated string
		refs, want   int
		ok           bool
	}{
		{"digits", "12", 0, 12, true},
		{"nothing", "0", 5, 0, true},
		{"blanks", " 3 ", 0, 3, true},
		{"pieces", "2 pcs.", 0, 2, true},
		{"pieces in German", "2 Stück", 0, 2, true},
		{"pieces in Russian", "2 шт.", 0, 2, true},
		{"pieces in Chinese", "2个", 0, 2, true},
		{"times behind", "2x", 0, 2, true},
		{"times before", "x2", 0, 2, true},
		{"full width digits", "１２", 0, 12, true},
		{"decimals of zero", "4.0", 0, 4, true},
		{"a decimal comma and zero", "4,00", 0, 4, true},
		{"half a piece", "2.5", 0, 0, false},
		{"a thousand or one, of one place", "1,000", 1, 1, true},
		{"a thousand or one, of a thousand places", "1,000", 1000, 1000, true},
		{"a thousand or one, of any other number", "1,000", 2, 1000, false},
		{"a thousand and a quarter is no piece and a quarter", "1,250", 0, 1250, true},
		{"with a point", "1.250", 0, 1250, true},
		{"thousands twice", "12,345", 0, 12345, true},
		{"a million is beyond any board", "1,000,000", 0, 1000000, false},
		{"as many as are read", "100000", 0, 100000, true},
		{"one more", "100001", 0, 0, false},
		{"below none", "-1", 0, 0, false},
		{"a word", "two", 0, 0, false},
		{"a range", "1-2", 0, 0, false},
		{"nothing at all", "", 0, 0, false},
		{"a unit alone", "pcs", 0, 0, false},
		{"ten digits", "1234567890", 0, 0, false},
	} {
		got, ok := count(tt.stated, tt.refs)
		if ok != tt.ok || ok && got != tt.want {
			t.Errorf("%s: count(%q) beside %d designators = %d, %t; want %d, %t", tt.rule, tt.stated, tt.refs, got, ok, tt.want, tt.ok)
		}
	}
}

// TestNumbers: which text is one part number, and which several.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"LM358DR":                        "LM358DR",
		" LM358DR ":                      "LM358DR",
		"'0022232021":                    "0022232021",
		`="0022232021"`:                  "0022232021",
		"LM358DR;LM358DT":                "LM358DR|LM358DT",
		"LM358DR\nLM358DT":               "LM358DR|LM358DT",
		"LM358DR or LM358DT":             "LM358DR|LM358DT",
		"LM358DR oder LM358DT":           "LM358DR|LM358DT",
		"LM358DR 或 LM358DT":              "LM358DR|LM358DT",
		"LM358DR / LM358DT":              "LM358DR|LM358DT",
		"LM358DR | LM358DT":              "LM358DR|LM358DT",
		"LM358DR, LM358DT":               "LM358DR|LM358DT",
		"LM358DR (or LM358DT)":           "LM358DR|LM358DT",
		"LM358DR alt: LM358DT":           "LM358DR|LM358DT",
		"alternative: LM358DT":           "LM358DT",
		"LM358DR (TI) or LM358DT (ST)":   "LM358DR (TI)|LM358DT (ST)",
		"LM358DR or equivalent":          "LM358DR",
		"LM358DR, or similar":            "LM358DR",
		"LM358DR oder gleichwertig":      "LM358DR",
		"LM358DR或同等":                     "LM358DR或同等",
		"CRCW0603 10K, 1 %":              "CRCW0603 10K, 1 %",
		"Header, 2.54 mm":                "Header, 2.54 mm",
		"PMBT3904,215":                   "PMBT3904,215",
		"LM358/NOPB":                     "LM358/NOPB",
		"HT7333-A/SOT89":                 "HT7333-A/SOT89",
		"AO3400A/SI2302":                 "AO3400A/SI2302|AO3400A|SI2302",
		"123456/654321":                  "123456/654321",
		"RC0402FR-0710KL,0402WGF1002TCE": "RC0402FR-0710KL,0402WGF1002TCE|RC0402FR-0710KL|0402WGF1002TCE",
		"":                               "",
	} {
		if got := strings.Join(Numbers(cell), "|"); got != want {
			t.Errorf("Numbers(%q) = %q, want %q", cell, got, want)
		}
	}
	for cell, want := range map[string]string{"LM358DR": "", "AO3400A/SI2302": "AO3400A|SI2302", "LM358DR or LM358DT": "LM358DR|LM358DT", "LM358/NOPB": ""} {
		if got := strings.Join(NumbersOfSeveral(cell), "|"); got != want {
			t.Errorf("NumbersOfSeveral(%q) = %q, want %q", cell, got, want)
		}
	}
}

// TestSpoiled: what spreadsheets make of numbers is told from numbers that look alike.
func TestSpoiled(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]bool{
		"2.2232E+07": true, "6,94E+11": true, "1E+5": true, "#REF!": true, "#N/A": true, "#NAME?": true, "#DIV/0!": true, "#####": true, "8-Mar": true, "12-Dec-24": true, "Mar-08": true, "2024-03-10": true, "=A1": true,
		"=VLOOKUP(A1;B:C;2)": true,
		"1E5":                false, "2E-08": false, "#10": false, "##": false, "8-MAR": false, "2024-13": false, "MAR-08X": false, "74HC00": false, "": false,
	} {
		if got := spoiled.MatchString(number); got != want {
			t.Errorf("%q is spoiled %t, want %t", number, got, want)
		}
	}
}

// TestHeadings: headings in the languages and forms of the tools; explanations are passed over.
func TestHeadings(t *testing.T) {
	t.Parallel()
	for heading, want := range map[string]column{
		"Designator": references, "Ref Des": references, "REF-DES": references, "RefDes(s)": references, "Bauteil": references, "位号": references, "Обозначение": references,
		"Qty": quantity, "Qty.": quantity, "Quantity per PCB": quantity, "Anzahl": quantity, "Кол.": quantity, "Value": value, "Comment": value, "Wert": value, "阻值": value,
		"Footprint": footprint, "Boîtier": footprint, "封装": footprint, "MPN": partNumber, "Mfr. Part No.": partNumber, "Manufacturer's Part Number": partNumber, "制造商型号": partNumber, "MPN 2": alternateNumber,
		"Part Number": anyNumber, "型号": anyNumber, "Manufacturer": manufacturer, "Hersteller": manufacturer, "Manufacturer/MPN": makerAndNumber, "LCSC Part #": fabCode, "LCSC Part #（optional）": fabCode, "JLCPCB Part": fabCode, "JLCPCB P/N": fabCode,
		"Digi-Key Part Number": distributorCode, "Mouser": distributorCode, "distributor_a": distributorCode, "Distributor Z": distributorCode, "Description": description, "DNP": leftOut, "DNP?": leftOut, "Fitted?": fitted,
		"Supplier": supplier, "distributor_1": supplier, "Supplier Part": supplierNumber, "Unit": unit, "Tolerance": rated, "Mid X": positionX, "Pos Y": positionY, "Notes": noteColumn, "#": noteColumn, " # ": noteColumn, "Unit price": noteColumn,
		"Comment 注释": value, "位号 Designator": references, "Reference Designator, RefDes (Part reference in the electronic scheme)": references,
		"": other, "Colour": other, "distributor_27": other, "Value of the whole order in words and without any explanation": other, strings.Repeat("x", 61): other,
	} {
		if got := columnOf(heading); got != want {
			t.Errorf("columnOf(%q) = %d, want %d", heading, got, want)
		}
	}
}

// TestFabCode: a code of the fabricator's library stands alone, among words or in a link.
func TestFabCode(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"C25804": "C25804", "c25804": "C25804", " C25804 ": "C25804", "LCSC C25804": "C25804", "https://lcsc.com/product-detail/x_C84256.html": "C84256", "C1": "C1", "C123456789": "C123456789",
		"C1234567890": "", "C1005X5R0J225K": "", "RC0603": "", "C": "", "25804": "", "": "",
	} {
		if got := fabCodeIn(cell); got != want {
			t.Errorf("fabCodeIn(%q) = %q, want %q", cell, got, want)
		}
	}
}

// TestSuppliers: a number is filed by whose it is; of a supplier that nobody asks it is kept as
// a field.
func TestSuppliers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule, name, number string
		want               Line
	}{
		{"nothing", "", "", Line{}},
		{"DigiKey", "Digi-Key", "296-1-ND", Line{Codes: part.Codes{{Scheme: part.DigiKey, Number: "296-1-ND"}}}},
		{"DigiKey in short", "DK", "296-1-ND", Line{Codes: part.Codes{{Scheme: part.DigiKey, Number: "296-1-ND"}}}},
		{"Mouser with more words", "Mouser Electronics", "595-LM358DR", Line{Codes: part.Codes{{Scheme: part.Mouser, Number: "595-LM358DR"}}}},
		{"a link is no number", "Mouser", "https://mouser.example/595-LM358DR", Line{}},
		{"no number", "Mouser", "n/a", Line{}},
		{"the first line of two", "Mouser", "595-LM358DR\n595-LM358DT", Line{Codes: part.Codes{{Scheme: part.Mouser, Number: "595-LM358DR"}}}},
		{"longer than any number", "Mouser", strings.Repeat("5", 61), Line{}},
		{"the library's", "LCSC", "C25804", Line{FabCode: "C25804"}},
		{"the library's by its form", "", "C25804", Line{FabCode: "C25804"}},
		{"the library's, no code", "LCSC", "ABC", Line{}},
		{"another supplier's", "Farnell", "2112345", Line{Fields: map[string]string{"supplier": "Farnell", "supplier_number": "2112345"}}},
		{"another supplier's name alone", "Farnell", "", Line{Fields: map[string]string{"supplier": "Farnell"}}},
		{"nobody's", "", "2112345", Line{Fields: map[string]string{"supplier_number": "2112345"}}},
	} {
		var got Line
		got.addSupplierNumber(tt.name, tt.number)
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s: %q of %q (-want +got)\n%s", tt.rule, tt.number, tt.name, d)
		}
	}
}

// TestFields: the fields of a design tool's part, which have no order, are filed as the columns
// of a list are.
func TestFields(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct {
		fields map[string]string
		before Line
		want   Line
	}{
		"none": {nil, Line{Value: "10k"}, Line{Value: "10k"}},
		"each kind": {map[string]string{"MPN": "LM358DR", "Manufacturer": "TI", "LCSC": "C25804", "Mouser": "595-LM358DR", "MPN 2": "LM358DT (ST)", "Tolerance": "1%", "Voltage": "16V", "Height": "1.2"}, Line{},
			Line{MPN: "LM358DR", Manufacturer: "TI", FabCode: "C25804", Codes: part.Codes{{Scheme: part.Mouser, Number: "595-LM358DR"}}, Alternates: []Part{{"LM358DT", "ST"}}, Description: "1% 16V", Fields: map[string]string{"Height": "1.2"}}},
		"what the line has stays":             {map[string]string{"MPN": "B1234", "Manufacturer": "B", "LCSC": "C2"}, Line{MPN: "A1234", Manufacturer: "A", FabCode: "C1"}, Line{MPN: "A1234", Manufacturer: "A", FabCode: "C1"}},
		"of two numbers the first by heading": {map[string]string{"Part Number": "B1234", "MPN": "A1234"}, Line{}, Line{MPN: "A1234"}},
		"what says nothing":                   {map[string]string{"MPN": "~", "Manufacturer": "", "Height": " "}, Line{}, Line{}},
		"a supplier and its number":           {map[string]string{"Supplier": "Digi-Key", "Supplier Part": "296-1-ND"}, Line{}, Line{Codes: part.Codes{{Scheme: part.DigiKey, Number: "296-1-ND"}}}},
		"a library's entry is no part number": {map[string]string{"part": "CAP0402"}, Line{}, Line{Fields: map[string]string{"part": "CAP0402"}}},
		"the fabricator's P/N":                {map[string]string{"JLCPCB P/N": "C25804"}, Line{}, Line{FabCode: "C25804"}},
		"codes by a name nobody else has":     {map[string]string{"LCSC_order_code": "C25804"}, Line{}, Line{FabCode: "C25804"}},
		"no code by such a name":              {map[string]string{"LCSC stock": "plenty"}, Line{}, Line{Fields: map[string]string{"LCSC stock": "plenty"}}},
		"a mark not to fit for a number":      {map[string]string{"MPN": "DNP"}, Line{}, Line{DNP: true}},
		"the library's code for a number":     {map[string]string{"MPN": "C25804"}, Line{}, Line{FabCode: "C25804"}},
		"the maker before the number":         {map[string]string{"MPN": "Yageo RC0603FR-0710KL", "Manufacturer": "Yageo"}, Line{}, Line{MPN: "RC0603FR-0710KL", Manufacturer: "Yageo"}},
		"the maker in other letters":          {map[string]string{"MPN": "YAGEO RC0603FR-0710KL", "Manufacturer": "Yageo"}, Line{}, Line{MPN: "RC0603FR-0710KL", Manufacturer: "Yageo"}},
	} {
		got := tt.before
		Fields(&got, tt.fields)
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s: %v (-want +got)\n%s", rule, tt.fields, d)
		}
	}
}

// TestLine: what a line calls its part, and whether that can be bought.
func TestLine(t *testing.T) {
	t.Parallel()
	codes := part.Codes{{Scheme: part.DigiKey, Number: "296-1-ND"}}
	for rule, tt := range map[string]struct {
		line            Line
		exact           bool
		name, described string
	}{
		"nothing":               {Line{}, false, "", ""},
		"a value":               {Line{Value: "10k", Description: "resistor"}, false, "10k", "10k"},
		"a description":         {Line{Description: "resistor"}, false, "", "resistor"},
		"a number":              {Line{MPN: "LM358DR", FabCode: "C1", Codes: codes, Value: "LM358"}, true, "LM358DR", "LM358DR"},
		"a code of the library": {Line{FabCode: "C1", Codes: codes, Value: "LM358"}, true, "C1", "C1"},
		"a distributor's":       {Line{Codes: codes, Value: "LM358"}, true, "296-1-ND", "296-1-ND"},
		"what is disputed":      {Line{Disputed: []string{"A1", "B1"}}, false, "A1 / B1", "A1 / B1"},
	} {
		if e, n, d := tt.line.Exact(), tt.line.Name(), tt.line.NameOrDescription(); e != tt.exact || n != tt.name || d != tt.described {
			t.Errorf("%s: %+v is exact %t, called %q, described %q; want %t, %q, %q", rule, tt.line, e, n, d, tt.exact, tt.name, tt.described)
		}
	}
	line := Line{MPN: "LM358DR", FabCode: "C25804", Codes: codes}
	for number, want := range map[string]bool{"lm358-dr": true, "c25804": true, "2961ND": true, "LM358": false, "": false} {
		if got := line.Names(number); got != want {
			t.Errorf("%+v names %q %t, want %t", line, number, got, want)
		}
	}
}

// TestSettle: words among designators are taken out where the stated number of pieces is that
// of the others, and letters in both cases are one designator where it counts them so.
func TestSettle(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule   string
		refs   string
		stated int
		want   string
		prose  string
	}{
		{"all are designators", "R1 R2", 2, "R1 R2", ""},
		{"words that are not counted", "R5 note ask us", 1, "R5", "note ask us"},
		{"words that may be counted", "R5 note", 2, "R5 note", ""},
		{"no number is stated", "R5 note", 0, "R5 note", ""},
		{"another number is stated", "R5 note", 7, "R5 note", ""},
		{"two cases, counted once", "r1 R1 R2", 2, "r1 R2", ""},
		{"two cases, counted twice", "r1 R1 R2", 3, "r1 R1 R2", ""},
	} {
		l := Line{Refs: strings.Fields(tt.refs)}
		prose := l.Settle(tt.stated)
		if got := strings.Join(l.Refs, " "); got != tt.want || strings.Join(prose, " ") != tt.prose {
			t.Errorf("%s: of %q where %d are stated %q are designators and %q is none, want %q and %q", tt.rule, tt.refs, tt.stated, got, prose, tt.want, tt.prose)
		}
	}
}

// TestTidy: what stands in the wrong place is moved to its own.
func TestTidy(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct{ line, want Line }{
		"nothing":                             {Line{}, Line{}},
		"a value that is empty in words":      {Line{Value: "leer"}, Line{Value: "leer", DNP: true}},
		"a kind for a number":                 {Line{MPN: "Resistor", Value: "10k"}, Line{Value: "10k"}},
		"a placeholder for a number":          {Line{MPN: "T.B.D."}, Line{}},
		"a specification for a number":        {Line{MPN: "any 10k 0603 1%"}, Line{Value: "any 10k 0603 1%"}},
		"a specification beside a value":      {Line{MPN: "CRCW 10k 0603", Value: "10k"}, Line{MPN: "CRCW 10k 0603", Value: "10k"}},
		"a maker and a number for a value":    {Line{Value: "Yageo_RC0603FR-0710KL"}, Line{Value: "Yageo_RC0603FR-0710KL", MPN: "RC0603FR-0710KL", Manufacturer: "Yageo"}},
		"no maker is known of that name":      {Line{Value: "Conn_01x03"}, Line{Value: "Conn_01x03"}},
		"a long code for a number":            {Line{MPN: "C25804", Manufacturer: "Some"}, Line{FabCode: "C25804", Manufacturer: "Some"}},
		"a short code, of a resistor":         {Line{MPN: "C945", Value: "10k", Refs: []string{"R1"}}, Line{FabCode: "C945", Value: "10k", Refs: []string{"R1"}}},
		"a transistor's number":               {Line{MPN: "C945", Refs: []string{"Q1"}}, Line{MPN: "C945", Refs: []string{"Q1"}}},
		"a short code, of a maker":            {Line{MPN: "C9013", Value: "10k", Manufacturer: "Some", Refs: []string{"R1"}}, Line{MPN: "C9013", Value: "10k", Manufacturer: "Some", Refs: []string{"R1"}}},
		"a code beside a code":                {Line{MPN: "C25804", FabCode: "C1"}, Line{MPN: "C25804", FabCode: "C1"}},
		"optional, in Chinese of either kind": {Line{Value: "10k 可選"}, Line{Value: "10k", Optional: true, DNP: true}},
		"longer than words are looked for in": {Line{Value: strings.Repeat("1", 195) + " optional"}, Line{Value: strings.Repeat("1", 195) + " optional"}},
		"a number of its kind":                {Line{MPN: "BAT54S or similar"}, Line{MPN: "BAT54S", Open: true}},
	} {
		got := tt.line
		got.Tidy()
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s: %+v (-want +got)\n%s", rule, tt.line, d)
		}
	}
	for _, tt := range []struct{ value, unit, want string }{
		{"10", "kOhm", "10 kOhm"}, {"4,7", "µF", "4,7 µF"}, {"4.7", "μF", "4.7 μF"}, {"100", "n", "100 n"}, {"10", "Ω", "10 Ω"}, {"10k", "Ohm", "10k"}, {"10", "pcs", "10"}, {"10", "", "10"}, {"10", "M", "10 M"}, {"", "k", ""},
	} {
		l := Line{Value: tt.value}
		if l.measure(tt.unit); l.Value != tt.want {
			t.Errorf("%q in %q is %q, want %q", tt.value, tt.unit, l.Value, tt.want)
		}
	}
	for cell, want := range map[string][2]string{"YAGEO CC0402": {"YAGEO", "CC0402"}, "Texas Instruments LM358DR": {"Texas Instruments", "LM358DR"}, "YAGEO  CC0402": {"YAGEO", "CC0402"}, "CC0402": {"", "CC0402"}} {
		if maker, number := splitMaker(cell); maker != want[0] || number != want[1] {
			t.Errorf("splitMaker(%q) = %q, %q; want %q", cell, maker, number, want)
		}
	}
}
