package bus_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/contract/uploads"
)

func commit(t *testing.T, b *bus.Bus, id string, n int) {
	t.Helper()
	after := uint64(0)
	for i := range n {
		seq, err := b.Append(t.Context(), contract.Event{
			ID: contract.DeriveID(id, string(rune('a'+i))), Aggregate: contract.UploadAggregate, AggregateID: id,
			Name: uploads.EventFilesAdded, Version: uint64(i + 1), At: time.Now(), Data: []byte(`{"state":{}}`),
		}, after)
		if err != nil {
			t.Fatal(err)
		}
		after = seq
	}
}

func seqs(hs []bus.Headline) []uint64 {
	var out []uint64
	for _, h := range hs {
		out = append(out, h.Seq)
	}
	return out
}

func TestHistory(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	if got, err := b.Latest(t.Context(), contract.UploadAggregate, nil, 10); err != nil || got != nil {
		t.Fatalf("Latest of an empty stream = %v, %v", got, err)
	}
	commit(t, b, "one", 3)
	commit(t, b, "two", 2)
	for _, tt := range []struct {
		before uint64
		limit  int
		want   []uint64
	}{
		{0, 10, []uint64{1, 2, 3, 4, 5}}, {0, 2, []uint64{4, 5}}, {4, 2, []uint64{2, 3}}, {2, 2, []uint64{1}}, {1, 2, nil}, {99, 1, []uint64{5}},
	} {
		var before []bus.Position
		if tt.before > 0 {
			before = []bus.Position{{Seq: tt.before}}
		}
		got, err := b.Latest(t.Context(), contract.UploadAggregate, before, tt.limit)
		if err != nil || !slices.Equal(seqs(got), tt.want) {
			t.Errorf("Latest(before %d, limit %d) = %v, %v; want %v", tt.before, tt.limit, seqs(got), err, tt.want)
		}
	}
	got, err := b.History(t.Context(), contract.UploadAggregate, "two", 0, 10)
	if err != nil || !slices.Equal(seqs(got), []uint64{4, 5}) || got[0].Size != 12 || got[0].Data != nil {
		t.Errorf("History(two) = %+v, %v", got, err)
	}
	if got, err = b.History(t.Context(), contract.UploadAggregate, "one", 1, 1); err != nil || !slices.Equal(seqs(got), []uint64{2}) {
		t.Errorf("History(one, after 1, limit 1) = %v, %v", seqs(got), err)
	}
	if got, err = b.History(t.Context(), contract.UploadAggregate, "none", 0, 5); err != nil || got != nil {
		t.Errorf("History(none) = %v, %v", got, err)
	}
	e, err := b.EventAt(t.Context(), contract.UploadAggregate, bus.Position{Seq: 4})
	if err != nil || e.AggregateID != "two" || string(e.Data) != `{"state":{}}` {
		t.Errorf("Event(4) = %+v, %v", e, err)
	}
	if _, err = b.EventAt(t.Context(), contract.UploadAggregate, bus.Position{Seq: 6}); !errors.Is(err, bus.ErrNoEvent) {
		t.Errorf("Event(6): %v", err)
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	commit(t, b, "before", 1)
	var mu sync.Mutex
	var got []string
	bustest.Go(t, func(ctx context.Context) error {
		return b.Watch(ctx, contract.UploadAggregate, func(h bus.Headline) {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, h.AggregateID)
		})
	})
	n := 0
	bustest.WaitFor(t, "an event that is watched", func() bool { // watching begins some time
		n++
		commit(t, b, "after"+string(rune('a'+n%26))+string(rune('a'+n/26)), 1)
		mu.Lock()
		defer mu.Unlock()
		return len(got) > 0
	})
	mu.Lock()
	defer mu.Unlock()
	if slices.Contains(got, "before") {
		t.Errorf("watched %v, want nothing from before", got)
	}
}

func TestStates(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	commit(t, b, "one", 3)
	states, err := b.States(t.Context())
	if err != nil || len(states) != len(registry.Streams()) {
		t.Fatalf("States = %d of %d, %v", len(states), len(registry.Streams()), err)
	}
	i := slices.IndexFunc(states, func(s bus.StreamState) bool { return s.Name == "EVENTS_UPLOAD" })
	if i < 0 || states[i].Messages != 3 || states[i].MaxBytes == 0 || states[i].About == "" {
		t.Errorf("EVENTS_UPLOAD: %+v, want 3 messages, a limit of bytes and what it is about", states)
	}
}
