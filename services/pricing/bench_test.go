package pricing_test

import (
	"fmt"
	"testing"

	"boardorder/pkg/contract/quotes"
)

// BenchmarkQuote prices known files over the event system in memory: of one fabricator, which
// chooses nobody and looks up no rule, and of two by each kind of rule.
func BenchmarkQuote(b *testing.B) {
	for _, bench := range []struct {
		name, rule  string
		fabricators int
	}{{"one", "", 1}, {"two by preference", "preferred", 2}, {"two by price", "cheapest", 2}} {
		b.Run(bench.name, func(b *testing.B) {
			d := setup(b)
			d.rule, d.next.err = bench.rule, nil
			d.serve(b, d.fabricators()[:bench.fabricators]...)
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
		})
	}
}
