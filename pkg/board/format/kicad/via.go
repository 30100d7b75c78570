package kicad

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/internal/sexpr"
	"boardorder/pkg/board/pcb"
)

// A via joins copper layers.
type via struct {
	at                    geom.Point
	size, drill           int64
	from, to              *pcbLayer
	net                   int32
	line                  int
	micro, buried         bool // micro; blind or buried
	removeUnused, keepEnd bool
	zoneLayers            []*pcbLayer // where a zone touches it
	perLayer              map[string]int64
	tentTop, tentBottom   bool
	fill, cap, plug       bool
}

func (r *pcbReader) readVia(n sexpr.Node) {
	s := &r.setup
	v := via{line: n.Line(), tentTop: s.tentTop, tentBottom: s.tentBottom, fill: s.fill, cap: s.cap, plug: s.plug}
	for c := range n.Args() {
		r.readViaPart(&v, c)
	}
	if v.drill == 0 {
		v.drill = r.defaultDrill(v.net, v.micro)
	}
	copper := r.layers.copper
	if len(copper) == 0 {
		return
	}
	if v.from == nil || v.to == nil || v.from.order == 0 || v.to.order == 0 || !v.micro && !v.buried {
		v.from, v.to = copper[0], copper[len(copper)-1]
	}
	if v.from.order > v.to.order {
		v.from, v.to = v.to, v.from
	}
	r.placeVia(&v)
}

func (r *pcbReader) readViaPart(v *via, c sexpr.Node) {
	if !c.IsList() {
		v.micro = v.micro || c.Says("micro")
		v.buried = v.buried || c.Says("blind") || c.Says("buried")
		return
	}
	switch string(c.Name()) {
	case "at":
		v.at = r.pt(c)
	case "size":
		v.size = size(c.Part(1))
	case "drill":
		v.drill = size(c.Part(1))
	case "layers":
		v.from, v.to = r.layer(c.Part(1)), r.layer(c.Part(2))
	case "net":
		v.net = r.netOf(c)
	case "type":
		kind := c.Part(1)
		v.micro = kind.Says("micro")
		v.buried = kind.Says("blind") || kind.Says("buried")
	case "remove_unused_layers":
		v.removeUnused = !c.Part(1).Says("no")
	case "keep_end_layers":
		v.keepEnd = !c.Part(1).Says("no")
	case "zone_layer_connections":
		for a := range c.Args() {
			v.zoneLayers = r.appendLayers(v.zoneLayers, a)
		}
	case "tenting":
		v.tentTop, v.tentBottom = sides(c, v.tentTop, v.tentBottom)
	case "filling":
		v.fill = readFlag(c, v.fill)
	case "capping":
		v.cap = readFlag(c, v.cap)
	case "plugging":
		front, back := sides(c, v.plug, v.plug)
		v.plug = front || back
	case "backdrill", "tertiary_drill", "front_post_machining", "back_post_machining":
		r.machining(c)
	case "padstack":
		v.perLayer = map[string]int64{}
		for l := range c.Lists("layer") {
			v.perLayer[l.Part(1).Text()] = size(l.Value("size"))
		}
	}
}

// machining keeps what is done to a hole after it was plated.
func (r *pcbReader) machining(c sexpr.Node) {
	switch {
	case c.Is("backdrill"), c.Is("tertiary_drill"):
		if size(c.Value("size")) > 0 {
			r.need(pcb.BackDrilling, r.file, c.Line())
		}
	case c.Part(1).Says("counterbore"), c.Part(1).Says("countersink"):
		r.need(pcb.DepthRouting, r.file, c.Line())
	}
}

