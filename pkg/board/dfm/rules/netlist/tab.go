package netlist

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/pcb"
)

// tabbed are packages whose tab is the metal that the lead in the middle is cut from.
// A TO-220F has its tab in plastic.
var tabbed = regexp.MustCompile(`(?i)(^|[^A-Z0-9])(SOT-?223|SOT230P|SC-?73|SOT-?89|SOT150P|SC-?62|TO-?252|TO-?261|TO-?263|TO-?268|TO-?220([^F]|$)|TO(22[89]|25[45])P|D[23]?-?PAK|DDPAK)`)

// tabNames is what the land of a tab is called where it has no number.
var tabNames = regexp.MustCompile(`^(TAB|EP|EPAD|PAD|HS|HEATSINK|SINK|FLAG)\d?$`)

// tabPins marks the pins of such parts that are the tab and the lead in the middle:
// of n leads the tab is number n+1, or has a name.
func (n *netting) tabPins() map[int32]bool {
	if n.tabs != nil {
		return n.tabs
	}
	n.tabs = map[int32]bool{}
	is := map[int32]bool{}
	for i := range n.in.Board.Components {
		c := &n.in.Board.Components[i]
		if tabbed.MatchString(packageOf(c)) {
			is[int32(i)] = true
		}
	}
	byPart := map[int32][]int32{}
	for i := range n.in.Board.Pins {
		if c := n.in.Board.Pins[i].Component; i > 0 && is[c] {
			byPart[c] = append(byPart[c], int32(i))
		}
	}
	for _, pins := range byPart {
		n.markTab(pins)
	}
	n.markDrawnTabs()
	return n.tabs
}

// tabTimes is how many times as large as a lead's land that of a tab is at least.
const tabTimes = 2

// markDrawnTabs marks tabs of parts of which artwork and netlists do not name the package:
// the fourth of four pads, larger than three that lie in a row.
func (n *netting) markDrawnTabs() {
	pads := map[int32]*[4]*terminal{}
	for i := range n.pads {
		t := &n.pads[i]
		c := n.part(t)
		if c < 0 || t.item < 0 || n.counted[c] != 4 || packageOf(&n.in.Board.Components[c]) != "" {
			continue
		}
		v, err := strconv.Atoi(n.in.Board.Pins[t.pin].Number)
		if err != nil || v < 1 || v > 4 {
			continue
		}
		if pads[c] == nil {
			pads[c] = &[4]*terminal{}
		}
		pads[c][v-1] = t
	}
	for _, of := range pads {
		if slices.Contains(of[:], nil) {
			continue
		}
		a, b, c, tab := of[0], of[1], of[2], of[3]
		largest := max(n.area(a), n.area(b), n.area(c))
		row := a.at.Dist(c.at)
		if n.area(tab) >= tabTimes*largest && b.at.Dist(a.at.Mid(c.at)) < row/10 && tab.at.Dist(b.at) > row/2 {
			n.tabs[b.pin], n.tabs[tab.pin] = true, true
		}
	}
}

// area is how much room a pad takes, in square nanometres.
func (n *netting) area(t *terminal) float64 {
	box := n.box(t)
	return float64(box.Width()) * float64(box.Height())
}

// packageOf is what a part's package is called, without its library.
func packageOf(c *pcb.Component) string {
	return strings.ReplaceAll(c.Footprint[strings.LastIndex(c.Footprint, ":")+1:], "_", " ")
}

// markTab marks the tab and the middle one of the leads of one part, if both are there.
func (n *netting) markTab(pins []int32) {
	const fewest, most = 3, 9 // leads
	named := int32(0)
	numbers := map[int]int32{}
	for _, p := range pins {
		name := strings.ToUpper(strings.TrimPrefix(n.in.Board.Pins[p].Number, "P$"))
		if v, err := strconv.Atoi(name); err == nil {
			numbers[v] = p
		} else if tabNames.MatchString(name) {
			named = p
		}
	}
	leads := len(numbers)
	tab := named
	if tab == 0 {
		leads--
		tab = numbers[leads+1]
	}
	middle := numbers[(leads+1)/2]
	if leads < fewest || leads > most || leads%2 == 0 || tab == 0 || middle == 0 {
		return
	}
	n.tabs[tab], n.tabs[middle] = true, true
}

// joinTabs joins what lies at the tab of a part and at the lead that it is one piece of
// metal with: the board works by it, whatever is on either.
func (b *partJoins) joinTabs() {
	marked := b.n.tabPins()
	first := map[metal]*terminal{}
	for _, t := range b.pads {
		c := b.n.part(t)
		if c < 0 || t.node < 0 || !marked[t.pin] {
			continue
		}
		k := metal{part: c, copy: b.n.copyOf(t)}
		if other, ok := first[k]; ok {
			b.join(t.node, other.node)
		} else {
			first[k] = t
		}
	}
}
