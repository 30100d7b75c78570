package fonts

import (
	"io/fs"
	"strings"
	"testing"
)

// TestEveryFont: each file that is shipped can be read and is asked for, and beside it
// lies its licence.
func TestEveryFont(t *testing.T) {
	t.Parallel()
	shipped, size := 0, 0
	err := fs.WalkDir(files, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := files.ReadFile(path)
		if strings.HasSuffix(path, ".ttf.zst") {
			shipped, size = shipped+1, size+len(data)
			if text, err := files.ReadFile(path[:strings.Index(path, "/")] + "/LICENSE"); err != nil || len(text) < 3000 {
				t.Errorf("%s: no licence: %v", path, err)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if size > 4<<20 {
		t.Errorf("fonts take %d bytes of each program that draws documents, want 4 MiB at most", size)
	}
	if shipped != len(all)+1 {
		t.Errorf("%d files, want %d: the fonts and their licence", shipped, len(all)+1)
	}
	for n, f := range all {
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
