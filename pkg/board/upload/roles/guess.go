package roles

import (
	"context"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/boardedge"
	"boardorder/pkg/board/upload/places"
)

// A Guess is what artwork that no role was found for looks like.
type Guess struct {
	Role  pcb.Role // RoleUnknown where it looks like nothing
	Blank bool     // it draws nothing
}

// GuessRoles says what artwork without a role looks like, by index of the file, and counts
// what looks like copper where no file is known to be. A guess is told, never acted upon:
// nothing in a drawing says which side it is.
func GuessRoles(ctx context.Context, files []*artwork.File, holes []pcb.Hole) (guesses map[int]Guess, copper int, last pcb.Source) {
	guesses = map[int]Guess{}
	for _, w := range files {
		if w.Layer.Role != pcb.RoleUnknown {
			continue
		}
		g := guessRole(ctx, w.Layer, holes)
		guesses[w.Index] = Guess{g, len(w.Layer.Features) == 0 && !slices.ContainsFunc(w.Findings, func(f pcb.Finding) bool { return f.Level > pcb.Note })}
		if g == pcb.RoleCopper {
			copper++
			last.File = w.Layer.File
		}
	}
	return guesses, copper, last
}

// guessRole judges a layer by what it draws and by the holes under it.
func guessRole(ctx context.Context, l *pcb.Layer, holes []pcb.Hole) pcb.Role {
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
	covered := shareOnPads(holes, pads)
	switch {
	case total == 0:
		return pcb.RoleUnknown
	case covered > 0.5 && (lines+regions)*10 > total:
		return pcb.RoleCopper
	case covered > 0.1 && lines*5 < total:
		return pcb.RoleMask
	case flashes == 0 && total < 500 && boardedge.Score(ctx, l, boxOf(holes)) >= 1:
		return pcb.RoleOutline
	case flashes > 0 && lines*20 < total && covered < 0.1:
		return pcb.RolePaste
	case lines*2 > total && covered < 0.2:
		return pcb.RoleSilk
	}
	return pcb.RoleUnknown
}

// shareOnPads is the share of the holes that lie in the middle of a flash.
func shareOnPads(holes []pcb.Hole, pads map[geom.Point]bool) float64 {
	if len(holes) == 0 {
		return 0
	}
	n := 0
	for i := range holes {
		g := places.Round(holes[i].A)
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
	return float64(n) / float64(len(holes))
}

// boxOf is the box of all holes.
func boxOf(holes []pcb.Hole) geom.Box {
	b := geom.EmptyBox()
	for i := range holes {
		b = b.Add(holes[i].A)
	}
	return b
}
