package worker

import (
	"runtime"
	"runtime/debug"
)

const (
	maxStack  = 64 << 20 // bytes of one goroutine's stack
	gcPercent = 200      // most of what a job allocates lives as long as the job
)

// limitRuntime lets the runtime collect in time to stay within the memory.
func limitRuntime(s settings) {
	runtime.GOMAXPROCS(s.Processors)
	debug.SetMaxStack(maxStack)
	debug.SetGCPercent(gcPercent)
	debug.SetMemoryLimit(s.Memory / 4 * 3)
}
