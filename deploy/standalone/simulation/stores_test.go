package simulation

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"boardorder/pkg/blob"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
)

// blobs is a store of files that fails as the rest of the world does.
type blobs struct {
	*simbus.Sim
	kept map[string]kept
}

type kept struct {
	data []byte
	info blob.Info
}

func (b *blobs) Put(_ context.Context, key string, r io.Reader, _ int64, kind string) (blob.Info, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return blob.Info{}, err
	}
	info := blob.Info{Key: key, Size: int64(len(data)), ContentType: kind, ModTime: b.Now()}
	return info, b.Effect("put blob", func() error { b.kept[key] = kept{data, info}; return nil })
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

func (b *blobs) Delete(_ context.Context, keys ...string) error {
	return b.Effect("delete blobs", func() error {
		for _, k := range keys {
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

// docs is a projection without lag: it reads the simulation's last states.
type docs struct{ *simbus.Sim }

func (d docs) states(kind string) map[string]json.RawMessage {
	states, err := simbus.States[json.RawMessage](d.Sim, contract.Aggregate(kind))
	if err != nil {
		panic(err)
	}
	return states
}

func (d docs) Get(_ context.Context, kind, id string) (projection.Document, error) {
	if body, ok := d.states(kind)[id]; ok {
		return projection.Document{Kind: kind, ID: id, Body: body, At: d.Now()}, nil
	}
	return projection.Document{}, projection.ErrNotFound
}

func (d docs) List(_ context.Context, kind, key, value string, _ projection.Page) (out []projection.Document, next string, err error) {
	for id, body := range d.states(kind) {
		var of struct{ Digest string }
		if err := json.Unmarshal(body, &of); err != nil {
			return nil, "", err
		}
		if key == "digest" && of.Digest == value {
			out = append(out, projection.Document{Kind: kind, ID: id, Body: body, At: d.Now()})
		}
	}
	return out, "", nil
}

func (d docs) Put(context.Context, ...projection.Document) error { return nil }
func (d docs) Count(ctx context.Context, kind, key, value string) (int, error) {
	found, _, err := d.List(ctx, kind, key, value, projection.Page{})
	return len(found), err
}
func (d docs) Ping(context.Context) error { return nil }
func (d docs) Close() error               { return nil }
