package shape

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// A Maker makes shapes of the features of a layer. It is for one goroutine.
type Maker struct {
	layer  *pcb.Layer
	meter  pcb.Meter
	made   pcb.Tally
	pieces []pieces // by aperture
}

// pieces is what is known of an aperture once it was put down.
type pieces struct {
	known bool
	whole bool
	cost  int // primitives and their corners
}

// NewMaker makes shapes of features of l while the meter allows it.
func NewMaker(l *pcb.Layer, m pcb.Meter) *Maker {
	return &Maker{layer: l, meter: m, made: m.Tally(pcb.Shapes), pieces: make([]pieces, len(l.Apertures))}
}

// Append appends the shapes that a feature covers together: one for almost
// all. What draws nothing appends nothing. Whether the feature is dark or clear is
// for the caller to mind.
//
// A flash whose aperture has clear primitives keeps them as holes where they lie
// inside one dark primitive; where they do not they are left out, so that the shape
// covers too much rather than too little. See [Maker.Whole].
//
// Nothing is appended once the meter has ended the work.
func (m *Maker) Append(out []Shape, f *pcb.Feature) []Shape {
	l, from := m.layer, len(out)
	switch f.Kind {
	case pcb.RegionFeature:
		if r := l.Regions[f.Shape]; len(r.Outer.Points) > 1 && m.made.Add(1) {
			out = append(out, Area(r, 0))
		}
	case pcb.FlashFeature:
		if m.made.Add(m.aperture(f.Shape).cost) {
			out = m.appendFlash(out, f.Shape, l.Place(f))
		}
	default:
		out = m.appendMoved(out, f)
	}
	for i := from; i < len(out); i++ {
		out[i].Meter(m.meter)
	}
	return out
}

// appendMoved appends what an aperture covers on its way along a line or arc.
func (m *Maker) appendMoved(out []Shape, f *pcb.Feature) []Shape {
	a, t, e := &m.layer.Apertures[f.Shape], m.layer.Transforms[f.Transform], m.layer.Edge(f)
	if a.Kind != pcb.CircleShape {
		return m.appendSwept(out, f.Shape, t, e)
	}
	if w := t.Length(a.X); w > 0 && m.made.Add(1) {
		out = append(out, Curve(e, w))
	}
	return out
}

// Whole reports whether [Maker.Append] covers exactly what the feature does.
func (m *Maker) Whole(f *pcb.Feature) bool {
	return f.Kind != pcb.FlashFeature || m.aperture(f.Shape).whole
}

// aperture looks at an aperture when it is first put down.
func (m *Maker) aperture(i int32) *pieces {
	p := &m.pieces[i]
	if p.known {
		return p
	}
	a := &m.layer.Apertures[i]
	p.known = true
	for k := range a.Primitives {
		p.cost += 1 + len(a.Primitives[k].Area.Points)
	}
	p.whole = whole(a, m.meter)
	return p
}

// whole reports whether an aperture is the union of its dark primitives, or one of
// them with holes.
func whole(a *pcb.Aperture, m pcb.Meter) bool {
	if a.Simple() {
		return true
	}
	dark := darks(a)
	return len(dark) == 1 && !a.Primitives[0].Clear && clearsInside(a, dark[0], m)
}

// appendFlash appends what an aperture covers as t puts it down.
func (m *Maker) appendFlash(out []Shape, aperture int32, t geom.Transform) []Shape {
	a := &m.layer.Apertures[aperture]
	if m.aperture(aperture).whole && !a.Simple() {
		return append(out, areaWithHoles(a, t))
	}
	for i := range a.Primitives {
		if p := &a.Primitives[i]; !p.Clear {
			out = appendPrimitive(out, p, t)
		}
	}
	return out
}

func appendPrimitive(out []Shape, p *pcb.Primitive, t geom.Transform) []Shape {
	w := t.Length(2 * p.Radius)
	switch p.Kind {
	case pcb.CirclePrimitive:
		if w > 0 {
			out = append(out, Circle(t.Apply(p.A), w))
		}
	case pcb.StrokePrimitive:
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

func darks(a *pcb.Aperture) []*pcb.Primitive {
	var out []*pcb.Primitive
	for i := range a.Primitives {
		if !a.Primitives[i].Clear {
			out = append(out, &a.Primitives[i])
		}
	}
	return out
}

// clearsInside tells whether no clear primitive reaches over the border of dark,
// nor over another clear one.
func clearsInside(a *pcb.Aperture, dark *pcb.Primitive, m pcb.Meter) bool {
	whole := Area(geom.Polygon{Outer: dark.Path()}, 0)
	whole.Meter(m)
	rim := whole.Rim()
	var holes []Shape
	var boxes []geom.Box
	for i := range a.Primitives {
		p := &a.Primitives[i]
		if !p.Clear {
			continue
		}
		path := p.Path()
		hole := Border(geom.Polygon{Outer: path}, 0)
		hole.Meter(m)
		if !m.Spend(pcb.Pairs, 1+len(path.Points)) || !whole.Contains(path.Points[0]) {
			return false
		}
		if _, _, _, touch := hole.DistWithin(&rim, 0); touch {
			return false
		}
		holes, boxes = append(holes, hole), append(boxes, hole.Bounds())
	}
	return areDisjoint(holes, boxes, m)
}

// areDisjoint reports whether no two shapes touch.
func areDisjoint(shapes []Shape, boxes []geom.Box, m pcb.Meter) bool {
	apart := true
	NewIndex(boxes).SetMeter(m).Pairs(0, func(i, j int) {
		if apart {
			_, _, _, touch := shapes[i].DistWithin(&shapes[j], 0)
			apart = !touch
		}
	})
	return apart && !m.HasEnded()
}

// areaWithHoles is the one dark primitive of an aperture with its clear ones as holes.
func areaWithHoles(a *pcb.Aperture, t geom.Transform) Shape {
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
