package status

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/provider"

	"golang.org/x/sync/errgroup"
)

// Reports are what each process says of each provider.
type Reports interface {
	Keys(ctx context.Context) ([]string, error)
	Get(ctx context.Context, key string) (value []byte, rev uint64, err error) // bus.ErrNoKey
}

// maxReads is how many reports are read at once.
const maxReads = 16

// ReadHealth adds the reports of all processes up: how external providers do, as the services
// that call them say. Nobody is called for it.
func ReadHealth(ctx context.Context, from Reports, now time.Time) ([]provider.Health, error) {
	keys, err := from.Keys(ctx)
	if err != nil {
		return nil, err
	}
	reports := make([]provider.Report, len(keys))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxReads)
	for i, key := range keys {
		group.Go(func() error {
			body, _, err := from.Get(ctx, key)
			if errors.Is(err, bus.ErrNoKey) {
				return nil // it has just expired
			}
			if err == nil {
				err = json.Unmarshal(body, &reports[i])
			}
			if err != nil {
				return fmt.Errorf("report %s: %w", key, err)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	known := reports[:0]
	for _, r := range reports {
		if r.Name != "" {
			known = append(known, r)
		}
	}
	return provider.Merge(now, known), nil
}
