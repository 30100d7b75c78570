// Package netlist holds copper against the nets that the files state: shorts and opens.
package netlist

import (
	"context"
	"fmt"
	"path"
	"strings"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/untrusted"
)

// Nets compares copper with the nets that the files state.
var Nets = rule.Rule{Judges: []dfm.Name{dfm.Short, dfm.Open, dfm.Unrouted, dfm.NetsContradict}, Run: nets}

// nets holds what copper really joins against the nets that the files state: in
// the artwork itself, in a netlist beside it, or in the design tool's project.
func nets(ctx context.Context, in *measure.Input) rule.Result {
	c, err := in.Copper()
	if err != nil {
		return rule.Unknown(dfm.Short, err)
	}
	n := newNetting(in, c)
	if why := n.unusable(); why != "" {
		return rule.Result{Unchecked: []string{"Shorts and open nets: " + why + "."}}
	}
	found := n.shorts(ctx)
	r := n.opens(ctx)
	r.Add(n.reportTorn())
	if n.contradicts(found.wrong) {
		return n.contradiction(found, r)
	}
	r.Add(n.reportShorts(found))
	return r
}

// A netting is the copper of a board with the nets that are said to be there.
type netting struct {
	in           *measure.Input
	c            *copper.Copper
	project      bool // the design tool's own file: its pads carry their nets
	eagle        bool // whose files hold outlines of pours only
	kicad        bool
	named        bool      // most copper carries its net
	nets         []bool    // those of the board that can be shorted or open
	stated       [][]int32 // nets stated for copper of each node
	pads         []terminal
	stray        []terminal        // pins of the netlist where there is no copper
	labels       [][]int32         // nets of items, by layer
	pins         [][]int32         // of items, by layer
	ofPin        map[int32]spotOn  // the first copper of each pin
	torn         []spotOn          // copper of pins that another net was stated for later
	counted      map[int32]int     // pins of each component
	ties         map[int32]bool    // components that join nets on purpose
	bareTies     []terminal        // pins without copper of parts that join nets on purpose
	links        map[int32]bool    // components that current passes, as far as they were asked for
	tabs         map[int32]bool    // pins that are a tab or its lead, made when first asked for
	whole        map[int32]bool    // components with all pins on one net, made when first asked for
	counterparts *counterpartParts // made when first asked for
	lone         map[int32]int32   // the only pin of a net, made when first asked for
	idle         map[int32]bool    // nets of pins that the schematic leaves open, made when first asked for
	copies       *boardCopies      // made when first asked for
}

// A terminal is a place that a net has to reach.
type terminal struct {
	net, pin    int32
	node        int32 // -1: there is no copper
	hole        int32 // that it is in, where only that is known; else -1
	layer, item int32 // -1 where only the hole is known
	at          geom.Point
}

func newNetting(in *measure.Input, c *copper.Copper) *netting {
	tool := toolFile(in.Board)
	n := &netting{in: in, c: c, project: tool != "", eagle: tool == ".brd", kicad: tool == ".kicad_pcb", stated: make([][]int32, len(c.Nodes)),
		labels: make([][]int32, len(c.Layers)), pins: make([][]int32, len(c.Layers)), counted: map[int32]int{}, links: map[int32]bool{}, ofPin: map[int32]spotOn{}}
	n.nets = make([]bool, len(in.Board.Nets))
	for i := range n.nets {
		n.nets[i] = i > 0 && !noNet[strings.ToUpper(strings.TrimSpace(in.Board.Nets[i].Name))]
	}
	if n.eagle {
		n.forgetPinless()
	}
	for i := range in.Board.Pins {
		n.counted[in.Board.Pins[i].Component]++
	}
	for k := range n.labels {
		n.labels[k], n.pins[k] = make([]int32, len(c.Layers[k].Items)), make([]int32, len(c.Layers[k].Items))
	}
	n.ties = n.findTies()
	n.readArtwork()
	n.named = n.mostlyNamed()
	n.readPins()
	n.readHoles()
	for _, t := range n.stray {
		if n.isTied(t.pin) {
			n.bareTies = append(n.bareTies, t)
		}
	}
	return n
}

