package netlist

import (
	"regexp"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// headers are parts whose pins are apart, whatever is on them: connectors and strips.
var headers = regexp.MustCompile(`(?i)^(J|P|X|K|CN|CON|H|HDR|JP|TB|SV|SL|PIN|PAD|TP|BUS)\d|head|pinhd|pin_?strip|conn|term|socket|strip|^MA\d`)

// joinLegs joins what lies at the pads of one piece of metal of a part, where one of two
// leads to nothing else: what is on the net is joined without it then.
func (b *partJoins) joinLegs() {
	first := map[metal]*terminal{}
	for _, t := range b.pads {
		c := b.n.part(t)
		if c < 0 || t.node < 0 {
			continue
		}
		of := b.n.metalOf(c, t)
		if of == "" {
			continue
		}
		k := metal{part: c, copy: b.n.copyOf(t), name: of}
		other, ok := first[k]
		switch {
		case !ok:
			first[k] = t
		case b.leg(t) || b.leg(other):
			b.join(t.node, other.node)
			if b.leg(other) {
				first[k] = t
			}
		}
	}
}

var (
	// again is what EAGLE's packages call a pad of a name that they have already.
	again = regexp.MustCompile(`^(.+)@\d+$`)
	// cases are what the pads are called that hold the metal case of a connector.
	cases = regexp.MustCompile(`^(MP|SH|SHIELD|SHELL|SHLD|MH|MNT|MOUNT|CASE|HOLD|S|M)[-_]?\d*$`)
	// named are pads called by what they carry, as those of modules are: GND@1, GND_7, 5V_2.
	named = regexp.MustCompile(`^([ADP]?GND|VSS|VCC|VDD|VIN|VBUS|VBAT|\+?5V0?|\+?3V3|\+?3\.3V)([@_-]?\d+)?$`)
)

// metalOf names the piece of metal of a part that a pad belongs to; "" where it is known
// of none.
func (n *netting) metalOf(c int32, t *terminal) string {
	p := &n.in.Board.Components[c]
	number := strings.ToUpper(n.in.Board.Pins[t.pin].Number)
	switch {
	case n.hasOneNet(c):
		return "part"
	case n.counted[c] == 4 && (number == "2" || number == "4") && (crystals.MatchString(p.Ref) || crystals.MatchString(packageOf(p))):
		return "can"
	case shells.MatchString(p.Ref) && cases.MatchString(number):
		return "case"
	case shells.MatchString(p.Ref) && twoWay[0].MatchString(number):
		return "ground"
	case shells.MatchString(p.Ref) && twoWay[1].MatchString(number):
		return "supply"
	}
	if m := named.FindStringSubmatch(number); m != nil {
		return m[1]
	}
	return ""
}

// pinName is the number of the pin that a pad belongs to: in EAGLE's packages the pads of
// one pin are called 1, 1@1 and 1@2, and in other tools all alike.
func pinName(number string) string {
	number = strings.ToUpper(number)
	if m := again.FindStringSubmatch(number); m != nil {
		return m[1]
	}
	return number
}

// hasOneNet reports whether all pins of a part, two at least, are on one net, and the part is
// no strip of pins.
func (n *netting) hasOneNet(c int32) bool {
	if n.whole == nil {
		n.whole = n.findWhole()
	}
	if !n.whole[c] {
		return false
	}
	p := &n.in.Board.Components[c]
	return !headers.MatchString(p.Ref) && !headers.MatchString(packageOf(p))
}

// findWhole gives the components of which all pins, two at least, are on one net.
func (n *netting) findWhole() map[int32]bool {
	net, pins, out := map[int32]int32{}, map[int32]int{}, map[int32]bool{}
	seen := map[int32]bool{}
	for _, list := range [2][]terminal{n.pads, n.stray} {
		for i := range list {
			t := &list[i]
			c := n.part(t)
			if c < 0 {
				continue
			}
			if have, ok := net[c]; !ok {
				net[c] = t.net
			} else if have != t.net {
				net[c] = -1
			}
			if !seen[t.pin] {
				seen[t.pin] = true
				pins[c]++
			}
		}
	}
	for c, of := range net {
		out[c] = of > 0 && pins[c] > 1 && pins[c] == n.counted[c]
	}
	return out
}

// joinStraddles joins what lies at the pads of one pin on either side of the board's edge,
// one above the other: the leg of a connector that takes the edge between.
func (b *partJoins) joinStraddles() {
	const edge = geom.Millimetre
	above := map[[2]int32]*terminal{}
	for _, t := range b.pads {
		if t.item < 0 || t.node < 0 || b.n.part(t) < 0 || !b.n.c.Layers[t.layer].Outer {
			continue
		}
		k := [2]int32{t.pin, b.n.copyOf(t)}
		other, ok := above[k]
		if !ok {
			above[k] = t
			continue
		}
		box := b.n.box(t)
		if t.layer != other.layer && box.Overlaps(b.n.box(other)) && b.n.in.Border().IsNear(box, edge) {
			b.join(t.node, other.node)
		}
	}
}

func (n *netting) box(t *terminal) geom.Box {
	return n.c.Layers[t.layer].Items[t.item].Shape.Bounds()
}

// crystals are parts in a can; with four pads, the second and the fourth are the can.
var crystals = regexp.MustCompile(`(?i)^(Y|XTAL|XT|CRYSTAL)\d|crystal|xtal|oscillator|resonator`)

// joinHalves joins the halves of a jumper of solder in artwork that does not number its
// parts: pads 1 and 2 of parts called REF**, which face each other close by.
func (b *partJoins) joinHalves() {
	if b.n.project {
		return
	}
	var halves []*terminal
	for _, t := range b.pads {
		if t.item < 0 || t.node < 0 || t.pin <= 0 || int(t.pin) >= len(b.n.in.Board.Pins) {
			continue
		}
		p := &b.n.in.Board.Pins[t.pin]
		if c := int(p.Component); c < 0 || c >= len(b.n.in.Board.Components) || !pcb.Placeholder(b.n.in.Board.Components[c].Ref) || p.Number != "1" && p.Number != "2" {
			continue
		}
		halves = append(halves, t)
	}
	if !b.n.in.Meter.SpendTimes(pcb.Lookups, len(halves), len(halves)) {
		return
	}
	const gap = 400 * geom.Micrometre // KiCad's and EAGLE's are 0.3 mm
	for i, t := range halves {
		for _, o := range halves[:i] {
			if t.layer != o.layer || b.n.in.Board.Pins[t.pin].Number == b.n.in.Board.Pins[o.pin].Number || !b.n.box(t).Grow(gap).Overlaps(b.n.box(o)) {
				continue
			}
			l := b.n.c.Layers[t.layer]
			if _, _, _, near := l.Items[t.item].Shape.DistWithin(&l.Items[o.item].Shape, float64(gap)); near {
				b.join(t.node, o.node)
			}
		}
	}
}

// mounts are holes for screws.
var (
	mounts    = regexp.MustCompile(`(?i)mount|screw|standoff|spacer|^M\d(\.\d)?(_|-|$)`)
	mountRefs = regexp.MustCompile(`^(MH|MTG|MP|HOLE|H|M|MK|SCREW|STANDOFF)\d*$`)
)

// screwHole is from how large a hole takes a screw.
const screwHole = 2 * geom.Millimetre

// joinScrews joins pieces of which all pads are those of holes for screws to the rest of
// their net.
func (b *partJoins) joinScrews() {
	held, any := map[int32]bool{}, int32(-1)
	for _, t := range b.pads {
		if t.node < 0 {
			continue
		}
		at := b.root(t.node)
		if only, seen := held[at]; !seen || only {
			held[at] = b.n.mounting(t)
		}
	}
	for _, t := range b.pads { // in the order of pads
		if t.node >= 0 && (any < 0 || held[b.root(any)] && !held[b.root(t.node)]) {
			any = t.node
		}
	}
	for at, only := range held {
		if only {
			b.join(at, any)
		}
	}
}

// mounting reports whether a pad is that of a hole for a screw: all that its part has.
func (n *netting) mounting(t *terminal) bool {
	c := n.part(t)
	if c < 0 {
		return false
	}
	p := &n.in.Board.Components[c]
	if n.counted[c] > 1 || !mountRefs.MatchString(p.Ref) && !mounts.MatchString(packageOf(p)) {
		return false
	}
	for i := range n.in.Board.Holes {
		h := &n.in.Board.Holes[i]
		if h.Diameter >= screwHole && n.c.Holes[i] == t.node && h.A.Mid(h.B).Dist(t.at) <= float64(h.Diameter)/2 {
			return true
		}
	}
	return false
}