func (r *pcbReader) placeVia(v *via) {
	m := artwork.Meta{Net: v.net, Function: pcb.FuncViaPad, Line: v.line}
	for _, l := range r.layers.copper[v.from.order-1 : v.to.order] {
		d := v.sizeOn(l, len(r.layers.copper))
		if d <= 0 {
			continue
		}
		if v.removeUnused && !(v.keepEnd && (l == v.from || l == v.to)) && !contains(v.zoneLayers, l) {
			r.removable = append(r.removable, removable{
				layer: l, at: v.at, net: v.net, shape: r.shapes.circle(d), meta: m, reach: d / 2,
			})
			continue
		}
		l.paper().Flash(v.at, r.shapes.circle(d), 0, false, m)
	}
	r.openVia(v)
	through := v.from.order == 1 && v.to.order == len(r.layers.copper)
	h := pcb.Hole{
		A: v.at, B: v.at, Diameter: v.drill, Plating: pcb.Plated, Function: pcb.FuncViaDrill, Net: v.net,
		File: -1, Line: int32(v.line),
	}
	if !through {
		h.From, h.To = int16(v.from.order), int16(v.to.order)
		r.blind++
	}
	r.addHole(h)
	switch {
	case v.fill || v.cap:
		r.filledVias++
	case v.plug:
		r.pluggedVias++
	}
}

// readFlag is what a via says for itself; where it says none, the board's setup holds.
func readFlag(c sexpr.Node, usual bool) bool {
	return c.Part(1).Says("yes") || usual && !c.Part(1).Says("no")
}

// openVia makes the mask openings of a via that is not tented.
func (r *pcbReader) openVia(v *via) {
	d := v.size + 2*r.setup.maskMargin
	m := artwork.Meta{Function: pcb.FuncMaterial, Line: v.line}
	for _, s := range []struct {
		layer *pcbLayer
		end   *pcbLayer
		tent  bool
	}{{r.layers.side(pcb.RoleMask, pcb.Top), v.from, v.tentTop}, {r.layers.side(pcb.RoleMask, pcb.Bottom), v.to, v.tentBottom}} {
		if s.end.side == pcb.Inner {
			continue
		}
		if s.tent {
			r.tentedVias++
			continue
		}
		r.openVias++
		if s.layer != nil && d > 0 {
			s.layer.paper().Flash(v.at, r.shapes.circle(d), 0, false, m)
		}
	}
}

// sizeOn is the pad's diameter on a layer: padstacks name layers, or all inner
// ones at once.
func (v *via) sizeOn(l *pcbLayer, layers int) int64 {
	if d, ok := v.perLayer[l.name]; ok {
		return d
	}
	if d, ok := v.perLayer["Inner"]; ok && l.order > 1 && l.order < layers {
		return d
	}
	return v.size
}

func contains(list []*pcbLayer, l *pcbLayer) bool {
	for _, x := range list {
		if x == l {
			return true
		}
	}
	return false
}

// addHole numbers the hole's tool by its diameter and puts it on the board.
func (r *pcbReader) addHole(h pcb.Hole) {
	if h.Diameter <= 0 {
		r.passOver("hole without a diameter", int(h.Line))
		return
	}
	if !r.meter.Spend(pcb.Drilled, 1) {
		return
	}
	h.Tool = r.drillTool(h.Diameter)
	r.b.Holes = append(r.b.Holes, h)
}

func (r *pcbReader) drillTool(diameter int64) int32 {
	tool, ok := r.drillTools[diameter]
	if !ok {
		tool = int32(len(r.drillTools) + 1)
		r.drillTools[diameter] = tool
	}
	return tool
}

// A removable pad is one that is only there if something connects to it on its
// layer.
type removable struct {
	layer *pcbLayer
	at    geom.Point
	net   int32
	shape artwork.Shape
	turn  float64
	meta  artwork.Meta
	reach int64
}

type trackEnd struct {
	at    geom.Point
	order int
	net   int32
}

// placeRemovable draws the removable pads that a track of their net ends on.
func (r *pcbReader) placeRemovable() {
	if len(r.removable) == 0 {
		return
	}
	type key struct {
		order int
		net   int32
	}
	ends := map[key][]geom.Point{}
	for _, e := range r.trackEnds {
		k := key{e.order, e.net}
		ends[k] = append(ends[k], e.at)
	}
	for _, p := range r.removable {
		if !r.meter.Spend(pcb.Pairs, 1+len(ends[key{p.layer.order, p.net}])) {
			return
		}
		for _, at := range ends[key{p.layer.order, p.net}] {
			if at.Dist(p.at) <= float64(p.reach) {
				p.layer.paper().Flash(p.at, p.shape, p.turn, false, p.meta)
				break
			}
		}
	}
	r.removable = nil
}
