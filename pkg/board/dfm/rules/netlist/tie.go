package netlist

import (
	"regexp"
	"strings"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
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
