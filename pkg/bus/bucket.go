package bus

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Errors of buckets.
var (
	ErrNoKey = errors.New("no such key")
	ErrMoved = errors.New("the value has changed")
)

// Bucket holds small shared values whose changes must be atomic across
// replicas: who came first, how much of a limit is left. Reads are answered by
// the leader.
type Bucket struct{ kv jetstream.KeyValue }

// Bucket opens a bucket of the contract.
func (b *Bus) Bucket(ctx context.Context, name string) (*Bucket, error) {
	kv, err := b.js.KeyValue(ctx, name)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil, fmt.Errorf("bucket %s: %w", name, ErrTopology)
	}
	if err != nil {
		return nil, fmt.Errorf("bucket %s: %w", name, err)
	}
	return &Bucket{kv}, nil
}

// Create sets a key that has no value. ErrMoved if it has one.
func (k *Bucket) Create(ctx context.Context, key string, value []byte) (rev uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout) // an answer may be lost with a node
	defer cancel()
	rev, err = k.guarded(ctx, key, 0, func() (uint64, error) { return k.kv.Create(ctx, key, value) })
	return rev, moved("create", key, err)
}

// Get reads a key, or ErrNoKey.
func (k *Bucket) Get(ctx context.Context, key string) (value []byte, rev uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout) // an answer may be lost with a node
	defer cancel()
	e, err := k.kv.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, 0, ErrNoKey
	}
	if err != nil {
		return nil, 0, fmt.Errorf("get %s: %w", key, err)
	}
	return e.Value(), e.Revision(), nil
}

// Update sets a key that is still at revision rev. ErrMoved otherwise.
func (k *Bucket) Update(ctx context.Context, key string, value []byte, rev uint64) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout) // an answer may be lost with a node
	defer cancel()
	next, err := k.guarded(ctx, key, rev, func() (uint64, error) { return k.kv.Update(ctx, key, value, rev) })
	return next, moved("update", key, err)
}

// guarded writes a key that is at revision rev. Replicas refuse it also while they
// agree on another value, which may yet come to nothing and which no Get shows:
// then it is written again until one of the two is there.
func (k *Bucket) guarded(ctx context.Context, key string, rev uint64, write func() (uint64, error)) (uint64, error) {
	return untilAgreed(ctx, write, func(err error) bool {
		if !isCode(err, codeWrongLastSoon) {
			return true
		}
		now, err := k.kv.Get(ctx, key)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			return rev != 0
		}
		return err != nil || now.Revision() != rev
	})
}

// Put sets a key whatever it holds.
func (k *Bucket) Put(ctx context.Context, key string, value []byte) error {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout) // an answer may be lost with a node
	defer cancel()
	if _, err := k.kv.Put(ctx, key, value); err != nil {
		return fmt.Errorf("put %s: %w", key, err)
	}
	return nil
}

// Delete removes a key.
func (k *Bucket) Delete(ctx context.Context, key string) error {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout) // an answer may be lost with a node
	defer cancel()
	if err := k.kv.Delete(ctx, key); err != nil {
		return fmt.Errorf("delete %s: %w", key, err)
	}
	return nil
}

// DeleteAt removes a key that is still at revision rev. ErrMoved otherwise.
func (k *Bucket) DeleteAt(ctx context.Context, key string, rev uint64) error {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout) // an answer may be lost with a node
	defer cancel()
	return moved("delete", key, k.kv.Delete(ctx, key, jetstream.LastRevision(rev)))
}

func moved(what, key string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jetstream.ErrKeyExists), isConflict(err):
		return ErrMoved
	default:
		return fmt.Errorf("%s %s: %w", what, key, err)
	}
}
