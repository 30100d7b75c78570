package bus_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
)

// During a rollout a replica is given commands that only newer ones know. It
// leaves them to those, for an hour; what nobody knows by then is a dead letter.
func TestAnUnknownVerbIsLeftToNewerReplicas(t *testing.T) {
	t.Parallel()
	newer := contract.CommandName{Service: "upload", Verb: "of-a-later-release"}
	for name, tt := range map[string]struct {
		age  time.Duration
		dead bool
	}{
		"new":               {0, false},
		"nearly an hour":    {58 * time.Minute, false},
		"more than an hour": {61 * time.Minute, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := bustest.Server(t, topology.Config{})
			old, next := bustest.Connect(t, server), bustest.Connect(t, server)
			sent := contract.Command{ID: "unknown", Name: newer, At: time.Now().Add(-tt.age), Data: json.RawMessage(`{}`)}
			if err := old.Send(t.Context(), sent); err != nil {
				t.Fatal(err)
			}
			serve(t, old, nil)
			bustest.WaitFor(t, "the older replica to have given it back, or up", func() bool { return hasRedelivery(t, old) || letters(t, old) > 0 })
			if got := letters(t, old); got > 0 != tt.dead {
				t.Fatalf("%d dead letters, want any: %v", got, tt.dead)
			}
			if tt.dead {
				return
			}
			handled := make(chan string, 1)
			serve(t, next, flow.Handlers{newer: func(_ context.Context, c contract.Command) error { handled <- c.ID; return nil }})
			if got := <-handled; got != sent.ID || letters(t, next) > 0 {
				t.Errorf("the newer replica handled %q, %d dead letters; want %q, none", got, letters(t, next), sent.ID)
			}
		})
	}
}

func serve(t *testing.T, b *bus.Bus, handlers flow.Handlers) {
	t.Helper()
	bustest.Go(t, func(ctx context.Context) error {
		return b.Serve(ctx, bus.Work{Service: "upload", Handlers: handlers, Parallel: 1})
	})
}

func letters(t *testing.T, b *bus.Bus) int {
	t.Helper()
	dead, err := b.DeadLetters(t.Context(), 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	return len(dead)
}

// hasRedelivery reports whether a command was given back by who got it first.
func hasRedelivery(t *testing.T, b *bus.Bus) bool {
	t.Helper()
	states, err := b.States(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range states {
		for _, c := range s.Consumers {
			if s.Name == contract.CommandStream && c.Name == "upload" && c.Redelivered > 0 {
				return true
			}
		}
	}
	return false
}
