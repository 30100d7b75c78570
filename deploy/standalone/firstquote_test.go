package standalone_test

import (
	"encoding/json"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFirstQuote: the programs of the reference, as its page shows them, lead from a
// file to a price. What needs a compiler or the network runs in the long tests.
func TestFirstQuote(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	status, _, text := s.fetch(t, s.BaseURL+"/docs/first-quote")
	if status != 200 {
		t.Fatalf("the page of the first quote: %d %s", status, text)
	}
	key, err := os.ReadFile(filepath.Join(s.dir, "demo-test.key"))
	if err != nil {
		t.Fatal(err)
	}
	// What the libraries do is run by their own tests: make test-clients.
	for language, example := range map[string]string{"Python": "python/examples/first_quote.py", "TypeScript": "typescript/examples/first-quote.ts"} {
		code, err := os.ReadFile(filepath.Join("..", "clients", filepath.FromSlash(example)))
		if err != nil {
			t.Fatal(err)
		}
		if shown := html.UnescapeString(text); !strings.Contains(shown, `aria-label="Code in `+language+` with the library"><code>`+string(code)+"</code>") {
			t.Errorf("the page does not show %s as it is:\n%s\nIt says\n%s", example, code, shown)
		}
	}
	programs := map[string]func(t *testing.T, dir, code string) *exec.Cmd{"Shell": shellProgram, "Python": pythonProgram}
	if !testing.Short() {
		programs["TypeScript"], programs["Go"] = typeScriptProgram, goProgram
	}
	for language, run := range programs {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			m := regexp.MustCompile(`(?s)aria-label="Code in ` + language + `"><code>(.*?)</code>`).FindStringSubmatch(text)
			if m == nil {
				t.Fatalf("the page has no code in %s", language)
			}
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "board.zip"), s.sample(t), 0o600); err != nil {
				t.Fatal(err)
			}
			c := run(t, dir, html.UnescapeString(m[1]))
			c.Dir, c.Env = dir, append(c.Environ(), "BASE="+s.BaseURL, "KEY="+strings.TrimSpace(string(key)))
			out, err := c.CombinedOutput()
			if err != nil || !regexp.MustCompile(`\$\d+\.\d\d`).Match(out) || !strings.Contains(string(out), s.BaseURL+"/checkout/") {
				t.Errorf("%s printed %q, %v; want a price and the address of its checkout", language, out, err)
			}
		})
	}
}

// findProgram gives a program of the machine, or skips the test.
func findProgram(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("skipped: %s is not installed", name)
	}
	return path
}

func writeProgram(t *testing.T, dir, name, code string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
}

func shellProgram(t *testing.T, dir, code string) *exec.Cmd {
	findProgram(t, "curl")
	writeProgram(t, dir, "first-quote.sh", code)
	return exec.CommandContext(t.Context(), findProgram(t, "sh"), "first-quote.sh")
}

func pythonProgram(t *testing.T, dir, code string) *exec.Cmd {
	python := findProgram(t, "python3")
	if out, err := exec.CommandContext(t.Context(), python, "-c", "import requests").CombinedOutput(); err != nil {
		t.Skipf("skipped: Python's requests is not installed: %.200s", out)
	}
	writeProgram(t, dir, "first-quote.py", code)
	return exec.CommandContext(t.Context(), python, "first-quote.py")
}

func goProgram(t *testing.T, dir, code string) *exec.Cmd {
	writeProgram(t, dir, "main.go", code)
	c := exec.CommandContext(t.Context(), "go", "run", "main.go")
	c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	return c
}

// typeScriptProgram checks the types, and translates for releases of Node that cannot
// run TypeScript themselves.
func typeScriptProgram(t *testing.T, dir, code string) *exec.Cmd {
	node, npm := findProgram(t, "node"), findProgram(t, "npm")
	tools, err := json.Marshal(map[string]any{"private": true, "type": "module", "dependencies": map[string]string{"typescript": "5.9.3", "@types/node": "24.10.1"}})
	if err != nil {
		t.Fatal(err)
	}
	writeProgram(t, dir, "package.json", string(tools))
	writeProgram(t, dir, "first-quote.ts", code)
	install := exec.CommandContext(t.Context(), npm, "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("skipped: TypeScript cannot be fetched here: %v\n%.500s", err, out)
	}
	compile := exec.CommandContext(t.Context(), filepath.Join(dir, "node_modules", ".bin", "tsc"), "--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck", "first-quote.ts")
	compile.Dir = dir
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("the program does not compile: %v\n%s", err, out)
	}
	return exec.CommandContext(t.Context(), node, "first-quote.js")
}
