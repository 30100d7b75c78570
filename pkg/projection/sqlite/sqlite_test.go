package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/projection"
	"boardorder/pkg/projection/projectiontest"
	"boardorder/pkg/projection/sqlite"
)

func TestStore(t *testing.T) {
	t.Parallel()
	projectiontest.Run(t, func(t *testing.T) func() projection.Store {
		path := filepath.Join(t.TempDir(), "a folder", "what? 100%#1.db")
		return func() projection.Store { return open(t, path) }
	})
}

func open(t testing.TB, path string) *sqlite.Store {
	t.Helper()
	store, err := sqlite.Open(context.Background(), path)
	if err != nil {
		t.Fatalf("Open(%q) = %v", path, err)
	}
	return store
}

// TestOpenTogether: several processes may find that the file is not there yet.
func TestOpenTogether(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	errs := make(chan error)
	for n := range 100 {
		for range 8 {
			go func() {
				store, err := sqlite.Open(t.Context(), filepath.Join(dir, fmt.Sprint(n)))
				if err == nil {
					err = store.Close()
				}
				errs <- err
			}()
		}
		for range 8 {
			if err := <-errs; err != nil {
				t.Errorf("Open = %v", err)
			}
		}
	}
}

// TestFilesAreTheOwners: states hold what customers wrote, so nobody else on the machine
// reads them, whatever the folder allows.
func TestFilesAreTheOwners(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "projection.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	files, err := os.ReadDir(dir)
	if err != nil || len(files) == 0 {
		t.Fatalf("the folder has %v (%v), want a database", files, err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v; want -rw-------", f.Name(), info.Mode(), err)
		}
	}
}

func TestOpenRefusesForeignFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "notes.db")
	if err := os.WriteFile(path, []byte(strings.Repeat("not a database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("Open(%q) = %v, want an error that names the file", path, err)
	}
}

func BenchmarkPut(b *testing.B) {
	for _, size := range []int{1, 100, 1000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			store := open(b, filepath.Join(b.TempDir(), "p.db"))
			defer store.Close()
			docs := make([]projection.Document, size)
			var seq uint64
			for b.Loop() {
				for i := range docs {
					seq++
					docs[i] = projection.Document{
						Kind: "quote", ID: fmt.Sprintf("q%08d", seq/2), Seq: seq, At: time.Unix(0, int64(seq/2)),
						Keys: map[string]string{"account": fmt.Sprintf("acc_%d", seq%50), "status": fmt.Sprint(seq % 3)},
						Body: fmt.Appendf(nil, `{"seq":%d,"summary":%q}`, seq, strings.Repeat("x", 400)),
					}
				}
				if err := store.Put(b.Context(), docs...); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*size)/b.Elapsed().Seconds(), "docs/s")
		})
	}
}
