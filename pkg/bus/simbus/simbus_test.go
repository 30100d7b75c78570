package simbus_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
)

var verb = contract.CommandName{Service: "test", Verb: "do"}

func command(id string) contract.Command { return contract.Command{ID: id, Name: verb} }

func send(t *testing.T, s *simbus.Sim, ids ...string) {
	t.Helper()
	for _, id := range ids {
		for s.Send(t.Context(), command(id)) != nil {
		}
	}
}

// Two handlers go on in turns, at effects only.
func TestHandlersAreInterleaved(t *testing.T) {
	t.Parallel()
	inside, most := 0, 0
	s := simbus.New(1, simbus.Faults{Switch: 50})
	s.Handle(flow.Handlers{verb: func(ctx context.Context, c contract.Command) error {
		inside++
		defer func() { inside-- }()
		most = max(most, inside)
		for range 5 {
			if err := s.Effect(ctx, "effect", func() error { return nil }); err != nil {
				return err
			}
		}
		return nil
	}})
	send(t, s, "a", "b", "c")
	s.Run(s.Now().Add(time.Hour))
	if most < 2 || inside != 0 {
		t.Errorf("at most %d handlers ran at once, %d have not ended; want 2 or more, none", most, inside)
	}
}

// The command of a process that stands still is carried out by another one at
// the same time, never twice by one.
func TestAStalledCommandRunsOnAnotherReplica(t *testing.T) {
	t.Parallel()
	s := simbus.New(1, simbus.Faults{Switch: 100, Stall: 100})
	inside, most := map[int]int{}, 0
	handler := func(replica int) flow.Handlers {
		return flow.Handlers{verb: func(ctx context.Context, c contract.Command) error {
			inside[replica]++
			defer func() { inside[replica]-- }()
			if inside[replica] > 1 {
				t.Errorf("replica %d runs the command twice at once", replica)
			}
			most = max(most, inside[0]+inside[1])
			return s.Effect(ctx, "effect", func() error { return nil })
		}}
	}
	s.Handle(handler(0))
	s.AddReplica(handler(1))
	send(t, s, "a")
	s.Run(s.Now().Add(10 * time.Minute))
	if most != 2 {
		t.Errorf("the command ran on %d replicas at once, want 2", most)
	}
}

// A process that dies takes with it all that it runs; all of it comes again.
func TestACrashEndsAllOfAProcess(t *testing.T) {
	t.Parallel()
	s := simbus.New(3, simbus.Faults{Switch: 60, Crash: 10})
	begun, done := map[string]int{}, map[string]bool{}
	s.Handle(flow.Handlers{verb: func(ctx context.Context, c contract.Command) error {
		begun[c.ID]++
		for range 3 {
			if err := s.Effect(ctx, "effect", func() error { return nil }); err != nil {
				return err
			}
		}
		done[c.ID] = true
		return nil
	}})
	for range 20 {
		if s.Crashes() > 0 {
			break
		}
		for _, id := range []string{"a", "b", "c", "d"} {
			func() {
				defer func() { _ = recover() }() // the sender's own death
				_ = s.Send(t.Context(), command(id+s.Now().String()))
			}()
		}
		s.Run(s.Now().Add(time.Second))
	}
	s.Calm()
	s.Run(s.Now().Add(time.Hour))
	again := 0
	for id, n := range begun {
		if !done[id] {
			t.Errorf("command %s was begun %d times and not done", id, n)
		}
		if n > 1 {
			again++
		}
	}
	if s.Crashes() == 0 || again < 2 || len(s.Dead) > 0 {
		t.Errorf("%d crashes, %d commands came again, %d dead letters; want one at least, 2 at least, none", s.Crashes(), again, len(s.Dead))
	}
}

// Attempts are counted with the numbers of the real bus: waits never, failures
// up to a dozen.
func TestAttemptsAreCounted(t *testing.T) {
	t.Parallel()
	errAway := errors.New("away")
	for name, tt := range map[string]struct {
		err  error
		runs int
		dead int
	}{
		"failures": {errAway, flow.DefaultPolicy().Failures, 1},
		"waits":    {flow.Snooze(time.Minute, errAway), 0, 0},
		"hopeless": {flow.Permanent(errAway), 1, 1},
		"nothing":  {nil, 1, 0},
	} {
		s := simbus.New(1, simbus.Faults{})
		runs := 0
		s.Handle(flow.Handlers{verb: func(context.Context, contract.Command) error { runs++; return tt.err }})
		send(t, s, "a")
		s.Run(s.Now().Add(24 * time.Hour))
		if tt.runs != 0 && runs != tt.runs || tt.runs == 0 && runs < 1000 || len(s.Dead) != tt.dead {
			t.Errorf("%s: %d runs, %d dead letters; want %d, %d", name, runs, len(s.Dead), tt.runs, tt.dead)
		}
	}
}

// What would happen past the end of its context does not happen.
func TestEffectsEndWithTheirContext(t *testing.T) {
	t.Parallel()
	s := simbus.New(1, simbus.Faults{Switch: 100, Stall: 100})
	late := 0
	s.Handle(flow.Handlers{verb: func(ctx context.Context, _ contract.Command) error {
		began := s.Now()
		limited, cancel := context.WithTimeout(ctx, 20*time.Second)
		defer cancel()
		err := s.Effect(limited, "effect", func() error {
			if s.Now().Sub(began) > 20*time.Second {
				late++
			}
			return nil
		})
		if s.IsCalm() {
			return nil
		}
		return err
	}})
	send(t, s, "a", "b", "c")
	s.Run(s.Now().Add(20 * time.Minute))
	s.Calm()
	s.Run(s.Now().Add(time.Hour))
	if late > 0 {
		t.Errorf("%d effects happened too late, want none", late)
	}
}
