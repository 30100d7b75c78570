// Package netlist joins the netlist that lies beside a board's artwork to the board: nets,
// pins, and the sizes of holes that no drill file states.
package netlist

import (
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/format/ipc356"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/places"
)

// A Joiner joins netlists to a board. It changes the board's nets, pins, components, facts
// and the sizes of its holes.
type Joiner struct {
	group.Upload
	*findings.List
	Board *pcb.Board
}

// Join reads the netlist that lies with this board.
func (s Joiner) Join() {
	for i, r := range s.Set.Results {
		if r.Format != classify.FormatNetlist || !s.LiesBeside(r) || r.Used {
			continue
		}
		n := ipc356.Read(s.Files[i].Data)
		s.Result(i).Use(s.Board.Name)
		for _, f := range n.Findings {
			f.File = r.Name
			s.Add(f)
		}
		s.join(n, pcb.Source{File: r.Name})
	}
}

// join takes over nets, pins and what size the netlist knows.
func (s Joiner) join(n *ipc356.Netlist, src pcb.Source) {
	b := s.Board
	shift := s.findShift(n)
	names := s.indexNets(n)
	for _, p := range n.Points {
		at := p.At.Add(shift)
		if p.Ref == "" || p.Kind == ipc356.Tooling {
			continue
		}
		pin := &b.Pins[b.Pin(p.Ref, p.Pin)]
		if pin.Net == 0 {
			pin.Net = names[p.Net]
		}
		side := pcb.NoSide
		if p.Kind == ipc356.Surface || p.Diameter == 0 && p.Access > 0 { // edge fingers come as either
			side = pcb.Bottom
			if p.Access == 1 {
				side = pcb.Top
			}
		}
		if !pin.HasAt {
			pin.At, pin.HasAt, pin.Side = at, true, side
		} else if pin.At == at && pin.Side != side {
			pin.Side = pcb.NoSide // a land on either side, without a hole
		}
	}
	s.stateSize(n, src)
	s.nameNets(n, names, shift)
	s.sizeHoles(n, shift, src)
}

// nameColumns is how much of a net's name fits into a netlist, in capitals.
const nameColumns = 14

// indexNets finds the board's net for every name of a netlist. Netlists cut
// names short and write them in capitals, so a net that the artwork names is
// known by its pins, else by what is left of its name; others are new.
func (s Joiner) indexNets(n *ipc356.Netlist) map[string]int32 {
	b := s.Board
	short := map[string]int32{}
	for i := len(b.Nets) - 1; i > 0; i-- {
		short[shortenName(b.Nets[i].Name)] = int32(i)
	}
	known := map[pinName]int32{}
	for _, p := range b.Pins {
		if p.Component >= 0 && p.Net > 0 {
			known[pinName{b.Components[p.Component].Ref, p.Number}] = p.Net
		}
	}
	votes := map[string]map[int32]int{}
	for _, p := range n.Points {
		if net := known[pinName{p.Ref, p.Pin}]; net > 0 && p.Net != "" {
			if votes[p.Net] == nil {
				votes[p.Net] = map[int32]int{}
			}
			votes[p.Net][net]++
		}
	}
	names := map[string]int32{"": 0}
	for name, v := range votes {
		names[name] = electNet(v)
	}
	for _, p := range n.Points {
		if _, done := names[p.Net]; done {
			continue
		}
		if net, ok := short[shortenName(p.Net)]; ok {
			names[p.Net] = net
		} else {
			names[p.Net] = b.Net(p.Net)
		}
	}
	return names
}

// electNet is the net with most votes, the first of equals.
func electNet(votes map[int32]int) int32 {
	best := int32(0)
	for net, n := range votes {
		if best == 0 || n > votes[best] || n == votes[best] && net < best {
			best = net
		}
	}
	return best
}

type pinName struct{ ref, pin string }

func shortenName(name string) string {
	name = strings.ToUpper(name)
	return name[:min(len(name), nameColumns)]
}

// stateSize takes the size of a netlist's outline where no outline file says how
// large the board is.
func (s Joiner) stateSize(n *ipc356.Netlist, src pcb.Source) {
	f := &s.Board.Facts
	box := geom.EmptyBox()
	for _, p := range n.Outline {
		box = box.Union(p.Bounds())
	}
	if !box.Empty() {
		f.Width.Offer(pcb.State(box.Width(), src, 0.75, "outline in the netlist"))
		f.Height.Offer(pcb.State(box.Height(), src, 0.75, "outline in the netlist"))
	}
}

