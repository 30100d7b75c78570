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

// drainMost is how long after a fault what waits because of it may take.
const drainMost = 10 * time.Second

// An openLoop offers quotes at a fixed rate, whatever becomes of those before.
type openLoop struct {
	s     *stage
	wg    sync.WaitGroup
	mu    sync.Mutex
	open  map[int]time.Time // number of a quote → when it was offered
	took  []time.Duration
	drain []string
	slow  []string // faults after which the backlog took too long
}

// TestLoad offers quotes in an open loop beside the faults: nothing may be lost,
// and the backlog of each fault must be gone soon after it.
func TestLoad(t *testing.T) {
	if *loadFor == 0 {
		t.Skip("takes minutes and the whole machine; ask for it by -load 10m (make test-load)")
	}
	*longForm = true
	p := scenarioPlan()
	p.load = *loadFor + 10*time.Minute
	r := start(t, p, seed())
	s := newStage(t, r)
	ctx, cancel := context.WithTimeout(t.Context(), p.load)
	defer cancel()
	r.giveUp = cancel
	if r.upload(ctx); t.Failed() {
		return
	}
	l := &openLoop{s: s, open: map[int]time.Time{}}
	offering, stop := context.WithTimeout(ctx, *loadFor)
	defer stop()
	var faults sync.WaitGroup
	if *loadFaults {
		faults.Go(func() { l.faults(offering) })
	}
	l.offer(ctx, offering)
	faults.Wait()
	l.wg.Wait()
	r.rest()
	r.check()
	r.report()
	l.report()
}

// offer begins a quote at every tick until offering ends; each has until ctx ends.
func (l *openLoop) offer(ctx, offering context.Context) {
	tick := time.NewTicker(time.Second / time.Duration(*loadRate))
	defer tick.Stop()
	c := newClient(l.s.rig)
	defer c.http.CloseIdleConnections()
	for i := 0; ; i++ {
		select {
		case <-offering.Done():
			return
		case <-tick.C:
			l.begin(i)
			l.wg.Go(func() { l.one(ctx, c, i) })
		}
	}
}

func (l *openLoop) begin(i int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[i] = time.Now()
}

func (l *openLoop) one(ctx context.Context, c *client, i int) {
	name := fmt.Sprintf("board %d", i)
	id, err := c.quote(ctx, name, l.s.request(name))
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
// until ctx ends.
func (l *openLoop) faults(ctx context.Context) {
	for {
		for _, sc := range scenarios {
			if wait(ctx, 10*time.Second); ctx.Err() != nil || l.s.t.Failed() {
				return
			}
			l.drained(sc.name, l.s.play(context.WithoutCancel(ctx), sc))
		}
	}
}

// drained waits until every quote that was offered before a fault ended has its
// outcome.
func (l *openLoop) drained(after string, ended time.Time) {
	for l.openSince(ended) > 0 && l.s.t.Context().Err() == nil {
		wait(l.s.t.Context(), 20*time.Millisecond)
	}
	took := time.Since(ended)
	l.drain = append(l.drain, fmt.Sprintf("%-32s %5.1f s", after, took.Seconds()))
	if took > drainMost {
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
	l.s.t.Logf("%d quotes offered in %s at %d a second; %d paid\nuntil the outcome: half %s, 99 of 100 %s, all %s\nuntil the backlog of a fault was gone:", len(l.took), *loadFor, *loadRate, len(l.s.ledger.paid), at(.5), at(.99), at(1))
	for _, line := range l.drain {
		l.s.t.Log(line)
	}
	for _, name := range l.slow {
		l.s.t.Errorf("after %s the backlog took more than %s", name, drainMost)
	}
}
