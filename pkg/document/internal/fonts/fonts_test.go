package fonts

import (
	"io/fs"
	"strings"
	"testing"
	"unicode/utf8"

	japanesetext "golang.org/x/text/encoding/japanese"
)

// TestEveryFont: each file that is shipped can be read and is asked for, and beside it
// lies its licence.
func TestEveryFont(t *testing.T) {
	t.Parallel()
	count, size := 0, 0
	err := fs.WalkDir(files, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := files.ReadFile(path)
		if strings.HasSuffix(path, ".ttf.zst") {
			count, size = count+1, size+len(data)
			if text, err := files.ReadFile(path[:strings.Index(path, "/")] + "/LICENSE"); err != nil || len(text) < 3000 {
				t.Errorf("%s: no licence: %v", path, err)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if size > 5<<20 {
		t.Errorf("fonts take %d bytes of each program that draws documents, want 5 MiB at most", size)
	}
	if count != len(all)+2 {
		t.Errorf("%d files, want %d: the fonts and their licence", count, len(all)+2)
	}
	for n, f := range append([]shipped{japanese}, all...) {
		some := 0
		for _, in := range f.ranges {
			for r := in[0]; r <= in[1]; r++ {
				if has(f.font(), r) {
					some++
				}
			}
		}
		if some < 20 {
			t.Errorf("font %d has %d of the characters that it is for, want 20 at least", n, some)
		}
	}
	if !has(wide.font(), 'ễ') {
		t.Error("no Vietnamese")
	}
}

// TestKanji: a document in Japanese has them as they are written in Japan, all of JIS X 0208;
// what that lacks, and documents in other languages, have those of the mainland.
func TestKanji(t *testing.T) {
	t.Parallel()
	ja, zh := NewSet("ja"), NewSet("zh-Hans")
	for _, r := range "直骨令海角与誤込草々ぁヴ、。「」ー" {
		if own, other := ja.ResolveFace(r).Font, zh.ResolveFace(r).Font; own != japanese.font() || other == own {
			t.Errorf("%c: Japanese %t, in a Chinese document %t; want it Japanese in its own alone", r, own == japanese.font(), other == japanese.font())
		}
	}
	if ja.ResolveFace('们').Font == japanese.font() || !ja.Has('们') {
		t.Errorf("们 is drawn by the font %v, and the Japanese text may be drawn: %t; want the other font, since it is not JIS X 0208", ja.ResolveFace('们').Font, ja.Has('们'))
	}
	missing := 0
	for high := byte(0xb0); high <= 0xf4; high++ {
		for low := byte(0xa1); low <= 0xfe; low++ {
			text, err := japanesetext.EUCJP.NewDecoder().Bytes([]byte{high, low})
			if r, _ := utf8.DecodeRune(text); err == nil && r != utf8.RuneError && !has(japanese.font(), r) {
				missing++
			}
		}
	}
	if missing > 0 {
		t.Errorf("%d kanji of JIS X 0208 are missing", missing)
	}
}
