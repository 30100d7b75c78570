package easyeda

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

func (w *drawing) viaRow(r *row, s scope) {
	at, drill, diameter := r.point(5), r.length(7), r.length(8)
	top, bottom := r.numberOr(10, w.mask[2]), r.numberOr(11, w.mask[3])
	first, last := 1, len(w.copper)
	if rule := r.text(4); rule != "" {
		span, ok := w.spans[rule]
		if !ok {
			r.bad = true
			return
		}
		first, last = span[0], span[1]
	}
	if !r.bad {
		w.drawVia(s.t.Apply(at), diameter, drill, r.text(3), first, last, [2]float64{growthOf(top), growthOf(bottom)})
	}
}

func (w *drawing) padRow(r *row, s scope) {
	n := r.int(4)
	p := pad{number: r.text(5), net: r.text(3)}
	turn := r.number(8)
	local := geom.Transform{Offset: r.point(6), Rotation: turn}
	t := local.Chain(s.t)
	p.at = t.Offset
	switch n {
	case 1, 2:
		p.side = w.layers[w.layerIn(n, s)].side
	case proMulti:
	default:
		r.bad = true
	}
	l, ok := landOf(r.value(10), t, s.t)
	r.bad = r.bad || !ok
	p.lands = map[int]land{0: l}
	w.special(r, &p, t, s)
	if list, ok := r.value(9).([]any); ok {
		w.padHole(r, &row{list: list}, &p, local, s)
	}
	for i, rule := range [2]int{0, 1} {
		p.mask[i], p.paste[i] = growthOf(r.numberOr(17+i, w.mask[rule])), growthOf(r.numberOr(19+i, w.paste[rule]))
	}
	if s.t.Mirror {
		p.mask[0], p.mask[1], p.paste[0], p.paste[1] = p.mask[1], p.mask[0], p.paste[1], p.paste[0]
	}
	switch r.text(16) {
	case "1":
		p.function = pcb.FuncTestPad
	case "2":
		p.function = pcb.FuncFiducialLocal
	}
	if r.bad {
		return
	}
	if x := s.part; x != nil {
		p.part = x.ref
		p.net = x.netOf(r.text(1), p.number)
		x.pads = append(x.pads, p)
	}
	w.drawPad(&p)
}

// special gives pads another land on some copper layers.
func (w *drawing) special(r *row, p *pad, t geom.Transform, s scope) {
	list, _ := r.value(11).([]any)
	for _, v := range list {
		entry, _ := v.([]any)
		c := &row{list: entry}
		from, to := w.layers[w.layerIn(c.int(0), s)].order, w.layers[w.layerIn(c.int(1), s)].order
		l, ok := landOf(c.value(2), t, s.t)
		if c.bad || !ok {
			r.bad = true
			return
		}
		for i, n := range w.copper {
			if i+1 >= min(from, to) && i+1 <= max(from, to) {
				p.lands[n] = l
			}
		}
	}
}

// landOf is the land of a pad that t places; that of a polygon lies where its footprint,
// placed by whole, has it.
func landOf(v any, t, whole geom.Transform) (land, bool) {
	list, _ := v.([]any)
	r := &row{list: list}
	l := land{turn: t.Rotation, mirror: t.Mirror}
	switch r.kind() {
	case "RECT":
		l.x, l.y = r.length(1), r.length(2)
		l.corner = int64(float64(min(l.x, l.y)) / 2 * min(max(r.numberOr(3, 0), 0), 100) / 100)
	case "ELLIPSE", "OVAL", "ROUND":
		l.x, l.y = r.length(1), r.length(2)
		l.corner = min(l.x, l.y)/2 + 1
	case "NGON":
		l.x, l.sides = r.length(1), r.int(2)
		l.y = l.x
		r.bad = r.bad || l.sides < 3 || l.sides > 360
	case "POLY":
		l.area = place(whole, r.contours(1, mil))
		return l, !r.bad
	default:
		return l, false
	}
	return l, !r.bad && l.x > 0 && l.y > 0
}

// padHole reads a pad's hole, which may lie beside its middle and be turned by itself. One
// with square corners is not drilled.
func (w *drawing) padHole(r, h *row, p *pad, local geom.Transform, s scope) {
	x, y := h.length(1), h.length(1)
	if h.value(2) != nil {
		y = h.length(2)
	}
	t := geom.Transform{Offset: mil.point(r.numberOr(12, 0), r.numberOr(13, 0)), Rotation: r.numberOr(14, 0)}.Chain(local).Chain(s.t)
	switch h.kind() {
	case "ROUND", "SLOT":
	default:
		r.bad = true
	}
	if r.bad = r.bad || h.bad || x <= 0 || y <= 0; r.bad {
		return
	}
	d := min(x, y)
	way := geom.Pt((x-d)/2, (y-d)/2)
	if x+y-2*d <= roundSlot {
		way = geom.Point{}
	}
	p.hole = &bore{a: t.Apply(way.Neg()), b: t.Apply(way), diameter: d, plated: r.text(15) != "0" && r.text(15) != "false"}
}
