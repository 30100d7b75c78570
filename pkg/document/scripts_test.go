package document_test

import (
	"fmt"
	"image"
	_ "image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"boardorder/pkg/document"
)

// scripts are names and streets as customers write them.
var scripts = []struct{ name, text string }{
	{"Chinese", "李小龙 北京市朝阳区建国路88号"},
	{"Chinese in Taiwan", "陳筱惠 臺北市信義區信義路五段7號"},
	{"Japanese", "山田 太郎 東京都千代田区丸の内１−９−１ カタカナ"},
	{"Korean", "김민준 서울특별시 강남구 테헤란로 152"},
	{"Cyrillic", "Олександр Їжакевич, Ђорђе Петровић"},
	{"Greek", "Ελένη Παπαδοπούλου, Ἀθῆναι"},
	{"Vietnamese", "Nguyễn Thị Thuỳ Dương, Đường Lê Lợi"},
	{"Polish and Turkish", "Łódź, İstanbul, Ağrı, Çeşme"},
	{"Hebrew", "דוד כהן רחוב הרצל 12 תל אביב"},
	{"Arabic", "محمد عبد الله شارع الملك فهد"},
	{"Persian", "علی رضایی خیابان ولیعصر"},
	{"Thai", "สมชาย ใจดี ถนนสุขุมวิท กรุงเทพฯ"},
	{"Devanagari", "राजेश कुमार श्रीवास्तव नई दिल्ली"},
	{"Bengali", "সুব্রত চট্টোপাধ্যায়"},
	{"Tamil", "முருகன் சென்னை"},
	{"Telugu", "రాజేష్ హైదరాబాద్"},
	{"Kannada", "ರಾಜೇಶ್ ಬೆಂಗಳೂರು"},
	{"Malayalam", "രാജേഷ് കൊച്ചി"},
	{"Gujarati", "રાજેશ અમદાવાદ"},
	{"Punjabi", "ਰਾਜੇਸ਼ ਅੰਮ੍ਰਿਤਸਰ"},
	{"Odia", "ରାଜେଶ ଭୁବନେଶ୍ୱର"},
	{"Sinhala", "රාජේෂ් කොළඹ"},
	{"Georgian", "გიორგი ბერიძე თბილისი"},
	{"Armenian", "Արամ Հակոբյան Երևան"},
	{"Ethiopic", "አበበ ቢቂላ አዲስ አበባ"},
	{"Khmer", "សុខ ភ្នំពេញ"},
	{"Lao", "ສົມສີ ວຽງຈັນ"},
	{"Burmese", "အောင်ဆန်း ရန်ကုန်"},
	{"mixed", "深圳 Bàn 数字 Ltd (株式会社) שלום 12"},
}

func sheet() document.Sheet {
	return document.Open(document.Title{Kind: "Invoice", Name: "INV-1", Order: "BO-1", At: time.Unix(1_800_000_000, 0)})
}

// keep writes a file where a developer looks at it.
func keep(name string, data []byte) {
	if dir := os.Getenv("PICTURES"); dir != "" {
		_ = os.WriteFile(filepath.Join(dir, name), data, 0o600)
	}
}

// TestScripts: a text of each script is found in the document again, in its order.
func TestScripts(t *testing.T) {
	t.Parallel()
	for _, style := range []string{"plain", "bold"} {
		s := sheet()
		for _, one := range scripts {
			if style == "bold" {
				s.Row(one.text, "$1.00", true)
			} else {
				s.Row(one.text, one.name, false)
			}
		}
		pdf, err := s.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		keep("scripts-"+style+".pdf", pdf)
		text := words(t, pdf)
		for _, one := range scripts {
			for _, word := range strings.Fields(one.text) {
				if !strings.Contains(text, word) {
					t.Errorf("%s, %s: not %q in\n%s", one.name, style, word, text)
				}
			}
		}
		if len(pdf) > 400_000 {
			t.Errorf("%s: %d bytes, want 400000 at most", style, len(pdf))
		}
	}
}

// letters are the first two letters of a text that differ.
func letters(text string) (string, string) {
	var first rune
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r) || r == first:
		case first == 0:
			first = r
		default:
			return string(first), string(r)
		}
	}
	return string(first), ""
}

// picture draws the pages of a document, 100 points an inch.
func picture(t *testing.T, pdf []byte) (pages []image.Image) {
	t.Helper()
	tool, err := exec.LookPath("pdftoppm")
	if err != nil {
		t.Skip("needs pdftoppm to draw the document")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.pdf"), pdf, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), tool, "-r", "100", "-gray", "-png", filepath.Join(dir, "a.pdf"), filepath.Join(dir, "p")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "p-*.png"))
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		page, _, err := image.Decode(f)
		_ = f.Close()
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, page)
	}
	return pages
}

// ink is what is drawn in the left of a row of 6 mm: its dark points, as text.
func ink(page image.Image, row int) string {
	at := func(mm int) int { return mm * 1000 / 254 }
	var out strings.Builder
	for y := range at(6) {
		for x := at(20); x < at(60); x++ {
			if r, _, _, _ := page.At(x, at(20+6*row)+y).RGBA(); r < 0x8000 {
				fmt.Fprintf(&out, "%d,%d ", x, y)
			}
		}
	}
	return out.String()
}

