package archive_test

import (
	"testing"

	"boardorder/pkg/board/archive"

	"github.com/google/go-cmp/cmp"
)

func TestContradiction(t *testing.T) {
	t.Parallel()
	elf := "\x7fELF\x02\x01\x01"
	for _, test := range []struct {
		name, head string
		odd        bool
	}{
		{"top.gbr", "G04 top*", false},
		{"MZ.gbr", "MZ is a fine name*", false},
		{"top.gbr", "MZ\x90\x00\x03\x00", true},
		{"top.gbr", elf, true},
		{"readme", elf, true},
		{"board.zip", "no zip", true},
		{"board.TGZ", "", true},
		{"drawing.pdf", "\r\n%PDF-1.4", false},
		{"drawing.pdf", "<html>", true},
		{"photo.PNG", "\x89PNG\r\n\x1a\n", false},
		{"photo.png", "\xff\xd8\xff\xe0", true},
		{"photo.jpeg", "\xff\xd8\xff\xe0", false},
		{"bom.xlsx", "PK\x03\x04", false},
		{"bom.xlsx", "\xd0\xcf\x11\xe0", false},
		{"bom.xlsx", "a,b,c", true},
		{"features.gz", "plain", false}, // some tools leave the name when they unpack
	} {
		if why := archive.Contradiction(test.name, []byte(test.head)); (why != "") != test.odd {
			t.Errorf("Contradiction(%q, %q) = %q, want one: %v", test.name, test.head, why, test.odd)
		}
	}
}

// Members that are not what their names say are left out, and the rest is taken.
func TestContradictionsAreLeftOut(t *testing.T) {
	t.Parallel()
	files := append([]file{{"inner.zip", "garbage"}, {"run.gbr", "\x7fELF\x02"}, {"doc.pdf", "none"}}, board...)
	want := outcome{Files: map[string]string{}, LeftOut: []string{"inner.zip", "run.gbr", "doc.pdf"}}
	for _, f := range board {
		want.Files[f.name] = f.content
	}
	for name, data := range map[string][]byte{
		"x.zip": zipOf(t, files...), "x.tgz": gzipOf(t, tarOf(t, files...)), "x.7z": sevenZipped(t, files...), "x.rar": rarOf(files...),
	} {
		got, err := unpack(t, name, data, archive.DefaultLimits())
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("Unpack(%s) = %v, differs (-want +got):\n%s", name, err, diff)
		}
	}
}
