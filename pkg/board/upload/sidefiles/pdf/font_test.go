package pdf

import (
	"fmt"
	"strings"
	"testing"
)

// decodeAs reads a font, with its table of letters and further objects, and decodes a string by it.
func decodeAs(font, table string, s text, more ...string) (string, float64) {
	f := open([]byte("7 0 obj <<" + font + "/ToUnicode 8 0 R>> endobj " + object(8, "", table) + strings.Join(more, "")))
	letters, width, _, _ := f.font(ref(7)).decode(s)
	return letters, width
}

// TestEncodings: the letters of fonts of 256, ISO 32000-1, 9.6.6 and annex D.
func TestEncodings(t *testing.T) {
	t.Parallel()
	differ := func(names string) string { return "/Encoding<</Differences[1 " + names + "]>>" }
	for _, c := range []struct {
		about, font string
		in          text
		want        string
	}{
		{"ASCII", "", " !\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~", " !\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~"},
		{"Windows", "/Encoding/WinAnsiEncoding", "\x80\x85\x8a\x91\x92\x93\x94\x95\x96\x97\x99\xb0\xb1\xb5\xbd\xd7\xd8\xdf\xe4\xf6\xfc\xff", "€…Š‘’“”•–—™°±µ½×Øßäöüÿ"},
		{"Windows, blanks and hyphens", "/Encoding/WinAnsiEncoding", "a\xa0b\xadc", "a b-c"},
		{"Windows, not used", "/Encoding/WinAnsiEncoding", "\x7f\x81\x8d\x8f\x90\x9d", "••••••"},
		{"controls show nothing", "/Encoding/WinAnsiEncoding", "a\x00\n\x1fb", "ab"},
		{"Macintosh", "/Encoding/MacRomanEncoding", "\x80\x8a\x8e\x9f\xa1\xa4\xa7\xb1\xb5\xca\xd0\xd2\xd3\xd5\xde", "Ääéü°§ß±µ –“”’ﬁ"},
		{"Macintosh beneath differences", "/Encoding<</BaseEncoding/MacRomanEncoding/Differences[65/B]>>", "A\xa1", "B°"},
		{"differences of Windows", "/Encoding<</Differences[65/B/C 97/degree/plusminus]>>", "ABabc\xb5", "BC°±cµ"},
		{"differences that go on", "/Encoding<</Differences[1/a 2/b/c 9/d]>>", "\x01\x02\x03\x09", "abcd"},
		{"differences out of bounds", "/Encoding<</Differences[-1/x/a 255/b/x]>>", "\x00\xff", "ab"},
		{"an encoding elsewhere", "/Encoding 9 0 R", "A", "Z"},
		{"digits", differ("/zero/one/two/three/four/five/six/seven/eight/nine"), "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a", "0123456789"},
		{"marks", differ("/exclam/quotedbl/numbersign/dollar/percent/ampersand/quotesingle/parenleft/parenright/asterisk/plus/comma/hyphen/period/slash"), "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f", `!"#$%&'()*+,-./`},
		{"more marks", differ("/colon/semicolon/less/equal/greater/question/at/bracketleft/backslash/bracketright/asciicircum/underscore/grave/braceleft/bar/braceright/asciitilde"), "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11", ":;<=>?@[\\]^_`{|}~"},
		{"accents", differ("/Aacute/agrave/Ecircumflex/ntilde/Udieresis/aring/Scaron/ccedilla/zcaron/ydieresis"), "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a", "ÁàÊñÜåŠçžÿ"},
		{"letters of their own", differ("/AE/ae/OE/oe/Oslash/oslash/Lslash/lslash/Eth/eth/Thorn/thorn/germandbls/dotlessi"), "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e", "ÆæŒœØøŁłÐðÞþßı"},
		{"signs", differ("/section/paragraph/copyright/registered/trademark/Euro/sterling/yen/cent/dagger/perthousand/fraction/onequarter/threequarters/twosuperior"), "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f", "§¶©®™€£¥¢†‰⁄¼¾²"},
		{"quotes and dashes", differ("/quoteleft/quoteright/quotedblleft/quotedblright/quotesinglbase/quotedblbase/guillemotleft/guilsinglright/endash/emdash/bullet/ellipsis"), "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c", "‘’“”‚„«›–—•…"},
		{"of drawings", differ("/degree/plusminus/mu/mu1/Omega/Ohm/multiply/lessequal/greaterequal/minus"), "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a", "°±µµΩΩ×≤≥-"},
		{"ligatures", differ("/fi/fl/ff/ffi/ffl/f_f_i/T_h"), "\x01\x02\x03\x04\x05\x06\x07", "fiflffffifflffiTh"},
		{"forms of letters", differ("/a.sc/one.oldstyle/f_i.alt/.notdef"), "\x01\x02\x03\x04", "a1fi"},
		{"names by code", differ("/uni00B0/u00B1/u1F600/uniD7/uniXYZW/g123"), "\x01\x02\x03\x04\x05\x06", "°±😀"},
	} {
		if got, _ := decodeAs(c.font, "", c.in, "9 0 obj <</Differences[65/Z]>> endobj"); got != c.want {
			t.Errorf("%s: %q by %s is %q, want %q", c.about, c.in, c.font, got, c.want)
		}
	}
}

