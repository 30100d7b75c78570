package kicad

import (
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/internal/sexpr"
	"boardorder/pkg/board/pcb"
)

// A track is what a segment or an arc of copper has in common.
type track struct {
	start, mid, end geom.Point
	hasMid          bool
	width           int64
	layers          []*pcbLayer
	net             int32
	line            int
	maskMargin      int64
	hasMaskMargin   bool
}

func (r *pcbReader) readTrack(n sexpr.Node) track {
	t := track{line: n.Line(), layers: r.trackLayers[:0]}
	for c := range n.Args() {
		switch string(c.Name()) {
		case "start":
			t.start = r.pt(c)
		case "mid":
			t.mid, t.hasMid = r.pt(c), true
		case "end":
			t.end = r.pt(c)
		case "width":
			t.width = size(c.Part(1))
		case "layer":
			if l := r.layer(c.Part(1)); l != nil {
				t.layers = append(t.layers, l)
			}
		case "layers":
			for a := range c.Args() {
				t.layers = r.appendLayers(t.layers, a)
			}
		case "net":
			t.net = r.netOf(c)
		case "solder_mask_margin":
			t.maskMargin, t.hasMaskMargin = size(c.Part(1)), true
		}
	}
	r.trackLayers = t.layers
	return t
}

func (r *pcbReader) segment(n sexpr.Node) {
	t := r.readTrack(n)
	r.track(t, geom.Line(t.start, t.end))
}

func (r *pcbReader) trackArc(n sexpr.Node) {
	t := r.readTrack(n)
	if !t.hasMid {
		r.track(t, geom.Line(t.start, t.end))
		return
	}
	r.track(t, trackThrough(t.start, t.mid, t.end))
}

// trackThrough is the arc that KiCad makes of a track. Plugins that round corners write the
// middle of some on the other side of the circle: KiCad adds the turns from the start to
// the middle and from there to the end, each the short way round, and draws and fills by
// that.
func trackThrough(start, mid, end geom.Point) geom.Edge {
	e := geom.ArcThrough(start, mid, end)
	if !e.IsArc() || start == end {
		return e
	}
	turn := func(a, b geom.Point) float64 {
		v := math.Remainder(b.Sub(e.Centre).Angle()-a.Sub(e.Centre).Angle(), 2*math.Pi)
		if math.Abs(v) > math.Pi-1e-5 {
			return -math.Pi // either way is as short: KiCad turns clockwise
		}
		return v
	}
	one, two := turn(start, mid), turn(mid, end)
	if one*two >= 0 {
		return e
	}
	return geom.ArcEdge(start, end, e.Centre, one+two < 0)
}

func (r *pcbReader) track(t track, e geom.Edge) {
	for _, l := range t.layers {
		width := t.width
		m := artwork.Meta{Net: t.net, Function: pcb.FuncConductor, Line: t.line}
		if l.role != pcb.RoleCopper {
			m = artwork.Meta{Line: t.line, Function: pcb.FuncMaterial}
			margin := r.setup.maskMargin
			if t.hasMaskMargin {
				margin = t.maskMargin
			}
			width = max(0, width+2*margin)
		} else {
			r.tally.track(t.width)
			r.trackEnds = append(r.trackEnds, trackEnd{t.start, l.order, t.net}, trackEnd{t.end, l.order, t.net})
		}
		l.paper().Edge(e, width, m)
	}
}
