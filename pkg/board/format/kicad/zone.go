package kicad

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/internal/sexpr"
	"boardorder/pkg/board/pcb"
)

// unstroked is the first format in which fills are stored at their full size
// unless filled_areas_thickness says otherwise.
const unstroked = 20220211

// zone draws a zone as it was last filled. KiCad up to 5 stores fills that a pen
// as wide as the zone's least width must run round; so does 6, unless
// filled_areas_thickness says no.
func (r *pcbReader) zone(n sexpr.Node, frame geom.Transform) {
	line := n.Line()
	if n.Find("keepout").Exists() {
		return
	}
	layers := r.layersOf(n)
	net := r.netOf(n.Find("net"))
	pen := int64(0)
	thick := n.Value("filled_areas_thickness")
	if thick.Says("yes") || thick.Says("") && r.version < unstroked {
		pen = size(n.Value("min_thickness"))
	}
	filled := false
	strokes := n.Find("fill").Value("mode").Says("segment")
	for c := range n.Args() {
		switch string(c.Name()) {
		case "fill_segments":
			if !strokes {
				continue // left over from before the zone was filled with polygons
			}
			fallthrough
		case "filled_polygon":
			filled, r.anyFill = true, true
			r.zoneFill(c, layers, net, pen, size(n.Value("min_thickness")), frame)
		}
	}
	if !filled && hasCopper(layers) {
		r.markUnfilled(net)
		r.countUnfilled(n.Find("fill").Has("yes"), line)
	}
}

func (r *pcbReader) markUnfilled(net int32) {
	if net > 0 && !r.marked[net] {
		r.marked[net] = true
		r.b.Unfilled = append(r.b.Unfilled, net)
	}
}

// countUnfilled counts a zone without fill: one that was filled may have had
// nothing left to fill, another's fill was not saved.
func (r *pcbReader) countUnfilled(wasFilled bool, line int) {
	count, at := &r.unfilled, &r.unfilledAt
	if wasFilled {
		count, at = &r.emptyZones, &r.emptyZoneAt
	}
	addCount(count, at, 1, line)
}

func hasCopper(layers []*pcbLayer) bool {
	for _, l := range layers {
		if l.role == pcb.RoleCopper {
			return true
		}
	}
	return false
}

func (r *pcbReader) zoneFill(n sexpr.Node, layers []*pcbLayer, net int32, pen, least int64, frame geom.Transform) {
	if own := n.Find("layer"); own.Exists() {
		layers = nil
		if l := r.layer(own.Part(1)); l != nil {
			layers = []*pcbLayer{l}
		}
	}
	m := artwork.Meta{Net: net, Function: pcb.FuncPour, Line: n.Line()}
	if n.Is("fill_segments") {
		for p := range n.Lists("pts") {
			path := r.points(p, frame)
			for _, l := range layers {
				l.paper().Path(path, least, zoneMeta(l, m))
			}
		}
		return
	}
	path := r.points(n.Find("pts"), frame)
	if len(path.Points) < 3 && len(path.Bends) == 0 {
		return
	}
	path.Closed = true
	for _, l := range layers {
		l.paper().Region(geom.Polygon{Outer: path}, zoneMeta(l, m))
		if pen > 0 {
			l.paper().Path(path, pen, zoneMeta(l, m))
		}
	}
}

func zoneMeta(l *pcbLayer, m artwork.Meta) artwork.Meta {
	if l.role != pcb.RoleCopper {
		m.Net, m.Function = 0, pcb.FuncMaterial
	}
	return m
}

// points reads (pts (xy 1 2) … (arc (start …) (mid …) (end …))) as a path.
func (r *pcbReader) points(n sexpr.Node, frame geom.Transform) geom.Path {
	var p geom.Path
	if n.Exists() {
		p.Points = make([]geom.Point, 0, n.Len())
	}
	for c := range n.Args() {
		switch {
		case c.Is("xy"):
			q := frame.Apply(r.pt(c))
			if k := len(p.Points); k == 0 || p.Points[k-1] != q {
				p.LineTo(q)
			}
		case c.Is("arc"):
			e := geom.ArcThrough(r.pt(c.Find("start")), r.pt(c.Find("mid")), r.pt(c.Find("end")))
			e = frame.Edge(e)
			if k := len(p.Points); k > 0 && p.Points[k-1] != e.A {
				p.LineTo(e.A)
			}
			p.Add(e)
		}
	}
	if k := len(p.Points); k > 2 && p.Points[0] == p.Points[k-1] && !isBentAt(p, k-2) {
		p.Points = p.Points[:k-1]
	}
	return p
}

func isBentAt(p geom.Path, i int) bool {
	return len(p.Bends) > 0 && int(p.Bends[len(p.Bends)-1].At) == i
}
