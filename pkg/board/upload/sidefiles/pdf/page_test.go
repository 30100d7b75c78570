package pdf

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// courier has letters of 0.6 of their size each.
const courier = "/F <</Type/Font/Subtype/Type1/BaseFont/Courier>>"

// paint draws all pages of a file.
func paint(file []byte) *painter {
	p := &painter{file: open(file), fonts: map[ref]*font{}}
	for i, d := range p.file.pages() {
		p.page = i + 1
		p.drawPage(d)
	}
	return p
}

// TestDraw: where text stands, ISO 32000-1, 8.4 and 9.3 to 9.4: letters, x, y, length and size; of
// what is turned, in the direction of reading.
func TestDraw(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ content, want string }{
		"Td adds to where the line began": {"BT /F 10 Tf 50 700 Td (ab) Tj 5 -20 Td (c) Tj ET", "ab 50 700 12 10|c 55 680 6 10"},
		"Tj goes on where the last ended": {"BT /F 10 Tf 50 700 Td (ab) Tj (c) Tj ET", "ab 50 700 12 10|c 62 700 6 10"},
		"TD sets the leading":             {"BT /F 10 Tf 50 700 Td 1 -15 TD (a) Tj T* (b) Tj ET", "a 51 685 6 10|b 51 670 6 10"},
		"T* without leading":              {"BT /F 10 Tf 50 700 Td (a) Tj T* (b) Tj ET", "a 50 700 6 10|b 50 700 6 10"},
		"TL and T*":                       {"BT /F 10 Tf 12 TL 50 700 Td (a) Tj T* T* (b) Tj ET", "a 50 700 6 10|b 50 676 6 10"},
		"' is T* and Tj":                  {"BT /F 10 Tf 12 TL 50 700 Td (a) ' (b) ' ET", "a 50 688 6 10|b 50 676 6 10"},
		"\" sets both spacings":           {"BT /F 10 Tf 12 TL 50 700 Td 4 2 (a b) \" (c d) Tj ET", "a b 50 688 28 10|c d 78 688 28 10"},
		"Tm replaces":                     {"BT /F 10 Tf 50 700 Td 1 0 0 1 20 30 Tm (a) Tj 2 0 0 2 7 8 Tm (b) Tj 1 1 Td (c) Tj ET", "a 20 30 6 10|b 7 8 12 20|c 9 10 12 20"},
		"BT begins anew":                  {"BT /F 10 Tf 50 700 Td (a) Tj ET BT 1 2 Td (b) Tj ET", "a 50 700 6 10|b 1 2 6 10"},
		"the font holds after ET":         {"/F 20 Tf BT 50 700 Td (a) Tj ET BT (b) Tj ET", "a 50 700 12 20|b 0 0 12 20"},
		"TJ moves back in thousandths":    {"BT /F 10 Tf 50 700 Td [(a) 100 (b) -1000 (c)] TJ (d) Tj ET", "a 50 700 6 10|b 55 700 6 10|c 71 700 6 10|d 77 700 6 10"},
		"TJ of numbers alone":             {"BT /F 10 Tf 50 700 Td [-1000] TJ (a) Tj ET", "a 60 700 6 10"},
		"Tc between all letters":          {"BT /F 10 Tf 2 Tc 50 700 Td (a b) Tj (c) Tj ET", "a b 50 700 24 10|c 74 700 8 10"},
		"Tw at blanks":                    {"BT /F 10 Tf 3 Tw 50 700 Td (a b ) Tj (c) Tj ET", "a b  50 700 30 10|c 80 700 6 10"},
		"Tz stretches widths and spacing": {"BT /F 10 Tf 2 Tc 3 Tw 50 Tz 50 700 Td (a b) Tj [1000 (c)] TJ ET", "a b 50 700 13.5 10|c 58.5 700 4 10"},
		"Ts raises":                       {"BT /F 10 Tf 50 700 Td 4 Ts (a) Tj -4 Ts (b) Tj 0 Ts (c) Tj ET", "a 50 704 6 10|b 56 696 6 10|c 62 700 6 10"},
		"q and Q keep what text is like":  {"/F 10 Tf q /F 20 Tf 5 Tc 9 TL 50 Tz BT (a) Tj ET Q BT (b) Tj ET", "a 0 0 8.5 20|b 0 0 6 10"},
		"q within q":                      {"/F 10 Tf q 1 0 0 1 5 5 cm q 2 0 0 2 0 0 cm BT (a) Tj ET Q BT (b) Tj ET Q BT (c) Tj ET", "a 5 5 12 20|b 5 5 6 10|c 0 0 6 10"},
		"Q without q":                     {"Q Q /F 10 Tf BT (a) Tj ET", "a 0 0 6 10"},
		"cm upon cm, the later first":     {"/F 10 Tf 2 0 0 2 10 10 cm 1 0 0 1 3 4 cm BT 1 1 Td (a) Tj ET", "a 18 20 12 20"},
		"upside down and back":            {"/F 10 Tf 1 0 0 -1 0 800 cm BT 1 0 0 -1 50 100 Tm (a) Tj ET", "a 50 700 6 10"},
		"turned to the left":              {"/F 10 Tf BT 0 1 -1 0 300 100 Tm (ab) Tj (c) Tj ET", "ab 100 -300 12 10 turn 1|c 112 -300 6 10 turn 1"},
		"turned over":                     {"/F 10 Tf BT -1 0 0 -1 300 100 Tm (ab) Tj (c) Tj ET", "ab -300 -100 12 10 turn 2|c -288 -100 6 10 turn 2"},
		"turned to the right":             {"/F 10 Tf BT 0 -1 1 0 300 100 Tm (ab) Tj (c) Tj ET", "ab -100 300 12 10 turn 3|c -88 300 6 10 turn 3"},
		"turned by the page and back":     {"/F 10 Tf 0 1 -1 0 0 0 cm BT 0 -1 1 0 7 9 Tm (a) Tj ET", "a -9 7 6 10"},
		"no font":                         {"BT 50 700 Td (a) Tj ET", ""},
		"a font that is not there":        {"BT /G 10 Tf (a) Tj ET", ""},
		"no size":                         {"BT /F 0 Tf (a) Tj ET", ""},
		"operands that are missing":       {"BT Tf Tj TJ ' \" Do /F 10 Tf Td (a) Tj ET", "a 0 0 6 10"},
		"operands of the wrong kind":      {"BT /F 10 Tf 5 Tj /x TJ (a) TJ [/x [(b)]] TJ (x) (y) Td (c) Tj ET", "c 0 0 6 10"},
		"operators that are not known":    {"BX 1 2 3 foo EX /F 10 Tf /OC /MC0 BDC BT (a) Tj ET EMC", "a 0 0 6 10"},
		"a picture amid text":             {"/F 10 Tf BI /W 2 /H 1 ID (\x01 Tj ( EI BT (a) Tj ET", "a 0 0 6 10"},
		"a picture without end":           {"/F 10 Tf BT (a) Tj ET BI /W 2 /H 1 ID BT (b) Tj ET", "a 0 0 6 10"},
		"brackets that do not match":      {"/F 10 Tf ] >> } BT (a) Tj ET ) BT (b) Tj ET", "a 0 0 6 10|b 0 0 6 10"},
		"a comment":                       {"/F 10 Tf % BT (x) Tj ET\nBT (a) Tj ET", "a 0 0 6 10"},
	} {
		var got []string
		for _, r := range paint(plain(c.content, courier)).runs {
			round := func(v float64) float64 { return math.Round(v*1e6)/1e6 + 0 }
			run := fmt.Sprintf("%s %v %v %v %v", r.letters, round(r.x), round(-r.y), round(r.length), round(r.size))
			if r.turn != 0 {
				run += fmt.Sprintf(" turn %d", r.turn)
			}
			got = append(got, run)
		}
		if d := cmp.Diff(c.want, strings.Join(got, "|")); d != "" {
			t.Errorf("%s: %s\n(-want +got)\n%s", name, c.content, d)
		}
	}
}

