package untrusted_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"boardorder/pkg/board/untrusted"
)

func TestPlain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, line, block string }{
		{"two\nlines\tand a tab", "two lines and a tab", "two\nlines and a tab"},
		{"abc\u202edef\u2066\u200b\x00\x1b[31m", "abcdef[31m", "abcdef[31m"},
		{"a\xffb", "ab", "ab"},
		{"  Größe  µ ", "Größe µ", "  Größe  µ "},
		{"x\r\ny\u2028z", "x y z", "x\ny\nz"},
		{strings.Repeat("ä", 40), strings.Repeat("ä", 30) + "…", strings.Repeat("ä", 30) + "…"},
	} {
		if got := untrusted.Line(tt.in, 30); got != tt.line {
			t.Errorf("Line(%q) = %q, want %q", tt.in, got, tt.line)
		}
		if got := untrusted.Block(tt.in, 30); got != tt.block {
			t.Errorf("Block(%q) = %q, want %q", tt.in, got, tt.block)
		}
	}
}

func TestCutBytes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   string
		most int
		want string
	}{{"", 0, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"aé", 2, "a"}, {"aé", 3, "aé"}, {"é", 1, ""}, {"日本", 5, "日"}} {
		if got := untrusted.CutBytes(tt.in, tt.most); got != tt.want {
			t.Errorf("CutBytes(%q, %d) = %q, want %q", tt.in, tt.most, got, tt.want)
		}
	}
}

func TestCell(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", "Ann": "Ann", "=1+1": "'=1+1", "+49 30": "'+49 30", "-5": "'-5", "@x": "'@x", "\t=1": "'=1", "a=b": "a=b",
		"\u200b=1": "'=1", "＝1": "'＝1", "＠SUM(1)": "'＠SUM(1)", "a;=1": "a;'=1", "a; \"@x;-1": "a; \"'@x;'-1", "a;b": "a;b", "a-b;c": "a-b;c",
	} {
		if got := untrusted.Cell(in); got != want {
			t.Errorf("Cell(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add("a\u202eb")
	f.Fuzz(func(t *testing.T, s string) {
		got := untrusted.Line(s, 50)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > 51 {
			t.Errorf("Line(%q, 50) = %q, want valid text of 51 characters at most", s, got)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Errorf("Line(%q) holds %U", s, r)
			}
		}
		if c := untrusted.Cell(s); strings.HasPrefix(c, "＝") || c != "" && strings.ContainsAny(c[:1], "=+-@") || strings.Contains(c, ";=") {
			t.Errorf("Cell(%q) = %q, want no formula", s, c)
		}
	})
}
