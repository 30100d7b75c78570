package designcheck

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"
)

const (
	// bigBytes is what makes files big: those that take seconds rather than
	// fractions of one.
	bigBytes = 8 << 20
	// maxWait is how long a slot is waited for at a time.
	maxWait = 2 * time.Minute
	// costHalfLife is how fast it is forgotten what an account's work took.
	costHalfLife = time.Minute
)

var (
	errCrowded = errors.New("too much work waits already")
	errShut    = errors.New("no work is admitted any more")
)

// work is what asks for a slot.
type work struct {
	account string
	long    bool  // it may take as long as anything does
	size    int64 // of the files, in bytes
}

// A gate admits work to the slots that there are. Work is short until shown
// otherwise. Long work has half of the slots at most, and so has the work of
// one account; of those that wait that goes first whose account's work took least
// lately, together with what this is expected to take. So while others send the
// worst that they may, small work waits for one of theirs at most. More than a few
// do not wait here at all: they would keep others from being taken in hand.
type gate struct {
	now     func() time.Time
	slots   int
	half    int
	maxWait int // of one account
	short   time.Duration

	mu       sync.Mutex
	running  int
	long     int
	behind   int // of those that run
	accounts map[string]*usage
	waiting  []*waiter // in order of arrival
	shut     bool
}

// usage is what one account uses.
type usage struct {
	running, waiting int
	cost             float64 // seconds of work, of which half is forgotten in each costHalfLife
	at               time.Time
	typical          time.Duration // what its last work took, the longer ones more so
}

type waiter struct {
	work
	admitted chan struct{}
	err      error // valid once admitted is closed
}

// newGate makes a gate for so many slots. Work that takes longer than short is long.
func newGate(slots, maxWait int, short time.Duration, now func() time.Time) *gate {
	slots = max(slots, 1)
	return &gate{now: now, slots: slots, half: max(slots/2, 1), maxWait: max(maxWait, 1), short: short, accounts: map[string]*usage{}}
}

// A slot is held by one piece of work.
type slot struct {
	work
	gate   *gate
	since  time.Time
	behind bool
}

// enterBehind gives a slot for work that nobody waits for, or nil while it has to stand
// back: others wait, half of the slots are at such work, or no slot would be left for who
// comes next. It does not count as the account's, which has its own work done meanwhile.
func (g *gate) enterBehind(account string) *slot {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut || len(g.waiting) > 0 || g.running >= max(g.slots-1, 1) || g.behind >= g.half {
		return nil
	}
	g.running++
	g.behind++
	return &slot{work: work{account: account}, gate: g, since: g.now(), behind: true}
}

// enter waits for a slot.
func (g *gate) enter(ctx context.Context, w work) (*slot, error) {
	ctx, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	waiter, err := g.queue(w)
	if err != nil {
		return nil, err
	}
	select {
	case <-waiter.admitted:
	case <-ctx.Done():
		g.withdraw(waiter, ctx.Err())
	}
	<-waiter.admitted
	if waiter.err != nil {
		return nil, fmt.Errorf("wait for a slot: %w", waiter.err)
	}
	return &slot{work: waiter.work, gate: g, since: g.now()}, nil
}

func (g *gate) queue(w work) (*waiter, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	u := g.usage(w.account)
	switch {
	case g.shut:
		return nil, errShut
	case u.waiting >= g.maxWait:
		return nil, errCrowded
	}
	w.long = w.long || u.typical > g.short
	waiting := &waiter{work: w, admitted: make(chan struct{})}
	g.waiting = append(g.waiting, waiting)
	u.waiting++
	g.admit()
	if len(g.waiting) > 2*g.maxWait {
		g.giveWay()
	}
	return waiting, nil
}

