package upload

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/foil"
	"boardorder/pkg/board/format/gbrjob"
	"boardorder/pkg/board/format/kicad"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/preset"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/places"
)

// job states what the job file of this board says.
func (a *assembly) job() {
	used := map[string]bool{}
	for i, r := range a.Set.Results {
		j := a.Set.Jobs[i]
		if j == nil || !a.OwnsJob(r, j) {
			continue
		}
		if key := string(a.Files[i].Data); used[key] {
			a.Result(i).LeaveAside("another job file says the same")
			continue
		} else {
			used[key] = true
		}
		a.Result(i).Use(a.board.Name)
		for _, f := range j.Findings {
			f.File = r.Name
			a.Add(f)
		}
		a.jobFacts(j, pcb.Source{File: r.Name})
		a.jobFiles(i, j)
		if len(a.board.Stackup) == 0 {
			a.board.Stackup = stackup(j, pcb.Source{File: r.Name})
		}
	}
}

func (a *assembly) jobFacts(j *gbrjob.Job, src pcb.Source) {
	const conf, how = 0.9, "job file"
	f := &a.board.Facts
	if j.Layers > 0 {
		f.CopperLayers.Offer(pcb.State(j.Layers, src, 0.85, how))
	}
	if w, h := a.jobSize(j); w > 0 && h > 0 {
		f.Width.Offer(pcb.State(w, src, 0.8, how))
		f.Height.Offer(pcb.State(h, src, 0.8, how))
	}
	if j.Thickness > 0 {
		f.Thickness.Offer(lengthFact(j.Thickness, defaultThickness(j), src, conf, how))
	}
	if s := j.Finish; s != "" && !strings.EqualFold(s, "none") {
		f.Finish.Offer(pcb.State(s, src, conf, how))
	}
	state(&f.Castellations, j.Castellated, src)
	state(&f.EdgePlating, j.EdgePlating, src)
	state(&f.Impedance, j.Impedance, src)
	state(&f.Flex, j.Flex, src)
	state(&f.BlindVias, j.BlindVias, src)
	if j.RigidFlex {
		f.Needs(pcb.State(pcb.RigidFlex, src, conf, how))
	}
	if filledTypes[strings.ToUpper(j.ViaProtection)] {
		f.Needs(pcb.State(pcb.ViaFilling, src, conf, how))
	}
	state(&f.Panel, j.Panel, src)
	if e := strings.ToLower(j.EdgeConnector); e != "" && e != "none" && e != "no" {
		f.GoldFingers.Offer(pcb.State(true, src, conf, how))
		state(&f.Bevel, j.Bevelled, src)
	}
	if j.Revision != "" && j.Revision != "rev?" {
		f.Revision.Offer(pcb.State(j.Revision, src, conf, how))
	}
	if j.Created != "" {
		f.Date.Offer(pcb.State(j.Created, src, conf, how))
	}
	tool := strings.TrimSpace(strings.Join([]string{j.Vendor, j.Application, j.Version}, " "))
	if tool != "" {
		f.Tool.Offer(pcb.State(tool, src, conf, how))
	}
	a.stackupFacts(j, src)
	a.jobThickness(j, src)
}

// jobThickness tells where the thickness that a job states is not what its stackup adds
// up to. Of a tool's presets neither was chosen.
func (a *assembly) jobThickness(j *gbrjob.Job, src pcb.Source) {
	var total int64
	for _, l := range j.Stackup {
		total += l.Thickness
		if l.Thickness <= 0 && (l.Type == "Copper" || l.Type == "Dielectric") {
			return
		}
	}
	if f := a.board.Facts.Thickness; f.IsStated() && total > 0 && f.Source == src && !places.IsNear(total, j.Thickness, j.Thickness/10) {
		a.Say(pcb.Warning, "thickness_mismatch", src.File, "the job file gives the board's thickness as %s mm, but the layers of its stackup add up to %s mm", findings.Millimetres(j.Thickness), findings.Millimetres(total))
	}
}

// filledTypes are the types of IPC-4761 of vias that are filled.
var filledTypes = map[string]bool{"V": true, "VI": true, "VII": true}

// state offers a flag that a job file sets; one it leaves out says nothing.
func state(f *pcb.Fact[bool], v bool, src pcb.Source) {
	if v {
		f.Offer(pcb.State(true, src, 0.9, "job file"))
	}
}

// lengthFact marks a value as nobody's choice when it is the tool's own.
func lengthFact(v int64, isDefault bool, src pcb.Source, conf float64, how string) pcb.Fact[int64] {
	if isDefault {
		return pcb.Preset(v, src, how+", the design tool's preset")
	}
	return pcb.State(v, src, conf, how)
}

