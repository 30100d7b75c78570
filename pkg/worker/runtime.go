package worker

import (
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
)

const (
	maxStack  = 64 << 20 // bytes of one goroutine's stack
	gcPercent = 200      // most of what a job allocates lives as long as the job
)

// limitRuntime lets the runtime collect in time to stay within the memory. When
// the program is asked to end, it still needs its workers for the running jobs.
func limitRuntime(s settings) {
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	runtime.GOMAXPROCS(s.Processors)
	debug.SetMaxStack(maxStack)
	debug.SetGCPercent(gcPercent)
	debug.SetMemoryLimit(s.Memory / 4 * 3)
}
