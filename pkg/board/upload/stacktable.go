package upload

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

// stackTable reads the layer stack that lies beside the artwork as a table.
func (a *assembly) stackTable() {
	for i, r := range a.Set.Results {
		if r.Format == classify.FormatStackup && !r.Used && a.LiesBeside(r) {
			a.readStackTable(i)
		}
	}
}

// projectStackTables reads the tables that somebody wrote beside a design tool's own
// file: they are for the fabricator, as notes are.
func (r *reading) projectStackTables() {
	for i, f := range r.set.Results {
		if f.Format != classify.FormatStackup || f.Used {
			continue
		}
		if b := group.BoardBeside(r.project.Boards, f.Name); b != nil {
			a := &assembly{reading: r, Upload: group.Upload{Files: r.files, Set: r.set, Group: &classify.Group{Layers: len(b.Copper())}}, List: findings.Of(b), board: b}
			a.readStackTable(i)
		}
	}
}

// readStackTable takes a table of layers, as Altium exports it or as somebody wrote it.
func (a *assembly) readStackTable(i int) {
	rows, drawn := report.Stackup(a.Files[i].Data), stackTableHow
	if !report.IsStackup(a.Files[i].Data) {
		rows, drawn = report.LayerTable(a.Files[i].Data), layerTableHow
	}
	if len(rows) == 0 {
		return
	}
	a.Result(i).Use(a.board.Name)
	src := pcb.Source{File: a.Set.Results[i].Name}
	a.board.Stackup = nil
	for _, l := range rows {
		a.stackRow(l, src)
	}
	a.stackTotals(rows, src, drawn)
	if drawn == layerTableHow {
		a.stackMaterial(rows, src)
	}
}

// layerTableHow is the table of layers that somebody wrote for the fabricator: nothing in
// it is a preset of a tool.
const layerTableHow = "stackup table"

// stackMaterial states the laminate of a table of layers. Sheets of several kinds are a
// build of their own.
func (a *assembly) stackMaterial(rows []report.StackLayer, src pcb.Source) {
	var sheets []string
	for _, l := range rows {
		if l.Type == "Core" || l.Type == "Prepreg" || l.Type == "Dielectric" {
			if l.Material != "" && !slices.ContainsFunc(sheets, func(m string) bool { return sameWords(m, l.Material) }) {
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
	a.board.Facts.Material.Offer(pcb.State(named, src, noteSure, layerTableHow))
	if note.IsMixed(strings.Join(sheets, " + ")) {
		a.board.Facts.Needs(pcb.State(pcb.HybridStack, src, noteSure, layerTableHow))
	}
}

const stackTableHow = "layer stack table"

func (a *assembly) stackRow(l report.StackLayer, src pcb.Source) {
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
		a.board.Facts.MaskColour.Offer(maskOf(l.Colour, src))
	case "overlay":
		s.Kind = pcb.StackSilk
	case "surface finish":
		a.board.Facts.Finish.Offer(finishOf(l.Process, src))
		return
	}
	if l.Thickness > 0 {
		s.Thickness = pcb.State(l.Thickness, src, 0.8, stackTableHow)
	}
	a.board.Stackup = append(a.board.Stackup, s)
}

// finishOf is a finish as stated, except for HASL, which Altium puts there by
// itself.
func finishOf(process string, src pcb.Source) pcb.Fact[string] {
	switch {
	case process == "":
		return pcb.Fact[string]{}
	case slices.Contains(preset.Finishes, strings.ToLower(process)):
		return pcb.Preset(process, src, stackTableHow+", the design tool's preset")
	}
	return pcb.State(process, src, 0.8, stackTableHow)
}

// maskOf is the colour of a mask, by numbers: alpha, red, green, blue. Altium begins with
// green.
func maskOf(colour string, src pcb.Source) pcb.Fact[string] {
	rgb, ok := strings.CutPrefix(strings.ToUpper(colour), "#")
	switch {
	case !ok || len(rgb) != 8:
		return pcb.Fact[string]{}
	case rgb[2:] == preset.AltiumMask:
		return pcb.Preset(preset.MaskColours[0], src, stackTableHow+", the design tool's preset")
	}
	return pcb.State("#"+rgb[2:], src, 0.8, stackTableHow)
}

// stackTotals adds up the thickness, mask and finish left out, and states the
// copper weights.
func (a *assembly) stackTotals(rows []report.StackLayer, src pcb.Source, how string) {
	f := &a.board.Facts
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
			if how == layerTableHow {
				return pcb.State(oz, src, noteSure, how)
			}
			if slices.Min(copper) == preset.Ounce && slices.Max(copper) == preset.Ounce {
				return pcb.Preset(oz, src, stackTableHow+", the design tool's preset")
			}
			return pcb.State(oz, src, 0.7, stackTableHow)
		})
	}
	if total > 0 && len(copper) > 0 {
		sure := 0.7
		if how == layerTableHow {
			sure = noteSure
		}
		f.Thickness.Offer(pcb.State(total, src, sure, "sum of the "+how))
	}
	if last > 0 {
		f.CopperLayers.Offer(pcb.State(last, src, 0.8, stackTableHow))
		if a.Group.Layers > 0 && last != a.Group.Layers {
			a.Say(pcb.Problem, "layer_count_mismatch", src.File, "the layer table has %d copper layers, the files make %d: "+countWays, last, a.Group.Layers)
			a.Ask(answers.LeaveOut(src.File), answers.LayerOrder())
		}
	}
}
