package bus

import (
	"sync"
	"time"

	"go.uber.org/zap"
)

// An outage is the time from a consumer's first failure until it has run for a
// while. It is logged when it begins and when it is over, not at each attempt
// in between.
type outage struct {
	log *zap.Logger
	now func() time.Time

	mu       sync.Mutex
	since    time.Time // zero: there is none
	failures int
}

const (
	// reopenFirst and maxReopen bound the pause between two attempts to open a
	// consumer, which doubles.
	reopenFirst, maxReopen = 500 * time.Millisecond, 2 * time.Second
	// steadyAfter is how long a consumer runs until its outage is over: longer
	// than a broker that says nothing is waited for.
	steadyAfter = unavailableDelay + time.Second
)

// noteFailure notes a failure and gives the pause before the next attempt.
func (o *outage) noteFailure(err error) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.since.IsZero() {
		o.since = o.now()
		o.log.Warn("consumer stopped", zap.Error(err))
	}
	o.failures++
	return min(reopenFirst<<min(o.failures-1, 10), maxReopen)
}

// noteRecovery notes that the consumer runs.
func (o *outage) noteRecovery() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.since.IsZero() {
		return
	}
	o.log.Info("consumer resumed", zap.Duration("after", o.now().Sub(o.since)), zap.Int("failures", o.failures))
	o.since, o.failures = time.Time{}, 0
}
