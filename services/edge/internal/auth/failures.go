package auth

import (
	"sync"
	"time"
)

const (
	failuresMost  = 60 // unusable keys an address may send …
	failuresEvery = time.Minute
	mostAddresses = 100_000
)

// Failures counts unusable keys by address, each address on its own.
type Failures struct {
	now func() time.Time

	mu    sync.Mutex
	since time.Time
	count map[string]int
}

// NewFailures starts with a clean slate.
func NewFailures(now func() time.Time) *Failures {
	return &Failures{now: now, count: map[string]int{}}
}

// Count notes a failure and tells whether the address may go on.
func (f *Failures) Count(from string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.turn()
	if len(f.count) < mostAddresses || f.count[from] > 0 {
		f.count[from]++
	}
	return f.count[from] <= failuresMost
}

// Exhausted tells whether the address has failed too often lately.
func (f *Failures) Exhausted(from string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.turn()
	return f.count[from] >= failuresMost
}

func (f *Failures) turn() {
	if now := f.now(); now.Sub(f.since) >= failuresEvery {
		f.since, f.count = now, map[string]int{}
	}
}
