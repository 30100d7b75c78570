package netlist

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// tieWords are how footprints that join nets on purpose are called: ties, the points where
// grounds meet, and bridges of solder that are closed until somebody cuts them.
var tieWords = regexp.MustCompile(`(?i)net[-_ ]?tie|^nt\d|star[-_ ]?point|solder[-_ ]?(bridge|jumper).*(short|closed|bridged)|(short|clos)ed[-_ ]?solder[-_ ]?(bridge|jumper)|net[-_ ]?short`)

// tieRef is how the parts that use them are numbered.
var tieRef = regexp.MustCompile(`^(NT|NET_?TIE|TIE|STAR)_?\d+[A-Z]?$`)

// findTies gives the components that join nets on purpose.
func (n *netting) findTies() map[int32]bool {
	out := map[int32]bool{}
	known := map[string]bool{} // most names come again and again
	tie := func(name string) bool {
		is, ok := known[name]
		if !ok {
			is = tieWords.MatchString(name)
			known[name] = is
		}
		return is
	}
	for i := range n.in.Board.Components {
		c := &n.in.Board.Components[i]
		if tie(c.Footprint[strings.LastIndex(c.Footprint, ":")+1:]) || tie(c.Value) || tieRef.MatchString(c.Ref) ||
			c.Fields["net_tie_pad_groups"] != "" {
			out[int32(i)] = true
		}
	}
	return out
}

// isTied reports whether a pin belongs to a part that joins nets on purpose.
func (n *netting) isTied(pin int32) bool {
	if pin <= 0 || int(pin) >= len(n.in.Board.Pins) {
		return false
	}
	return n.ties[n.in.Board.Pins[pin].Component]
}

// tieCopper gives the pads of such parts in a node, and the copper between them:
// it has no net of its own.
func (n *netting) tieCopper(node int32) map[spotOn]bool {
	out := map[spotOn]bool{}
	if len(n.ties) == 0 {
		return out
	}
	var pads []spotOn
	for _, island := range n.c.Nodes[node].Islands {
		d := &n.c.Islands[island]
		for _, i := range d.Items {
			if n.isTied(n.c.Layers[d.Layer].Items[i].Pin) || n.isTied(n.pins[d.Layer][i]) {
				pads = append(pads, spotOn{d.Layer, i})
			}
		}
	}
	for _, at := range pads {
		out[at] = true
		l := n.c.Layers[at.layer]
		l.VisitNear(&l.Items[at.item].Shape, copper.Touch, func(i int, _ float64, _, _ geom.Point) bool {
			if n.labels[at.layer][i] == 0 {
				out[spotOn{at.layer, int32(i)}] = true
			}
			return true
		})
	}
	return out
}

// isTiedAt reports whether a tie whose pins have no copper of their own stands where two
// nets meet: the copper of the nets is the tie.
func (n *netting) isTiedAt(nets [2]int32, at geom.Point) bool {
	const near = 2 * geom.Millimetre
	sides := map[int32]int{}
	for _, t := range n.bareTies {
		if t.at.Dist(at) > float64(near) {
			continue
		}
		for k, net := range nets {
			if t.net == net {
				c := n.in.Board.Pins[t.pin].Component
				sides[c] |= 1 << k
				if sides[c] == 3 {
					return true
				}
			}
		}
	}
	return false
}

// Lands of a jumper of solder are broad, and so close that solder runs over the gap: those of
// resistors and the like are smaller, or further apart, and leads of transistors have holes.
const (
	jumperLand = 800 * geom.Micrometre
	jumperGap  = 500 * geom.Micrometre
)

// isJumperAt reports whether two nets of a netlist meet by a stroke between the lands of a jumper
// of solder, which closes it until somebody cuts it. Artwork that names its nets leaves such a
// stroke without one.
func (n *netting) isJumperAt(m *meeting) bool {
	isStroke := func(at spotOn) bool {
		f := n.c.Layers[at.layer].FeatureOf(int(at.item))
		return f != nil && (f.Kind == pcb.LineFeature || f.Kind == pcb.ArcFeature)
	}
	if n.named || !slices.ContainsFunc(m.items[:], isStroke) || !n.in.Meter.Spend(pcb.Lookups, len(n.pads)) {
		return false
	}
	const near = 4 * geom.Millimetre
	var ends [2][]*terminal
	for i := range n.pads {
		t := &n.pads[i]
		if c := n.part(t); c < 0 || n.counted[c] > joinerPins || t.at.Dist(m.at) > float64(near) {
			continue
		}
		for k, net := range m.nets {
			if t.net == net {
				ends[k] = append(ends[k], t)
			}
		}
	}
	for _, a := range ends[0] {
		for _, b := range ends[1] {
			if n.part(a) == n.part(b) && (a.hole < 0 || b.hole < 0) && n.areJumperLands(m, a, b) {
				return true
			}
		}
	}
	return false
}

// areJumperLands reports whether two pins have lands of a jumper on the layer of a meeting, which
// lies at them.
func (n *netting) areJumperLands(m *meeting, a, b *terminal) bool {
	l := n.c.Layers[m.layer]
	one, other := landAt(l, a.at), landAt(l, b.at)
	if one < 0 || other < 0 || one == other {
		return false
	}
	x, y := l.Items[one].Shape.Bounds(), l.Items[other].Shape.Bounds()
	if min(x.Width(), x.Height(), y.Width(), y.Height()) < jumperLand || !x.Union(y).Contains(m.at) {
		return false
	}
	_, _, _, close := l.Items[one].Shape.DistWithin(&l.Items[other].Shape, float64(jumperGap))
	return close
}

// landAt is the smallest flash or area of a layer at a place; -1 for none.
func landAt(l *copper.Layer, at geom.Point) int {
	best, least := -1, math.Inf(1)
	probe := shape.Circle(at, 2*placeGrid)
	l.VisitNear(&probe, 0, func(i int, _ float64, _, _ geom.Point) bool {
		f := l.FeatureOf(i)
		if f == nil || f.Kind != pcb.FlashFeature && f.Kind != pcb.RegionFeature {
			return true
		}
		if box := l.Items[i].Shape.Bounds(); float64(box.Width())*float64(box.Height()) < least {
			best, least = i, float64(box.Width())*float64(box.Height())
		}
		return true
	})
	return best
}
