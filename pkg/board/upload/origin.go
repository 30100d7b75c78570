package upload

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"boardorder/pkg/board/format/excellon"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Where drills and artwork were put out with different origins, all holes lie beside
// their pads by one and the same way. It is taken as that only where nothing else is
// likely: hardly any hole lies on a pad as the files have it, nearly all do once moved,
// and no other way brings nearly as many there.
const (
	movedLeast   = 10                    // holes, so that it cannot be chance
	movedBefore  = 0.2                   // of the holes lie on pads as they are, at most
	movedAfter   = 0.9                   // of the holes lie on pads once moved, at least
	movedRival   = 0.8                   // of these by any other way, at most
	movedSample  = 300                   // holes looked at
	movedAnchors = 12                    // holes that ways are tried with
	movedWays    = 300                   // tried in full
	movedLength  = 500 * geom.Micrometre // and less is told as lands that lie beside their holes
	movedGrid    = 100 * geom.Micrometre
	movedPlay    = 60 * float64(geom.Micrometre) // rounding of drill files in inches with three decimals
)

// shareOrigin moves the holes of all drill files to where the pads are, where these have
// another origin, and says so once: the order stops, as nobody may drill what is sent, and
// all else can be judged.
func (a *assembly) shareOrigin(pads []geom.Point) {
	holes := a.sampleHoles()
	if len(holes) < movedLeast || len(pads) < movedLeast ||
		!a.meter.SpendTimes(pcb.Lookups, len(holes), 9) || !a.meter.SpendTimes(pcb.Lookups, len(pads), 1) {
		return
	}
	on := newSpots(pads)
	before := on.hits(holes, geom.Point{})
	if float64(before) > movedBefore*float64(len(holes)) {
		return
	}
	way, after, rival := a.findWay(on, holes, pads)
	if float64(after) < movedAfter*float64(len(holes)) || after < movedLeast || way.Len() < float64(movedLength) || float64(rival) > movedRival*float64(after) {
		return
	}
	for _, d := range a.drills {
		d.move(way)
	}
	a.board.Findings = append(a.board.Findings, pcb.Finding{Code: "drill_origin", Level: pcb.Problem, File: a.files[a.drills[0].index].Name,
		Message: fmt.Sprintf("the holes have another origin than the artwork: as the files have it %d of %d lie on pads, moved by X %.3f and Y %.3f mm %d do; all else was looked at with the holes moved by that. Put out drills and artwork with one origin",
			before, len(holes), geom.Millimetres(way.X), geom.Millimetres(way.Y), after)})
}

// sampleHoles gives holes that may have pads, spread over all drill files.
func (a *assembly) sampleHoles() []geom.Point {
	var all []geom.Point
	for _, d := range a.drills {
		if d.repeats {
			continue
		}
		for _, h := range d.Hits {
			if d.mayHavePad(h) {
				all = append(all, h.At)
			}
		}
	}
	return sample(all)
}

// mayHavePad tells whether nothing says of a hole that it is not plated.
func (d *drill) mayHavePad(h excellon.Hit) bool {
	p := d.Tools[h.Tool].Plating
	return p != pcb.NonPlated && (d.Plating != pcb.NonPlated || p == pcb.Plated)
}

// sample leaves every so many of places, as few as are looked at. It reuses their memory.
func sample(all []geom.Point) []geom.Point {
	step, out := len(all)/movedSample+1, all[:0]
	for i := 0; i < len(all); i += step {
		out = append(out, all[i])
	}
	return out
}

