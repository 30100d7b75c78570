package kit

import (
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/services/part-sourcing/internal/placement"
)

// overhang is how far beyond the board's edge the middle of a part may lie:
// connectors reach over it.
const overhang = 5 * geom.Millimetre

// markOffBoard marks the positions that lie off the board, in a copy of the list. moved
// reports that its origin is another one, and then none of them is marked.
func markOffBoard(l placement.List, frame geom.Box) (out placement.List, moved bool) {
	switch {
	case frame.Empty() || countOffBoard(l.Parts, frame) == 0:
		return l, false
	case isElsewhere(l.Parts, frame):
		return l, true
	}
	l.Parts = markParts(l.Parts, frame)
	return l, false
}

// isElsewhere reports whether positions lie on the board only when all are moved by one
// offset.
func isElsewhere(parts []placement.Part, frame geom.Box) bool {
	return !frame.Empty() && 2*countOffBoard(parts, frame) > len(parts) && fits(parts, frame)
}

func markParts(parts []placement.Part, frame geom.Box) []placement.Part {
	parts = slices.Clone(parts)
	for i := range parts {
		parts[i].Beside = !isOnBoard(parts[i], frame)
	}
	return parts
}

func countOffBoard(parts []placement.Part, frame geom.Box) int {
	n := 0
	for _, p := range parts {
		if !isOnBoard(p, frame) {
			n++
		}
	}
	return n
}

// isOnBoard compares with the box round the outline. Some tools write the bottom as
// one looks at it, with x mirrored at the origin.
func isOnBoard(p placement.Part, frame geom.Box) bool {
	near := frame.Grow(overhang)
	return near.Contains(p.At) || p.Side == placement.Bottom && near.Contains(geom.Pt(-p.At.X, p.At.Y))
}

// fits reports whether all parts have room on the board together, those of the bottom as
// they are or mirrored at the origin.
func fits(parts []placement.Part, frame geom.Box) bool {
	as, mirrored := geom.EmptyBox(), geom.EmptyBox()
	for _, p := range parts {
		as = as.Union(geom.Box{Min: p.At, Max: p.At})
		if p.Side == placement.Bottom {
			p.At.X = -p.At.X
		}
		mirrored = mirrored.Union(geom.Box{Min: p.At, Max: p.At})
	}
	room := func(b geom.Box) bool {
		return b.Width() <= frame.Width()+2*overhang && b.Height() <= frame.Height()+2*overhang
	}
	return room(as) || room(mirrored)
}
