package pricing_test

import (
	"fmt"
	"testing"

	"boardorder/pkg/contract/quotes"
)

// BenchmarkQuote prices known files over the event system in memory.
func BenchmarkQuote(b *testing.B) {
	d := setup(b)
	d.reads(b, twoLayers("a"))
	n := 0
	for b.Loop() {
		n++
		name := fmt.Sprint("bench ", n)
		if _, refused := d.do(b, quotes.Price, quotes.PriceData{
			Upload: "u", Request: quotes.Request{Quantity: 10, StandardForUnstated: true, ProjectName: &name},
		}); refused != nil {
			b.Fatal(refused)
		}
	}
}
