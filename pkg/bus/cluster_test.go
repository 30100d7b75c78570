package bus_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
)

// On three replicas a load that follows an acknowledged append sees it, from
// whichever node it is asked.
func TestLoadsSeeWhatWasCommitted(t *testing.T) {
	t.Parallel()
	servers := bustest.Cluster(t, topology.Config{})
	writer := bustest.Connect(t, servers[0])
	readers := []*bus.Bus{bustest.Connect(t, servers[1]), bustest.Connect(t, servers[2]), writer}
	var wg sync.WaitGroup
	var missed, older atomic.Int64
	for w := range 8 {
		wg.Go(func() {
			for i := range 40 {
				id := fmt.Sprintf("u%d-%d", w, i)
				after := uint64(0)
				for n := 1; n <= 2; n++ {
					seq, err := writer.Append(t.Context(), event(id, n), after)
					if err != nil {
						t.Errorf("append: %v", err)
						return
					}
					after = seq
					got, err := readers[(w+i)%3].Last(t.Context(), contract.UploadAggregate, id)
					switch {
					case errors.Is(err, aggregate.ErrNone):
						missed.Add(1)
					case err != nil:
						t.Errorf("load: %v", err)
					case got.Seq != seq:
						older.Add(1)
					}
				}
			}
		})
	}
	wg.Wait()
	if missed.Load() > 0 || older.Load() > 0 {
		t.Errorf("of 640 loads right after an append %d missed the aggregate and %d saw an older state, want none", missed.Load(), older.Load())
	}
}

// Waiting is no failure, whichever replica a command comes to each time.
func TestWaitsNeverCountAcrossReplicas(t *testing.T) {
	t.Parallel()
	s := bustest.Server(t, topology.Config{AckWait: time.Second})
	var open atomic.Bool
	var runs atomic.Int64
	done := make(chan string, 20)
	handlers := flow.Handlers{name: func(_ context.Context, c contract.Command) error {
		runs.Add(1)
		if !open.Load() {
			return flow.Snooze(5*time.Millisecond, errors.New("not yet"))
		}
		done <- c.ID
		return nil
	}}
	work := bus.Work{Service: "upload", Parallel: 4, Handlers: handlers, Policy: flow.Policy{Failures: 2, Unfinished: 2, First: time.Millisecond, MaxDelay: time.Millisecond}}
	b := bustest.Connect(t, s)
	for i := range 20 {
		if err := b.Send(t.Context(), command(fmt.Sprint("c", i))); err != nil {
			t.Fatal(err)
		}
	}
	// A rolling restart: each replica is asked to stop while commands wait.
	for range 4 {
		ctx, stop := context.WithCancel(t.Context())
		var replicas sync.WaitGroup
		for range 3 {
			r := bustest.Connect(t, s)
			replicas.Go(func() {
				if err := r.Serve(ctx, work); err != nil {
					t.Errorf("serve: %v", err)
				}
			})
		}
		before := runs.Load()
		bustest.WaitFor(t, "some more runs", func() bool { return runs.Load() > before+100 })
		stop()
		replicas.Wait()
	}
	open.Store(true)
	bustest.Go(t, func(ctx context.Context) error { return b.Serve(ctx, work) })
	for range 20 {
		<-done
	}
	if dead, err := b.DeadLetters(t.Context(), 1, 10); err != nil || len(dead) > 0 {
		t.Errorf("%d dead letters, %v", len(dead), err)
	}
}

