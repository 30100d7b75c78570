// Package person gathers what is held of one customer, from the streams.
package person

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/erasures"
)

// Held is what one aggregate holds of a customer, one line of an export.
type Held struct {
	Aggregate contract.Aggregate `json:"aggregate"`
	ID        string             `json:"id"`
	Event     contract.EventName `json:"event"` // the last one
	At        time.Time          `json:"at"`
	State     json.RawMessage    `json:"state"`
}

// Export gives the last state of each aggregate one of whose events has the label of
// a person, by [contract.PersonRef]. It reads the headers of all streams. Without
// controlled what only US persons may see is left out.
func Export(ctx context.Context, b *bus.Bus, person string, controlled bool, do func(Held) error) error {
	labels := erasures.Data{Person: person}.Labels()
	for _, a := range contract.Aggregates() {
		ids, err := b.Find(ctx, a, func(e contract.Event) bool { return e.Labels.HasAny(labels) })
		if err != nil {
			return err
		}
		for _, id := range ids {
			e, err := b.Last(ctx, a, id)
			if err != nil {
				return err
			}
			if e.Labels.IsControlled() && !controlled {
				continue
			}
			var body contract.Body[json.RawMessage]
			if err := json.Unmarshal(e.Data, &body); err != nil {
				return fmt.Errorf("%s %s: %w", a, id, err)
			}
			if err := do(Held{a, id, e.Name, e.At, body.State}); err != nil {
				return err
			}
		}
	}
	return nil
}
