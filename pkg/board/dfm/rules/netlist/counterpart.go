package netlist

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/untrusted"
)

// counterpartParts are parts that lie on the same holes, of which one or the other is fitted, on
// this side or on that: what their pads join is joined on purpose.
type counterpartParts struct {
	parts [][2]int32        // components
	nets  map[[2]int32]bool // that their pads join, the lower first
}

// counterpartPins is how many pads of a part lie on those of another at least.
const counterpartPins = 3

// findCounterparts looks for parts of which half of the pads or more lie on plated holes that
// pads of another have too.
func (n *netting) findCounterparts() *counterpartParts {
	out := &counterpartParts{nets: map[[2]int32]bool{}}
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
		if count >= counterpartPins && 2*count >= min(n.counted[pair[0]], n.counted[pair[1]]) {
			out.parts = append(out.parts, pair)
		}
	}
	for pair, count := range shared { // smaller ones beside them
		if len(out.parts) > 0 && count < counterpartPins && count == n.counted[pair[0]] && count == n.counted[pair[1]] {
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

// areJoinedByCounterparts reports whether pads of counterpart parts join two nets.
func (n *netting) areJoinedByCounterparts(nets [2]int32) bool {
	if n.counterparts == nil {
		n.counterparts = n.findCounterparts()
	}
	return n.counterparts.nets[pairOf(nets[0], nets[1])]
}

// counterpartWords names the counterpart parts.
func (n *netting) counterpartWords() string {
	var out []string
	for _, p := range n.counterparts.parts {
		parts := n.in.Board.Components
		out = append(out, fmt.Sprintf("%s and %s", untrusted.Mention(parts[p[0]].Ref), untrusted.Mention(parts[p[1]].Ref)))
	}
	return strings.TrimSuffix(listWords(out, ", "), ", ")
}