// forgetPinless takes nets that reach no pin for none: EAGLE gives a wire that closes
// a jumper a net of its own.
func (n *netting) forgetPinless() {
	pinned := map[int32]bool{}
	for i := range n.in.Board.Pins {
		pinned[n.in.Board.Pins[i].Net] = true
	}
	for _, l := range n.c.Layers {
		for i := range l.Items {
			if it := &l.Items[i]; it.Pin > 0 {
				pinned[n.in.NetOf(it)] = true
			}
		}
	}
	for i := range n.nets {
		n.nets[i] = n.nets[i] && pinned[int32(i)]
	}
}

// toolFile is the extension of the design tool's own file that the copper was read
// from; "" for others.
func toolFile(b *pcb.Board) string {
	for _, l := range b.Copper() {
		switch ext := strings.ToLower(path.Ext(l.File)); ext {
		case ".kicad_pcb", ".brd", ".pcbdoc", ".cmpcbdoc", ".cspcbdoc":
			return ext
		}
	}
	return ""
}

// markDoubtful marks the inner layers that may be planes given as negatives without saying so,
// and names the first; nil and "" for none. What they join is not known.
func (n *netting) markDoubtful() (layers []bool, name string) {
	if n.project {
		return nil, ""
	}
	for k, sure := range n.in.Judged() {
		if sure {
			continue
		}
		if layers == nil {
			layers, name = make([]bool, len(n.c.Layers)), untrusted.Mention(n.c.Layers[k].Layer.Name)
		}
		layers[k] = true
	}
	return layers, name
}

// Shares of a netlist's pins below which it does not belong to the artwork.
const (
	fitting = 0.8  // that lie on copper
	trusted = 0.98 // so that one that does not means missing copper
)

// unusable tells in words why nets cannot be judged; "" when they can.
func (n *netting) unusable() string {
	known := 0
	for _, nets := range n.stated {
		known += len(nets)
	}
	all := len(n.pads) + len(n.stray)
	switch {
	case len(n.c.Layers) == 0:
		return "there is no copper"
	case known == 0 && all == 0:
		return "the files state no nets (an IPC-D-356 netlist or Gerber X2 attributes would)"
	case len(n.stray) > 0 && float64(len(n.pads)) < fitting*float64(all):
		return fmt.Sprintf("the netlist does not fit the artwork: %d of its %d pins lie where there is no copper", len(n.stray), all)
	}
	return ""
}

// noNet are names that stand for the lack of a net.
var noNet = map[string]bool{"": true, "N/C": true, "NC": true, "NO_NET": true, "NO NET": true, "NONET": true,
	"$NONE$": true, "$NONE": true, "NONE": true, "UNCONNECTED": true, "NO_CONNECT": true, "NOCONNECT": true,
	"(NO NET)": true, "<NO NET>": true, "NO-NET": true, "N.C.": true, "N.C": true, "NO CONNECT": true, "NOT CONNECTED": true, "NOT_CONNECTED": true,
	"NO_CONNECTION": true, "UNUSED": true, "UNUSED_PIN": true, "DUMMY": true, "DUMMY NET": true, "DUMMY_NET": true, "*": true, "?": true}

// real reports whether a net is one that can be shorted or open.
func (n *netting) real(net int32) bool { return net > 0 && int(net) < len(n.nets) && n.nets[net] }

// state notes that copper of a node is said to be of a net.
func (n *netting) state(node, net int32) {
	if node < 0 || !n.real(net) {
		return
	}
	for _, have := range n.stated[node] {
		if have == net {
			return
		}
	}
	n.stated[node] = append(n.stated[node], net)
}
