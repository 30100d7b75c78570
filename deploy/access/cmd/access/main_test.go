package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardorder/deploy/access"
)

func TestGenerate(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for path := range access.Generated(nil) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := generate(root, "EVENTS_QUOTE=2"); err != nil {
		t.Fatal(err)
	}
	for path, want := range access.Generated(access.Parts{"EVENTS_QUOTE": 2}) {
		if got, err := os.ReadFile(filepath.Join(root, path)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v, or another text", path, err)
		}
	}
	if err := generate(root, "NOTHING=2"); err == nil || !strings.Contains(err.Error(), "NOTHING") {
		t.Errorf("%v; want a sentence about the stream", err)
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"make"}, {"generate", "x"}, {"bucket", "-users"}} {
		if err := run(t.Context(), args); err == nil || !strings.HasPrefix(err.Error(), "usage: ") {
			t.Errorf("%q: %v", args, err)
		}
	}
}

func TestBucketNamesTheVariableThatIsWrong(t *testing.T) {
	t.Setenv("S3_URL", "s3://root:secret@127.0.0.1:1/boardorder?tls=off")
	if err := run(t.Context(), []string{"bucket"}); err == nil || !strings.HasPrefix(err.Error(), "S3_EDGE_SECRET ") {
		t.Errorf("%v; want a sentence about S3_EDGE_SECRET", err)
	}
	t.Setenv("S3_URL", "nowhere")
	if err := run(t.Context(), []string{"bucket", "-policy"}); err == nil || !strings.HasPrefix(err.Error(), "S3_URL: ") {
		t.Errorf("%v; want a sentence about S3_URL", err)
	}
}
