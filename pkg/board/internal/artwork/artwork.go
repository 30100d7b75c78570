// Package artwork puts features on a board's layer for readers of formats that
// know pads, tracks and areas rather than apertures: it shares equal apertures
// and transforms, so that a layer stays as small as if a plotter had written it.
package artwork

import (
	"fmt"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Meta is what a feature carries beside its shape; Net and Pin are indexes into
// the board's tables.
type Meta struct {
	Net, Pin int32
	Function pcb.Function
	Clear    bool
	Line     int
}

// A Sheet fills one layer.
type Sheet struct {
	Layer      *pcb.Layer
	apertures  map[string]int32
	keys       []string // of the apertures
	pens       map[int64]int32
	transforms map[geom.Transform]int32

	meter          pcb.Meter
	drawn, corners pcb.Tally
}

// NewSheet starts filling an empty layer of that name, read from file.
func NewSheet(name, file string, role pcb.Role, side pcb.Side) *Sheet {
	return &Sheet{Layer: &pcb.Layer{
		Name: name, File: file, Role: role, Side: side,
		Transforms: []geom.Transform{{}}, AttributeSets: []pcb.AttributeSet{nil},
	}}
}

// SetMeter lets the sheet count what is drawn on it; what comes after the end of
// the budget is left out.
func (s *Sheet) SetMeter(m pcb.Meter) *Sheet {
	s.meter, s.drawn, s.corners = m, m.Tally(pcb.Drawn), m.Tally(pcb.Corners)
	return s
}

// A Shape is an aperture together with what makes it equal to another.
type Shape struct {
	Key   string
	Build func() pcb.Aperture
}

// Circle is a disc of the diameter d, in nanometres.
func Circle(d int64) Shape {
	return Shape{fmt.Sprint("C", d), func() pcb.Aperture { return pcb.Circle(d) }}
}

// Rect is a rectangle of x by y.
func Rect(x, y int64) Shape {
	return Shape{fmt.Sprint("R", x, "x", y), func() pcb.Aperture { return pcb.Rect(x, y) }}
}

// Obround is a rectangle of x by y with round short ends.
func Obround(x, y int64) Shape {
	return Shape{fmt.Sprint("O", x, "x", y), func() pcb.Aperture { return pcb.Obround(x, y) }}
}

// RoundRect is a rectangle of x by y with corners of radius r.
func RoundRect(x, y, r int64) Shape {
	return Shape{fmt.Sprint("U", x, "x", y, "r", r), func() pcb.Aperture { return pcb.RoundRect(x, y, r) }}
}

// Flash puts a shape down at p, turned by deg degrees, mirrored first if asked.
func (s *Sheet) Flash(p geom.Point, sh Shape, deg float64, mirror bool, m Meta) {
	s.FlashScaled(p, sh, geom.Transform{Rotation: deg, Mirror: mirror}, m)
}

// FlashScaled puts a shape down at p as t turns, mirrors and scales it; t's
// offset is not used.
func (s *Sheet) FlashScaled(p geom.Point, sh Shape, t geom.Transform, m Meta) {
	t.Offset = geom.Point{}
	t.Rotation = turn(t.Rotation)
	i := s.aperture(sh)
	if s.Layer.Apertures[i].Kind == pcb.CircleShape {
		t.Rotation, t.Mirror = 0, false
	}
	f := feature(m)
	f.Kind, f.A, f.B, f.Shape, f.Transform = pcb.FlashFeature, p, p, i, s.transform(t)
	if f.Transform > 0 && !s.spendTurn(i) {
		return
	}
	s.add(f)
}

// spendTurn counts what a flash costs whose aperture is turned: its bounds are those of
// all its pieces.
func (s *Sheet) spendTurn(aperture int32) bool {
	const few, requested = 8, 16 // pieces that cost nothing to speak of, and how often bounds are asked for
	n := len(s.Layer.Apertures[aperture].Primitives)
	return n <= few || s.meter.Spend(pcb.Lookups, requested*n)
}

// Stroke moves a shape along a line or an arc.
func (s *Sheet) Stroke(e geom.Edge, sh Shape, m Meta) {
	f := feature(m)
	f.Kind, f.Shape = pcb.LineFeature, s.aperture(sh)
	s.edge(f, e)
}

// Line draws from a to b with a round pen.
func (s *Sheet) Line(a, b geom.Point, width int64, m Meta) {
	s.Edge(geom.Line(a, b), width, m)
}

// Edge draws along a line or an arc with a round pen.
func (s *Sheet) Edge(e geom.Edge, width int64, m Meta) {
	f := feature(m)
	f.Kind, f.Shape = pcb.LineFeature, s.pen(width)
	s.edge(f, e)
}

// edge draws along an edge what f says but for the way.
func (s *Sheet) edge(f pcb.Feature, e geom.Edge) {
	f.A, f.B = e.A, e.B
	if e.IsArc() {
		f.Kind, f.Arc = pcb.ArcFeature, int32(len(s.Layer.Arcs))
		s.Layer.Arcs = append(s.Layer.Arcs, pcb.ArcGeometry{Centre: e.Centre, Clockwise: e.Turn == geom.Clockwise})
	}
	s.add(f)
}

// Path draws along every edge of a path with a round pen.
func (s *Sheet) Path(p geom.Path, width int64, m Meta) {
	n := p.Len()
	if n == 0 {
		return
	}
	if !s.drawn.Add(n) {
		return
	}
	s.reserve(n)
	f := feature(m)
	f.Kind, f.Shape = pcb.LineFeature, s.pen(width)
	if len(p.Bends) > 0 {
		for e := range p.Edges() {
			s.edge(f, e)
		}
		return
	}
	f.A = p.Points[0]
	for _, f.B = range p.Points[1:] {
		s.Layer.Features = append(s.Layer.Features, f)
		f.A = f.B
	}
	if n == len(p.Points) {
		f.B = p.Points[0]
		s.Layer.Features = append(s.Layer.Features, f)
	}
}

// Region fills an area.
func (s *Sheet) Region(p geom.Polygon, m Meta) {
	corners := len(p.Outer.Points)
	for _, h := range p.Holes {
		corners += len(h.Points)
	}
	if len(p.Outer.Points) < 2 || !s.corners.Add(corners) {
		return
	}
	f := feature(m)
	f.Kind, f.Shape = pcb.RegionFeature, int32(len(s.Layer.Regions))
	f.A = p.Outer.Points[0]
	f.B = f.A
	s.Layer.Regions = append(s.Layer.Regions, p)
	s.add(f)
}

func (s *Sheet) add(f pcb.Feature) {
	if !s.drawn.Add(1) {
		return
	}
	s.reserve(1)
	s.Layer.Features = append(s.Layer.Features, f)
}

// reserve makes room for n features, and twice as many as there are when it must.
func (s *Sheet) reserve(n int) {
	if l := s.Layer; cap(l.Features)-len(l.Features) < n {
		l.Features = slices.Grow(l.Features, max(n, len(l.Features)))
	}
}

func feature(m Meta) pcb.Feature {
	return pcb.Feature{Net: m.Net, Pin: m.Pin, Function: m.Function, Clear: m.Clear, Line: int32(m.Line)}
}

func (s *Sheet) pen(width int64) int32 {
	if i, ok := s.pens[width]; ok {
		return i
	}
	i := s.aperture(Circle(max(width, 0)))
	if s.pens == nil {
		s.pens = map[int64]int32{}
	}
	s.pens[width] = i
	return i
}

func (s *Sheet) aperture(sh Shape) int32 {
	if i, ok := s.apertures[sh.Key]; ok {
		return i
	}
	i := int32(len(s.Layer.Apertures))
	a := sh.Build()
	if !s.meter.Spend(pcb.Primitives, weight(&a)) {
		a.Primitives = nil
	}
	a.Code = int(i) + 10
	s.Layer.Apertures = append(s.Layer.Apertures, a)
	if s.apertures == nil {
		s.apertures = map[string]int32{}
	}
	s.apertures[sh.Key] = i
	s.keys = append(s.keys, sh.Key)
	return i
}

// weight is how many pieces and corners an aperture has.
func weight(a *pcb.Aperture) int {
	n := 0
	for i := range a.Primitives {
		n += 1 + len(a.Primitives[i].Area.Points)
	}
	return n
}

func (s *Sheet) transform(t geom.Transform) int32 {
	if t == (geom.Transform{}) {
		return 0
	}
	if i, ok := s.transforms[t]; ok {
		return i
	}
	i := int32(len(s.Layer.Transforms))
	s.Layer.Transforms = append(s.Layer.Transforms, t)
	if s.transforms == nil {
		s.transforms = map[geom.Transform]int32{}
	}
	s.transforms[t] = i
	return i
}

// turn brings an angle into [0, 360), so that equal ones compare equal.
func turn(deg float64) float64 {
	if deg >= 0 && deg < 360 {
		return deg
	}
	if !(deg > -1e9 && deg < 1e9) {
		return 0
	}
	for deg < 0 {
		deg += 360 * max(1, float64(int(-deg/360)))
	}
	for deg >= 360 {
		deg -= 360 * max(1, float64(int(deg/360)))
	}
	return deg
}
