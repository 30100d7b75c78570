package open_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardorder/pkg/blob/open"
)

func TestOpenFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for target, want := range map[string]string{
		"file:" + dir + "/a%20b":   dir + "/a%20b",
		"file://" + dir + "/c%20d": dir + "/c d",
	} {
		s, err := open.Open(t.Context(), target)
		if err != nil {
			t.Errorf("Open(%q) = %v", target, err)
			continue
		}
		if _, err := s.Put(t.Context(), "a", strings.NewReader("x"), 1, ""); err != nil {
			t.Errorf("Put = %v", err)
		}
		if _, err := os.Stat(filepath.Join(want, "a~")); err != nil {
			t.Errorf("Open(%q) did not use %q: %v", target, want, err)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"", "blobs", "file:", "file://host/x%", "file://relative", "ftp://x/y", "s3://k:SECRET@/b", "k:SECRET@host/b"} {
		s, err := open.Open(t.Context(), target)
		if err == nil || s != nil || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("Open(%q) = %v, %v; want an error without the secret", target, s, err)
		}
	}
}
