package pdf

import (
	"bytes"
	"compress/zlib"
	"encoding/ascii85"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plain is a file of one page: its content, its fonts, and further objects.
func plain(content, fonts string, more ...string) []byte {
	return []byte("%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n" +
		"3 0 obj <</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<<" + fonts + ">>/XObject<</X 9 0 R>>>>>> endobj\n" +
		object(4, "", content) + strings.Join(more, "\n") + "\ntrailer <</Root 1 0 R>>\n%%EOF")
}

// object is a stream.
func object(n int, head, body string) string {
	return fmt.Sprintf("%d 0 obj <<%s/Length %d>> stream\n%s\nendstream endobj\n", n, head, len(body), body)
}

const helvetica = "/F <</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"

// deflate packs as PDF files do.
func deflate(data string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write([]byte(data))
	_ = w.Close()
	return b.String()
}

func base85(data string) string {
	var b bytes.Buffer
	w := ascii85.NewEncoder(&b)
	_, _ = w.Write([]byte(data))
	_ = w.Close()
	return b.String() + "~>"
}

// flat is the lines of a file, each as page:words.
func flat(lines []Line) string {
	var out []string
	for _, l := range lines {
		out = append(out, fmt.Sprintf("%d:%s", l.Page, l.Text))
	}
	return strings.Join(out, "\n")
}

// TestRead: the operators that show text, the ways in which letters are told, and where they stand.
func TestRead(t *testing.T) {
	t.Parallel()
	wide := "/F <</Subtype/Type0/Encoding/Identity-H/DescendantFonts[<</DW 600/W[1[700 700] 5 6 300]>>]/ToUnicode 8 0 R>>"
	unicode := object(8, "", "1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfchar <0001> <0046> <0002> <0052> endbfchar "+
		"2 beginbfrange <0005> <0007> <0034> <0009> <000A> [<00B1> <D83DDE00>] endbfrange")
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"a line":                     {plain("BT /F 10 Tf 50 700 Td (FR-4, 1.6 mm) Tj ET", helvetica), "1:FR-4, 1.6 mm"},
		"lines by leading":           {plain("BT /F 10 Tf 12 TL 50 700 Td (one) Tj T* (two) Tj (three) ' 1 1 (four) \" ET", helvetica), "1:one\n1:two\n1:three\n1:four"},
		"lines by moving":            {plain("BT /F 10 Tf 50 700 TD (one) Tj 0 -12 TD (two) Tj T* (three) Tj ET", helvetica), "1:one\n1:two\n1:three"},
		"read from the top":          {plain("BT /F 10 Tf 50 100 Td (last) Tj ET BT /F 10 Tf 50 700 Td (first) Tj ET", helvetica), "1:first\n1:last"},
		"kerning":                    {plain("BT /F 10 Tf 50 700 Td [(FIN) 20 (ISH) -400 (ENIG)] TJ ET", helvetica), "1:FINISH ENIG"},
		"apart":                      {plain("BT /F 10 Tf 50 700 Td (Layers) Tj 60 0 Td (4) Tj 300 0 Td (column) Tj ET", helvetica), "1:Layers\t4\n1:column"},
		"turned":                     {plain("BT /F 10 Tf 0 1 -1 0 300 100 Tm (up) Tj ET BT /F 10 Tf 0 -1 1 0 320 400 Tm (down) Tj ET BT /F 10 Tf -1 0 0 -1 300 400 Tm (over) Tj ET", helvetica), "1:up\n1:over\n1:down"},
		"moved by the page":          {plain("q 2 0 0 2 60 0 cm BT /F 5 Tf 0 300 Td (large) Tj ET Q BT /F 10 Tf 0 600 Td (left) Tj ET", helvetica), "1:left\tlarge"},
		"raised, spaced, stretched":  {plain("BT /F 10 Tf 2 Tc 3 Tw 150 Tz 1 Ts 50 700 Td (a b) Tj ET", helvetica), "1:a b"},
		"strings in hexadecimal":     {plain("BT /F 10 Tf 50 700 Td <46522D3 4> Tj ET", helvetica), "1:FR-4"},
		"escapes":                    {plain(`BT /F 10 Tf 50 700 Td (\(1\) \251 a\`+"\n"+`b \\ \061\62x) Tj ET`, helvetica), `1:(1) © ab \ 12x`},
		"letters of Windows":         {plain("BT /F 10 Tf 50 700 Td (1.6 \xb1 10 %, 35 \xb5m) Tj ET", helvetica), "1:1.6 ± 10 %, 35 µm"},
		"letters of the Macintosh":   {plain("BT /F 10 Tf 50 700 Td (\xb1\xb5) Tj ET", "/F <</Encoding/MacRomanEncoding>>"), "1:±µ"},
		"letters by name":            {plain("BT /F 10 Tf 50 700 Td (\x01\x02\x03\x04\x05) Tj ET", "/F <</Encoding<</Differences[1/F/R/hyphen/four/uni03A9]>>>>"), "1:FR-4Ω"},
		"letters by table":           {plain("BT /F 10 Tf 50 700 Td <00010002000500060009000A> Tj ET", wide, unicode), "1:FR45±😀"},
		"letters without a table":    {plain("BT /F 10 Tf 50 700 Td <00010002> Tj ET", "/F <</Subtype/Type0>>"), ""},
		"a font that is drawn":       {plain("BT /F 10 Tf 50 700 Td (A) Tj (B) Tj ET", "/F <</Subtype/Type3/FontMatrix[.01 0 0 .01 0 0]/FirstChar 65/Widths[60 60]>>"), "1:AB"},
		"bold by drawing twice":      {plain("BT /F 10 Tf 50 700 Td (ENIG) Tj 0.3 0 Td (ENIG) Tj ET", helvetica), "1:ENIG"},
		"a form":                     {plain("q 1 0 0 1 0 100 cm /X Do Q", helvetica, object(9, "/Subtype/Form/Matrix[1 0 0 1 5 0]", "BT /F 10 Tf 50 600 Td (in a form) Tj ET")), "1:in a form"},
		"a picture":                  {plain("/X Do BI /W 2 /H 2 ID (Tj ET \x80 EI BT /F 10 Tf 50 600 Td (after) Tj ET", helvetica, object(9, "/Subtype/Image", "(x) Tj")), "1:after"},
		"packed":                     {plain("", helvetica, object(4, "/Filter/FlateDecode", deflate("BT /F 10 Tf 50 700 Td (packed) Tj ET"))), "1:packed"},
		"packed twice":               {plain("", helvetica, object(4, "/Filter[/ASCII85Decode/FlateDecode]", base85(deflate("BT /F 10 Tf 50 700 Td (twice) Tj ET")))), "1:twice"},
		"packed in hexadecimal":      {plain("", helvetica, object(4, "/Filter/ASCIIHexDecode", fmt.Sprintf("%X>", "BT /F 10 Tf 50 700 Td (hex) Tj ET"))), "1:hex"},
		"packed as nobody knows":     {plain("", helvetica, object(4, "/Filter/JBIG2Decode", "BT /F 10 Tf 50 700 Td (x) Tj ET")), ""},
		"a wrong length":             {bytes.Replace(plain("BT /F 10 Tf 50 700 Td (long) Tj ET", helvetica), []byte("/Length 34"), []byte("/Length 3"), 1), "1:long"},
		"a length of its own object": {plain("", helvetica, "4 0 obj <</Length 7 0 R>> stream\nBT /F 10 Tf 50 700 Td (own) Tj ET\nendstream endobj\n7 0 obj 34 endobj"), "1:own"},
		"saved again":                {plain("BT /F 10 Tf 50 700 Td (old) Tj ET", helvetica, object(4, "", "BT /F 10 Tf 50 700 Td (new) Tj ET")), "1:new"},
		"objects in a stream": {[]byte("%PDF-1.5\n" + object(4, "", "BT /F 10 Tf 50 700 Td (packed objects) Tj ET") +
			object(5, "/Type/ObjStm/N 3/First 15/Filter/FlateDecode", deflate("1 0 2 30 3 61  <</Type/Catalog/Pages 2 0 R>> <</Type/Pages/Kids[3 0 R]>>    <</Contents[4 0 R]/Resources<</Font<<"+helvetica+">>>>>>"))), "1:packed objects"},
		"no page":   {[]byte("%PDF-1.4\n1 0 obj <</Type/Catalog>> endobj"), ""},
		"no object": {[]byte("%PDF-1.4\n"), ""},
	} {
		got, err := Read(c.file)
		if d := cmp.Diff(c.want, flat(got)); err != nil || d != "" {
			t.Errorf("%s: error %v; (-want +got)\n%s\nof %q", name, err, d, c.file)
		}
	}
}

// TestReadOfABrowser: a file as browsers print it, with letters by table and objects packed.
func TestReadOfABrowser(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/notes.pdf")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(data)
	want := "1:FABRICATION NOTES\n1:1. MATERIAL: FR-4, TG 170\n1:2. FINISHED THICKNESS: 1.2 MM ±10 %\n1:3. SURFACE FINISH: ENIG\n1:4. SOLDER MASK: BLUE, BOTH SIDES\n" +
		"1:5. SILKSCREEN: WHITE\n1:6. COPPER: 2 OZ OUTER LAYERS\n1:Layers\t2\n1:Vias\ttented"
	if d := cmp.Diff(want, flat(got)); err != nil || d != "" {
		t.Errorf("error %v; (-want +got)\n%s", err, d)
	}
}

// TestReadIsBounded: what leads to itself, unpacks to much, nests deeply or never ends.
func TestReadIsBounded(t *testing.T) {
	t.Parallel()
	show, huge := "BT /F 10 Tf 50 700 Td (x) Tj ET ", strings.Repeat("9", 300)
	loop := "1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj 2 0 obj <</Kids[2 0 R 3 0 R 3 0 R]>> endobj 3 0 obj <</Kids 4 0 R>> endobj 4 0 obj [2 0 R 3 0 R 4 0 R] endobj 5 0 obj 5 0 R endobj"
	var pages, chain strings.Builder
	for i := range 300 {
		fmt.Fprintf(&pages, "<</Contents 4 0 R>>")
		fmt.Fprintf(&chain, "%d 0 obj <</Length %d 0 R>> stream\nendstream endobj\n", 100+i, 101+i)
	}
	for name, file := range map[string][]byte{
		"pages that hold each other":   []byte(loop),
		"a form that draws itself":     plain(strings.Repeat("/X Do ", 50), helvetica, object(9, "/Subtype/Form", show+strings.Repeat("/X Do ", 50))),
		"a bomb":                       plain("", helvetica, object(4, "/Filter/FlateDecode", deflate(strings.Repeat(" ", 20<<20)))),
		"one content many times":       []byte("1 0 obj <</Type/Catalog/Pages <</Kids[" + pages.String() + "]>>>> endobj\n" + object(4, "/Filter/FlateDecode", deflate(strings.Repeat(show, 40_000)))),
		"arrays within arrays":         plain(strings.Repeat("[", 1<<20), helvetica),
		"dictionaries within others":   []byte("1 0 obj " + strings.Repeat("<</A", 1<<20)),
		"many values":                  []byte("1 0 obj [" + strings.Repeat("0 ", 3<<20)),
		"a string without end":         []byte(strings.Repeat("1 0 obj (", 1<<19)),
		"streams without end":          []byte(strings.Repeat("1 0 obj <<>> stream\n", 1<<18)),
		"lengths that lead on":         []byte(chain.String()),
		"a font of one range":          plain(strings.Repeat("/F 10 Tf ", 1<<16), "/F <</Subtype/Type0/DescendantFonts[<</W[0 1e9 500]>>]>>"),
		"pages within each other":      []byte("1 0 obj <</Type/Catalog/Pages <</Kids 4 0 R>>>> endobj 4 0 obj [" + strings.Repeat("<</Kids 4 0 R>>", 1000) + "] endobj"),
		"objects at one place":         []byte(object(5, "/Type/ObjStm/N 100000/First 1100000/Filter/FlateDecode", deflate(strings.Repeat("7 0 ", 100_000)+strings.Repeat(" ", 700_000)+"("+strings.Repeat("x", 1<<20)))),
		"a font of many ranges":        plain(show, "/F <</Subtype/Type0/DescendantFonts[<</W["+strings.Repeat("0 60000 500 ", 1<<16)+"]>>]>>"),
		"letters told again and again": plain(show, "/F <</ToUnicode 8 0 R>>", object(8, "", strings.Repeat("<0000> <FFFF> <0041> endbfrange ", 1<<15))),
		"letters from here to nowhere": plain(show, "/F <</ToUnicode 8 0 R>>", object(8, "", "1 beginbfrange <0000> <FFFFFFFF> <0041> endbfrange")),
		"operands without operator":    plain(strings.Repeat("1 ", 1<<20), helvetica),
		"numbers beyond all":           plain(strings.ReplaceAll("BT /F 1e308 Tf 1e308 1e308 Td (x) Tj 1e308 0 0 1e308 0 0 Tm (y) Tj ET", "1e308", huge), helvetica),
		"a length beyond all":          plain("", helvetica, "4 0 obj <</Length "+huge+">> stream\n"+show+"endstream endobj"),
		"a first object beyond all":    plain("", helvetica, "8 0 obj <</Type/ObjStm/N 1/First "+huge+"/Length 3>> stream\n9 0\nendstream endobj"),
		"an object beyond all":         plain("", helvetica, object(8, "/Type/ObjStm/N 1/First 30", "9 9223372036854775807         <<>>")),
		"as many objects as never":     plain("", helvetica, object(8, "/Type/ObjStm/N "+huge+"/First 4", "9 0 <<>>")),
		"columns beyond all":           plain("", helvetica, object(4, "/Filter/FlateDecode/DecodeParms<</Predictor "+huge+"/Columns "+huge+">>", deflate(show))),
		"codes beyond all":             plain(show, "/F <</Subtype/Type0/FirstChar "+huge+"/Widths[1 2]/DescendantFonts[<</W["+huge+" "+huge+" 500 "+huge+"[1 2]]>>]/Encoding<</Differences["+huge+"/a]>>>>"),
	} {
		f := open(file)
		p := &painter{file: f, fonts: map[ref]*font{}}
		pages := f.pages()
		for _, d := range pages {
			p.drawPage(d)
		}
		cost := 0
		for _, t := range p.fonts {
			cost = max(cost, t.cost)
		}
		if cost > 2*maxCost || len(pages) > maxPages || len(p.runs) > maxRuns || f.left < -MaxSize || f.values < -1 {
			t.Errorf("%s: a font costs %d, %d pages, %d runs, %d bytes and %d values left; want %d, %d and %d at most, %d and -1 at least", name, cost, len(pages), len(p.runs), f.left, f.values, 2*maxCost, maxPages, maxRuns, -MaxSize)
		}
		if got, err := Read(file); err != nil || len(got) > MaxLines {
			t.Errorf("%s: %d lines, error %v", name, len(got), err)
		}
	}
}

func FuzzRead(f *testing.F) {
	data, err := os.ReadFile("testdata/notes.pdf")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(plain("BT /F 10 Tf 12 TL 50 700 Td [(a) -300 <62>] TJ (c) ' ET q /X Do Q", helvetica, object(9, "/Subtype/Form", "BT /F 10 Tf (d) Tj ET")))
	f.Add(plain("BT /F 10 Tf <0001> Tj ET", "/F <</Subtype/Type0/DescendantFonts[<</W[1[500] 2 9 300]>>]/ToUnicode 8 0 R>>", object(8, "", "1 beginbfrange <0001> <0002> <0041> endbfrange")))
	f.Fuzz(func(t *testing.T, data []byte) {
		lines, err := Read(data)
		if err != nil && lines != nil || len(lines) > MaxLines || slices.ContainsFunc(lines, func(l Line) bool { return l.Page < 1 || l.Page > maxPages || l.Text == "" }) {
			t.Errorf("Read(%q) gives %d lines, error %v; want words on pages, within the bounds", data, len(lines), err)
		}
	})
}
