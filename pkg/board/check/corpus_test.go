package check

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/archive"
	"boardorder/pkg/board"
	"boardorder/pkg/board/reader"
)

// designs gives the names of the published designs, or skips.
func designs(t testing.TB) (dir string, names []string) {
	t.Helper()
	dir = cmp.Or(os.Getenv("BOARD_CORPUS"), filepath.Join("..", "..", "..", "..", "shared", "designs"))
	f, err := os.Open(filepath.Join(dir, "manifest.csv"))
	if err != nil {
		t.Skip("no corpus of real designs: set BOARD_CORPUS to its folder")
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows[1:] {
		if !slices.Contains(names, r[0]) {
			names = append(names, r[0])
		}
	}
	return dir, names
}

// load reads a design as a service would: archives unpacked.
func load(t testing.TB, dir string) []*board.Board {
	t.Helper()
	var files []reader.File
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		files = append(files, unpack(t, filepath.ToSlash(rel), data)...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return reader.Read(context.Background(), files, reader.Options{}).Boards
}

func unpack(t testing.TB, name string, data []byte) []reader.File {
	t.Helper()
	r := strings.NewReader(string(data))
	format, err := archive.Detect(name, r, int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if format == archive.None {
		return []reader.File{{Name: name, Data: data}}
	}
	var out []reader.File
	_, err = archive.Unpack(context.Background(), name, r, int64(len(data)), archive.DefaultLimits(),
		func(m archive.Member, r io.Reader) error {
			content, err := io.ReadAll(r)
			out = append(out, reader.File{Name: name + "!/" + m.Name, Data: content})
			return err
		})
	if refused := (*archive.Error)(nil); errors.As(err, &refused) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestCorpus runs every check over the published designs: none may break down.
// With -v it prints what was found and how long each took.
func TestCorpus(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads many designs")
	}
	dir, names := designs(t)
	fab, err := Primary()
	if err != nil {
		t.Fatal(err)
	}
	var took []time.Duration
	for _, name := range names {
		for _, b := range load(t, filepath.Join(dir, name)) {
			start := time.Now()
			r, err := Run(context.Background(), b, Options{Limits: fab.Limits(Build{Layers: len(b.Copper())})})
			d := time.Since(start)
			took = append(took, d)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			for _, f := range r.Faults {
				t.Errorf("%s: %v", name, f)
			}
			if !testing.Verbose() {
				continue
			}
			t.Logf("%s: %s: %d findings in %v", name, b.Name, len(r.Findings), d.Round(time.Millisecond))
			for _, f := range r.Findings {
				t.Logf("  %s %s x%d: %s", f.Level, f.Check, f.Count, f.What)
			}
		}
	}
	if len(took) > 0 {
		slices.Sort(took)
		t.Logf("%d boards: median %v, slowest %v", len(took), took[len(took)/2], took[len(took)-1])
	}
}
