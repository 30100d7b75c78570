package retention_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/retention"

	"go.uber.org/zap"
)

var read = contract.Command{ID: "c", Name: quotes.Price, Request: "req_c", Account: "acc", Data: json.RawMessage(`{"quote":"q"}`)}

func day(n int) time.Time { return time.Date(2026, 11, n, 0, 0, 0, 0, time.UTC) }

// TestNeed: files are kept for longer than whoever needs them last, and what is on record
// is written anew only when it is not enough.
func TestNeed(t *testing.T) {
	t.Parallel()
	board := boards.ReadFiles{Digest: "d", Reader: "1", NeededUntil: day(10)}
	forgotten := board
	forgotten.Gone = true
	for name, tt := range map[string]struct {
		board *boards.ReadFiles // nil: never read
		until time.Time
		want  time.Time
		err   error
	}{
		"longer":                       {&board, day(20), day(22), nil},
		"longer, within a day":         {&board, day(20).Add(23 * time.Hour), day(22), nil},
		"a moment longer":              {&board, day(10).Add(1), day(12), nil},
		"as long as on record":         {&board, day(10), day(10), nil},
		"shorter":                      {&board, day(9), day(10), nil},
		"needed by nobody before":      {&boards.ReadFiles{Digest: "d", Reader: "1"}, day(20), day(22), nil},
		"forgotten":                    {&forgotten, day(20), day(10), retention.ErrGone},
		"forgotten, needed no longer":  {&forgotten, day(1), day(10), retention.ErrGone},
		"never read":                   {nil, day(20), time.Time{}, retention.ErrGone},
		"in a zone east of everywhere": {&board, day(20).In(time.FixedZone("", 14*3600)), day(22), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sim := simbus.New(1, simbus.Faults{})
			at := aggregate.At[boards.ReadFiles](sim, contract.BoardAggregate, "d")
			if tt.board != nil {
				_, err := at.Step(t.Context(), read, "read", sim.Now(), func(aggregate.Snapshot[boards.ReadFiles]) (*aggregate.Change[boards.ReadFiles], error) {
					return &aggregate.Change[boards.ReadFiles]{Event: boards.EventRead, State: *tt.board}, nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			before, err := at.Load(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // a delivery that comes again changes nothing
				got, err := retention.Need(t.Context(), sim, "d", read, "order", tt.until, sim.Now())
				if !errors.Is(err, tt.err) || !got.NeededUntil.Equal(tt.want) {
					t.Errorf("Need until %v of %+v = until %v, %v; want until %v, %v", tt.until, tt.board, got.NeededUntil, err, tt.want, tt.err)
				}
			}
			after, err := at.Load(t.Context())
			changes := tt.board != nil && !tt.want.Equal(tt.board.NeededUntil)
			if err != nil || (after.Seq > before.Seq) != changes || !after.State.NeededUntil.Equal(tt.want) {
				t.Errorf("Need until %v of %+v leaves %+v at %d after %d, %v; want a new event: %v", tt.until, tt.board, after.State, after.Seq, before.Seq, err, changes)
			}
		})
	}
}

// TestSweep: a sweep that fails comes again after the same wait, and the end is no error.
func TestSweep(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		begun := time.Now()
		var at []time.Duration
		err := retention.Sweep(ctx, time.Minute, zap.NewNop(), func(context.Context) error {
			at = append(at, time.Since(begun))
			if len(at) == 3 {
				stop()
			}
			return errors.New("the broker is away")
		})
		if err != nil || len(at) != 3 || at[0] != time.Minute || at[2] != 3*time.Minute {
			t.Errorf("Sweep each minute sweeps at %v and ends with %v, want after 1, 2 and 3 minutes and nil", at, err)
		}
	})
}
