package partlist

import (
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

func utf16LE(s string) string {
	out := []byte("\xff\xfe")
	for _, u := range utf16.Encode([]rune(s)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return string(out)
}

func TestParts(t *testing.T) {
	t.Parallel()
	three := []string{"R1", "R2", "U3"}
	for name, c := range map[string]struct {
		data string
		want []string
	}{
		"commas":                {"Comment,Designator\n1k,\"R1,R2\"\nchip,U3\n", three},
		"semicolons":            {"Comment;Designator\r\n1k;R1,R2\r\nchip;U3\r\n", three},
		"tabs in UTF-16":        {utf16LE("Kommentar é\tDesignator\r\n1k\tR1 R2\r\nchip\tU3\r\n"), three},
		"bars and old Mac":      {"Comment|Designator\r1k|R1,R2\rchip|U3\r", three},
		"byte order mark":       {"\xef\xbb\xbfDesignator,Val\nR1,1k\nR2,1k\nU3,chip\n", three},
		"other bytes":           {"Comment \xd7\xa2,Designator\n1k,R1\n2k,R2\nchip,U3\n", three},
		"titles above":          {"Company X\n\nComment,Ref Des\n1k,R1;R2\nchip,U3\n", three},
		"a range":               {"References,Value\nR1-R2,1k\nU3,chip\n", three},
		"twice":                 {"Ref,PosX\nR1,0\nR1,1\n", []string{"R1", "R1"}},
		"aligned with spaces":   {"# Ref Val PosX\nR1 1k 0\nR2 1k 1\nU3 chip 2\n", three},
		"a heading without any": {"Designator,Value\n,\n", nil},
		"no heading":            {"R1,1k\n", nil},
		"nothing":               {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := Parts([]byte(c.data))
			if d := cmp.Diff(c.want, got); d != "" || ok != (len(c.want) > 0) {
				t.Errorf("Parts(%q): known %v (-want +got):\n%s", c.data, ok, d)
			}
		})
	}
}

func FuzzParts(f *testing.F) {
	f.Add([]byte("Comment,Designator\n1k,\"R1,R2\"\n"))
	f.Add([]byte(utf16LE("A\tRef\nx\tR1-R9\n")))
	f.Add([]byte("Ref\rR1-R999999\r"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if parts, _ := Parts(data); len(parts) > maxParts+100_000 {
			t.Errorf("Parts of %d bytes: %d, want at most %d", len(data), len(parts), maxParts+100_000)
		}
	})
}
