package holes

import (
	"fmt"
	"slices"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/drills"
	"boardorder/pkg/board/upload/places"
)

// findRepeats finds programs whose holes other programs drill as well, such as
// a merged file beside its parts. Files that say what is plated go first.
func (s Drilling) findRepeats() {
	order := slices.Clone(s.Programs)
	slices.SortStableFunc(order, func(x, y *drills.Program) int {
		return rankSureness(y) - rankSureness(x)
	})
	taken, plated, looked := places.Holes{}, places.Holes{}, s.Meter.Tally(pcb.Lookups)
	const cells = 9 // that are looked into for each hole
	for _, d := range order {
		if d.Again || d.Repeats {
			continue
		}
		f := d.Result
		n, in, contrary := 0, 0, 0
		for p := range placesOf(d) {
			if n++; !looked.Add(cells) {
				return
			}
			if taken.Has(p, f.FromLayer, f.ToLayer) {
				in++
			}
			if d.Plating == pcb.NonPlated && plated.Has(p, f.FromLayer, f.ToLayer) {
				contrary++
			}
		}
		if n > 0 && in*10 >= n*9 {
			d.Repeats = true
			d.Result.LeaveAside("its holes are in other drill files too")
			finding := pcb.Finding{
				Code: "drill_repeated", Level: pcb.Note, File: f.Name, Count: in,
				Message: "this drill file repeats holes that other drill files hold as well; they are counted once",
			}
			if in < n {
				finding.Level = pcb.Warning
				finding.Message = fmt.Sprintf("other drill files hold %d of its %d holes, so it was taken for another version of them: the other %d are not drilled; say if they are to be", in, n, n-in)
			}
			if contrary*10 >= n*9 {
				finding.Level = pcb.Warning
				finding.Message = "this drill file says of holes that they are not plated, of which another says that they are: they are taken as plated; say which is right"
			}
			s.Add(finding)
			continue
		}
		for p := range placesOf(d) {
			if !looked.Add(1) {
				return
			}
			taken.Add(p, f.FromLayer, f.ToLayer)
			if d.Plating == pcb.Plated && !d.Rest {
				plated.Add(p, f.FromLayer, f.ToLayer)
			}
		}
	}
}

// rankSureness ranks programs by how much they say about plating. Where one says that holes are
// plated and another that the same are not, the first goes first.
func rankSureness(d *drills.Program) int {
	switch {
	case d.Rest: // it may hold what the others hold as well
		return 2
	case d.Plating == pcb.Plated:
		return 4
	case d.Plating == pcb.NonPlated:
		return 3
	case d.Plating == pcb.MixedPlating:
		return 1
	}
	return 0
}

// placesOf yields the middle and size of every hole and slot.
func placesOf(d *drills.Program) func(yield func(places.Hole) bool) {
	return func(yield func(places.Hole) bool) {
		for _, h := range d.Hits {
			if !yield(places.Hole{X: h.At.X, Y: h.At.Y, Diameter: d.Tools[h.Tool].Diameter}) {
				return
			}
		}
		for _, s := range d.Slots {
			m := s.From.Mid(s.To)
			if !yield(places.Hole{X: m.X, Y: m.Y, Diameter: d.Tools[s.Tool].Diameter}) {
				return
			}
		}
	}
}

// countShared counts the holes that are in a set too.
func countShared(d *drills.Program, in places.Holes) int {
	n := 0
	for p := range placesOf(d) {
		if in.Has(p, 0, 0) {
			n++
		}
	}
	return n
}
