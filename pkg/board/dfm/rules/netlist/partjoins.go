package netlist

import (
	"regexp"
	"slices"
	"strings"

	"boardorder/pkg/board/pcb"
)

// partJoins looks for the pieces of a broken net that parts may join, once they are
// fitted: each such piece leads to the others through metal of one part.
type partJoins struct {
	n     *netting
	pads  []*terminal
	leads map[int32]int32 // by node: another that a part leads to, or itself
	// single tells which nodes hold pads of one pin only; made when first asked for.
	single map[int32]bool
}

// A sortedNet is a broken net by what its connections wait for.
type sortedNet struct {
	wrong  brokenNet // nothing that is known
	within brokenNet // parts that make them
	apart  brokenNet // from one copy of a board in a panel to another
	screws brokenNet // to holes for screws
}

// sortGaps takes out of a broken net the connections that its parts may make, those
// from one copy of a board in a panel to another, and those to holes for screws.
func (n *netting) sortGaps(all brokenNet, pads []*terminal) (out sortedNet) {
	out.wrong = all
	if len(all.gaps) == 0 {
		return out // more pads than could be looked at
	}
	b := &partJoins{n: n, pads: pads, leads: map[int32]int32{}}
	for _, t := range pads {
		if t.node >= 0 {
			b.leads[t.node] = t.node
		}
	}
	b.sameMetal()
	b.joinTabs()
	b.joinLegs()
	b.joinStraddles()
	b.joinHalves()
	b.links()
	b.joinUnnumbered()
	b.joinLonePart()
	fitted := b.pieces()
	missed, copied := b.joinWithinCopies()
	each := b.pieces()
	if copied {
		b.joinAll()
	}
	panel := b.pieces()
	b.joinScrews()
	screwed := b.pieces()
	at := b.pieces()
	for node := range at {
		at[node] = node
	}
	if len(at) == screwed.count() { // nothing joins anything
		out.wrong, out.within = b.splitSamePins(all)
		return out
	}
	if !n.in.Meter.SpendTimes(pcb.Lookups, 3*len(pads), min(len(pads), manyPads)) {
		return out
	}
	out.wrong, out.within = b.splitSamePins(brokenNet{net: all.net, gaps: append(missing(pads, screwed.pieceOf), missed...)})
	out.within = newBrokenNet(all.net, append(out.within.gaps, b.gapsWithin(fitted, at)...))
	out.apart = newBrokenNet(all.net, b.gapsWithin(panel, each))
	out.screws = newBrokenNet(all.net, b.gapsWithin(screwed, panel))
	return out
}

func newBrokenNet(net int32, gaps []gapBetween) brokenNet {
	return brokenNet{net: net, gaps: gaps, pieces: len(gaps) + 1}
}

// pieces tell what each node leads to.
type pieces map[int32]int32

func (b *partJoins) pieces() pieces {
	out := pieces{}
	for node := range b.leads {
		out[node] = b.root(node)
	}
	return out
}

func (p pieces) pieceOf(t *terminal) int32 {
	if t.node < 0 {
		return -1
	}
	return p[t.node]
}

func (p pieces) count() int {
	n := 0
	for node, root := range p {
		if node == root {
			n++
		}
	}
	return n
}

// root is the node that stands for all that parts lead to from one.
func (b *partJoins) root(node int32) int32 {
	for b.leads[node] != node {
		node = b.leads[node]
	}
	return node
}

func (b *partJoins) join(x, y int32) { b.leads[b.root(x)] = b.root(y) }

// gapsWithin gives the shortest connections that make the larger pieces of the smaller.
func (b *partJoins) gapsWithin(large, small pieces) []gapBetween {
	groups := map[int32][]*terminal{}
	for _, t := range b.pads {
		if t.node >= 0 {
			groups[large.pieceOf(t)] = append(groups[large.pieceOf(t)], t)
		}
	}
	var out []gapBetween
	for _, t := range b.pads { // in the order of pads, each group once
		if group := groups[large.pieceOf(t)]; len(group) > 1 && group[0] == t {
			out = append(out, missing(group, small.pieceOf)...)
		}
	}
	return out
}

