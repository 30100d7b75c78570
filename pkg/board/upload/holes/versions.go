package holes

import (
	"fmt"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/drills"
	"boardorder/pkg/board/upload/places"
)

// Bounds on drill files that are two versions of one. Files of one version share hardly any
// hole, or one of them holds all of the other.
const (
	versionsShare = 10 // holes in both
	versionsHalf  = 50 // percent of the smaller one that is in the other
	versionsWhole = 90 // percent from which one repeats the other
	versionsOff   = 3  // holes more that lie on no pad, so that it cannot be a slip
)

// leaveOlder leaves a drill file aside that holds mostly the same holes as another and
// does not fit the pads as that does: it is of another version of the board, as where the
// tool once wrote all holes in one file and once those with plating apart.
func (s Drilling) leaveOlder(pads []geom.Point) {
	const most = 16 // files; more are spans of a build in several steps
	if len(pads) == 0 || len(s.Programs) < 2 || len(s.Programs) > most {
		return
	}
	on := places.NewSpots(pads)
	sets, off := make([]places.Holes, len(s.Programs)), make([]int, len(s.Programs))
	for i, d := range s.Programs {
		sets[i] = places.Holes{}
		for p := range placesOf(d) {
			sets[i].Add(p, 0, 0)
		}
		off[i] = countPadless(d, on)
		if !s.Meter.SpendTimes(pcb.Lookups, d.Holes(), 10) {
			return
		}
	}
	for i, d := range s.Programs {
		for k, e := range s.Programs {
			if d.Repeats || e.Repeats || off[i] >= off[k] || !s.sharePassage(d, e) {
				continue
			}
			shared := countShared(e, sets[i])
			if !s.Meter.SpendTimes(pcb.Lookups, d.Holes()+e.Holes(), 27) {
				return
			}
			if n, m := d.Holes(), e.Holes(); shared < versionsShare || 100*shared < versionsHalf*min(n, m) || 100*shared >= versionsWhole*m || 100*countShared(d, sets[k]) >= versionsWhole*n {
				continue
			}
			if off[k] < versionsOff+2*off[i] {
				continue
			}
			e.Repeats = true
			winner, loser := d.Result.Name, e.Result.Name
			e.Result.LeaveAside("most of its holes are in " + winner + ", which fits the pads better")
			s.Add(pcb.Finding{Code: "drill_versions", Level: pcb.Warning, File: loser, Count: e.Holes(),
				Message: fmt.Sprintf("%d of its %d holes are in %q too, and %d lie on no pad, while of that file %d do: it is of another version of the board and was left aside; say if it is the right one",
					shared, e.Holes(), winner, off[k], off[i])})
		}
	}
}

// sharePassage tells whether two drill files go through the same layers.
func (s Drilling) sharePassage(d, e *drills.Program) bool {
	from, to := s.passage(d)
	f, t := s.passage(e)
	return from == f && to == t && !d.Again && !e.Again
}

// passage gives the layers that a drill file goes through; all where it states none.
func (s Drilling) passage(d *drills.Program) (from, to int) {
	f := d.Result
	if f.FromLayer == 0 {
		return 1, s.Group.Layers
	}
	return f.FromLayer, f.ToLayer
}

// countPadless counts the holes that may have pads and lie on none.
func countPadless(d *drills.Program, on places.Spots) int {
	n := 0
	for _, h := range d.Hits {
		if _, ok := on.FindNear(h.At); !ok && mayHavePad(d, h) {
			n++
		}
	}
	return n
}

// askAboutOlder tells of two drill files through the same layers that share most of their holes
// and are both drilled: they may be two versions of one.
func (s Drilling) askAboutOlder() {
	const (
		most   = 16 // files
		fewest = 3  // holes in both
	)
	if len(s.Programs) > most {
		return
	}
	for i, d := range s.Programs {
		for _, e := range s.Programs[i+1:] {
			if d.Repeats || e.Repeats || !s.sharePassage(d, e) || !s.Meter.SpendTimes(pcb.Lookups, d.Holes()+e.Holes(), 30) {
				continue
			}
			first := places.Holes{}
			for p := range placesOf(d) {
				first.Add(p, 0, 0)
			}
			shared, n, m := countShared(e, first), d.Holes(), e.Holes()
			if shared < fewest || 2*shared < min(n, m) {
				continue
			}
			one, other := d.Result.Name, e.Result.Name
			s.Add(pcb.Finding{Code: "drill_versions", Level: pcb.Warning, File: other, Count: m,
				Message: fmt.Sprintf("%d of its %d holes are among the %d of %q too, and the holes of both are drilled: if one is an older version of the other, leave it out with file_answers.leave_out", shared, m, n, one),
				Answers: []answers.Answer{answers.LeaveOut(one), answers.LeaveOut(other)},
			})
		}
	}
}
