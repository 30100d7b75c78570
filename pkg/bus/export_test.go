package bus

import (
	"context"

	"boardorder/pkg/flow"
)

// UpdateAttempts is how a run writes down that it begins and how it ended.
func (b *Bus) UpdateAttempts(ctx context.Context, command string, change func(flow.Attempts) (flow.Attempts, error)) (flow.Attempts, error) {
	return b.updateAttempts(ctx, command, change)
}

// StoredIn reads the broker's answer to a load.
var StoredIn = storedIn