// giveWay has the one wait elsewhere that is least due. The lock is held.
func (g *gate) giveWay() {
	last := 0
	for i, w := range g.waiting {
		if !g.precedes(w, g.waiting[last]) {
			last = i
		}
	}
	w := g.waiting[last]
	g.remove(last)
	w.err = errCrowded
	close(w.admitted)
}

// precedes reports whether a goes before b, which came earlier, if at all.
func (g *gate) precedes(a, b *waiter) bool {
	if x, y := g.due(a), g.due(b); x != y {
		return x < y
	}
	return a.size < b.size
}

// due is what an account's work took lately and this is expected to take, in
// seconds: as much as short work may, unless the account's last says otherwise.
func (g *gate) due(w *waiter) float64 {
	u := g.usage(w.account)
	expected := u.typical
	if w.long || expected == 0 {
		expected = max(expected, g.short)
	}
	return u.cost + expected.Seconds()
}

// withdraw ends a wait, unless the slot has been given meanwhile.
func (g *gate) withdraw(w *waiter, why error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, other := range g.waiting {
		if other == w {
			g.remove(i)
			w.err = why
			close(w.admitted)
		}
	}
}

func (g *gate) remove(i int) {
	g.usage(g.waiting[i].account).waiting--
	g.waiting = append(g.waiting[:i], g.waiting[i+1:]...)
}

// admit gives slots to whom they are due. The lock is held.
func (g *gate) admit() {
	for {
		i := g.dueIndex()
		if i < 0 {
			return
		}
		w := g.waiting[i]
		g.remove(i)
		g.running++
		g.usage(w.account).running++
		if w.long {
			g.long++
		}
		close(w.admitted)
	}
}

// dueIndex is the index of the one that is due, or -1.
func (g *gate) dueIndex() int {
	best := -1
	for i, w := range g.waiting {
		u := g.usage(w.account)
		if g.running >= g.slots || u.running >= g.half || w.long && g.long >= g.half {
			continue
		}
		if best < 0 || g.precedes(w, g.waiting[best]) {
			best = i
		}
	}
	return best
}

// usage is what an account uses, as of now. Those that use nothing are dropped.
func (g *gate) usage(account string) *usage {
	now := g.now()
	u := g.accounts[account]
	if u == nil {
		g.dropIdle(now)
		u = &usage{at: now}
		g.accounts[account] = u
	}
	u.decay(now)
	return u
}

// maxAccounts is how many accounts are remembered before idle ones are dropped.
const maxAccounts = 1000

func (g *gate) dropIdle(now time.Time) {
	if len(g.accounts) < maxAccounts {
		return
	}
	for name, u := range g.accounts {
		if u.decay(now); u.running+u.waiting == 0 && u.cost < 0.01 {
			delete(g.accounts, name)
		}
	}
}

func (u *usage) decay(now time.Time) {
	u.cost *= math.Exp2(-float64(now.Sub(u.at)) / float64(costHalfLife))
	u.at = now
}

// lengthen makes short work long, if there is a slot for it among the long.
func (p *slot) lengthen() bool {
	g := p.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case p.long:
		return true
	case g.long >= g.half:
		return false
	}
	g.long++
	p.long = true
	return true
}

// hasRival reports whether short work of another account waits for the slot.
func (p *slot) hasRival() bool {
	g := p.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, w := range g.waiting {
		if !w.long && w.account != p.account {
			return true
		}
	}
	return false
}

// leave gives the slot to the next one.
func (p *slot) leave() {
	g := p.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	took := g.now().Sub(p.since)
	u := g.usage(p.account)
	u.cost += took.Seconds()
	if p.behind {
		g.behind--
	} else {
		u.running--
		u.typical = max(took, (u.typical+took)/2)
	}
	g.running--
	if p.long {
		g.long--
	}
	g.admit()
}

// close ends all waits, and admits nobody any more.
func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = true
	for _, w := range g.waiting {
		g.usage(w.account).waiting--
		w.err = errShut
		close(w.admitted)
	}
	g.waiting = nil
}
