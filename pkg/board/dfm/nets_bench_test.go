package dfm

import (
	"context"
	"fmt"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
)

// wired is a board of n nets, each two pads and a track, every hundredth cut in two
// and the last two joined.
func wired(n int64) *kit {
	k := newKit()
	for i := range n {
		net, y := fmt.Sprint("N", i), i*milli
		for end := range int64(2) {
			m := k.named(net, fmt.Sprint("U", end), fmt.Sprint(i))
			k.top.Flash(geom.Pt(end*20*milli, y), artwork.Rect(milli/2, milli/2), 0, false, m)
		}
		to := 20 * milli
		if i%100 == 50 {
			to = 10 * milli
		}
		k.top.Line(geom.Pt(0, y), geom.Pt(to, y), milli/5, k.named(net, "", ""))
	}
	k.top.Line(geom.Pt(5*milli, (n-1)*milli), geom.Pt(5*milli, (n-2)*milli), milli/5, k.named("N0", "", ""))
	k.hole(30*milli, 25*milli, milli, 0)
	return k
}

// BenchmarkNets shows how comparing nets grows with them.
func BenchmarkNets(b *testing.B) {
	for _, n := range []int64{1e3, 1e4, 1e5, 3e5} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			in := newInput(context.Background(), wired(n).Board, Options{})
			if _, err := in.copper(); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if r := nets(context.Background(), in); len(r.findings) != 2 {
					b.Fatalf("findings %+v", r.findings)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/net")
		})
	}
}
