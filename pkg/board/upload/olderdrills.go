package upload

import (
	"fmt"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/places"
)

// olderDrills tells of two drill files through the same layers that share most of their holes
// and are both drilled: they may be two versions of one.
func (a *assembly) olderDrills() {
	const (
		most   = 16 // files
		fewest = 3  // holes in both
	)
	if len(a.drills) > most {
		return
	}
	for i, d := range a.drills {
		for _, e := range a.drills[i+1:] {
			if d.repeats || e.repeats || !a.samePassage(d, e) || !a.meter.SpendTimes(pcb.Lookups, d.Holes()+e.Holes(), 30) {
				continue
			}
			first := places.Holes{}
			for p := range d.places() {
				first.Add(p, 0, 0)
			}
			shared, n, m := e.countShared(first), d.Holes(), e.Holes()
			if shared < fewest || 2*shared < min(n, m) {
				continue
			}
			one, other := d.Result.Name, e.Result.Name
			a.Add(pcb.Finding{Code: "drill_versions", Level: pcb.Warning, File: other, Count: m,
				Message: fmt.Sprintf("%d of its %d holes are among the %d of %q too, and the holes of both are drilled: if one is an older version of the other, leave it out with file_answers.leave_out", shared, m, n, one),
				Answers: []answers.Answer{answers.LeaveOut(one), answers.LeaveOut(other)},
			})
		}
	}
}
