package check

import (
	"regexp"
	"strings"
)

// tieWords are how footprints that join nets on purpose are called.
var tieWords = regexp.MustCompile(`(?i)net[-_ ]?tie|^nt\d`)

// tieRef is how the parts that use them are numbered.
var tieRef = regexp.MustCompile(`^NT\d+$`)

// findTies gives the components that join nets on purpose.
func (n *netting) findTies() map[int32]bool {
	out := map[int32]bool{}
	for i := range n.in.board.Components {
		c := &n.in.board.Components[i]
		name := c.Footprint[strings.LastIndex(c.Footprint, ":")+1:]
		if tieWords.MatchString(name) || tieWords.MatchString(c.Value) || tieRef.MatchString(c.Ref) ||
			c.Fields["net_tie_pad_groups"] != "" {
			out[int32(i)] = true
		}
	}
	return out
}

// tied tells whether a pin belongs to a part that joins nets on purpose.
func (n *netting) tied(pin int32) bool {
	if pin <= 0 || int(pin) >= len(n.in.board.Pins) {
		return false
	}
	return n.ties[n.in.board.Pins[pin].Component]
}
