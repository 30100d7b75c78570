// Package jobfile takes over what the job file of a board says: sizes, finish, stackup, and
// the files that ought to be there.
package jobfile

import (
	"fmt"
	"path"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/format/gbrjob"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/places"
)

// A Reader reads the job files of a board. It changes the board's facts and stackup.
type Reader struct {
	group.Upload
	*findings.List
	Art   []*artwork.File
	Board *pcb.Board
}

// Read states what the job files of the board say.
func (s Reader) Read() {
	used := map[string]bool{}
	for i, r := range s.Set.Results {
		j := s.Set.Jobs[i]
		if j == nil || !s.OwnsJob(r, j) {
			continue
		}
		if key := string(s.Files[i].Data); used[key] {
			s.Result(i).LeaveAside("another job file says the same")
			continue
		} else {
			used[key] = true
		}
		s.Result(i).Use(s.Board.Name)
		for _, f := range j.Findings {
			f.File = r.Name
			s.Add(f)
		}
		s.stateFacts(j, pcb.Source{File: r.Name})
		s.reportMissing(i, j)
		if len(s.Board.Stackup) == 0 {
			s.Board.Stackup = stackupOf(j, pcb.Source{File: r.Name})
		}
	}
}

func (s Reader) stateFacts(j *gbrjob.Job, src pcb.Source) {
	const conf, how = 0.9, "job file"
	f := &s.Board.Facts
	if j.Layers > 0 {
		f.CopperLayers.Offer(pcb.State(j.Layers, src, 0.85, how))
	}
	if w, h := Size(j, s.Board); w > 0 && h > 0 {
		f.Width.Offer(pcb.State(w, src, 0.8, how))
		f.Height.Offer(pcb.State(h, src, 0.8, how))
	}
	if j.Thickness > 0 {
		f.Thickness.Offer(lengthFact(j.Thickness, isPresetThickness(j), src, conf, how))
	}
	if s := j.Finish; s != "" && !strings.EqualFold(s, "none") {
		f.Finish.Offer(pcb.State(s, src, conf, how))
	}
	stateFlag(&f.Castellations, j.Castellated, src)
	stateFlag(&f.EdgePlating, j.EdgePlating, src)
	stateFlag(&f.Impedance, j.Impedance, src)
	stateFlag(&f.Flex, j.Flex, src)
	stateFlag(&f.BlindVias, j.BlindVias, src)
	if j.RigidFlex {
		f.Needs(pcb.State(pcb.RigidFlex, src, conf, how))
	}
	if filledTypes[strings.ToUpper(j.ViaProtection)] {
		f.Needs(pcb.State(pcb.ViaFilling, src, conf, how))
	}
	stateFlag(&f.Panel, j.Panel, src)
	if e := strings.ToLower(j.EdgeConnector); e != "" && e != "none" && e != "no" {
		f.GoldFingers.Offer(pcb.State(true, src, conf, how))
		stateFlag(&f.Bevel, j.Bevelled, src)
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
	s.stateStackup(j, src)
	s.compareThickness(j, src)
}

// compareThickness tells where the thickness that a job states is not what its stackup adds
// up to. Of a tool's presets neither was chosen.
func (s Reader) compareThickness(j *gbrjob.Job, src pcb.Source) {
	var total int64
	for _, l := range j.Stackup {
		total += l.Thickness
		if l.Thickness <= 0 && (l.Type == "Copper" || l.Type == "Dielectric") {
			return
		}
	}
	if f := s.Board.Facts.Thickness; f.IsStated() && total > 0 && f.Source == src && !places.IsNear(total, j.Thickness, j.Thickness/10) {
		s.Say(pcb.Warning, "thickness_mismatch", src.File, "the job file gives the board's thickness as %s mm, but the layers of its stackup add up to %s mm", findings.Millimetres(j.Thickness), findings.Millimetres(total))
	}
}

// filledTypes are the types of IPC-4761 of vias that are filled.
var filledTypes = map[string]bool{"V": true, "VI": true, "VII": true}

// stateFlag offers a flag that a job file sets; one it leaves out says nothing.
func stateFlag(f *pcb.Fact[bool], v bool, src pcb.Source) {
	if v {
		f.Offer(pcb.State(true, src, 0.9, "job file"))
	}
}

// Size is the job's size of the board; KiCad's includes the line that draws
// the outline.
func Size(j *gbrjob.Job, b *pcb.Board) (w, h int64) {
	w, h = j.Width, j.Height
	if !j.SizeWithStroke || w <= 0 || h <= 0 {
		return w, h
	}
	for _, l := range b.Find(pcb.RoleOutline, pcb.NoSide) {
		for i := range l.Features {
			if s := l.Width(&l.Features[i]); s > 0 {
				return w - s, h - s
			}
		}
	}
	return w, h
}

// reportMissing tells about files that the job lists and the upload lacks.
func (s Reader) reportMissing(job int, j *gbrjob.Job) {
	for _, f := range j.Files {
		found := false
		for _, r := range s.Set.Results {
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
		if ok && (w.Role == pcb.RoleAssembly || w.Role == pcb.RoleFabDrawing || w.Role == pcb.RoleOther || s.isRenamed(path.Base(f.Path), w)) {
			level = pcb.Note
		}
		s.Add(pcb.Finding{
			Code: "job_file_missing", Level: level, File: s.Result(job).Name,
			Message: fmt.Sprintf("the job file lists %q (%q), which is not among the files", f.Path, f.Function),
		})
		if level == pcb.Problem {
			s.Board.Findings[len(s.Board.Findings)-1].Message += ": upload it too, or leave the job file out with file_answers.leave_out if it is of another version"
			s.Ask(answers.LeaveOut(s.Result(job).Name))
		}
	}
}

// isRenamed reports whether a file that the job lists is among the files under another
// extension: of the same stem, and stated in itself to be of the same use.
func (s Reader) isRenamed(listed string, use classify.Evidence) bool {
	stem := strings.TrimSuffix(listed, path.Ext(listed))
	for _, w := range s.Art {
		r := w.Result
		name := group.BaseName(r.Name)
		if strings.EqualFold(strings.TrimSuffix(name, path.Ext(name)), stem) && r.Role == use.Role && r.Side == use.Side && r.Layer == use.Order {
			return true
		}
	}
	return false
}
