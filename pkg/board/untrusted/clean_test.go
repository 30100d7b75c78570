package untrusted_test

import (
	"testing"
	"unicode/utf8"

	"boardorder/pkg/board/untrusted"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		" a ":                      "a",
		"a\x00b\x1bc":              "abc",
		"abc\u202egpj.exe":         "abcgpj.exe",
		"a\u200b\u2066b\u2069":     "ab",
		"e\u0301":                  "é",
		"one\r\ntwo\tthree\u2028x": "one\ntwo\tthree\nx",
		"a\rb\vc\u0085d":           "a\nb\nc\nd",
		"tag\U000e0041":            "tag",
		"日本 😀":                     "日本 😀",
	} {
		if got := untrusted.Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
	if got := untrusted.CleanLine("a\n b\t\tc"); got != "a b c" {
		t.Errorf("CleanLine of three words = %q, want a b c", got)
	}
}

// FuzzClean: nothing is left to clean.
func FuzzClean(f *testing.F) {
	f.Add("a\u202eb")
	f.Fuzz(func(t *testing.T, text string) {
		if got := untrusted.Clean(text); untrusted.Clean(got) != got || !utf8.ValidString(got) {
			t.Errorf("%q becomes %q, want valid text that stays so", text, got)
		}
	})
}

func TestIsolate(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", "Motor 12": "Motor 12", "李小龙 5": "李小龙 5",
		"שלום 12": "\u2068שלום 12\u2069", "مرحبا": "\u2068مرحبا\u2069", "Board ١٢": "\u2068Board ١٢\u2069",
	} {
		if got := untrusted.Isolate(in); got != want {
			t.Errorf("Isolate(%q) = %q, want %q", in, got, want)
		}
	}
}
