package untrusted_test

import (
	"html/template"
	"strings"
	"testing"
	"unicode"

	"boardorder/pkg/board/untrusted"
)

func TestIsolateNames(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", "2 of 5 layers of \"Motor 12\" are missing.": "2 of 5 layers of \"Motor 12\" are missing.",
		"The layer \"לוח 12\" has 3 holes.":                "The layer \"\u2068לוח 12\u2069\" has 3 holes.",
		"The layer “לוח 12” has 3 holes.":                  "The layer “\u2068לוח 12\u2069” has 3 holes.",
		"לוח-5.gbr: 3 holes are 0.2 mm.":                   "\u2068לוח-5.gbr\u2069: 3 holes are 0.2 mm.",
		"The file לוח ראשי 2 mm has 5 of 7.":               "The file \u2068לוח ראשי\u2069 2 mm has 5 of 7.",
		"Nets אדמה, מתח and GND meet 4 times.":             "Nets \u2068אדמה\u2069, \u2068מתח\u2069 and GND meet 4 times.",
		"A hole of 5\" in (לוח) is too large.":             "A hole of 5\" in (\u2068לוח\u2069) is too large.",
		"\"GND\" meets \"אדמה\" 12 times.":                 "\"GND\" meets \"\u2068אדמה\u2069\" 12 times.",
		"The file \u202egpj.exe\u2069 has 5, and \u2066a.": "The file gpj.exe has 5, and a.",
		"Already \u2068לוח\u2069 5, and לוח 5.":            "Already \u2068לוח\u2069 5, and \u2068לוח\u2069 5.",
		"רחוב הרצל 5, 61000":                               "\u2068רחוב הרצל 5, 61000\u2069",
		"\u2068רחוב 5\u2069":                               "\u2068רחוב 5\u2069",
		"قطعة ١٢ of 7 pieces":                              "\u2068قطعة ١٢\u2069 of 7 pieces",
		"A quotation that is cut short: \"לוח 12 and 5":    "A quotation that is cut short: \"\u2068לוח\u2069 12 and 5",
	} {
		got := untrusted.IsolateNames(in)
		if got != want {
			t.Errorf("IsolateNames(%q) = %q, want %q", in, got, want)
		}
		if again := untrusted.IsolateNames(got); again != got {
			t.Errorf("IsolateNames(%q) = %q: twice is not once", got, again)
		}
	}
}

func TestIsolatePage(t *testing.T) {
	t.Parallel()
	const text = `<!doctype html><title>{{.}} has 5</title><script>const a = {{.}} + 1 < 2</script><h1 title="{{.}} > 5">{{.}} has 5</h1><p>"{{.}}" meets & 5 > 3</p><textarea>{{.}} has 5</textarea><p>{{.}}</p>`
	for name, want := range map[string]string{
		"Board": "",
		"לוח":   "<title>\u2068לוח\u2069 has 5</title>|title=\"לוח > 5\">\u2068לוח\u2069 has 5</h1>|<p>&#34;\u2068לוח\u2069&#34; meets &amp; 5 &gt; 3</p>|<textarea>לוח has 5</textarea>|<p>\u2068לוח\u2069</p>|const a = \"לוח\" + 1",
	} {
		var page strings.Builder
		if err := template.Must(template.New("").Parse(text)).Execute(&page, name); err != nil {
			t.Fatal(err)
		}
		got := string(untrusted.IsolatePage([]byte(page.String())))
		if want == "" && got != page.String() {
			t.Errorf("%s: changed to %s", name, got)
		}
		for part := range strings.SplitSeq(want, "|") {
			if !strings.Contains(got, part) {
				t.Errorf("%s: %q\nlacks %q", name, got, part)
			}
		}
	}
}

// FuzzIsolateNames: nothing of a sentence is lost, isolates are paired, and twice is once.
func FuzzIsolateNames(f *testing.F) {
	f.Add("The layer \"לוח 12\" has 3 holes.")
	f.Add("א “ב\" ג” 5 (ד)")
	f.Fuzz(func(t *testing.T, text string) {
		if text = untrusted.Clean(text); strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) }) {
			t.Fatalf("Clean leaves controls of direction in %q", text)
		}
		got := untrusted.IsolateNames(text)
		if plain := strings.NewReplacer("\u2068", "", "\u2069", "").Replace(got); plain != text {
			t.Errorf("%q becomes %q, want the same but for the marks", text, got)
		}
		if untrusted.IsolateNames(got) != got || strings.Count(got, "\u2068") != strings.Count(got, "\u2069") {
			t.Errorf("%q becomes %q, want marks in pairs, and nothing more the second time", text, got)
		}
	})
}
