package partsourcing

import (
	"fmt"
	"os"
	"testing"

	"boardorder/pkg/worker"
)

// workers are those of all tests.
var workers *worker.Pool

func TestMain(m *testing.M) {
	worker.Main(Tasks())
	var err error
	if workers, err = worker.Open(worker.Config{Workers: 1, Memory: 256 << 20, Unconfined: true}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	workers.Close()
	os.Exit(code)
}
