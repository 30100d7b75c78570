package bus_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/embedded"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"

	"go.uber.org/zap"
)

// BenchmarkAppend commits new quotes of the usual size, every write synced, by
// clients at once. What waits at the same moment shares a sync.
func BenchmarkAppend(b *testing.B) {
	for _, clients := range []int{1, 16, 64, 256} {
		b.Run(fmt.Sprint(clients, "-clients"), func(b *testing.B) {
			s, err := embedded.Start(embedded.Config{Dir: b.TempDir(), Port: -1})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
			if err := topology.Ensure(b.Context(), bus.Config{InProcess: s, Name: "topology", Log: zap.NewNop()}, topology.Config{}); err != nil {
				b.Fatal(err)
			}
			c := bustest.Connect(b, s)
			data := json.RawMessage(`{"state":"` + strings.Repeat("x", 7300) + `"}`)
			var n atomic.Int64
			b.SetParallelism(max(clients/2, 1))
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					id := fmt.Sprint("q", n.Add(1))
					e := contract.Event{ID: id, Aggregate: contract.QuoteAggregate, AggregateID: id, Name: quotes.EventPriced, Version: 1, At: time.Now(), Data: data}
					if _, err := c.Append(b.Context(), e, 0); err != nil {
						b.Error(err)
						return
					}
				}
			})
		})
	}
}

// BenchmarkLast loads the last event of an aggregate from the stream's leader.
func BenchmarkLast(b *testing.B) {
	c := bustest.Start(b)
	e := contract.Event{ID: "e", Aggregate: contract.QuoteAggregate, AggregateID: "q", Name: quotes.EventPriced, Version: 1, At: time.Now(),
		Data: json.RawMessage(`{"state":"` + strings.Repeat("x", 7300) + `"}`)}
	if _, err := c.Append(b.Context(), e, 0); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := c.Last(b.Context(), contract.QuoteAggregate, "q"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAppendBeyondVersions commits states of a quote that has as many as its
// stream keeps, in a block of the broker that is nearly full: each overwrites the
// oldest first, for which the broker writes the block anew.
func BenchmarkAppendBeyondVersions(b *testing.B) {
	c := bustest.Connect(b, brokerWithSync(b))
	data := json.RawMessage(`{"state":"` + strings.Repeat("x", 7300) + `"}`)
	seqs := map[string]uint64{}
	commit := func(id string, version int) {
		e := contract.Event{ID: fmt.Sprint(id, "-", version), Aggregate: contract.QuoteAggregate, AggregateID: id, Name: quotes.EventPriced, Version: uint64(version), At: time.Now(), Data: data}
		var err error
		if seqs[id], err = c.Append(b.Context(), e, seqs[id]); err != nil {
			b.Fatal(err)
		}
	}
	kept := versions(contract.QuoteAggregate)
	for i := range kept {
		commit("full", i)
	}
	for i := range 900 {
		commit(fmt.Sprint("other", i), 1)
	}
	b.ResetTimer()
	for i := range b.N {
		commit("full", kept+i)
	}
}