// TestToUnicode: tables from codes to letters (9.10.3).
func TestToUnicode(t *testing.T) {
	t.Parallel()
	var many, list strings.Builder
	for i := range 700 {
		fmt.Fprintf(&many, "<%04X> <%04X> ", i, 0x4E00+i)
		fmt.Fprintf(&list, "<%04X> <%04X> [<%04X>] ", i, i, 0x4E00+i)
	}
	for _, c := range []struct {
		about, table string
		in           text
		want         string
	}{
		{"single codes", "1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfchar <0001> <0046> <0102> <0052> endbfchar", "\x00\x01\x01\x02\x00\x03", "FR"},
		{"several letters", "1 beginbfchar <0001> <006600660069> endbfchar", "\x00\x01", "ffi"},
		{"surrogates", "1 beginbfchar <0001> <D83DDE00> endbfchar", "\x00\x01", "😀"},
		{"half of a pair", "1 beginbfchar <0001> <D83D> endbfchar", "\x00\x01", "\uFFFD"},
		{"ranges", "2 beginbfrange <0005> <0007> <0034> <0100> <0101> <00660041> endbfrange", "\x00\x04\x00\x05\x00\x07\x00\x08\x01\x01", "46fB"},
		{"ranges of surrogates", "1 beginbfrange <0001> <0003> <D83DDE00> endbfrange", "\x00\x03", "😂"},
		{"ranges of lists", "1 beginbfrange <0009> <000B> [<00B1> <D83DDE00> <00410042>] endbfrange", "\x00\x09\x00\x0a\x00\x0b", "±😀AB"},
		{"lists too short", "1 beginbfrange <0009> <000B> [<00B1>] endbfrange", "\x00\x09\x00\x0a", "±"},
		{"ranges the wrong way", "1 beginbfrange <0009> <0003> <0041> endbfrange", "\x00\x05\x00\x09", ""},
		{"what is told last", "1 beginbfchar <0001> <0041> endbfchar 1 beginbfchar <0001> <0042> endbfchar", "\x00\x01", "B"},
		{"odd counts", "1 beginbfchar <0001> <0041> <0002> endbfchar 1 beginbfrange <0003> <0003> endbfrange", "\x00\x01\x00\x02\x00\x03", "A"},
		{"no strings", "2 beginbfchar <0001> /A 2 <0042> <0003> <43> endbfchar 1 beginbfrange 4 5 <0041> endbfrange", "\x00\x01\x00\x02\x00\x03\x00\x04", ""},
		{"more than a list may hold", "700 beginbfchar " + many.String() + "endbfchar", "\x00\x00\x02\xBB", "一\u50BB"},
		{"more ranges than a list may hold", "700 beginbfrange " + list.String() + "endbfrange", "\x00\x00\x02\xBB", "一\u50BB"},
		{"brackets that do not match", ">> ] 1 beginbfchar <0001> <0041> endbfchar", "\x00\x01", "A"},
		{"half a code", "1 beginbfchar <0001> <0041> endbfchar", "\x00\x01\x00", "A"},
		{"letters as long as can be", "1 beginbfchar <0001> <" + strings.Repeat("0041", 16) + "> <0002> <" + strings.Repeat("0041", 17) + "> endbfchar", "\x00\x01\x00\x02", strings.Repeat("A", 16)},
		{"no table", "", "\x00\x41", ""},
	} {
		if got, _ := decodeAs("/Subtype/Type0/Encoding/Identity-H", c.table, c.in); got != c.want {
			t.Errorf("%s: %x is %q, want %q", c.about, string(c.in), got, c.want)
		}
	}
	if got, _ := decodeAs("/Encoding/WinAnsiEncoding", "2 beginbfchar <41> <005A> <0042> <0059> endbfchar", "ABC"); got != "ZYC" {
		t.Errorf("a table for letters of one byte: ABC is %q, want ZYC: it holds before the encoding", got)
	}
}

