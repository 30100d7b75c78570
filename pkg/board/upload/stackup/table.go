// Package stackup states of what layers a board is built: by the tables that lie beside its
// files, by what its stackup adds up to, and by what of a tool's setup somebody chose.
package stackup

import (
	"slices"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/foil"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/preset"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/sidefiles/note"
	"boardorder/pkg/board/upload/sidefiles/report"
)

// A Table reads the tables of layers that lie beside a board. It changes the board's stackup
// and facts.
type Table struct {
	group.Upload
	*findings.List
	Board *pcb.Board
}

// ReadBeside reads the tables that no other board took.
func (t Table) ReadBeside() {
	for i, r := range t.Set.Results {
		if r.Format == classify.FormatStackup && !r.Used && t.LiesBeside(r) {
			t.Read(i)
		}
	}
}

// Read takes a table of layers, as Altium exports it or as somebody wrote it.
func (t Table) Read(i int) {
	rows, drawn := report.Stackup(t.Files[i].Data), toolTable
	if !report.IsStackup(t.Files[i].Data) {
		rows, drawn = report.LayerTable(t.Files[i].Data), WrittenTable
	}
	if len(rows) == 0 {
		return
	}
	t.Result(i).Use(t.Board.Name)
	src := pcb.Source{File: t.Set.Results[i].Name}
	t.Board.Stackup = nil
	for _, l := range rows {
		t.addRow(l, src)
	}
	t.stateTotals(rows, src, drawn)
	if drawn == WrittenTable {
		t.stateMaterial(rows, src)
	}
}

// WrittenTable is the table of layers that somebody wrote for the fabricator: nothing in
// it is a preset of a tool.
const WrittenTable = "stackup table"

// stateMaterial states the laminate of a table of layers. Sheets of several kinds are a
// build of their own.
func (t Table) stateMaterial(rows []report.StackLayer, src pcb.Source) {
	var sheets []string
	for _, l := range rows {
		if l.Type == "Core" || l.Type == "Prepreg" || l.Type == "Dielectric" {
			if l.Material != "" && !slices.ContainsFunc(sheets, func(m string) bool { return SameWords(m, l.Material) }) {
				sheets = append(sheets, l.Material)
			}
		}
	}
	if len(sheets) == 0 {
		return
	}
	named := sheets[0]
	if i := slices.IndexFunc(rows, func(l report.StackLayer) bool { return l.Type == "Core" && l.Material != "" }); i >= 0 {
		named = rows[i].Material // not of what bonds the cores
	}
	t.Board.Facts.Material.Offer(pcb.State(named, src, WrittenSure, WrittenTable))
	if note.IsMixed(strings.Join(sheets, " + ")) {
		t.Board.Facts.Needs(pcb.State(pcb.HybridStack, src, WrittenSure, WrittenTable))
	}
}

const toolTable = "layer stack table"

func (t Table) addRow(l report.StackLayer, src pcb.Source) {
	s := pcb.StackupLayer{Name: l.Name, Material: l.Material, EpsilonR: l.Epsilon, LossTan: l.Loss}
	switch strings.ToLower(l.Type) {
	case "signal", "plane":
		s.Kind, s.Order = pcb.StackCopper, l.Number
	case "core":
		s.Kind = pcb.StackCore
	case "prepreg":
		s.Kind = pcb.StackPrepreg
	case "dielectric":
		s.Kind = pcb.StackDielectric
	case "solder mask":
		s.Kind = pcb.StackMask
		t.Board.Facts.MaskColour.Offer(maskOf(l.Colour, src))
	case "overlay":
		s.Kind = pcb.StackSilk
	case "surface finish":
		t.Board.Facts.Finish.Offer(finishOf(l.Process, src))
		return
	}
	if l.Thickness > 0 {
		s.Thickness = pcb.State(l.Thickness, src, 0.8, toolTable)
	}
	t.Board.Stackup = append(t.Board.Stackup, s)
}

// finishOf is a finish as stated, except for HASL, which Altium puts there by
// itself.
func finishOf(process string, src pcb.Source) pcb.Fact[string] {
	switch {
	case process == "":
		return pcb.Fact[string]{}
	case slices.Contains(preset.Finishes, strings.ToLower(process)):
		return pcb.Preset(process, src, toolTable+", the design tool's preset")
	}
	return pcb.State(process, src, 0.8, toolTable)
}

// maskOf is the colour of a mask, by numbers: alpha, red, green, blue. Altium begins with
// green.
func maskOf(colour string, src pcb.Source) pcb.Fact[string] {
	rgb, ok := strings.CutPrefix(strings.ToUpper(colour), "#")
	switch {
	case !ok || len(rgb) != 8:
		return pcb.Fact[string]{}
	case rgb[2:] == preset.AltiumMask:
		return pcb.Preset(preset.MaskColours[0], src, toolTable+", the design tool's preset")
	}
	return pcb.State("#"+rgb[2:], src, 0.8, toolTable)
}

// stateTotals adds up the thickness, mask and finish left out, and states the
// copper weights.
func (t Table) stateTotals(rows []report.StackLayer, src pcb.Source, how string) {
	f := &t.Board.Facts
	var total int64
	var copper []float64
	last := 0
	for _, l := range rows {
		last = max(last, l.Number)
		switch strings.ToLower(l.Type) {
		case "solder mask", "overlay", "surface finish":
			continue
		}
		total += l.Thickness
		if l.Number > 0 && l.Ounces > 0 {
			copper = append(copper, l.Ounces)
		}
	}
	if len(copper) == last {
		foil.Weigh(f, copper, func(oz float64) pcb.Fact[float64] {
			if how == WrittenTable {
				return pcb.State(oz, src, WrittenSure, how)
			}
			if slices.Min(copper) == preset.Ounce && slices.Max(copper) == preset.Ounce {
				return pcb.Preset(oz, src, toolTable+", the design tool's preset")
			}
			return pcb.State(oz, src, 0.7, toolTable)
		})
	}
	if total > 0 && len(copper) > 0 {
		sure := 0.7
		if how == WrittenTable {
			sure = WrittenSure
		}
		f.Thickness.Offer(pcb.State(total, src, sure, "sum of the "+how))
	}
	if last > 0 {
		f.CopperLayers.Offer(pcb.State(last, src, 0.8, toolTable))
		if t.Group.Layers > 0 && last != t.Group.Layers {
			t.Say(pcb.Problem, "layer_count_mismatch", src.File, "the layer table has %d copper layers, the files make %d: "+CountWays, last, t.Group.Layers)
			t.Ask(answers.LeaveOut(src.File), answers.LayerOrder())
		}
	}
}

// WrittenSure is how sure notes are: somebody wrote them for the fabricator, while
// the settings of a design tool are often left as they come. So it is above what
// any setup is taken with.
const WrittenSure = 0.96

// CountWays are the ways to settle a number of layers that the files do not make.
const CountWays = "upload the other layers too, or leave out with file_answers.leave_out what is no copper, such as films and stiffeners, and name all that is in file_answers.layer_order, or leave this file out if it is of another version"
