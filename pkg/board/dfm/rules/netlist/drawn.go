package netlist

import (
	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/shape"
)

// drawn reports whether what joins two nets is copper that its file states to be no
// conductor, which touches nothing but pads and vias: an antenna that was drawn from where
// it is fed to where it is grounded, or a net tie. Lettering across tracks is none.
func (s *spread) drawn(m *meeting) bool {
	if !s.n.named {
		return false
	}
	var own []int32
	for _, at := range m.items {
		if k := s.g.number[at]; s.steps[k] > 0 {
			own = append(own, k)
		}
	}
	seen := map[int32]bool{}
	for i := 0; i < len(own); i++ {
		k := own[i]
		if seen[k] {
			continue
		}
		seen[k] = true
		at := s.g.spots[k]
		if len(seen) > coilCopper || s.n.c.Layers[at.layer].Items[at.item].Function != board.FuncNonConductor {
			return false
		}
		for _, j := range s.g.joints[k] {
			switch {
			case s.steps[j.to] > 0:
				own = append(own, j.to)
			case !s.isFlash(s.g.spots[j.to]) && !s.onPad(s.g.spots[j.to], j):
				return false
			}
		}
	}
	return len(seen) > 0
}

// onPad reports whether the place where an item is met is on a pad or a via of its own net:
// a track that ends there, or a pour round it.
func (s *spread) onPad(at spotOn, j joint) bool {
	found := false
	probe := shape.Circle(j.at, 2*placeGrid)
	s.n.c.Layers[at.layer].Near(&probe, 0, func(i int, _ float64, _, _ geom.Point) bool {
		found = s.isFlash(spotOn{at.layer, int32(i)}) && s.n.labels[at.layer][i] == s.owner[j.to]
		return !found
	})
	return found
}
