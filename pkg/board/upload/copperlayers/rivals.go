package copperlayers

import (
	"fmt"
	"slices"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/places"
)

// Shares of the holes that a file has something put down on, by which two files for
// one side are told apart.
const (
	fewestHoles = 10  // from which the share says something
	copperFits  = 0.6 // of an outer copper layer, nearly all
	othersFit   = 0.1 // of what is none: a courtyard, a stencil, a view of the parts
)

// SettleRivals settles by the holes which of several files that claim to be the copper
// of one side is: lands lie on the holes, whatever a file is called. Where the holes
// do not settle it, both stay, and the checks ask which is right.
func (s Stack) SettleRivals() {
	holes := s.joiningHoles()
	for _, side := range []pcb.Side{pcb.Top, pcb.Bottom} {
		var ws []*artwork.File
		for _, w := range s.Art {
			if w.Layer.Role == pcb.RoleCopper && w.Layer.Side == side && len(w.Layer.Features) > 0 {
				ws = append(ws, w)
			}
		}
		if len(ws) < 2 || len(holes) < fewestHoles {
			continue
		}
		fits := make([]float64, len(ws))
		for k, w := range ws {
			fits[k] = landsOn(w.Layer, holes)
		}
		best := slices.Index(fits, slices.Max(fits))
		for k, w := range ws {
			if fits[best] >= copperFits && fits[k] <= othersFit {
				s.rejectCopper(w, ws[best], side, fits[k], fits[best])
			}
		}
	}
	s.reportSameNumbers()
}

// joiningHoles are the places of drilled holes that may be plated.
func (s Stack) joiningHoles() []geom.Point {
	var out []geom.Point
	for i := range s.Board.Holes {
		if h := &s.Board.Holes[i]; h.Kind == pcb.DrillHole && h.Plating != pcb.NonPlated && h.From == 0 && h.To == 0 {
			out = append(out, h.A)
		}
	}
	return out
}

// landsOn is the share of holes that a layer has something put down on: a flash, the
// end of a line, an area round it.
func landsOn(l *pcb.Layer, holes []geom.Point) float64 {
	put := map[geom.Point]bool{}
	var areas []geom.Box
	for i := range l.Features {
		f := &l.Features[i]
		switch {
		case f.Clear:
		case f.Kind == pcb.RegionFeature:
			areas = append(areas, l.Regions[f.Shape].Bounds())
		default:
			put[places.Round(f.A)], put[places.Round(f.B)] = true, true
		}
	}
	n := 0
	for _, p := range holes {
		if places.HasNear(put, p) || slices.ContainsFunc(areas[:min(len(areas), maxAreas)], func(b geom.Box) bool { return b.Contains(p) }) {
			n++
		}
	}
	return float64(n) / float64(len(holes))
}

// maxAreas is how many areas of a layer are looked at.
const maxAreas = 1000

// rejectCopper takes a file out of the copper in favour of another, and closes the gap that
// it leaves in the numbers of the layers.
func (s Stack) rejectCopper(w, best *artwork.File, side pcb.Side, fits, bestFits float64) {
	loser, winner := w.Result, best.Result
	what := fmt.Sprintf("the file would be the copper of the %s by its name, as %q is; it has lands on %.0f %% of the holes and that file on %.0f %%, so it was left aside: say so if it is copper",
		side, winner.Name, 100*fits, 100*bestFits)
	w.Result.LeaveAside(what)
	s.Say(pcb.Warning, "layer_twice", loser.Name, "%s", what)
	s.unstack(w, pcb.RoleOther)
}

// reportSameNumbers tells of inner layers that state one and the same number. With an odd
// number of layers in all one is surely too many.
func (s Stack) reportSameNumbers() {
	first := map[int]*artwork.File{}
	for _, w := range s.Art {
		n := w.Result.Order
		if w.Layer.Role != pcb.RoleCopper || w.Layer.Side != pcb.Inner || n == 0 {
			continue
		}
		if first[n] == nil {
			first[n] = w
			continue
		}
		level := pcb.Warning
		if s.Group.Layers%2 == 1 {
			level = pcb.Problem
		}
		s.Say(level, "layer_twice", w.Result.Name, "this file and %q both state that they are copper layer %d, and there would be %d layers with both: say which is right, with the other in file_answers.leave_out, or send one of them only",
			first[n].Result.Name, n, s.Group.Layers)
		s.Ask(answers.LeaveOut(w.Result.Name), answers.LeaveOut(first[n].Result.Name))
	}
}
