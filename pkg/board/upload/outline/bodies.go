package outline

import (
	"fmt"
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// Bounds on shapes that copper leaves.
const (
	bodyPads  = 2                     // pads within a part's outline
	chipWidth = geom.Micrometre * 700 // of the smallest part's outline, among others
	bodyWidth = geom.Millimetre       // of a part's outline; what is narrower is a slot for a lead or shell
	bodyDepth = geom.Micrometre * 300 // how far on both sides of the line a track runs
	bodyWork  = 2_000_000             // corners looked at; more are a drawing, of which nothing is known
)

// dropBodies takes away cutouts that are outlines of parts: they hold pads, or their line runs
// through several, as the legs of a part reach out of its body, and tracks run from inside
// across it, so that a cutter would leave nothing of the part; or plated holes of leads lie in
// them, which it would take away. What is drawn within them goes too.
func (s *selection) dropBodies() {
	cutouts := s.cutouts()
	if len(cutouts) == 0 || len(cutouts) > manyRings {
		return
	}
	tracks, pads := s.countTracksAndPads(cutouts)
	all, drop := s.countPads(), map[geom.Box]bool{}
	var lands []land
	for i, c := range cutouts {
		if tracks[i] == 0 || 2*pads[i] >= all || isNarrow(c) {
			continue
		}
		if pads[i] < bodyPads && lands == nil {
			lands = s.flashes()
		}
		if pads[i] >= bodyPads || s.padsAcross(c, lands, true) >= partPads {
			drop[c.Bounds()] = true
		}
	}
	s.addLeaded(drop, cutouts, pads, all)
	if len(drop) == 0 {
		return
	}
	if len(drop) >= fewParts {
		s.addBodies(drop, cutouts, pads)
	}
	gone := s.removeCutouts(cutouts, drop)
	what := "a closed shape on the outline layer holds pads, or its line runs through them, and tracks run across it or leads stand in it; taken as the outline of a part and not as a cutout"
	if len(drop) > 1 {
		what = fmt.Sprintf("%d closed shapes on the outline layer hold pads, or their lines run through them, and tracks run across or leads stand in them; taken as outlines of parts and not as cutouts", len(drop))
	}
	if left := len(s.cutouts()); left == 1 {
		what += "; one other shape is cut out"
	} else if left > 1 {
		what += fmt.Sprintf("; %d other shapes are cut out", left)
	}
	s.find(pcb.Warning, "outline_parts", gone.Min, 0, "%s: if that is not so, send special_requirements: true and say in special_notes what is to be cut out", what)
}

// isNarrow reports whether a closed line is no wider than a slot for a lead or a shell.
func isNarrow(c geom.Path) bool {
	b := c.Bounds()
	return min(b.Width(), b.Height()) < int64(bodyWidth)
}

// addLeaded adds the cutouts that leads of a part stand in: pads with plated holes. Where
// half of all pads would lie in such, they are the boards of a panel.
func (s *selection) addLeaded(drop map[geom.Box]bool, cutouts []geom.Path, pads []int, all int) {
	leads, within := s.countLeads(cutouts), 0
	var found []geom.Box
	for i, c := range cutouts {
		if b := c.Bounds(); !drop[b] && leads[i] >= bodyPads && pads[i] >= bodyPads && !isNarrow(c) {
			found, within = append(found, b), within+pads[i]
		}
	}
	if 2*within >= all {
		return
	}
	for _, b := range found {
		drop[b] = true
	}
}

// countLeads counts the plated holes within each closed line that lie in it whole.
func (s *selection) countLeads(paths []geom.Path) []int {
	n := make([]int, len(paths))
	x := boxIndex(len(paths), func(i int) geom.Box { return paths[i].Bounds() })
	for k := range s.board.Holes {
		h := &s.board.Holes[k]
		if h.Plating != pcb.Plated || h.Kind != pcb.DrillHole {
			continue
		}
		x.Search(geom.BoxOf(h.A), func(i int) bool {
			if !s.meter.Spend(pcb.Lookups, 2*len(paths[i].Points)) {
				return false
			}
			if d, _ := paths[i].Distance(h.A); paths[i].Winding(h.A) != 0 && d >= float64(h.Diameter)/2 {
				n[i]++
			}
			return true
		})
	}
	return n
}

// cutouts are all cutouts of the outline.
func (s *selection) cutouts() []geom.Path {
	var out []geom.Path
	for _, a := range s.board.Outline.Areas {
		out = append(out, a.Holes...)
	}
	return out
}

// removeCutouts takes away the cutouts to drop and what is drawn within them, and gives where
// they were.
func (s *selection) removeCutouts(cutouts []geom.Path, drop map[geom.Box]bool) geom.Box {
	o := &s.board.Outline
	gone := geom.EmptyBox()
	var areas []geom.Polygon
	for _, a := range o.Areas {
		if s.lies(a.Outer, cutouts, drop) {
			continue
		}
		var left []geom.Path
		for _, h := range a.Holes {
			if drop[h.Bounds()] {
				gone = gone.Union(h.Bounds())
			} else {
				left = append(left, h)
			}
		}
		areas = append(areas, geom.Polygon{Outer: a.Outer, Holes: left})
	}
	o.Areas = areas
	return gone
}

// addBodies adds the small parts to drop where a layer draws parts for certain: what else holds
// pads there, but for slots within one pad and narrow ones through several.
func (s *selection) addBodies(drop map[geom.Box]bool, cutouts []geom.Path, pads []int) {
	lands := s.flashes()
	x := boxIndex(len(lands), func(i int) geom.Box { return lands[i].box })
	for i, c := range cutouts {
		box := c.Bounds()
		if pads[i] == 0 || min(box.Width(), box.Height()) < int64(chipWidth) {
			continue
		}
		slot := false
		if pads[i] < bodyPads {
			x.Search(box, func(k int) bool {
				slot = lands[k].box.ContainsBox(box)
				return !slot && s.meter.Spend(pcb.Lookups, 1)
			})
		}
		if !slot {
			drop[box] = true
		}
	}
}

// lies tells whether a path is drawn within one of the cutouts to be dropped.
func (s *selection) lies(p geom.Path, cutouts []geom.Path, drop map[geom.Box]bool) bool {
	box := p.Bounds()
	for _, c := range cutouts {
		b := c.Bounds()
		if drop[b] && b != box && b.ContainsBox(box) && s.meter.Spend(pcb.Lookups, len(c.Points)) && c.Winding(p.Points[0]) != 0 {
			return true
		}
	}
	return false
}

// drawsBodies tells whether the pieces are outlines of parts and none is the board: tracks
// run out of several of them, and there is much between them. Boards of a panel lie close
// together, also where tracks join them for plating.
func (s *selection) drawsBodies() bool {
	areas := s.board.Outline.Areas
	if len(areas) < fewParts || len(areas) > manyRings {
		return false
	}
	var outers []geom.Path
	for _, a := range areas {
		outers = append(outers, a.Outer)
	}
	tracks, _ := s.countTracksAndPads(outers)
	left := 0
	for _, n := range tracks {
		if n > 0 {
			left++
		}
	}
	return left >= fewParts && (2*left >= len(areas) && sparse(areas) || 4*left >= len(areas) && s.missesCopper(areas))
}

// sparse tells whether the areas fill less than half of the box round them.
func sparse(areas []geom.Polygon) bool {
	sum, box := 0.0, geom.EmptyBox()
	for _, a := range areas {
		sum, box = sum+a.Outer.Area(), box.Union(a.Bounds())
	}
	return 2*math.Abs(sum) < float64(box.Width())*float64(box.Height())
}

// missesCopper tells whether at least a quarter of the copper lies in none of the areas.
func (s *selection) missesCopper(areas []geom.Polygon) bool {
	x := boxIndex(len(areas), func(i int) geom.Box { return areas[i].Bounds() })
	out := 0
	for _, p := range s.content {
		within := false
		x.Search(geom.Box{Min: p, Max: p}, func(i int) bool {
			within = s.meter.Spend(pcb.Lookups, len(areas[i].Outer.Points)) && areas[i].Outer.Winding(p) != 0
			return !within
		})
		if !within {
			out++
		}
	}
	return 4*out >= len(s.content)
}

func boxIndex(n int, box func(i int) geom.Box) *shape.Index {
	boxes := make([]geom.Box, n)
	for i := range boxes {
		boxes[i] = box(i)
	}
	return shape.NewIndex(boxes)
}

// countTracksAndPads counts, for each closed line, the tracks that run from well within it to well
// outside, and the places within that pads of one layer lie at: a slot in the pad of a
// shell has one pad, on each side. It counts none where that would take long.
func (s *selection) countTracksAndPads(paths []geom.Path) (tracks, pads []int) {
	tracks, pads = make([]int, len(paths)), make([]int, len(paths))
	x := boxIndex(len(paths), func(i int) geom.Box { return paths[i].Bounds() })
	left := bodyWork
	in := func(i int, p geom.Point) bool {
		left -= len(paths[i].Points)
		return left > 0 && paths[i].Winding(p) != 0
	}
	deep := func(i int, p geom.Point) bool {
		left -= len(paths[i].Points)
		d, _ := paths[i].Distance(p)
		return d >= float64(bodyDepth)
	}
	for _, l := range s.board.Copper() {
		if !s.meter.Spend(pcb.Lookups, len(l.Features)) {
			break
		}
		within, seen := make([]int, len(paths)), map[padIn]bool{}
		for k := range l.Features {
			f := &l.Features[k]
			switch {
			case f.Clear:
			case f.Kind == pcb.FlashFeature:
				x.Search(geom.Box{Min: f.A, Max: f.A}, func(i int) bool {
					if in(i, f.A) && !seen[padIn{i, f.A}] {
						seen[padIn{i, f.A}] = true
						within[i]++
					}
					return left > 0
				})
			case f.Kind == pcb.LineFeature:
				x.Search(geom.EmptyBox().Add(f.A).Add(f.B), func(i int) bool {
					if in(i, f.A) != in(i, f.B) && deep(i, f.A) && deep(i, f.B) {
						tracks[i]++
					}
					return left > 0
				})
			}
			if left <= 0 {
				return make([]int, len(paths)), make([]int, len(paths))
			}
		}
		for i, n := range within {
			pads[i] = max(pads[i], n)
		}
	}
	return tracks, pads
}

// padIn is a place within a closed line that a pad lies at.
type padIn struct {
	line int
	at   geom.Point
}

// countPads counts the pads of the layer with most of them.
func (s *selection) countPads() int {
	most := 0
	for _, l := range s.board.Copper() {
		n := 0
		for i := range l.Features {
			if f := &l.Features[i]; f.Kind == pcb.FlashFeature && !f.Clear {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}
