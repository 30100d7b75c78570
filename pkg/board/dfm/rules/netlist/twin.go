package netlist

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/untrusted"
)

// twinParts are parts that lie on the same holes, of which one or the other is fitted, on
// this side or on that: what their pads join is joined on purpose.
type twinParts struct {
	parts [][2]int32        // components
	nets  map[[2]int32]bool // that their pads join, the lower first
}

// twinPins is how many pads of a part lie on those of another at least.
const twinPins = 3

// findTwins looks for parts of which half of the pads or more lie on plated holes that
// pads of another have too.
func (n *netting) findTwins() *twinParts {
	out := &twinParts{nets: map[[2]int32]bool{}}
	on := map[geom.Point][]*terminal{}
	for i := range n.pads {
		t := &n.pads[i]
		if c := n.part(t); c >= 0 && t.node >= 0 {
			k := gridOf(t.at)
			if !slices.ContainsFunc(on[k], func(o *terminal) bool { return o.pin == t.pin }) {
				on[k] = append(on[k], t)
			}
		}
	}
	shared := map[[2]int32]int{}
	holes := n.holesByPlace()
	for k, list := range on {
		if len(list) != 2 || n.part(list[0]) == n.part(list[1]) {
			continue
		}
		if _, drilled := holes[k]; drilled {
			shared[pairOf(n.part(list[0]), n.part(list[1]))]++
		}
	}
	for pair, count := range shared {
		if count >= twinPins && 2*count >= min(n.counted[pair[0]], n.counted[pair[1]]) {
			out.parts = append(out.parts, pair)
		}
	}
	for pair, count := range shared { // smaller ones beside them
		if len(out.parts) > 0 && count < twinPins && count == n.counted[pair[0]] && count == n.counted[pair[1]] {
			out.parts = append(out.parts, pair)
		}
	}
	slices.SortFunc(out.parts, func(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	for _, list := range on {
		if len(list) == 2 && list[0].net != list[1].net && slices.Contains(out.parts, pairOf(n.part(list[0]), n.part(list[1]))) {
			out.nets[pairOf(list[0].net, list[1].net)] = true
		}
	}
	return out
}

func pairOf(a, b int32) [2]int32 { return [2]int32{min(a, b), max(a, b)} }

// areJoinedByTwins reports whether pads of twin parts join two nets.
func (n *netting) areJoinedByTwins(nets [2]int32) bool {
	if n.twins == nil {
		n.twins = n.findTwins()
	}
	return n.twins.nets[pairOf(nets[0], nets[1])]
}

// twinWords names the twin parts.
func (n *netting) twinWords() string {
	var out []string
	for _, p := range n.twins.parts {
		parts := n.in.Board.Components
		out = append(out, fmt.Sprintf("%s and %s", untrusted.Mention(parts[p[0]].Ref), untrusted.Mention(parts[p[1]].Ref)))
	}
	return strings.TrimSuffix(listWords(out, ", "), ", ")
}
