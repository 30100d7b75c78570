package order

import (
	"maps"
	"sync"
	"time"
)

// Settling counts how long requests to the fabricator have had to arrive. Only
// once that is long enough does "no such order" mean that there is none.
//
// A request leaves within half of Time after its placing event was begun, by the
// clock of the process that sends it; every other process counts the whole of
// Time from when it first saw that attempt, by its own. So no two clocks are ever
// compared, and a process that knows nothing waits longer, never shorter.
type Settling struct {
	Time time.Duration

	mu   sync.Mutex
	seen map[string]sighting // by quote ref
}

type sighting struct {
	attempt int // at placing the order
	at      time.Time
}

// Began notes a request that this process is about to send; at is a time before
// its event was stored.
func (s *Settling) Began(quote string, attempt int, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.note(quote, sighting{attempt, at})
}

// TimeLeft is how long it takes until a request whose outcome is unknown must have
// arrived; the count begins with the first call for the attempt.
func (s *Settling) TimeLeft(quote string, attempt int, now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if seen, ok := s.seen[quote]; !ok || seen.attempt != attempt {
		s.note(quote, sighting{attempt, now})
	}
	return max(0, s.seen[quote].at.Add(s.Time).Sub(now))
}

// retention is for how many times Time a sighting is kept: another process may have
// settled the order. What is forgotten too early is counted anew.
const retention = 30

func (s *Settling) note(quote string, seen sighting) {
	maps.DeleteFunc(s.seen, func(_ string, old sighting) bool { return seen.at.Sub(old.at) > retention*s.Time })
	if s.seen == nil {
		s.seen = map[string]sighting{}
	}
	s.seen[quote] = seen
}
