package failed_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/failedrequests"
	"boardorder/services/edge/internal/failed"

	"go.uber.org/zap"
)

var noon = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)

// A countingBucket counts what is written.
type countingBucket struct {
	*bus.Bucket
	writes, bytes atomic.Int64
}

func (b *countingBucket) Create(ctx context.Context, key string, value []byte) (uint64, error) {
	b.writes.Add(1)
	b.bytes.Add(int64(len(value)))
	return b.Bucket.Create(ctx, key, value)
}

func (b *countingBucket) Update(ctx context.Context, key string, value []byte, rev uint64) (uint64, error) {
	b.writes.Add(1)
	b.bytes.Add(int64(len(value)))
	return b.Bucket.Update(ctx, key, value, rev)
}

// TestFailuresWithoutEnd: edges that note a hundred thousand failures together write them in a few writes of bounded size, wait for
// none while they note, lose none, and keep nothing of what is export-controlled.
func TestFailuresWithoutEnd(t *testing.T) {
	t.Parallel()
	inner, err := bustest.Start(t).Bucket(t.Context(), contract.FailedRequestsBucket)
	if err != nil {
		t.Fatal(err)
	}
	bucket := &countingBucket{Bucket: inner}
	const edges, each = 3, 30_000
	ctx, stop := context.WithCancel(t.Context())
	var running, noting sync.WaitGroup
	for n := range edges {
		r := failed.New(bucket, zap.NewNop())
		running.Go(func() { r.Run(ctx) })
		noting.Go(func() {
			for i := range each {
				e := failedrequests.Entry{At: noon, Request: fmt.Sprint("req_", n, "_", i), Key: "k", Kind: failedrequests.Kind{Method: "POST", Route: "/v1/quotes", Status: 422, Code: contract.InvalidRequest}}
				if i%3 == 0 {
					e.Kind = failedrequests.Kind{Method: "POST", Route: "/v1/uploads", Status: 422, Code: contract.ITARNotSupported}
				}
				r.Note("acc_1", e)
			}
		})
	}
	noting.Wait()
	stop()
	running.Wait()
	all, left, err := failedrequests.Read(t.Context(), bucket, "acc_1", noon)
	total := len(all)
	for _, c := range left {
		total += c.N
	}
	if want := edges * each * 2 / 3; err != nil || total != want || len(all) != failedrequests.MaxAlike {
		t.Errorf("%d listed, %d in all, %v; want %d and %d", len(all), total, err, failedrequests.MaxAlike, want)
	}
	for _, e := range all {
		if e.Code == contract.ITARNotSupported {
			t.Errorf("%+v is listed, want nothing of it", e)
		}
	}
	if writes, bytes := bucket.writes.Load(), bucket.bytes.Load(); writes > 3*edges*edges || bytes > 200<<10 {
		t.Errorf("%d writes of %d bytes, want a few", writes, bytes)
	}
}
