package kit

import (
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/render"
	"boardorder/services/part-sourcing/internal/casecode"
	"boardorder/services/part-sourcing/internal/design"
	"boardorder/services/part-sourcing/internal/placement"
)

// frame is what pictures of a board show, less their margin.
func frame(b *pcb.Board) geom.Box { return render.Extent(b) }

// sizes of two-terminal chips by their imperial code, in tenths of a millimetre.
var sizes = map[string][2]int64{
	"01005": {4, 2}, "0201": {6, 3}, "0402": {10, 5}, "0603": {16, 8}, "0805": {20, 12}, "1206": {32, 16}, "1210": {32, 25}, "1812": {45, 32}, "2010": {50, 25}, "2512": {63, 32},
}

// outlines tells about where each placed part lies. Placements of a file whose
// origin is not the board's are left out: their parts would lie beside it.
func outlines(k Kit) map[string]Outline {
	out := map[string]Outline{}
	for _, l := range k.Places {
		if !liesWithin(l, k.Frame) {
			continue
		}
		for _, p := range l.Parts {
			if _, ok := out[p.Ref]; !ok {
				out[p.Ref] = outline(p, padBox(k.Fits, p.Ref))
			}
		}
	}
	return out
}

// padBox is the box of a part's pads; empty where they are not known.
func padBox(fits map[string]design.Fit, ref string) geom.Box {
	if f, ok := fits[ref]; ok && f.Joints > 0 {
		return f.Box
	}
	return geom.EmptyBox()
}

// liesWithin reports whether nearly all parts of a file lie on the board.
func liesWithin(l placement.List, frame geom.Box) bool {
	if frame.Empty() {
		return false
	}
	n := 0
	for _, p := range l.Parts {
		if frame.Grow(geom.Millimetre).Contains(p.At) {
			n++
		}
	}
	return 10*n >= 9*len(l.Parts)
}

func outline(p placement.Part, pads geom.Box) Outline {
	o := Outline{Side: p.Side}
	if o.Side == placement.Unknown {
		o.Side = placement.Top
	}
	if !pads.Empty() && pads.Grow(geom.Millimetre).Contains(p.At) {
		o.Box = pads.Grow(geom.Millimetre / 4)
		return o
	}
	w, h := size(p.Footprint)
	if math.Abs(math.Mod(p.Rotation+45, 180)-45) > 45 {
		w, h = h, w
	}
	o.Box = geom.Box{Min: geom.Point{X: p.At.X - w/2, Y: p.At.Y - h/2}, Max: geom.Point{X: p.At.X + w/2, Y: p.At.Y + h/2}}
	return o
}

// size is about how large a part is, from the name of its land pattern.
func size(footprint string) (w, h int64) {
	c := casecode.Parse(footprint)
	if s, ok := sizes[c.Size]; ok {
		return s[0] * geom.Millimetre / 10, s[1] * geom.Millimetre / 10
	}
	side := int64(2+math.Sqrt(float64(min(c.Pins, 400)))) * geom.Millimetre * 3 / 4
	return side, side
}
