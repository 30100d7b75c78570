package faulty

import (
	"fmt"
	"strings"

	"boardorder/pkg/board/geom"
)

// A sheet is one Gerber file being written.
type sheet struct {
	s        *Sketch
	body     strings.Builder
	dcodes   map[string]int
	macros   map[string]string
	net, pin string
	nets     bool
	placed   func(geom.Point) geom.Point // where points lie; nil leaves them
}

func (s *Sketch) sheet(nets bool) *sheet {
	return &sheet{s: s, dcodes: map[string]int{}, macros: map[string]string{}, nets: nets && !s.NoNets && !s.NoNames}
}

func (w *sheet) f(format string, a ...any) { fmt.Fprintf(&w.body, format, a...) }

// file is the whole of what was written.
func (w *sheet) file(function, polarity string) string {
	return "%TF.GenerationSoftware,Faulty,Faulty,1*%\n%TF.SameCoordinates,Original*%\n%TF.FileFunction," + function + "*%\n" +
		"%TF.FilePolarity," + polarity + "*%\n%FSLAX46Y46*%\n%MOMM*%\nG75*\nG01*\n%LPD*%\n" + w.body.String() + "M02*\n"
}

// use takes the aperture of a template in hand; function "" states none.
func (w *sheet) use(template, function string) {
	if w.s.Plain {
		function = ""
	}
	key := function + "|" + template
	d, ok := w.dcodes[key]
	if !ok {
		d = 10 + len(w.dcodes)
		w.dcodes[key] = d
		if function != "" {
			w.f("%%TA.AperFunction,%s*%%\n", function)
		}
		w.f("%%ADD%d%s*%%\n", d, template)
		if function != "" {
			w.f("%%TD.AperFunction*%%\n")
		}
	}
	w.f("D%d*\n", d)
}

// stateNet states net and pin of what follows; pin is "U1,3".
func (w *sheet) stateNet(net, pin string) {
	if !w.nets || net == w.net && pin == w.pin {
		return
	}
	w.f("%%TD*%%\n")
	if net != "" {
		w.f("%%TO.N,%s*%%\n", net)
	}
	if pin != "" {
		w.f("%%TO.P,%s*%%\n", pin)
	}
	w.net, w.pin = net, pin
}

func (w *sheet) xy(p geom.Point, op string) {
	if w.placed != nil {
		p = w.placed(p)
	}
	w.f("X%dY%d%s*\n", p.X, p.Y, op)
}

func mmText(v int64) string { return fmt.Sprintf("%.6f", float64(v)/float64(mm)) }

func (w *sheet) stroke(width int64, function string, k Stroke) {
	w.use("C,"+mmText(width), function)
	w.xy(k.A, "D02")
	w.move(k)
}

// move goes along a stroke from where the pen is.
func (w *sheet) move(k Stroke) {
	if k.Turn == 0 {
		w.xy(k.B, "D01")
		return
	}
	w.f("G0%d*\nX%dY%dI%dJ%dD01*\nG01*\n", map[int]int{1: 3, -1: 2}[k.Turn], k.B.X, k.B.Y, k.C.X-k.A.X, k.C.Y-k.A.Y)
}

func (w *sheet) region(pts []geom.Point) {
	w.f("G36*\n")
	w.xy(pts[0], "D02")
	for _, p := range pts[1:] {
		w.xy(p, "D01")
	}
	w.xy(pts[0], "D01")
	w.f("G37*\n")
}

// template is the aperture of a pad grown by d, a macro where it must be.
func (w *sheet) template(p *Pad, d int64) string {
	x, y := p.X+2*d, p.Y+2*d
	switch p.Shape {
	case Circle:
		return "C," + mmText(x)
	case Rect:
		if p.Turn == 0 {
			return "R," + mmText(x) + "X" + mmText(y)
		}
		return w.macro(fmt.Sprintf("21,1,%s,%s,0,0,%g*", mmText(x), mmText(y), p.Turn))
	case Oval:
		if p.Turn == 0 {
			return "O," + mmText(x) + "X" + mmText(y)
		}
		a := rotate(geom.Pt((x-y)/2, 0), p.Turn)
		if y > x {
			a, y = rotate(geom.Pt(0, (y-x)/2), p.Turn), x
		}
		b := geom.Pt(-a.X, -a.Y)
		return w.macro(fmt.Sprintf("20,1,%s,%s,%s,%s,%s,0*\n1,1,%s,%s,%s*\n1,1,%s,%s,%s*", mmText(y), mmText(a.X), mmText(a.Y), mmText(b.X), mmText(b.Y),
			mmText(y), mmText(a.X), mmText(a.Y), mmText(y), mmText(b.X), mmText(b.Y)))
	case RoundRect:
		r := min(p.X, p.Y)/4 + d
		text := fmt.Sprintf("21,1,%s,%s,0,0,%g*\n21,1,%s,%s,0,0,%g*", mmText(x-2*r), mmText(y), p.Turn, mmText(x), mmText(y-2*r), p.Turn)
		for _, q := range []geom.Point{{X: 1, Y: 1}, {X: -1, Y: 1}, {X: -1, Y: -1}, {X: 1, Y: -1}} {
			c := rotate(geom.Pt(q.X*(x/2-r), q.Y*(y/2-r)), p.Turn)
			text += fmt.Sprintf("\n1,1,%s,%s,%s*", mmText(2*r), mmText(c.X), mmText(c.Y))
		}
		return w.macro(text)
	}
	text := fmt.Sprintf("4,1,%d", len(p.Points))
	for i := range len(p.Points) + 1 {
		q := rotate(p.Points[i%len(p.Points)], p.Turn)
		text += fmt.Sprintf(",%s,%s", mmText(q.X), mmText(q.Y))
	}
	return w.macro(text + ",0*")
}

