package roles

import (
	"slices"
	"sync"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/places"
)

// FindSides finds the side of a mask or a stencil that nothing names one of: that whose
// lands it opens, where hardly one of the other side is among them.
func FindSides(m pcb.Meter, files []*artwork.File) {
	const most = 0.1 // of the flashes, that lie on lands of the other side
	lands := sync.OnceValues(func() (top, bottom places.Lands) {
		return places.LandsOf(artwork.Layers(artwork.Copper(files)), pcb.Top), places.LandsOf(artwork.Layers(artwork.Copper(files)), pcb.Bottom)
	})
	for _, w := range files {
		l, r := w.Layer, w.Result
		if l.Side != pcb.NoSide || l.Role != pcb.RoleMask && l.Role != pcb.RolePaste {
			continue
		}
		top, bottom := lands()
		flashes, up, down := 0, 0, 0
		for i := range l.Features {
			f := &l.Features[i]
			if f.Kind != pcb.FlashFeature || f.Clear || !m.Spend(pcb.Lookups, 18) {
				continue
			}
			flashes++
			switch t, b := top.WidthAt(f.A) > 0, bottom.WidthAt(f.A) > 0; {
			case t && !b:
				up++
			case b && !t:
				down++
			}
		}
		side := pcb.Top
		if down > up {
			side, up, down = pcb.Bottom, down, up
		}
		taken := slices.ContainsFunc(files, func(v *artwork.File) bool { return v.Layer.Role == l.Role && v.Layer.Side == side })
		if up < fewestFlashes || 2*up < flashes || float64(down) > most*float64(flashes) || taken {
			continue
		}
		l.Side, r.Side = side, side
		r.Why += "; it lies on lands of that side"
	}
}
