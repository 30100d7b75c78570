// Package boardsize tells about how large boards are, to tell boards of one upload from each
// other.
package boardsize

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/places"
)

// An Extent is about how large a board is, in nanometres: good enough to tell boards
// of one upload from each other, and never the size of one.
type Extent struct{ Width, Height int64 }

// Area is width times height.
func (e Extent) Area() float64 { return float64(e.Width) * float64(e.Height) }

// Matches tells whether two extents are the same, but for some play.
func (e Extent) Matches(f Extent, play int64) bool {
	return places.IsNear(e.Width, f.Width, play) && places.IsNear(e.Height, f.Height, play)
}

// Sizes are the boxes round what boards draw, as far as anybody asked.
type Sizes map[*pcb.Board]geom.Box

// Measure gives a board's size, or what is drawn where no file says how large it is;
// false where nothing is drawn.
func (s Sizes) Measure(b *pcb.Board) (Extent, bool) {
	if f := &b.Facts; f.Width.Known && f.Height.Known {
		return Extent{f.Width.Value, f.Height.Value}, true
	}
	box, measured := s[b]
	if !measured {
		box = artworkBox(b)
		s[b] = box
	}
	return Extent{box.Width(), box.Height()}, !box.Empty()
}

// artworkBox is the box round what is drawn of the board itself.
func artworkBox(b *pcb.Board) geom.Box {
	box := geom.EmptyBox()
	for _, l := range b.Layers {
		switch l.Role {
		case pcb.RoleCopper, pcb.RoleMask, pcb.RoleSilk:
			box = box.Union(places.Extent(l))
		}
	}
	return box
}
