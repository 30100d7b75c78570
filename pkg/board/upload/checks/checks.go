// Package checks tells what is missing from a board's files and what contradicts itself.
package checks

import (
	"fmt"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/drills"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/jobfile"
	"boardorder/pkg/board/upload/missingholes"
	"boardorder/pkg/board/upload/panel"
	"boardorder/pkg/board/upload/places"
)

// A Check looks at a board of which all was read. It adds findings, and takes facts back that
// nobody can know.
type Check struct {
	group.Upload
	*findings.List
	Meter       pcb.Meter
	Art         []*artwork.File
	Programs    []*drills.Program
	Board       *pcb.Board
	FileAnswers *answers.FileAnswers // by the customer; nil for nothing
}

// Run tells what is missing from the board and what contradicts itself.
func (s Check) Run() {
	s.checkCopper()
	s.checkLayers()
	s.compareCounts()
	s.compareSizes()
	panel.ReportComment(s.Art, s.Board, s.List)
	s.checkPlaces()
	s.reportDoubts()
}

// checkCopper names the copper layers that the numbering skips.
func (s Check) checkCopper() {
	n := s.Group.Layers
	if n == 0 {
		s.Say(pcb.Warning, "copper_missing", "", "no copper layer is known among the files; if some draw copper, name them from top to bottom in file_answers.layer_order")
		s.Ask(answers.LayerOrder())
		s.Board.Facts.CopperUnknown.Offer(pcb.State(true, pcb.Source{}, 0.9, "no copper layer is recognised"))
		return
	}
	have := map[int]bool{}
	for _, l := range s.Board.Copper() {
		have[l.Order] = true
	}
	var missing []string
	for i := 1; i <= n; i++ {
		if !have[i] {
			missing = append(missing, fmt.Sprint(i))
		}
	}
	if len(missing) > 0 {
		s.Say(pcb.Problem, "layer_missing", "", "the files speak of %d copper layers%s; layer %s is missing: upload it too, or name all copper files that the board has, from top to bottom, in file_answers.layer_order",
			n, s.highest(n), strings.Join(missing, ", "))
		s.Ask(answers.LayerOrder())
	}
	if n%2 == 1 && n > 1 {
		s.Say(pcb.Warning, "layer_count_odd", "", "%d copper layers: boards are built with an even number, so a layer may be missing", n)
	}
}

// highest names the file that is copper layer n, and what says so.
func (s Check) highest(n int) string {
	for _, w := range artwork.Copper(s.Art) {
		if w.Layer.Order == n {
			return fmt.Sprintf(" (%q is layer %d, %s)", w.Layer.Name, n, w.Result.Why)
		}
	}
	return ""
}

// checkLayers looks for what a board with copper ought to have.
func (s Check) checkLayers() {
	b := s.Board
	if s.Group.Layers == 0 {
		return
	}
	if len(s.Programs) == 0 && len(b.Holes) == 0 {
		missingholes.Check{Upload: s.Upload, List: s.List, Meter: s.Meter, Board: s.Board, FileAnswers: s.FileAnswers}.Run()
	}
	for _, side := range []pcb.Side{pcb.Top, pcb.Bottom} {
		hasCopper := false
		for _, l := range b.Copper() {
			hasCopper = hasCopper || l.Side == side
		}
		if hasCopper && len(b.Find(pcb.RoleMask, side)) == 0 {
			s.Say(pcb.Warning, "mask_missing", "", "there is no solder mask file for the %s side", side)
		}
	}
	if n := s.Group.Layers; n == 1 && len(b.Copper()) == 1 {
		s.Say(pcb.Note, "single_sided", b.Copper()[0].File, "there is one copper layer only")
		s.checkOtherSide(b.Copper()[0])
	}
}

// surplusOpenings is how many more places than the board has holes a layer file of mask or paste opens
// on a side, where that side is to have copper.
const surplusOpenings = 10

