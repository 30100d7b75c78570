// Package pads holds the positions of placement files against the pads of a board, and
// finds how else a file may be meant where they do not lie on any.
package pads

import (
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/services/part-sourcing/internal/land"
	"boardorder/services/part-sourcing/internal/placement"
	"boardorder/services/part-sourcing/internal/refdes"
)

// A pad is where something is soldered on the surface.
type pad struct {
	at            geom.Point
	width, height int64
}

// A field is the pads of one side of a board.
type field struct {
	pads  []pad
	cells map[geom.Point][]int32
	seen  map[geom.Point]bool // where pads are, so that copper, mask and stencil count once
	mids  map[int64][]geom.Point
	paste bool // a stencil shows what is soldered
}

// An own is the pads that the files say are a part's.
type own struct {
	box         geom.Box // of their middles
	pads        int
	top, bottom bool // sides on which the part may lie
}

func newField() field {
	return field{cells: map[geom.Point][]int32{}, seen: map[geom.Point]bool{}, mids: map[int64][]geom.Point{}}
}

// Pads are the pads of a board.
type Pads struct {
	top, bottom field
	own         map[string]own // by folded designator
	work        int            // pieces of apertures that were looked at
	drilled     map[geom.Point]bool
	frame       geom.Box
	pins        map[int32]geom.Point // where the first pad of each lies
	several     map[string]bool      // designators that come several times
	compared    int                  // pads that were looked at for lands
}

const (
	square   = 2 * geom.Millimetre      // side of the squares that pads are kept in
	blur     = geom.Millimetre / 5      // how near holes and pads lie that are the same
	minPad   = geom.Millimetre / 10     // a pad's narrow side, at least
	maxPad   = 20 * geom.Millimetre     // a pad's long side, at most
	maxPads  = 100_000                  // of a side: where there are more, nothing is held against pads
	maxWork  = 10_000_000               // pieces of apertures that are looked at, likewise
	maxNear  = 64                       // pads round a place that are looked at
	ownReach = geom.Millimetre * 6 / 10 // how far beyond the middles of its own pads a part's place may lie
)

// Gather gathers the pads of a board, which lies in frame: what has a hole in its middle is a
// via's or of a part with wires.
func Gather(b *pcb.Board, frame geom.Box) *Pads {
	p := &Pads{own: map[string]own{}, drilled: map[geom.Point]bool{}, frame: frame, pins: map[int32]geom.Point{}, several: map[string]bool{}}
	for i := range b.Holes {
		if h := &b.Holes[i]; h.Kind != pcb.RoutedHole {
			p.drilled[key(h.A.Mid(h.B), blur)] = true
		}
	}
	p.top, p.bottom = p.gather(b, pcb.Top), p.gather(b, pcb.Bottom)
	if max(len(p.top.pads), len(p.bottom.pads)) > maxPads || p.work > maxWork {
		return &Pads{frame: frame, top: newField(), bottom: newField()}
	}
	p.adoptPins(b)
	for ref := range p.several {
		delete(p.own, ref)
	}
	return p
}

// isEmpty reports whether nothing can be held against the pads: none are known.
func (p *Pads) isEmpty() bool { return len(p.top.pads)+len(p.bottom.pads)+len(p.own) == 0 }

// adoptPins keeps the pins of parts that no layer says the pads of.
func (p *Pads) adoptPins(b *pcb.Board) {
	layers := make(map[string]bool, len(p.own))
	for ref := range p.own {
		layers[ref] = true
	}
	for i := 1; i < len(b.Pins); i++ {
		q := &b.Pins[i]
		if !q.HasAt || q.Component < 0 || int(q.Component) >= len(b.Components) || pcb.Placeholder(b.Components[q.Component].Ref) {
			continue
		}
		if ref := refdes.Fold(b.Components[q.Component].Ref); !layers[ref] {
			p.adopt(ref, q.At, q.Side)
		}
	}
}

// adopt keeps a pad of a part, on a side of the board.
func (p *Pads) adopt(ref string, at geom.Point, side pcb.Side) {
	o, known := p.own[ref]
	if !known {
		o.box = geom.EmptyBox()
	}
	o.box = o.box.Add(at)
	o.pads++
	if !isMarked(p.drilled, at) {
		o.top, o.bottom = o.top || side == pcb.Top, o.bottom || side == pcb.Bottom
	}
	p.own[ref] = o
}

// gather takes the pads of a side from its stencil, its mask and its copper.
func (p *Pads) gather(b *pcb.Board, side pcb.Side) field {
	f := newField()
	for _, role := range []pcb.Role{pcb.RolePaste, pcb.RoleMask, pcb.RoleCopper} {
		for _, l := range b.Find(role, side) {
			f.paste = f.paste || role == pcb.RolePaste && len(l.Features) > 0
			for i := range l.Features {
				t := &l.Features[i]
				if p.work += l.BoundsWork(t); t.Clear || l.Negative || len(f.pads) > maxPads || p.work > maxWork {
					continue
				}
				if role == pcb.RoleCopper {
					p.adoptFeature(b, l, t, side)
				}
				if box := l.FeatureBounds(t); role == pcb.RolePaste || (role == pcb.RoleMask || t.Kind == pcb.FlashFeature) && !isMarked(p.drilled, box.Centre()) {
					f.take(box)
				}
			}
		}
	}
	return f
}

