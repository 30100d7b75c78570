package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"testing"

	"boardorder/pkg/board/format/gerber"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/render"
	"boardorder/pkg/board/testkit/corpus"
	"boardorder/pkg/board/upload"
)

// generate makes a two-layer board with a drill file whose top copper has n
// objects, as dense whatever n: cells of a millimetre with a pad, three tracks and
// a filled square.
func generate(n int) []corpus.File {
	side := int(math.Ceil(math.Sqrt(float64(n) / 5)))
	var copper, drill bytes.Buffer
	copper.WriteString("%FSLAX46Y46*%\n%MOMM*%\n%TF.FileFunction,Copper,L1,Top*%\n%ADD10C,0.15*%\n%ADD11R,0.3X0.4*%\n")
	drill.WriteString("M48\nMETRIC\nT1C0.100\n%\nT1\n")
	for cell := range n / 5 {
		x, y := cell%side*1_000_000, cell/side*1_000_000
		at := func(dx, dy int) string { return fmt.Sprintf("X%dY%d", x+dx, y+dy) }
		fmt.Fprintf(&copper, "D11*\n%sD03*\nD10*\n%sD02*\n%sD01*\n%sD01*\n%sD01*\n", at(250e3, 250e3),
			at(600e3, 100e3), at(900e3, 100e3), at(900e3, 400e3), at(600e3, 400e3))
		fmt.Fprintf(&copper, "G36*\n%sD02*\n%sD01*\n%sD01*\n%sD01*\n%sD01*\nG37*\n", at(100e3, 600e3),
			at(900e3, 600e3), at(900e3, 900e3), at(100e3, 900e3), at(100e3, 600e3))
		fmt.Fprintf(&drill, "X%.3fY%.3f\n", float64(x)/1e6+0.25, float64(y)/1e6+0.25)
	}
	copper.WriteString("M02*\n")
	drill.WriteString("M30\n")
	edge := side * 1_000_000
	outline := fmt.Sprintf("%%FSLAX46Y46*%%\n%%MOMM*%%\n%%TF.FileFunction,Profile,NP*%%\n%%ADD10C,0.1*%%\nD10*\n"+
		"X0Y0D02*\nX%dY0D01*\nX%dY%dD01*\nX0Y%dD01*\nX0Y0D01*\nM02*\n", edge, edge, edge, edge)
	bottom := bytes.Replace(copper.Bytes(), []byte("L1,Top"), []byte("L2,Bot"), 1)
	return []corpus.File{{Name: "top.gbr", Data: copper.Bytes()}, {Name: "bottom.gbr", Data: bottom},
		{Name: "edge.gbr", Data: []byte(outline)}, {Name: "holes.drl", Data: drill.Bytes()}}
}

// BenchmarkGrowth shows how cost grows with the number of objects: where ns/object
// stays level it grows with n, where it rises as the logarithm with n log n.
func BenchmarkGrowth(b *testing.B) {
	for _, n := range []int{1_000, 4_000, 16_000, 64_000, 256_000} {
		files := generate(n)
		uploaded := corpus.ConvertFiles[upload.File](files)
		p := upload.Read(context.Background(), uploaded, upload.Options{})
		if len(p.Boards) != 1 || len(p.Boards[0].Copper()) != 2 || len(p.Boards[0].Holes) != n/5 {
			b.Fatalf("the generated board of %d objects was not read as such", n)
		}
		whole := p.Boards[0]
		for _, work := range []struct {
			name string
			do   func() error
		}{
			{"gerber", func() error { gerber.Read(b.Context(), "top.gbr", files[0].Data, gerber.Options{}); return nil }},
			{"facts", func() error { upload.Read(context.Background(), uploaded, upload.Options{}); return nil }},
			{"layers600dpi", func() error {
				return render.StackPNG(b.Context(), io.Discard, whole, render.Options{DPI: 600, MaxPixels: 1 << 30})
			}},
			{"side1200px", func() error { return render.SidePNG(b.Context(), io.Discard, whole, pcb.Top, render.Options{}) }},
			{"svg", func() error { return render.SVG(b.Context(), io.Discard, whole, pcb.Top, render.Options{}) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", work.name, n), func(b *testing.B) {
				for b.Loop() {
					if err := work.do(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/object")
			})
		}
	}
}
