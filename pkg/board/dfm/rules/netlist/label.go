package netlist

import (
	"fmt"
	"math"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
	"boardorder/pkg/board/untrusted"
)

// readArtwork takes the nets and pins that features carry.
func (n *netting) readArtwork() {
	for k, l := range n.c.Layers {
		last := int32(-1)
		for i := range l.Items {
			it := &l.Items[i]
			net := n.in.NetOf(it)
			if !n.real(net) {
				continue
			}
			if at := (spotOn{int32(k), int32(i)}); n.isTornPad(at, it.Pin) {
				n.torn = append(n.torn, at)
				continue
			}
			n.labels[k][i] = net
			node := it.Node
			n.state(node, net)
			if it.Pin > 0 {
				n.pins[k][i] = it.Pin
			}
			if it.Feature == last && it.Feature >= 0 {
				continue // another piece of the same pad
			}
			if f := l.FeatureOf(i); f != nil && f.Kind != pcb.LineFeature && f.Kind != pcb.ArcFeature && (it.Pin > 0 || it.Function.Pad()) {
				n.pads = append(n.pads, terminal{net: net, pin: it.Pin, node: node, hole: -1, layer: int32(k), item: int32(i), at: it.Shape.CorePoint()})
				last = it.Feature
			}
		}
	}
}

// readPins takes the pins that only a netlist or a project beside the artwork
// knows. Where the artwork names the net of the copper there, that name counts.
func (n *netting) readPins() {
	seen := map[int32]bool{}
	for i := range n.pads {
		seen[n.pads[i].pin] = true
	}
	holes := n.holesByPlace()
	for i := range n.in.Board.Pins {
		p := &n.in.Board.Pins[i]
		if i == 0 || seen[int32(i)] || !p.HasAt || !n.real(p.Net) {
			continue
		}
		t := terminal{net: p.Net, pin: int32(i), node: -1, hole: -1, layer: -1, item: -1, at: p.At}
		if !n.find(&t, p, holes) {
			n.stray = append(n.stray, t)
			continue
		}
		if t.item >= 0 {
			n.pins[t.layer][t.item] = t.pin
			if net := n.labels[t.layer][t.item]; net != 0 {
				t.net = net
			} else {
				n.labels[t.layer][t.item] = t.net
			}
		}
		n.state(t.node, t.net)
		n.pads = append(n.pads, t)
	}
}

// isTornPad reports whether an item is a pad that is stated to be of another net than the copper
// that was drawn for the same pin before, at the same place: tools that write a pad as a flash
// and as an area give the second the net of the pad before at times.
func (n *netting) isTornPad(at spotOn, pin int32) bool {
	if pin <= 0 || n.project {
		return false
	}
	first, ok := n.ofPin[pin]
	if !ok {
		n.ofPin[pin] = at
		return false
	}
	if first.layer != at.layer || n.isFlash(first) == n.isFlash(at) {
		return false
	}
	items := n.c.Layers[at.layer].Items
	one, other := &items[first.item], &items[at.item]
	return n.in.NetOf(one) != n.in.NetOf(other) && one.Island == other.Island && one.Shape.Bounds().Overlaps(other.Shape.Bounds())
}

// reportTorn tells of pads that their file states two nets for.
func (n *netting) reportTorn() rule.Result {
	var at rule.Places
	var list []string
	for _, t := range n.torn {
		l := n.c.Layers[t.layer]
		it := &l.Items[t.item]
		nets := [2]string{n.in.NetName(n.in.NetOf(&l.Items[n.ofPin[it.Pin].item])), n.in.NetName(n.in.NetOf(it))}
		place := it.Shape.CorePoint()
		at.AddUnmeasured(dfm.Place{Layer: l.Layer.Name, At: place, To: place, Nets: nets})
		list = append(list, fmt.Sprintf("%s and %s at %s", untrusted.Mention(nets[0]), untrusted.Mention(nets[1]), position(place)))
	}
	return rule.PlaceFinding(dfm.Open, dfm.Warning, func(int) string {
		return "The file states two nets for one pad, of which the first was taken: " + listWords(list, "; ") + "."
	}, &at)
}

// placeGrid is how far a netlist's places may lie from where things are: its unit
// is a tenth of a mil.
const placeGrid = 10 * geom.Micrometre

func gridOf(p geom.Point) geom.Point { return geom.Pt(p.X/placeGrid, p.Y/placeGrid) }

// holesByPlace finds plated holes that join something.
func (n *netting) holesByPlace() map[geom.Point]int32 {
	out := map[geom.Point]int32{}
	for i := range n.in.Board.Holes {
		if h := &n.in.Board.Holes[i]; n.c.Holes[i] >= 0 {
			out[gridOf(h.A.Mid(h.B))] = int32(i)
		}
	}
	return out
}

// otherCopper ranks what is no pad behind all pads.
const otherCopper = 1e9

// find looks for the copper of a pin: the hole it is in, the pad on its side, or
// whatever copper there is.
func (n *netting) find(t *terminal, p *pcb.Pin, holes map[geom.Point]int32) bool {
	if p.Side == pcb.NoSide || p.Side == pcb.Inner {
		g := gridOf(p.At)
		for dx := int64(-1); dx <= 1; dx++ {
			for dy := int64(-1); dy <= 1; dy++ {
				if h, ok := holes[geom.Pt(g.X+dx, g.Y+dy)]; ok {
					t.node, t.hole = n.c.Holes[h], h
					return true
				}
			}
		}
	}
	probe := shape.Circle(p.At, 2*placeGrid)
	best := math.Inf(1)
	for k, l := range n.c.Layers {
		if !l.Outer || p.Side != pcb.NoSide && l.Layer.Side != p.Side {
			continue
		}
		l.VisitNear(&probe, 0, func(i int, _ float64, _, _ geom.Point) bool {
			// A pad rather than what else passes, the one whose middle is closest first; of two on
			// either side, the one that leads on.
			rank := otherCopper
			if f := l.FeatureOf(i); f != nil && f.Kind == pcb.FlashFeature {
				rank = f.A.Dist(p.At)
			}
			if rank < best || rank == best && rank < otherCopper && n.weigh(l.Items[i].Node) > n.weigh(t.node) {
				best = rank
				t.layer, t.item = int32(k), int32(i)
				t.node = l.Items[i].Node
			}
			return true
		})
	}
	return t.node >= 0
}

// weigh counts the pieces that a node's copper is drawn of.
func (n *netting) weigh(node int32) int {
	items := 0
	for _, i := range n.c.Nodes[node].Islands {
		items += len(n.c.Islands[i].Items)
	}
	return items
}

// readHoles takes the nets of holes, where their copper has none yet.
func (n *netting) readHoles() {
	for i := range n.in.Board.Holes {
		if node := n.c.Holes[i]; node >= 0 && len(n.stated[node]) == 0 {
			n.state(node, n.in.Board.Holes[i].Net)
		}
	}
}

// mostlyNamed reports whether the artwork carries nets, so that copper without one is
// the exception.
func (n *netting) mostlyNamed() bool {
	all, named := 0, 0
	for k, l := range n.c.Layers {
		all += len(l.Items)
		for _, net := range n.labels[k] {
			if net != 0 {
				named++
			}
		}
	}
	return named*2 > all
}

// pin is that of an item; 0 is none.
func (n *netting) pin(at spotOn) int32 { return n.pins[at.layer][at.item] }
