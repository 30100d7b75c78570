package copper

import (
	"context"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Reliefs reports whether a layer holds nothing but flashes, and among them some that
// make sense in negatives only: rings in pieces round an open middle, which
// leave the spokes of a thermal relief.
func Reliefs(l *pcb.Layer) bool {
	shapes := make([]bool, len(l.Apertures))
	for i := range l.Apertures {
		shapes[i] = relief(&l.Apertures[i])
	}
	spokes, flashes, lines := 0, 0, 0
	for i := range l.Features {
		f := &l.Features[i]
		switch {
		case f.Kind == pcb.RegionFeature, f.Net > 0:
			return false
		case f.Kind != pcb.FlashFeature:
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
func relief(a *pcb.Aperture) bool {
	if a.Kind != pcb.MacroShape {
		return false
	}
	l := pcb.NewLayer("", "")
	l.Role, l.Side = pcb.RoleCopper, pcb.Top
	l.Apertures = []pcb.Aperture{*a}
	l.Features = []pcb.Feature{{Kind: pcb.FlashFeature}}
	b := pcb.NewBoard("")
	b.Layers = []*pcb.Layer{l}
	c, err := Extract(context.Background(), b)
	if err != nil || len(c.Islands) < 3 {
		return false
	}
	return !c.Layers[0].Covers(geom.Point{})
}
