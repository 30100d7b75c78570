package main

import (
	"crypto/sha256"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestBuildIsReproducible: built as the image's file says, from sources that lie
// elsewhere, a program is the same bit for bit, so that whoever doubts what was
// signed can build it again.
func TestBuildIsReproducible(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "deploy/docker/Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`go build (-.*?) -o /image/`).FindAllStringSubmatch(string(text), -1)
	if len(lines) != 2 || lines[0][1] != lines[1][1] {
		t.Fatalf("the image is built by %q, want two lines of the same flags", lines)
	}
	flags := strings.Fields(strings.NewReplacer(`-ldflags="-s -w -buildid="`, "-ldflags=-s\x00-w\x00-buildid=").Replace(lines[0][1]))
	elsewhere := t.TempDir()
	if err := os.CopyFS(filepath.Join(elsewhere, "pkg"), os.DirFS(filepath.Join(root, "pkg"))); err != nil {
		t.Fatal(err)
	}
	if here, there := built(t, root, flags), built(t, elsewhere, flags); here != there {
		t.Errorf("the same sources make two programs: %s here, %s elsewhere", here, there)
	}
}

// built is the hash of a program as it is built in a folder of sources.
func built(t *testing.T, root string, flags []string) [sha256.Size]byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "service")
	args := []string{"build"}
	for _, f := range flags {
		args = append(args, strings.ReplaceAll(f, "\x00", " "))
	}
	c := exec.CommandContext(t.Context(), "go", append(args, "-o", out, "./run/probe")...)
	c.Dir = filepath.Join(root, "pkg")
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=")
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("go %q: %v\n%s", c.Args[1:], err, said)
	}
	program, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return sha256.Sum256(program)
}
