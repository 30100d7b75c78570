package embedded_test

import (
	"runtime"
	"testing"

	"boardorder/pkg/bus/embedded"
)

// It changes the whole process, so it runs beside no other test.
func TestUseProcessors(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	t.Setenv("GOMAXPROCS", "3")
	if embedded.UseProcessors(); runtime.GOMAXPROCS(0) != before {
		t.Errorf("%d processors; want those of the environment, %d", runtime.GOMAXPROCS(0), before)
	}
	t.Setenv("GOMAXPROCS", "")
	if embedded.UseProcessors(); runtime.GOMAXPROCS(0) != 2*before {
		t.Errorf("%d processors; want %d", runtime.GOMAXPROCS(0), 2*before)
	}
}
