// Package failed notes calls with an API key that were answered 4xx or 5xx, for the key's account.
// Nothing is written while a call is answered: what came together is written together, at most
// twice a minute for each owner.
package failed

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/failedrequests"

	"go.uber.org/zap"
)

const (
	settle     = 500 * time.Millisecond // what comes together is written together
	pause      = 30 * time.Second
	maxPending = 500 // slots that wait to be written
	maxRaces   = 20
	writeTime  = 5 * time.Second
)

// Bucket is where slots lie; a [bus.Bucket].
type Bucket interface {
	failedrequests.Values
	Create(ctx context.Context, key string, value []byte) (rev uint64, err error)
	Update(ctx context.Context, key string, value []byte, rev uint64) (next uint64, err error)
}

// Recorder collects what fails and writes it.
type Recorder struct {
	bucket Bucket
	log    *zap.Logger
	wake   chan struct{}

	mu      sync.Mutex
	pending map[string]*failedrequests.Slot // by key
	dropped int                             // there was no room to remember them
}

// New makes a recorder, which writes once Run runs.
func New(bucket Bucket, log *zap.Logger) *Recorder {
	return &Recorder{bucket: bucket, log: log, wake: make(chan struct{}, 1), pending: map[string]*failedrequests.Slot{}}
}

// Note remembers a call of an owner. Of one that was refused as export-controlled nothing is.
func (r *Recorder) Note(owner string, e failedrequests.Entry) {
	if strings.HasPrefix(string(e.Code), "itar") {
		return
	}
	key := failedrequests.Key(owner, e.At)
	r.mu.Lock()
	s := r.pending[key]
	if s == nil && len(r.pending) < maxPending {
		s = &failedrequests.Slot{}
		r.pending[key] = s
	}
	if s != nil {
		s.Add(e)
	} else {
		r.dropped++
	}
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Run writes what was noted until ctx ends, and what is left then.
func (r *Recorder) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
		case <-r.wake:
		}
		sleep(ctx, settle)
		ended := ctx.Err() != nil
		r.write(context.WithoutCancel(ctx)) // what it takes up is written also if ctx ends now
		if ended {
			return
		}
		sleep(ctx, pause)
	}
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

func (r *Recorder) write(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	r.mu.Lock()
	pending, dropped := r.pending, r.dropped
	r.pending, r.dropped = map[string]*failedrequests.Slot{}, 0
	r.mu.Unlock()
	failures := 0
	for key, s := range pending {
		if err := r.merge(ctx, key, *s); err != nil {
			failures++
		}
	}
	if failures > 0 || dropped > 0 {
		r.log.Warn("failed requests are missing from the lists of their accounts", zap.Int("lists", failures), zap.Int("requests", dropped))
	}
}

// merge adds to what all edges have written of a slot.
func (r *Recorder) merge(ctx context.Context, key string, s failedrequests.Slot) error {
	for range maxRaces {
		var sum failedrequests.Slot
		value, rev, err := r.bucket.Get(ctx, key)
		known := err == nil
		if known {
			err = json.Unmarshal(value, &sum)
		}
		if err != nil && !errors.Is(err, bus.ErrNoKey) {
			return err
		}
		sum.Merge(s)
		if value, err = json.Marshal(sum); err != nil {
			return err
		}
		if known {
			_, err = r.bucket.Update(ctx, key, value, rev)
		} else {
			_, err = r.bucket.Create(ctx, key, value)
		}
		if !errors.Is(err, bus.ErrWrongRevision) {
			return err
		}
	}
	return bus.ErrWrongRevision
}
