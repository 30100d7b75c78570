package upload

import (
	"fmt"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
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

// drillVersions leaves a drill file aside that holds mostly the same holes as another and
// does not fit the pads as that does: it is of another version of the board, as where the
// tool once wrote all holes in one file and once those with plating apart.
func (a *assembly) drillVersions(pads []geom.Point) {
	const most = 16 // files; more are spans of a build in several steps
	if len(pads) == 0 || len(a.drills) < 2 || len(a.drills) > most {
		return
	}
	on := places.NewSpots(pads)
	sets, off := make([]places.Holes, len(a.drills)), make([]int, len(a.drills))
	for i, d := range a.drills {
		sets[i] = places.Holes{}
		for p := range d.places() {
			sets[i].Add(p, 0, 0)
		}
		off[i] = d.countPadless(on)
		if !a.meter.SpendTimes(pcb.Lookups, d.Holes(), 10) {
			return
		}
	}
	for i, d := range a.drills {
		for k, e := range a.drills {
			if d.repeats || e.repeats || off[i] >= off[k] || !a.samePassage(d, e) {
				continue
			}
			shared := e.countShared(sets[i])
			if !a.meter.SpendTimes(pcb.Lookups, d.Holes()+e.Holes(), 27) {
				return
			}
			if n, m := d.Holes(), e.Holes(); shared < versionsShare || 100*shared < versionsHalf*min(n, m) || 100*shared >= versionsWhole*m || 100*d.countShared(sets[k]) >= versionsWhole*n {
				continue
			}
			if off[k] < versionsOff+2*off[i] {
				continue
			}
			e.repeats = true
			winner, loser := d.Result.Name, e.Result.Name
			e.Result.LeaveAside("most of its holes are in " + winner + ", which fits the pads better")
			a.Add(pcb.Finding{Code: "drill_versions", Level: pcb.Warning, File: loser, Count: e.Holes(),
				Message: fmt.Sprintf("%d of its %d holes are in %q too, and %d lie on no pad, while of that file %d do: it is of another version of the board and was left aside; say if it is the right one",
					shared, e.Holes(), winner, off[k], off[i])})
		}
	}
}

// samePassage tells whether two drill files go through the same layers.
func (a *assembly) samePassage(d, e *drill) bool {
	from, to := a.passage(d)
	f, t := a.passage(e)
	return from == f && to == t && !d.again && !e.again
}

// passage gives the layers that a drill file goes through; all where it states none.
func (a *assembly) passage(d *drill) (from, to int) {
	f := d.Result
	if f.FromLayer == 0 {
		return 1, a.Group.Layers
	}
	return f.FromLayer, f.ToLayer
}

// countPadless counts the holes that may have pads and lie on none.
func (d *drill) countPadless(on places.Spots) int {
	n := 0
	for _, h := range d.Hits {
		if _, ok := on.FindNear(h.At); !ok && d.mayHavePad(h) {
			n++
		}
	}
	return n
}

// countShared counts the holes that are in a set too.
func (d *drill) countShared(s places.Holes) int {
	n := 0
	for p := range d.places() {
		if s.Has(p, 0, 0) {
			n++
		}
	}
	return n
}