// splitSamePins takes out the connections between pads of one pin that are next to each other.
// In the tool's own file what the part joins must be all that one of the two leads to.
func (b *partJoins) splitSamePins(all brokenNet) (wrong, within brokenNet) {
	wrong, within = brokenNet{net: all.net}, brokenNet{net: all.net}
	only := !slices.ContainsFunc(b.pads, func(t *terminal) bool { return !b.n.areSamePin(t, b.pads[0]) })
	for _, g := range all.gaps {
		if b.n.areSamePin(g.a, g.b) && (only || !b.n.project || b.leg(g.a) || b.leg(g.b)) {
			within.gaps = append(within.gaps, g)
		} else {
			wrong.gaps = append(wrong.gaps, g)
		}
	}
	wrong.pieces, within.pieces = len(wrong.gaps)+1, len(within.gaps)+1
	return wrong, within
}

// areSamePin reports whether two pads are of one and the same pin of a part.
func (n *netting) areSamePin(x, y *terminal) bool {
	return x.node >= 0 && y.node >= 0 && x.pin > 0 && x.pin == y.pin && n.part(x) >= 0 && n.copyOf(x) == n.copyOf(y)
}

// leg reports whether the copper at a pad of a part leads to nothing but other pads of
// the same pin, so that whatever else is on the net is joined without it.
func (b *partJoins) leg(t *terminal) bool {
	return b.n.part(t) >= 0 && b.pure()[t.node]
}

// pure tells of each node whether all pads there are of one pin of one part.
func (b *partJoins) pure() map[int32]bool {
	if b.single != nil {
		return b.single
	}
	b.single = map[int32]bool{}
	first := map[int32]metal{}
	for _, t := range b.pads {
		at := metal{part: b.n.part(t), copy: b.n.copyOf(t)}
		if at.part >= 0 {
			at.name = pinName(b.n.in.Board.Pins[t.pin].Number)
		}
		if one, ok := first[t.node]; !ok {
			first[t.node], b.single[t.node] = at, at.part >= 0
		} else if one != at {
			b.single[t.node] = false
		}
	}
	return b.single
}

// shells are parts that have several legs of one name, which metal joins: the case of a
// connector or a shield, the clip of a battery or a fuse, the contact of a switch.
var shells = regexp.MustCompile(`^(J|P|X|CN|CON|USB|HDMI|SIM|BT|BAT|F|FH|SH|SW|BTN|PB|KEY)\d`)

// switches are parts whose pins of one net are joined inside: push buttons have two legs
// for each contact.
var (
	switches    = regexp.MustCompile(`^(SW|BTN|PB|KEY)\d`)
	switchWords = regexp.MustCompile(`(?i)button|switch|(^|[^A-Z])(tact|tactile|push|btn)([^A-Z]|$)`)
)

// buttonPins is how many pins a switch has at most that is known as one by its name alone:
// a push button with two legs for each contact, and a ground.
const buttonPins = 5

// isSwitch reports whether the pins of a part that are on one net are joined inside it.
func (n *netting) isSwitch(c int32) bool {
	p := &n.in.Board.Components[c]
	return switches.MatchString(p.Ref) || n.counted[c] <= buttonPins && (switchWords.MatchString(p.Ref) || switchWords.MatchString(packageOf(p)))
}

// metal is what joins pads of a part, those of one name where it has one.
type metal struct {
	part    int32
	copy    int32 // of the board, where a panel in artwork has several parts of one name
	name    string
	through bool // it is there for current to pass, from whatever is on the one side to the other
}

// joinByMetal joins what lies at pads of the same metal; which says of what a pad is.
func (b *partJoins) joinByMetal(which func(c int32, ref, number string) (metal, bool)) {
	on := map[metal]*terminal{}
	for _, t := range b.pads {
		c := b.n.part(t)
		if c < 0 || t.node < 0 {
			continue
		}
		k, ok := which(c, b.n.in.Board.Components[c].Ref, b.n.in.Board.Pins[t.pin].Number)
		if !ok {
			continue
		}
		k.copy = b.n.copyOf(t)
		other, ok := on[k]
		switch {
		case !ok:
			on[k] = t
		case !b.n.project || k.through || b.leg(t) || b.leg(other):
			b.join(t.node, other.node)
			if b.leg(other) {
				on[k] = t // the others may be legs or not
			}
		}
	}
}

// sameMetal joins what lies at the pads of one number of a shell, and at the legs of a
// switch. Legs may be called S1 and s1. The tool's own file says that a connection is
// wanted where a shell has parts on either side: a shell is no track.
func (b *partJoins) sameMetal() {
	b.joinByMetal(func(c int32, ref, number string) (metal, bool) {
		if b.n.isSwitch(c) {
			return metal{part: c, through: true}, true
		}
		return metal{part: c, name: pinName(number)}, shells.MatchString(ref)
	})
}

