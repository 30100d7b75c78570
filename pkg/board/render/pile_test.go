package render

import (
	"image/color"
	"math/rand/v2"
	"slices"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestStackIsItsLayersBlended holds the runs that a stack is blended from against
// one layer after the other, pixel by pixel.
func TestStackIsItsLayersBlended(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 8, 9, 21} {
		b := pcb.NewBoard("stack")
		b.Outline = pcb.Outline{Closed: true, Areas: []geom.Polygon{{Outer: rect(0, 0, 20*mm, 12*mm)}}}
		for i := range n {
			s := newSheet(pcb.RoleCopper, pcb.Inner)
			s.Order = i + 2
			for range 8 {
				at := geom.Pt(r.Int64N(20*mm), r.Int64N(12*mm))
				s.flash(pcb.Circle(r.Int64N(9*mm)), at).Clear = i%3 == 1 && r.IntN(3) == 0
				s.edge(pcb.Circle(r.Int64N(mm)), geom.Line(at, geom.Pt(r.Int64N(30*mm)-5*mm, r.Int64N(12*mm))))
			}
			s.Negative = i%7 == 6
			b.Adopt(s.Layer)
		}
		o := Options{Width: 500}
		v, err := newView(pcb.Meter{}, Extent(b), o, false)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Stack(t.Context(), b, o)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]color.NRGBA, v.w*v.h)
		for i := range want {
			want[i] = ground
		}
		slices.SortStableFunc(b.Layers, func(x, y *pcb.Layer) int { return height(x) - height(y) })
		for _, l := range b.Layers {
			for i, c := range cover(&v, l, 1) {
				want[i] = layOver(want[i], layerColour(l), int(c))
			}
		}
		for i, w := range want {
			if g := got.NRGBAAt(i%v.w, i/v.w); g != w {
				t.Fatalf("%d layers: pixel %d,%d is %v, want %v", n, i%v.w, i/v.w, g, w)
			}
		}
	}
}

// layOver lays a colour over another that it covers by m of 255.
func layOver(below, c color.NRGBA, m int) color.NRGBA {
	a := (m + m/128) * opacity / 256
	mix := func(x, y uint8) uint8 { return uint8((int(x)*(256-a) + int(y)*a) / 256) }
	return color.NRGBA{mix(below.R, c.R), mix(below.G, c.G), mix(below.B, c.B), 255}
}
