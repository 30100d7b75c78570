package netlist

import (
	"cmp"
	"context"
	"regexp"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// A meeting is where the copper of two nets touches.
type meeting struct {
	layer        int32
	items        [2]spotOn
	nets         [2]int32
	at           geom.Point
	far          int  // how many items without a net of their own lie between the two
	meant        bool // copper without a net joins pads of one part
	counterparts bool // pads of two parts lie on one hole
	drawn        bool // copper that is stated to be no conductor leads from pads to pads
	edge         bool // a stroke of no net leads along the line that the board is cut out on
}

// A spread walks a node's copper from what is said to be of a net to what is not,
// and finds where two nets meet. Areas without a net are taken last: they belong
// to the net that most of their neighbours belong to.
type spread struct {
	n       *netting
	node    int32
	without []bool // layers that are left out; nil for none
	g       *nodeGraph
	owner   []int32 // net of each spot
	steps   []int32 // from a spot that is said to be of the net
	queue   []int32
	areas   map[int32]map[int32]int // votes for the nets of areas without one
}

func newSpread(n *netting, node int32) *spread {
	return &spread{n: n, node: node, areas: map[int32]map[int32]int{}}
}

func (s *spread) run(ctx context.Context) {
	s.g = s.n.graph(ctx, s.node, s.without)
	s.owner, s.steps = make([]int32, len(s.g.spots)), make([]int32, len(s.g.spots))
	for k, at := range s.g.spots {
		if net := s.n.labels[at.layer][at.item]; net != 0 {
			s.take(int32(k), net, 0)
		}
	}
	s.startHoles()
	for {
		for len(s.queue) > 0 {
			k := s.queue[0]
			s.queue = s.queue[1:]
			s.visit(k)
		}
		if !s.n.in.Meter.Spend(pcb.Lookups, 1+len(s.areas)) || !s.takeArea() {
			return
		}
	}
}

// startHoles begins at pins that are known by the hole that they are in.
func (s *spread) startHoles() {
	for i := range s.n.pads {
		t := &s.n.pads[i]
		if t.node != s.node || t.hole < 0 || s.n.isTied(t.pin) {
			continue
		}
		s.n.visitHoleCopper(t.hole, func(at spotOn) {
			// What lies round the hole is its pad; what else the barrel meets may be another net's.
			if k, ok := s.g.number[at]; ok && s.owner[k] == 0 && s.isFlash(at) {
				s.take(k, t.net, 0)
			}
		})
	}
}

func (s *spread) isFlash(at spotOn) bool { return s.n.isFlash(at) }

func (n *netting) isFlash(at spotOn) bool {
	f := n.c.Layers[at.layer].FeatureOf(int(at.item))
	return f != nil && f.Kind == pcb.FlashFeature
}

func (s *spread) take(k, net, steps int32) {
	s.owner[k], s.steps[k] = net, steps
	s.queue = append(s.queue, k)
}

func (s *spread) visit(k int32) {
	if s.n.in.Meter.HasEnded() {
		return
	}
	for _, j := range s.g.joints[k] {
		if s.owner[j.to] != 0 {
			continue
		}
		if s.isArea(j.to) {
			if s.areas[j.to] == nil {
				s.areas[j.to] = map[int32]int{}
			}
			s.areas[j.to][s.owner[k]]++
			continue
		}
		s.take(j.to, s.owner[k], s.steps[k]+1)
	}
}

func (s *spread) isArea(k int32) bool {
	at := s.g.spots[k]
	f := s.n.c.Layers[at.layer].FeatureOf(int(at.item))
	return f == nil || f.Kind == pcb.RegionFeature
}

// takeArea gives the area with most votes its net.
func (s *spread) takeArea() bool {
	area, net, most := int32(-1), int32(0), 0
	for k, votes := range s.areas {
		for v, count := range votes {
			if count > most || count == most && (k < area || k == area && v < net) {
				area, net, most = k, v, count
			}
		}
	}
	if area < 0 {
		return false
	}
	delete(s.areas, area)
	s.take(area, net, 1)
	return true
}

// meetings gives the places to tell of: of each two nets those where they touch
// most directly, one for each part of the board.
func (s *spread) meetings() []meeting {
	met := map[[2]int32][]meeting{}
	for k := range s.g.joints {
		for _, j := range s.g.joints[k] {
			if int(j.to) > k && s.owner[k] != 0 && s.owner[j.to] != 0 && s.owner[k] != s.owner[j.to] {
				m := s.meeting(int32(k), j)
				met[m.nets] = append(met[m.nets], m)
			}
		}
	}
	var out []meeting
	for _, all := range met {
		slices.SortFunc(all, compareMeetings)
		counterparts := s.n.areJoinedByCounterparts(all[0].nets)
		for i := range all {
			all[i].counterparts = counterparts
			all[i].meant = s.joiner(&all[i]) || all[i].far > 0 && s.isWithinPart(&all[i]) || s.n.areLonePins(all[i].nets)
			all[i].edge = s.runsAlongEdge(&all[i])
			all[i].drawn = all[i].far > 0 && s.isDrawing(&all[i]) || s.antenna(&all[i])
		}
		for _, m := range thinOut(all) {
			out = append(out, s.moveToOneLayer(m, all))
		}
	}
	slices.SortFunc(out, func(a, b meeting) int {
		return cmp.Or(cmp.Compare(a.nets[0], b.nets[0]), cmp.Compare(a.nets[1], b.nets[1]), compareMeetings(a, b))
	})
	return out
}

func compareMeetings(a, b meeting) int {
	return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.layer, b.layer), cmp.Compare(a.at.X, b.at.X), cmp.Compare(a.at.Y, b.at.Y))
}

