package copper

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/parallel"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// Touch is how close, in nanometres, two pieces of copper count as one: twice what
// a flattened curve may stray. No process keeps such a gap open.
const Touch = 500

// HoleTouch is how close to the barrel of a plated hole copper counts as joined to it:
// holes are drilled wider than they end up, by twice their plating.
const HoleTouch = 25_000

// Copper is that of a whole board. It is never changed once made.
type Copper struct {
	Board   *pcb.Board
	Layers  []*Layer // in the order of [pcb.Board.Copper]
	Islands []Island
	Nodes   []Node
	Holes   []int32  // node of every hole of the board; -1 where it joins nothing
	Assumed []string // in words
}

// Layer is the copper of one layer.
type Layer struct {
	Layer *pcb.Layer
	Index *shape.Index // of the items' bounds
	Items []Item       // in drawing order
	Outer bool         // top or bottom
	Exact bool         // nothing was erased: every item is what one feature drew
}

// Item is one piece of copper that one feature made.
type Item struct {
	Shape    shape.Shape
	Feature  int32 // index into Layer.Features; -1 for what is left of a negative plane
	Net, Pin int32 // of the feature, as the files state it; 0 is none
	Island   int32 // index into Copper.Islands
	Node     int32 // index into Copper.Nodes
	Function pcb.Function
	Cut      bool // part of it was erased
}

// Island is copper of one layer that hangs together.
type Island struct {
	Layer int32   // index into Copper.Layers
	Node  int32   // index into Copper.Nodes
	Items []int32 // of the layer, by rising index
	Box   geom.Box
}

// Node is copper that hangs together through plated holes.
type Node struct {
	Islands []int32
	Holes   []int32 // indexes into Board.Holes
}

// Extract works out the copper of a board; it fails when ctx ends, or the budget in it
// does.
func Extract(ctx context.Context, b *pcb.Board) (*Copper, error) {
	layers := b.Copper()
	c := &Copper{Board: b, Layers: make([]*Layer, len(layers))}
	plane := sync.OnceValue(func() base { return boardArea(b) })
	joined, errs := make([]shape.Sets, len(layers)), make([]error, len(layers))
	err := parallel.Run(ctx, len(layers), func(i int) {
		ctx := pcb.FileContext(ctx, layers[i].File)
		if c.Layers[i], errs[i] = layerOf(ctx, layers[i], plane); errs[i] == nil {
			joined[i], errs[i] = touching(ctx, c.Layers[i])
		}
	})
	if err != nil {
		return nil, err
	}
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("copper of layer %q: %w", layers[i].Name, err)
		}
	}
	if slices.ContainsFunc(layers, func(l *pcb.Layer) bool { return l.Negative }) && plane().assumed != "" {
		c.Assumed = append(c.Assumed, plane().assumed)
	}
	c.islands(joined)
	if err := c.nodes(ctx); err != nil {
		return nil, fmt.Errorf("joining layers: %w", err)
	}
	return c, nil
}

func layerOf(ctx context.Context, l *pcb.Layer, plane func() base) (*Layer, error) {
	out := &Layer{Layer: l, Outer: l.Side == pcb.Top || l.Side == pcb.Bottom}
	var err error
	if out.Items, out.Exact, err = resolve(ctx, l); err != nil {
		return nil, err
	}
	if l.Negative {
		out.Exact = false
		if out.Items, err = invert(ctx, plane(), out.Items); err != nil {
			return nil, err
		}
	}
	boxes := make([]geom.Box, len(out.Items))
	for i := range out.Items {
		boxes[i] = out.Items[i].Shape.Bounds()
	}
	out.Index = shape.NewIndex(boxes).SetMeter(pcb.MeterOf(ctx))
	return out, nil
}

// Node is the node of an item.
func (c *Copper) Node(layer, item int) int32 { return c.Layers[layer].Items[item].Node }

// VisitNear calls yield with each item at most reach from a shape, its distance (0 or
// less when they touch) and the points between which it is, on s and on the item,
// until yield returns false.
func (l *Layer) VisitNear(s *shape.Shape, reach float64, yield func(i int, d float64, onS, onItem geom.Point) bool) {
	l.Index.Search(s.Bounds().Grow(int64(reach)+1), func(i int) bool {
		if d, p, q, ok := s.DistWithin(&l.Items[i].Shape, reach); ok {
			return yield(i, d, p, q)
		}
		return true
	})
}

// Covers reports whether an item covers p.
func (l *Layer) Covers(p geom.Point) bool {
	covered := false
	l.VisitAt(p, func(int) bool {
		covered = true
		return false
	})
	return covered
}

// VisitAt calls yield with each item that covers p until it returns false.
func (l *Layer) VisitAt(p geom.Point, yield func(i int) bool) {
	l.Index.Search(geom.BoxOf(p), func(i int) bool {
		if l.Items[i].Shape.Contains(p) {
			return yield(i)
		}
		return true
	})
}

// FeatureOf is the feature that an item comes from; nil for a negative plane.
func (l *Layer) FeatureOf(i int) *pcb.Feature {
	if f := l.Items[i].Feature; f >= 0 {
		return &l.Layer.Features[f]
	}
	return nil
}
