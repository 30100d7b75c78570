package clip

import (
	"context"
	"math"

	"boardorder/pkg/board/geom"
)

// Stroke is an edge drawn with a round pen of radius r, as rings that run
// counter-clockwise but for those of holes.
func Stroke(e geom.Edge, r int64) Rings { return StrokeWithin(e, r, Tolerance) }

// StrokeWithin is [Stroke] with chords that stray from curves by so many nanometres at most.
func StrokeWithin(e geom.Edge, r int64, tolerance float64) Rings {
	switch {
	case r <= 0:
		return nil
	case !e.IsArc():
		return Rings{FlatWithin(geom.Capsule(e.A, e.B, r), false, tolerance)}
	case e.Radius() > float64(r)*1.05 && math.Abs(e.Sweep()) > math.Pi && e.A.Dist(e.B) < float64(min(r, shortestBand)): // its ends cover the gap
		return Rings{
			FlatWithin(geom.Circle(e.Centre, int64(e.Radius())+r), false, tolerance),
			FlatWithin(geom.Circle(e.Centre, int64(e.Radius())-r), true, tolerance),
		}
	}
	if p, ok := band(e, r); ok {
		return Rings{FlatWithin(p, false, tolerance)}
	}
	var out Rings // a chain of short strokes
	from := e.A
	for _, to := range e.AppendFlat(nil, tolerance) {
		out = append(out, FlatWithin(geom.Capsule(from, to, r), false, tolerance))
		from = to
	}
	return out
}

// shortestBand is how long the inner side of a band is at least, in nanometres: the turn of a
// shorter one is lost in the rounding of its ends.
const shortestBand = 1000

// band is the border of an arc drawn with a round pen of radius r: an arc outside, one inside,
// and a half circle round each end. False where the pen covers the arc's centre.
func band(e geom.Edge, r int64) (geom.Path, bool) {
	beside := func(p geom.Point, by int64) (geom.Point, float64) {
		d := p.Dist(e.Centre)
		return e.Centre.Polar(d+float64(by), p.Sub(e.Centre).Angle()), d
	}
	outerA, fromA := beside(e.A, r)
	outerB, fromB := beside(e.B, r)
	innerA, _ := beside(e.A, -r)
	innerB, _ := beside(e.B, -r)
	if min(fromA, fromB) <= float64(r)*1.05 || innerA.Dist(innerB) < shortestBand {
		return geom.Path{}, false
	}
	back := e.Turn == geom.Clockwise
	p := geom.Path{Closed: true}
	p.LineTo(outerA)
	p.ArcTo(outerB, e.Centre, back)
	p.ArcTo(innerB, e.B, back)
	p.ArcTo(innerA, e.Centre, !back)
	p.ArcTo(outerA, e.A, back)
	return p, true
}

// Grow is a polygon whose border was drawn with a round pen of radius r.
func Grow(ctx context.Context, p geom.Polygon, r int64) (Rings, error) {
	out, err := FlatPolygon(ctx, p)
	if err != nil || r <= 0 {
		return out, err
	}
	return append(out, border(p, r)...), nil
}

// Shrink is what a round pen of radius r leaves of a polygon whose border it draws: pieces, where the
// polygon is narrower than the pen between them.
func Shrink(ctx context.Context, p geom.Polygon, r int64) ([]geom.Polygon, error) {
	area, err := FlatPolygon(ctx, p)
	if err != nil {
		return nil, err
	}
	return Combine(ctx, Difference, area, border(p, r))
}

func border(p geom.Polygon, r int64) Rings {
	var out Rings
	for e := range p.Outer.Edges() {
		out = append(out, Stroke(e, r)...)
	}
	for _, h := range p.Holes {
		for e := range h.Edges() {
			out = append(out, Stroke(e, r)...)
		}
	}
	return out
}
