package designcheck_test

import (
	"archive/zip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPictures keeps the pages and pictures of designs where PICTURES names a
// folder, for people to look at: DESIGNS names those of the corpus, by comma.
func TestPictures(t *testing.T) {
	t.Parallel()
	dir, corpus := os.Getenv("PICTURES"), os.Getenv("BOARD_CORPUS")
	if dir == "" || corpus == "" {
		t.Skip("PICTURES and BOARD_CORPUS are not set")
	}
	for name := range strings.SplitSeq(os.Getenv("DESIGNS"), ",") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			files := map[string]string{}
			archives, err := filepath.Glob(filepath.Join(corpus, name, "*.zip"))
			if err != nil || len(archives) == 0 {
				t.Fatalf("no archive of %s: %v", name, err)
			}
			for _, archive := range archives[len(archives)-1:] {
				z, err := zip.OpenReader(archive)
				if err != nil {
					t.Fatal(err)
				}
				defer z.Close()
				for _, m := range z.File {
					data, err := fs.ReadFile(z, strings.TrimSuffix(m.Name, "/"))
					if err == nil && !m.FileInfo().IsDir() {
						files[m.Name] = string(data)
					}
				}
			}
			d.put(t, "one", name, files)
			op := d.ask(t, usual("one"))
			check := d.checkOf(t, op)
			if check.Refusal != nil {
				t.Skip(check.Refusal)
			}
			t.Logf("%s: %d findings, took %s", check.Status, len(check.Findings), check.EndedAt.Sub(check.StartedAt))
			keep := func(key, as string) {
				r, _, err := d.blobs.Get(t.Context(), key)
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				data, err := io.ReadAll(r)
				if err == nil {
					err = os.WriteFile(filepath.Join(dir, as), data, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			keep(check.Report, name+".html")
			for _, f := range check.Findings {
				if f.Image != "" {
					keep(f.Image, name+"-"+filepath.Base(f.Image))
				}
				t.Logf("%s %s: %s", f.Level, f.Check, f.What)
			}
		})
	}
}
