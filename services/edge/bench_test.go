package edge_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"boardorder/pkg/contract/accounts"
)

// BenchmarkQuote is a quote by HTTP from end to end, with next to nothing
// behind the edge.
func BenchmarkQuote(b *testing.B) {
	w := start(b)
	w.key = newKey(w, account, accounts.DefaultScopes(), map[string]int{"requests": 100_000_000, "quotes-day": 100_000_000})
	id := w.uploadID()
	var n atomic.Int64
	b.SetParallelism(16)
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			body := fmt.Sprintf(`{"upload_id":%q,"quantity":%d,"standard_for_unstated":true,"ship_to":{"country":"US"},"project_name":"%d"}`, id, 1+n.Add(1)%100_000, n.Load())
			if status := w.postOnly("/v1/quotes", body); status != 201 {
				b.Errorf("status %d", status)
				return
			}
		}
	})
}
