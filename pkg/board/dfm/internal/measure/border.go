package measure

import (
	"math"
	"slices"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

func (r *Border) edge(e geom.Edge, cutout bool, middle geom.Point) {
	r.edges, r.cutout, r.middle = append(r.edges, e), append(r.cutout, cutout), append(r.middle, middle)
}

// CutoutAt gives the middle of the cutout on whose edge a point lies.
func (r *Border) CutoutAt(p geom.Point) (middle geom.Point, ok bool) {
	r.index.Search(geom.BoxOf(p).Grow(dfm.Tolerance), func(i int) bool {
		if _, d := r.edges[i].Nearest(p); r.cutout[i] && d <= float64(dfm.Tolerance) {
			middle, ok = r.middle[i], true
		}
		return !ok
	})
	return middle, ok
}

// scores are the lines along which the board is scored to be broken: long, and
// upright or level, for no other can be scored. The rest is lettering.
func scores(b *pcb.Board) []geom.Edge {
	const long = 10 * geom.Millimetre
	var out []geom.Edge
	for _, l := range b.Find(pcb.RoleVCut, pcb.NoSide) {
		for i := range l.Features {
			f := &l.Features[i]
			d := f.B.Sub(f.A)
			if f.Kind == pcb.LineFeature && !f.Clear && (d.X == 0 || d.Y == 0) && d.Len() >= float64(long) {
				out = append(out, geom.Line(f.A, f.B))
			}
		}
	}
	return out
}

// minHalfHole is the diameter below which a hole on the edge is a mistake, not
// half of one for soldering.
const minHalfHole = 250 * geom.Micrometre

// A Border is where the board is cut, the outlines of its pieces and their cutouts;
// or where it is scored.
type Border struct {
	areas  []shape.Shape // pieces of board
	Rims   []shape.Shape // their edges, one shape for each piece; and each score
	edges  []geom.Edge
	middle []geom.Point // of each edge: the middle of the cutout that it belongs to
	cutout []bool       // of each edge: it belongs to a cutout
	index  *shape.Index // of edges
	grid   cutGrid
}

func newBorder(b *pcb.Board, m pcb.Meter) *Border {
	r := &Border{}
	drilled := drillMatcher(b, m)
	for _, a := range b.Outline.Areas {
		a.Holes = slices.DeleteFunc(slices.Clone(a.Holes), func(h geom.Path) bool { return fitsNoCutter(h) || drilled(h) })
		area, rim := shape.Area(a, 0), shape.Border(a, 0)
		area.Meter(m)
		rim.Meter(m)
		r.areas, r.Rims = append(r.areas, area), append(r.Rims, rim)
		for i, p := range append([]geom.Path{a.Outer}, a.Holes...) {
			p.Closed = true
			for e := range p.Edges() {
				r.edge(e, i > 0, p.Bounds().Centre())
			}
		}
	}
	r.find(m)
	return r
}

// newScored is the border of the lines along which the board is scored: no areas.
func newScored(b *pcb.Board, m pcb.Meter) *Border {
	r := &Border{}
	for _, e := range scores(b) {
		r.Rims = append(r.Rims, shape.Curve(e, 0))
		r.edge(e, false, e.Mid())
	}
	r.find(m)
	return r
}

// find makes what finds edges by place.
func (r *Border) find(m pcb.Meter) {
	boxes := make([]geom.Box, len(r.edges))
	for i, e := range r.edges {
		boxes[i] = e.Bounds()
	}
	r.index = shape.NewIndex(boxes).SetMeter(m)
	r.grid = newCutGrid(r.edges, r.contains)
}

// fitsNoCutter reports whether a cutout is too small for any cutter: lettering or marks
// that were drawn into the outline. That is a fault of the outline, not of the
// copper beside it.
func fitsNoCutter(p geom.Path) bool {
	const cutter = 800 * geom.Micrometre
	b := p.Bounds()
	return min(b.Width(), b.Height()) < cutter
}

// drillMatcher tells of a cutout whether a drill makes it: tools draw large holes
// into the outline as well.
func drillMatcher(b *pcb.Board, m pcb.Meter) func(geom.Path) bool {
	boxes := make([]geom.Box, len(b.Holes))
	for i := range b.Holes {
		boxes[i] = b.HoleBounds(&b.Holes[i])
	}
	index := shape.NewIndex(boxes).SetMeter(m)
	return func(p geom.Path) bool {
		const close = 150 * geom.Micrometre
		box, same := p.Bounds(), false
		index.Search(geom.BoxOf(box.Centre()), func(i int) bool {
			same = boxes[i].Grow(close).ContainsBox(box) && box.Grow(close).ContainsBox(boxes[i])
			return !same
		})
		return same
	}
}

// Reaches reports whether the cut comes as near to a point as reach.
func (r *Border) Reaches(p geom.Point, reach int64) bool {
	found := false
	r.index.Search(geom.BoxOf(p).Grow(reach), func(i int) bool {
		_, d := r.edges[i].Nearest(p)
		found = d <= float64(reach)
		return !found
	})
	return found
}

// IsEmpty reports whether the board has no outline to measure against.
func (r *Border) IsEmpty() bool { return len(r.areas) == 0 }

// Distance is the distance of a shape from the cut, when not beyond reach: 0 or
// less when it is cut.
func (r *Border) Distance(s *shape.Shape, reach float64) (d float64, onS, onCut geom.Point, ok bool) {
	d = math.Inf(1)
	for i := range r.Rims {
		if v, p, q, near := s.DistWithin(&r.Rims[i], reach); near && v < d {
			d, onS, onCut, ok = v, p, q, true
		}
	}
	return d, onS, onCut, ok
}

// IsNear reports whether any edge comes within reach of a box.
func (r *Border) IsNear(b geom.Box, reach int64) bool {
	b = b.Grow(reach)
	if r.grid.clear(b) {
		return false
	}
	found := false
	r.index.Search(b, func(int) bool {
		found = true
		return false
	})
	return found
}

// Contains reports whether a point lies on the board.
func (r *Border) Contains(p geom.Point) bool {
	if c := r.grid.cellAt(p); c != cellCut {
		return c == cellInside
	}
	return r.contains(p)
}

func (r *Border) contains(p geom.Point) bool {
	for i := range r.areas {
		if r.areas[i].Contains(p) {
			return true
		}
	}
	return false
}

// CutsHole reports whether the cut goes through a hole near its middle, so that a
// half of it is left on the edge.
func (r *Border) CutsHole(d *Drilled) bool {
	if d.Kind == pcb.RoutedHole || d.Diameter < minHalfHole || !r.IsNear(d.Box, 0) {
		return false
	}
	for i := range d.Barrels {
		if v, _, _, ok := r.Distance(&d.Barrels[i], 0); ok && v <= -d.Radius()/2 {
			return true
		}
	}
	return false
}

// HasLine reports whether a line runs on the cut: the outline drawn into another layer.
func (r *Border) HasLine(e geom.Edge) bool {
	const close = 20 * geom.Micrometre
	for _, p := range [3]geom.Point{e.A, e.Mid(), e.B} {
		s := shape.Circle(p, 0)
		if !r.IsNear(geom.BoxOf(p), close) {
			return false
		}
		if _, _, _, ok := r.Distance(&s, float64(close)); !ok {
			return false
		}
	}
	return true
}
