package kicad

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/internal/parallel"
	"boardorder/pkg/board/internal/sexpr"
)

// partSize is how many bytes of the file make a part: much more than the tables
// that a part begins with, and enough parts to keep all processors busy.
const partSize = 64 << 10

// trees keeps the room that one board needed for the next.
var trees = sync.Pool{New: func() any { return new(sexpr.Tree) }}

// divisible tells whether what follows can be read in parts: there is enough of it,
// and it refers to tables of layers and nets that have been read.
func (r *pcbReader) divisible() bool {
	tables := len(r.layers.all) > 0 && (len(r.nets) > 0 || r.version >= netNames)
	return tables && !r.scattered && r.in.Rest() > 2*r.partSize && isBodyElement(r.in.Peek())
}

// isBodyElement tells the elements that only add to the board from those that say how
// others are read.
func isBodyElement(name []byte) bool {
	switch string(name) {
	case "footprint", "module", "segment", "arc", "via", "zone", "gr_line", "gr_arc", "gr_circle", "gr_rect", "gr_poly", "gr_curve",
		"gr_text", "gr_text_box", "bezier", "table", "dimension", "target", "group", "generated":
		return true
	}
	return false
}

// readParts reads the elements of the body that follow, several parts of it at
// once, and puts what they hold on the board in the order of the file.
func (r *pcbReader) readParts(ctx context.Context) {
	var parts []*pcbReader
	var reading sync.Mutex
	before := r.in.Rest()
	next := func(t *sexpr.Tree, of []sexpr.Node) (*pcbReader, []sexpr.Node) {
		reading.Lock()
		defer reading.Unlock()
		t.Reset()
		for end := r.in.Rest() - r.partSize; r.in.Rest() > end && isBodyElement(r.in.Peek()); {
			n, _ := r.in.ReadInto(t)
			of = append(of, n)
		}
		p := newReader(r.ctx, r.file)
		if len(of) > 0 {
			parts = append(parts, p)
		}
		return p, of
	}
	_ = parallel.Run(ctx, runtime.GOMAXPROCS(0), func(int) { // the caller looks at ctx
		tree := trees.Get().(*sexpr.Tree)
		defer func() {
			tree.Reset()
			trees.Put(tree)
		}()
		tree.Reserve(r.partSize)
		var elements []sexpr.Node
		for ctx.Err() == nil {
			var p *pcbReader
			if p, elements = next(tree, elements[:0]); len(elements) == 0 {
				return
			}
			p.adopt(r)
			for _, n := range elements {
				p.element(n)
			}
		}
	})
	if ctx.Err() == nil {
		r.join(ctx, parts)
	}
	r.scattered = before-r.in.Rest() < r.partSize // joining again and again would cost more than it gains
}

// adopt takes over what the whole has stated so far, for a reader of one part of it.
func (r *pcbReader) adopt(whole *pcbReader) {
	r.version, r.setup, r.variable = whole.version, whole.setup, whole.variable
	r.classes, r.classOf, r.table = whole.classes, whole.classOf, whole.nets
	r.layers = whole.layers.blank(r.meter)
	r.b.Nets = slices.Clip(whole.b.Nets)
}

// join puts what parts hold on the board, one part behind the other.
func (r *pcbReader) join(ctx context.Context, parts []*pcbReader) {
	known := int32(len(r.b.Nets))
	numbers := make([]numbering, len(parts))
	for i, p := range parts {
		numbers[i] = r.number(p, known)
		r.take(p, &numbers[i])
	}
	_ = parallel.Run(ctx, len(r.layers.all), func(i int) { // the caller looks at ctx
		var drawn []artwork.Drawn
		for k, p := range parts {
			if s := p.layers.all[i].sheet; s != nil {
				drawn = append(drawn, artwork.Drawn{Sheet: s, Net: numbers[k].net, Pin: numbers[k].pin})
			}
		}
		r.layers.all[i].sheet.Take(drawn)
	})
}

// A numbering tells by which numbers the whole knows what a part has.
type numbering struct {
	known           int32   // nets that both know by the same number
	nets            []int32 // those of the part's own nets
	pins, component int32   // what is added to those of pins and components
}

func (n *numbering) net(i int32) int32 {
	if i < n.known {
		return i
	}
	return n.nets[i-n.known]
}

func (n *numbering) pin(i int32) int32 {
	if i == 0 {
		return 0
	}
	return i + n.pins
}

// number gives what a part has the next free numbers.
func (r *pcbReader) number(p *pcbReader, known int32) numbering {
	n := numbering{known: known, pins: int32(len(r.b.Pins)) - 1, component: int32(len(r.b.Components))}
	for _, own := range p.b.Nets[known:] {
		n.nets = append(n.nets, r.b.Net(own.Name))
	}
	return n
}

// take takes over what a part holds beside the drawings of its layers.
func (r *pcbReader) take(p *pcbReader, n *numbering) {
	r.b.Components = append(r.b.Components, p.b.Components...)
	for _, pin := range p.b.Pins[1:] {
		pin.Component, pin.Net = pin.Component+n.component, n.net(pin.Net)
		r.b.Pins = append(r.b.Pins, pin)
	}
	for _, h := range p.b.Holes {
		h.Net, h.Pin, h.Tool = n.net(h.Net), n.pin(h.Pin), r.drillTool(h.Diameter)
		r.b.Holes = append(r.b.Holes, h)
	}
	for pin, v := range p.b.Rules.PadClearance {
		r.setPadClearance(n.pin(pin), v)
	}
	for _, net := range p.b.Unfilled {
		r.markUnfilled(n.net(net))
	}
	for i := range p.removable {
		x := &p.removable[i]
		x.layer, x.net = r.layers.all[x.layer.index], n.net(x.net)
		x.meta.Net, x.meta.Pin = n.net(x.meta.Net), n.pin(x.meta.Pin)
	}
	for i := range p.trackEnds {
		p.trackEnds[i].net = n.net(p.trackEnds[i].net)
	}
	r.tally.add(&p.tally)
	r.b.Findings = append(r.b.Findings, p.b.Findings...)
}
