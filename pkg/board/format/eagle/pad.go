package eagle

import (
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// A land is the copper of a pad: its shape for a size and how far its middle
// lies from the hole.
type land struct {
	shape  string
	d, x   int64 // diameter, and length along X
	offset int64
}

// landOf applies the rules to a pad on a layer.
func (u *rules) landOf(it *item, where string) land {
	l := land{shape: it.shape, d: u.diameter(it.size, it.drill, where)}
	forced := "-1"
	switch {
	case where == "PadInner":
		l.shape = "round"
	case it.first && u.params["psFirst"] != "-1":
		forced = u.params["psFirst"]
	case where == "PadTop":
		forced = u.params["psTop"]
	default:
		forced = u.params["psBottom"]
	}
	switch forced { // of long pads too, as EAGLE's own Gerbers show
	case "0":
		l.shape = "square"
	case "1":
		l.shape = "round"
	case "2":
		l.shape = "octagon"
	}
	l.x = l.d
	switch l.shape {
	case "long":
		l.x = l.d + int64(float64(l.d)*u.elongation("psElongationLong"))
	case "offset":
		extra := int64(float64(l.d) * u.elongation("psElongationOffset"))
		l.x, l.offset = l.d+extra, extra/2
	}
	return l
}

func (u *rules) elongation(name string) float64 { return min(max(u.number(name), 0), 200) / 100 }

// growBy is the land's shape, larger by grow on every side.
func (l land) growBy(grow int64) artwork.Shape {
	d, x := l.d+2*grow, l.x+2*grow
	switch l.shape {
	case "square":
		return artwork.Rect(d, d)
	case "octagon":
		return artwork.CornerRect(d, d, int64(float64(d)*0.2928932), true, [4]bool{true, true, true, true})
	case "long", "offset":
		return artwork.Obround(x, d)
	}
	return artwork.Circle(d)
}

func (b *builder) pad(it *item, s scope) {
	if it.drill <= 0 {
		b.finding(pcb.Warning, "pad_without_drill", it.line, "pad %q has no drill and was left out", it.name)
		return
	}
	place := it.rot.transformAt(it.a).Chain(s.t)
	m := artwork.Meta{Line: it.line, Function: pcb.FuncComponentPad}
	m.Net, m.Pin = b.pin(it, s, place.Offset, pcb.NoSide)
	b.b.Holes = append(b.b.Holes, pcb.Hole{A: place.Offset, B: place.Offset, Diameter: it.drill, Plating: pcb.Plated,
		Function: pcb.FuncComponentDrill, Net: m.Net, Pin: m.Pin, File: -1, Line: int32(it.line)})
	for i, n := range b.copper {
		b.flashLand(n, b.rules.landOf(it, b.nameLayer(i, "Pad")), place, m)
	}
	if it.noStop {
		return
	}
	for i, n := range []int{topStop, bottomStop} {
		l := b.rules.landOf(it, [2]string{"PadTop", "PadBottom"}[i])
		grow := b.rules.stop(l.d)
		at := place.Apply(geom.Pt(l.offset, 0))
		b.sheet(n).Flash(at, l.growBy(grow), place.Rotation, place.Mirror, artwork.Meta{Line: it.line, Function: pcb.FuncMaterial})
	}
}

// nameLayer names copper layer i in the rules' terms.
func (b *builder) nameLayer(i int, what string) string {
	outer := i == 0 || i == len(b.copper)-1
	switch {
	case !outer:
		return what + "Inner"
	case what == "Via":
		return "ViaOuter"
	case i == 0 && b.copper[0] != bottomLayer:
		return "PadTop"
	}
	return "PadBottom"
}

func (b *builder) flashLand(n int, l land, place geom.Transform, m artwork.Meta) {
	at := place.Apply(geom.Pt(l.offset, 0))
	b.put(n, m, enclosePad(at, l.x, l.d), func(x *artwork.Sheet, grow int64, m artwork.Meta) {
		x.Flash(at, l.growBy(grow), place.Rotation, place.Mirror, m)
	})
}

// enclosePad holds a pad of so much by so much, however it is turned.
func enclosePad(at geom.Point, x, y int64) geom.Box {
	return geom.BoxOf(at).Grow(int64(math.Hypot(float64(x), float64(y))/2) + 1)
}

// pin is the pin that a pad belongs to, with its net.
func (b *builder) pin(it *item, s scope, at geom.Point, side pcb.Side) (net, pin int32) {
	if s.element == nil || it.name == "" {
		return 0, 0
	}
	net, pin = b.nets[contact{s.element.name, it.name}], b.b.Pin(s.element.name, it.name)
	if pin > 0 {
		p := &b.b.Pins[pin]
		p.Net, p.At, p.HasAt, p.Side = net, at, true, side
	}
	return net, pin
}

func (b *builder) smd(it *item, s scope) {
	n := b.target(it, s)
	if n == 0 {
		return
	}
	if it.dx <= 0 || it.dy <= 0 {
		b.finding(pcb.Warning, "pad_without_size", it.line, "pad %q has no size and was left out", it.name)
		return
	}
	stop, cream, side := topStop, topCream, pcb.Top
	if n == bottomLayer {
		stop, cream, side = bottomStop, bottomCream, pcb.Bottom
	}
	place := it.rot.transformAt(it.a).Chain(s.t)
	m := artwork.Meta{Line: it.line, Function: pcb.FuncSMDPad}
	m.Net, m.Pin = b.pin(it, s, place.Offset, side)
	r := b.rules.corner(it)
	b.put(n, m, enclosePad(place.Offset, it.dx, it.dy), func(x *artwork.Sheet, grow int64, m artwork.Meta) {
		x.Flash(place.Offset, smdShape(it.dx+2*grow, it.dy+2*grow, r), place.Rotation, place.Mirror, m)
	})
	least := min(it.dx, it.dy)
	material := artwork.Meta{Line: it.line, Function: pcb.FuncMaterial}
	if !it.noStop && (n == topLayer || n == bottomLayer) {
		g := 2 * b.rules.stop(least)
		b.sheet(stop).Flash(place.Offset, smdShape(it.dx+g, it.dy+g, r), place.Rotation, place.Mirror, material)
	}
	if g := 2 * b.rules.cream(least); !it.noCream && least > g && (n == topLayer || n == bottomLayer) {
		b.sheet(cream).Flash(place.Offset, smdShape(it.dx-g, it.dy-g, r), place.Rotation, place.Mirror, material)
	}
}

// corner is how round an smd is, as a share of half its smaller side: what it
// states, or what the rules ask for.
func (u *rules) corner(it *item) float64 {
	half := float64(min(it.dx, it.dy)) / 2
	requested := float64(u.share(int64(half), "srRoundness", "srMinRoundness", "srMaxRoundness")) / half
	return min(max(it.round/100, requested, 0), 1)
}

func smdShape(x, y int64, round float64) artwork.Shape {
	if round >= 1 && x == y {
		return artwork.Circle(x)
	}
	return artwork.RoundRect(x, y, int64(round*float64(min(x, y))/2))
}

func (b *builder) drawVia(it *item, s scope) {
	if it.drill <= 0 {
		b.finding(pcb.Warning, "via_without_drill", it.line, "a via has no drill and was left out")
		return
	}
	at := s.t.Apply(it.a)
	h := pcb.Hole{A: at, B: at, Diameter: it.drill, Plating: pcb.Plated, Function: pcb.FuncViaDrill, Net: s.net, File: -1, Line: int32(it.line)}
	first, last := b.span(it)
	if first > 0 || last < len(b.copper)-1 {
		h.From, h.To = int16(first+1), int16(last+1)
	}
	b.b.Holes = append(b.b.Holes, h)
	m := artwork.Meta{Line: it.line, Function: pcb.FuncViaPad, Net: s.net}
	for i := first; i <= last; i++ {
		l := b.landOfVia(it, i)
		b.flashLand(b.copper[i], l, geom.Move(at), m)
		n := b.copper[i]
		if (n == topLayer || n == bottomLayer) && (it.alwaysStop || it.drill > b.rules.length("mlViaStopLimit")) {
			stop := topStop
			if n == bottomLayer {
				stop = bottomStop
			}
			b.sheet(stop).Flash(at, l.growBy(b.rules.stop(l.d)), 0, false, artwork.Meta{Line: it.line, Function: pcb.FuncMaterial})
		}
	}
}

func (b *builder) landOfVia(it *item, i int) land {
	where := b.nameLayer(i, "Via")
	l := land{shape: it.shape, d: b.rules.diameter(it.size, it.drill, where)}
	if where == "ViaInner" {
		l.shape = "round"
	}
	l.x = l.d
	return l
}

// span is which copper layers, by index, a via joins.
func (b *builder) span(it *item) (first, last int) {
	first, last = 0, len(b.copper)-1
	lo, hi := min(it.from, it.to), max(it.from, it.to)
	if lo < 1 || hi > 16 || lo == hi {
		return first, last
	}
	for first < last && b.copper[first] < lo {
		first++
	}
	for last > first && b.copper[last] > hi {
		last--
	}
	return first, last
}

// hole drills without copper; pours and the solder mask stay clear of it.
func (b *builder) hole(it *item, s scope) {
	if it.drill <= 0 {
		return
	}
	at := s.t.Apply(it.a)
	b.b.Holes = append(b.b.Holes, pcb.Hole{A: at, B: at, Diameter: it.drill, Plating: pcb.NonPlated,
		Function: pcb.FuncMechanicalDrill, File: -1, Line: int32(it.line)})
	for _, p := range b.planes {
		p.items = append(p.items, copperItem{meta: artwork.Meta{Line: it.line}, box: geom.BoxOf(at).Grow(it.drill / 2),
			draw: func(x *artwork.Sheet, grow int64, m artwork.Meta) {
				if m.Clear {
					x.Flash(at, artwork.Circle(it.drill+2*grow), 0, false, m)
				}
			}})
	}
	for _, n := range []int{topStop, bottomStop} {
		b.sheet(n).Flash(at, artwork.Circle(it.drill+2*b.rules.stop(it.drill)), 0, false, artwork.Meta{Line: it.line, Function: pcb.FuncMaterial})
	}
}
