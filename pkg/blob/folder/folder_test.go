package folder_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/blob/blobtest"
	"boardorder/pkg/blob/folder"
)

func TestStore(t *testing.T) {
	t.Parallel()
	blobtest.Run(t, func(t *testing.T) func() blob.Store {
		dir := filepath.Join(t.TempDir(), "blobs of 100%")
		return func() blob.Store { return open(t, dir) }
	}, blobtest.Features{})
}

func open(t *testing.T, dir string) *folder.Store {
	t.Helper()
	s, err := folder.Open(dir, time.Now)
	if err != nil {
		t.Fatalf("Open(%q) = %v", dir, err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func put(t *testing.T, s *folder.Store, key, content string) {
	t.Helper()
	if _, err := s.Put(t.Context(), key, strings.NewReader(content), -1, ""); err != nil {
		t.Fatalf("Put(%q) = %v", key, err)
	}
}

func TestLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	put(t, s, "a/b/c", "x")
	if _, err := s.Put(t.Context(), "a/d", io.MultiReader(strings.NewReader("x"), &endless{}), 3, ""); !errors.Is(err, blob.ErrSize) {
		t.Errorf("Put of an endless reader = %v, want ErrSize", err)
	}
	if err := s.Delete(t.Context(), "a/b/c"); err != nil {
		t.Fatalf("Delete = %v", err)
	}
	var left []string
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		left = append(left, strings.TrimPrefix(path, dir))
		return err
	})
	if err != nil || strings.Join(left, " ") != " /~tmp" {
		t.Errorf("the folder holds %q, %v; want nothing", left, err)
	}
}

type endless struct{}

func (*endless) Read(p []byte) (int, error) { return len(p), nil }

func TestOpenClearsAbandonedFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	open(t, dir)
	for name, age := range map[string]time.Duration{"old": 25 * time.Hour, "young": time.Hour} {
		path := filepath.Join(dir, "~tmp", name)
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	open(t, dir)
	if _, err := os.Stat(filepath.Join(dir, "~tmp", "old")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the abandoned file is still there: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "~tmp", "young")); err != nil {
		t.Errorf("the young file, which may have a writer, is gone: %v", err)
	}
}

func TestLinksDoNotLeadOut(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	s := open(t, dir)
	if err := os.WriteFile(filepath.Join(outside, "secret~"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "out")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if r, _, err := s.Get(t.Context(), "out/secret"); err == nil {
		r.Close()
		t.Error("Get reads through a link out of the folder")
	}
	if _, err := s.Put(t.Context(), "out/new", strings.NewReader("x"), 1, ""); err == nil {
		t.Error("Put writes through a link out of the folder")
	}
	if err := s.Delete(t.Context(), "out/secret"); err == nil {
		t.Error("Delete works through a link out of the folder")
	}
}

func TestDamagedFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	put(t, s, "a", "content")
	for name, content := range map[string]string{"short": "x", "foreign": strings.Repeat("x", 500)} {
		if err := os.WriteFile(filepath.Join(dir, "a~"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Get(t.Context(), "a"); err == nil || errors.Is(err, blob.ErrNotFound) {
			t.Errorf("Get of a %s file = %v, want an error that is not ErrNotFound", name, err)
		}
	}
}

func TestRefusesContentType(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir())
	for _, bad := range []string{"a\nb", "ü", strings.Repeat("x", 121)} {
		if _, err := s.Put(context.Background(), "a", strings.NewReader("x"), 1, bad); err == nil {
			t.Errorf("Put with content type %q = nil, want an error", bad)
		}
	}
}
