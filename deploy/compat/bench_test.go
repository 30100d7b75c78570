package compat_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"boardorder/deploy/compat/peers"
)

// TestBench measures over MongoDB what is otherwise measured over the embedded store:
// the console's search among as many quotes as -documents says, and the pipeline by the
// program bench that BENCH names. Run it with make bench-mongodb.
func TestBench(t *testing.T) {
	program := os.Getenv("BENCH")
	if program == "" {
		t.Skip("measures; run make bench-mongodb")
	}
	for _, of := range []struct {
		name, folder string
		args         []string
	}{
		{"search", "services/console", []string{"go", "test", "-count=1", "-v", "-timeout=60m", "-run=^TestBenchSearch$", "."}},
		{"pipeline", ".", []string{program, "-waiting", "0"}},
	} {
		t.Run(of.name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), of.args[0], of.args[1:]...)
			cmd.Dir = rootPath(t, of.folder)
			cmd.Env = append(os.Environ(), "GOWORK=off", "BENCH_CONSOLE=1", fmt.Sprint("DOCUMENTS=", *documents), "MONGO_URI="+peers.StartMongo(t))
			out, err := cmd.CombinedOutput()
			t.Logf("%s", out)
			if err != nil {
				t.Error(err)
			}
		})
	}
}
