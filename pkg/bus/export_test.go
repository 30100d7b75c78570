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
var StoredIn = parseStored

// BreakLink lets the bus believe that there is no connection, until restore.
func (b *Bus) BreakLink() (restore func()) {
	b.link.noteLoss()
	return b.link.noteRestore
}

// Posts is how many messages wait to be published to a stream.
func (b *Bus) Posts(stream string) int {
	p := b.publishers.publisherOf(stream, b)
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.waiting)
}

// FeedWindowForTest is how much of the stream is looked at first.
const FeedWindowForTest = feedWindow