// findWay looks for the way that brings most holes onto pads, and tells how many the
// next best brings there.
func (r *reading) findWay(on spots, holes, pads []geom.Point) (best geom.Point, most, rival int) {
	step := max(1, len(holes)/movedAnchors)
	var anchors []geom.Point
	for i := 0; i < len(holes) && len(anchors) < movedAnchors; i += step {
		anchors = append(anchors, holes[i])
	}
	if !r.meter.SpendTimes(pcb.Lookups, len(anchors), len(pads)) || !r.meter.SpendTimes(pcb.Lookups, movedWays, 9*len(holes)) {
		return best, 0, 0
	}
	votes := map[geom.Point]int{}
	sample := map[geom.Point]geom.Point{}
	for _, h := range anchors {
		for _, p := range pads {
			w := p.Sub(h)
			c := cell(w)
			votes[c]++
			sample[c] = w
		}
	}
	ways := slices.SortedFunc(maps.Keys(votes), func(x, y geom.Point) int {
		return cmp.Or(votes[y]-votes[x], cmp.Compare(x.X, y.X), cmp.Compare(x.Y, y.Y))
	})
	ways = ways[:min(len(ways), movedWays)]
	type tried struct {
		way geom.Point
		n   int
	}
	var all []tried
	for _, c := range ways {
		way := on.centre(holes, sample[c])
		n := on.hits(holes, way)
		all = append(all, tried{way, n})
		if n > most {
			best, most = way, n
		}
	}
	for _, t := range all {
		if t.way.Dist(best) > 2*float64(movedGrid) {
			rival = max(rival, t.n)
		}
	}
	return best, most, rival
}

// move moves all holes of a program.
func (d *drill) move(way geom.Point) {
	for i := range d.Hits {
		d.Hits[i].At = d.Hits[i].At.Add(way)
	}
	for i := range d.Slots {
		d.Slots[i].From, d.Slots[i].To = d.Slots[i].From.Add(way), d.Slots[i].To.Add(way)
	}
	for i := range d.Paths {
		p := &d.Paths[i].Path
		for k := range p.Points {
			p.Points[k] = p.Points[k].Add(way)
		}
		for k := range p.Bends {
			p.Bends[k].Centre = p.Bends[k].Centre.Add(way)
		}
	}
}

// spots are places that can be looked up.
type spots map[geom.Point][]geom.Point

func cell(p geom.Point) geom.Point {
	down := func(v int64) int64 {
		if v < 0 {
			return -((-v + movedGrid - 1) / movedGrid)
		}
		return v / movedGrid
	}
	return geom.Pt(down(p.X), down(p.Y))
}

func newSpots(at []geom.Point) spots {
	const most = 4 // of a cell: more say nothing new
	s := spots{}
	for _, p := range at {
		if c := cell(p); len(s[c]) < most {
			s[c] = append(s[c], p)
		}
	}
	return s
}

// findNear gives the place next to a point, within play.
func (s spots) findNear(p geom.Point) (at geom.Point, ok bool) {
	least := movedPlay
	c := cell(p)
	for dx := int64(-1); dx <= 1; dx++ {
		for dy := int64(-1); dy <= 1; dy++ {
			for _, q := range s[geom.Pt(c.X+dx, c.Y+dy)] {
				if d := p.Dist(q); d <= least {
					at, ok, least = q, true, d
				}
			}
		}
	}
	return at, ok
}

// hits counts the places, moved, at which there is one of the spots.
func (s spots) hits(at []geom.Point, way geom.Point) int {
	n := 0
	for _, p := range at {
		if _, ok := s.findNear(p.Add(way)); ok {
			n++
		}
	}
	return n
}

// centre makes a way fit all places that it brings near a spot alike, as one pair of
// them is rounded.
func (s spots) centre(at []geom.Point, way geom.Point) geom.Point {
	var xs, ys []int64
	for _, p := range at {
		if q, ok := s.findNear(p.Add(way)); ok {
			xs, ys = append(xs, q.X-p.X), append(ys, q.Y-p.Y)
		}
	}
	if len(xs) == 0 {
		return way
	}
	slices.Sort(xs)
	slices.Sort(ys)
	return geom.Pt(xs[len(xs)/2], ys[len(ys)/2])
}