// checkOtherSide looks for layer files of the side that the only copper layer of a board does not lie
// on: a mask opens holes there and a stencil nothing, unless a layer file of copper was forgotten. Without
// it the board would be another, so that the customer says which it is.
func (s Check) checkOtherSide(only *pcb.Layer) {
	other := map[pcb.Side]pcb.Side{pcb.Top: pcb.Bottom, pcb.Bottom: pcb.Top}[only.Side]
	if other == pcb.NoSide || s.FileAnswers != nil && len(s.FileAnswers.LayerOrder) > 0 {
		return
	}
	opened := func(role pcb.Role) (n int, file string) {
		for _, l := range s.Board.Find(role, other) {
			if !s.Meter.Spend(pcb.Lookups, len(l.Features)) {
				return 0, ""
			}
			for i := range l.Features {
				if !l.Features[i].Clear {
					n, file = n+1, l.File
				}
			}
		}
		return n, file
	}
	masked, mask := opened(pcb.RoleMask)
	pasted, paste := opened(pcb.RolePaste)
	file, spare := mask, masked > len(s.Board.Holes)+surplusOpenings
	if pasted > 0 {
		file, spare = paste, true
	}
	if spare {
		s.Say(pcb.Problem, "layer_missing", file, "%q opens places on the %s side, for which there is no copper layer: upload it too, or say in file_answers.layer_order that the board has copper on one side", group.BaseName(file), other)
		s.Ask(answers.LayerOrder())
	}
}

// compareCounts compares the count with the job file and the drill spans.
func (s Check) compareCounts() {
	n := s.Group.Layers
	if n == 0 {
		return
	}
	for i := range s.Set.Results {
		if j := s.Set.Jobs[i]; j != nil && s.Result(i).Board == s.Board.Name && j.Layers > 0 && j.Layers != n {
			s.Say(pcb.Problem, "layer_count_mismatch", s.Result(i).Name,
				"the job file says %d copper layers, the files make %d: upload the other layers too, or leave the job file out with file_answers.leave_out if it is of another version", j.Layers, n)
			s.Ask(answers.LeaveOut(s.Result(i).Name))
		}
	}
	for _, d := range s.Programs {
		f := d.Result
		switch {
		case d.Holes()+len(d.Paths) == 0: // it joins nothing
		case f.ToLayer > n:
			s.Say(pcb.Problem, "layer_count_mismatch", f.Name,
				"the drill file reaches copper layer %d, but there are only %d: upload the other layers too, or name all copper files that the board has, from top to bottom, in file_answers.layer_order", f.ToLayer, n)
			s.Ask(answers.LayerOrder())
		case f.FromLayer == 1 && f.ToLayer > 1 && f.ToLayer < n && drills.Deepest(s.Programs, n) == f.ToLayer:
			s.Say(pcb.Warning, "layer_count_mismatch", f.Name,
				"the deepest drill ends at copper layer %d of %d: either the file is for another board, or there are too many copper files", f.ToLayer, n)
		}
	}
}

// compareSizes compares the outline with the job file's size.
func (s Check) compareSizes() {
	box := s.Board.Outline.Bounds()
	if box.Empty() {
		return
	}
	for i := range s.Set.Results {
		j := s.Set.Jobs[i]
		if j == nil || s.Result(i).Board != s.Board.Name {
			continue
		}
		w, h := jobfile.Size(j, s.Board)
		if w == 0 || h == 0 {
			continue
		}
		const tolerance = 300 * geom.Micrometre
		straight := places.IsNear(w, box.Width(), tolerance) && places.IsNear(h, box.Height(), tolerance)
		turned := places.IsNear(h, box.Width(), tolerance) && places.IsNear(w, box.Height(), tolerance)
		if !straight && !turned {
			s.Say(pcb.Warning, "size_mismatch", s.Result(i).Name, "the job file says %.2f x %.2f mm, the outline is %.2f x %.2f mm",
				geom.Millimetres(w), geom.Millimetres(h), geom.Millimetres(box.Width()), geom.Millimetres(box.Height()))
		}
	}
}

// reportDoubts tells which files were given their layer with little to go on.
func (s Check) reportDoubts() {
	for _, w := range s.Art {
		f := w.Result
		// What is routed stands in no drill program besides, as holes do.
		if f.Doubt != "" && (f.Role != pcb.RoleDrillDrawing && f.Role != pcb.RoleDrill || len(s.Programs) == 0 || f.StatesRouting()) {
			s.Say(pcb.Warning, "role_doubtful", f.Name, "taken as %s: %s", strings.TrimSpace(f.Side.String()+" "+f.Role.String()), f.Doubt)
		}
		if f.Role == pcb.RoleOutline && s.Board.Outline.Closed {
			continue // it closes round the copper: that speaks for it
		}
		if f.Role != pcb.RoleUnknown && f.Confidence < 0.5 && f.Used {
			s.Say(pcb.Warning, "role_doubtful", f.Name, "taken as %s %s %s, but little speaks for it (%s)",
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
