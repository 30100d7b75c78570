package check

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/shape"
)

// shorts finds copper that is said to be of two nets, and where they meet.
func (n *netting) shorts(ctx context.Context) result {
	var at places
	var all []string
	for node := range n.stated {
		if len(n.stated[node]) < 2 || ctx.Err() != nil {
			continue
		}
		w := newSpread(n, int32(node))
		w.run(ctx)
		for _, m := range w.meetings() {
			at.at(n.shortPlace(m))
			all = append(all, fmt.Sprintf("%s and %s%s", n.in.netName(m.nets[0]), n.in.netName(m.nets[1]), n.where(m)))
		}
	}
	slices.Sort(all)
	return found(Short, MustFix, func(count int) string {
		return fmt.Sprintf("%s: copper joins %s.", plural(count, "short"), listed(all, "; "))
	}, &at)
}

// listed joins words, the first dozen of them.
func listed(all []string, by string) string {
	const most = 12
	if len(all) > most {
		return strings.Join(all[:most], by) + fmt.Sprintf("%sand %d more", by, len(all)-most)
	}
	return strings.Join(all, by)
}

func (n *netting) where(m meeting) string {
	return fmt.Sprintf(" (%s, at %s)", n.c.Layers[m.layer].Layer.Name, position(m.at))
}

// position writes a place for people, in millimetres.
func position(p geom.Point) string {
	return fmt.Sprintf("%.2f, %.2f mm", geom.ToMM(p.X), geom.ToMM(p.Y))
}

func (n *netting) shortPlace(m meeting) Place {
	l := n.c.Layers[m.layer]
	p := Place{Layer: l.Layer.Name, At: m.at, To: m.at}
	for k := range 2 {
		p.Nets[k] = n.in.netName(m.nets[k])
		p.Objects[k] = n.in.object(l, int(m.items[k]))
	}
	return p
}

// A spot is an item of a layer.
type spotOn struct{ layer, item int32 }

// A meeting is where the copper of two nets touches.
type meeting struct {
	layer int32
	items [2]int32
	nets  [2]int32
	at    geom.Point
	far   int // how many items without a net lie between the two
}

// A spread walks a node's copper from what is said to be of a net to what is not,
// and notes where two nets meet.
type spread struct {
	n     *netting
	node  int32
	owner map[spotOn]int32 // net
	steps map[spotOn]int
	queue []spotOn
	skip  map[spotOn]bool // parts that join nets on purpose
	holes map[spotOn][]int32
	met   map[[2]int32][]meeting
}

func newSpread(n *netting, node int32) *spread {
	s := &spread{n: n, node: node, owner: map[spotOn]int32{}, steps: map[spotOn]int{}, skip: map[spotOn]bool{},
		holes: map[spotOn][]int32{}, met: map[[2]int32][]meeting{}}
	for _, island := range n.c.Nodes[node].Islands {
		d := &n.c.Islands[island]
		for _, i := range d.Items {
			s.start(spotOn{d.Layer, i})
		}
	}
	for _, h := range n.c.Nodes[node].Holes {
		s.eachOfHole(h, func(at spotOn) { s.holes[at] = append(s.holes[at], h) })
	}
	s.startPins()
	return s
}

func (s *spread) start(at spotOn) {
	it := &s.n.c.Layers[at.layer].Items[at.item]
	if len(s.n.ties) > 0 && s.n.tied(it.Pin) {
		s.skip[at] = true
		return
	}
	if net := s.n.labels[at.layer][at.item]; net != 0 {
		s.take(at, net, 0)
	}
}

// startPins begins at pins that are known by the hole that they are in.
func (s *spread) startPins() {
	for i := range s.n.pads {
		t := &s.n.pads[i]
		if t.node != s.node || t.item >= 0 || s.n.tied(t.pin) {
			continue
		}
		for _, h := range s.n.c.Nodes[s.node].Holes {
			hole := &s.n.in.board.Holes[h]
			if hole.A.Mid(hole.B).Dist(t.at) > 4*float64(placeGrid) {
				continue
			}
			s.eachOfHole(h, func(at spotOn) {
				if s.owner[at] == 0 && !s.skip[at] {
					s.take(at, t.net, 0)
				}
			})
		}
	}
}

