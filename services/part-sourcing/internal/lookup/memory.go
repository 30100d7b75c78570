package lookup

import (
	"context"
	"sync"
	"time"
)

// A Memory is a cache of one process: at most so many entries, the ones that were
// put first forgotten first.
type Memory struct {
	now func() time.Time
	max int

	mu      sync.Mutex
	entries map[string]cached
	order   []string // as put; some are gone
}

type cached struct {
	entry Entry
	until time.Time
}

// NewMemory makes a cache; now is time.Now where it is nil.
func NewMemory(max int, now func() time.Time) *Memory {
	if now == nil {
		now = time.Now
	}
	return &Memory{now: now, max: max, entries: map[string]cached{}}
}

// Get implements Cache.
func (m *Memory) Get(_ context.Context, keys []string) (map[string]Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now, out := m.now(), make(map[string]Entry, len(keys))
	for _, key := range keys {
		if k, ok := m.entries[key]; ok && now.Before(k.until) {
			out[key] = k.entry
		}
	}
	return out, nil
}

// Put implements Cache.
func (m *Memory) Put(_ context.Context, key string, e Entry, ttl time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, known := m.entries[key]; !known {
		m.order = append(m.order, key)
	}
	m.entries[key] = cached{e, m.now().Add(ttl)}
	for len(m.order) > m.max {
		delete(m.entries, m.order[0])
		m.order = m.order[1:]
	}
	return nil
}
