package checks

import (
	"fmt"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/boardedge"
	"boardorder/pkg/board/upload/places"
)

// checkPlaces tells of drill files whose holes miss the board.
func (s Check) checkPlaces() {
	box := s.Board.Outline.Bounds()
	if box.Empty() {
		for _, l := range s.Board.Copper() {
			box = box.Union(places.Extent(l))
		}
	}
	if box.Empty() {
		return
	}
	box = box.Grow(max(box.Width(), box.Height())/20 + geom.Millimetre)
	if s.checkOutline(box) {
		return
	}
	out, all := map[int32]int{}, map[int32]int{}
	for i := range s.Board.Holes {
		h := &s.Board.Holes[i]
		all[h.File]++
		if !box.Contains(h.A) {
			out[h.File]++
		}
	}
	for _, d := range s.Programs {
		k := int32(d.Index)
		if out[k] > 0 {
			level := pcb.Warning
			if out[k]*2 > all[k] {
				level = pcb.Problem
			}
			s.Add(pcb.Finding{
				Code: "holes_off_board", Level: level, File: s.Files[k].Name, Count: out[k],
				Message: fmt.Sprintf("%d of %d holes lie outside of the board", out[k], all[k]),
			})
		}
	}
}

// checkOutline reports, and says, that holes and pads alike lie beside the outline: two
// against one, so it is the outline that is not this board's.
func (s Check) checkOutline(box geom.Box) bool {
	pads := boardedge.SamplePads(s.Art)
	if len(s.Board.Holes) == 0 || len(pads) == 0 || s.Board.Outline.Bounds().Empty() {
		return false
	}
	pad, hole, on := 0, 0, s.testPieces(box)
	for _, p := range pads {
		if !on(p) {
			pad++
		}
	}
	if 2*pad <= len(pads) {
		return false
	}
	for i := range s.Board.Holes {
		if !on(s.Board.Holes[i].A) {
			hole++
		}
	}
	if 2*hole <= len(s.Board.Holes) {
		return false
	}
	s.Say(pcb.Problem, "outline_elsewhere", s.Board.Outline.Source.File,
		"%d %% of the pads and %d of %d holes lie outside of what was taken for the board's outline, so it is not that of this board: send the layer that draws the board's edge",
		100*pad/len(pads), hole, len(s.Board.Holes))
	s.Ask(answers.Outline(""))
	return true
}

// testPieces tells whether a place lies on one of the pieces of board; within a box where no
// piece is known.
func (s Check) testPieces(box geom.Box) func(geom.Point) bool {
	areas := s.Board.Outline.Areas
	boxes := make([]geom.Box, len(areas))
	for i := range areas {
		boxes[i] = areas[i].Bounds()
	}
	return func(p geom.Point) bool {
		if len(areas) == 0 || !box.Contains(p) || !s.Meter.Spend(pcb.Lookups, len(areas)) {
			return box.Contains(p)
		}
		for i := range areas {
			if boxes[i].Contains(p) && (!s.Meter.Spend(pcb.Lookups, len(areas[i].Outer.Points)) || areas[i].Outer.Winding(p) != 0) {
				return true
			}
		}
		return false
	}
}
