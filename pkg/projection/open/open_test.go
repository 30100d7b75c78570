package open_test

import (
	"path/filepath"
	"strings"
	"testing"

	"boardorder/pkg/projection/open"
)

func TestOpen(t *testing.T) {
	t.Parallel()
	for _, target := range []string{
		"sqlite:" + filepath.Join(t.TempDir(), "p.db"),
		"mongodb://user:pass@127.0.0.1:1/boards?authSource=admin",
	} {
		s, err := open.Open(t.Context(), target)
		if err != nil {
			t.Errorf("Open(%q) = %v", target, err)
			continue
		}
		if err := s.Close(); err != nil {
			t.Errorf("Close() = %v", err)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	for _, target := range []string{
		"", "p.db", "sqlite:", "postgres://x", "mongodb://", "mongodb://user:SECRET@h:x:y/db", "mongodb://user:SEC/RET@host/db",
		"mongodb://user:SECRET@host/db?authMechanism=none", "user:SECRET@host",
	} {
		s, err := open.Open(t.Context(), target)
		if err == nil || s != nil || strings.Contains(err.Error(), "SEC") {
			t.Errorf("Open(%q) = %v, %v; want an error without the secret", target, s, err)
		}
	}
}