func (w *sheet) macro(text string) string {
	name, ok := w.macros[text]
	if !ok {
		name = fmt.Sprintf("M%d", len(w.macros))
		w.macros[text] = name
		w.f("%%AM%s*\n%s%%\n", name, text)
	}
	return name
}

// copper draws a copper layer, and tells whether it is drawn as a negative.
func (w *sheet) copper(n int) {
	s := w.s
	w.zones(n)
	for _, t := range s.Tracks {
		if t.Layer == n {
			w.stateNet(t.Net, "")
			w.stroke(t.Width, "Conductor", t.Stroke)
		}
	}
	for i := range s.Pads {
		p := &s.Pads[i]
		if !p.hasCopperOn(n, s.Layers) || p.Drill > 0 && s.NoLands[n] {
			continue
		}
		pin := ""
		if p.Number != "" {
			pin = p.Ref + "," + p.Number
		}
		w.stateNet(p.Net, pin)
		w.use(w.template(p, 0), p.function())
		w.xy(p.At.Add(rotate(p.Shift, p.Turn)), "D03")
	}
	for i := range s.Vias {
		if d := s.landSize(&s.Vias[i], n); d > 0 && !s.NoLands[n] {
			w.stateNet(s.Vias[i].Net, "")
			w.use("C,"+mmText(d), "ViaPad")
			w.xy(s.Vias[i].At, "D03")
		}
	}
}

func (w *sheet) zones(n int) {
	for _, z := range w.s.Zones {
		if z.Layer != n {
			continue
		}
		w.stateNet(z.Net, "")
		w.use("C,0.010000", "Conductor")
		w.region(z.Outer)
		w.stateNet("", "")
		for _, h := range z.Holes {
			w.f("%%LPC*%%\n")
			w.region(h)
			w.f("%%LPD*%%\n")
		}
	}
}

// negative draws a plane by what is taken away: a frame along the edge, and
// the holes of its zones.
func (w *sheet) negative(n int) {
	for _, k := range w.s.Outline[0] {
		w.stroke(2*mm, "", k)
	}
	for _, z := range w.s.Zones {
		if z.Layer == n {
			for _, h := range z.Holes {
				w.region(h)
			}
		}
	}
}

// hasCopperOn tells whether the pad has copper on a layer.
func (p *Pad) hasCopperOn(n, layers int) bool {
	switch {
	case p.NoCopper, p.Bare && p.X <= p.Drill && p.Shape == Circle && p.Slot == 0, p.Bare && p.Slot > 0 && p.X <= p.Slot:
		return false
	case p.Drill > 0:
		return !p.OuterOnly || n == 1 || n == layers
	case p.Bottom:
		return n == layers
	}
	return n == 1
}

func (p *Pad) function() string {
	switch {
	case p.Castellated:
		return "CastellatedPad"
	case p.Bare:
		return "WasherPad"
	case p.Drill > 0:
		return "ComponentPad"
	}
	return "SMDPad,CuDef"
}

// landSize is the diameter of a via's pad on a layer; 0 is none.
func (s *Sketch) landSize(v *Via, n int) int64 {
	if v.From != 0 && (n < v.From || n > v.To) || v.LandOn > 0 && v.LandOn != n {
		return 0
	}
	if n == 1 || n == s.Layers {
		return v.Size
	}
	if v.OuterOnly {
		for _, t := range s.Tracks {
			if t.Layer == n && t.Net == v.Net && (t.A == v.At || t.B == v.At) {
				return v.Size
			}
		}
		return 0
	}
	if v.Inner > 0 {
		return v.Inner
	}
	return v.Size
}

// mask draws the openings of a side.
func (w *sheet) mask(bottom bool) {
	s := w.s
	for i := range s.Pads {
		p := &s.Pads[i]
		if !p.NoMask && (p.Drill > 0 || p.Bottom == bottom) {
			w.use(w.template(p, p.Mask), "Material")
			w.xy(p.At.Add(rotate(p.Shift, p.Turn)), "D03")
		}
	}
	for _, v := range s.Vias {
		if v.Open && (v.From == 0 || !bottom && v.From == 1 || bottom && v.To == s.Layers) {
			w.use("C,"+mmText(v.Size+100*um), "Material")
			w.xy(v.At, "D03")
		}
	}
	for _, o := range s.Openings {
		if o.Bottom == bottom {
			w.region(o.Points)
		}
	}
}

func (w *sheet) paste(bottom bool) {
	for i := range w.s.Pads {
		if p := &w.s.Pads[i]; p.Drill == 0 && p.Bottom == bottom && (p.PasteOnly || !p.NoPaste && !p.NoMask) {
			w.use(w.template(p, 0), "Material")
			w.xy(p.At, "D03")
		}
	}
}

func (w *sheet) silkscreen(bottom bool) {
	for _, k := range w.s.Silk {
		if k.Bottom == bottom {
			w.stroke(k.Width, "Material", line(k.A, k.B))
		}
	}
	for i := range w.s.Texts {
		if t := &w.s.Texts[i]; t.Bottom == bottom {
			for _, k := range t.strokes() {
				w.stroke(t.Width, "Material", k)
			}
		}
	}
}

func (w *sheet) profile() {
	w.use("C,0.100000", "Profile")
	for _, chain := range w.s.Outline {
		for i, k := range chain {
			if i == 0 || chain[i-1].B != k.A {
				w.xy(k.A, "D02")
			}
			w.move(k)
		}
	}
}
