package bus

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"boardorder/pkg/contract"

	"go.uber.org/zap"
)

// clock is this process's clock, put right by the broker's where it is plainly
// wrong: times in events and timers are then of one clock for all processes.
type clock struct {
	local func() time.Time
	skew  atomic.Int64 // nanoseconds that the broker's clock is ahead
}

// minSkew is the least difference to the broker's clock that is put right.
// Less is usual between machines that keep their clocks, and harmless.
const minSkew = 2 * time.Second

// compare notes the broker's time, read between two moments of the local clock.
func (c *clock) compare(before, after, broker time.Time) (skew time.Duration) {
	trip := after.Sub(before)
	skew = broker.Sub(before.Add(trip / 2))
	if skew.Abs() < minSkew+trip {
		skew = 0
	}
	c.skew.Store(int64(skew))
	return skew
}

func (c *clock) read() time.Time { return c.local().Add(time.Duration(c.skew.Load())) }

// Now is the time that services go by: that of this process, unless its clock
// is wrong by seconds when it is compared with the broker's.
func (b *Bus) Now() time.Time { return b.now() }

// clockEvery is how often the clocks are compared: one that steps while a process
// runs is put right as one that was wrong before.
const clockEvery = 15 * time.Second

// compareClocks says what has changed since the last time.
func (b *Bus) compareClocks(before, broker time.Time) {
	old := time.Duration(b.clock.skew.Load())
	skew := b.clock.compare(before, b.clock.local(), broker)
	b.metrics.skew.Set(skew.Seconds())
	switch {
	case skew != 0 && (skew-old).Abs() >= minSkew:
		b.log.Warn("this machine's clock is wrong; the broker's is used", zap.Duration("broker_ahead", skew))
	case skew == 0 && old != 0:
		b.log.Info("this machine's clock is right again")
	}
}

// CompareClocks asks the broker what time it is.
func (b *Bus) CompareClocks(ctx context.Context) error {
	before := b.clock.local()
	s, err := b.openStream(ctx, contract.CommandStream)
	if err != nil {
		return fmt.Errorf("the broker's time: %w", err)
	}
	b.compareClocks(before, s.CachedInfo().TimeStamp)
	return nil
}
