package designcheck_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardorder/pkg/board/testkit/corpus"
)

// TestPictures keeps the pages and pictures of real designs where PICTURES names
// a folder, for people to look at; DESIGNS names them, parted by commas.
func TestPictures(t *testing.T) {
	t.Parallel()
	dir, designs := os.Getenv("PICTURES"), os.Getenv("DESIGNS")
	if dir == "" || designs == "" {
		t.Skip("PICTURES and DESIGNS name nothing to look at")
	}
	for name := range strings.SplitSeq(designs, ",") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			files := map[string]string{}
			held, _ := corpus.Upload(t, name)
			for _, f := range held {
				files[f.Name] = string(f.Data)
			}
			d.put(t, "one", name, files)
			check := d.checkOf(t, d.ask(t, usual("one")))
			if check.Refusal != nil {
				t.Skip(check.Refusal)
			}
			d.saveTo(t, check.Report, filepath.Join(dir, name+".html"))
			for _, f := range check.Findings {
				if f.Image != "" {
					d.saveTo(t, f.Image, filepath.Join(dir, name+"-"+filepath.Base(f.Image)))
				}
				t.Logf("%s %s: %s", f.Level, f.Check, f.What)
			}
		})
	}
}

func (d *harness) saveTo(t *testing.T, key, file string) {
	t.Helper()
	r, _, err := d.blobs.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
