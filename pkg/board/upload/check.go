package upload

import (
	"fmt"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/boardedge"
	"boardorder/pkg/board/upload/drills"
	"boardorder/pkg/board/upload/jobfile"
	"boardorder/pkg/board/upload/panel"
	"boardorder/pkg/board/upload/places"
)

// check tells what is missing from the board and what contradicts itself.
func (a *assembly) check() {
	a.missingCopper()
	a.missingLayers()
	a.layerCounts()
	a.sizes()
	panel.ReportComment(a.art, a.board, a.List)
	a.drillsOnBoard()
	a.doubtfulRoles()
}

// missingCopper names the copper layers that the numbering skips.
func (a *assembly) missingCopper() {
	n := a.Group.Layers
	if n == 0 {
		a.Say(pcb.Warning, "copper_missing", "", "no copper layer is known among the files; if some draw copper, name them from top to bottom in file_answers.layer_order")
		a.Ask(answers.LayerOrder())
		a.board.Facts.CopperUnknown.Offer(pcb.State(true, pcb.Source{}, 0.9, "no copper layer is recognised"))
		return
	}
	have := map[int]bool{}
	for _, l := range a.board.Copper() {
		have[l.Order] = true
	}
	var missing []string
	for i := 1; i <= n; i++ {
		if !have[i] {
			missing = append(missing, fmt.Sprint(i))
		}
	}
	if len(missing) > 0 {
		a.Say(pcb.Problem, "layer_missing", "", "the files speak of %d copper layers%s; layer %s is missing: upload it too, or name all copper files that the board has, from top to bottom, in file_answers.layer_order",
			n, a.highest(n), strings.Join(missing, ", "))
		a.Ask(answers.LayerOrder())
	}
	if n%2 == 1 && n > 1 {
		a.Say(pcb.Warning, "layer_count_odd", "", "%d copper layers: boards are built with an even number, so a layer may be missing", n)
	}
}

// highest names the file that is copper layer n, and what says so.
func (a *assembly) highest(n int) string {
	for _, w := range artwork.Copper(a.art) {
		if w.Layer.Order == n {
			return fmt.Sprintf(" (%q is layer %d, %s)", w.Layer.Name, n, w.Result.Why)
		}
	}
	return ""
}

// missingLayers looks for what a board with copper ought to have.
func (a *assembly) missingLayers() {
	b := a.board
	if a.Group.Layers == 0 {
		return
	}
	if len(a.drills) == 0 && len(b.Holes) == 0 {
		a.drillsMissing()
	}
	for _, s := range []pcb.Side{pcb.Top, pcb.Bottom} {
		hasCopper := false
		for _, l := range b.Copper() {
			hasCopper = hasCopper || l.Side == s
		}
		if hasCopper && len(b.Find(pcb.RoleMask, s)) == 0 {
			a.Say(pcb.Warning, "mask_missing", "", "there is no solder mask file for the %s side", s)
		}
	}
	if n := a.Group.Layers; n == 1 && len(b.Copper()) == 1 {
		a.Say(pcb.Note, "single_sided", b.Copper()[0].File, "there is one copper layer only")
	}
}

// layerCounts compares the count with the job file and the drill spans.
func (a *assembly) layerCounts() {
	n := a.Group.Layers
	if n == 0 {
		return
	}
	for i := range a.Set.Results {
		if j := a.Set.Jobs[i]; j != nil && a.Result(i).Board == a.board.Name && j.Layers > 0 && j.Layers != n {
			a.Say(pcb.Problem, "layer_count_mismatch", a.Result(i).Name,
				"the job file says %d copper layers, the files make %d: upload the other layers too, or leave the job file out with file_answers.leave_out if it is of another version", j.Layers, n)
			a.Ask(answers.LeaveOut(a.Result(i).Name))
		}
	}
	for _, d := range a.drills {
		f := d.Result
		switch {
		case d.Holes()+len(d.Paths) == 0: // it joins nothing
		case f.ToLayer > n:
			a.Say(pcb.Problem, "layer_count_mismatch", f.Name,
				"the drill file reaches copper layer %d, but there are only %d: upload the other layers too, or name all copper files that the board has, from top to bottom, in file_answers.layer_order", f.ToLayer, n)
			a.Ask(answers.LayerOrder())
		case f.FromLayer == 1 && f.ToLayer > 1 && f.ToLayer < n && drills.Deepest(a.drills, n) == f.ToLayer:
			a.Say(pcb.Warning, "layer_count_mismatch", f.Name,
				"the deepest drill ends at copper layer %d of %d: either the file is for another board, or there are too many copper files", f.ToLayer, n)
		}
	}
}

