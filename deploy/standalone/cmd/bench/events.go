package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"

	"golang.org/x/sync/errgroup"
)

// feedLoad is what the feed is measured with.
type feedLoad struct {
	streams int           // server-sent events, open at once
	rate    int           // events a second, of all accounts together
	each    time.Duration // how long that rate is kept
	backlog int           // events that one client reads
	// endpoints are those of webhooks, of an account each.
	endpoints int
}

// streamsEach is how many streams an account may have.
const streamsEach = 20

// events shows how soon accounts are told, what many streams cost, and how fast a backlog is
// read. What is measured of those who are called by the service belongs here, as a function
// that takes the same world.
func events(ctx context.Context, program string, l feedLoad) error {
	w, end, err := startTold(ctx, program)
	if err != nil {
		return err
	}
	defer end()
	idle, err := w.measureIdle(ctx)
	if err != nil {
		return fmt.Errorf("one event at a time: %w", err)
	}
	if err := w.measureStreams(ctx, l, idle); err != nil {
		return fmt.Errorf("%d streams: %w", l.streams, err)
	}
	if err := w.measureWebhooks(ctx, l); err != nil {
		return fmt.Errorf("%d webhook endpoints: %w", l.endpoints, err)
	}
	if err := w.measureBacklog(ctx, l.backlog); err != nil {
		return fmt.Errorf("a backlog of %d: %w", l.backlog, err)
	}
	return nil
}

const (
	idleEvents = 300
	idlePause  = 30 * time.Millisecond
)

// measureIdle tells of one event at a time, to a stream and to a client that waits for its
// answer. It gives the median of the stream.
func (w *told) measureIdle(ctx context.Context) (time.Duration, error) {
	a, err := w.openAccount(ctx)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	streamed, polled := newArrivals(idleEvents), newArrivals(idleEvents)
	clients, ctx := errgroup.WithContext(ctx)
	opened := make(chan struct{}, 2)
	clients.Go(func() error { return w.stream(ctx, a, "now", opened, streamed.note) })
	clients.Go(func() error { return w.poll(ctx, a, opened, polled.note) })
	for range 2 {
		if err := await(ctx, opened); err != nil {
			cancel()
			return 0, errors.Join(err, clients.Wait())
		}
	}
	for i := range idleEvents {
		at, err := w.commit(ctx, a, i)
		if err != nil {
			return 0, err
		}
		streamed.expect(i, at)
		polled.expect(i, at)
		pause(ctx, idlePause)
	}
	sse, poll := streamed.wait(ctx), polled.wait(ctx)
	cancel()
	fmt.Printf("\none event at a time, commit to arrival: stream p50 %s, p99 %s; long poll p50 %s, p99 %s (%.2f and %.2f of the stream's)\n",
		show(sse.p50), show(sse.p99), show(poll.p50), show(poll.p99), ratio(poll.p50, sse.p50), ratio(poll.p99, sse.p99))
	return sse.p50, ctxError(clients.Wait())
}

// measureStreams keeps up a rate of events, of as many accounts as it takes to open the
// streams: each event goes to all of its account's.
func (w *told) measureStreams(ctx context.Context, l feedLoad, idle time.Duration) error {
	accounts := make([]account, max(l.streams/streamsEach, 1))
	n := int(l.each.Seconds() * float64(l.rate))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	clients, ctx := errgroup.WithContext(ctx)
	var all []*arrivals
	opened := make(chan struct{}, l.streams)
	for i := range accounts {
		var err error
		if accounts[i], err = w.openAccount(ctx); err != nil {
			return err
		}
	}
	for i := range l.streams {
		got := newArrivals(n/len(accounts) + 1)
		all = append(all, got)
		clients.Go(func() error { return w.stream(ctx, accounts[i%len(accounts)], "now", opened, got.note) })
	}
	for range l.streams {
		if err := await(ctx, opened); err != nil {
			cancel()
			return errors.Join(err, clients.Wait())
		}
	}
	before, err := timeOf(w.system.PID)()
	if err != nil {
		return err
	}
	begun := time.Now()
	if err := w.commitAt(ctx, accounts, l.rate, n, all); err != nil {
		return err
	}
	published := time.Since(begun)
	var took []time.Duration
	for _, a := range all {
		took = append(took, a.wait(ctx).took...)
	}
	elapsed := time.Since(begun)
	after, err := timeOf(w.system.PID)()
	if err != nil {
		return err
	}
	f := newFigure(took, elapsed, after-before)
	cancel()
	fmt.Printf("%d events at %.0f a second to %d streams, %d of each account: %.0f deliveries a second, commit to arrival p50 %s, p99 %s (%.1f and %.1f of one at a time); %s of the program's processor time an event, with storing and projecting it; %d streams opened again\n",
		n, float64(n)/published.Seconds(), l.streams, l.streams/len(accounts), f.rate, show(f.p50), show(f.p99), ratio(f.p50, idle), ratio(f.p99, idle), show((after-before)/time.Duration(n)), w.again.Load())
	return ctxError(clients.Wait())
}

