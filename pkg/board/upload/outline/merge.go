package outline

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// mergeCrossed joins pieces of board that a line parts where copper runs across
// it: the line marks a chamfer, a fold or a field, and is no edge.
func (s *selection) mergeCrossed() {
	o := &s.board.Outline
	const most = 200
	merged, boards := 0, 0
	for i := 0; i < len(o.Areas) && boards < most; i++ {
		if !s.holdsContent(o.Areas[i]) {
			continue
		}
		boards++
		for k := 0; k < len(o.Areas) && !s.meter.HasEnded(); k++ {
			if k != i && s.mergeInto(i, k) {
				if k < i {
					i--
				}
				k, merged = -1, merged+1 // what is larger now may meet others
			}
		}
	}
	if merged > 0 {
		s.find(pcb.Note, "outline_inner_line", o.Areas[0].Bounds().Min, 0,
			"lines on the outline layer run across the board where copper does too (%d); taken as drawing, not as edges", merged)
	}
}

// mergeInto joins area k to area i, when copper crosses the line between them.
func (s *selection) mergeInto(i, k int) bool {
	o := &s.board.Outline
	shared := s.commonEdges(o.Areas[i].Outer, o.Areas[k].Outer)
	if len(shared) == 0 || !s.copperAcross(shared) {
		return false
	}
	p, ok := mergePaths(o.Areas[i].Outer, o.Areas[k].Outer, s.meter)
	if !ok {
		return false
	}
	o.Areas[i] = geom.Polygon{Outer: p, Holes: append(o.Areas[i].Holes, o.Areas[k].Holes...)}
	o.Areas = append(o.Areas[:k], o.Areas[k+1:]...)
	return true
}

// commonEdges gives the edges of p that q has too, the other way round.
func (s *selection) commonEdges(p, q geom.Path) []geom.Edge {
	if !s.meter.Spend(pcb.Lookups, len(p.Points)+len(q.Points)) || !p.Bounds().Grow(Touch).Overlaps(q.Bounds()) {
		return nil
	}
	var out []geom.Edge
	for e := range p.Edges() {
		if !s.meter.Spend(pcb.Pairs, len(q.Points)) {
			break
		}
		for f := range q.Edges() {
			if same(e, f.Reverse()) {
				out = append(out, e)
			}
		}
	}
	return out
}

func same(e, f geom.Edge) bool {
	const near = float64(Touch)
	return e.A.Dist(f.A) <= near && e.B.Dist(f.B) <= near && e.Mid().Dist(f.Mid()) <= near
}

// copperAcross tells whether a pad or track crosses one of the edges.
func (s *selection) copperAcross(edges []geom.Edge) bool {
	if s.across == nil {
		s.across = s.indexCopper()
	}
	looked := s.meter.Tally(pcb.Lookups)
	for _, e := range edges {
		box := e.Bounds().Grow(geom.Micrometre)
		for _, c := range s.across {
			found := false
			c.index.Search(box, func(i int) bool {
				found = crosses(c.layer, c.features[i], e)
				return !found && looked.Add(1)
			})
			if found {
				return true
			}
			if !looked.Add(1) {
				return false
			}
		}
	}
	return false
}

// indexedCopper are the pads and tracks of a copper layer, by place.
type indexedCopper struct {
	layer    *pcb.Layer
	features []*pcb.Feature
	index    *shape.Index
}

func (s *selection) indexCopper() []indexedCopper {
	out := []indexedCopper{}
	for _, l := range s.board.Copper() {
		if !s.meter.Spend(pcb.Lookups, len(l.Features)) {
			return out
		}
		c := indexedCopper{layer: l}
		for i := range l.Features {
			if f := &l.Features[i]; !f.Clear && f.Kind != pcb.RegionFeature {
				c.features = append(c.features, f)
			}
		}
		c.index = boxIndex(len(c.features), func(i int) geom.Box { return l.FeatureBounds(c.features[i]) })
		out = append(out, c)
	}
	return out
}

// crosses tells whether a feature lies well on both sides of an edge. Pours are
// not asked: tools cut them to the outline's line width only.
func crosses(l *pcb.Layer, f *pcb.Feature, e geom.Edge) bool {
	const deep = 100 * geom.Micrometre
	far := func(p geom.Point) bool { _, d := e.Nearest(p); return d > float64(deep) }
	switch f.Kind {
	case pcb.RegionFeature:
		return false
	case pcb.FlashFeature:
		pad := l.FeatureBounds(f).Grow(-deep)
		at, _ := e.Nearest(f.A)
		return !pad.Empty() && pad.Contains(at) && at.Dist(e.A) > float64(deep) && at.Dist(e.B) > float64(deep)
	}
	d, _, _ := e.Dist(l.Edge(f))
	return d == 0 && far(f.A) && far(f.B)
}

// mergePaths joins two paths along the edges they share; false when that does not
// give one path.
func mergePaths(p, q geom.Path, m pcb.Meter) (geom.Path, bool) {
	var edges []geom.Edge
	take := func(a, b geom.Path) {
		for e := range a.Edges() {
			keep := m.Spend(pcb.Pairs, len(b.Points))
			for f := range b.Edges() {
				keep = keep && !same(e, f.Reverse())
			}
			if keep {
				edges = append(edges, e)
			}
		}
	}
	take(p, q)
	take(q, p)
	closed, open := newChainer(edges, m).chains()
	if len(closed) != 1 || len(open) > 0 {
		return geom.Path{}, false
	}
	return orient(closed[0], true), true
}
