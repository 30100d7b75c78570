package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardorder/deploy/access"
)

func TestGenerate(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	repository := filepath.Join("..", "..", "..", "..")
	now, err := access.Generate(repository, nil)
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range now { // those with scalers are changed, not made
		file := filepath.Join(root, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, text, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := generate(root, "EVENTS_QUOTE=2"); err != nil {
		t.Fatal(err)
	}
	split, err := access.Generate(repository, access.Parts{"EVENTS_QUOTE": 2})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range split {
		if bytes.Equal(want, now[path]) && path == "k8s/base/projector.yaml" {
			t.Errorf("%s is the same after a split", path)
		}
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
			t.Errorf("run(%q): %v, want the usage", args, err)
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