// nameNets gives nets to holes and flashes at the netlist's places.
func (s Joiner) nameNets(n *ipc356.Netlist, names map[string]int32, shift geom.Point) {
	b := s.Board
	nets := make(map[geom.Point]int32, len(n.Points))
	for _, p := range n.Points {
		if p.Net != "" {
			nets[places.Round(p.At.Add(shift))] = names[p.Net]
		}
	}
	at := func(p geom.Point) int32 {
		g := places.Round(p)
		for dx := int64(-1); dx <= 1; dx++ {
			for dy := int64(-1); dy <= 1; dy++ {
				if v := nets[geom.Pt(g.X+dx, g.Y+dy)]; v != 0 {
					return v
				}
			}
		}
		return 0
	}
	for i := range b.Holes {
		if h := &b.Holes[i]; h.Net == 0 && h.Plating != pcb.NonPlated {
			h.Net = at(h.A.Mid(h.B))
		}
	}
}

// sizeHoles gives holes without a size the one that the netlist has for their
// place: rout files often leave it out.
func (s Joiner) sizeHoles(n *ipc356.Netlist, shift geom.Point, src pcb.Source) {
	sizes := map[geom.Point]ipc356.Point{}
	for _, p := range n.Points {
		if p.Diameter > 0 {
			sizes[places.Round(p.At.Add(shift))] = p
		}
	}
	found := 0
	for i := range s.Board.Holes {
		h := &s.Board.Holes[i]
		p, ok := sizes[places.Round(h.A.Mid(h.B))]
		if h.Diameter > 0 || !ok {
			continue
		}
		switch {
		case h.Kind == pcb.DrillHole:
			h.Diameter = p.Diameter
		case p.Height > 0: // width and height may be those of the pad round the slot
			h.Diameter = min(p.Diameter, p.Width, p.Height)
		default:
			continue
		}
		if h.Plating == pcb.PlatingUnknown {
			h.Plating = p.Plating
		}
		found++
	}
	if found > 0 {
		s.dropSettled()
		s.Add(pcb.Finding{
			Code: "hole_size_from_netlist", Level: pcb.Note, File: src.File, Count: found,
			Message: fmt.Sprintf("%d holes have no size in the drill files; the netlist gives it", found),
		})
	}
}

// dropSettled takes back the findings on tools without a size in files all of
// whose holes have one now.
func (s Joiner) dropSettled() {
	open := map[string]bool{}
	for i := range s.Board.Holes {
		if h := &s.Board.Holes[i]; h.Diameter == 0 {
			open[s.Source(h).File] = true
		}
	}
	s.Board.Findings = slices.DeleteFunc(s.Board.Findings, func(f pcb.Finding) bool {
		return f.Code == "drill_no_size" && !open[f.File]
	})
}

// findShift is how far the netlist's origin lies from that of the drills:
// zero when its holes lie where they are drilled, else what brings most of them
// there.
func (s Joiner) findShift(n *ipc356.Netlist) geom.Point {
	drilled := places.Holes{}
	box := geom.EmptyBox()
	for i := range s.Board.Holes {
		h := &s.Board.Holes[i]
		drilled.Add(places.Hole{X: h.A.X, Y: h.A.Y}, 0, 0)
		box = box.Add(h.A)
	}
	mine := geom.EmptyBox()
	var sample []geom.Point
	for _, p := range n.Points {
		if p.Diameter > 0 {
			mine = mine.Add(p.At)
			if len(sample) < 500 {
				sample = append(sample, p.At)
			}
		}
	}
	if len(sample) == 0 || box.Empty() {
		return geom.Point{}
	}
	best, most := geom.Point{}, countHits(drilled, sample, geom.Point{})
	for _, s := range []geom.Point{box.Min.Sub(mine.Min), box.Max.Sub(mine.Max)} {
		if k := countHits(drilled, sample, s); k > most {
			best, most = s, k
		}
	}
	return best
}

func countHits(drilled places.Holes, sample []geom.Point, shift geom.Point) int {
	n := 0
	for _, p := range sample {
		if drilled.Has(places.Hole{X: p.X + shift.X, Y: p.Y + shift.Y}, 0, 0) {
			n++
		}
	}
	return n
}
