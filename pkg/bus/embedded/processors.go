package embedded

import (
	"os"
	"runtime"
)

// UseProcessors is for programs that run a broker beside other work. Each stream
// that is written keeps a goroutine in a sync, and the runtime leaves it its
// processor for some time, in which nothing else runs there: so there are twice as
// many as the machine has. GOMAXPROCS in the environment stays as it is.
func UseProcessors() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(2 * runtime.GOMAXPROCS(0))
	}
}
