package designcheck

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
)

// clock is a time that tests move.
type clock struct{ passed atomic.Int64 }

func (c *clock) currentTime() time.Time { return time.Unix(0, c.passed.Load()) }

func (c *clock) pass(d time.Duration) { c.passed.Add(int64(d)) }

type entered struct {
	slot *slot
	err  error
}

// ask begins to wait for a slot.
func ask(g *gate, w work) chan entered {
	before := g.countArrivals()
	out := make(chan entered, 1)
	go func() {
		p, err := g.enter(context.Background(), w)
		out <- entered{p, err}
	}()
	for g.countArrivals() == before {
		<-time.After(time.Millisecond)
	}
	return out
}

// countArrivals counts those that wait or were admitted.
func (g *gate) countArrivals() int {
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
		t.Errorf("%s has a slot, want it to wait", who)
	default:
	}
}

// Work that nobody waits for leaves a slot to whoever comes next, has half of the slots at
// most, and does not hold up its account.
func TestWorkBehindStandsBack(t *testing.T) {
	t.Parallel()
	var c clock
	g := newGate(4, 100, short, c.currentTime)
	first, second := g.enterBehind("a"), g.enterBehind("a")
	if first == nil || second == nil {
		t.Fatal("no slot although all are free")
	}
	if g.enterBehind("b") != nil {
		t.Error("more than half of the slots are at work that nobody waits for")
	}
	own := must(t, g, work{account: "a"}) // the account is not held up by what is made behind it
	first.leave()
	if third := must(t, g, work{account: "a"}); g.enterBehind("b") != nil {
		t.Error("the last free slot is taken by work that nobody waits for")
	} else {
		third.leave()
	}
	if rest := g.enterBehind("b"); rest == nil {
		t.Error("no slot although two are free")
	} else {
		rest.leave()
	}
	more, third := must(t, g, work{account: "c"}), must(t, g, work{account: "d"})
	waiting := ask(g, work{account: "e"})
	third.leave()
	got := <-waiting
	if got.err != nil {
		t.Fatalf("work that waited for a place: %v, want it admitted", got.err)
	}
	for _, p := range []*slot{own, more, second, got.slot} {
		p.leave()
	}
	if g.running != 0 || g.behind != 0 {
		t.Errorf("%d run, %d of them behind, although all have left, want none", g.running, g.behind)
	}
	g.close()
	if g.enterBehind("a") != nil {
		t.Error("a slot of a gate that is shut")
	}
}

const short = 5 * time.Second

// Long work never takes the last slot, whoever sends it.
func TestLongWorkLeavesSlots(t *testing.T) {
	t.Parallel()
	var c clock
	g := newGate(4, 100, short, c.currentTime)
	one, two := must(t, g, work{account: "a", long: true}), must(t, g, work{account: "b", long: true})
	third := ask(g, work{account: "c", long: true})
	for range 10 {
		must(t, g, work{account: "d", long: false}).leave()
	}
	waits(t, "a third long one", third)
	one.leave()
	got := <-third
	if got.err != nil {
		t.Fatalf("work that waited for a place: %v, want it admitted", got.err)
	}
	got.slot.leave()
	two.leave()
}

// One account has half of the slots, so another's work finds one at once.
func TestOneAccountLeavesSlots(t *testing.T) {
	t.Parallel()
	var c clock
	g := newGate(2, 100, short, c.currentTime)
	first := must(t, g, work{account: "hostile", long: false})
	var more []chan entered
	for range 20 {
		more = append(more, ask(g, work{account: "hostile", long: false}))
	}
	must(t, g, work{account: "other", long: false}).leave()
	for _, m := range more {
		waits(t, "a second of the same account", m)
	}
	first.leave()
	for _, m := range more {
		got := <-m
		if got.err != nil {
			t.Fatalf("work that waited for a place: %v, want it admitted", got.err)
		}
		got.slot.leave()
	}
}

