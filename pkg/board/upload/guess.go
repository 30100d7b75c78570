package upload

import (
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/boardedge"
	"boardorder/pkg/board/upload/places"
)

// guesses says what artwork without a role looks like, and counts what looks
// like copper where no file is known to be. A guess is told, never acted upon:
// nothing in a drawing says which side it is.
func (a *assembly) guesses() {
	copper := 0
	var src pcb.Source
	for _, w := range a.art {
		if w.Layer.Role != pcb.RoleUnknown {
			continue
		}
		g := a.looksLike(w.Layer)
		a.hints[w.Index], a.blank[w.Index] = g, len(w.Layer.Features) == 0 && !slices.ContainsFunc(w.Findings, func(f pcb.Finding) bool { return f.Level > pcb.Note })
		if g == pcb.RoleCopper {
			copper++
			src.File = w.Layer.File
		}
	}
	if a.Group.Layers == 0 && copper > 0 {
		a.board.Facts.CopperLayers.Offer(pcb.State(copper, src, 0.3, "files that look like copper"))
	}
}

// looksLike judges a layer by what it draws and by the holes under it.
func (a *assembly) looksLike(l *pcb.Layer) pcb.Role {
	var flashes, lines, regions int
	pads := map[geom.Point]bool{}
	for i := range l.Features {
		f := &l.Features[i]
		switch f.Kind {
		case pcb.FlashFeature:
			flashes++
			pads[places.Round(f.A)] = true
		case pcb.RegionFeature:
			regions++
		default:
			lines++
		}
	}
	total := flashes + lines + regions
	covered := a.holesOn(pads)
	switch {
	case total == 0:
		return pcb.RoleUnknown
	case covered > 0.5 && (lines+regions)*10 > total:
		return pcb.RoleCopper
	case covered > 0.1 && lines*5 < total:
		return pcb.RoleMask
	case flashes == 0 && total < 500 && boardedge.Score(a.ctx, l, a.holeBox()) >= 1:
		return pcb.RoleOutline
	case flashes > 0 && lines*20 < total && covered < 0.1:
		return pcb.RolePaste
	case lines*2 > total && covered < 0.2:
		return pcb.RoleSilk
	}
	return pcb.RoleUnknown
}

// holesOn is the share of the holes that lie in the middle of a flash.
func (a *assembly) holesOn(pads map[geom.Point]bool) float64 {
	if len(a.board.Holes) == 0 {
		return 0
	}
	n := 0
	for i := range a.board.Holes {
		g := places.Round(a.board.Holes[i].A)
	near:
		for dx := int64(-1); dx <= 1; dx++ {
			for dy := int64(-1); dy <= 1; dy++ {
				if pads[geom.Pt(g.X+dx, g.Y+dy)] {
					n++
					break near
				}
			}
		}
	}
	return float64(n) / float64(len(a.board.Holes))
}

// holeBox is the box of all holes.
func (a *assembly) holeBox() geom.Box {
	b := geom.EmptyBox()
	for i := range a.board.Holes {
		b = b.Add(a.board.Holes[i].A)
	}
	return b
}
