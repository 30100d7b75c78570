package shared_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/services/part-sourcing/internal/lookup"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/shared"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
)

func TestCache(t *testing.T) {
	t.Parallel()
	bucket, err := bustest.Start(t).Bucket(t.Context(), contract.PartAnswersBucket)
	if err != nil {
		t.Fatal(err)
	}
	c := shared.Cache{Bucket: bucket}
	want := lookup.Entry{At: time.Now().UTC(), Answer: part.Answer{Offers: []part.Offer{{
		Source: "fab", SKU: "C1", MPN: "A/B* >.é", Stock: 5, At: time.Now().UTC(), Breaks: []part.Break{{Quantity: 1, Price: 12_500}}, LeadDays: -1,
	}}}}
	if err := c.Put(t.Context(), "fab/mpn/A/B* >.é", want, time.Hour); err != nil {
		t.Fatal(err)
	}
	if err := bucket.Put(t.Context(), contract.DeriveID("part", "broken"), []byte("{")); err != nil {
		t.Fatal(err)
	}
	got, err := c.Get(t.Context(), []string{"fab/mpn/A/B* >.é", "none", "broken"})
	if diff := cmp.Diff(map[string]lookup.Entry{"fab/mpn/A/B* >.é": want}, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestQuota: two replicas together make as many calls as one may.
func TestQuota(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	bucket, err := b.Bucket(t.Context(), contract.SupplierQuotasBucket)
	if err != nil {
		t.Fatal(err)
	}
	replica := func() *shared.Quota {
		return &shared.Quota{Bucket: bucket, Name: "distributor_a", Limits: []outside.Limit{{Calls: 10, Period: time.Hour}}, Now: time.Now, Log: zap.NewNop()}
	}
	one, two := replica(), replica()
	var taken atomic.Int64
	var wg sync.WaitGroup
	for i := range 16 {
		q := []*shared.Quota{one, two}[i%2]
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if wait, ok := q.Take(ctx); ok {
				taken.Add(1)
			} else if limit := 50 * time.Minute; wait < limit {
				t.Errorf("a refused call may be made in %s, want %s at least", wait, limit)
			}
		})
	}
	wg.Wait()
	if n := taken.Load(); n != 10 {
		t.Errorf("%d calls, want 10", n)
	}
	if one.Spares(t.Context(), 100) || !two.Spares(t.Context(), 101) {
		t.Error("a quota that is used up spares calls, or less than it has spares none")
	}
	other := replica()
	other.Name = "distributor_b"
	other.Exhaust(time.Hour)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	again := replica()
	again.Name = "distributor_b"
	if wait, ok := again.Take(ctx); ok || wait < 50*time.Minute {
		t.Errorf("a supplier that refuses calls: may be called in %s, now %v; want 50 minutes at least, false", wait, ok)
	}
}
