package holes

import (
	"fmt"

	"boardorder/pkg/board/format/excellon"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/drills"
	"boardorder/pkg/board/upload/places"
)

// Where drills and artwork were put out with different origins, all holes lie beside
// their pads by one and the same shift. It is taken as that only where nothing else is
// likely: hardly any hole lies on a pad as the files have it, nearly all do once moved,
// and no other shift brings nearly as many there.
const (
	minMoved    = 10                    // holes, so that it cannot be chance
	movedBefore = 0.2                   // of the holes lie on pads as they are, at most
	movedAfter  = 0.9                   // of the holes lie on pads once moved, at least
	movedRival  = 0.8                   // of these by any other shift, at most
	movedLength = 500 * geom.Micrometre // and less is told as lands that lie beside their holes
)

// shareOrigin moves the holes of all drill files to where the pads are, where these have
// another origin, and says so once: the order stops, as nobody may drill what is sent, and
// all else can be judged.
func (s Drilling) shareOrigin(pads []geom.Point) {
	holes := s.sampleHoles()
	if len(holes) < minMoved || len(pads) < minMoved ||
		!s.Meter.SpendTimes(pcb.Lookups, len(holes), 9) || !s.Meter.SpendTimes(pcb.Lookups, len(pads), 1) {
		return
	}
	on := places.NewSpots(pads)
	before := on.CountHits(holes, geom.Point{})
	if float64(before) > movedBefore*float64(len(holes)) {
		return
	}
	shift, after, rival := places.FindShift(s.Meter, on, holes, pads)
	if float64(after) < movedAfter*float64(len(holes)) || after < minMoved || shift.Len() < float64(movedLength) || float64(rival) > movedRival*float64(after) {
		return
	}
	for _, d := range s.Programs {
		move(d, shift)
	}
	s.Add(pcb.Finding{Code: "drill_origin", Level: pcb.Problem, File: s.Programs[0].Result.Name,
		Message: fmt.Sprintf("the holes have another origin than the artwork: as the files have it %d of %d lie on pads, moved by X %.3f and Y %.3f mm %d do; all else was looked at with the holes moved by that. Put out drills and artwork with one origin",
			before, len(holes), geom.Millimetres(shift.X), geom.Millimetres(shift.Y), after)})
}

// sampleHoles gives holes that may have pads, spread over all drill files.
func (s Drilling) sampleHoles() []geom.Point {
	var all []geom.Point
	for _, d := range s.Programs {
		if d.Repeats {
			continue
		}
		for _, h := range d.Hits {
			if mayHavePad(d, h) {
				all = append(all, h.At)
			}
		}
	}
	return places.Sample(all)
}

// mayHavePad tells whether nothing says of a hole that it is not plated.
func mayHavePad(d *drills.Program, h excellon.Hit) bool {
	p := d.Tools[h.Tool].Plating
	return p != pcb.NonPlated && (d.Plating != pcb.NonPlated || p == pcb.Plated)
}

// move moves all holes of a program.
func move(d *drills.Program, shift geom.Point) {
	for i := range d.Hits {
		d.Hits[i].At = d.Hits[i].At.Add(shift)
	}
	for i := range d.Slots {
		d.Slots[i].From, d.Slots[i].To = d.Slots[i].From.Add(shift), d.Slots[i].To.Add(shift)
	}
	for i := range d.Paths {
		p := &d.Paths[i].Path
		for k := range p.Points {
			p.Points[k] = p.Points[k].Add(shift)
		}
		for k := range p.Bends {
			p.Bends[k].Centre = p.Bends[k].Centre.Add(shift)
		}
	}
}
