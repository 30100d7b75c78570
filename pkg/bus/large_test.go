package bus_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/embedded"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/uploads"
)

// TestTooLargeIsNotTried: what no message can hold is refused by itself, and what
// is published beside it is not.
func TestTooLargeIsNotTried(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	text := func(n int) json.RawMessage { return json.RawMessage(`"` + strings.Repeat("x", n) + `"`) }
	event := func(id string, n int) contract.Event {
		return contract.Event{ID: "e" + id, Aggregate: contract.UploadAggregate, AggregateID: id, Name: uploads.EventCreated, At: time.Now(), Data: text(n)}
	}
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			n, fits := 10, i%2 == 0
			if !fits {
				n = embedded.MaxPayload
			}
			_, err := b.Append(t.Context(), event(fmt.Sprint("u", i), n), 0)
			if fits != (err == nil) || !fits && !errors.Is(err, aggregate.ErrTooLarge) {
				t.Errorf("event of %d bytes: %v; want it stored %v", n, err, fits)
			}
		})
	}
	all.Wait()
	if err := b.Send(t.Context(), contract.Command{ID: "c", Name: boards.Read, At: time.Now(), Data: text(embedded.MaxPayload)}); !errors.Is(err, aggregate.ErrTooLarge) {
		t.Errorf("a command of %d bytes: %v; want %v", embedded.MaxPayload, err, aggregate.ErrTooLarge)
	}
	if _, err := b.Append(t.Context(), event("large", embedded.MaxPayload-4<<10), 0); err != nil {
		t.Errorf("an event that fits: %v", err)
	}
}
