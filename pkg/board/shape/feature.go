package shape

import (
	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// AppendFeature appends the shapes that a feature covers together: one for almost
// all. What draws nothing appends nothing. Whether the feature is dark or clear is
// for the caller to mind.
//
// A flash whose aperture has clear primitives keeps them as holes where they lie
// inside one dark primitive; where they do not they are left out, so that the shape
// covers too much rather than too little. See [Whole].
func AppendFeature(out []Shape, l *board.Layer, f *board.Feature) []Shape {
	switch f.Kind {
	case board.RegionFeature:
		if r := l.Regions[f.Shape]; len(r.Outer.Points) > 1 {
			out = append(out, Area(r, 0))
		}
		return out
	case board.FlashFeature:
		return AppendFlash(out, &l.Apertures[f.Shape], l.Place(f))
	}
	a, t, e := &l.Apertures[f.Shape], l.Transforms[f.Transform], l.Edge(f)
	if a.Kind == board.CircleShape {
		if w := t.Length(a.X); w > 0 {
			out = append(out, Curve(e, w))
		}
		return out
	}
	return appendSwept(out, a, t, e)
}

// Whole tells whether [AppendFeature] covers exactly what the aperture does when it
// is flashed.
func Whole(a *board.Aperture) bool {
	if a.Simple() {
		return true
	}
	dark := darks(a)
	return len(dark) == 1 && !a.Primitives[0].Clear && clearsInside(a, dark[0])
}

// AppendFlash appends what an aperture covers as t puts it down.
func AppendFlash(out []Shape, a *board.Aperture, t geom.Transform) []Shape {
	if !a.Simple() && Whole(a) {
		return append(out, pierced(a, t))
	}
	for i := range a.Primitives {
		if p := &a.Primitives[i]; !p.Clear {
			out = appendPrimitive(out, p, t)
		}
	}
	return out
}

func appendPrimitive(out []Shape, p *board.Primitive, t geom.Transform) []Shape {
	w := t.Length(2 * p.Radius)
	switch p.Kind {
	case board.CirclePrimitive:
		if w > 0 {
			out = append(out, Circle(t.Apply(p.A), w))
		}
	case board.StrokePrimitive:
		if w > 0 {
			out = append(out, Stroke(t.Apply(p.A), t.Apply(p.B), w))
		}
	default:
		if len(p.Area.Points) > 1 {
			out = append(out, Area(geom.Polygon{Outer: t.Path(p.Area)}, 0))
		}
	}
	return out
}

func darks(a *board.Aperture) []*board.Primitive {
	var out []*board.Primitive
	for i := range a.Primitives {
		if !a.Primitives[i].Clear {
			out = append(out, &a.Primitives[i])
		}
	}
	return out
}

// clearsInside tells whether no clear primitive reaches over the border of dark,
// nor over another clear one.
func clearsInside(a *board.Aperture, dark *board.Primitive) bool {
	whole := Area(geom.Polygon{Outer: dark.Path()}, 0)
	var seen []Shape
	for i := range a.Primitives {
		p := &a.Primitives[i]
		if !p.Clear {
			continue
		}
		hole := Border(geom.Polygon{Outer: p.Path()}, 0)
		rim := Border(geom.Polygon{Outer: dark.Path()}, 0)
		if !whole.Contains(p.Path().Points[0]) {
			return false
		}
		if d, _, _ := hole.Dist(&rim); d <= 0 {
			return false
		}
		for j := range seen {
			if d, _, _ := hole.Dist(&seen[j]); d <= 0 {
				return false
			}
		}
		seen = append(seen, hole)
	}
	return true
}

// pierced is the one dark primitive of an aperture with its clear ones as holes.
func pierced(a *board.Aperture, t geom.Transform) Shape {
	var p geom.Polygon
	for i := range a.Primitives {
		path := t.Path(a.Primitives[i].Path())
		if a.Primitives[i].Clear {
			p.Holes = append(p.Holes, path)
		} else {
			p.Outer = path
		}
	}
	return Area(p, 0)
}
