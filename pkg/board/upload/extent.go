package upload

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/places"
)

// An extent is about how large a board is, in nanometres: good enough to tell boards
// of one upload from each other, and never the size of one.
type extent struct{ width, height int64 }

func (e extent) area() float64 { return float64(e.width) * float64(e.height) }

// matches tells whether two extents are the same, but for some play.
func (e extent) matches(f extent, play int64) bool {
	return places.IsNear(e.width, f.width, play) && places.IsNear(e.height, f.height, play)
}

// extent is a board's size, or what is drawn where no file says how large it is;
// false where nothing is drawn.
func (r *reading) extent(b *pcb.Board) (extent, bool) {
	if f := &b.Facts; f.Width.Known && f.Height.Known {
		return extent{f.Width.Value, f.Height.Value}, true
	}
	box, measured := r.drawn[b]
	if !measured {
		box = artworkBox(b)
		r.drawn[b] = box
	}
	return extent{box.Width(), box.Height()}, !box.Empty()
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
