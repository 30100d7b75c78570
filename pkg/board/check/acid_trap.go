package check

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"boardorder/pkg/board"
	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
)

// acidTraps finds tracks that meet at an angle so acute that etchant stays in the
// corner. Modern etching copes with most, so that it is only a note.
func acidTraps(ctx context.Context, in *input) result {
	c, err := in.copper()
	if err != nil {
		return unknown(AcidTrap, err)
	}
	each := sharing(ctx, len(c.Layers), func(k int) []Place {
		if !in.judged()[k] {
			return nil
		}
		return in.trapsOf(c.Layers[k])
	})
	var at places
	for _, list := range each {
		for _, p := range list {
			at.at(p)
		}
	}
	return found(AcidTrap, Note, func(n int) string {
		return fmt.Sprintf("%s of tracks %s sharper than %d degrees: etchant may stay in the corner and eat the track.", plural(n, "corner"), be(n), sharpest)
	}, &at)
}

// sharpest is the angle between two tracks, in degrees, below which their corner
// counts; bluntest a little less than its cosine.
const (
	sharpest = 60
	bluntest = 0.499
)

// A trackEnd is one end of a track.
type trackEnd struct {
	at    geom.Point
	item  int32
	next  int32 // the end added before at the same point; -1 for none
	older bool  // others were added there since
}

// away is the way from this end to the other.
func (e *trackEnd) away(l *copper.Layer) geom.Point {
	f := l.DrawnAs(int(e.item))
	if e.at == f.A {
		return f.B.Sub(f.A)
	}
	return f.A.Sub(f.B)
}

// A trackEnds finds ends by their point.
type trackEnds struct {
	list []trackEnd
	last []int32 // the end added last at a point, by a hash of it; -1 for none
}

// newTrackEnds has room for the ends of n tracks.
func newTrackEnds(n int) *trackEnds {
	t := &trackEnds{list: make([]trackEnd, 0, 2*n), last: make([]int32, 1<<bits.Len(uint(2*n)))}
	for i := range t.last {
		t.last[i] = -1
	}
	return t
}

func (t *trackEnds) add(item int, at geom.Point) {
	mask := uint64(len(t.last) - 1)
	h := uint64(at.X)*0x9e3779b97f4a7c15 ^ uint64(at.Y)*0xc2b2ae3d27d4eb4f
	slot := (h ^ h>>32) & mask
	for t.last[slot] >= 0 && t.list[t.last[slot]].at != at {
		slot = (slot + 1) & mask
	}
	if k := t.last[slot]; k >= 0 {
		t.list[k].older = true
	}
	t.list = append(t.list, trackEnd{at: at, item: int32(item), next: t.last[slot]})
	t.last[slot] = int32(len(t.list) - 1)
}

// isTrack tells whether an item is a straight track that something is connected to.
func (in *input) isTrack(l *copper.Layer, i int) bool {
	f := l.DrawnAs(i)
	return f != nil && f.Kind == board.LineFeature && f.A != f.B && !l.Items[i].Shape.IsArea() && in.live()[l.Items[i].Island]
}

func (in *input) trapsOf(l *copper.Layer) []Place {
	var tracks []int32
	for i := range l.Items {
		if in.isTrack(l, i) {
			tracks = append(tracks, int32(i))
		}
	}
	ends := newTrackEnds(len(tracks))
	for _, i := range tracks {
		f := l.DrawnAs(int(i))
		ends.add(int(i), f.A)
		ends.add(int(i), f.B)
	}
	var out []Place
	var list []*trackEnd
	for i := range ends.list {
		if ends.list[i].older {
			continue
		}
		list = append(list[:0], &ends.list[i])
		for k := ends.list[i].next; k >= 0; k = ends.list[k].next {
			list = append(list, &ends.list[k])
		}
		if len(list) > 8 {
			continue // many lines from one point are a fan that paints
		}
		for i, a := range list {
			for _, b := range list[i+1:] {
				if p, ok := in.trap(l, a, b); ok {
					out = append(out, p)
				}
			}
		}
	}
	return out
}

// trap tells whether two tracks that end at a point leave a sharp corner open.
func (in *input) trap(l *copper.Layer, a, b *trackEnd) (Place, bool) {
	fromA, fromB := a.away(l), b.away(l)
	sizeA, sizeB := fromA.Len(), fromB.Len()
	if fromA.Dot(fromB) < bluntest*sizeA*sizeB {
		return Place{}, false // as most are
	}
	dir := fromB.Angle()
	open := math.Remainder(fromA.Angle()-dir, 2*math.Pi)
	half := math.Abs(open) / 2
	if half < 2*math.Pi/180 || 2*half >= sharpest*math.Pi/180 {
		return Place{}, false
	}
	// The corner between the tracks begins where their inner edges meet.
	width := max(l.Items[a.item].Shape.Width(), l.Items[b.item].Shape.Width())
	begin := width / 2 / math.Sin(half)
	if min(sizeA, sizeB) < 1.5*begin+width {
		return Place{}, false // one ends before the corner opens
	}
	corner := a.at.Polar(begin+20*float64(geom.Micrometre), dir+open/2)
	filled := false
	l.At(corner, func(int) bool {
		filled = true
		return false
	})
	if filled {
		return Place{}, false
	}
	return Place{Layer: l.Layer.Name, At: a.at, To: corner, Objects: [2]string{in.object(l, int(a.item)), in.object(l, int(b.item))},
		Nets: [2]string{in.netName(in.netOf(&l.Items[a.item])), in.netName(in.netOf(&l.Items[b.item]))}}, true
}
