package bus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// Errors of buckets.
var (
	ErrNoKey         = errors.New("no such key")
	ErrWrongRevision = errors.New("the value has changed")
)

// Bucket holds small shared values whose changes must be atomic across
// replicas: who came first, how much of a limit is left. Reads are answered by
// the leader.
type Bucket struct {
	kv   jetstream.KeyValue
	js   jetstream.JetStream
	link *link
}

// Bucket opens a bucket of the contract.
func (b *Bus) Bucket(ctx context.Context, name string) (*Bucket, error) {
	kv, err := lookFor(ctx, b.link, func(ctx context.Context) (jetstream.KeyValue, error) { return b.js.KeyValue(ctx, name) })
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil, fmt.Errorf("bucket %s: %w", name, ErrTopology)
	}
	if err != nil {
		return nil, fmt.Errorf("bucket %s: %w", name, err)
	}
	return &Bucket{kv, b.js, b.link}, nil
}

// Create sets a key that has no value. ErrWrongRevision if it has one.
func (k *Bucket) Create(ctx context.Context, key string, value []byte) (rev uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout) // an answer may be lost with a node
	defer cancel()
	rev, err = k.writeGuarded(ctx, key, 0, value, func(ctx context.Context) (uint64, error) { return k.kv.Create(ctx, key, value) })
	return rev, revisionError("create", key, err)
}

// Get reads a key, or ErrNoKey.
func (k *Bucket) Get(ctx context.Context, key string) (value []byte, rev uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout) // an answer may be lost with a node
	defer cancel()
	e, err := k.get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, 0, ErrNoKey
	}
	if err != nil {
		return nil, 0, fmt.Errorf("get %s: %w", key, err)
	}
	return e.Value(), e.Revision(), nil
}

// Keys lists the keys, deleted ones that have left a marker among them.
func (k *Bucket) Keys(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout) // an answer may be lost with a node
	defer cancel()
	prefix := "$KV." + k.kv.Bucket() + "."
	info, err := look(ctx, k.link, func(ctx context.Context) (*jetstream.StreamInfo, error) {
		s, err := k.js.Stream(ctx, "KV_"+k.kv.Bucket())
		if err != nil {
			return nil, err
		}
		return s.Info(ctx, jetstream.WithSubjectFilter(prefix+">"))
	})
	if err != nil {
		return nil, fmt.Errorf("keys of %s: %w", k.kv.Bucket(), err)
	}
	keys := make([]string, 0, len(info.State.Subjects))
	for subject := range info.State.Subjects {
		keys = append(keys, strings.TrimPrefix(subject, prefix))
	}
	slices.Sort(keys)
	return keys, nil
}

func (k *Bucket) get(ctx context.Context, key string) (jetstream.KeyValueEntry, error) {
	return look(ctx, k.link, func(ctx context.Context) (jetstream.KeyValueEntry, error) { return k.kv.Get(ctx, key) })
}

// Update sets a key that is still at revision rev. ErrWrongRevision otherwise.
func (k *Bucket) Update(ctx context.Context, key string, value []byte, rev uint64) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout) // an answer may be lost with a node
	defer cancel()
	next, err := k.writeGuarded(ctx, key, rev, value, func(ctx context.Context) (uint64, error) { return k.kv.Update(ctx, key, value, rev) })
	return next, revisionError("update", key, err)
}

// writeGuarded writes a key that is at revision rev. Replicas refuse it also while they
// agree on another value, which may yet come to nothing and which no Get shows:
// then it is written again until one of the two is there. So it is when there was no
// answer and the key is as before, and as long as nobody leads the bucket. Of a write
// without an answer the value says whether it was done.
func (k *Bucket) writeGuarded(ctx context.Context, key string, rev uint64, value []byte, write func(context.Context) (uint64, error)) (uint64, error) {
	answered := true
	next, err := writeUntilAgreed(ctx, func() (uint64, error) { return ask(ctx, k.link, write) }, func(err error) bool {
		switch {
		case isLeaderless(err):
			return false
		case isUnanswered(err):
			answered = false
		case !isCode(err, codeWrongLastSoon):
			return true
		}
		now, err := k.get(ctx, key)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			return rev != 0
		}
		return err != nil || now.Revision() != rev
	})
	if err == nil || answered {
		return next, err
	}
	if now, failed := k.get(ctx, key); failed == nil && now.Revision() != rev && bytes.Equal(now.Value(), value) {
		return now.Revision(), nil
	}
	return next, err
}

// Put sets a key whatever it holds.
func (k *Bucket) Put(ctx context.Context, key string, value []byte) error {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout) // an answer may be lost with a node
	defer cancel()
	if _, err := look(ctx, k.link, func(ctx context.Context) (uint64, error) { return k.kv.Put(ctx, key, value) }); err != nil {
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

// DeleteAt removes a key that is still at revision rev. ErrWrongRevision otherwise.
func (k *Bucket) DeleteAt(ctx context.Context, key string, rev uint64) error {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout) // an answer may be lost with a node
	defer cancel()
	return revisionError("delete", key, k.kv.Delete(ctx, key, jetstream.LastRevision(rev)))
}

func revisionError(what, key string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jetstream.ErrKeyExists), isConflict(err):
		return ErrWrongRevision
	default:
		return fmt.Errorf("%s %s: %w", what, key, err)
	}
}
