package standalone_test

import (
	"os"
	"testing"

	"boardorder/deploy/standalone"
	"boardorder/pkg/worker"
)

func TestMain(m *testing.M) {
	worker.Main(standalone.Tasks()...)
	os.Exit(m.Run())
}
