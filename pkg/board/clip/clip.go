package clip

import (
	"context"
	"errors"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Tolerance is how far, in nanometres, the chords of a flattened curve stray from it.
const Tolerance = 250

// ErrUnsettled tells that edges kept moving each other; no real input does that.
var ErrUnsettled = errors.New("edges of polygons do not settle on the grid")

// A Ring is a closed chain of corners; the first is not repeated.
type Ring []geom.Point

// Rings are an area: the points that the rings run round a number of times which
// is not zero in sum, counter-clockwise counted positive.
type Rings []Ring

// Len is how many corners the rings have.
func (rs Rings) Len() int {
	n := 0
	for _, r := range rs {
		n += len(r)
	}
	return n
}

// Op is what is done with two areas.
type Op uint8

// The operations.
const (
	Union Op = iota
	Intersection
	Difference // first without second
)

// Combine combines two areas. The polygons of the result do not overlap; outer paths
// run counter-clockwise, holes clockwise. Pieces that share no more than a corner
// are separate. It fails when ctx ends, or the budget in it does.
func Combine(ctx context.Context, op Op, a, b Rings) ([]geom.Polygon, error) {
	n := newNoder(ctx)
	n.add(a, 0)
	n.add(b, 1)
	edges, err := n.run()
	if err != nil {
		return nil, err
	}
	if err := sweep(ctx, edges, op); err != nil {
		return nil, err
	}
	return link(edges, pcb.MeterOf(ctx))
}

// Flat is a path as a ring that runs counter-clockwise, or clockwise for a hole.
// What a path encloses both ways round, like an 8, is taken as enclosed.
func Flat(p geom.Path, hole bool) Ring { return FlatWithin(p, hole, Tolerance) }

// FlatWithin is [Flat] with chords that stray from curves by so many nanometres at most.
func FlatWithin(p geom.Path, hole bool, tolerance float64) Ring {
	p.Closed = true
	r := Ring(p.Flatten(tolerance))
	if (shoelaceArea(r) < 0) != hole {
		r = append(Ring(nil), r...)
		for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
			r[i], r[j] = r[j], r[i]
		}
	}
	return r
}

// FlatPolygon is a polygon as rings, its holes taken off.
func FlatPolygon(ctx context.Context, p geom.Polygon) (Rings, error) {
	outer := Rings{Flat(p.Outer, false)}
	if len(p.Holes) == 0 {
		return outer, nil
	}
	var holes Rings
	for _, h := range p.Holes {
		holes = append(holes, Flat(h, false))
	}
	out, err := Combine(ctx, Difference, outer, holes)
	if err != nil {
		return nil, err
	}
	return Outlines(out), nil
}

// Outlines gives the rings of polygons as [Combine] makes them.
func Outlines(polygons []geom.Polygon) Rings {
	var out Rings
	for _, p := range polygons {
		out = append(out, Ring(p.Outer.Points))
		for _, h := range p.Holes {
			out = append(out, Ring(h.Points))
		}
	}
	return out
}

func shoelaceArea(r Ring) float64 {
	if len(r) < 3 {
		return 0
	}
	o, sum := r[0], 0.0
	for i := 1; i+1 < len(r); i++ {
		sum += r[i].Sub(o).Cross(r[i+1].Sub(o))
	}
	return sum / 2
}
