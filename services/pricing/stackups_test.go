package pricing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/stackups"
	"boardorder/pkg/fabricator"

	"go.uber.org/zap"
)

// stocked is a fabricator that has one build-up for each thickness, and fails
// for boards of six layers.
type stocked struct{ requests int }

func (f *stocked) Stackups(_ context.Context, s fabricator.Spec) ([]fabricator.Stackup, error) {
	f.requests++
	if s.Layers == 6 {
		return nil, errors.New("away")
	}
	return []fabricator.Stackup{{
		Code: fmt.Sprintf("S%d-%d", s.Layers, s.Thickness), Name: "one", Layers: []fabricator.StackupLayer{{Kind: "copper", Content: "L1"}},
	}}, nil
}

type kept struct {
	mu     sync.Mutex
	values map[string][]byte
}

func (k *kept) Put(_ context.Context, key string, value []byte) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.values[key] = value
	return nil
}

func TestStackupsAreKeptByLayers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, err := catalog.Load()
		if err != nil {
			t.Fatal(err)
		}
		fab, bucket := &stocked{}, &kept{values: map[string][]byte{}}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		s := stackupPoller{fab: fab, catalog: c, store: bucket, log: zap.NewNop(), pause: time.Second}
		go func() { done <- s.run(ctx) }()
		time.Sleep(time.Hour) // of the test's own clock
		first := fab.requests
		var four []stackups.Stackup
		if err := json.Unmarshal(bucket.values[stackups.Key(4)], &four); err != nil || len(four) != len(c.ThicknessFor(c.Standard.Material, 4)) {
			t.Errorf("kept of 4 layers: %+v, %v", four, err)
		}
		if four[0].Code == "" || four[0].Layers != 4 || four[0].ThicknessMM == 0 || four[0].InnerCopperOz == 0 || len(four[0].Sheets) != 1 {
			t.Errorf("a stackup is %+v, want a code, 4 layers, its thickness and inner copper, one sheet", four[0])
		}
		if _, ok := bucket.values[stackups.Key(6)]; ok {
			t.Error("what the fabricator did not say is kept")
		}
		if _, ok := bucket.values[stackups.Key(8)]; !ok {
			t.Error("one failure ended the rest")
		}
		time.Sleep(stackupInterval)
		if fab.requests <= first {
			t.Errorf("%d requests a day later, want more than %d", fab.requests, first)
		}
		stop()
		if err := <-done; err != nil {
			t.Errorf("serving ended with %v, want nil once it is stopped", err)
		}
	})
}