// commitAt stores events in turns of the accounts, at a rate.
func (w *told) commitAt(ctx context.Context, accounts []account, rate, n int, all []*arrivals) error {
	var writers errgroup.Group
	writers.SetLimit(64)
	pace := time.NewTicker(time.Second / time.Duration(rate))
	defer pace.Stop()
	for i := range n {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-pace.C:
		}
		writers.Go(func() error {
			of, i := i%len(accounts), i/len(accounts)
			at, err := w.commit(ctx, accounts[of], i)
			for c := of; c < len(all); c += len(accounts) {
				all[c].expect(i, at)
			}
			return err
		})
	}
	return writers.Wait()
}

// measureBacklog has one client read many events, and beside it reads them from the broker
// without a service between.
func (w *told) measureBacklog(ctx context.Context, n int) error {
	a, err := w.openAccount(ctx)
	if err != nil {
		return err
	}
	if err := w.publish(ctx, a, n); err != nil {
		return err
	}
	begun := time.Now()
	bare := min(n, 20_000)
	after := uint64(0)
	for range bare {
		e, err := w.bus.PublicAfter(ctx, a.id, "*", after)
		if err != nil {
			return err
		}
		after = e.Seq
	}
	direct := float64(bare) / time.Since(begun).Seconds()
	begun = time.Now()
	cursor, err := w.list(ctx, a, n)
	if err != nil {
		return err
	}
	listed := float64(n) / time.Since(begun).Seconds()
	begun = time.Now()
	if err := w.drain(ctx, a, cursor, n-1); err != nil {
		return err
	}
	streamed := float64(n-1) / time.Since(begun).Seconds()
	fmt.Printf("a backlog of %d events: listed %.0f a second, streamed %.0f; %.2f and %.2f of the %.0f a second that one loop reads from the broker\n",
		n, listed, streamed, listed/direct, streamed/direct, direct)
	return nil
}

// publish puts events of as many objects into the feed.
func (w *told) publish(ctx context.Context, a account, n int) error {
	var writers errgroup.Group
	writers.SetLimit(64)
	for i := range n {
		writers.Go(func() error {
			key := feed.KeyOf(contract.QuoteAggregate, fmt.Sprint(a.id, i))
			sequence := feed.SequenceOf(1)
			_, err := w.bus.PublishPublic(ctx, feed.Entry{Owner: a.id, Key: key, Event: feed.Event{
				ID: feed.IDOf(key, sequence), Type: feed.QuotePriced, Timestamp: time.Now().UTC(), Sequence: sequence, Livemode: true,
				Data: feed.Data{Object: feed.QuoteObject, RequestID: requestNamed(i), Status: "quote_ready", Quantity: 10, Currency: "USD", Changed: []string{"status"}},
			}}, 0)
			return err
		})
	}
	return writers.Wait()
}

func ratio(d, of time.Duration) float64 { return float64(d) / float64(max(of, 1)) }

// arrivals are when events were committed and when one client had them.
type arrivals struct {
	mu        sync.Mutex
	committed []time.Time
	arrived   []time.Time
	expected  int
	got       int
	all       chan struct{} // closed and made anew with each arrival
}

func newArrivals(n int) *arrivals {
	return &arrivals{committed: make([]time.Time, n), arrived: make([]time.Time, n), all: make(chan struct{})}
}

func (a *arrivals) expect(i int, at time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.committed[i] = at
	a.expected++
}

func (a *arrivals) note(i int, at time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if i >= 0 && i < len(a.arrived) && a.arrived[i].IsZero() {
		a.arrived[i] = at
		a.got++
		close(a.all)
		a.all = make(chan struct{})
	}
}

// wait waits until all that were committed have arrived. What arrives before its committer
// has the answer took no time.
func (a *arrivals) wait(ctx context.Context) figure {
	for {
		a.mu.Lock()
		more := a.all
		missing := a.got < a.expected
		a.mu.Unlock()
		if !missing {
			break
		}
		select {
		case <-more:
		case <-ctx.Done():
			return figure{}
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	var took []time.Duration
	for i, at := range a.arrived {
		if !at.IsZero() {
			took = append(took, max(at.Sub(a.committed[i]), 0))
		}
	}
	slices.Sort(took)
	return newFigure(took, time.Second, 0)
}
