package auth

import (
	"context"
	"sync"
	"time"

	"boardorder/pkg/bus"

	"go.uber.org/zap"
)

const (
	touchEvery   = time.Minute
	touchPending = 256
)

// Touch notes when each key was last used, at most once a minute a key, in a
// bucket that all edges share. It never holds a request up.
type Touch struct {
	bucket *bus.Bucket
	now    func() time.Time
	log    *zap.Logger
	todo   chan used

	mu   sync.Mutex
	last map[string]time.Time
}

type used struct {
	key string
	at  time.Time
}

// NewTouch notes into the bucket.
func NewTouch(bucket *bus.Bucket, now func() time.Time, log *zap.Logger) *Touch {
	return &Touch{bucket: bucket, now: now, log: log, todo: make(chan used, touchPending), last: map[string]time.Time{}}
}

// Use notes the use of a key. What does not fit is noted another time.
func (t *Touch) Use(keyID string) {
	now := t.now()
	t.mu.Lock()
	due := now.Sub(t.last[keyID]) >= touchEvery
	if due {
		if len(t.last) >= maxKeys {
			clear(t.last)
		}
		t.last[keyID] = now
	}
	t.mu.Unlock()
	if !due {
		return
	}
	select {
	case t.todo <- used{keyID, now}:
	default:
	}
}

// Run writes what was noted, until ctx ends.
func (t *Touch) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case u := <-t.todo:
			if err := t.bucket.Put(ctx, u.key, u.at.UTC().AppendFormat(nil, time.RFC3339)); err != nil && ctx.Err() == nil {
				t.log.Debug("last use of a key", zap.Error(err))
			}
		}
	}
}
