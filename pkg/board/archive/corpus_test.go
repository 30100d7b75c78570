package archive_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardorder/pkg/board/archive"
	"boardorder/pkg/board/testkit/corpus"
)

// broken are the archives of the corpus that are not to be unpacked.
var broken = map[string]archive.Code{
	"broken-crc":           archive.Damaged,
	"broken-empty-zip":     archive.Empty,
	"broken-truncated-zip": archive.Damaged,
	"broken-zip-bomb":      archive.TooLarge,
}

func TestCorpus(t *testing.T) {
	t.Parallel()
	dir := corpus.Dir(t)
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, path := range paths {
		if !strings.HasSuffix(path, ".zip") && !strings.HasSuffix(path, ".tgz") {
			continue
		}
		seen++
		want := broken[filepath.Base(filepath.Dir(path))]
		if got, err := unpackFile(t, path); got != want {
			t.Errorf("Unpack(%s) = %v, want code %q", path, err, want)
		}
	}
	if seen < len(broken) {
		t.Errorf("the folder holds %d archives, want %d at least", seen, len(broken))
	}
}

func unpackFile(t *testing.T, path string) (archive.Code, error) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	_, err = archive.Unpack(t.Context(), filepath.Base(path), f, info.Size(), archive.DefaultLimits(),
		func(archive.Member, io.Reader) error { return nil })
	return codeOf(err), err
}
