package pads

import (
	"boardorder/pkg/board/geom"
	"boardorder/services/part-sourcing/internal/land"
	"boardorder/services/part-sourcing/internal/placement"
)

// maxCompared bounds the pads that are looked at for the lands of all parts.
const maxCompared = 2_000_000

// Measure tells what lies round a place; nil where no stencil says what is soldered on its
// side, its side is not known, or too much has been looked at.
func (p *Pads) Measure(q placement.Part) *land.Land {
	f := p.side(q.Side)
	if q.Side == placement.Unknown || !f.paste || p.compared > maxCompared {
		return nil
	}
	near := f.padsWithin(q.At, land.MaxReach*geom.Millimetre, maxPads)
	p.compared += len(near)
	l, first := &land.Land{Around: make([]int, land.MaxReach)}, nearest(q.At, near)
	if l.Pair = f.pairAround(q.At, first, near); first != nil {
		l.Nearest = int64(first.at.Dist(q.At))
	}
	for _, a := range near {
		for k := distance(a.at, q.At) / geom.Millimetre; k < land.MaxReach; k++ {
			l.Around[k]++
		}
		if f.opposite(a, q.At) == nil {
			continue
		}
		if l.Mirrored++; f.standsInRow(a) {
			l.Rows++
		}
	}
	return l
}

// distance is how far apart two points lie in x or y, whichever is more.
func distance(a, b geom.Point) int64 { return max(abs(a.X-b.X), abs(a.Y-b.Y)) }

// isLike reports whether two pads are equally large, as they lie or turned by 90 degrees.
func (a *pad) isLike(b *pad) bool {
	near := func(v, w int64) bool { return 10*abs(v-w) <= v }
	return near(a.width, b.width) && near(a.height, b.height) || near(a.width, b.height) && near(a.height, b.width)
}

// opposite is the pad like another that lies straight across a point; nil for none.
func (f *field) opposite(a *pad, at geom.Point) *pad {
	for _, b := range f.padsAround(at.Add(at.Sub(a.at)), blur) {
		if b != a && a.isLike(b) {
			return b
		}
	}
	return nil
}

// rowPitch is how far apart pads of a row lie at most.
const rowPitch = 13 * geom.Millimetre / 10

func (f *field) standsInRow(a *pad) bool {
	for _, b := range f.padsAround(a.at, rowPitch) {
		if b != a && a.isLike(b) {
			return true
		}
	}
	return false
}

// nearest is the pad nearest to a point that does not lie on it; nil for none.
func nearest(at geom.Point, near []*pad) (out *pad) {
	for _, a := range near {
		if a.at.Dist(at) > float64(blur) && (out == nil || a.at.Dist(at) < out.at.Dist(at)) {
			out = a
		}
	}
	return out
}

// pairAround is how far apart a pad and the one across a point lie, where they are equal and
// no other pad lies as near or is of a row or triangle with both; else 0.
func (f *field) pairAround(at geom.Point, a *pad, near []*pad) int64 {
	if a == nil {
		return 0
	}
	b := f.opposite(a, at)
	if b == nil {
		return 0
	}
	for _, c := range near {
		if c != a && c != b && (c.at.Dist(at) <= 1.1*a.at.Dist(at) || c.isLike(a) && isThird(a, b, c)) {
			return 0
		}
	}
	return int64(a.at.Dist(b.at))
}

// isThird reports whether a pad near two others is as far from both, as that of a transistor
// is, or goes on their row.
func isThird(a, b, c *pad) bool {
	d, x, y := a.at.Dist(b.at), a.at.Dist(c.at), b.at.Dist(c.at)
	if max(x, y) < 1.4*d {
		return max(x-y, y-x) < 0.2*d
	}
	return min(x, y) < 1.2*d && max(x, y) > 0.99*(d+min(x, y))
}
