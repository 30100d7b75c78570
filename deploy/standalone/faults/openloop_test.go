package faults_test

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

var (
	loadFor    = flag.Duration("load", 0, "the load test: how long to offer quotes; 0 = leave it out")
	loadRate   = flag.Int("rate", 50, "quotes a second that the load test offers")
	loadPaid   = flag.Int("pay-every", 50, "of so many quotes of the load test one is paid")
	loadFaults = flag.Bool("with-faults", true, "let the scenarios happen during the load test")
)

// scenarioShare is what each scenario and the quiet time before it may take of the run,
// one with another.
const scenarioShare = 90 * time.Second

// maxDrain is how long after a fault what waits because of it may take.
const maxDrain = 10 * time.Second

// An openLoop offers quotes at a fixed rate, whatever becomes of those before.
type openLoop struct {
	s     *stage
	wg    sync.WaitGroup
	mu    sync.Mutex
	open  map[int]time.Time // number of a quote → when it was offered
	took  []time.Duration
	drain []string
	slow  []string // faults after which the backlog took too long

	once    chan struct{} // closed when each fault has happened
	offered time.Duration // for so long
}

// TestLoad offers quotes in an open loop beside the faults: nothing may be lost,
// and the backlog of each fault must be gone soon after it.
func TestLoad(t *testing.T) {
	if *loadFor == 0 {
		t.Skip("takes minutes and the whole machine; ask for it by -load 10m (make test-load)")
	}
	*longForm = true
	p := scenarioPlan()
	p.load = *loadFor + scenarioShare*time.Duration(len(rounds()))
	r := start(t, p, seed())
	s := newStage(t, r)
	ctx, cancel := context.WithTimeout(t.Context(), p.load)
	defer cancel()
	r.giveUp = cancel
	if r.upload(ctx); t.Failed() {
		return
	}
	l := &openLoop{s: s, open: map[int]time.Time{}, once: make(chan struct{})}
	offering, stop := context.WithTimeout(ctx, *loadFor)
	defer stop()
	var faults sync.WaitGroup
	if *loadFaults {
		faults.Go(func() { l.faults(offering) })
	} else {
		close(l.once)
	}
	l.offer(ctx, offering)
	faults.Wait()
	l.wg.Wait()
	r.rest()
	r.check()
	r.report()
	l.report()
}

// offer begins quotes at the rate until offering ends and each fault has happened,
// whatever becomes of them; each has until ctx ends. What the machine was too busy to
// begin in time is begun late and counts from when it was due.
func (l *openLoop) offer(ctx, offering context.Context) {
	c := newClient(l.s.rig)
	defer c.http.CloseIdleConnections()
	began := time.Now()
	defer func() { l.offered = time.Since(began) }()
	for i := 0; ctx.Err() == nil && !(offering.Err() != nil && isClosed(l.once)); i++ {
		due := began.Add(time.Duration(i) * time.Second / time.Duration(*loadRate))
		if wait(ctx, time.Until(due)); l.s.t.Failed() && offering.Err() != nil {
			return
		}
		l.begin(i, due)
		l.wg.Go(func() { l.offerQuote(ctx, c, i) })
	}
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func (l *openLoop) begin(i int, due time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[i] = due
}

// offerQuote asks for a board of some kind and number, and buys some.
func (l *openLoop) offerQuote(ctx context.Context, c *client, i int) {
	name := fmt.Sprintf("board %d", i)
	var upload string
	l.s.ledger.do(func() { upload = l.s.ledger.uploads[i%l.s.plan.uploads] })
	id, err := c.quote(ctx, name, requestOf(upload, name, 5*(1+i%6)))
	l.end(i)
	if err == nil && i%*loadPaid == 0 {
		err = l.s.buy(ctx, id)
	}
	if err != nil {
		l.s.fail(err)
	}
}

func (l *openLoop) end(i int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.took = append(l.took, time.Since(l.open[i]))
	delete(l.open, i)
}

// faults lets one scenario happen after the other, with a quiet time between,
// until ctx ends and each has happened.
func (l *openLoop) faults(ctx context.Context) {
	var drains sync.WaitGroup
	defer drains.Wait()
	l.s.over = func(sc scenario) {
		ended := time.Now()
		drains.Go(func() { l.awaitDrain(sc.name, ended) })
	}
	always := context.WithoutCancel(ctx)
	for round := 0; ; round++ {
		for _, sc := range scenarios {
			if !isChosen(sc) {
				continue
			}
			if wait(always, 10*time.Second); l.s.t.Failed() || round > 0 && ctx.Err() != nil {
				return
			}
			l.s.play(always, sc)
		}
		if round == 0 {
			close(l.once)
		}
	}
}

// awaitDrain waits until every quote that was offered before a fault ended has its
// outcome.
func (l *openLoop) awaitDrain(after string, ended time.Time) {
	waited := l.openSince(ended)
	for l.openSince(ended) > 0 && l.s.t.Context().Err() == nil {
		wait(l.s.t.Context(), 20*time.Millisecond)
	}
	took := time.Since(ended)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.drain = append(l.drain, fmt.Sprintf("%-32s %5d quotes, %5.1f s", after, waited, took.Seconds()))
	if took > maxDrain {
		l.slow = append(l.slow, after)
	}
}

func (l *openLoop) openSince(before time.Time) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, at := range l.open {
		if at.Before(before) {
			n++
		}
	}
	return n
}

func (l *openLoop) report() {
	slices.Sort(l.took)
	at := func(part float64) time.Duration {
		if len(l.took) == 0 {
			return 0
		}
		return l.took[int(part*float64(len(l.took)-1))].Round(time.Millisecond)
	}
	l.s.t.Logf("%d quotes offered in %s at %d a second; %d paid\nuntil the outcome: half %s, 99 of 100 %s, all %s\nuntil the backlog of a fault was gone:", len(l.took), l.offered.Round(time.Second), *loadRate, len(l.s.ledger.paid), at(.5), at(.99), at(1))
	for _, line := range l.drain {
		l.s.t.Log(line)
	}
	for _, name := range l.slow {
		l.s.t.Errorf("after %s the backlog took more than %s", name, maxDrain)
	}
}