// TestPages: the tree of pages and what they inherit (7.7.3), contents in parts (7.8.2), and forms
// (8.10).
func TestPages(t *testing.T) {
	t.Parallel()
	const root = "%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n"
	fonts := "/Resources<</Font<<" + courier + ">>>>"
	content := object(10, "", show("a")) + object(11, "", show("b")) + object(12, "", show("c"))
	for name, c := range map[string]struct{ file, want string }{
		"fonts of the root":          {root + "2 0 obj <</Kids[3 0 R]" + fonts + ">> endobj 3 0 obj <</Kids[4 0 R]>> endobj 4 0 obj <</Contents 10 0 R>> endobj " + content, "1:a"},
		"its own fonts":              {root + "2 0 obj <</Kids[3 0 R]/Resources<<>>>> endobj 3 0 obj <</Contents 10 0 R" + fonts + ">> endobj " + content, "1:a"},
		"no fonts of its own":        {root + "2 0 obj <</Kids[3 0 R]" + fonts + ">> endobj 3 0 obj <</Contents 10 0 R/Resources<<>>>> endobj " + content, ""},
		"fonts of a branch":          {root + "2 0 obj <</Kids[3 0 R 5 0 R]>> endobj 3 0 obj <</Kids[4 0 R]" + fonts + ">> endobj 4 0 obj <</Contents 10 0 R>> endobj 5 0 obj <</Contents 11 0 R>> endobj " + content, "1:a"},
		"pages in order":             {root + "2 0 obj <</Kids[5 0 R 3 0 R 4 0 R]" + fonts + ">> endobj 3 0 obj <</Contents 11 0 R>> endobj 4 0 obj <</Contents 12 0 R>> endobj 5 0 obj <</Contents 10 0 R>> endobj " + content, "1:a\n2:b\n3:c"},
		"a branch before a page":     {root + "2 0 obj <</Kids[3 0 R 5 0 R]" + fonts + ">> endobj 3 0 obj <</Kids[4 0 R]>> endobj 4 0 obj <</Contents 10 0 R>> endobj 5 0 obj <</Contents 11 0 R>> endobj " + content, "1:a\n2:b"},
		"a page without words":       {root + "2 0 obj <</Kids[3 0 R 4 0 R]" + fonts + ">> endobj 3 0 obj <</Type/Page>> endobj 4 0 obj <</Contents 10 0 R>> endobj " + content, "2:a"},
		"a branch without pages":     {root + "2 0 obj <</Kids[3 0 R 4 0 R]" + fonts + ">> endobj 3 0 obj <</Type/Pages/Count 0>> endobj 4 0 obj <</Contents 10 0 R>> endobj " + content, "1:a"},
		"a kid that is not there":    {root + "2 0 obj <</Kids[99 0 R null 4 0 R]" + fonts + ">> endobj 4 0 obj <</Contents 10 0 R>> endobj " + content, "1:a"},
		"a tree that holds itself":   {root + "2 0 obj <</Kids[2 0 R 3 0 R]" + fonts + ">> endobj 3 0 obj <</Kids[2 0 R 4 0 R 3 0 R]>> endobj 4 0 obj <</Contents 10 0 R>> endobj " + content, "1:a"},
		"kids in another object":     {root + "2 0 obj <</Kids 3 0 R" + fonts + ">> endobj 3 0 obj [4 0 R] endobj 4 0 obj <</Contents 10 0 R>> endobj " + content, "1:a"},
		"fonts in another object":    {root + "2 0 obj <</Kids[4 0 R]>> endobj 4 0 obj <</Contents 10 0 R/Resources 5 0 R>> endobj 5 0 obj <</Font 6 0 R>> endobj 6 0 obj <</F 7 0 R>> endobj 7 0 obj <</BaseFont/Courier>> endobj " + content, "1:a"},
		"contents in parts":          {root + "2 0 obj <</Kids[4 0 R]" + fonts + ">> endobj 4 0 obj <</Contents[10 0 R 11 0 R]>> endobj " + object(10, "", "BT /F 10 Tf") + object(11, "", "(parts) Tj ET"), "1:parts"},
		"parts end a word":           {root + "2 0 obj <</Kids[4 0 R]" + fonts + ">> endobj 4 0 obj <</Contents[10 0 R 11 0 R]>> endobj " + object(10, "", "BT /F 10 Tf (a) Tj 1") + object(11, "", "20 Td (b) Tj ET"), "1:b\n1:a"},
		"a list of parts elsewhere":  {root + "2 0 obj <</Kids[4 0 R]" + fonts + ">> endobj 4 0 obj <</Contents 5 0 R>> endobj 5 0 obj [10 0 R 99 0 R] endobj " + content, "1:a"},
		"a form":                     {string(plain("/X Do", "", object(9, "/Subtype/Form"+fonts, show("form")))), "1:form"},
		"a form with fonts of pages": {string(plain("/X Do", courier, object(9, "/Subtype/Form", show("form")))), "1:form"},
		"a form in the font of all":  {string(plain("/F 10 Tf 12 TL /X Do", courier, object(9, "/Subtype/Form", "BT (form) Tj T* (twice) Tj ET"))), "1:form\n1:twice"},
		"a form that changes fonts":  {string(plain("/F 10 Tf /X Do BT 0 40 Td (on) Tj (e) Tj ET", courier, object(9, "/Subtype/Form", "/F 90 Tf 80 Tc 1 0 0 1 99 99 cm"))), "1:one"},
		"a form moved":               {string(plain(show("above")+" 1 0 0 1 0 100 cm /X Do", courier, object(9, "/Subtype/Form/Matrix[1 0 0 1 0 -200]", show("below")))), "1:above\n1:below"},
		"a picture":                  {string(plain(show("words")+"/X Do", courier, object(9, "/Subtype/Image", show("picture")))), "1:words"},
		"a form that is not there":   {string(plain(show("words")+"/Y Do", courier)), "1:words"},
	} {
		got, err := Read([]byte(c.file))
		if d := cmp.Diff(c.want, flat(got)); err != nil || d != "" {
			t.Errorf("%s: error %v; (-want +got)\n%s\nof %q", name, err, d, c.file)
		}
	}
}

