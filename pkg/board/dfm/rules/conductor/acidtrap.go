package conductor

import (
	"context"
	"fmt"
	"hash/maphash"
	"math"
	"math/bits"
	"slices"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// AcidTrap finds acute inner angles of copper.
var AcidTrap = rule.Rule{Judges: []dfm.Name{dfm.AcidTrap}, Run: acidTraps}

// acidTraps finds tracks that meet at an angle so acute that etchant stays in the
// corner. Modern etching copes with most, so that it is only a note.
func acidTraps(ctx context.Context, in *measure.Input) rule.Result {
	c, err := in.Copper()
	if err != nil {
		return rule.Unknown(dfm.AcidTrap, err)
	}
	each := measure.Collect(ctx, len(c.Layers), func(k int) []dfm.Place {
		if !in.Judged()[k] {
			return nil
		}
		return trapsOf(in, c.Layers[k])
	})
	var at rule.Places
	for _, list := range each {
		for _, p := range list {
			at.AddUnmeasured(p)
		}
	}
	return rule.PlaceFinding(dfm.AcidTrap, dfm.Note, func(n int) string {
		return fmt.Sprintf("%s of tracks %s sharper than %d degrees: etchant may stay in the corner and eat the track.", words.Plural(n, "corner"), words.Be(n), sharpest)
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
	at   geom.Point
	item int32
	next int32 // another end at the same point, the last added first; -1 for none
}

// direction is the way from this end to the other.
func (e *trackEnd) direction(l *copper.Layer) geom.Point {
	f := l.FeatureOf(int(e.item))
	if e.at == f.A {
		return f.B.Sub(f.A)
	}
	return f.A.Sub(f.B)
}

// A trackEnds finds ends by their point: a table of hashes, for a map takes several
// times as long.
type trackEnds struct {
	list  []trackEnd
	slots []int32 // the first end of each point; -1 for none
	first []int32 // the same, in the order in which they came

	seed maphash.Seed // random, so that no file can be made for points to fall into one slot
}

// newTrackEnds has room for the ends of n tracks.
func newTrackEnds(n int) *trackEnds {
	t := &trackEnds{list: make([]trackEnd, 0, 2*n), slots: make([]int32, 1<<bits.Len(uint(2*n))), seed: maphash.MakeSeed()}
	for i := range t.slots {
		t.slots[i] = -1
	}
	return t
}

func (t *trackEnds) add(item int, at geom.Point) {
	mask := uint64(len(t.slots) - 1)
	slot := maphash.Comparable(t.seed, at) & mask
	for t.slots[slot] >= 0 && t.list[t.slots[slot]].at != at {
		slot = (slot + 1) & mask
	}
	e, i := trackEnd{at, int32(item), -1}, int32(len(t.list))
	if k := t.slots[slot]; k >= 0 {
		e.next, t.list[k].next = t.list[k].next, i
	} else {
		t.slots[slot], t.first = i, append(t.first, i)
	}
	t.list = append(t.list, e)
}

// meeting appends the ends that meet the first end of a point, and that one itself.
func (t *trackEnds) meeting(out []*trackEnd, first int32) []*trackEnd {
	for k := t.list[first].next; k >= 0; k = t.list[k].next {
		out = append(out, &t.list[k])
	}
	return append(out, &t.list[first])
}

// isTrack reports whether an item is a straight track that something is connected to.
func isTrack(in *measure.Input, l *copper.Layer, i int) bool {
	f := l.FeatureOf(i)
	return f != nil && f.Kind == pcb.LineFeature && f.A != f.B && !l.Items[i].Shape.IsArea() && in.Live()[l.Items[i].Island]
}

func trapsOf(in *measure.Input, l *copper.Layer) []dfm.Place {
	tracks := 0
	for i := range l.Items {
		if isTrack(in, l, i) {
			tracks++
		}
	}
	ends := newTrackEnds(tracks)
	for i := range l.Items {
		if isTrack(in, l, i) {
			f := l.FeatureOf(i)
			ends.add(i, f.A)
			ends.add(i, f.B)
		}
	}
	var out []dfm.Place
	var list []*trackEnd
	for _, k := range ends.first {
		list = ends.meeting(list[:0], k)
		if len(list) > 8 {
			continue // many lines from one point are a fan that paints
		}
		for i, a := range list {
			for _, b := range list[i+1:] {
				if p, ok := trap(in, l, a, b); ok {
					out = append(out, p)
				}
			}
		}
	}
	return append(out, pourTraps(in, l, ends)...)
}

// pourTraps finds tracks that leave an area of copper at a sharp angle. The two ends of a
// track follow each other in ends.
func pourTraps(in *measure.Input, l *copper.Layer, ends *trackEnds) []dfm.Place {
	held := make([][]int32, len(ends.list)) // for each end, the areas that hold it
	for _, first := range ends.first {
		areas := areasAt(l, &ends.list[first])
		for k := first; k >= 0 && areas != nil; k = ends.list[k].next {
			held[k] = areas
		}
	}
	var out []dfm.Place
	for k := range ends.list {
		from, to := &ends.list[k], &ends.list[k^1]
		for _, area := range held[k] {
			if slices.Contains(held[k^1], area) {
				continue
			}
			if p, ok := pourTrap(in, l, int(from.item), int(area), from.at, to.at); ok {
				out = append(out, p)
			}
			break
		}
	}
	return out
}

// areasAt gives the areas that hold the end of a track. Only what is joined to the track
// can, and whether an area holds a point takes long to tell.
func areasAt(l *copper.Layer, e *trackEnd) (areas []int32) {
	island := l.Items[e.item].Island
	l.Index.Search(geom.BoxOf(e.at), func(k int) bool {
		if l.Items[k].Island != island {
			return true
		}
		if f := l.FeatureOf(k); f != nil && f.Kind == pcb.RegionFeature && l.Items[k].Shape.Contains(e.at) {
			areas = append(areas, int32(k))
		}
		return true
	})
	return areas
}

// pourTrap reports whether a track from a, in an area, to b, beside it, leaves a sharp
// corner open on one of its sides.
func pourTrap(in *measure.Input, l *copper.Layer, track, area int, a, b geom.Point) (dfm.Place, bool) {
	dir := b.Sub(a).Angle()
	w := l.Items[track].Shape.Width() / 2
	left, okLeft := leaves(&l.Items[area].Shape, a.Polar(w, dir+math.Pi/2), b.Polar(w, dir+math.Pi/2))
	right, okRight := leaves(&l.Items[area].Shape, a.Polar(w, dir-math.Pi/2), b.Polar(w, dir-math.Pi/2))
	if !okLeft || !okRight || left.Dist(right) < 1 {
		return dfm.Place{}, false
	}
	angle := math.Abs(math.Remainder(left.Sub(right).Angle()-dir, 2*math.Pi)) // of the border, from the track's way out
	at, border := left, left.Sub(right).Angle()
	if angle > math.Pi/2 {
		angle, at, border = math.Pi-angle, right, right.Sub(left).Angle()
	}
	if angle < 2*math.Pi/180 || angle >= sharpest*math.Pi/180 {
		return dfm.Place{}, false
	}
	open := math.Remainder(border-dir, 2*math.Pi)
	corner := at.Polar(20*float64(geom.Micrometre)/math.Sin(angle/2), dir+open/2)
	if l.Covers(corner) {
		return dfm.Place{}, false
	}
	return dfm.Place{Layer: l.Layer.Name, At: at, To: corner, Objects: [2]string{in.Object(l, track), in.Object(l, area)},
		Nets: [2]string{in.NetName(in.NetOf(&l.Items[track])), in.NetName(in.NetOf(&l.Items[area]))}}, true
}

// leaves gives the point at which the way from a to b leaves a shape, to a micrometre;
// not ok where it does not begin within and end beside it.
func leaves(s *shape.Shape, a, b geom.Point) (geom.Point, bool) {
	if !s.Contains(a) || s.Contains(b) {
		return geom.Point{}, false
	}
	for a.Dist(b) > float64(geom.Micrometre) {
		if m := a.Mid(b); s.Contains(m) {
			a = m
		} else {
			b = m
		}
	}
	return a.Mid(b), true
}

// trap reports whether two tracks that end at a point leave a sharp corner open.
func trap(in *measure.Input, l *copper.Layer, a, b *trackEnd) (dfm.Place, bool) {
	fromA, fromB := a.direction(l), b.direction(l)
	sizeA, sizeB := fromA.Len(), fromB.Len()
	if fromA.Dot(fromB) < bluntest*sizeA*sizeB {
		return dfm.Place{}, false // as most are
	}
	dir := fromB.Angle()
	open := math.Remainder(fromA.Angle()-dir, 2*math.Pi)
	half := math.Abs(open) / 2
	if half < 2*math.Pi/180 || 2*half >= sharpest*math.Pi/180 {
		return dfm.Place{}, false
	}
	// The corner between the tracks begins where their inner edges meet.
	width := max(l.Items[a.item].Shape.Width(), l.Items[b.item].Shape.Width())
	begin := width / 2 / math.Sin(half)
	if min(sizeA, sizeB) < 1.5*begin+width {
		return dfm.Place{}, false // one ends before the corner opens
	}
	corner := a.at.Polar(begin+20*float64(geom.Micrometre), dir+open/2)
	if l.Covers(corner) {
		return dfm.Place{}, false
	}
	return dfm.Place{Layer: l.Layer.Name, At: a.at, To: corner, Objects: [2]string{in.Object(l, int(a.item)), in.Object(l, int(b.item))},
		Nets: [2]string{in.NetName(in.NetOf(&l.Items[a.item])), in.NetName(in.NetOf(&l.Items[b.item]))}}, true
}
