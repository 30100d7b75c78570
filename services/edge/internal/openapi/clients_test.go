package openapi_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"boardorder/services/edge/internal/openapi"
)

// generator is pinned, so that it fails for our changes alone.
const generator = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"

func description(t *testing.T, dir string) string {
	t.Helper()
	text, err := openapi.JSON("https://api.example.com")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "openapi.json")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// run gives what a command says; env is added to the test's own.
func run(t *testing.T, dir string, env []string, name string, args ...string) (string, error) {
	t.Helper()
	c := exec.CommandContext(t.Context(), name, args...)
	c.Dir, c.Env = dir, append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	return string(out), err
}

// A Go client is generated from the description, and compiles.
func TestOapiCodegenClientCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: builds a generator and a client")
	}
	t.Parallel()
	dir := t.TempDir()
	alone := []string{"GOWORK=off", "GOFLAGS=-mod=mod", "GOBIN=" + dir}
	if out, err := run(t, dir, alone, "go", "install", generator); err != nil {
		t.Skipf("skipped: the generator cannot be fetched here: %v\n%.500s", err, out)
	}
	path := description(t, dir)
	client := filepath.Join(dir, "client")
	if err := os.Mkdir(client, 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := run(t, dir, nil, filepath.Join(dir, "oapi-codegen"), "-generate", "types,client", "-package", "client", "-o", filepath.Join(client, "client.go"), path)
	if err != nil {
		t.Fatalf("oapi-codegen: %v\n%s", err, out)
	}
	if out, err := run(t, client, alone, "go", "mod", "init", "example.com/client"); err != nil {
		t.Fatalf("go mod init: %v\n%s", err, out)
	}
	if out, err := run(t, client, alone, "go", "mod", "tidy"); err != nil {
		t.Skipf("skipped: what the client needs cannot be fetched here: %v\n%.500s", err, out)
	}
	if out, err := run(t, client, alone, "go", "vet", "."); err != nil {
		t.Errorf("the generated client does not compile: %v\n%s", err, out)
	}
}

// TypeScript's types are generated from the description, where the generator is
// installed.
func TestOpenapiTypescript(t *testing.T) {
	t.Parallel()
	tool, err := exec.LookPath("openapi-typescript")
	if err != nil {
		t.Skip("skipped: openapi-typescript is not installed (npm install -g openapi-typescript)")
	}
	dir := t.TempDir()
	types := filepath.Join(dir, "types.ts")
	if out, err := run(t, dir, nil, tool, description(t, dir), "-o", types); err != nil {
		t.Fatalf("openapi-typescript: %v\n%s", err, out)
	}
	if info, err := os.Stat(types); err != nil || info.Size() == 0 {
		t.Errorf("no types were written: %v", err)
	}
}
