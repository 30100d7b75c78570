package bus_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"

	"go.uber.org/zap"
)

// Whatever the clocks of the processes say that set a timer and run it, it is due
// by the broker's.
func TestTimersOfWrongClocks(t *testing.T) {
	t.Parallel()
	right, behind, ahead := time.Duration(0), -time.Hour, time.Hour
	for what, tt := range map[string]struct{ sets, runs time.Duration }{
		"set by a clock behind": {behind, right}, "set by a clock ahead": {ahead, right},
		"run by a clock behind": {right, behind}, "run by a clock ahead": {right, ahead},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			server := bustest.Server(t, topology.Config{})
			connect := func(offset time.Duration) *bus.Bus {
				b, err := bus.Connect(t.Context(), bus.Config{
					InProcess: server, Name: "test", Log: zap.NewNop(), Now: func() time.Time { return time.Now().Add(offset) },
				})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(b.Close)
				if err := b.Verify(t.Context()); err != nil {
					t.Fatal(err)
				}
				return b
			}
			sets, runs := connect(tt.sets), connect(tt.runs)
			fired := make(chan time.Time, 2)
			bustest.Go(t, runs.RunTimers)
			bustest.Go(t, func(ctx context.Context) error {
				return runs.Serve(ctx, bus.Work{Service: "upload", Handlers: flow.Handlers{uploads.Expire: func(context.Context, contract.Command) error {
					fired <- time.Now()
					return nil
				}}})
			})
			due := time.Now().Add(1500 * time.Millisecond)
			if err := sets.Schedule(t.Context(), contract.Timer{
				Aggregate: contract.UploadAggregate, AggregateID: "a", What: "expire", Due: sets.Now().Add(1500 * time.Millisecond), Command: expiry("due"),
			}); err != nil {
				t.Fatal(err)
			}
			select {
			case at := <-fired:
				if early := due.Sub(at); early > 500*time.Millisecond {
					t.Errorf("fired %s early, want 500 ms at most", early)
				}
			case <-time.After(30 * time.Second):
				t.Error("did not fire")
			}
		})
	}
}

// A clock that steps while a process runs is put right with the next comparison, and
// let alone once it is right again.
func TestClockThatStepsIsPutRight(t *testing.T) {
	t.Parallel()
	var offset atomic.Int64
	b, err := bus.Connect(t.Context(), bus.Config{
		InProcess: bustest.Server(t, topology.Config{}), Name: "test", Log: zap.NewNop(), Now: func() time.Time { return time.Now().Add(time.Duration(offset.Load())) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	for _, step := range []time.Duration{0, time.Hour, -time.Hour, 0} {
		offset.Store(int64(step))
		if err := b.CompareClocks(t.Context()); err != nil {
			t.Fatal(err)
		}
		if wrong := time.Until(b.Now()); wrong.Abs() > time.Minute {
			t.Errorf("a clock that stepped by %s is wrong by %s, want it right", step, wrong)
		}
	}
}

func TestClockIsPutRightOnlyWhereItIsWrong(t *testing.T) {
	t.Parallel()
	server := bustest.Server(t, topology.Config{})
	for offset, want := range map[time.Duration]time.Duration{time.Second: time.Second, time.Hour: 0, -48 * time.Hour: 0} {
		b, err := bus.Connect(t.Context(), bus.Config{
			InProcess: server, Name: "test", Log: zap.NewNop(), Now: func() time.Time { return time.Now().Add(offset) },
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.Close)
		if wrong := time.Until(b.Now()); (wrong - offset).Abs() > time.Minute {
			t.Errorf("before it was compared a clock wrong by %s is wrong by %s, want the same within a minute", offset, wrong)
		}
		if err := b.Verify(t.Context()); err != nil {
			t.Fatal(err)
		}
		if wrong := time.Until(b.Now()); (wrong - want).Abs() > 500*time.Millisecond {
			t.Errorf("a clock wrong by %s is wrong by %s now, want %s", offset, wrong, want)
		}
	}
}
