package gerberout

import (
	"strconv"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// A writer writes the drawing commands of one Gerber file. It keeps the state
// that a reader would have, and says only what changes.
type writer struct {
	board     *pcb.Board
	out       []byte
	apertures *apertures

	at       geom.Point
	placed   bool // at holds
	turn     geom.Turn
	clear    bool
	code     int          // aperture in hand; 0 before any
	copper   bool         // nets, pins and functions are told
	net, pin int32        // object attributes in force
	function pcb.Function // in force for regions
}

func newWriter(b *pcb.Board, role pcb.Role) *writer {
	return &writer{board: b, apertures: newApertures(), copper: role == pcb.RoleCopper}
}

// artwork plots a sheet.
func (p *plotter) artwork(s sheet) {
	w := newWriter(p.board, s.role)
	for _, l := range s.layers {
		w.layer(l)
	}
	p.add(s.suffix+".gbr", s.function, s.polarity, p.gerber(w, s.function, s.polarity))
}

// gerber makes the whole file of what a writer drew.
func (p *plotter) gerber(w *writer, function, polarity string) []byte {
	var out []byte
	for _, a := range p.fileAttributes(function, polarity) {
		out = append(append(append(out, "%TF"...), a...), "*%\n"...)
	}
	out = append(out, "%FSLAX46Y46*%\n%MOMM*%\n%LPD*%\nG75*\nG01*\n"...)
	out = append(out, w.apertures.out...)
	out = append(out, w.out...)
	return append(out, "M02*\n"...)
}

// layer draws a layer. A negative one is a plane with its drawing taken off; a
// mask is not, for tools that call it negative still draw the openings.
func (w *writer) layer(l *pcb.Layer) {
	negative := l.Negative && l.Role != pcb.RoleMask
	if negative {
		w.plane(l)
	}
	for i := range l.Features {
		w.feature(l, &l.Features[i], negative)
	}
}

// plane fills the board, as the ground that a negative layer draws on.
func (w *writer) plane(l *pcb.Layer) {
	w.polarity(false)
	w.attributes(0, 0)
	areas := w.board.Outline.Areas
	if len(areas) == 0 {
		box := geom.EmptyBox()
		for _, o := range append(w.board.Copper(), l) {
			box = box.Union(o.Bounds())
		}
		if box.Empty() {
			return
		}
		areas = []geom.Polygon{{Outer: geom.Rect(box)}}
	}
	for _, a := range areas {
		w.region(a, pcb.FuncConductor)
	}
}

// feature draws one feature; invert swaps what it adds and what it erases.
func (w *writer) feature(l *pcb.Layer, f *pcb.Feature, invert bool) {
	w.polarity(f.Clear != invert)
	if invert {
		w.attributes(0, 0)
	} else {
		w.attributes(f.Net, f.Pin)
	}
	switch f.Kind {
	case pcb.RegionFeature:
		w.region(l.Regions[f.Shape], f.Function)
	case pcb.FlashFeature:
		w.flash(l, f)
	default:
		w.stroke(l, f)
	}
}

// flash puts an aperture down. One too large for a macro is drawn as areas.
func (w *writer) flash(l *pcb.Layer, f *pcb.Feature) {
	code, fits := w.apertures.flash(l, f, w.copper)
	if !fits {
		a, t := l.Aperture(f), l.Place(f)
		for i := range a.Primitives {
			q := a.Primitives[i].Place(t)
			w.region(geom.Polygon{Outer: q.Path()}, f.Function)
		}
		return
	}
	if code == 0 {
		return
	}
	w.use(code)
	w.coordinates(f.A)
	w.out = append(w.out, "D03*\n"...)
	w.at, w.placed = f.A, true
}

// stroke moves an aperture along a line or arc. The format strokes circles only:
// the way of another shape is filled.
func (w *writer) stroke(l *pcb.Layer, f *pcb.Feature) {
	if l.Apertures[f.Shape].Kind != pcb.CircleShape {
		w.sweep(l, f)
		return
	}
	width := l.Width(f)
	if width <= 0 {
		return // draws nothing
	}
	w.use(w.apertures.pen(width, f.Function, w.copper))
	w.edge(l.Edge(f))
}

// edge draws one edge from where it starts.
func (w *writer) edge(e geom.Edge) {
	if !w.placed || w.at != e.A {
		w.move(e.A)
	}
	w.draw(e)
}

func (w *writer) move(to geom.Point) {
	w.coordinates(to)
	w.out = append(w.out, "D02*\n"...)
	w.at, w.placed = to, true
}

// maxRadius is beyond what offsets of four integer digits can say.
const maxRadius = 9_000 * float64(geom.Millimetre)

// draw goes on from the current point along e.
func (w *writer) draw(e geom.Edge) {
	if e.IsArc() && e.Radius() > maxRadius {
		const tolerance = 100
		for _, q := range e.AppendFlat(nil, tolerance) {
			w.draw(geom.Line(w.at, q))
		}
		return
	}
	if e.IsArc() && e.Radius() == 0 {
		e.Turn = geom.Straight
	}
	w.interpolation(e.Turn)
	w.coordinates(e.B)
	if e.IsArc() {
		w.out = strconv.AppendInt(append(w.out, 'I'), e.Centre.X-e.A.X, 10)
		w.out = strconv.AppendInt(append(w.out, 'J'), e.Centre.Y-e.A.Y, 10)
	}
	w.out = append(w.out, "D01*\n"...)
	w.at = e.B
}

func (w *writer) interpolation(t geom.Turn) {
	if w.turn == t {
		return
	}
	w.turn = t
	w.out = append(w.out, [...]string{geom.Straight: "G01*\n", geom.CounterClockwise: "G03*\n", geom.Clockwise: "G02*\n"}[t]...)
}

func (w *writer) coordinates(p geom.Point) {
	w.out = strconv.AppendInt(append(w.out, 'X'), p.X, 10)
	w.out = strconv.AppendInt(append(w.out, 'Y'), p.Y, 10)
}

func (w *writer) polarity(clear bool) {
	if w.clear == clear {
		return
	}
	w.clear = clear
	if clear {
		w.out = append(w.out, "%LPC*%\n"...)
		return
	}
	w.out = append(w.out, "%LPD*%\n"...)
}

func (w *writer) use(code int) {
	if w.code == code {
		return
	}
	w.code = code
	w.out = append(strconv.AppendInt(append(w.out, 'D'), int64(code), 10), "*\n"...)
}

// attributes puts a net and a pin in force for what follows; 0 is none.
func (w *writer) attributes(net, pin int32) {
	if !w.copper {
		return
	}
	if int(net) >= len(w.board.Nets) {
		net = 0
	}
	if int(pin) >= len(w.board.Pins) || pin > 0 && w.board.Pins[pin].Component < 0 {
		pin = 0
	}
	if net != w.net {
		w.net = net
		w.object(".N", net == 0, w.board.Nets[net].Name)
	}
	if pin == w.pin {
		return
	}
	w.pin = pin
	p := w.board.Pins[pin]
	values := []string{}
	if pin > 0 {
		values = append(values, w.board.Components[p.Component].Ref, p.Number)
		if p.Name != "" {
			values = append(values, p.Name)
		}
	}
	w.object(".P", pin == 0, values...)
}

// object sets or deletes an object attribute.
func (w *writer) object(name string, remove bool, values ...string) {
	if remove {
		w.out = append(append(append(w.out, "%TD"...), name...), "*%\n"...)
		return
	}
	w.out = append(append(w.out, "%TO"...), name...)
	for _, v := range values {
		w.out = append(append(w.out, ','), field(v)...)
	}
	w.out = append(w.out, "*%\n"...)
}
