package session

import (
	"sync"
	"time"
)

// How many attempts to sign in may fail within attemptWindow: from one address
// for one name, from one address, and for one name from anywhere. The last is
// wide, so that a stranger cannot easily lock an operator out.
const (
	attemptWindow  = 15 * time.Minute
	perPair        = 5
	perAddress     = 30
	perName        = 100
	mostRemembered = 10_000
)

// Attempts counts attempts to sign in that failed.
type Attempts struct {
	now func() time.Time

	mu    sync.Mutex
	tries map[string][]time.Time
}

// NewAttempts has counted none.
func NewAttempts(now func() time.Time) *Attempts {
	return &Attempts{now: now, tries: map[string][]time.Time{}}
}

type limit struct {
	key  string
	most int
}

func bounds(address, name string) []limit {
	return []limit{{"pair " + address + " " + name, perPair}, {"address " + address, perAddress}, {"name " + name, perName}}
}

// Wait is how long no further attempt is looked at; 0: it may be made.
func (a *Attempts) Wait(address, name string) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	var wait time.Duration
	for _, b := range bounds(address, name) {
		if tries := a.recent(b.key); len(tries) >= b.most {
			wait = max(wait, tries[len(tries)-b.most].Add(attemptWindow).Sub(a.now()))
		}
	}
	return wait
}

// Failed counts one.
func (a *Attempts) Failed(address, name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.tries) > mostRemembered {
		a.sweep()
	}
	for _, b := range bounds(address, name) {
		a.tries[b.key] = append(a.recent(b.key), a.now())
	}
}

// Succeeded forgets the failures of a name from an address.
func (a *Attempts) Succeeded(address, name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.tries, bounds(address, name)[0].key)
}

func (a *Attempts) recent(key string) []time.Time {
	tries := a.tries[key]
	for len(tries) > 0 && a.now().Sub(tries[0]) >= attemptWindow {
		tries = tries[1:]
	}
	return tries
}

// sweep forgets what is old, and everything if that is not enough: memory is
// bounded whoever knocks.
func (a *Attempts) sweep() {
	for key := range a.tries {
		if len(a.recent(key)) == 0 {
			delete(a.tries, key)
		}
	}
	if len(a.tries) > mostRemembered {
		clear(a.tries)
	}
}
