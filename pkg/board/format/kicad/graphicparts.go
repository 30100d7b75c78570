package kicad

import "boardorder/pkg/board/internal/sexpr"

// graphicParts are the lists that an item is made of, each the first of its name.
type graphicParts struct {
	start, mid, end, center, angle, radius, pts, width, stroke, layer, layers, fill, net, margin sexpr.Node
}

func partsOfGraphic(n sexpr.Node) (g graphicParts) {
	for c := range n.Args() {
		if to := g.field(c.Name()); to != nil && !to.Exists() {
			*to = c
		}
	}
	return g
}

func (g *graphicParts) field(name []byte) *sexpr.Node {
	switch string(name) {
	case "start":
		return &g.start
	case "mid":
		return &g.mid
	case "end":
		return &g.end
	case "center":
		return &g.center
	case "angle":
		return &g.angle
	case "radius":
		return &g.radius
	case "pts":
		return &g.pts
	case "width":
		return &g.width
	case "stroke":
		return &g.stroke
	case "layer":
		return &g.layer
	case "layers":
		return &g.layers
	case "fill":
		return &g.fill
	case "net":
		return &g.net
	case "solder_mask_margin":
		return &g.margin
	}
	return nil
}

func (g *graphicParts) strokeWidth() int64 {
	if g.stroke.Exists() {
		return size(g.stroke.Value("width"))
	}
	return size(g.width.Part(1))
}
