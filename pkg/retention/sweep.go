package retention

import (
	"context"
	"time"

	"go.uber.org/zap"
)

// Sweep sweeps after each wait until ctx ends. A sweep that fails is logged and comes
// again.
func Sweep(ctx context.Context, wait time.Duration, log *zap.Logger, sweep func(context.Context) error) error {
	t := time.NewTicker(wait)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
			if err := sweep(ctx); err != nil && ctx.Err() == nil {
				log.Warn("the sweep of stored files failed", zap.Error(err))
			}
		}
	}
}