func (s *spread) meeting(k int32, j joint) meeting {
	a, b := k, j.to
	if s.owner[b] < s.owner[a] {
		a, b = b, a
	}
	return meeting{
		layer: s.g.spots[k].layer, items: [2]spotOn{s.g.spots[a], s.g.spots[b]},
		nets: [2]int32{s.owner[a], s.owner[b]}, at: j.at, far: int(s.steps[a] + s.steps[b]),
	}
}

// apart is how far meetings of the same two nets lie apart to be told one by one.
const apart = 3 * geom.Millimetre

// maxMeetings is how many places of the same two nets are told.
const maxMeetings = 50

// thinOut leaves one of the meetings that lie close together.
func thinOut(all []meeting) []meeting {
	var out []meeting
	for _, m := range all {
		if len(out) < maxMeetings && !slices.ContainsFunc(out, func(o meeting) bool { return o.at.Dist(m.at) < float64(apart) }) {
			out = append(out, m)
		}
	}
	return out
}

// moveToOneLayer moves a meeting by the barrel of a hole to the layer where the nets' copper
// touches beside that hole, where it does, so that the copper at fault is named. What the
// meeting was judged to be stays.
func (s *spread) moveToOneLayer(m meeting, all []meeting) meeting {
	const beside = geom.Millimetre
	if m.items[0].layer == m.items[1].layer || !s.n.in.Meter.Spend(pcb.Lookups, len(all)) {
		return m
	}
	for _, o := range all {
		if o.items[0].layer == o.items[1].layer && o.far <= m.far && o.at.Dist(m.at) < float64(beside) {
			m.layer, m.items, m.at = o.layer, o.items, o.at
			return m
		}
	}
	for i, at := range m.items {
		if s.isFlash(at) != s.isFlash(m.items[1-i]) && !s.isFlash(at) {
			m.layer = at.layer // the other is the hole's pad
		}
	}
	return m
}

// joinerPins is how many pins a part has at most that is there to join nets by
// pads that touch: Kelvin connections of shunts, star points.
const joinerPins = 3

// joiner reports whether what meets are pads of one small part, the halves of one land,
// or pads of one part of which one is left open: lands of a connector that touch, where
// the schematic leaves one of two contacts unconnected.
func (s *spread) joiner(m *meeting) bool {
	a, b := s.n.pin(m.items[0]), s.n.pin(m.items[1])
	if a == 0 || b == 0 {
		return false
	}
	one, other := &s.n.in.Board.Pins[a], &s.n.in.Board.Pins[b]
	c := one.Component
	return c >= 0 && c == other.Component && (s.n.counted[c] <= joinerPins || s.n.kelvin(c) || areLeadHalves(one.Number, other.Number) ||
		s.n.open(m.nets[0]) || s.n.open(m.nets[1]))
}

// shunts are resistors that currents are measured by: a lead has a land for the current
// and one for the sense line.
var shunts = regexp.MustCompile(`^(R|RS|RSH|RSENSE|RSHUNT|SH|SHUNT)\d`)

// kelvin reports whether a part is a resistor with two lands for each lead.
func (n *netting) kelvin(c int32) bool {
	return n.counted[c] <= 4 && shunts.MatchString(n.in.Board.Components[c].Ref)
}

// halves is the name of a land that is drawn in several pads: 2A, 2B.
var halves = regexp.MustCompile(`^(\d+)[A-Za-z]$`)

// areLeadHalves reports whether two pads are halves of the land of one lead.
func areLeadHalves(a, b string) bool {
	x, y := halves.FindStringSubmatch(a), halves.FindStringSubmatch(b)
	return x != nil && y != nil && x[1] == y[1]
}

// partCopper is how many items without a net the copper of a part may have; that of an
// antenna or a coil may have more.
const (
	partCopper = 32
	coilCopper = 4096
)

// coils are parts that are made of copper from one net to another.
var coils = regexp.MustCompile(`^(AE|ANT|L)\d`)

// isWithinPart reports whether what joins two nets is copper without a net that
// touches pads of one part on both: a closed jumper, a net tie.
func (s *spread) isWithinPart(m *meeting) bool {
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
	nets := map[int32]int{} // by component: bit 0 the first net, bit 1 the second
	for i := 0; i < len(own); i++ {
		if seen[own[i]] {
			continue
		}
		seen[own[i]] = true
		if len(seen) > coilCopper {
			return false
		}
		for _, j := range s.g.joints[own[i]] {
			if s.steps[j.to] > 0 {
				own = append(own, j.to)
				continue
			}
			s.note(nets, j.to, m)
		}
	}
	for c, both := range nets {
		if both == 3 && (len(seen) <= partCopper || c >= 0 && coils.MatchString(s.n.in.Board.Components[c].Ref)) {
			return true
		}
	}
	return false
}

func (s *spread) note(nets map[int32]int, k int32, m *meeting) {
	at := s.g.spots[k]
	pin := s.n.pin(at)
	if pin == 0 {
		return
	}
	for i, net := range m.nets {
		if s.owner[k] == net {
			nets[s.n.in.Board.Pins[pin].Component] |= 1 << i
		}
	}
}
