package conductor

import (
	"math"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// repeatsOutline reports whether an item only repeats the outline.
func repeatsOutline(in *measure.Input, l *copper.Layer, i int) bool {
	f := l.FeatureOf(i)
	if f == nil {
		return false
	}
	if f.Function == pcb.FuncProfile || f.Function == pcb.FuncBorder {
		return true
	}
	s := &l.Items[i].Shape
	return (f.Kind == pcb.LineFeature || f.Kind == pcb.ArcFeature) && !s.IsArea() && (in.Border().HasLine(s.Edge()) || in.Scored().HasLine(s.Edge()))
}

// isPainted reports whether a line is part of a fill, where it comes closest to p or
// in its middle: it runs on the rim of an area, or there is more copper right
// across it.
func isPainted(in *measure.Input, l *copper.Layer, i int, p geom.Point) bool {
	f := l.FeatureOf(i)
	if f == nil || f.Kind != pcb.LineFeature && f.Kind != pcb.ArcFeature {
		return false
	}
	e, width := l.Layer.Edge(f), l.Layer.Width(f)
	w := widthLayer{in: in, l: l}
	closest, _ := e.Nearest(p)
	for _, m := range [2]geom.Point{closest, e.Mid()} {
		if isAreaRim(l, i, m, width) {
			return true
		}
		dir := e.B.Sub(e.A).Angle() + math.Pi/2
		if e.IsArc() {
			dir = m.Sub(e.Centre).Angle()
		}
		if w.widthAcross(i, m, dir, width, 2*width)*4 >= width*5 {
			return true
		}
	}
	return false
}

// A fillPen draws lines on one piece of copper.
type fillPen struct{ island, shape int32 }

// Bounds on pens that fill areas: most of many lines lie beside each other.
const (
	fewestFills = 20
	fillShare   = 0.8
	fillSamples = 200
)

// fills tells whether a pen does nothing but fill an area of copper on its piece: then the lines at the
// rim and in the corners, which have nothing beside them, are of the fill too.
func (e *edgeLayer) fills(i int) bool {
	f := e.l.FeatureOf(i)
	if f == nil || f.Kind != pcb.LineFeature && f.Kind != pcb.ArcFeature {
		return false
	}
	pen := fillPen{e.l.Items[i].Island, f.Shape}
	if known, ok := e.pens[pen]; ok {
		return known
	}
	var lines []int
	if e.in.Meter.Spend(pcb.Lookups, len(e.l.Items)) {
		for k := range e.l.Items {
			g := e.l.FeatureOf(k)
			if g != nil && e.l.Items[k].Island == pen.island && g.Shape == pen.shape && (g.Kind == pcb.LineFeature || g.Kind == pcb.ArcFeature) {
				lines = append(lines, k)
			}
		}
	}
	painted, looked := 0, 0
	for k := 0; len(lines) >= fewestFills && k < len(lines); k += 1 + len(lines)/fillSamples {
		looked++
		if isPainted(e.in, e.l, lines[k], e.l.Items[lines[k]].Shape.CorePoint()) {
			painted++
		}
	}
	if e.pens == nil {
		e.pens = map[fillPen]bool{}
	}
	e.pens[pen] = looked > 0 && float64(painted) >= fillShare*float64(looked)
	return e.pens[pen]
}

// isAreaRim reports whether line i of the width given would be the rim of an area of its
// island at m.
func isAreaRim(l *copper.Layer, i int, m geom.Point, width int64) bool {
	found := false
	l.Index.Search(geom.BoxOf(m).Grow(width), func(j int) bool {
		f := l.FeatureOf(j)
		found = j != i && l.Items[j].Island == l.Items[i].Island && f != nil && f.Kind == pcb.RegionFeature &&
			l.Items[j].Shape.DistTo(m) <= float64(width)/4
		return !found
	})
	return found
}
