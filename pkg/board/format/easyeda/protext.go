package easyeda

import (
	"math"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/strokefont"
	"boardorder/pkg/board/pcb"
)

func (w *drawing) stringRow(r *row, s scope) {
	const first = 3
	w.lettering(r, s, lettering{
		layer: r.int(first), at: r.point(first + 1), text: r.text(first + 3), font: r.text(first + 4), size: r.length(first + 5), pen: r.length(first + 6),
		align: r.int(first + 9), turn: r.numberOr(first+10, 0), inverted: r.text(first + 11), mirror: r.text(first + 13),
	})
}

// attribute draws a property of the board or of a part where it is shown.
func (w *drawing) attribute(r *row, s scope) {
	show := r.text(10)
	if s.part != nil || show != "1" && show != "true" || r.value(5) == nil || r.text(3) != "" && w.byID[r.text(3)] == nil {
		return
	}
	w.lettering(r, s, lettering{
		layer: r.int(4), at: r.point(5), text: r.text(8), font: r.text(11), size: r.length(12), pen: r.length(13),
		align: r.int(16), turn: r.numberOr(17, 0), inverted: r.text(18), mirror: r.text(20),
	})
}

// lettering is how a text is set.
type lettering struct {
	layer, align     int
	at               geom.Point
	text, font       string
	size, pen        int64
	turn             float64
	inverted, mirror string
}

// lettering draws a text with plain strokes. Below the board it reads from below, unless it
// says that it is mirrored.
func (w *drawing) lettering(r *row, s scope, l lettering) {
	if r.bad || strings.TrimSpace(l.text) == "" {
		return
	}
	e := element{kind: r.kind(), layer: w.layerIn(l.layer, s)}
	if w.target(e) == nil {
		return
	}
	mirrored := l.mirror == "1" || l.mirror == "true"
	t := geom.Transform{Offset: l.at, Rotation: l.turn, Mirror: mirrored != (w.layers[l.layer].side == pcb.Bottom)}
	t.Rotation = math.Mod(t.Rotation, 360)
	if t.Mirror {
		t.Rotation = -t.Rotation
	}
	t = t.Chain(s.t)
	const capital = 0.62 // of the size that EasyEDA states
	height := int64(float64(l.size) * capital)
	st := strokefont.Style{Width: height * 7 / 6, Height: height, Pen: l.pen, Mirror: t.Mirror, Rotation: t.Rotation}
	if l.align >= 1 && l.align <= 9 {
		st.H, st.V = strokefont.Align((l.align-1)/3-1), strokefont.Align((l.align-1)%3-1)
	}
	w.texts++
	plain := l.font == "" || l.font == "default"
	if inverted := l.inverted == "1" || l.inverted == "true"; (inverted || !plain) && w.isMade(e.layer) {
		w.fonts = append(w.fonts, l.text)
	}
	w.write(e, pcb.Text{Text: l.text, At: t.Offset, Height: height, Mirrored: t.Mirror}, strokefont.Lines(l.text, t.Offset, st), l.pen)
}

// imageRow fills a picture's areas, stretched to its size from its upper left corner.
func (w *drawing) imageRow(r *row, s scope) {
	e := element{kind: r.kind(), layer: w.layerIn(r.int(3), s)}
	at, width, height, turn, paths := r.point(4), r.length(6), r.length(7), r.numberOr(8, 0), r.contours(10, mil)
	if r.bad || len(paths) == 0 {
		return
	}
	box := geom.EmptyBox()
	for _, p := range paths {
		box = box.Union(p.Bounds())
	}
	if box.Width() <= 0 || box.Height() <= 0 || width <= 0 || height <= 0 {
		r.bad = true
		return
	}
	kx, ky := float64(width)/float64(box.Width()), float64(height)/float64(box.Height())
	if math.Abs(kx/ky-1) > 0.01 { // arcs stay arcs only where both sides grow alike
		for i := range paths {
			paths[i] = flatten(paths[i])
		}
	}
	mirror := r.text(9) == "1" || r.text(9) == "true"
	t := geom.Transform{Offset: at, Rotation: math.Mod(turn, 360)}
	for i := range paths {
		p := &paths[i]
		move := func(q geom.Point) geom.Point {
			x := float64(q.X-box.Min.X) * kx
			if mirror {
				x = float64(width) - x
			}
			return t.Apply(geom.Pt(int64(math.Round(x)), int64(math.Round(float64(q.Y-box.Max.Y)*ky))))
		}
		for k := range p.Points {
			p.Points[k] = move(p.Points[k])
		}
		for k := range p.Bends {
			p.Bends[k].Centre, p.Bends[k].Clockwise = move(p.Bends[k].Centre), p.Bends[k].Clockwise != mirror
		}
	}
	w.fill(e, place(s.t, paths))
}

// flatten makes chords of a path's arcs.
func flatten(p geom.Path) geom.Path {
	out := geom.Path{Closed: p.Closed}
	for e := range p.Edges() {
		if len(out.Points) == 0 {
			out.LineTo(e.A)
		}
		if e.IsArc() {
			const chords = 10 // for each radian
			from, sweep, r := e.A.Sub(e.Centre).Angle(), e.Sweep(), e.Radius()
			n := max(curveSteps(geom.Millimetres(int64(e.Len()))), int(math.Abs(sweep)*chords))
			for i := 1; i < n; i++ {
				out.LineTo(e.Centre.Polar(r, from+sweep*float64(i)/float64(n)))
			}
		}
		out.LineTo(e.B)
	}
	if n := len(out.Points); p.Closed && n > 1 && out.Points[0] == out.Points[n-1] {
		out.Points = out.Points[:n-1]
	}
	return out
}
