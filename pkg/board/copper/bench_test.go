package copper_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// cellBoard is a two-layer board with about n features: cells of a via, two pads and
// four tracks in an antipad of the plane below.
func cellBoard(n int) *pcb.Board {
	b := newBench(2)
	side := int64(math.Ceil(math.Sqrt(float64(n) / 9)))
	const cell = 2 * mm
	b.Outline.Areas[0].Outer = square(0, 0, side*cell)
	b.area(1, square(0, 0, side*cell), dark)
	for x := range side {
		for y := range side {
			m := artwork.Meta{Net: b.Net(fmt.Sprint("N", x, "/", y))}
			at := func(dx, dy int64) geom.Point { return geom.Pt(x*cell+mm+dx, y*cell+mm+dy) }
			p := at(0, 0)
			b.dot(1, p.X, p.Y, mm, clear)
			b.dot(1, p.X, p.Y, mm/2, m)
			b.dot(0, p.X, p.Y, mm/2, m)
			b.drill(p.X, p.Y, mm/4, pcb.Plated)
			for _, s := range [2]int64{-1, 1} {
				b.layers[0].Flash(at(s*mm/2, 0), artwork.Rect(mm/2, mm/4), 0, false, m)
				b.layers[0].Line(p, at(s*mm/2, 0), mm/8, m)
				b.layers[0].Line(at(0, s*mm/2), p, mm/8, m)
			}
		}
	}
	return b.Board
}

// BenchmarkOf shows how the work grows with the features of a board.
func BenchmarkOf(b *testing.B) {
	for _, n := range []int{1e3, 1e4, 1e5, 1e6} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			g := cellBoard(n)
			features := 0
			for _, l := range g.Layers {
				features += len(l.Features)
			}
			for b.Loop() {
				if _, err := copper.Extract(context.Background(), g); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(features), "ns/feature")
		})
	}
}
