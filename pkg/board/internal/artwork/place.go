package artwork

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// A Panel is a board in which others are drawn again and again.
type Panel struct {
	b      *pcb.Board
	meter  pcb.Meter
	count  int // boards put down
	layers map[*pcb.Layer]*panelLayer
}

// A panelLayer is where a layer of a repeated board goes: apertures and
// transforms are taken over once, however often it is repeated.
type panelLayer struct {
	to        *pcb.Layer
	apertures int32
	turned    map[geom.Transform]int32
}

// NewPanel starts repeating boards in b, which may have drawings of its own.
func NewPanel(b *pcb.Board, m pcb.Meter) *Panel {
	return &Panel{b: b, meter: m, layers: map[*pcb.Layer]*panelLayer{}}
}

// amount is what a board has of features, texts and holes, and of corners.
func amount(b *pcb.Board) (objects, corners int) {
	objects = 1 + len(b.Holes)
	for _, r := range b.Routes {
		corners += len(r.Points)
	}
	for _, l := range b.Layers {
		objects += len(l.Features) + len(l.Texts)
		for i := range l.Regions {
			corners += len(l.Regions[i].Outer.Points)
			for _, h := range l.Regions[i].Holes {
				corners += len(h.Points)
			}
		}
	}
	return objects, corners
}

// Count is how many boards were put down.
func (p *Panel) Count() int { return p.count }

// Place draws board src once more, as t puts it down: its layers into those of
// the same name, and its holes. Nets and parts are left out, as a panel repeats
// them. It reports false, and draws nothing, when the budget is used up.
func (p *Panel) Place(src *pcb.Board, t geom.Transform) bool {
	objects, corners := amount(src)
	if !p.meter.Spend(pcb.Drawn, objects) || !p.meter.Spend(pcb.Corners, corners) {
		return false
	}
	p.count++
	for _, l := range src.Layers {
		p.placeLayer(l, t)
	}
	for _, h := range src.Holes {
		h.A, h.B, h.Net, h.Pin = t.Apply(h.A), t.Apply(h.B), 0, 0
		if h.Kind == pcb.RoutedHole && int(h.Path) < len(src.Routes) {
			p.b.Routes = append(p.b.Routes, t.Path(src.Routes[h.Path]))
			h.Path = int32(len(p.b.Routes) - 1)
		}
		p.b.Holes = append(p.b.Holes, h)
	}
	return true
}

func (p *Panel) layerFor(l *pcb.Layer) *panelLayer {
	if x, ok := p.layers[l]; ok {
		return x
	}
	to := layerLike(p.b, l)
	x := &panelLayer{to: to, apertures: int32(len(to.Apertures)), turned: map[geom.Transform]int32{}}
	to.Apertures = append(to.Apertures, l.Apertures...)
	p.layers[l] = x
	return x
}

func layerLike(b *pcb.Board, l *pcb.Layer) *pcb.Layer {
	for _, x := range b.Layers {
		if x.Name == l.Name && x.Role == l.Role {
			return x
		}
	}
	x := pcb.NewLayer(l.Name, l.File)
	x.Nets, x.Pins = nil, nil
	x.Role, x.Side, x.Order, x.Negative = l.Role, l.Side, l.Order, l.Negative
	x.FromLayer, x.ToLayer = l.FromLayer, l.ToLayer
	b.Layers = append(b.Layers, x)
	return x
}

// transforms gives where the layer's transforms, turned as t turns, begin.
func (x *panelLayer) transforms(from *pcb.Layer, t geom.Transform) int32 {
	turn := geom.Transform{Rotation: t.Rotation, Mirror: t.Mirror, Scale: t.Scale}
	if i, ok := x.turned[turn]; ok {
		return i
	}
	i := int32(len(x.to.Transforms))
	for _, own := range from.Transforms {
		x.to.Transforms = append(x.to.Transforms, own.Chain(turn))
	}
	x.turned[turn] = i
	return i
}

func (p *Panel) placeLayer(from *pcb.Layer, t geom.Transform) {
	if len(from.Features) == 0 {
		return
	}
	x := p.layerFor(from)
	to, turned := x.to, x.transforms(from, t)
	for _, w := range from.Texts {
		w.At, w.Mirrored = t.Apply(w.At), w.Mirrored != t.Mirror
		to.Texts = append(to.Texts, w)
	}
	for _, f := range from.Features {
		f.Net, f.Pin, f.Attrs = 0, 0, 0
		switch f.Kind {
		case pcb.RegionFeature:
			to.Regions = append(to.Regions, t.Polygon(from.Regions[f.Shape]))
			f.Shape = int32(len(to.Regions) - 1)
		case pcb.ArcFeature:
			e := t.Edge(from.Edge(&f))
			to.Arcs = append(to.Arcs, pcb.ArcGeometry{Centre: e.Centre, Clockwise: e.Turn == geom.Clockwise})
			f.Arc = int32(len(to.Arcs) - 1)
			f.Shape += x.apertures
		default:
			f.Shape += x.apertures
		}
		f.A, f.B = t.Apply(f.A), t.Apply(f.B)
		f.Transform += turned
		to.Features = append(to.Features, f)
	}
}
