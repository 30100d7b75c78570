package merge

import (
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/places"
)

// otherPlotFits is the share of the lands of a plot that are lands of another one of the
// same board too, wherever its origin is.
const otherPlotFits = 0.8

// dropHolelessPlots leaves plots aside that no board can be made of, where another plot of the
// same board has all of what they have and holes besides: people plot artwork anew, with
// another program or origin, and send all that lies in the folder.
func (m *Merger) dropHolelessPlots(boards []*pcb.Board) []*pcb.Board {
	return slices.DeleteFunc(slices.Clone(boards), func(b *pcb.Board) bool {
		i := slices.IndexFunc(boards, func(k *pcb.Board) bool { return m.isPlotOf(b, k) })
		if i < 0 {
			return false
		}
		k := boards[i]
		m.Say(pcb.Warning, "plot_incomplete", b.Layers[0].File,
			"%q looks like another plot of board %q, without holes: that of %q was taken, which has holes; say so if the other one is to be built, and send its drill file", b.Name, k.Name, k.Name)
		for _, f := range m.filesOf(b) {
			m.Set.Results[f].LeaveAside("another plot of the same board has holes besides")
			m.Set.Results[f].Board = k.Name
		}
		return true
	})
}

// isPlotOf tells whether b, which has no holes, is a plot of the board that k is a plot
// of with holes, and has no layer more.
func (m *Merger) isPlotOf(b, k *pcb.Board) bool {
	if b == k || len(b.Holes) > 0 || len(k.Holes) == 0 || len(b.Layers) == 0 || m.hasDrillFile(b) || b.Facts.CopperLayers.Value != k.Facts.CopperLayers.Value {
		return false
	}
	e, ok := m.Sizes.Measure(b)
	f, known := m.Sizes.Measure(k)
	if !ok || !known || !e.Matches(f, geom.Millimetre) || slices.ContainsFunc(b.Layers, func(l *pcb.Layer) bool {
		return built[l.Role] && len(l.Features) > 0 && len(k.Find(l.Role, l.Side)) == 0
	}) {
		return false
	}
	lands, others := flashes(b), flashes(k)
	if len(lands) < fewestFlashes || len(others) < fewestFlashes || !m.Meter.SpendTimes(pcb.Lookups, len(others), 1) {
		return false
	}
	lands = places.Sample(lands)
	_, most, _ := places.FindShift(m.Meter, places.NewSpots(others), lands, others)
	return float64(most) >= otherPlotFits*float64(len(lands))
}

// built are the roles of layers that a board is built from.
var built = map[pcb.Role]bool{pcb.RoleCopper: true, pcb.RoleMask: true, pcb.RolePaste: true, pcb.RoleSilk: true}

// hasDrillFile tells whether a file of a board is a drill file, whatever it holds.
func (m *Merger) hasDrillFile(b *pcb.Board) bool {
	return slices.ContainsFunc(m.filesOf(b), func(i int) bool { return m.Set.Results[i].Role == pcb.RoleDrill })
}

// flashes are the places that a board's copper flashes, each once.
func flashes(b *pcb.Board) []geom.Point {
	var out []geom.Point
	seen := map[geom.Point]bool{}
	for _, l := range b.Copper() {
		for i := range l.Features {
			if f := &l.Features[i]; f.Kind == pcb.FlashFeature && !f.Clear && !seen[f.A] {
				seen[f.A] = true
				out = append(out, f.A)
			}
		}
	}
	return out
}

// fewestFlashes are those of a plot from which on they say something.
const fewestFlashes = 10
