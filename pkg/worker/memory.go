package worker

import "runtime/metrics"

// runtimeMemory is how much memory the runtime has taken from the system so far, in
// bytes, also what it does not use any more.
func runtimeMemory() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
