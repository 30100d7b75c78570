package pcb

import (
	"cmp"
	"slices"

	"boardorder/pkg/board/geom"
)

// ScoredConfidence is how sure pieces that share straight edges alone make it that a board
// is a panel.
const ScoredConfidence = 0.75

// Bounds on straight edges that pieces of an outline share.
const (
	sharedPlay = geom.Micrometre      // between them; no cutter leaves both boards whole
	minShare   = geom.Millimetre * 10 // in length, or half of the shorter piece's side
	maxShared  = 200_000              // edges that are looked at; more are a drawing
)

// IsScored tells whether all pieces of the outline hang together by level or upright edges that
// two of them share: boards are drawn so that are parted by a V-score, for a cutter takes its
// own width from between them. A line that would run on through a piece is no score.
func (o Outline) IsScored() bool {
	if len(o.Areas) < 2 {
		return false
	}
	sides, ok := o.sides()
	if !ok {
		return false
	}
	root := make([]int, len(o.Areas))
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			i = root[i]
		}
		return i
	}
	apart, looked := len(o.Areas), 0
	for i, a := range sides {
		for _, b := range sides[i+1:] {
			if looked++; looked > maxShared {
				return false
			}
			if b.axis != a.axis || b.at-a.at > sharedPlay {
				break
			}
			x, y := find(a.piece), find(b.piece)
			share := min(a.to, b.to) - max(a.from, b.from)
			if a.piece == b.piece || share < o.share(a, b) {
				continue
			}
			if o.runsThrough(a) {
				return false
			}
			if x != y {
				root[x] = y
				apart--
			}
		}
	}
	return apart == 1
}

// runsThrough tells whether the line of a side, carried on to the ends of the panel as a blade
// runs, parts a piece. A rail along the edge of the panel may be scored.
func (o Outline) runsThrough(s side) bool {
	const deep, widest = 100 * geom.Micrometre, 15 * geom.Millimetre
	whole := o.Bounds()
	return slices.ContainsFunc(o.Areas, func(a geom.Polygon) bool {
		b, all := a.Bounds(), whole
		if s.axis == 1 { // as if it were upright
			b, all = transpose(b), transpose(all)
		}
		rail := b.Height() <= widest && b.Width() >= all.Width()-deep && (b.Min.Y == all.Min.Y || b.Max.Y == all.Max.Y)
		return b.Min.X < s.at-deep && b.Max.X > s.at+deep && !rail
	})
}

func transpose(b geom.Box) geom.Box {
	return geom.Box{Min: geom.Pt(b.Min.Y, b.Min.X), Max: geom.Pt(b.Max.Y, b.Max.X)}
}

// A side is a level or upright edge of a piece, at one coordinate from another to a third.
type side struct {
	axis         int
	at, from, to int64
	piece        int
}

// sides are the level and upright edges of the pieces, in order of where they lie.
func (o Outline) sides() (out []side, ok bool) {
	for i, a := range o.Areas {
		outer := a.Outer
		outer.Closed = true
		for e := range outer.Edges() {
			switch {
			case e.IsArc() || e.A == e.B:
			case e.A.X == e.B.X:
				out = append(out, side{0, e.A.X, min(e.A.Y, e.B.Y), max(e.A.Y, e.B.Y), i})
			case e.A.Y == e.B.Y:
				out = append(out, side{1, e.A.Y, min(e.A.X, e.B.X), max(e.A.X, e.B.X), i})
			}
		}
		if len(out) > maxShared {
			return nil, false
		}
	}
	slices.SortFunc(out, func(a, b side) int {
		return cmp.Or(cmp.Compare(a.axis, b.axis), cmp.Compare(a.at, b.at), cmp.Compare(a.from, b.from), cmp.Compare(a.piece, b.piece))
	})
	return out, true
}

// share is how long an edge two pieces share at least where a V-score parts them.
func (o Outline) share(a, b side) int64 {
	least := int64(minShare)
	for _, s := range [2]side{a, b} {
		length := o.Areas[s.piece].Bounds().Width()
		if s.axis == 0 {
			length = o.Areas[s.piece].Bounds().Height()
		}
		least = min(least, length/2)
	}
	return least
}
