package designcheck_test

import (
	"fmt"
	"os"
	"testing"

	"boardorder/pkg/worker"
	designcheck "boardorder/services/design-check"
)

// workers are those of all tests but of the ones that end workers.
var workers *worker.Pool

func TestMain(m *testing.M) {
	worker.Main(designcheck.Tasks(), hostile)
	var err error
	if workers, err = worker.Open(worker.Config{Workers: 2, Unconfined: true}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	workers.Close()
	os.Exit(code)
}
