package bus

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/duplicates"

	"github.com/nats-io/nats.go/jetstream"
)

// An entry is a key of a bucket without a value: <key>.<id>. The broker finds those
// of one key by their subjects.

// NoteDuplicate implements aggregate.DuplicateIndex.
func (b *Bus) NoteDuplicate(ctx context.Context, a contract.Aggregate, key, id string) error {
	if !contract.ValidToken(key) || !contract.ValidToken(id) {
		return fmt.Errorf("enter %s %q under %q: no subject tokens", a, id, key)
	}
	bucket, err := b.Bucket(ctx, duplicates.Bucket(a))
	if err != nil {
		return err
	}
	return bucket.Put(ctx, key+"."+id, nil)
}

// Duplicates implements aggregate.DuplicateIndex. The bucket's leader answers.
func (b *Bus) Duplicates(ctx context.Context, a contract.Aggregate, keys ...string) (ids []string, whole bool, err error) {
	if whole, err = b.duplicatesWhole(ctx, a); err != nil {
		return nil, false, err
	}
	bucket := duplicates.Bucket(a)
	s, err := b.openStream(ctx, "KV_"+bucket)
	if err != nil {
		return nil, false, fmt.Errorf("bucket %s: %w", bucket, err)
	}
	found := map[string]bool{}
	for _, key := range keys {
		prefix := "$KV." + bucket + "." + key + "."
		info, err := b.infoOf(ctx, s, jetstream.WithSubjectFilter(prefix+"*"))
		if err != nil {
			return nil, false, fmt.Errorf("look for equals of %s: %w", a, err)
		}
		for subject := range info.State.Subjects {
			found[strings.TrimPrefix(subject, prefix)] = true
		}
	}
	return slices.Sorted(maps.Keys(found)), whole, nil
}

// ForgetDuplicate implements aggregate.DuplicateIndex. The broker overwrites the entry.
func (b *Bus) ForgetDuplicate(ctx context.Context, a contract.Aggregate, key, id string) error {
	name := duplicates.Bucket(a)
	bucket, err := b.Bucket(ctx, name)
	if err != nil {
		return err
	}
	_, at, err := bucket.Get(ctx, key+"."+id)
	if errors.Is(err, ErrNoKey) {
		return nil
	}
	if err != nil {
		return err
	}
	s, err := b.openStream(ctx, "KV_"+name)
	if err == nil {
		err = b.overwrite(ctx, s, at)
	}
	if err != nil {
		return fmt.Errorf("forget an equal of %s: %w", a, err)
	}
	return nil
}

// startKey is the key that says since when aggregates of a kind are entered. It is kept
// where nothing leaves by its age.
func startKey(a contract.Aggregate) string { return "since." + string(a) }

// BeginDuplicates writes down, once, since when aggregates of a kind are entered: since
// ever, where there is none yet.
func (b *Bus) BeginDuplicates(ctx context.Context, a contract.Aggregate) error {
	bucket, err := b.Bucket(ctx, contract.DuplicateOrdersBucket)
	if err != nil {
		return err
	}
	if _, _, err := bucket.Get(ctx, startKey(a)); !errors.Is(err, ErrNoKey) {
		return err
	}
	began := time.Time{}
	for _, s := range b.layout.partsOf(contract.EventStream(a)) {
		info, err := b.infoOf(ctx, s)
		if err != nil {
			return fmt.Errorf("look into the stream of %s: %w", a, err)
		}
		if info.State.LastSeq > 0 {
			began = b.now()
		}
	}
	if _, err = bucket.Create(ctx, startKey(a), []byte(began.UTC().Format(timeFormat))); errors.Is(err, ErrWrongRevision) {
		return nil // another replica was faster
	}
	return err
}

func (b *Bus) duplicatesWhole(ctx context.Context, a contract.Aggregate) (bool, error) {
	bucket, err := b.Bucket(ctx, contract.DuplicateOrdersBucket)
	if err != nil {
		return false, err
	}
	value, _, err := bucket.Get(ctx, startKey(a))
	if errors.Is(err, ErrNoKey) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	began, err := time.Parse(timeFormat, string(value))
	if err != nil {
		return false, fmt.Errorf("since when %s are entered: %w", a, err)
	}
	return duplicates.IsWhole(a, began, b.now()), nil
}