// Of those that wait the account goes first whose work took least lately,
// whoever came first; what was long ago does not count.
func TestMinCostGoesFirst(t *testing.T) {
	t.Parallel()
	var c clock
	g := newGate(1, 100, time.Hour, c.currentTime)
	p := must(t, g, work{account: "dear", long: false})
	c.pass(100 * time.Second)
	p.leave()
	p = must(t, g, work{account: "cheap", long: false})
	c.pass(time.Second)
	p.leave()
	p = must(t, g, work{account: "other", long: false})
	dear, cheap := ask(g, work{account: "dear", long: false}), ask(g, work{account: "cheap", long: false})
	p.leave()
	got := <-cheap
	waits(t, "the dear account", dear)
	c.pass(time.Hour)
	got.slot.leave()
	(<-dear).slot.leave()
	if n := g.usage("dear").cost; n > 0.01 {
		t.Errorf("after an hour %v s are remembered, want 0.01 at most", n)
	}
}

// An account whose work was long lately is taken for one whose work is long,
// until it was short for a while.
func TestLongWorkIsExpectedAgain(t *testing.T) {
	t.Parallel()
	var c clock
	g := newGate(2, 100, short, c.currentTime)
	p := must(t, g, work{account: "a", long: false})
	c.pass(time.Minute)
	p.leave()
	if p = must(t, g, work{account: "a", long: false}); !p.long {
		t.Error("after a minute of work an account's work is expected to be short")
	}
	p.leave()
	for range 4 {
		must(t, g, work{account: "a", long: false}).leave()
	}
	if p = must(t, g, work{account: "a", long: false}); p.long {
		t.Error("after short work an account's work is still expected to be long")
	}
	p.leave()
}

func TestShortWorkBecomesLong(t *testing.T) {
	t.Parallel()
	var c clock
	g := newGate(2, 100, short, c.currentTime)
	one, two := must(t, g, work{account: "a", long: false}), must(t, g, work{account: "b", long: false})
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
		t.Errorf("%d run, %d of them long, after all have left, want none", g.running, g.long)
	}
}

// An account that sends without end is given back what it sent, so that others
// reach the gate.
func TestWaitsOfOneAccountAreBounded(t *testing.T) {
	t.Parallel()
	var c clock
	g := newGate(2, 3, short, c.currentTime)
	p := must(t, g, work{account: "a", long: false})
	var waiting []chan entered
	for range 3 {
		waiting = append(waiting, ask(g, work{account: "a", long: false}))
	}
	if _, err := g.enter(t.Context(), work{account: "a", long: false}); !errors.Is(err, errCrowded) {
		t.Errorf("a fourth waits: %v", err)
	}
	must(t, g, work{account: "b", long: false}).leave()
	p.leave()
	for _, w := range waiting {
		(<-w).slot.leave()
	}
}

func TestNobodyEntersAShutGate(t *testing.T) {
	t.Parallel()
	var c clock
	g := newGate(1, 10, short, c.currentTime)
	p := must(t, g, work{account: "a", long: false})
	waiting := ask(g, work{account: "b", long: false})
	g.close()
	if got := <-waiting; got.err == nil {
		t.Error("entered although the gate is shut")
	}
	p.leave()
	if _, err := g.enter(t.Context(), work{account: "b", long: false}); err == nil {
		t.Error("entered although the gate is shut")
	}
}

func TestGivenUpWaitTakesNoSlot(t *testing.T) {
	t.Parallel()
	var c clock
	g := newGate(1, 10, short, c.currentTime)
	p := must(t, g, work{account: "a", long: false})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.enter(ctx, work{account: "b", long: false}); err == nil {
		t.Error("entered a full gate")
	}
	p.leave()
	must(t, g, work{account: "b", long: false}).leave()
	if g.running != 0 || len(g.waiting) != 0 || g.usage("b").waiting != 0 {
		t.Errorf("%d run, %d wait, %d of them of b; want none", g.running, len(g.waiting), g.usage("b").waiting)
	}
}

func TestIdleAccountsAreForgotten(t *testing.T) {
	t.Parallel()
	var c clock
	g := newGate(1, 10, short, c.currentTime)
	for i := range 3 * maxAccounts {
		must(t, g, work{account: string(rune(i + 1))}).leave()
	}
	if len(g.accounts) > maxAccounts {
		t.Errorf("%d accounts are remembered, want %d at most", len(g.accounts), maxAccounts)
	}
}