// defaultThickness tells whether the thickness is the tool's own. Who chose another laminate
// left it for that one.
func defaultThickness(j *gbrjob.Job) bool {
	if strings.EqualFold(j.Vendor, "Autodesk") && preset.StackOf("EAGLE").Adds(j.Thickness, j.Layers) {
		return true
	}
	laminate := slices.ContainsFunc(j.Stackup, func(l gbrjob.Layer) bool {
		return l.Type == "Dielectric" && isChosen(l.Material) && !slices.Contains(preset.Materials, strings.ToLower(l.Material))
	})
	return kicad.PresetThickness(j.Thickness, j.Layers) && (j.Thickness != preset.Thicknesses[0] || !laminate)
}

// jobSize is the job's size of the board; KiCad's includes the line that draws
// the outline.
func (a *assembly) jobSize(j *gbrjob.Job) (w, h int64) {
	w, h = j.Width, j.Height
	if !j.SizeWithStroke || w <= 0 || h <= 0 {
		return w, h
	}
	for _, l := range a.board.Find(pcb.RoleOutline, pcb.NoSide) {
		for i := range l.Features {
			if s := l.Width(&l.Features[i]); s > 0 {
				return w - s, h - s
			}
		}
	}
	return w, h
}

// stackupFacts reads colours, copper and material out of the stackup. Copper counts as
// untouched where all of it is, as in the tool's own files.
func (a *assembly) stackupFacts(j *gbrjob.Job, src pcb.Source) {
	const conf, how = 0.9, "stackup of the job file"
	f := &a.board.Facts
	var copper []int64
	var masks, laminates []string
	for _, l := range j.Stackup {
		switch l.Type {
		case "SolderMask":
			if isChosen(l.Colour) {
				masks = append(masks, l.Colour)
			}
		case "Legend":
			offerText(&f.LegendColour, l.Colour, src, conf, how)
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
		if presetCopper(copper) {
			return pcb.Preset(oz, src, how+", the design tool's preset")
		}
		return pcb.State(oz, src, conf, how)
	})
}

// presetCopper tells whether copper is as a tool that writes job files begins with.
func presetCopper(copper []int64) bool {
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

// jobFiles tells about files that the job lists and the upload lacks.
func (a *assembly) jobFiles(job int, j *gbrjob.Job) {
	for _, f := range j.Files {
		found := false
		for _, r := range a.Set.Results {
			if strings.EqualFold(group.BaseName(r.Name), path.Base(f.Path)) {
				found = true
				break
			}
		}
		if found {
			continue
		}
		level := pcb.Warning
		if strings.HasPrefix(f.Function, "Copper") || strings.HasPrefix(f.Function, "Profile") {
			level = pcb.Problem
		}
		w, ok := classify.Function(f.Function)
		if ok && (w.Role == pcb.RoleAssembly || w.Role == pcb.RoleFabDrawing || w.Role == pcb.RoleOther || a.isRenamed(path.Base(f.Path), w)) {
			level = pcb.Note
		}
		a.Add(pcb.Finding{
			Code: "job_file_missing", Level: level, File: a.Result(job).Name,
			Message: fmt.Sprintf("the job file lists %q (%q), which is not among the files", f.Path, f.Function),
		})
		if level == pcb.Problem {
			a.board.Findings[len(a.board.Findings)-1].Message += ": upload it too, or leave the job file out with file_answers.leave_out if it is of another version"
			a.Ask(answers.LeaveOut(a.Result(job).Name))
		}
	}
}

// isRenamed reports whether a file that the job lists is among the files under another
// extension: of the same stem, and stated in itself to be of the same use.
func (a *assembly) isRenamed(listed string, use classify.Witness) bool {
	stem := strings.TrimSuffix(listed, path.Ext(listed))
	for _, w := range a.art {
		r := w.Result
		name := group.BaseName(r.Name)
		if strings.EqualFold(strings.TrimSuffix(name, path.Ext(name)), stem) && r.Role == use.Role && r.Side == use.Side && r.Layer == use.Order {
			return true
		}
	}
	return false
}

// stackup turns the job's layers into those of the board.
func stackup(j *gbrjob.Job, src pcb.Source) []pcb.StackupLayer {
	var out []pcb.StackupLayer
	order := 0
	var copper []int64
	for _, l := range j.Stackup {
		if l.Type == "Copper" {
			copper = append(copper, l.Thickness)
		}
	}
	untouched := presetCopper(copper)
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
