package openapi_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"boardorder/services/edge/internal/openapi"
)

// saveDescription writes the description as it is served, and gives its path.
func saveDescription(t *testing.T, dir string) string {
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

// Go clients are generated from the description as it is served, without an option of
// the generator that would make it easier, and compile. The generators are pinned, so
// that they fail for our changes alone.
func TestGoClientsCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: builds generators and clients")
	}
	t.Parallel()
	for tool, generate := range map[string]struct {
		install string
		args    func(target, document string) []string
	}{
		"oapi-codegen": {"github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2", func(target, document string) []string {
			return []string{"-generate", "types,client", "-package", "client", "-o", filepath.Join(target, "client.go"), document}
		}},
		"ogen": {"github.com/ogen-go/ogen/cmd/ogen@v1.24.0", func(target, document string) []string {
			return []string{"-package", "client", "-target", target, document}
		}},
	} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			alone := []string{"GOWORK=off", "GOFLAGS=-mod=mod", "GOBIN=" + dir}
			if out, err := run(t, dir, alone, "go", "install", generate.install); err != nil {
				t.Skipf("skipped: %s cannot be fetched here: %v\n%.500s", generate.install, err, out)
			}
			document := saveDescription(t, dir)
			client := filepath.Join(dir, "client")
			if err := os.Mkdir(client, 0o755); err != nil {
				t.Fatal(err)
			}
			if out, err := run(t, client, alone, "go", "mod", "init", "example.com/client"); err != nil {
				t.Fatalf("go mod init: %v\n%s", err, out)
			}
			if out, err := run(t, client, alone, filepath.Join(dir, tool), generate.args(client, document)...); err != nil {
				t.Fatalf("%s: %v\n%s", tool, err, out[max(0, len(out)-1000):])
			}
			if out, err := run(t, client, alone, "go", "mod", "tidy"); err != nil {
				t.Skipf("skipped: what the client needs cannot be fetched here: %v\n%.500s", err, out)
			}
			if out, err := run(t, client, alone, "go", "vet", "."); err != nil {
				t.Errorf("the client of %s does not compile: %v\n%.1000s", tool, err, out)
			}
		})
	}
}

// TypeScript's types are generated from the description, and the requests in
// testdata/typescript/use.ts compile against them.
func TestTypeScriptClientCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: fetches a generator and a compiler")
	}
	t.Parallel()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("skipped: npm is not installed")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "typescript"))); err != nil {
		t.Fatal(err)
	}
	if out, err := run(t, dir, nil, "npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"); err != nil {
		t.Skipf("skipped: openapi-typescript cannot be fetched here: %v\n%.500s", err, out)
	}
	tools := filepath.Join(dir, "node_modules", ".bin")
	if out, err := run(t, dir, nil, filepath.Join(tools, "openapi-typescript"), saveDescription(t, dir), "-o", "api.ts"); err != nil {
		t.Fatalf("openapi-typescript: %v\n%.1000s", err, out)
	}
	if out, err := run(t, dir, nil, filepath.Join(tools, "tsc"), "--noEmit", "--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler", "--skipLibCheck", "use.ts"); err != nil {
		t.Errorf("requests do not compile against the types: %v\n%s", err, out)
	}
}
