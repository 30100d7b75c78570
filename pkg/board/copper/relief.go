package copper

import (
	"context"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// Reliefs reports whether a layer holds nothing but flashes, and among them some that
// make sense in negatives only: rings in pieces round an open middle, which
// leave the spokes of a thermal relief.
func Reliefs(l *board.Layer) bool {
	shapes := make([]bool, len(l.Apertures))
	for i := range l.Apertures {
		shapes[i] = relief(&l.Apertures[i])
	}
	spokes, flashes, lines := 0, 0, 0
	for i := range l.Features {
		f := &l.Features[i]
		switch {
		case f.Kind == board.RegionFeature, f.Net > 0:
			return false
		case f.Kind != board.FlashFeature:
			lines++
		default:
			flashes++
			if !f.Clear && shapes[f.Shape] {
				spokes++
			}
		}
	}
	return spokes > 0 && lines <= flashes
}

// relief reports whether an aperture is a ring in three pieces or more with nothing in
// the middle.
func relief(a *board.Aperture) bool {
	if a.Kind != board.MacroShape {
		return false
	}
	l := board.NewLayer("", "")
	l.Role, l.Side = board.RoleCopper, board.Top
	l.Apertures = []board.Aperture{*a}
	l.Features = []board.Feature{{Kind: board.FlashFeature}}
	b := board.NewBoard("")
	b.Layers = []*board.Layer{l}
	c, err := Extract(context.Background(), b)
	if err != nil || len(c.Islands) < 3 {
		return false
	}
	return !c.Layers[0].Covers(geom.Point{})
}
