// Package mcptest runs the conformance suite of those who write the protocol of agents.
package mcptest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// RunSuite runs scenarios against an endpoint at url, with the suite and Node as
// deploy/compat/agents has them, installed in folder; what fails unexpectedly fails the test.
func RunSuite(t *testing.T, folder, url string, args ...string) {
	t.Helper()
	bin, err := filepath.Abs(filepath.Join(folder, "node_modules", ".bin"))
	if err != nil {
		t.Fatal(err)
	}
	results := t.TempDir()
	cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "node"), append([]string{filepath.Join(bin, "conformance"), "server", "--url", url, "--output-dir", results}, args...)...)
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("conformance %v: %v, want it to pass\n%s\nwhat failed:\n%s", args, err, out, failures(t, results))
	}
}

// failures lists what failed, and why, of all scenarios.
func failures(t *testing.T, results string) (out []byte) {
	files, err := filepath.Glob(filepath.Join(results, "*", "checks.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		var checks []map[string]any
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &checks)
		}
		if err != nil {
			t.Error(err)
		}
		for _, c := range checks {
			if c["status"] != "SUCCESS" && c["status"] != "INFO" {
				line, _ := json.Marshal([]any{filepath.Base(filepath.Dir(file)), c["id"], c["status"], c["errorMessage"], c["details"]}) // of what was JSON
				out = append(append(out, line...), '\n')
			}
		}
	}
	return out
}
