package hole

import (
	"math"
	"slices"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// A annularRing measures the copper around one hole on one layer.
type annularRing struct {
	c       *copper.Copper
	l       *copper.Layer
	layer   int
	d       *measure.Drilled
	barrel  *shape.Shape
	node    int32
	removed bool            // drills take all copper of the node
	items   []int32         // copper that the barrel meets
	solid   []measure.Solid // the shapes of items; pads without the openings that the drill takes anyway

	at   geom.Point // where areas were asked last
	free float64    // how far round it they cover all
}

// measure gives the width of the narrowest copper around the hole, negative where
// the hole reaches beyond its pad, the item that forms it and where it ends. Copper
// wider than enough need not be told exactly. ok is false when there is no pad.
func (p *annularRing) measure(enough int64) (v float64, item int, at geom.Point, ok bool) {
	p.gather(0)
	v = math.Inf(-1)
	for k, i := range p.items {
		s := &p.solid[k].Shape
		if !covers(s, p.d.A) || !covers(s, p.d.B) {
			continue
		}
		if w, q := p.marginInside(s); w > v {
			v, item, at, ok = w, int(i), q, true
		}
	}
	if ok && v >= float64(enough) {
		return v, item, at, true
	}
	return p.measureCommon(v, item, at, ok, enough)
}

// gather takes the copper of the hole's node up to reach from its barrel.
func (p *annularRing) gather(reach float64) {
	p.items, p.solid, p.free = p.items[:0], p.solid[:0], 0
	p.l.Index.Search(p.barrel.Bounds().Grow(int64(reach)+1), func(i int) bool {
		if p.node >= 0 && p.c.Node(p.layer, i) != p.node {
			return true // most of what is near: areas of other nets, with this hole left out
		}
		if _, _, _, near := p.barrel.DistWithin(&p.l.Items[i].Shape, reach); near {
			p.items = append(p.items, int32(i))
			p.solid = append(p.solid, measure.NewSolid(p.wholeShape(i)))
		}
		return true
	})
}

// wholeShape is the shape of an item; of a pad that was drawn with the hole in its
// middle the whole pad.
func (p *annularRing) wholeShape(i int) shape.Shape {
	const wider = 100 * geom.Micrometre
	it := &p.l.Items[i]
	if f := p.l.FeatureOf(i); f == nil || f.Kind != pcb.FlashFeature || !it.Shape.IsArea() {
		return it.Shape
	}
	poly := it.Shape.Polygon()
	left := slices.DeleteFunc(slices.Clone(poly.Holes), func(h geom.Path) bool { return p.d.Box.Grow(wider).ContainsBox(h.Bounds()) })
	if len(left) == len(poly.Holes) {
		return it.Shape
	}
	return shape.Area(geom.Polygon{Outer: poly.Outer, Holes: left}, measure.Length(it.Shape.Width()))
}

// covers reports whether a point lies in copper, or on its border.
func covers(s *shape.Shape, p geom.Point) bool { return s.DistTo(p) <= 1 }

// marginInside is how far the barrel is from the border of a shape that the hole's middle
// lies in, and where.
func (p *annularRing) marginInside(s *shape.Shape) (float64, geom.Point) {
	r := p.d.Radius()
	if s.IsArea() {
		core, rim := shape.Curve(p.barrel.Edge(), 0), s.Rim()
		d, _, q := core.Dist(&rim)
		return d + s.Width()/2 - r, q
	}
	// A stroke ends where its pen does: the point farthest from its line decides.
	far, off, near := p.d.A, -1.0, geom.Point{}
	for _, q := range [2]geom.Point{p.d.A, p.d.B} {
		if n, d := s.Edge().Nearest(q); d > off {
			far, off, near = q, d, n
		}
	}
	dir := 0.0
	if far != near {
		dir = far.Sub(near).Angle()
	}
	return s.Width()/2 - off - r, near.Polar(s.Width()/2, dir)
}

// measureCommon measures what all items at the hole cover in common, where no single
// one is wide enough: painted pads, pads with a hole in the middle, pads in a pour.
func (p *annularRing) measureCommon(v float64, item int, at geom.Point, ok bool, enough int64) (float64, int, geom.Point, bool) {
	if len(p.items) == 0 || !ok && !p.hasPad() {
		return v, item, at, ok
	}
	p.gather(float64(enough))
	if ok && !p.isCovered(measure.PointBeyond(p.d.A.Mid(p.d.B), at)) {
		return v, item, at, true
	}
	floor := max(v, 0)
	least, from := math.Inf(1), geom.Point{}
	p.visitBarrel(func(q geom.Point, dir float64) bool {
		if w := p.extent(q, dir, float64(enough)); w < least {
			least, from = w, q.Polar(w, dir)
		}
		return least > floor+1 // no less than that of one item alone
	})
	switch {
	case least > v && least > 0:
		return least, p.pickItem(item, ok), from, true
	}
	if short := p.shortfall(-v); -short > v+1 { // what a pad of several parts covers in common
		return -short, p.middle(p.pickItem(item, ok)), from, true
	}
	if ok {
		return v, item, at, true
	}
	return p.measureBreakout()
}

// shortfall is how far inside the barrel all of the hole lies in copper, though no single item
// covers it: 0 for a pad of several parts that is just as large as its slot, +Inf where not
// even the middle does. It is looked for up to most.
func (p *annularRing) shortfall(most float64) float64 {
	const step = float64(geom.Micrometre)
	filled := func(depth float64) bool {
		all := true
		p.visitBarrel(func(q geom.Point, dir float64) bool {
			all = p.isCovered(q.Polar(-depth, dir))
			return all
		})
		return all
	}
	low, high := 0.0, min(most, p.d.Radius())
	switch {
	case most <= 0 || !filled(high):
		return math.Inf(1)
	case filled(step / 2):
		return 0
	}
	for high-low > step/2 {
		if mid := (low + high) / 2; filled(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// middle is the pad at the hole whose middle is nearest to that of the hole, else an item.
func (p *annularRing) middle(item int) int {
	best := math.Inf(1)
	for _, i := range p.items {
		if d := p.l.Items[i].Shape.Bounds().Centre().Dist(p.d.Box.Centre()); d < best && measure.IsPadItem(p.l, int(i)) {
			best, item = d, int(i)
		}
	}
	return item
}

// isIntended reports whether copper that a hole reaches beyond is what the hole was drilled for:
// a pad that holds the hole's middle, or a track that ends at it or runs through its middle.
// What the drill cuts otherwise it hits by chance.
func (p *annularRing) isIntended(item int) bool {
	s, mid := &p.l.Items[item].Shape, p.d.A.Mid(p.d.B)
	if measure.IsPadItem(p.l, item) {
		return covers(s, mid) || slices.ContainsFunc(p.items, func(i int32) bool {
			return measure.IsPadItem(p.l, int(i)) && covers(&p.l.Items[i].Shape, mid)
		})
	}
	f := p.l.FeatureOf(item)
	if f == nil || f.Kind != pcb.LineFeature && f.Kind != pcb.ArcFeature {
		return covers(s, mid)
	}
	edge := p.l.Layer.Edge(f)
	_, off := edge.Nearest(mid)
	return off <= p.d.Radius()/4 || min(f.A.Dist(p.d.A), f.B.Dist(p.d.A), f.A.Dist(p.d.B), f.B.Dist(p.d.B)) <= p.d.Radius()
}

// room is how far every point round one still lies in copper at the hole; negative
// when the point does not. It asks areas last, for they take longest: only when
// nothing else covers the point, and what they said before does not tell.
func (p *annularRing) room(at geom.Point, enough float64) float64 {
	if free := measure.RoomIn(p.solid, at, enough, false); free >= -1 {
		return free
	}
	if free := p.free - p.at.Dist(at) - measure.Rimless; free >= 0 {
		return free
	}
	p.at, p.free = at, measure.RoomIn(p.solid, at, enough, true)
	return p.free
}

// isCovered reports whether any copper at the hole covers a point.
func (p *annularRing) isCovered(at geom.Point) bool { return p.room(at, 1000) >= -1 }

// hasPad reports whether any item at the hole is a pad.
func (p *annularRing) hasPad() bool {
	for _, i := range p.items {
		if measure.IsPadItem(p.l, int(i)) {
			return true
		}
	}
	return false
}

func (p *annularRing) pickItem(item int, ok bool) int {
	if ok {
		return item
	}
	for _, i := range p.items {
		if measure.IsPadItem(p.l, int(i)) {
			return int(i)
		}
	}
	return int(p.items[0])
}

// measureBreakout is for a hole that no pad surrounds, though one is cut by its barrel: it
// reaches beyond that pad by as much as lies open.
func (p *annularRing) measureBreakout() (float64, int, geom.Point, bool) {
	best, item := math.Inf(1), -1
	for _, i := range p.items {
		s := &p.l.Items[i].Shape
		if f := p.l.FeatureOf(int(i)); f == nil || !measure.IsPadItem(p.l, int(i)) || f.A.Dist(p.d.A) > 2*p.d.Radius() {
			continue
		}
		if d := s.DistTo(p.d.A); d < best && d <= p.d.Radius() {
			best, item = d, int(i)
		}
	}
	if item < 0 {
		return 0, 0, geom.Point{}, false
	}
	return -best - p.d.Radius(), item, p.d.A, true
}

// visitBarrel calls yield with points on the barrel and the direction straight out of it.
func (p *annularRing) visitBarrel(yield func(q geom.Point, dir float64) bool) {
	const steps = 72
	d := p.d.B.Sub(p.d.A)
	base := d.Angle()
	for k := range steps {
		turn := base + math.Pi/2 + 2*math.Pi*float64(k)/steps
		c := p.d.A // the half turn beyond A, then that beyond B
		if k >= steps/2 {
			c = p.d.B
		}
		if !yield(c.Polar(p.d.Radius(), turn), turn) {
			return
		}
	}
	if n := int(d.Len() / 50_000); n > 0 {
		for k := 1; k < n; k++ {
			c := geom.Pt(p.d.A.X+d.X*int64(k)/int64(n), p.d.A.Y+d.Y*int64(k)/int64(n))
			for _, turn := range [2]float64{base + math.Pi/2, base - math.Pi/2} {
				if !yield(c.Polar(p.d.Radius(), turn), turn) {
					return
				}
			}
		}
	}
}

// isHeld reports whether the copper around at least half of the hole is as wide as
// enough: planes have no pads, and what surrounds a hole there is the plane.
func (p *annularRing) isHeld(enough float64) bool {
	p.gather(enough)
	wide, all := 0, 0
	p.visitBarrel(func(q geom.Point, dir float64) bool {
		all++
		if p.extent(q, dir, enough) >= enough {
			wide++
		}
		return true
	})
	return 2*wide >= all
}

// extent is how far copper reaches from q in a direction without a gap.
func (p *annularRing) extent(q geom.Point, dir, enough float64) float64 {
	return measure.ReachOf(func(w float64) float64 { return p.room(q.Polar(w, dir), enough) }, enough, enough)
}

// flush reports whether a pad lies right on its hole, and a drill through a pad of no
// larger size was meant: the hole is as large as those of posts and screws, or nothing
// is connected to it.
func (p *annularRing) flush(item int) bool {
	const large = 900 * geom.Micrometre
	return measure.IsPadItem(p.l, item) &&
		p.l.Items[item].Shape.Bounds().Centre().Dist(p.d.Box.Centre()) <= float64(measure.NoRing) &&
		(p.d.Diameter >= large || p.removed || p.idle())
}

// farthest is how far a shape reaches from a line.
func farthest(axis *geom.Edge, s *shape.Shape) float64 {
	ends := []geom.Point{s.Edge().A, s.Edge().B}
	if s.IsArea() {
		ends = s.Polygon().Outer.Points
	}
	far := 0.0
	for _, q := range ends {
		_, d := axis.Nearest(q)
		far = max(far, d)
	}
	return far + s.Width()/2
}

// idle reports whether a drill takes all copper that the hole meets, but for what ends
// at its barrel: a clearance as large as the hole, which rounding lets touch it.
func (p *annularRing) idle() bool {
	idle := true
	axis := geom.Line(p.d.A, p.d.B)
	for _, l := range p.c.Layers {
		if !copper.Spans(p.d.Hole, l.Layer) {
			continue
		}
		l.VisitNear(p.barrel, copper.HoleTouch, func(i int, _ float64, _, _ geom.Point) bool {
			s := &l.Items[i].Shape
			if measure.IsPadItem(l, i) && l.Items[i].Net <= 0 {
				idle = farthest(&axis, s) <= p.d.Radius()+float64(measure.NoRing)
			} else {
				idle = min(s.DistTo(p.d.A), s.DistTo(p.d.B), s.DistTo(p.d.A.Mid(p.d.B))) >= p.d.Radius()-float64(measure.NoRing)
			}
			return idle
		})
		if !idle {
			return false
		}
	}
	return true
}
