package netlist

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/untrusted"
)

// A broken net is one whose pads lie on several pieces of copper.
type brokenNet struct {
	net    int32
	pieces int
	gaps   []gapBetween // one less than pieces
}

// A gapBetween is a connection that is not there, between the nearest pads of two
// pieces.
type gapBetween struct{ a, b *terminal }

// opens finds nets whose pads are not all joined.
func (n *netting) opens(ctx context.Context) rule.Result {
	if len(n.in.Board.Holes) == 0 && len(n.c.Layers) > 1 {
		return rule.Result{Unchecked: []string{"Open nets: there are no holes that would join the layers."}}
	}
	if slices.ContainsFunc(n.in.Board.Findings, func(f pcb.Finding) bool { return f.Code == "copper_missing" && f.Level == pcb.Problem }) {
		return rule.Result{Unchecked: []string{"Open nets: the files hold pads and nothing that joins them, which is told by itself."}}
	}
	var sure, unfilled, counterparts, apart, screws []brokenNet
	hollow := n.hollowNets()
	for net, pads := range n.groupByNet() {
		if ctx.Err() != nil {
			return rule.Result{}
		}
		b := n.breaks(int32(net), pads)
		switch {
		case b.pieces < 2, n.isLeftOpen(int32(net), pads):
		case hollow[int32(net)]:
			unfilled = append(unfilled, b)
		default:
			by := n.sortGaps(b, pads)
			sure, counterparts = append(sure, by.wrong), append(counterparts, by.within)
			apart, screws = append(apart, by.apart), append(screws, by.screws)
		}
	}
	whole := func(b brokenNet) bool { return b.pieces < 2 }
	sure, counterparts = slices.DeleteFunc(sure, whole), slices.DeleteFunc(counterparts, whole)
	apart, screws = slices.DeleteFunc(apart, whole), slices.DeleteFunc(screws, whole)
	var r rule.Result
	if len(sure) > 0 {
		var cut []brokenNet
		sure, cut = n.panelCut().split(ctx, sure)
		apart = append(apart, cut...)
	}
	if _, l := n.markDoubtful(); l != "" {
		r.Add(n.reportDoubtful(sure, "Pads of one net are not joined by copper, unless "+l+" is a plane given as a negative that joins them"))
		sure = nil
	}
	r.Add(n.reportOpen(sure))
	r.Add(n.reportDoubtful(apart, "Boards of a panel have nets of the same name, which nothing joins across the cut between them"))
	r.Add(n.reportUnfilled(unfilled))
	r.Add(n.reportDoubtful(screws, "Holes for screws are not joined by copper to the rest of their net, unless what is screwed there joins them"))
	r.Add(n.reportDoubtful(counterparts, "Pads of the same part are not joined by copper, unless the part joins them"))
	return r
}

// groupByNet sorts terminals by net. Pins without copper count where the netlist fits
// the artwork well.
func (n *netting) groupByNet() [][]*terminal {
	out := make([][]*terminal, len(n.in.Board.Nets))
	add := func(list []terminal) {
		for i := range list {
			if t := &list[i]; n.real(t.net) && (t.node >= 0 || !n.isTied(t.pin)) { // a tie may have no copper of its own
				out[t.net] = append(out[t.net], t)
			}
		}
	}
	add(n.pads)
	if float64(len(n.pads)) >= trusted*float64(len(n.pads)+len(n.stray)) {
		add(n.stray)
	}
	return out
}

// breaks groups the pads of a net by the copper they lie on.
func (n *netting) breaks(net int32, pads []*terminal) brokenNet {
	b := brokenNet{net: net}
	nodes := map[int32]bool{}
	for _, t := range pads {
		if t.node < 0 {
			b.pieces++
		} else {
			nodes[t.node] = true
		}
	}
	b.pieces += len(nodes)
	if b.pieces > 1 && (len(pads) > manyPads || n.in.Meter.SpendTimes(pcb.Lookups, len(pads), len(pads))) {
		b.gaps = missing(pads, nodeOf)
	}
	return b
}

// manyPads is beyond how many pads the nearest of each piece are not looked for.
const manyPads = 4000

// nodeOf is the copper that a terminal lies on.
func nodeOf(t *terminal) int32 { return t.node }

// missing gives the shortest connections that would join all pads; piece tells which
// belong together already, and is negative for those that belong to nothing.
func missing(pads []*terminal, piece func(*terminal) int32) []gapBetween {
	if len(pads) > manyPads {
		return missingAny(pads, piece)
	}
	in := make([]bool, len(pads))
	near, from := make([]float64, len(pads)), make([]int, len(pads))
	for i := range near {
		near[i] = math.Inf(1)
	}
	near[0] = 0
	of := make([]int32, len(pads))
	for i, t := range pads {
		of[i] = piece(t)
	}
	var out []gapBetween
	for range pads {
		k := -1
		for i := range pads {
			if !in[i] && (k < 0 || near[i] < near[k]) {
				k = i
			}
		}
		in[k] = true
		if near[k] > 0 {
			out = append(out, gapBetween{pads[from[k]], pads[k]})
		}
		for i := range pads {
			if in[i] {
				continue
			}
			d := max(pads[k].at.Dist(pads[i].at), 1)
			if of[k] >= 0 && of[k] == of[i] {
				d = 0
			}
			if d < near[i] {
				near[i], from[i] = d, k
			}
		}
	}
	return out
}

// missingAny joins the pieces one after the other.
func missingAny(pads []*terminal, piece func(*terminal) int32) []gapBetween {
	var out []gapBetween
	seen := map[int32]bool{piece(pads[0]): true}
	for _, t := range pads[1:] {
		if of := piece(t); of < 0 || !seen[of] {
			out = append(out, gapBetween{pads[0], t})
			seen[of] = true
		}
	}
	return out
}

