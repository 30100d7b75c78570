// Package feedcache reads owners' public events for many endpoints: what several endpoints of an
// owner read lies in memory for a while, and where nothing new came nobody asks again.
package feedcache

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract/feed"
)

// Source is the stream of public events.
type Source interface {
	// PublicAfter gives the first event after a sequence, of an owner's object or, for "*", of
	// all that it has; or aggregate.ErrNone.
	PublicAfter(ctx context.Context, owner, key string, after uint64) (feed.Entry, error)
}

// kept is how many events of an owner lie in memory.
const kept = 64

// A Cache is for all owners.
type Cache struct {
	source Source
	mu     sync.Mutex
	owners map[string]*recent
}

// recent are an owner's last events, without a gap: all that lie after from, up to the last of them.
type recent struct {
	mu      sync.Mutex
	from    uint64
	entries []feed.Entry
	begun   bool
	hints   atomic.Int64 // calls that there is something new
	ended   bool         // at the hint of endedAt nothing lay after the last entry
	endedAt int64
}

// New makes a cache.
func New(source Source) *Cache { return &Cache{source: source, owners: map[string]*recent{}} }

func (c *Cache) recentOf(owner string) *recent {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.owners[owner]
	if r == nil {
		r = &recent{}
		c.owners[owner] = r
	}
	return r
}

// Hint says that an owner may have new events. It does not wait for who reads.
func (c *Cache) Hint(owner string) { c.recentOf(owner).hints.Add(1) }

// Forget lets go of an owner's events: it has no endpoint any more.
func (c *Cache) Forget(owner string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.owners, owner)
}

// ReadAfter gives an owner's first event after a sequence, or aggregate.ErrNone: one that came since
// the last hint may be missing. An endpoint that is behind what lies in memory reads for itself.
func (c *Cache) ReadAfter(ctx context.Context, owner string, after uint64) (feed.Entry, error) {
	r := c.recentOf(owner)
	r.mu.Lock()
	if r.begun && after < r.from {
		r.mu.Unlock()
		return c.source.PublicAfter(ctx, owner, "*", after)
	}
	defer r.mu.Unlock()
	if i := slices.IndexFunc(r.entries, func(e feed.Entry) bool { return e.Seq > after }); i >= 0 {
		return r.entries[i], nil
	}
	if !r.begun || after > r.end() {
		r.begun, r.from, r.entries, r.ended = true, after, nil, false
	}
	hints := r.hints.Load()
	if r.ended && r.endedAt == hints {
		return feed.Entry{}, aggregate.ErrNone
	}
	e, err := c.source.PublicAfter(ctx, owner, "*", after)
	switch {
	case errors.Is(err, aggregate.ErrNone):
		r.ended, r.endedAt = true, hints
	case err == nil:
		r.append(e)
	}
	return e, err
}

// end is up to where all lies in memory.
func (r *recent) end() uint64 {
	if n := len(r.entries); n > 0 {
		return r.entries[n-1].Seq
	}
	return r.from
}

func (r *recent) append(e feed.Entry) {
	r.ended = false
	if len(r.entries) == kept {
		r.from = r.entries[0].Seq
		r.entries = append(r.entries[:0], r.entries[1:]...)
	}
	r.entries = append(r.entries, e)
}

// ReadAt gives the event of an owner's object at a sequence, or aggregate.ErrNone where it is not kept
// any more.
func (c *Cache) ReadAt(ctx context.Context, owner, key string, seq uint64) (feed.Entry, error) {
	r := c.recentOf(owner)
	r.mu.Lock()
	i := slices.IndexFunc(r.entries, func(e feed.Entry) bool { return e.Seq == seq })
	if i >= 0 {
		defer r.mu.Unlock()
		return r.entries[i], nil
	}
	r.mu.Unlock()
	e, err := c.source.PublicAfter(ctx, owner, key, seq-1)
	if err == nil && e.Seq != seq {
		return feed.Entry{}, aggregate.ErrNone
	}
	return e, err
}

// ReadNext gives the object's next event after a sequence, as far as end, or aggregate.ErrNone.
func (c *Cache) ReadNext(ctx context.Context, owner, key string, after, end uint64) (feed.Entry, error) {
	r := c.recentOf(owner)
	r.mu.Lock()
	if n := len(r.entries); n > 0 && after >= r.from && end <= r.entries[n-1].Seq { // all of them lie here
		defer r.mu.Unlock()
		i := slices.IndexFunc(r.entries, func(e feed.Entry) bool { return e.Seq > after && e.Seq <= end && e.Key == key })
		if i < 0 {
			return feed.Entry{}, aggregate.ErrNone
		}
		return r.entries[i], nil
	}
	r.mu.Unlock()
	e, err := c.source.PublicAfter(ctx, owner, key, after)
	if err == nil && e.Seq > end {
		return feed.Entry{}, aggregate.ErrNone
	}
	return e, err
}
