package auth

import (
	"container/list"
	"sync"
	"time"

	"boardorder/pkg/door"
)

const (
	maxFailures   = 60 // unusable keys an address may send …
	failuresEvery = time.Minute
	maxAddresses  = 100_000
)

// Failures counts unusable keys by network, each on its own. Of too many
// networks those are forgotten that failed longest ago.
type Failures struct {
	now func() time.Time

	mu    sync.Mutex
	of    map[string]*list.Element
	order *list.List // of *failing; the latest first
}

type failing struct {
	network string
	since   time.Time
	count   int
}

// NewFailures has counted none.
func NewFailures(now func() time.Time) *Failures {
	return &Failures{now: now, of: map[string]*list.Element{}, order: list.New()}
}

// Count notes a failure and reports whether the address may go on.
func (f *Failures) Count(from string) bool {
	network := door.NetworkName(from)
	f.mu.Lock()
	defer f.mu.Unlock()
	e, known := f.of[network]
	if !known {
		e = f.add(network)
	}
	f.order.MoveToFront(e)
	n := e.Value.(*failing)
	if now := f.now(); now.Sub(n.since) >= failuresEvery {
		n.since, n.count = now, 0
	}
	n.count++
	return n.count <= maxFailures
}

func (f *Failures) add(network string) *list.Element {
	if f.order.Len() >= maxAddresses {
		oldest := f.order.Back()
		delete(f.of, oldest.Value.(*failing).network)
		f.order.Remove(oldest)
	}
	e := f.order.PushFront(&failing{network: network, since: f.now()})
	f.of[network] = e
	return e
}

// IsExhausted reports whether the address has failed too often lately.
func (f *Failures) IsExhausted(from string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	e, known := f.of[door.NetworkName(from)]
	if !known {
		return false
	}
	n := e.Value.(*failing)
	return n.count >= maxFailures && f.now().Sub(n.since) < failuresEvery
}
