package easyeda

import (
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// A pour is an area to be filled with copper.
type pour struct {
	element
	pen    int64 // that runs along the border of what it was filled with
	filled bool
}

// reportPours tells of pours without copper. Where others have it all were filled, and
// nothing was left of these.
func (w *drawing) reportPours() {
	empty, some := 0, false
	for _, p := range w.pours {
		if some = some || p.filled; !p.filled {
			empty++
		}
	}
	switch {
	case empty == 0:
	case some:
		w.finding(pcb.Warning, "pours_empty", "pours without copper in the file: %d of %d; nothing was left of them when all were filled, or they were drawn since: rebuild all copper areas (Shift+B) and save it again if there should be copper", empty, len(w.pours))
	default:
		for _, p := range w.pours {
			w.missPour(p.element)
		}
	}
}

// fillRow fills an area. One through all layers is drilled where it is round, and cut out
// of the board elsewhere.
func (w *drawing) fillRow(r *row, s scope) {
	n := r.int(4)
	paths := r.contours(7, mil)
	if r.bad {
		return
	}
	if n != proMulti {
		e := w.element(r, 4, s)
		if r.text(6) != "0" && w.layers[e.layer].role == pcb.RoleCopper {
			r.bad = true
			return
		}
		w.fill(e, place(s.t, paths))
		return
	}
	for _, p := range place(s.t, paths) {
		if c, d, ok := circle(p); ok {
			w.drill(&bore{a: c, b: c, diameter: d}, artwork.Meta{})
			continue
		}
		w.cut("FILL", []geom.Path{p})
	}
}

// circle tells a path that is a full circle.
func circle(p geom.Path) (centre geom.Point, diameter int64, ok bool) {
	if len(p.Points) != 2 || len(p.Bends) != 1 || p.Points[0] != p.Points[1] {
		return geom.Point{}, 0, false
	}
	c := p.Bends[0].Centre
	return c, 2 * int64(math.Round(p.Points[0].Dist(c))), true
}

// filePen runs along what pours were filled with in files of their own, whatever the pour
// states: so EasyEDA plots them.
var filePen = mil.length(8)

// drawPoured draws a piece of what a pour was filled with: an area, or strokes. A file of
// its own is called by its pour, which the oldest do not name besides.
func (w *drawing) drawPoured(r *row, file string) {
	i, pour := 3, file
	if _, old := r.value(2).(float64); old {
		i = 2
	} else {
		pour = r.text(2)
	}
	area, ok := w.pours[pour]
	width, filled := r.number(i), r.text(i+1)
	paths := r.contours(i+2, poured)
	if r.bad || !ok {
		if r.bad {
			w.misread("POURED")
			r.bad = false
		}
		return
	}
	area.filled = true
	if filled == "true" || filled == "1" {
		pen := area.pen
		if file != "" && pen > 0 {
			pen = filePen
		}
		w.pour(area.element, paths, pen)
	}
	if width > 0 {
		for _, p := range paths {
			w.stroke(area.element, p, poured.length(width))
		}
	}
}

// pourRow reads an area to be filled. A solid one states how narrow its copper may be:
// what it was filled with is drawn along with a pen as wide.
func (w *drawing) pourRow(r *row, s scope) {
	p := &pour{element: w.element(r, 4, s)}
	if how, ok := r.value(9).([]any); ok {
		if h := (&row{list: how}); h.kind() == "SOLID" {
			p.pen = mil.length(h.numberOr(1, 0))
			r.bad = r.bad || h.bad
		}
	}
	if _, ok := w.layers[p.layer]; r.bad || !ok {
		r.bad = true
		return
	}
	w.pours[r.text(1)] = p
}

// growthOf is how far an opening reaches beyond a land, in nanometres.
func growthOf(v float64) float64 {
	if v <= -500 {
		return noOpening
	}
	return float64(mil.length(v))
}
