package simulation

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/projection"
)

// blobs is a store of files that fails as the rest of the world does.
type blobs struct {
	*simbus.Sim
	kept  map[string]kept
	allow func(key string, k kept) error // says why a blob must not be deleted
	wrong []error
}

type kept struct {
	data []byte
	info blob.Info
}

func (b *blobs) Put(ctx context.Context, key string, r io.Reader, _ int64, kind string) (blob.Info, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return blob.Info{}, err
	}
	info := blob.Info{Key: key, Size: int64(len(data)), ContentType: kind, ModTime: b.Now()}
	return info, b.Effect(ctx, "put blob", func() error { b.kept[key] = kept{data, info}; return nil })
}

func (b *blobs) Get(_ context.Context, key string) (io.ReadCloser, blob.Info, error) {
	k, ok := b.kept[key]
	if !ok {
		return nil, blob.Info{}, blob.ErrNotFound
	}
	return io.NopCloser(bytes.NewReader(k.data)), k.info, nil
}

func (b *blobs) Stat(_ context.Context, key string) (blob.Info, error) {
	k, ok := b.kept[key]
	if !ok {
		return blob.Info{}, blob.ErrNotFound
	}
	return k.info, nil
}

func (b *blobs) Delete(ctx context.Context, keys ...string) error {
	return b.Effect(ctx, "delete blobs", func() error {
		for _, k := range keys {
			if was, ok := b.kept[k]; ok {
				if err := b.allow(k, was); err != nil {
					b.wrong = append(b.wrong, fmt.Errorf("%s was deleted: %w", k, err))
				}
			}
			delete(b.kept, k)
		}
		return nil
	})
}

func (b *blobs) List(_ context.Context, prefix string) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		for _, key := range slices.Sorted(maps.Keys(b.kept)) {
			if strings.HasPrefix(key, prefix) && !yield(b.kept[key].info, nil) {
				return
			}
		}
	}
}

func (b *blobs) Ping(context.Context) error { return nil }

// views is a projection that lags behind by up to five minutes. It never goes back.
type views struct {
	*simbus.Sim
	seen map[contract.Aggregate]int // how many events
}

const maxLag = 5 * time.Minute

// quotes gives the quotes that a person sees, in order of their requests.
func (v *views) quotes() []quotes.Quote {
	byRef := map[string]quotes.Quote{}
	for _, e := range v.events(contract.QuoteAggregate) {
		snap, err := aggregate.Decode[quotes.Quote](e)
		if err != nil {
			panic(err)
		}
		if snap.Exists() {
			byRef[e.AggregateID] = snap.State
		}
	}
	byRequest := func(a, b quotes.Quote) int { return strings.Compare(a.RequestID, b.RequestID) }
	return slices.SortedFunc(maps.Values(byRef), byRequest)
}

func (v *views) events(a contract.Aggregate) []contract.Event {
	all := v.Events(a)
	to := len(all)
	if !v.IsCalm() {
		newest := v.Now().Add(-time.Duration(v.Rand().Int64N(int64(maxLag))))
		for to > v.seen[a] && all[to-1].StoredAt.After(newest) {
			to--
		}
	}
	v.seen[a] = to
	return all[:to]
}

// List is what a service finds in the projection: orders and checkouts by where
// they stand.
func (v *views) List(_ context.Context, kind, key, value string, _ projection.Page) (found []projection.Document, next string, err error) {
	last := map[string]json.RawMessage{}
	for _, e := range v.events(contract.Aggregate(kind)) {
		last[e.AggregateID] = contract.StateOf(e.Data)
	}
	for _, id := range slices.Sorted(maps.Keys(last)) {
		var state map[string]any
		if err := json.Unmarshal(last[id], &state); err != nil {
			return nil, "", err
		}
		if state[key] == value {
			found = append(found, projection.Document{Kind: kind, ID: id, Body: last[id], At: v.Now()})
		}
	}
	return found, "", nil
}
