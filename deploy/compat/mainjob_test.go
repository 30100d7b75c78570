package compat_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"boardorder/deploy/compat/peers"
)

// root is the repository, found before the S3 gateway, which changes the working
// directory, is started.
var root, errRoot = filepath.Abs("../..")

// rootPath gives a path of the repository.
func rootPath(t *testing.T, path string) string {
	t.Helper()
	if errRoot != nil {
		t.Fatal(errRoot)
	}
	return filepath.Join(root, filepath.FromSlash(path))
}

// TestMainJob walks the whole way of a board over foreign stores. The system
// under test is built with its own dependencies, not with those of the servers
// here, so its tests run as a process of their own.
func TestMainJob(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs another module's tests")
	}
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-timeout=4m", "-run=^(TestMainJob|TestStartedAgain)$", ".")
	cmd.Dir = rootPath(t, "deploy/standalone")
	cmd.Env = append(os.Environ(), "GOWORK=off", "MONGO_URI="+peers.StartMongo(t), "S3_URL="+peers.StartS3(t))
	if os.Getenv("S3_URL") != "" {
		t.Log("over the S3 server of S3_URL")
	}
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
}