func (n *netting) reportOpen(all []brokenNet) rule.Result {
	at, list, count := n.gapsOf(all)
	name, noun := dfm.Open, "missing connection"
	if n.project {
		name, noun = dfm.Unrouted, "unrouted connection"
	}
	return rule.PlaceFinding(name, dfm.MustFix, func(int) string {
		return fmt.Sprintf("%s: the copper leaves %s in pieces: %s.", words.Plural(count, noun), words.Plural(len(all), "net"), listWords(list, "; "))
	}, at)
}

func (n *netting) reportUnfilled(all []brokenNet) rule.Result {
	at, list, _ := n.gapsOf(all)
	why, what := "Zones are not filled in the file, so connections through them are missing: ", ". Fill all zones and save."
	if n.eagle {
		why, what = "The file does not hold what its polygons come to, so whether they join these pads could not be told: ", "."
	}
	return rule.PlaceFinding(dfm.Unrouted, dfm.Warning, func(int) string { return why + listWords(list, "; ") + what }, at)
}

// isLeftOpen reports whether a net is KiCad's for a pin that the schematic connects to
// nothing: the pin's pads need no connection, not even with each other.
func (n *netting) isLeftOpen(net int32, pads []*terminal) bool {
	if !unconnected.MatchString(n.in.NetName(net)) {
		return false
	}
	part := int32(-1)
	for _, t := range pads {
		switch c := n.part(t); {
		case c < 0: // a pad that is not said to be a pin's
		case part < 0:
			part = c
		case c != part:
			return false
		}
	}
	return part >= 0
}

// part is the component that a pad belongs to; -1 where none is known, as of the many
// that artwork calls REF** alike.
func (n *netting) part(t *terminal) int32 {
	if t.pin <= 0 || int(t.pin) >= len(n.in.Board.Pins) {
		return -1
	}
	c := n.in.Board.Pins[t.pin].Component
	if c < 0 || int(c) >= len(n.in.Board.Components) || !n.project && pcb.Placeholder(n.in.Board.Components[c].Ref) {
		return -1
	}
	return c
}

// reportDoubtful warns of gaps that may be meant; why is the sentence before the nets.
func (n *netting) reportDoubtful(all []brokenNet, why string) rule.Result {
	at, list, _ := n.gapsOf(all)
	name := dfm.Open
	if n.project {
		name = dfm.Unrouted
	}
	return rule.PlaceFinding(name, dfm.Warning, func(int) string { return why + ": " + listWords(list, "; ") + "." }, at)
}

// gapsOf gives the places and the words for broken nets, those in most pieces first.
func (n *netting) gapsOf(all []brokenNet) (*rule.Places, []string, int) {
	slices.SortFunc(all, func(a, b brokenNet) int {
		return cmp.Or(cmp.Compare(len(b.gaps), len(a.gaps)), cmp.Compare(n.in.NetName(a.net), n.in.NetName(b.net)))
	})
	var at rule.Places
	var list []string
	for i := range all {
		b := &all[i]
		for _, g := range b.gaps {
			at.AddUnmeasured(n.gapPlace(b.net, g))
		}
		list = append(list, n.describeGaps(b))
	}
	return &at, list, at.Count
}

func (n *netting) gapPlace(net int32, g gapBetween) dfm.Place {
	name := n.in.NetName(net)
	p := dfm.Place{At: g.a.at, To: g.b.at, Nets: [2]string{name, name}, Objects: [2]string{n.pad(g.a, keepName), n.pad(g.b, keepName)}}
	if g.a.layer >= 0 && g.a.layer == g.b.layer {
		p.Layer = n.c.Layers[g.a.layer].Layer.Name
	}
	return p
}

// describeGaps tells which pads of a net are apart.
func (n *netting) describeGaps(b *brokenNet) string {
	const most = 3
	var parts []string
	for i, g := range b.gaps {
		if i == most {
			parts = append(parts, fmt.Sprintf("%d more", len(b.gaps)-most))
			break
		}
		words := n.pad(g.a, untrusted.Mention) + " to " + n.pad(g.b, untrusted.Mention)
		if g.a.node < 0 || g.b.node < 0 {
			t := g.b
			if g.a.node < 0 {
				t = g.a
			}
			words = "no copper at " + n.pad(t, untrusted.Mention)
		}
		parts = append(parts, words)
	}
	return untrusted.Mention(n.in.NetName(b.net)) + " (" + strings.Join(parts, ", ") + ")"
}

func keepName(name string) string { return name }

// pad names a terminal, with what its part is called as the caller writes names.
func (n *netting) pad(t *terminal, name func(string) string) string {
	b := n.in.Board
	if t.pin > 0 && int(t.pin) < len(b.Pins) {
		p := &b.Pins[t.pin]
		if c := int(p.Component); c >= 0 && c < len(b.Components) && b.Components[c].Ref != "" {
			return "pad " + name(b.Components[c].Ref+"-"+p.Number)
		}
	}
	return "pad at " + position(t.at)
}

// hollowNets are those of zones that the design tool stored without their copper.
func (n *netting) hollowNets() map[int32]bool {
	out := map[int32]bool{}
	for _, net := range n.in.Board.Unfilled {
		out[net] = true
	}
	if !n.eagle {
		return out
	}
	for _, l := range n.c.Layers {
		for i := range l.Items {
			if l.Items[i].Function == pcb.FuncPour {
				out[l.Items[i].Net] = true
			}
		}
	}
	return out
}
