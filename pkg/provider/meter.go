package provider

import (
	"crypto/rand"
	"maps"
	"slices"
	"sync"
	"time"
)

// A Meter counts the calls of this process to one provider. It is safe for concurrent use.
type Meter struct {
	mu       sync.Mutex
	report   Report
	trip     int // failures in a row after which the provider is away
	failures int // in a row
	changes  int
}

// A Set is the meters of a process.
type Set struct {
	id     string // of the process, among all
	mu     sync.Mutex
	meters []*Meter
}

// Process is the meters of this process.
var Process = NewSet()

// NewSet makes a set of another process.
func NewSet() *Set { return &Set{id: rand.Text()} }

// Open gives the meter of a provider, one for each name. The provider is away after so many
// failures in a row, until a call succeeds.
func (s *Set) Open(kind Kind, name string, trip int) *Meter {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.meters {
		if m.report.Kind == kind && m.report.Name == name {
			return m
		}
	}
	m := &Meter{report: Report{Kind: kind, Name: name}, trip: max(trip, 1)}
	s.meters = append(s.meters, m)
	return m
}

// list gives all meters.
func (s *Set) list() []*Meter {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.meters)
}

// Record counts a call that ended now. A call that says nothing about the provider, since
// whoever wanted it went away, is not recorded.
func (m *Meter) Record(now time.Time, took time.Duration, success bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.changes++
	r := &m.report
	if r.FirstCall.IsZero() {
		r.FirstCall = now
	}
	minute := m.minute(now)
	minute.Times[step(took)]++
	if success {
		if !r.AwaySince.IsZero() {
			r.Recovered = now
		}
		m.failures, r.AwaySince, r.LastSuccess = 0, time.Time{}, now
		return
	}
	minute.Failures++
	if m.failures++; m.failures >= m.trip && r.AwaySince.IsZero() {
		r.AwaySince = now
	}
}

// Exhaust says that no call may be made before until: all that we may make are made.
func (m *Meter) Exhaust(now, until time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.changes++
	if m.report.UsedUpUntil.Before(now) {
		m.report.UsedUpSince = now
	}
	m.report.UsedUpUntil = until
}

// minute is the one that a time lies in. Those before the window are forgotten.
func (m *Meter) minute(now time.Time) *Minute {
	r, at := &m.report, minuteOf(now)
	r.Minutes = slices.DeleteFunc(r.Minutes, func(one Minute) bool { return one.At <= at-int64(Window/time.Minute) })
	if n := len(r.Minutes); n == 0 || r.Minutes[n-1].At < at {
		r.Minutes = append(r.Minutes, Minute{At: at, Times: map[int]int{}})
	}
	return &r.Minutes[len(r.Minutes)-1]
}

// read is a copy of what was counted, and how often it has changed.
func (m *Meter) read() (Report, int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.report
	r.Minutes = slices.Clone(r.Minutes)
	for i := range r.Minutes {
		r.Minutes[i].Times = maps.Clone(r.Minutes[i].Times)
	}
	return r, m.changes
}
