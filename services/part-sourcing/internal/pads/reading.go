package pads

import (
	"cmp"
	"math"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/services/part-sourcing/internal/placement"
)

// A Reading is what a list of placements may mean: which numbers and which side.
type Reading struct {
	Unit      placement.Unit // that the numbers are in, where the list says another one; else 0
	OtherSide bool           // parts lie on the other side than the list says
	MirrorX   bool           // x grows to the left
	MirrorY   bool           // y grows downwards
	Offset    geom.Point     // is added to what comes of that

	scale float64
}

// place is where a point of the list lies on the board.
func (r Reading) place(p geom.Point) geom.Point {
	if r.Unit != 0 {
		p = geom.Pt(int64(math.Round(float64(p.X)*r.scale)), int64(math.Round(float64(p.Y)*r.scale)))
	}
	if r.MirrorX {
		p.X = -p.X
	}
	if r.MirrorY {
		p.Y = -p.Y
	}
	return p.Add(r.Offset)
}

func (r Reading) side(s placement.Side) placement.Side {
	switch {
	case !r.OtherSide:
		return s
	case s == placement.Bottom:
		return placement.Top
	}
	return placement.Bottom
}

// Apply gives a part as the reading has it.
func (r Reading) Apply(q placement.Part) placement.Part {
	q.At, q.Side = r.place(q.At), r.side(q.Side)
	return q
}

// count is how many samples lie on their pads.
func (p *Pads) count(list []sample, r Reading) (n int) {
	for i := range list {
		if q := list[i].part; p.liesOn(&list[i], r.place(q.At), r.side(q.Side)) {
			n++
		}
	}
	return n
}

// readingsInPlace are readings that move nothing by an offset that has to be looked for, the likely
// ones first.
func (p *Pads) readingsInPlace(unit placement.Unit) (out []Reading) {
	forms := []Reading{{}, {OtherSide: true}, {MirrorX: true}, {MirrorX: true, OtherSide: true}, {MirrorY: true}, {MirrorY: true, OtherSide: true}}
	out = append(out, forms...)
	if !p.frame.Empty() {
		middle := geom.Pt(p.frame.Min.X+p.frame.Max.X, 0)
		out = append(out, Reading{MirrorX: true, Offset: middle}, Reading{MirrorX: true, OtherSide: true, Offset: middle})
	}
	for _, u := range units {
		for _, r := range forms {
			if u != unit {
				out = append(out, r.changeUnit(u, unit))
			}
		}
	}
	return out
}

// units that people mean where they write another one.
var units = []placement.Unit{placement.Millimetre, placement.Inch, placement.Mil}

// changeUnit is the reading of a list whose numbers are in another unit than it says.
func (r Reading) changeUnit(u, listed placement.Unit) Reading {
	r.Unit, r.scale = u, float64(u)/float64(listed)
	return r
}

// readingsToMove are readings whose offset has to be looked for.
func (p *Pads) readingsToMove(unit placement.Unit) (out []Reading) {
	out = []Reading{{}, {MirrorX: true}, {OtherSide: true}, {OtherSide: true, MirrorX: true}, {MirrorY: true}, {MirrorY: true, OtherSide: true}}
	for _, u := range units {
		if u != unit {
			out = append(out, Reading{}.changeUnit(u, unit), Reading{MirrorX: true}.changeUnit(u, unit))
		}
	}
	return out
}

const (
	voters = 48 // samples that an offset is looked for with
	tried  = 6  // offsets with the most votes, of which the best is taken
	bin    = geom.Millimetre / 4
	// maxVotes bounds the work of looking for an offset.
	maxVotes = 2_000_000
)

// search gives the reading with the offset by which most samples lie on their pads.
func (p *Pads) search(list []sample, r Reading) (best Reading, most int) {
	votes := p.vote(list, r)
	var all []candidate
	at := func(k geom.Point, x, y int64) int { return votes[k.Add(geom.Pt(x, y))].n }
	for k, b := range votes {
		all = append(all, candidate{k, b.n + max(at(k, 1, 0), at(k, -1, 0)) + max(at(k, 0, 1), at(k, 0, -1))})
	}
	for _, c := range rankCandidates(all, tried) {
		r.Offset = c.offset()
		r.Offset = r.Offset.Add(p.residue(list, r))
		if n := p.count(list, r); n > most {
			best, most = r, n
		}
	}
	return best, most
}

// A candidate is an offset, by the bin that it lies in, and how many votes it has.
type candidate struct {
	at geom.Point
	n  int
}

func (c candidate) offset() geom.Point { return geom.Pt(c.at.X*bin+bin/2, c.at.Y*bin+bin/2) }

// rankCandidates gives the candidates with the most votes, at most n of them.
func rankCandidates(all []candidate, n int) []candidate {
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.at.X, b.at.X), cmp.Compare(a.at.Y, b.at.Y))
	})
	return all[:min(len(all), n)]
}

// A ballot is how many samples an offset brings on pads, and the last of them: pads in
// rows would vote for one several times.
type ballot struct{ n, last int }

// vote counts by how many samples each offset brings on pads.
func (p *Pads) vote(list []sample, r Reading) map[geom.Point]ballot {
	votes, cast := map[geom.Point]ballot{}, 0
	step := max(1, len(list)/voters)
	for i := 0; i < len(list) && cast < maxVotes; i += step {
		s := &list[i]
		at := r.place(s.part.At)
		for _, t := range p.targets(s, r.side(s.part.Side)) {
			k := key(t.Sub(at), bin)
			if b := votes[k]; b.last != i+1 {
				votes[k] = ballot{b.n + 1, i + 1}
			}
			cast++
		}
	}
	return votes
}

// residue is by how much samples lie beside the nearest of their places yet, in the middle.
func (p *Pads) residue(list []sample, r Reading) geom.Point {
	var x, y []int64
	step := max(1, len(list)/voters)
	for i := 0; i < len(list); i += step {
		s := &list[i]
		at, nearest, found := r.place(s.part.At), float64(2*bin), geom.Point{}
		for _, t := range p.targets(s, r.side(s.part.Side)) {
			if d := t.Dist(at); d < nearest {
				nearest, found = d, t.Sub(at)
			}
		}
		if nearest < float64(2*bin) {
			x, y = append(x, found.X), append(y, found.Y)
		}
	}
	if len(x) == 0 {
		return geom.Point{}
	}
	slices.Sort(x)
	slices.Sort(y)
	return geom.Pt(x[len(x)/2], y[len(y)/2])
}
