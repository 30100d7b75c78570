package check

import (
	"context"
	"fmt"
	"math"

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
// counts.
const sharpest = 60

// A trackEnd is one end of a track.
type trackEnd struct {
	item int32
	dir  float64 // away from the end, radians
	size float64 // length of the track
}

func (in *input) trapsOf(l *copper.Layer) []Place {
	ends := map[geom.Point][]trackEnd{}
	for i := range l.Items {
		f := l.DrawnAs(i)
		if f == nil || f.Kind != board.LineFeature || f.A == f.B || l.Items[i].Shape.IsArea() || !in.live()[l.Items[i].Island] {
			continue
		}
		d := f.B.Sub(f.A)
		ends[f.A] = append(ends[f.A], trackEnd{int32(i), d.Angle(), d.Len()})
		ends[f.B] = append(ends[f.B], trackEnd{int32(i), d.Neg().Angle(), d.Len()})
	}
	var out []Place
	for at, list := range ends {
		if len(list) < 2 || len(list) > 8 {
			continue // many lines from one point are a fan that paints
		}
		for i := range list {
			for _, b := range list[:i] {
				if p, ok := in.trap(l, at, list[i], b); ok {
					out = append(out, p)
				}
			}
		}
	}
	return out
}

// trap tells whether two tracks that end at a point leave a sharp corner open.
func (in *input) trap(l *copper.Layer, at geom.Point, a, b trackEnd) (Place, bool) {
	open := math.Remainder(a.dir-b.dir, 2*math.Pi)
	half := math.Abs(open) / 2
	if half < 2*math.Pi/180 || 2*half >= sharpest*math.Pi/180 {
		return Place{}, false
	}
	// The corner between the tracks begins where their inner edges meet.
	width := max(l.Items[a.item].Shape.Width(), l.Items[b.item].Shape.Width())
	begin := width / 2 / math.Sin(half)
	if min(a.size, b.size) < 1.5*begin+width {
		return Place{}, false // one ends before the corner opens
	}
	corner := at.Polar(begin+20*float64(geom.Micrometre), b.dir+open/2)
	filled := false
	l.At(corner, func(int) bool {
		filled = true
		return false
	})
	if filled {
		return Place{}, false
	}
	return Place{Layer: l.Layer.Name, At: at, To: corner, Objects: [2]string{in.object(l, int(a.item)), in.object(l, int(b.item))},
		Nets: [2]string{in.netName(in.netOf(&l.Items[a.item])), in.netName(in.netOf(&l.Items[b.item]))}}, true
}
