package designcheck

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// clock is a time that tests move.
type clock struct{ passed atomic.Int64 }

func (c *clock) now() time.Time { return time.Unix(0, c.passed.Load()) }

func (c *clock) pass(d time.Duration) { c.passed.Add(int64(d)) }

type entered struct {
	slot *slot
	err  error
}

// ask begins to wait for a slot.
func ask(g *gate, w work) chan entered {
	before := g.arrived()
	out := make(chan entered, 1)
	go func() {
		p, err := g.enter(context.Background(), w)
		out <- entered{p, err}
	}()
	for g.arrived() == before {
		<-time.After(time.Millisecond)
	}
	return out
}

// arrived counts those that wait or were admitted.
func (g *gate) arrived() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.waiting) + g.running
}

func must(t *testing.T, g *gate, w work) *slot {
	t.Helper()
	p, err := g.enter(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func waits(t *testing.T, who string, c chan entered) {
	t.Helper()
	select {
	case <-c:
		t.Errorf("%s has a slot", who)
	default:
	}
}

const short = 5 * time.Second

// Long work never takes the last slot, whoever sends it.
func TestLongWorkLeavesSlots(t *testing.T) {
	t.Parallel()
	var c clock
	g := newGate(4, 100, short, c.now)
	one, two := must(t, g, work{"a", true}), must(t, g, work{"b", true})
	third := ask(g, work{"c", true})
	for range 10 {
		must(t, g, work{"d", false}).leave()
	}
	waits(t, "a third long one", third)
	one.leave()
	got := <-third
	if got.err != nil {
		t.Fatal(got.err)
	}
	got.slot.leave()
	two.leave()
}

// One account has half of the slots, so another's work finds one at once.
func TestOneAccountLeavesSlots(t *testing.T) {
	t.Parallel()
	var c clock
	g := newGate(2, 100, short, c.now)
	first := must(t, g, work{"hostile", false})
	var more []chan entered
	for range 20 {
		more = append(more, ask(g, work{"hostile", false}))
	}
	must(t, g, work{"other", false}).leave()
	for _, m := range more {
		waits(t, "a second of the same account", m)
	}
	first.leave()
	for _, m := range more {
		got := <-m
		if got.err != nil {
			t.Fatal(got.err)
		}
		got.slot.leave()
	}
}

// Of those that wait the account goes first whose work took least lately,
// whoever came first; what was long ago does not count.
func TestLeastCostGoesFirst(t *testing.T) {
	t.Parallel()
	var c clock
	g := newGate(1, 100, time.Hour, c.now)
	p := must(t, g, work{"dear", false})
	c.pass(100 * time.Second)
	p.leave()
	p = must(t, g, work{"cheap", false})
	c.pass(time.Second)
	p.leave()
	p = must(t, g, work{"other", false})
	dear, cheap := ask(g, work{"dear", false}), ask(g, work{"cheap", false})
	p.leave()
	got := <-cheap
	waits(t, "the dear account", dear)
	c.pass(time.Hour)
	got.slot.leave()
	(<-dear).slot.leave()
	if n := g.usage("dear").cost; n > 0.01 {
		t.Errorf("after an hour %v s are remembered", n)
	}
}

// An account whose work was long lately is taken for one whose work is long,
// until it was short for a while.
func TestLongWorkIsExpectedAgain(t *testing.T) {
	t.Parallel()
	var c clock
	g := newGate(2, 100, short, c.now)
	p := must(t, g, work{"a", false})
	c.pass(time.Minute)
	p.leave()
	if p = must(t, g, work{"a", false}); !p.long {
		t.Error("after a minute of work an account's work is expected to be short")
	}
	p.leave()
	for range 4 {
		must(t, g, work{"a", false}).leave()
	}
	if p = must(t, g, work{"a", false}); p.long {
		t.Error("after short work an account's work is still expected to be long")
	}
	p.leave()
}

func TestShortWorkBecomesLong(t *testing.T) {
	t.Parallel()
	var c clock
	g := newGate(2, 100, short, c.now)
	one, two := must(t, g, work{"a", false}), must(t, g, work{"b", false})
	if first, again := one.lengthen(), one.lengthen(); !first || !again {
		t.Error("there is a slot for long work, but not for this")
	}
	if two.lengthen() {
		t.Error("both slots are long work's")
	}
	one.leave()
	if !two.lengthen() {
		t.Error("a slot for long work is free, but not for this")
	}
	two.leave()
	if g.running+g.long != 0 {
		t.Errorf("%d run, %d of them long, after all have left", g.running, g.long)
	}
}

// An account that sends without end is given back what it sent, so that others
// reach the gate.
func TestWaitsOfOneAccountAreBounded(t *testing.T) {
	t.Parallel()
	var c clock
	g := newGate(2, 3, short, c.now)
	p := must(t, g, work{"a", false})
	var waiting []chan entered
	for range 3 {
		waiting = append(waiting, ask(g, work{"a", false}))
	}
	if _, err := g.enter(t.Context(), work{"a", false}); !errors.Is(err, errCrowded) {
		t.Errorf("a fourth waits: %v", err)
	}
	must(t, g, work{"b", false}).leave()
	p.leave()
	for _, w := range waiting {
		(<-w).slot.leave()
	}
}

func TestNobodyEntersAShutGate(t *testing.T) {
	t.Parallel()
	var c clock
	g := newGate(1, 10, short, c.now)
	p := must(t, g, work{"a", false})
	waiting := ask(g, work{"b", false})
	g.close()
	if got := <-waiting; got.err == nil {
		t.Error("entered although the gate is shut")
	}
	p.leave()
	if _, err := g.enter(t.Context(), work{"b", false}); err == nil {
		t.Error("entered although the gate is shut")
	}
}

func TestGivenUpWaitTakesNoSlot(t *testing.T) {
	t.Parallel()
	var c clock
	g := newGate(1, 10, short, c.now)
	p := must(t, g, work{"a", false})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.enter(ctx, work{"b", false}); err == nil {
		t.Error("entered a full gate")
	}
	p.leave()
	must(t, g, work{"b", false}).leave()
	if g.running != 0 || len(g.waiting) != 0 || g.usage("b").waiting != 0 {
		t.Errorf("%d run, %d wait", g.running, len(g.waiting))
	}
}

func TestIdleAccountsAreForgotten(t *testing.T) {
	t.Parallel()
	var c clock
	g := newGate(1, 10, short, c.now)
	for i := range 3 * mostAccounts {
		must(t, g, work{string(rune(i + 1)), false}).leave()
	}
	if len(g.accounts) > mostAccounts {
		t.Errorf("%d accounts are remembered", len(g.accounts))
	}
}

// Short work that turns out to be long is done again when it is long work's turn.
func TestLongWorkMovesOn(t *testing.T) {
	t.Parallel()
	s := &Service{gate: newGate(2, 10, time.Millisecond, time.Now)}
	s.cfg.ShortTimeout = time.Millisecond
	held := must(t, s.gate, work{"a", true})
	times := 0
	err := s.admitted(t.Context(), "b", 1, func(ctx context.Context) error {
		if times++; times == 1 {
			<-ctx.Done()
			held.leave()
			return ctx.Err()
		}
		return nil
	})
	if err != nil || times != 2 {
		t.Errorf("done %d times, %v", times, err)
	}
}
