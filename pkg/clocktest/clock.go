// Package clocktest gives tests a time that passes when they say so.
package clocktest

import (
	"sync"
	"time"
)

// A Clock stands still until it is moved. It may be read and moved from several goroutines.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// New returns a clock that shows at.
func New(at time.Time) *Clock { return &Clock{at: at} }

// Now is what the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Pass moves the clock on by d.
func (c *Clock) Pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// Reach moves the clock on to at. A time that has passed changes nothing.
func (c *Clock) Reach(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at.After(c.at) {
		c.at = at
	}
}
