package render

import (
	"fmt"
	"math"
	"strconv"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// layer writes what a layer draws, dark and clear in the colours given. What
// follows each other with the same pen becomes one path.
func (s *svg) layer(l *pcb.Layer, dark, clear string) {
	if l.Negative {
		fmt.Fprintf(s.w, `<rect %s fill="%s"/>`, s.frame(), dark)
		dark, clear = clear, dark
	}
	shapes := s.apertures(l)
	for i := 0; i < len(l.Features) && s.work.Add(1); {
		colour := dark
		if l.Features[i].Clear {
			colour = clear
		}
		fmt.Fprintf(s.w, `<g fill="%s" stroke="%s" stroke-width="0">`, colour, colour)
		j := i
		for j < len(l.Features) && s.work.Add(1) && l.Features[j].Clear == l.Features[i].Clear {
			j = s.run(l, j, shapes)
		}
		i = j
		s.text("</g>")
	}
}

// run writes the features from i on that share a path; it gives the next one.
func (s *svg) run(l *pcb.Layer, i int, shapes []string) int {
	f := &l.Features[i]
	switch {
	case f.Kind == pcb.RegionFeature:
		return s.regions(l, i)
	case round(l, f):
		return s.strokes(l, i)
	case f.Kind == pcb.FlashFeature:
		s.use(l, f, shapes[f.Shape])
	default:
		s.text(`<path d="`)
		s.writeSweep(l, f)
		s.text(`"/>`)
	}
	return i + 1
}

// round tells whether a feature can be drawn with a round pen.
func round(l *pcb.Layer, f *pcb.Feature) bool {
	if f.Kind == pcb.RegionFeature {
		return false
	}
	a := &l.Apertures[f.Shape]
	return a.Kind == pcb.CircleShape && (f.Kind != pcb.FlashFeature || a.HoleX == 0)
}

func (s *svg) strokes(l *pcb.Layer, i int) int {
	first := &l.Features[i]
	s.text(`<path fill="none" stroke-width="`)
	s.number(l.Width(first))
	s.text(`" d="`)
	var at geom.Point
	for start := i; i < len(l.Features); i++ {
		f := &l.Features[i]
		if !round(l, f) || f.Shape != first.Shape || f.Transform != first.Transform || f.Clear != first.Clear {
			break
		}
		if !s.work.Add(1) {
			break
		}
		if i == start || f.A != at || f.Kind == pcb.FlashFeature {
			s.move(f.A)
		}
		switch f.Kind {
		case pcb.FlashFeature:
			s.text("h0")
		default:
			s.edge(l.Edge(f))
		}
		at = f.B
	}
	s.text(`"/>`)
	return i
}

func (s *svg) regions(l *pcb.Layer, i int) int {
	clear := l.Features[i].Clear
	for ; i < len(l.Features) && l.Features[i].Kind == pcb.RegionFeature && l.Features[i].Clear == clear; i++ {
		p := &l.Regions[l.Features[i].Shape]
		if !s.work.Add(1 + len(p.Outer.Points)) {
			break
		}
		s.text("<path")
		if len(p.Holes) > 0 {
			s.text(` fill-rule="evenodd"`)
		}
		s.text(` d="`)
		s.path(p.Outer)
		for _, h := range p.Holes {
			s.path(h)
		}
		s.text(`"/>`)
	}
	return i
}

// apertures defines the shapes that are flashed; it gives their ids.
func (s *svg) apertures(l *pcb.Layer) []string {
	ids := make([]string, len(l.Apertures))
	for i := range l.Features {
		f := &l.Features[i]
		if f.Kind != pcb.FlashFeature || round(l, f) || ids[f.Shape] != "" {
			continue
		}
		s.defs++
		ids[f.Shape] = s.id + "a" + strconv.Itoa(s.defs)
		s.aperture(ids[f.Shape], &l.Apertures[f.Shape])
	}
	return ids
}

func (s *svg) aperture(id string, a *pcb.Aperture) {
	if a.Kind == pcb.MacroShape && !a.Simple() {
		s.maskAperture(id, a)
		return
	}
	s.text(`<defs><path id="` + id + `" fill-rule="` + rule(a) + `" d="`)
	for i := range a.Primitives {
		p := a.Primitives[i].Path()
		if !s.work.Add(1 + len(p.Points)) {
			break
		}
		if p.Area() < 0 {
			p = p.Reverse() // one sense, so that overlaps stay filled
		}
		s.path(p)
	}
	s.text(`"/></defs>`)
}

func rule(a *pcb.Aperture) string {
	if a.Simple() {
		return "nonzero"
	}
	return "evenodd"
}

// maskAperture defines an aperture whose clear pieces erase dark ones, by a mask
// of its own.
func (s *svg) maskAperture(id string, a *pcb.Aperture) {
	b := a.Box.Grow(geom.Micrometre)
	box := fmt.Sprintf(`x="%d" y="%d" width="%d" height="%d"`, micron(b.Min.X), micron(b.Min.Y), micron(b.Width()), micron(b.Height()))
	fmt.Fprintf(s.w, `<defs><mask id="%sm" maskUnits="userSpaceOnUse" %s>`, id, box)
	for i := range a.Primitives {
		colour := "#fff"
		if a.Primitives[i].Clear {
			colour = "#000"
		}
		s.text(`<path fill="` + colour + `" d="`)
		s.path(a.Primitives[i].Path())
		s.text(`"/>`)
	}
	fmt.Fprintf(s.w, `</mask><g id="%s"><rect %s mask="url(#%sm)"/></g></defs>`, id, box, id)
}

// use puts an aperture down.
func (s *svg) use(l *pcb.Layer, f *pcb.Feature, id string) {
	t := l.Transforms[f.Transform]
	if t.Identity() {
		s.text(`<use href="#` + id + `" x="`)
		s.number(f.A.X)
		s.text(`" y="`)
		s.number(f.A.Y)
		s.text(`"/>`)
		return
	}
	a, b, c, d := t.Matrix()
	s.text(fmt.Sprintf(`<use href="#%s" transform="matrix(%.7g %.7g %.7g %.7g `, id, a, c, b, d))
	s.number(f.A.X)
	s.text(" ")
	s.number(f.A.Y)
	s.text(`)"/>`)
}

// writeSweep writes the area that a move of an aperture that is not round covers.
func (s *svg) writeSweep(l *pcb.Layer, f *pcb.Feature) {
	const each = 20 // steps for a corner: both ends are sorted, most are written
	v := view{scale: flatness / float64(geom.Micrometre)}
	d := layerDrawer{v: &v, l: l}
	from, corners := f.A, d.corners(f)
	for _, q := range l.Edge(f).AppendFlat(nil, float64(geom.Micrometre)) {
		if !s.work.Add(1 + each*len(corners)) {
			return
		}
		s.path(sweepPath(corners, from, q))
		from = q
	}
}

// path writes a path's commands.
func (s *svg) path(p geom.Path) {
	if len(p.Points) == 0 {
		return
	}
	s.move(p.Points[0])
	for e := range p.Edges() {
		s.edge(e)
	}
	if p.Closed {
		s.text("z")
	}
}

func (s *svg) move(p geom.Point) {
	s.text("M")
	s.point(p)
}

func (s *svg) point(p geom.Point) {
	b := appendTenths(s.buf[:0], p.X)
	b = append(b, ' ')
	s.buf = appendTenths(b, p.Y)
	s.w.Write(s.buf)
}

// edge writes a line or arc from the current point; a full circle is two arcs.
func (s *svg) edge(e geom.Edge) {
	if !e.IsArc() {
		if e.A == e.B {
			s.text("h0")
			return
		}
		s.text("L")
		s.point(e.B)
		return
	}
	sweep := "0"
	if e.Turn == geom.CounterClockwise {
		sweep = "1"
	}
	r := int64(math.Round(e.Radius()))
	if e.A == e.B {
		s.arc(r, "0", sweep, e.Mid())
		s.arc(r, "0", sweep, e.B)
		return
	}
	large := "0"
	if math.Abs(e.Sweep()) > math.Pi {
		large = "1"
	}
	s.arc(r, large, sweep, e.B)
}

func (s *svg) arc(r int64, large, sweep string, to geom.Point) {
	s.text("A")
	s.number(r)
	s.text(" ")
	s.number(r)
	s.text(" 0 " + large + " " + sweep + " ")
	s.point(to)
}
