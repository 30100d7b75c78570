//go:build unix

package door

import (
	"math"
	"syscall"
)

// descriptors is how many this process may have open; 0 where it is not known.
func descriptors() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return int(min(uint64(limit.Cur), math.MaxInt32)) //nolint:unconvert,gosec // signed on some systems; bounded
}
