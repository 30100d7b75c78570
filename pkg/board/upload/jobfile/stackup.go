package jobfile

import (
	"slices"
	"strings"

	"boardorder/pkg/board/foil"
	"boardorder/pkg/board/format/gbrjob"
	"boardorder/pkg/board/format/kicad"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/preset"
)

// lengthFact marks a value as nobody's choice when it is the tool's own.
func lengthFact(v int64, isDefault bool, src pcb.Source, conf float64, how string) pcb.Fact[int64] {
	if isDefault {
		return pcb.Preset(v, src, how+", the design tool's preset")
	}
	return pcb.State(v, src, conf, how)
}

// isPresetThickness tells whether the thickness is the tool's own. Who chose another laminate
// left it for that one.
func isPresetThickness(j *gbrjob.Job) bool {
	if strings.EqualFold(j.Vendor, "Autodesk") && preset.StackOf("EAGLE").Adds(j.Thickness, j.Layers) {
		return true
	}
	laminate := slices.ContainsFunc(j.Stackup, func(l gbrjob.Layer) bool {
		return l.Type == "Dielectric" && isChosen(l.Material) && !slices.Contains(preset.Materials, strings.ToLower(l.Material))
	})
	return kicad.PresetThickness(j.Thickness, j.Layers) && (j.Thickness != preset.Thicknesses[0] || !laminate)
}

// stateStackup reads colours, copper and material out of the stackup. Copper counts as
// untouched where all of it is, as in the tool's own files.
func (s Reader) stateStackup(j *gbrjob.Job, src pcb.Source) {
	const conf, how = 0.9, "stackup of the job file"
	f := &s.Board.Facts
	var copper []int64
	var masks, laminates []string
	for _, l := range j.Stackup {
		switch l.Type {
		case "SolderMask":
			if isChosen(l.Colour) {
				masks = append(masks, l.Colour)
			}
		case "Legend":
			offerText(&f.SilkscreenColour, l.Colour, src, conf, how)
		case "Dielectric":
			if isChosen(l.Material) {
				laminates = append(laminates, l.Material)
			}
		case "Copper":
			copper = append(copper, l.Thickness)
		}
	}
	offerText(&f.MaskColour, pcb.MaskColours(masks...), src, conf, how)
	offerText(&f.Material, pcb.Laminates(laminates...), src, conf-0.1, how)
	if len(copper) == 0 || slices.Min(copper) <= 0 {
		return
	}
	foil.State(f, copper, func(oz float64) pcb.Fact[float64] {
		if isPresetCopper(copper) {
			return pcb.Preset(oz, src, how+", the design tool's preset")
		}
		return pcb.State(oz, src, conf, how)
	})
}

// isPresetCopper tells whether copper is as a tool that writes job files begins with.
func isPresetCopper(copper []int64) bool {
	return slices.ContainsFunc(preset.Stacks, func(s preset.Stack) bool { return s.CopperOf(copper) })
}

// isChosen tells whether a word of a job file says something.
func isChosen(v string) bool {
	return v != "" && !strings.EqualFold(v, "not specified") && !strings.EqualFold(v, "none")
}

func offerText(f *pcb.Fact[string], v string, src pcb.Source, conf float64, how string) {
	if isChosen(v) {
		f.Offer(pcb.State(v, src, conf, how))
	}
}

// stackupOf turns the job's layers into those of the board.
func stackupOf(j *gbrjob.Job, src pcb.Source) []pcb.StackupLayer {
	var out []pcb.StackupLayer
	order := 0
	var copper []int64
	for _, l := range j.Stackup {
		if l.Type == "Copper" {
			copper = append(copper, l.Thickness)
		}
	}
	untouched := isPresetCopper(copper)
	for _, l := range j.Stackup {
		s := pcb.StackupLayer{Name: l.Name, Material: l.Material, Colour: l.Colour, EpsilonR: l.Dielectric, LossTan: l.LossTangent}
		switch l.Type {
		case "Copper":
			order++
			s.Kind, s.Order = pcb.StackCopper, order
		case "Dielectric":
			s.Kind = pcb.StackDielectric
			if m := strings.ToLower(l.Name + " " + l.Notes); strings.Contains(m, "core") {
				s.Kind = pcb.StackCore
			} else if strings.Contains(m, "prepreg") {
				s.Kind = pcb.StackPrepreg
			}
		case "SolderMask":
			s.Kind = pcb.StackMask
		case "SolderPaste":
			s.Kind = pcb.StackPaste
		case "Legend":
			s.Kind = pcb.StackSilk
		}
		if l.Thickness > 0 {
			s.Thickness = lengthFact(l.Thickness, s.Kind == pcb.StackCopper && untouched, src, 0.9, "stackup of the job file")
		}
		out = append(out, s)
	}
	return out
}
