package upload

import (
	"slices"
	"strings"

	"boardorder/pkg/board"
	"boardorder/pkg/board/foil"
	"boardorder/pkg/board/preset"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/sidefiles/report"
)

// stackTable reads the layer stack that Altium exported as a table.
func (a *assembly) stackTable() {
	for i, r := range a.set.Results {
		if r.Format != classify.FormatStackup || r.Used || !a.ownsBeside(r) {
			continue
		}
		rows := report.Stackup(a.files[i].Data)
		if len(rows) == 0 {
			continue
		}
		a.use(i, a.board)
		src := board.Source{File: r.Name}
		a.board.Stackup = nil
		for _, l := range rows {
			a.stackRow(l, src)
		}
		a.stackTotals(rows, src)
	}
}

const stackTableHow = "layer stack table"

func (a *assembly) stackRow(l report.StackLayer, src board.Source) {
	s := board.StackupLayer{Name: l.Name, Material: l.Material, EpsilonR: l.Epsilon, LossTan: l.Loss}
	switch strings.ToLower(l.Type) {
	case "signal", "plane":
		s.Kind, s.Order = board.StackCopper, l.Number
	case "core":
		s.Kind = board.StackCore
	case "prepreg":
		s.Kind = board.StackPrepreg
	case "dielectric":
		s.Kind = board.StackDielectric
	case "solder mask":
		s.Kind = board.StackMask
		a.board.Facts.MaskColour.Offer(maskOf(l.Colour, src))
	case "overlay":
		s.Kind = board.StackSilk
	case "surface finish":
		a.board.Facts.Finish.Offer(finishOf(l.Process, src))
		return
	}
	if l.Thickness > 0 {
		s.Thickness = board.State(l.Thickness, src, 0.8, stackTableHow)
	}
	a.board.Stackup = append(a.board.Stackup, s)
}

// finishOf is a finish as stated, except for HASL, which Altium puts there by
// itself.
func finishOf(process string, src board.Source) board.Fact[string] {
	switch {
	case process == "":
		return board.Fact[string]{}
	case slices.Contains(preset.Finishes, strings.ToLower(process)):
		return board.Preset(process, src, stackTableHow+", the design tool's preset")
	}
	return board.State(process, src, 0.8, stackTableHow)
}

// maskOf is the colour of a mask, by numbers: alpha, red, green, blue. Altium begins with
// green.
func maskOf(colour string, src board.Source) board.Fact[string] {
	rgb, ok := strings.CutPrefix(strings.ToUpper(colour), "#")
	switch {
	case !ok || len(rgb) != 8:
		return board.Fact[string]{}
	case rgb[2:] == preset.AltiumMask:
		return board.Preset(preset.MaskColours[0], src, stackTableHow+", the design tool's preset")
	}
	return board.State("#"+rgb[2:], src, 0.8, stackTableHow)
}

// stackTotals adds up the thickness, mask and finish left out, and states the
// copper weights.
func (a *assembly) stackTotals(rows []report.StackLayer, src board.Source) {
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
		foil.Weigh(f, copper, func(oz float64) board.Fact[float64] {
			if slices.Min(copper) == preset.Ounce && slices.Max(copper) == preset.Ounce {
				return board.Preset(oz, src, stackTableHow+", the design tool's preset")
			}
			return board.State(oz, src, 0.7, stackTableHow)
		})
	}
	if total > 0 && len(copper) > 0 {
		f.Thickness.Offer(board.State(total, src, 0.7, "sum of the "+stackTableHow))
	}
	if last > 0 {
		f.CopperLayers.Offer(board.State(last, src, 0.8, stackTableHow))
		if a.group.Layers > 0 && last != a.group.Layers {
			a.say(board.Problem, "layer_count_mismatch", src.File, "the layer stack table has %d copper layers, the files make %d", last, a.group.Layers)
		}
	}
}
