package conductor

import (
	"context"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// necks measures where areas of copper are narrow. Where something is connected on
// both sides current may have to pass: a bridge; a narrow end that nothing is
// connected to is a tongue. Both are judged more mildly than tracks: an area mostly
// has other ways round.
func (w *widthLayer) necks(ctx context.Context, c *copper.Copper, layer int) {
	sliver := w.in.Limit(dfm.CopperSliver, !w.l.Outer)
	loose := max(sliver.Min, sliver.Recommended)
	reach := max(w.limit, loose)
	if reach <= 0 {
		return
	}
	worst := map[bool]closest{false: {}, true: {}}
	for i := range w.l.Items {
		it := &w.l.Items[i]
		f := w.l.FeatureOf(i)
		if f != nil && f.Kind != pcb.RegionFeature || !it.Shape.IsArea() {
			continue
		}
		if ctx.Err() != nil {
			return
		}
		a := neckArea{w: w, c: c, layer: layer, item: i, joints: nil}
		it.Shape.Necks(float64(reach), func(n shape.Neck) bool {
			if !a.wide(n) {
				node := c.Node(layer, i)
				worst[a.bridge(n)].add(spot{pair: [2]int32{node, node}, cell: cellOf(n.P)}, nearby{i, i, n.P, n.Q, n.Width})
			}
			return ctx.Err() == nil
		})
	}
	for bridge, found := range worst {
		for _, n := range found {
			p := w.in.PlaceBetween(w.l, n.i, n.i, n.p, n.q, n.d)
			p.Objects[1], p.Nets[1] = "", ""
			if bridge {
				w.bridges = append(w.bridges, p)
			} else {
				w.slivers = append(w.slivers, p)
			}
		}
	}
}

// A neckArea is one area whose necks are judged.
type neckArea struct {
	w         *widthLayer
	c         *copper.Copper
	layer     int
	item      int
	joints    []geom.Point // where something is connected to the area
	requested bool
}

// wide reports whether other copper goes on where the neck ends on either side.
func (a *neckArea) wide(n shape.Neck) bool {
	l := a.w.l
	for _, end := range [2]geom.Point{measure.PointBeyond(n.Q, n.P), measure.PointBeyond(n.P, n.Q)} {
		more := false
		l.Index.Search(geom.BoxOf(end), func(j int) bool {
			more = j != a.item && l.Items[j].Island == l.Items[a.item].Island && l.Items[j].Shape.DistTo(end) <= 1
			return !more
		})
		if more {
			return true
		}
	}
	return false
}

// manyJoints are counted as work.
const manyJoints = 16

// bridge reports whether something is connected to the area on both sides of a neck.
// A neck between two different borders divides nothing: current passes elsewhere.
func (a *neckArea) bridge(n shape.Neck) bool {
	joints := a.findJoints()
	if len(joints) < 2 {
		return false
	}
	outer := n.Side()
	if len(outer.Points) == 0 || len(joints) > manyJoints && !a.w.in.Meter.Spend(pcb.Lookups, len(joints)) {
		return false
	}
	side := shape.Area(geom.Polygon{Outer: outer}, 0)
	box := side.Bounds()
	here, there := false, false
	for _, p := range joints {
		if box.Contains(p) && side.Contains(p) {
			here = true
		} else {
			there = true
		}
		if here && there {
			return true
		}
	}
	return false
}

// findJoints are the pads and the ends of tracks that lie in the area.
func (a *neckArea) findJoints() []geom.Point {
	if a.requested {
		return a.joints
	}
	a.requested = true
	l := a.w.l
	it := &l.Items[a.item]
	take := func(p geom.Point) {
		if it.Shape.Contains(p) {
			a.joints = append(a.joints, p)
		}
	}
	l.Index.Search(it.Shape.Bounds(), func(j int) bool {
		f := l.FeatureOf(j)
		if j == a.item || f == nil || l.Items[j].Island != it.Island {
			return true
		}
		switch f.Kind {
		case pcb.FlashFeature:
			take(f.A)
		case pcb.LineFeature, pcb.ArcFeature:
			take(f.A)
			take(f.B)
		}
		return true
	})
	return a.joints
}
