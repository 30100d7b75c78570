package shape

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// FindContained tells of each hole and slot of a board whether it lies wholly inside a larger
// one of the same layers and plating: once that is cut nothing of it is left, whichever is
// drilled first. Tools put such hits into the middle of slots, as the pad's own drill.
func FindContained(b *pcb.Board, m pcb.Meter) []bool {
	out := make([]bool, len(b.Holes))
	boxes := make([]geom.Box, len(b.Holes))
	var least, most int64
	for i := range b.Holes {
		h := &b.Holes[i]
		if boxes[i] = geom.EmptyBox(); !cuts(h) {
			continue
		}
		if boxes[i] = b.HoleBounds(h); least == 0 || h.Diameter < least {
			least = h.Diameter
		}
		most = max(most, h.Diameter)
	}
	if least == most {
		return out // of one size, none is larger
	}
	index, layers := NewIndex(boxes).SetMeter(m), len(b.Copper())
	for i := range b.Holes {
		h := &b.Holes[i]
		if !cuts(h) || h.Diameter == most {
			continue
		}
		index.Search(geom.BoxOf(h.A), func(j int) bool {
			out[i] = j != i && isInside(h, &b.Holes[j], layers)
			return !out[i]
		})
	}
	return out
}

// cuts tells of a hole whether it is a hit or a straight slot of a known size.
func cuts(h *pcb.Hole) bool {
	return h.Diameter > 0 && h.Kind != pcb.RoutedHole && h.Function != pcb.FuncBackDrill
}

// isInside tells whether h lies wholly within the larger hole g, but for rounding.
func isInside(h, g *pcb.Hole, layers int) bool {
	const rounding = float64(geom.Micrometre)
	switch {
	case g.Diameter <= h.Diameter:
		return false
	case g.Plating != h.Plating && g.Plating != pcb.PlatingUnknown && h.Plating != pcb.PlatingUnknown:
		return false
	case (g.From != h.From || g.To != h.To) && !(g.IsThrough(layers) && h.IsThrough(layers)):
		return false
	}
	axis, room := geom.Line(g.A, g.B), float64(g.Diameter-h.Diameter)/2+rounding
	for _, p := range [2]geom.Point{h.A, h.B} {
		if _, d := axis.Nearest(p); d > room {
			return false
		}
	}
	return true
}