// Commands that wait hold no slot.
func TestWaitingHoldsNoSlot(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	waiting, live := make(chan struct{}, 100), make(chan struct{})
	other := contract.CommandName{Service: "upload", Verb: "live"}
	bustest.Go(t, func(ctx context.Context) error {
		return b.Serve(ctx, bus.Work{Service: "upload", Parallel: 1, Handlers: flow.Handlers{
			name: func(context.Context, contract.Command) error {
				waiting <- struct{}{}
				return flow.Snooze(time.Hour, errors.New("not yet"))
			},
			other: func(context.Context, contract.Command) error { close(live); return nil },
		}})
	})
	for i := range 30 {
		if err := b.Send(t.Context(), command(fmt.Sprint("w", i))); err != nil {
			t.Fatal(err)
		}
	}
	for range 30 {
		<-waiting
	}
	c := command("live")
	c.Name = other
	if err := b.Send(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	<-live
}

// A wait ends as soon as what it waits for has changed.
func TestWaitEndsEarly(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	begun, done := make(chan struct{}, 2), make(chan struct{})
	var read atomic.Bool
	bustest.Go(t, func(ctx context.Context) error {
		return b.Serve(ctx, bus.Work{Service: "upload", Parallel: 1, Handlers: flow.Handlers{name: func(context.Context, contract.Command) error {
			if read.Load() {
				close(done)
				return nil
			}
			begun <- struct{}{}
			return flow.SnoozeUntil(contract.BoardAggregate, "b", time.Hour, errors.New("not read"))
		}}})
	})
	if err := b.Send(t.Context(), command("c")); err != nil {
		t.Fatal(err)
	}
	<-begun
	read.Store(true)
	bustest.WaitFor(t, "the wait to end", func() bool {
		if err := b.Wake(contract.BoardAggregate, "b"); err != nil {
			t.Fatal(err)
		}
		select {
		case <-done:
			return true
		default:
			return false
		}
	})
}

// What kills its process is written down before it runs, so it becomes a dead
// letter also where the broker's own count was lost.
func TestRiskyWorkBecomesADeadLetterAfterThreeDeaths(t *testing.T) {
	t.Parallel()
	s := bustest.Server(t, topology.Config{AckWait: 300 * time.Millisecond})
	b := bustest.Connect(t, s)
	var runs atomic.Int64
	die := make(chan struct{})
	t.Cleanup(func() { close(die) })
	work := bus.Work{Service: "upload", Parallel: 1, Risky: []contract.CommandName{name}, Handlers: flow.Handlers{
		name: func(context.Context, contract.Command) error { runs.Add(1); <-die; return nil }, // as a dead process: it never ends
	}}
	if err := b.Send(t.Context(), command("kills")); err != nil {
		t.Fatal(err)
	}
	for n := range int64(3) {
		r := bustest.Connect(t, s)
		go r.Serve(context.Background(), work) //nolint:errcheck // it ends with its connection
		bustest.WaitFor(t, "a run", func() bool { return runs.Load() > n })
		r.Kill() // no heartbeat any more
	}
	bustest.Go(t, func(ctx context.Context) error { return b.Serve(ctx, work) })
	bustest.WaitFor(t, "the dead letter", func() bool {
		dead, err := b.DeadLetters(t.Context(), 1, 10)
		return err == nil && len(dead) == 1 && dead[0].Unfinished == 3
	})
	if n := runs.Load(); n != 3 {
		t.Errorf("it ran %d times, want 3", n)
	}
}

// A process that is asked to stop gives back at once what it has not begun.
func TestStoppingGivesBack(t *testing.T) {
	t.Parallel()
	s := bustest.Server(t, topology.Config{AckWait: time.Hour})
	b := bustest.Connect(t, s)
	seen := make(chan struct{}, 200)
	slow := flow.Handlers{name: func(context.Context, contract.Command) error {
		seen <- struct{}{}
		return flow.Snooze(time.Hour, errors.New("not yet"))
	}}
	for i := range 50 {
		if err := b.Send(t.Context(), command(fmt.Sprint("c", i))); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	first := bustest.Connect(t, s)
	ended := make(chan error, 1)
	go func() { ended <- first.Serve(ctx, bus.Work{Service: "upload", Parallel: 4, Handlers: slow}) }()
	for range 25 {
		<-seen
	}
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	done := make(chan string, 50)
	bustest.Go(t, func(ctx context.Context) error {
		return b.Serve(ctx, bus.Work{Service: "upload", Parallel: 4, Handlers: flow.Handlers{name: func(_ context.Context, c contract.Command) error {
			done <- c.ID
			return nil
		}}})
	})
	got := map[string]bool{}
	for len(got) < 50 {
		got[<-done] = true
	}
}