// TestDrawIsBounded: each bound, just within it and just beyond.
func TestDrawIsBounded(t *testing.T) {
	t.Parallel()
	pages := func(n int) []byte {
		return []byte("1 0 obj <</Type/Catalog/Pages <</Kids[" + strings.Repeat("<</Contents 4 0 R/Resources<</Font<<"+courier+">>>>>>", n) + "]>>>> endobj " + object(4, "", show("x")))
	}
	last := func(p *painter) string {
		if len(p.runs) == 0 {
			return ""
		}
		return p.runs[len(p.runs)-1].letters
	}
	for _, c := range []struct {
		bound       string
		limit, near int             // the bound, and how far below it all must count
		draw        func(n int) int // how many of n count
	}{
		{"pages", maxPages, 1, func(n int) int { return len(paint(pages(n)).runs) }},
		{"runs", maxRuns, 1, func(n int) int {
			return len(paint(plain("BT /F 10 Tf "+strings.Repeat("(x)Tj ", n), courier)).runs)
		}},
		{"strings of one array", maxRuns, 1, func(n int) int {
			return len(paint(plain("BT /F 10 Tf ["+strings.Repeat("(x)", n)+"]TJ", courier)).runs)
		}},
		{"forms within each other", maxForms + 1, 1, func(n int) int {
			file := strings.Replace(string(plain(show("x")+"/X Do", courier)), "/X 9 0 R", "/X 100 0 R", 1)
			for i := range n - 1 {
				file += object(100+i, fmt.Sprintf("/Subtype/Form/Resources<</Font<<%s>>/XObject<</X %d 0 R>>>>", courier, 101+i), show("x")+"/X Do")
			}
			return len(paint([]byte(file)).runs)
		}},
		{"states", maxStates, 1, func(n int) int {
			p := paint(plain("/F 1 Tf "+strings.Repeat("q 1 0 0 1 1 0 cm ", n)+"Q BT (x) Tj ET", courier))
			return int(p.runs[0].x) + 1
		}},
		{"branches", maxNodes - 2, 1, func(n int) int {
			file := "1 0 obj <</Type/Catalog/Pages <</Kids[" + strings.Repeat("<</Kids[]>>", n) + "<</Contents 4 0 R/Resources<</Font<<" + courier + ">>>>>>]>>>> endobj "
			return n * len(paint([]byte(file+object(4, "", show("x")))).runs)
		}},
		{"operands", 100, 1, func(n int) int {
			if last(paint(plain("BT /F 10 Tf (x)"+strings.Repeat(" 0", n-1)+" Tj ET", courier))) == "x" {
				return n
			}
			return 0
		}},
		{"steps", maxSteps, 500, func(n int) int {
			p := paint(plain("/F 10 Tf "+strings.Repeat("0 ", n-2)+" BT(x)Tj", courier))
			return n * min(len(p.runs), 1)
		}},
	} {
		if n := c.limit - c.near; c.draw(n) != n {
			t.Errorf("%d %s: %d count, want all", n, c.bound, c.draw(n))
		}
		if got := c.draw(c.limit + 1); got > c.limit {
			t.Errorf("%d %s: %d count, want %d at most", c.limit+1, c.bound, got, c.limit)
		}
	}
}