func (s *spread) take(at spotOn, net int32, steps int) {
	s.owner[at], s.steps[at] = net, steps
	s.queue = append(s.queue, at)
}

// eachOfHole calls yield with the copper that a hole's wall joins.
func (s *spread) eachOfHole(h int32, yield func(spotOn)) {
	hole := &s.n.in.board.Holes[h]
	for _, wall := range shape.AppendHole(nil, s.n.in.board, hole) {
		for k, l := range s.n.c.Layers {
			if !copper.Spans(hole, l.Layer) {
				continue
			}
			l.Near(&wall, copper.HoleTouch, func(i int, _ float64, _, _ geom.Point) bool {
				yield(spotOn{int32(k), int32(i)})
				return true
			})
		}
	}
}

func (s *spread) run(ctx context.Context) {
	s.skipTies()
	for i := 0; i < len(s.queue); i++ {
		if i%1024 == 0 && ctx.Err() != nil {
			return
		}
		s.visit(s.queue[i])
	}
}

// skipTies leaves out the copper between a tie's pads too: it has no net of its own.
func (s *spread) skipTies() {
	var pads []spotOn
	for at := range s.skip {
		pads = append(pads, at)
	}
	for _, at := range pads {
		l := s.n.c.Layers[at.layer]
		l.Near(&l.Items[at.item].Shape, copper.Touch, func(i int, _ float64, _, _ geom.Point) bool {
			if next := (spotOn{at.layer, int32(i)}); s.n.labels[at.layer][int32(i)] == 0 {
				s.skip[next] = true
			}
			return true
		})
	}
}

func (s *spread) visit(at spotOn) {
	l := s.n.c.Layers[at.layer]
	l.Near(&l.Items[at.item].Shape, copper.Touch, func(i int, _ float64, p, _ geom.Point) bool {
		if int32(i) != at.item {
			s.reach(at, spotOn{at.layer, int32(i)}, p)
		}
		return true
	})
	for _, h := range s.holes[at] {
		hole := &s.n.in.board.Holes[h]
		s.eachOfHole(h, func(next spotOn) {
			if next != at {
				s.reach(at, next, hole.A.Mid(hole.B))
			}
		})
	}
}

func (s *spread) reach(from, to spotOn, p geom.Point) {
	if s.skip[to] {
		return
	}
	mine, other := s.owner[from], s.owner[to]
	switch {
	case other == 0:
		s.take(to, mine, s.steps[from]+1)
	case other != mine:
		s.meet(from, to, p)
	}
}

func (s *spread) meet(a, b spotOn, p geom.Point) {
	na, nb := s.owner[a], s.owner[b]
	if nb < na {
		a, b, na, nb = b, a, nb, na
	}
	m := meeting{layer: a.layer, items: [2]int32{a.item, b.item}, nets: [2]int32{na, nb}, at: p, far: s.steps[a] + s.steps[b]}
	if a.layer != b.layer { // through a hole: both items named by the first one's layer
		m.items[1] = a.item
	}
	s.met[m.nets] = append(s.met[m.nets], m)
}

// apart is how far meetings of the same two nets lie apart to be told one by one.
const apart = geom.Millimetre

// meetings gives the places to tell of: of each two nets those where they touch
// most directly, one for each part of the board.
func (s *spread) meetings() []meeting {
	var out []meeting
	for _, all := range s.met {
		slices.SortFunc(all, func(a, b meeting) int {
			return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.layer, b.layer), cmp.Compare(a.at.X, b.at.X), cmp.Compare(a.at.Y, b.at.Y))
		})
		first := len(out)
		for _, m := range all {
			if m.far == all[0].far && !slices.ContainsFunc(out[first:], func(o meeting) bool { return o.at.Dist(m.at) < float64(apart) }) {
				out = append(out, m)
			}
		}
	}
	return out
}
