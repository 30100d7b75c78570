// Package release gives tests the programs of the last release, built from the
// history at hand: what runs beside this version while it is rolled out. The last
// release is the newest tag v*; while there is none, the commit that BASE names.
package release

import (
	"boardorder/deploy/standalone/local"
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// base is the commit that counts as the last release while there is no tag.
//
//go:embed BASE
var base string

// Commit is the commit of the last release. It is an error where the history at
// hand does not hold it.
func Commit() (string, error) {
	name := "the newest tag v*"
	tag, err := git("describe", "--tags", "--abbrev=0", "--match", "v*")
	if err != nil {
		name, tag = "BASE", base
	}
	commit, err := git("rev-parse", "--verify", "--quiet", strings.TrimSpace(tag)+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("the commit that %s names is not in the history at hand: %w", name, err)
	}
	return commit, nil
}

func git(args ...string) (string, error) {
	out, err := exec.Command("git", args...).Output()
	return strings.TrimSpace(string(out)), err
}

// Programs gives the folder of a commit's programs, in the user's cache. They are
// built once.
func Programs(t *testing.T, commit string) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("there is no folder for caches: %v", err)
	}
	root := filepath.Join(cache, "boardorder-release")
	bin := filepath.Join(root, commit)
	if _, err := os.Stat(bin); err == nil {
		return bin
	}
	source := t.TempDir()
	checkOut(t, commit, source)
	made := filepath.Join(t.TempDir(), "bin")
	Build(t, filepath.Join(source, "deploy", "standalone"), made)
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := move(made, bin); err != nil {
		t.Fatal(err)
	}
	return bin
}

// move puts a folder where nobody sees half of it.
func move(from, to string) error {
	unfinished, err := os.MkdirTemp(filepath.Dir(to), "unfinished-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(unfinished) //nolint:errcheck // what is left is a cache's
	if err := os.CopyFS(unfinished, os.DirFS(from)); err != nil {
		return err
	}
	if err := os.Rename(unfinished, to); err != nil && !os.IsExist(err) {
		return err
	}
	return nil
}

func checkOut(t *testing.T, commit, dir string) {
	t.Helper()
	root, err := git("rev-parse", "--show-toplevel")
	if err != nil {
		t.Fatal(err)
	}
	archive := exec.CommandContext(t.Context(), "git", "-C", root, "archive", "--format=tar", commit)
	tar := exec.CommandContext(t.Context(), "tar", "-x", "-C", dir)
	var complaints bytes.Buffer
	archive.Stderr, tar.Stderr = &complaints, &complaints
	if tar.Stdin, err = archive.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := tar.Start(); err != nil {
		t.Fatal(err)
	}
	if err := archive.Run(); err != nil {
		t.Fatalf("git archive %s: %v\n%s", commit, err, &complaints)
	}
	if err := tar.Wait(); err != nil {
		t.Fatalf("tar: %v\n%s", err, &complaints)
	}
}

// Build builds the programs of the version that a folder belongs to: every service that it
// has, what they stand on, and the owner of the topology.
func Build(t *testing.T, dir, bin string) {
	t.Helper()
	root := rootOf(t, dir)
	args := []string{
		"build", "-buildvcs=false", "-ldflags=-s -w", "-o", bin + string(filepath.Separator),
		"boardorder/deploy/standalone/cmd/infra", "boardorder/deploy/topology",
	}
	for name := range local.Usual() {
		program := filepath.Join("services", name, "cmd", name)
		if _, err := os.Stat(filepath.Join(root, program)); err == nil { // the last release may lack a service
			args = append(args, "boardorder/"+filepath.ToSlash(program))
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build in %s: %v\n%s", dir, err, out)
	}
}

// rootOf is the folder of the workspace that a folder belongs to.
func rootOf(t *testing.T, dir string) string {
	t.Helper()
	root, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(root, "go.work")); err == nil {
			return root
		}
		if root == filepath.Dir(root) {
			t.Fatalf("%s is in no workspace", dir)
		}
		root = filepath.Dir(root)
	}
}