// sizes compares the outline with the job file's size.
func (a *assembly) sizes() {
	box := a.board.Outline.Bounds()
	if box.Empty() {
		return
	}
	for i := range a.Set.Results {
		j := a.Set.Jobs[i]
		if j == nil || a.Result(i).Board != a.board.Name {
			continue
		}
		w, h := jobfile.Size(j, a.board)
		if w == 0 || h == 0 {
			continue
		}
		const tolerance = 300 * geom.Micrometre
		straight := places.IsNear(w, box.Width(), tolerance) && places.IsNear(h, box.Height(), tolerance)
		turned := places.IsNear(h, box.Width(), tolerance) && places.IsNear(w, box.Height(), tolerance)
		if !straight && !turned {
			a.Say(pcb.Warning, "size_mismatch", a.Result(i).Name, "the job file says %.2f x %.2f mm, the outline is %.2f x %.2f mm",
				geom.Millimetres(w), geom.Millimetres(h), geom.Millimetres(box.Width()), geom.Millimetres(box.Height()))
		}
	}
}

// drillsOnBoard tells of drill files whose holes miss the board.
func (a *assembly) drillsOnBoard() {
	box := a.board.Outline.Bounds()
	if box.Empty() {
		for _, l := range a.board.Copper() {
			box = box.Union(places.Extent(l))
		}
	}
	if box.Empty() {
		return
	}
	box = box.Grow(max(box.Width(), box.Height())/20 + geom.Millimetre)
	if a.outlineAside(box) {
		return
	}
	out, all := map[int32]int{}, map[int32]int{}
	for i := range a.board.Holes {
		h := &a.board.Holes[i]
		all[h.File]++
		if !box.Contains(h.A) {
			out[h.File]++
		}
	}
	for _, d := range a.drills {
		k := int32(d.Index)
		if out[k] > 0 {
			level := pcb.Warning
			if out[k]*2 > all[k] {
				level = pcb.Problem
			}
			a.Add(pcb.Finding{
				Code: "holes_off_board", Level: level, File: a.Files[k].Name, Count: out[k],
				Message: fmt.Sprintf("%d of %d holes lie outside of the board", out[k], all[k]),
			})
		}
	}
}

// outlineAside reports, and says, that holes and pads alike lie beside the outline: two
// against one, so it is the outline that is not this board's.
func (a *assembly) outlineAside(box geom.Box) bool {
	pads := boardedge.SamplePads(a.art)
	if len(a.board.Holes) == 0 || len(pads) == 0 || a.board.Outline.Bounds().Empty() {
		return false
	}
	pad, hole, on := 0, 0, a.pieceTest(box)
	for _, p := range pads {
		if !on(p) {
			pad++
		}
	}
	if 2*pad <= len(pads) {
		return false
	}
	for i := range a.board.Holes {
		if !on(a.board.Holes[i].A) {
			hole++
		}
	}
	if 2*hole <= len(a.board.Holes) {
		return false
	}
	a.Say(pcb.Problem, "outline_elsewhere", a.board.Outline.Source.File,
		"%d %% of the pads and %d of %d holes lie outside of what was taken for the board's outline, so it is not that of this board: send the layer that draws the board's edge",
		100*pad/len(pads), hole, len(a.board.Holes))
	a.Ask(answers.Outline(""))
	return true
}

// pieceTest tells whether a place lies on one of the pieces of board; within a box where no
// piece is known.
func (a *assembly) pieceTest(box geom.Box) func(geom.Point) bool {
	areas := a.board.Outline.Areas
	boxes := make([]geom.Box, len(areas))
	for i := range areas {
		boxes[i] = areas[i].Bounds()
	}
	return func(p geom.Point) bool {
		if len(areas) == 0 || !box.Contains(p) || !a.meter.Spend(pcb.Lookups, len(areas)) {
			return box.Contains(p)
		}
		for i := range areas {
			if boxes[i].Contains(p) && (!a.meter.Spend(pcb.Lookups, len(areas[i].Outer.Points)) || areas[i].Outer.Winding(p) != 0) {
				return true
			}
		}
		return false
	}
}

// doubtfulRoles tells which files were given their layer with little to go on.
func (a *assembly) doubtfulRoles() {
	for _, w := range a.art {
		f := w.Result
		// What is routed stands in no drill program besides, as holes do.
		if f.Doubt != "" && (f.Role != pcb.RoleDrillDrawing && f.Role != pcb.RoleDrill || len(a.drills) == 0 || f.StatesRouting()) {
			a.Say(pcb.Warning, "role_doubtful", f.Name, "taken as %s: %s", strings.TrimSpace(f.Side.String()+" "+f.Role.String()), f.Doubt)
		}
		if f.Role == pcb.RoleOutline && a.board.Outline.Closed {
			continue // it closes round the copper: that speaks for it
		}
		if f.Role != pcb.RoleUnknown && f.Confidence < 0.5 && f.Used {
			a.Say(pcb.Warning, "role_doubtful", f.Name, "taken as %s %s %s, but little speaks for it (%s)",
				f.Side, f.Role, layerSuffix(f.Layer), f.Why)
		}
	}
}

func layerSuffix(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("layer %d", n)
}
