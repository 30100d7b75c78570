package outline

import (
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// bodies are outlines of n parts, each 2 by 1 mm, in a row, with a pad of 1 mm at the
// places that ends gives within each, along its length.
func bodies(n int, ends ...int64) (edges []geom.Edge, pads []geom.Point) {
	for i := range int64(n) {
		x := 5*mm + i*6*mm
		edges = concat(edges, rect(x, 5*mm, 2*mm, mm))
		for _, e := range ends {
			pads = append(pads, geom.Pt(x+e, 5*mm+mm/2))
		}
	}
	return edges, pads
}

// TestParts: a layer that draws outlines of parts, and nothing round the board, is no
// outline.
func TestParts(t *testing.T) {
	t.Parallel()
	three, pads := bodies(3, 0, 2*mm)
	two, padsOfTwo := bodies(2, 0, 2*mm)
	_, beside := bodies(3, -6*mm/10, 2*mm+6*mm/10)
	_, contacts := bodies(3, mm/10, 2*mm-mm/10)
	_, oneEach := bodies(3, 0)
	elsewhere := []geom.Point{geom.Pt(2*mm, 15*mm), geom.Pt(35*mm, 2*mm), geom.Pt(38*mm, 10*mm), geom.Pt(20*mm, 18*mm), geom.Pt(30*mm, 10*mm), geom.Pt(10*mm, 18*mm), geom.Pt(12*mm, 12*mm)}
	var within []geom.Point
	for i := range int64(3) {
		for k := range int64(3) {
			within = append(within, geom.Pt(5*mm+i*6*mm+mm/2+k*mm/2, 5*mm+k*mm/3))
		}
	}
	for _, tt := range []struct {
		name     string
		edges    []geom.Edge
		pads     []geom.Point
		drilled  bool
		pieces   int
		findings string
	}{
		{"parts, and nothing round the board", three, concatPoints(pads, elsewhere), false, 0, "outline_missing"},
		{"parts, and the board round them", concat(rect(0, 0, 40*mm, 20*mm), three), concatPoints(pads, elsewhere), false, 1, ""},
		{"two pieces with pads across their edge", two, concatPoints(padsOfTwo, elsewhere), false, 2, ""},
		{"pads that reach 0.1 mm over the edge", three, concatPoints(beside, elsewhere), false, 3, ""},
		{"one pad across the edge of each", three, concatPoints(oneEach, elsewhere), false, 3, ""},
		{"small boards with contacts across their edge, which hold the pads", three, concatPoints(contacts, within), false, 3, ""},
		{"half holes on the edges", three, concatPoints(pads, elsewhere), true, 3, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := boardWithPads(tt.edges, tt.pads...)
			if tt.drilled {
				for _, p := range tt.pads {
					b.Holes = append(b.Holes, pcb.Hole{A: p, B: p, Diameter: mm / 2})
				}
			}
			Shape(t.Context(), b)
			var codes []string
			for _, f := range b.Findings {
				codes = append(codes, f.Code)
			}
			if got := strings.Join(codes, " "); got != tt.findings || len(b.Outline.Areas) != tt.pieces {
				t.Errorf("%d pieces, findings %q; want %d, %q", len(b.Outline.Areas), got, tt.pieces, tt.findings)
			}
		})
	}
}

func concatPoints(a, b []geom.Point) []geom.Point { return append(append([]geom.Point{}, a...), b...) }

// TestDetail: a small shape within the copper is that of something else, however it is
// drawn; one that is large enough, or holds enough of the copper, is the board.
func TestDetail(t *testing.T) {
	t.Parallel()
	grid := func(x, y int64) (out []geom.Point) { // 25 pads, from x, y on
		for i := range int64(25) {
			out = append(out, geom.Pt(x+i%5*10*mm, y+i/5*10*mm))
		}
		return out
	}
	open := rect(19*mm, 19*mm, 6*mm, 7*mm)[1:]
	for _, tt := range []struct {
		name     string
		edges    []geom.Edge
		pads     []geom.Point
		findings string
	}{
		{"closed", rect(19*mm, 19*mm, 6*mm, 7*mm), grid(0, 0), "outline_missing"},
		{"open", open, grid(0, 0), "outline_missing"},
		{"two of 26 pads within", rect(19*mm, 19*mm, 6*mm, 7*mm), concatPoints(grid(0, 0), []geom.Point{geom.Pt(22*mm, 22*mm)}), "outline_missing"},
		{"three of 27 pads within", rect(19*mm, 19*mm, 6*mm, 7*mm), concatPoints(grid(0, 0), []geom.Point{geom.Pt(22*mm, 22*mm), geom.Pt(23*mm, 23*mm)}), ""},
		{"below a tenth of the area", rect(11*mm, 11*mm, 8*mm, 24*mm+mm/10), grid(0, 0), "outline_missing"},
		{"a tenth of the area", rect(11*mm, 11*mm, 8*mm, 24*mm+mm/4), grid(0, 0), ""},
		{"as large as the copper, beside it", rect(100*mm, 0, 45*mm, 45*mm), grid(0, 0), ""},
		{"few pads", rect(19*mm, 19*mm, 6*mm, 7*mm), grid(0, 0)[:19], ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := boardWithPads(tt.edges, tt.pads...)
			Shape(t.Context(), b)
			var codes []string
			for _, f := range b.Findings {
				codes = append(codes, f.Code)
			}
			if got := strings.Join(codes, " "); got != tt.findings || (len(b.Outline.Areas) == 0) != (tt.findings != "") {
				t.Errorf("%d pieces, findings %q; want %q", len(b.Outline.Areas), got, tt.findings)
			}
		})
	}
}
