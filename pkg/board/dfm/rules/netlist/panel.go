package netlist

import (
	"context"
	"math"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// A panelCut is where a panel comes apart: scores, rows of holes along which tabs break,
// and the slots between boards. Boards in a panel may share names of nets, which no
// copper joins.
type panelCut struct {
	n    *netting
	rows []geom.Edge // scores, and from one hole of a row to the next
	tabs bool        // slots are between boards: tabs hold these, or they are in pieces
}

const (
	biteSize = 1200 * geom.Micrometre // the largest hole of a row that breaks
	biteRow  = 4                      // how many make a row; fewer where they lead across a tab
	tabRows  = 2                      // how many rows there are at least: a tab has one or two
)

func (n *netting) panelCut() *panelCut {
	p := &panelCut{n: n}
	rows := n.biteRows()
	p.tabs = len(rows) >= tabRows || len(n.in.Board.Outline.Areas) > 1
	for _, row := range rows {
		p.rows = append(p.rows, row...)
	}
	for _, s := range n.in.Scored().Rims {
		p.rows = append(p.rows, s.Edge())
	}
	return p
}

// biteRows finds rows of equal small holes close together, without copper: where a tab
// breaks. Each is given as the lines from hole to hole.
func (n *netting) biteRows() [][]geom.Edge {
	var bites []geom.Point
	var size []int64
	var breaks []bool // across a tab or along the edge
	t := n.in.Drills()
	for i := range t.List {
		d := &t.List[i]
		if !d.Twice && d.Kind == pcb.DrillHole && d.Diameter <= biteSize && n.c.Holes[d.At] < 0 {
			bites, size, breaks = append(bites, d.A), append(size, d.Diameter), append(breaks, n.in.Breaks()[d.At])
		}
	}
	if !n.in.Meter.SpendTimes(pcb.Lookups, len(bites), len(bites)) {
		return nil
	}
	row := make([]int, len(bites)) // of each hole, as the first of it
	for i := range row {
		row[i] = i
	}
	edges := map[int][]geom.Edge{}
	for i := range bites {
		for j := range i {
			if size[i] != size[j] || bites[i].Dist(bites[j]) > 2.5*float64(size[i]) {
				continue
			}
			from, to := row[i], row[j]
			if from == to {
				continue // joined by others between
			}
			for k := range row {
				if row[k] == from {
					row[k] = to
				}
			}
			edges[to] = append(append(edges[to], edges[from]...), geom.Line(bites[i], bites[j]))
			delete(edges, from)
		}
	}
	var out [][]geom.Edge
	for k := range bites {
		if len(edges[k]) >= biteRow-1 || breaks[k] && len(edges[k]) > 0 {
			out = append(out, edges[k])
		}
	}
	return out
}

// hasCuts reports whether there is any such place.
func (p *panelCut) hasCuts() bool { return p.tabs || len(p.rows) > 0 }

// separates reports whether a connection would lead from one board of a panel to another.
func (p *panelCut) separates(g gapBetween) bool {
	if g.a.node < 0 || g.b.node < 0 || !p.hasCuts() {
		return false
	}
	const step = 500 * geom.Micrometre // narrower than a cutter
	line := geom.Line(g.a.at, g.b.at)
	parts := int(math.Ceil(line.Len() / float64(step)))
	if !p.n.in.Meter.Spend(pcb.Lookups, len(p.rows)+parts) {
		return false
	}
	if slices.ContainsFunc(p.rows, func(e geom.Edge) bool { d, _, _ := line.Dist(e); return d <= 0 }) {
		return true
	}
	if !p.tabs {
		return false
	}
	for i := 1; i < parts; i++ {
		t := float64(i) / float64(parts)
		at := geom.Pt(g.a.at.X+int64(t*float64(g.b.at.X-g.a.at.X)), g.a.at.Y+int64(t*float64(g.b.at.Y-g.a.at.Y)))
		if !p.n.in.Border().Contains(at) {
			return true
		}
	}
	return false
}

// split takes the connections between boards of a panel out of those that are missing.
func (p *panelCut) split(ctx context.Context, all []brokenNet) (sure, apart []brokenNet) {
	held := p.n.findSections(ctx)
	for _, b := range all {
		within, across := b, b
		within.gaps, across.gaps = nil, nil
		for _, g := range b.gaps {
			if p.separates(g) || held.separate(g) {
				across.gaps = append(across.gaps, g)
			} else {
				within.gaps = append(within.gaps, g)
			}
		}
		if len(within.gaps) > 0 || len(across.gaps) == 0 {
			sure = append(sure, within)
		}
		if len(across.gaps) > 0 {
			apart = append(apart, across)
		}
	}
	return sure, apart
}