// Short work that turns out to be long is done again when it is long work's turn.
func TestLongWorkMovesOn(t *testing.T) {
	t.Parallel()
	s := &Service{gate: newGate(2, 10, time.Millisecond, time.Now)}
	s.cfg.ShortTimeout = time.Millisecond
	held := must(t, s.gate, work{account: "a", long: true})
	times := 0
	var small chan entered
	err := s.runAdmitted(t.Context(), "b", 1, func(ctx context.Context) error {
		if times++; times == 1 {
			small = ask(s.gate, work{account: "c"})
			<-ctx.Done()
			held.leave()
			return ctx.Err()
		}
		return nil
	})
	if err != nil || times != 2 {
		t.Errorf("done %d times, %v", times, err)
	}
	(<-small).slot.leave()
}

// TestLongWorkMovesOnForOthersOnly: work without a slot for long work is cut off
// where another account's small work waits, and goes on otherwise.
func TestLongWorkMovesOnForOthersOnly(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		waiting []work
		wanted  bool
	}{
		"nobody":            {nil, false},
		"its own account":   {[]work{{account: "b"}}, false},
		"long work":         {[]work{{account: "c", long: true}}, false},
		"another's small":   {[]work{{account: "c"}}, true},
		"one of several is": {[]work{{account: "c", long: true}, {account: "b"}, {account: "d"}}, true},
	} {
		var c clock
		g := newGate(2, 10, short, c.currentTime)
		must(t, g, work{account: "a", long: true})
		p := must(t, g, work{account: "b"})
		for _, w := range tt.waiting {
			ask(g, w)
		}
		if got := p.hasRival(); got != tt.wanted {
			t.Errorf("%s waits: wanted %v, want %v", name, got, tt.wanted)
		}
		g.close()
	}
}

// TestSmallWorkWaitsForOneLarge: however many others have large work, small work is
// next. A newcomer's is not known to be large, so the smaller files go first; and
// who has much small work does not keep newcomers out.
func TestSmallWorkWaitsForOneLarge(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		before time.Duration // that the account's last work took; 0: it is new
		times  int
		size   int64
		first  bool
	}{
		"an account of small boards":              {time.Second / 4, 1, 1 << 20, true},
		"a new one, of smaller files":             {0, 0, 1 << 10, true},
		"a new one, of larger files":              {0, 0, 1 << 20, false},
		"an account of large boards":              {time.Minute, 1, 1 << 10, false},
		"an account of a great many small boards": {time.Second / 2, 40, 1 << 10, false},
	} {
		var c clock
		g := newGate(2, 100, short, c.currentTime)
		for range tt.times {
			p := must(t, g, work{account: "honest"})
			c.pass(tt.before)
			p.leave()
		}
		must(t, g, work{account: "large", long: true})
		trial := must(t, g, work{account: "trial", size: 1 << 14})
		var others []chan entered
		for i := range 12 {
			others = append(others, ask(g, work{account: "hostile" + strconv.Itoa(i), size: 1 << 14}))
		}
		honest := ask(g, work{account: "honest", size: tt.size})
		c.pass(short)
		trial.leave()
		next := (*slot)(nil)
		select {
		case got := <-honest:
			next = got.slot
		case got := <-others[0]:
			next = got.slot
		}
		if first := next.account == "honest"; first != tt.first {
			t.Errorf("%s: %s is next; want it first %v", name, next.account, tt.first)
		}
		g.close()
	}
}

// TestCrowdsGiveWay: of more than may wait that gives way which is least due.
func TestCrowdsGiveWay(t *testing.T) {
	t.Parallel()
	var c clock
	g := newGate(2, 2, short, c.currentTime)
	must(t, g, work{account: "a", long: true})
	must(t, g, work{account: "b"})
	var crowd []chan entered
	for i := range 4 {
		crowd = append(crowd, ask(g, work{account: "c" + strconv.Itoa(i), long: i == 1, size: 1 << 20}))
	}
	if _, err := g.queue(work{account: "small", size: 1}); err != nil {
		t.Fatal(err)
	}
	if got := <-crowd[3]; !errors.Is(got.err, errCrowded) {
		t.Errorf("the last of the crowd: %v, want %v", got.err, errCrowded)
	}
	for i := range 3 {
		waits(t, "c"+strconv.Itoa(i), crowd[i])
	}
	g.close()
}
