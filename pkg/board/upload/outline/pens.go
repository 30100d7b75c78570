package outline

import (
	"cmp"
	"maps"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// Bounds on outlines that are drawn once with each of several pens.
const (
	manyPens   = 8
	manyDrawn  = 50_000               // strokes
	penApart   = 50 * geom.Micrometre // between two lines that are one, in curves of few and of many corners
	fewStrokes = 3
)

// edgesOfOnePen gives the lines and arcs of layers, without those that draw the same again with
// another pen: tools that keep the board's shape apart from the layer that it is drawn on
// put out both, with their curves in other steps, so that the two cross at every corner.
func (s *selection) edgesOfOnePen(layers []*pcb.Layer) []geom.Edge {
	var all []geom.Edge
	pens := map[int64][]geom.Edge{}
	for _, l := range layers {
		for i := range l.Features {
			if f := &l.Features[i]; !f.Clear && (f.Kind == pcb.LineFeature || f.Kind == pcb.ArcFeature) {
				e := l.Edge(f)
				all = append(all, e)
				pens[l.Width(f)] = append(pens[l.Width(f)], e)
			}
		}
	}
	if len(pens) < 2 || len(pens) > manyPens || len(all) > manyDrawn {
		return all
	}
	box := boxOf(all)
	for _, w := range slices.SortedFunc(maps.Keys(pens), func(v, w int64) int {
		return cmp.Or(len(pens[v])-len(pens[w]), cmp.Compare(v, w))
	}) {
		drawn := pens[w]
		if len(drawn) < fewStrokes || !boxOf(drawn).Grow(penApart).ContainsBox(box) || !s.liesAlong(all, drawn) {
			continue
		}
		if r := Find(s.ctx, drawn); r.whole() && len(r.Outline.Areas) > 0 {
			return drawn
		}
	}
	return all
}

func boxOf(edges []geom.Edge) geom.Box {
	box := geom.EmptyBox()
	for _, e := range edges {
		box = box.Union(e.Bounds())
	}
	return box
}

// liesAlong tells whether all edges lie along some of them.
func (s *selection) liesAlong(all, some []geom.Edge) bool {
	x := boxIndex(len(some), func(i int) geom.Box { return some[i].Bounds() })
	on := func(p geom.Point) bool { return s.isNear(x, some, p) }
	for _, e := range all {
		if !on(e.A) || !on(e.B) || !on(e.Mid()) {
			return false
		}
	}
	return true
}

// isNear tells whether an edge comes close to a point.
func (s *selection) isNear(x *shape.Index, edges []geom.Edge, p geom.Point) bool {
	found := false
	x.Search(geom.BoxOf(p).Grow(penApart), func(i int) bool {
		_, d := edges[i].Nearest(p)
		found = d <= float64(penApart)
		return !found && s.meter.Spend(pcb.Lookups, 1)
	})
	return found
}