// TestWidths: how wide letters are, in sizes (9.2.4, 9.6.2, 9.7.4.3).
func TestWidths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		font string
		in   text
		want float64
	}{
		{"/FirstChar 65/Widths[100 200 300]", "ABC", 0.6},
		{"/FirstChar 65/Widths[100]", "AB", 0.6},
		{"/FirstChar 65/Widths[100]/FontDescriptor<</MissingWidth 250>>", "AB", 0.35},
		{"/FirstChar 65/Widths[100 /x 9 0 R]", "ABC", 0.1 + 0.5 + 0.777},
		{"/BaseFont/Courier", "ill", 1.8},
		{"/BaseFont/Helvetica", "fill", 0.944},
		{"/BaseFont/Helvetica", "MMM", 2.499},
		{"/BaseFont/Helvetica-Bold", "fill", 1.167},
		{"/BaseFont/Helvetica", "90\xb0", 1.512},
		{"/BaseFont/Times-Roman", "fill", 1.167},
		{"/BaseFont/Times-Bold", "M ", 1.194},
		{"/BaseFont/Helvetica/FirstChar 65/Widths[100]", "AB", 0.6},
		{"/BaseFont/Unknown", "ab", 1},
		{"/Subtype/Type3/FontMatrix[0.01 0 0 0.01 0 0]/FirstChar 65/Widths[50 60]", "AB", 1.1},
		{"/Subtype/Type3/FontMatrix[0 1 1 0 0 0]/FirstChar 65/Widths[50]", "A", 0.05},
		{"/Subtype/Type0/DescendantFonts[<<>>]", "\x00\x01\x00\x02", 2},
		{"/Subtype/Type0/DescendantFonts[<</DW 600>>]", "\x00\x01\x00\x02", 1.2},
		{"/Subtype/Type0/DescendantFonts[<</DW 600/W[1[700 800] 5 7 300]>>]", "\x00\x01\x00\x02\x00\x05\x00\x07\x00\x08", 0.7 + 0.8 + 0.3 + 0.3 + 0.6},
		{"/Subtype/Type0/DescendantFonts[<</W[1 2]>>]", "\x00\x01", 1},
		{"/Subtype/Type0/DescendantFonts[<</W[1[9 0 R]]>>]", "\x00\x01", 0.777},
		{"/Subtype/Type0", "\x00\x01", 0.5},
	} {
		if _, got := decodeAs(c.font, "", c.in, "9 0 obj 777 endobj"); got < c.want-1e-9 || got > c.want+1e-9 {
			t.Errorf("%s: %q is %v wide, want %v", c.font, c.in, got, c.want)
		}
	}
}

// TestFontIsBounded: what a font may tell, just within its bound and just beyond.
func TestFontIsBounded(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]bool{maxCost - 3: true, maxCost + 1: false} {
		font := fmt.Sprintf("/Subtype/Type0/DescendantFonts[<</W[1 %d 300 1[700]]>>]", n)
		if _, got := decodeAs(font, "", "\x00\x01"); (got > 0.5) != want {
			t.Errorf("behind %d widths the letter is %v wide; want what stands there to count: %t", n, got, want)
		}
	}
	for n, want := range map[int]string{maxTold/2 - 1: "A", maxTold: ""} {
		table := "beginbfchar " + strings.Repeat("<0002><0042>", n) + "<0001><0041> endbfchar"
		if got, _ := decodeAs("/Subtype/Type0", table, "\x00\x01"); got != want {
			t.Errorf("behind %d letters of a list: %q, want %q", n, got, want)
		}
	}
}