// TestScriptsAreSeen: two letters of a script make two pictures. Boxes in their place
// would make one, and so would nothing.
func TestScriptsAreSeen(t *testing.T) {
	t.Parallel()
	s := sheet()
	const rows = 42 // on a page
	for _, one := range scripts {
		a, b := letters(one.text)
		s.Row(a, "", false)
		s.Row(b, "", false)
	}
	s.Row("\u2764", "", false) // no font has it
	pdf, err := s.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	keep("letters.pdf", pdf)
	pages := picture(t, pdf)
	for n, one := range scripts {
		a, b := ink(pages[2*n/rows], 2*n%rows), ink(pages[(2*n+1)/rows], (2*n+1)%rows)
		if len(a) < 40 || len(b) < 40 || a == b {
			x, y := letters(one.text)
			t.Errorf("%s: %s and %s are drawn as %d and %d marks, the same: %v; want 40 at least each, not the same", one.name, x, y, len(a), len(b), a == b)
		}
	}
	if text := words(t, pdf); !strings.Contains(text, "[U+2764]") || !strings.Contains(text, "Unicode number of a character") {
		t.Errorf("a character that no font has, want its number and what that is:\n%s", text)
	}
}

// logical is a word in the order of its letters: the tool gives words as they are seen.
func logical(word string) string {
	letters := []rune(word)
	if unicode.In(letters[0], unicode.Hebrew, unicode.Arabic) {
		slices.Reverse(letters)
	}
	return string(letters)
}

// places says how far from the left the words of a one-line text begin.
func places(t *testing.T, text string) map[string]string {
	t.Helper()
	tool, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("needs pdftotext to read the document back")
	}
	s := sheet()
	s.Row(text, "", false)
	pdf, err := s.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(file, pdf, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), tool, "-bbox", file, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, m := range regexp.MustCompile(`xMin="0*(\d+)\.\d+".*>(.*)</word>`).FindAllStringSubmatch(string(out), -1) {
		found[logical(m[2])] = fmt.Sprintf("%04s", m[1])
	}
	return found
}

// TestDirections: what is read from the right stands so, with its numbers, and what
// stands around it keeps its place.
func TestDirections(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		seen []string // from left to right
	}{
		{"דוד כהן", []string{"כהן", "דוד"}},
		{"רחוב הרצל 12 תל", []string{"תל", "12", "הרצל", "רחוב"}},
		{"Herzl שלום 12", []string{"Herzl", "12", "שלום"}},
		{"Herzl שלום עולם Street 7", []string{"Herzl", "עולם", "שלום", "Street", "7"}},
		{"شارع الملك 15 Tower", []string{"Tower", "15", "الملك", "شارع"}},
		{"For 山田 12", []string{"For", "山田", "12"}},
	} {
		at := places(t, c.text)
		for n := 1; n < len(c.seen); n++ {
			if a, b := at[c.seen[n-1]], at[c.seen[n]]; a == "" || b == "" || a >= b {
				t.Errorf("%q: %q is at %s and %q at %s of %v, want them in this order", c.text, c.seen[n-1], a, c.seen[n], b, at)
			}
		}
	}
}

// TestNothingIsLost: a character that no font has stands as its code, a mark that only
// joins or keeps apart stays, and one that turns the direction goes.
func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	s := sheet()
	s.Notes("a\U0001F600b", "\U00020BB7野家", "❤\ufe0f heart", "می\u200cخواهم", "ab\u202ecd", "e\u0301te\u0301 한글")
	pdf, err := s.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	text := words(t, pdf)
	for _, want := range []string{"a[U+1F600]b", "[U+20BB7]野家", "[U+2764] heart", "ab cd", "été 한글", "Unicode number"} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
	}
	s = sheet()
	s.Notes("李 Łódź")
	if pdf, err = s.Bytes(); err != nil || strings.Contains(words(t, pdf), "Unicode number") {
		t.Errorf("a note on nothing, %v", err)
	}
}

// TestLongTexts: texts of every script break into lines that their column holds.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	s := sheet()
	long := strings.Repeat("深圳市", 90) + " " + strings.Repeat("w", 200) + " " + strings.Repeat("कुमार ", 40) + strings.Repeat("שלום ", 40)
	s.Parties([]string{long}, []string{long})
	s.Row(long, "$1.00", true)
	s.Prose(long)
	pdf, err := s.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	keep("long.pdf", pdf)
	for n, page := range picture(t, pdf) {
		box := page.Bounds()
		for y := range box.Max.Y {
			for x := box.Max.X - 72; x < box.Max.X; x++ { // the right margin, less a little
				if r, _, _, _ := page.At(x, y).RGBA(); r < 0x8000 {
					t.Fatalf("page %d is drawn on at %d, %d of %v", n+1, x, y, box.Max)
				}
			}
		}
	}
}
