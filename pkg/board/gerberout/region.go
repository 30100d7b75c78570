package gerberout

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// region fills a polygon. Its holes are cut in, for a hole that were erased would
// take along what lies in it.
func (w *writer) region(p geom.Polygon, f pcb.Function) {
	edges := contour(p)
	if len(edges) == 0 {
		return
	}
	w.regionFunction(f)
	w.out = append(w.out, "G36*\n"...)
	w.move(edges[0].A)
	for _, e := range edges {
		w.draw(e)
	}
	w.out = append(w.out, "G37*\n"...)
	w.placed = false // what the current point is after a region, readers differ in
}

// regionFunction puts the aperture function in force that regions take on.
func (w *writer) regionFunction(f pcb.Function) {
	if !w.copper || functions[f] == functions[w.function] {
		return
	}
	w.function = f
	if functions[f] == "" {
		w.out = append(w.out, "%TD.AperFunction*%\n"...)
		return
	}
	w.out = append(append(append(w.out, "%TA.AperFunction,"...), functions[f]...), "*%\n"...)
}

// sweep fills the way of a shape along a line or arc: exactly that of a convex
// one.
func (w *writer) sweep(l *pcb.Layer, f *pcb.Feature) {
	const tolerance = 1000
	e := l.Edge(f)
	a, t := l.Aperture(f), l.Transforms[f.Transform]
	var shape []geom.Point
	for i := range a.Primitives {
		if p := a.Primitives[i].Place(t); !p.Clear {
			shape = append(shape, p.Path().Flatten(tolerance)...)
		}
	}
	from := e.A
	for _, to := range e.AppendFlat(nil, tolerance) {
		pts := make([]geom.Point, 0, 2*len(shape))
		for _, q := range shape {
			pts = append(pts, from.Add(q), to.Add(q))
		}
		w.region(geom.Polygon{Outer: geom.Path{Points: geom.Hull(pts), Closed: true}}, f.Function)
		from = to
	}
}

// contour is a polygon as one closed chain of edges; none when it covers nothing.
func contour(p geom.Polygon) []geom.Edge {
	outer := p.Outer
	outer.Closed = true
	if len(outer.Points) < 3 && len(outer.Bends) == 0 {
		return nil
	}
	var edges []geom.Edge
	if len(p.Holes) == 0 {
		for e := range outer.Edges() {
			if e.A != e.B || e.IsArc() {
				edges = append(edges, e)
			}
		}
		return edges
	}
	return makeCutIn(outer, p.Holes)
}
