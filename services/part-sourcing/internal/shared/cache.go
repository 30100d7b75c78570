// Package shared keeps what replicas share in buckets of the broker: what
// suppliers said, which parts they are being asked about, and how often they were called.
package shared

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/services/part-sourcing/internal/lookup"

	"golang.org/x/sync/errgroup"
)

// A Bucket holds shared values; a *bus.Bucket.
type Bucket interface {
	Create(ctx context.Context, key string, value []byte) (rev uint64, err error)
	Get(ctx context.Context, key string) (value []byte, rev uint64, err error)
	Update(ctx context.Context, key string, value []byte, rev uint64) (uint64, error)
	Put(ctx context.Context, key string, value []byte) error
	DeleteAt(ctx context.Context, key string, rev uint64) error
}

// Bounds of the cache's use of the bucket.
const (
	readsAtOnce  = 16
	maxBytes     = 256 << 10 // of one entry; a larger one is asked for again
	readTimeout  = 3 * time.Second
	writeTimeout = 3 * time.Second
)

// A Cache is a [lookup.Cache] in a bucket, whose values go after their time.
type Cache struct{ Bucket Bucket }

// Get implements [lookup.Cache].
func (c Cache) Get(ctx context.Context, keys []string) (map[string]lookup.Entry, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(readsAtOnce)
	var mu sync.Mutex
	out := make(map[string]lookup.Entry, len(keys))
	for _, key := range keys {
		group.Go(func() error {
			e, ok, err := c.get(ctx, key)
			if ok {
				mu.Lock()
				defer mu.Unlock()
				out[key] = e
			}
			return err
		})
	}
	err := group.Wait()
	return out, err
}

func (c Cache) get(ctx context.Context, key string) (e lookup.Entry, ok bool, err error) {
	data, _, err := c.Bucket.Get(ctx, name(key))
	if errors.Is(err, bus.ErrNoKey) {
		return e, false, nil
	}
	if err != nil {
		return e, false, err
	}
	// What another version of the program wrote and this one cannot read is none.
	return e, json.Unmarshal(data, &e) == nil, nil
}

// Put implements [lookup.Cache]. The bucket forgets an entry by itself.
func (c Cache) Put(ctx context.Context, key string, e lookup.Entry, _ time.Duration) error {
	data, err := json.Marshal(e)
	if err != nil || len(data) > maxBytes {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return c.Bucket.Put(ctx, name(key), data)
}

// name is a key that a bucket takes: part numbers hold any character.
func name(key string) string { return contract.DeriveID("part", key) }
