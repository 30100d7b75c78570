package lookup

import (
	"time"
)

// How often those who wait for another replica look whether it has answered: less
// often the longer it takes.
const (
	shortestPause = 25 * time.Millisecond
	longestPause  = time.Second
)

// claim gives those of a batch that this replica asks about, until it releases
// them. What another asks about is waited for beside the calls, and what is next
// in the queue takes its place, so that calls stay full.
func (c *asker) claim(batch []*flight) (mine []*flight, release func()) {
	if c.engine.claims == nil || c.supply.Policy == (Policy{}) { // where nothing is kept, who waited would find nothing
		return batch, func() {}
	}
	var releases []func()
	for size := c.supply.Source.Batch(); len(batch) > 0; {
		free, release := c.claimEach(batch)
		mine, releases = append(mine, free...), append(releases, release)
		if len(free) == len(batch) {
			break
		}
		c.mu.Lock()
		batch = c.dequeue(size - len(mine))
		c.mu.Unlock()
	}
	return mine, func() {
		for _, release := range releases {
			release()
		}
	}
}

// claimEach gives those that nobody else asks about and that are not answered yet.
func (c *asker) claimEach(batch []*flight) (mine []*flight, release func()) {
	held, release, err := c.engine.claims.Take(c.engine.ctx, c.keys(batch))
	mine, theirs := c.divide(batch, held)
	if len(theirs) > 0 {
		c.calls.Go(func() { c.await(theirs) })
	}
	if err != nil { // a source is asked twice rather than not at all
		return mine, release
	}
	return c.settleAnswered(mine), release // who had a claim until now may have answered
}

// await settles flights with what another replica is told, and has those asked
// about whose claims end without an answer.
func (c *asker) await(theirs []*flight) {
	begun := time.Now()
	for len(theirs) > 0 {
		t := time.NewTimer(min(max(time.Since(begun)/4, shortestPause), longestPause))
		select {
		case <-t.C:
		case <-c.engine.ctx.Done(): // the calls end at once
			t.Stop()
			c.mu.Lock()
			defer c.mu.Unlock()
			c.enqueue(theirs...)
			return
		}
		if theirs = c.settleAnswered(theirs); len(theirs) == 0 {
			return
		}
		held, _ := c.engine.claims.FindHeld(c.engine.ctx, c.keys(theirs)) // what cannot be told is tried
		var free []*flight
		free, theirs = c.divide(theirs, held)
		c.mu.Lock()
		c.enqueue(free...)
		c.mu.Unlock()
	}
}

// settleAnswered settles the flights whose answers the cache has by now, and gives the
// others.
func (c *asker) settleAnswered(flights []*flight) (open []*flight) {
	if len(flights) == 0 {
		return nil
	}
	cached := c.engine.readCache(c.engine.ctx, c, c.keys(flights), time.Time{})
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range flights {
		if e, ok := cached[c.key(f.query)]; ok && !e.At.Before(f.since) {
			c.answer(f, e)
		} else {
			open = append(open, f)
		}
	}
	return open
}

func (c *asker) keys(flights []*flight) []string {
	keys := make([]string, len(flights))
	for i, f := range flights {
		keys[i] = c.key(f.query)
	}
	return keys
}

func (c *asker) divide(flights []*flight, held map[string]bool) (free, theirs []*flight) {
	for _, f := range flights {
		if held[c.key(f.query)] {
			theirs = append(theirs, f)
		} else {
			free = append(free, f)
		}
	}
	return free, theirs
}
