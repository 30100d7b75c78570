package bus

import (
	"context"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/zap"
)

const (
	nodeEvery   = 2 * time.Second
	nodeTimeout = 2 * time.Second
	// nodeFailures in a row mean that it is no election of a leader.
	nodeFailures = 5
)

// watchNode leaves a node of the broker for another, if it no longer answers: one
// that is cut off from the others, or stands still, keeps its connections. It
// runs until the connection is closed.
func (b *Bus) watchNode() {
	closed := b.nc.StatusChanged(nats.CLOSED)
	tick := time.NewTicker(nodeEvery)
	defer tick.Stop()
	failures, compared := 0, time.Now()
	for {
		select {
		case <-closed:
			return
		case <-tick.C:
		}
		if failures++; b.nc.Status() != nats.CONNECTED || b.answers() {
			failures = 0
		}
		if failures == 0 && time.Since(compared) > clockEvery {
			compared = time.Now()
			b.watchClock()
		}
		if failures >= nodeFailures {
			b.log.Warn("this node of the broker does not answer; trying another", zap.String("node", b.nc.ConnectedServerName()))
			_ = b.nc.ForceReconnect() // an error says that it was closed
			failures = 0
		}
	}
}

func (b *Bus) watchClock() {
	ctx, cancel := context.WithTimeout(context.Background(), nodeTimeout)
	defer cancel()
	_ = b.CompareClocks(ctx) // an election; the next one will tell
}

// answers reports whether the node reaches those who lead.
func (b *Bus) answers() bool {
	ctx, cancel := context.WithTimeout(context.Background(), nodeTimeout)
	defer cancel()
	_, err := b.js.AccountInfo(ctx)
	return err == nil || !unreachable(err)
}
