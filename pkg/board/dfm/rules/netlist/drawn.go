package netlist

import (
	"regexp"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// isDrawing reports whether what joins two nets is copper that its file states to be no
// conductor, or a part that is etched, which touches nothing but pads and vias: an antenna that was drawn from where
// it is fed to where it is grounded, or a net tie. Lettering across tracks is none.
func (s *spread) isDrawing(m *meeting) bool {
	if !s.n.named {
		return false
	}
	var own []int32
	for _, at := range m.items {
		if k := s.g.number[at]; s.steps[k] > 0 {
			own = append(own, k)
		}
	}
	seen, copper := map[int32]bool{}, false
	for i := 0; i < len(own); i++ {
		k := own[i]
		if seen[k] {
			continue
		}
		seen[k] = true
		at := s.g.spots[k]
		f := s.n.c.Layers[at.layer].Items[at.item].Function
		stated := f == pcb.FuncNonConductor || f == pcb.FuncEtched
		if len(seen) > coilCopper || !stated && !s.isFlash(at) { // a pad without a net may lead on from it
			return false
		}
		copper = copper || stated
		for _, j := range s.g.joints[k] {
			switch {
			case s.steps[j.to] > 0:
				own = append(own, j.to)
			case !s.isFlash(s.g.spots[j.to]) && !s.isOnPad(s.g.spots[j.to], j):
				return false
			}
		}
	}
	return copper
}

// antennas are parts that are made of copper, which may lead from where they are fed to
// where they are grounded.
var antennas = regexp.MustCompile(`(?i)^(AE|ANT|ANTENNA)_?\d|antenna|(^|[^A-Z])P?IFA([^A-Z]|$)|(^|[^A-Z])MIFA`)

// antennaCopper is from how long a piece of such a part is no mere pad.
const antennaCopper = 2500 * geom.Micrometre

// antenna reports whether what meets another net is the copper that an antenna is made of.
func (s *spread) antenna(m *meeting) bool {
	for _, at := range m.items {
		pin := s.n.pin(at)
		if pin <= 0 {
			continue
		}
		c := s.n.in.Board.Pins[pin].Component
		if c < 0 || int(c) >= len(s.n.in.Board.Components) {
			continue
		}
		p := &s.n.in.Board.Components[c]
		box := s.n.c.Layers[at.layer].Items[at.item].Shape.Bounds()
		if max(box.Width(), box.Height()) >= antennaCopper && (antennas.MatchString(p.Ref) || antennas.MatchString(packageOf(p))) {
			return true
		}
	}
	return false
}

// isOnPad reports whether the place where an item is met is on a pad or a via of its own net:
// a track that ends there, or a pour round it.
func (s *spread) isOnPad(at spotOn, j joint) bool {
	found := false
	probe := shape.Circle(j.at, 2*placeGrid)
	s.n.c.Layers[at.layer].VisitNear(&probe, 0, func(i int, _ float64, _, _ geom.Point) bool {
		found = s.isFlash(spotOn{at.layer, int32(i)}) && s.n.labels[at.layer][i] == s.owner[j.to]
		return !found
	})
	return found
}

// runsAlongEdge reports whether what meets copper of another net is a stroke without a net whose
// middle line is that of the board's edge: the outline, or a corner of it, plotted on the
// copper. The cutter takes it, but for half of its width.
func (s *spread) runsAlongEdge(m *meeting) bool {
	if !s.n.in.Board.Outline.Closed {
		return false
	}
	for _, at := range m.items {
		l := s.n.c.Layers[at.layer]
		f := l.FeatureOf(int(at.item))
		if s.n.labels[at.layer][at.item] == 0 && f != nil && (f.Kind == pcb.LineFeature || f.Kind == pcb.ArcFeature) && f.A != f.B && s.n.in.Border().HasLine(l.Layer.Edge(f)) {
			return true
		}
	}
	return false
}
