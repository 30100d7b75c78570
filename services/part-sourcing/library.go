package partsourcing

import (
	"context"
	"time"

	"boardorder/services/part-sourcing/internal/fablib"

	"go.uber.org/zap"
)

// A library keeps the index of the fabricator's library fresh.
type library struct {
	client *fablib.Client
	lister fablib.Lister
	every  time.Duration
	log    *zap.Logger
}

// retryIndex is how long after a failure the library is listed again.
const retryIndex = time.Minute

// run lists the library from time to time until ctx ends; ready is called once,
// when there is an index or the first try failed.
func (l *library) run(ctx context.Context, ready func()) error {
	for ctx.Err() == nil {
		wait := l.every
		if err := l.refresh(ctx); err != nil && ctx.Err() == nil {
			l.log.Warn("the fabricator's library cannot be listed", zap.Error(err))
			wait = min(retryIndex, l.every)
		}
		ready()
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
		}
	}
	return nil
}

func (l *library) refresh(ctx context.Context) error {
	index, err := fablib.Build(ctx, l.lister)
	if err != nil {
		return err
	}
	l.client.Use(index)
	l.log.Info("the fabricator's library was listed", zap.Int("parts", index.Len()))
	return nil
}