// links joins what lies at the leads of one link.
func (b *partJoins) links() {
	b.joinByMetal(func(c int32, _, _ string) (metal, bool) { return metal{part: c, through: true}, b.n.isLink(c) })
}

// Links are parts of two leads that current passes, and what they are called where their
// number does not tell: such a part with both leads on one net stands where the copper
// was left open for it.
var (
	linkRefs   = regexp.MustCompile(`^(R|L|FB|F|LK|W|NT|BR)\d`)
	resists    = regexp.MustCompile(`(?i)^R\d\S* [0-9.,]*[1-9]`) // a resistor of more than nothing
	jumperRefs = regexp.MustCompile(`(?i)^(JP|SJ|SB|SJP)_?\d|^(JMP|JUMP|JUMPER|SOLDER_?JUMPER|BRIDGE)(_?\d|$)`)
	linkWords  = regexp.MustCompile(`(?i)jumper|solder[-_ ]?bridge|net[-_ ]?tie`)
)

// isLink reports whether a part is there to be passed by current, or to be closed.
func (n *netting) isLink(c int32) bool {
	is, ok := n.links[c]
	if !ok {
		p, pins := &n.in.Board.Components[c], n.counted[c]
		is = pins == 2 && linkRefs.MatchString(p.Ref) && !resists.MatchString(p.Ref+" "+p.Value) || pins <= joinerPins && (jumperRefs.MatchString(p.Ref) ||
			linkWords.MatchString(p.Footprint[strings.LastIndex(p.Footprint, ":")+1:]) || linkWords.MatchString(p.Value))
		n.links[c] = is
	}
	return is
}

// joinUnnumbered leaves out pieces of which no pad has a number: a schematic cannot ask for
// them to be joined.
func (b *partJoins) joinUnnumbered() {
	numbered := map[int32]bool{}
	any := int32(-1)
	for _, t := range b.pads {
		if t.node >= 0 && !b.n.numberless(t) {
			numbered[t.node], any = true, t.node
		}
	}
	if any < 0 {
		return
	}
	for _, t := range b.pads {
		if t.node >= 0 && !numbered[t.node] {
			b.join(t.node, any)
		}
	}
}

// numberless reports whether a pad has no number, though its file numbers pads: KiCad's
// boards and the plots of its footprints do.
func (n *netting) numberless(t *terminal) bool {
	if n.part(t) >= 0 {
		return n.in.Board.Pins[t.pin].Number == ""
	}
	return t.pin == 0 && n.kicad && t.item >= 0
}

// joinLonePart joins the pins of a net that one part only is on, but for the links that lead
// on from there, when each piece holds one of them: nothing else is there to be joined.
// The tool's own file counts the connection as missing, and a header joins none of its
// pins: there it takes pins that are known to be joined in what is plugged in.
func (b *partJoins) joinLonePart() {
	one, at := metal{part: -1}, map[int32]bool{}
	var numbers []string
	for _, t := range b.pads {
		c := b.n.part(t)
		switch {
		case c < 0 || t.node < 0:
			return // no copper at all, or a pad of nothing
		case b.n.isLink(c):
		case one.part >= 0 && one != metal{part: c, copy: b.n.copyOf(t)}:
			return
		default:
			one, at[t.node] = metal{part: c, copy: b.n.copyOf(t)}, true
			numbers = append(numbers, b.n.in.Board.Pins[t.pin].Number)
		}
	}
	if b.n.project && !arePlugContacts(numbers) {
		return
	}
	for node := range b.leads {
		if !at[node] {
			return
		}
	}
	for _, t := range b.pads[1:] {
		b.join(t.node, b.pads[0].node)
	}
}

// twoWay are the contacts of a USB-C connector that every plug joins: ground and supply,
// twice on either side.
var twoWay = [2]*regexp.Regexp{regexp.MustCompile(`^[AB](1|12)$`), regexp.MustCompile(`^[AB][49]$`)}

// arePlugContacts reports whether contacts are all ground, or all supply, of a USB-C connector.
func arePlugContacts(numbers []string) bool {
	for _, way := range twoWay {
		if len(numbers) > 0 && !slices.ContainsFunc(numbers, func(s string) bool { return !way.MatchString(s) }) {
			return true
		}
	}
	return false
}
