package netlist

import (
	"context"
	"fmt"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
)

// wireNets is a board of n nets, each two pads and a track, every hundredth cut in two
// and the last two joined.
func wireNets(n int64) *kit.Kit {
	k := kit.New()
	for i := range n {
		net, y := fmt.Sprint("N", i), i*kit.Milli
		for end := range int64(2) {
			m := k.MetaOf(net, fmt.Sprint("U", end), fmt.Sprint(i))
			k.Top.Flash(geom.Pt(end*20*kit.Milli, y), artwork.Rect(kit.Milli/2, kit.Milli/2), 0, false, m)
		}
		to := 20 * kit.Milli
		if i%100 == 50 {
			to = 10 * kit.Milli
		}
		k.Top.Line(geom.Pt(0, y), geom.Pt(to, y), kit.Milli/5, k.MetaOf(net, "", ""))
	}
	k.Top.Line(geom.Pt(5*kit.Milli, (n-1)*kit.Milli), geom.Pt(5*kit.Milli, (n-2)*kit.Milli), kit.Milli/5, k.MetaOf("N0", "", ""))
	k.Hole(30*kit.Milli, 25*kit.Milli, kit.Milli, 0)
	return k
}

// BenchmarkNets shows how comparing nets grows with them.
func BenchmarkNets(b *testing.B) {
	for _, n := range []int64{1e3, 1e4, 1e5, 3e5} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			in := measure.New(context.Background(), wireNets(n).Board, dfm.Options{})
			if _, err := in.Copper(); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if r := nets(context.Background(), in); len(r.Findings) != 2 {
					b.Fatalf("findings %+v, want two", r.Findings)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/net")
		})
	}
}
