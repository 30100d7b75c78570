package netlist

import (
	"regexp"
	"strings"
)

// areLonePins reports whether two nets are of one pin each, and either of the same pin of one
// part, whose legs have a net each where the schematic leaves them open, or of one name
// but for the sheet: nothing is joined that was to be apart.
func (n *netting) areLonePins(nets [2]int32) bool {
	a, b := n.solePin(nets[0]), n.solePin(nets[1])
	if a <= 0 || b <= 0 {
		return false
	}
	p, q := &n.in.Board.Pins[a], &n.in.Board.Pins[b]
	if p.Component == q.Component {
		return p.Component >= 0 && p.Number != "" && p.Number == q.Number
	}
	return leaf(n.in.NetName(nets[0])) == leaf(n.in.NetName(nets[1]))
}

// openNet is what KiCad calls the net of a pin that is connected to nothing.
var openNet = regexp.MustCompile(`^(unconnected|Net)-\(.*Pad[^)]*\)`)

// unconnected is what KiCad calls the net of a pin that the schematic leaves open, from
// version 6 on; panels put the number of the board before it.
var unconnected = regexp.MustCompile(`(?i)^(board_\d+-)?/?unconnected-\(`)

// joinsOpenPin reports whether one of two nets is that of a pin which the schematic leaves
// open, and the other is connected to something.
func (n *netting) joinsOpenPin(nets [2]int32) bool { return n.isUnused(nets[0]) != n.isUnused(nets[1]) }

// countConnected counts the nets that are not those of pins left open.
func (n *netting) countConnected(nets []int32) int {
	count := 0
	for _, net := range nets {
		if !n.isUnused(net) {
			count++
		}
	}
	return count
}

// isUnused reports whether a net is that of one pin, or of the pads of one part, which the
// schematic leaves open.
func (n *netting) isUnused(net int32) bool {
	if n.idle == nil {
		n.idle = map[int32]bool{}
		for of, pads := range n.groupByNet() {
			if net := int32(of); len(pads) > 0 && (n.isLeftOpen(net, pads) || n.isPinNet(net)) {
				n.idle[net] = true
			}
		}
	}
	return n.idle[net]
}

// pinNets are what tools call a net that nobody named, after one of its pins: KiCad's
// Net-(U1-Pad5) and Net-(U1-VCC), Altium's NetU1_5, EasyEDA's U1_5.
var pinNets = regexp.MustCompile(`(?i)^(?:.*/)?(?:net-\((.+?)-.+\)|net([A-Z]+\d+)_.+|([A-Z]+\d+)_.+)$`)

// isPinNet reports whether a net has one pin only, and no name but one after that pin's
// part: nothing in the schematic is joined to it.
func (n *netting) isPinNet(net int32) bool {
	pin := n.solePin(net)
	if pin <= 0 {
		return false
	}
	c := n.in.Board.Pins[pin].Component
	m := pinNets.FindStringSubmatch(n.in.NetName(net))
	if m == nil || c < 0 || int(c) >= len(n.in.Board.Components) {
		return false
	}
	return strings.EqualFold(m[1]+m[2]+m[3], n.in.Board.Components[c].Ref)
}

// open reports whether a net is that of one pin that the schematic leaves open.
func (n *netting) open(net int32) bool {
	return n.solePin(net) > 0 && openNet.MatchString(n.in.NetName(net))
}

// solePin is the pin that a net has on the board; -1 where it has several, 0 where none.
func (n *netting) solePin(net int32) int32 {
	if n.lone == nil {
		n.lone = map[int32]int32{}
		for i := range n.pads {
			t := &n.pads[i]
			if have, ok := n.lone[t.net]; ok && have != t.pin {
				n.lone[t.net] = -1
			} else {
				n.lone[t.net] = t.pin
			}
		}
	}
	return n.lone[net]
}

// leaf is what a net is called within its sheet. The nets of a panel have the name of
// their board before them.
func leaf(name string) string {
	board, rest, ok := strings.Cut(name, "-/")
	if !ok {
		return name[strings.LastIndex(name, "/")+1:]
	}
	return board + "-" + rest[strings.LastIndex(rest, "/")+1:]
}
