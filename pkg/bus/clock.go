package bus

import (
	"sync/atomic"
	"time"

	"go.uber.org/zap"
)

// clock is this process's clock, put right by the broker's where it is plainly
// wrong: times in events and timers are then of one clock for all processes.
type clock struct {
	local func() time.Time
	skew  atomic.Int64 // nanoseconds that the broker's clock is ahead
}

// skewLeast is the least difference to the broker's clock that is put right.
// Less is usual between machines that keep their clocks, and harmless.
const skewLeast = 2 * time.Second

// compare notes the broker's time, read between two moments of the local clock.
func (c *clock) compare(before, after, broker time.Time) (skew time.Duration) {
	trip := after.Sub(before)
	skew = broker.Sub(before.Add(trip / 2))
	if skew.Abs() < skewLeast+trip {
		skew = 0
	}
	c.skew.Store(int64(skew))
	return skew
}

func (c *clock) now() time.Time { return c.local().Add(time.Duration(c.skew.Load())) }

// Now is the time that services go by: that of this process, unless its clock
// was wrong by seconds when Verify compared it with the broker's.
func (b *Bus) Now() time.Time { return b.now() }

func (b *Bus) compareClocks(before, broker time.Time) {
	if skew := b.clock.compare(before, b.clock.local(), broker); skew != 0 {
		b.log.Warn("this machine's clock is wrong; the broker's is used", zap.Duration("broker_ahead", skew))
	}
}
