package netlist

import (
	"regexp"
	"strings"
)

// boardOf takes off what panels put before the nets of each of their boards.
var boardOf = regexp.MustCompile(`(?i)^board_\d+-`)

// copiesOf reports whether two nets are one and the same of two boards in a panel.
func (n *netting) copiesOf(nets [2]int32) bool {
	a, b := n.in.NetName(nets[0]), n.in.NetName(nets[1])
	x, y := boardOf.ReplaceAllString(a, ""), boardOf.ReplaceAllString(b, "")
	return x == y && x != a && y != b
}

// grounds are what grounds are called that are joined somewhere as a rule. One with a
// number, of a side that is isolated or of the mains is not among them.
var grounds = regexp.MustCompile(`^(GND|[ADPSMFC]GND|RFGND|GND_?(A|D|P|S|AN|ANALOG|DIG|DIGITAL|PWR|POWER|RF|SIG|SIGNAL|USB|AUD|AUDIO|REF|CHASSIS|SHIELD)` +
	`|(AN|ANALOG|DIG|DIGITAL|PWR|POWER|RF|SIG|SIGNAL|USB|AUD|AUDIO|CHASSIS|SHIELD)_?GND|VSSA?|AVSS|DVSS|0V|SHIELD|SHLD|CHASSIS)$`)

// isGround reports whether a net is called as a ground.
func (n *netting) isGround(net int32) bool {
	return grounds.MatchString(strings.ToUpper(leaf(boardOf.ReplaceAllString(n.in.NetName(net), ""))))
}

// starPoint reports whether two grounds are joined at one place, as they are on purpose;
// places are how many there are.
func (n *netting) starPoint(nets [2]int32, places int) bool {
	return places == 1 && n.isGround(nets[0]) && n.isGround(nets[1])
}