// adoptFeature keeps a pad of which the layer says the part.
func (p *Pads) adoptFeature(b *pcb.Board, l *pcb.Layer, t *pcb.Feature, side pcb.Side) {
	if t.Pin <= 0 || int(t.Pin) >= len(b.Pins) || t.Kind != pcb.FlashFeature && t.Kind != pcb.RegionFeature {
		return
	}
	c := b.Pins[t.Pin].Component
	if c < 0 || int(c) >= len(b.Components) || pcb.Placeholder(b.Components[c].Ref) {
		return
	}
	ref, at := refdes.Fold(b.Components[c].Ref), l.FeatureBounds(t).Centre()
	if first, seen := p.pins[t.Pin]; seen && int64(first.Dist(at)) > copied {
		p.several[ref] = true
	} else if !seen {
		p.pins[t.Pin] = at
	}
	p.adopt(ref, at, side)
}

// copied is how far apart pads of one pin lie that are of several boards of a panel.
const copied = 5 * geom.Millimetre

func (f *field) take(box geom.Box) {
	w, h, at := box.Width(), box.Height(), box.Centre()
	if min(w, h) < minPad || max(w, h) > maxPad || isMarked(f.seen, at) {
		return
	}
	f.seen[key(at, blur)] = true
	k := key(at, square)
	f.cells[k] = append(f.cells[k], int32(len(f.pads)))
	f.pads = append(f.pads, pad{at, w, h})
}

// key is the square of a size that a point lies in.
func key(p geom.Point, size int64) geom.Point {
	return geom.Pt(floor(p.X, size), floor(p.Y, size))
}

func floor(v, size int64) int64 {
	return int64(math.Floor(float64(v) / float64(size)))
}

// isMarked reports whether something is marked within a blur of a point, or nearly so.
func isMarked(marks map[geom.Point]bool, at geom.Point) bool {
	for _, dx := range [...]int64{-blur / 2, blur / 2} {
		for _, dy := range [...]int64{-blur / 2, blur / 2} {
			if marks[key(at.Add(geom.Pt(dx, dy)), blur)] {
				return true
			}
		}
	}
	return false
}

// padsAround gives pads within reach of a point in x and y, as many as are looked at.
func (f *field) padsAround(at geom.Point, reach int64) []*pad {
	return f.padsWithin(at, reach, maxNear)
}

// padsWithin gives pads within reach of a point in x and y, at most so many.
func (f *field) padsWithin(at geom.Point, reach int64, most int) (out []*pad) {
	lo, hi := key(at.Sub(geom.Pt(reach, reach)), square), key(at.Add(geom.Pt(reach, reach)), square)
	for x := lo.X; x <= hi.X; x++ {
		for y := lo.Y; y <= hi.Y; y++ {
			for _, i := range f.cells[geom.Pt(x, y)] {
				if q := &f.pads[i]; distance(q.at, at) <= reach && len(out) < most {
					out = append(out, q)
				}
			}
		}
	}
	return out
}

func abs(v int64) int64 { return max(v, -v) }

func (p *Pads) side(s placement.Side) *field {
	if s == placement.Bottom {
		return &p.bottom
	}
	return &p.top
}

// isPair reports whether two pads are those of a chip of that length.
func isPair(a, b *pad, length int64) bool {
	return land.IsPair(a.at.Dist(b.at), length)
}

// slack is how far from the middle between its pads a chip's place may lie.
func slack(length int64) float64 { return float64(geom.Millimetre/5 + length/10) }

// seats reports whether a chip of that length lies with its middle between two pads.
func (f *field) seats(at geom.Point, length int64) bool {
	list := f.padsAround(at, length+geom.Millimetre/2)
	for i, a := range list {
		for _, b := range list[i+1:] {
			if isPair(a, b, length) && a.at.Mid(b.at).Dist(at) <= slack(length) {
				return true
			}
		}
	}
	return false
}

// touches reports whether a pad lies where an end of a chip of that length may: the other
// may be drawn in a form that was not taken for one.
func (f *field) touches(at geom.Point, length int64) bool {
	for _, a := range f.padsAround(at, length) {
		if d := a.at.Dist(at); d >= 0.25*float64(length) && d <= 0.9*float64(length) {
			return true
		}
	}
	return false
}

// places are the middles between pads that a chip of that length may lie on.
func (f *field) places(length int64) []geom.Point {
	out, known := f.mids[length]
	if known {
		return out
	}
	seen := map[geom.Point]bool{}
	for i := range f.pads {
		a := &f.pads[i]
		for _, b := range f.padsAround(a.at, length*9/5) {
			second := b.at.X > a.at.X || b.at.X == a.at.X && b.at.Y > a.at.Y
			alike := 10*abs(a.width-b.width) <= a.width && 10*abs(a.height-b.height) <= a.height
			if mid := a.at.Mid(b.at); second && alike && isPair(a, b, length) && !seen[key(mid, blur)] {
				seen[key(mid, blur)] = true
				out = append(out, mid)
			}
		}
	}
	f.mids[length] = out
	return out
}
