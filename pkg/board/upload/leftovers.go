package upload

import (
	"context"
	"fmt"
	"path"
	"slices"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/sources"
)

// mayHoldBoard tells whether leaving a file aside needs a word.
func mayHoldBoard(f *classify.Result) bool {
	switch f.Format {
	case classify.FormatAltium, classify.FormatDesign, classify.FormatWorkspace:
		return true
	}
	whole, _ := sources.Find(f.Format)
	return whole.Unread != ""
}

// reportPlaceless tells about artwork that no layer was found for, and what can be said of it.
func (r *reading) reportPlaceless(i int, f *classify.Result) {
	looks, ways, level := "", "", pcb.Warning
	var settle []answers.Answer
	if g := r.guesses[i].Role; g != pcb.RoleUnknown {
		looks = fmt.Sprintf(" (it looks like %s)", g)
	}
	switch r.guesses[i].Role {
	case pcb.RoleCopper:
		level = pcb.Problem // a layer of copper fewer is another board
		if b := group.BoardBeside(r.project.Boards, f.Name); b != nil {
			b.Facts.CopperUnknown.Offer(pcb.State(true, pcb.Source{File: f.Name}, 0.9, "looks like copper"))
		}
		ways, settle = ", name all copper files of the board from top to bottom in file_answers.layer_order, or this one in file_answers.leave_out", []answers.Answer{answers.LayerOrder(), answers.LeaveOut(f.Name)}
	case pcb.RoleOutline:
		ways, settle = ", or in file_answers.outline if it is the edge of the board", []answers.Answer{answers.Outline(f.Name)}
	}
	if r.guesses[i].Blank {
		level = pcb.Note // whatever it is, nothing is lost
	}
	r.project.Findings = append(r.project.Findings, pcb.Finding{
		Code: "role_unknown", Level: level, File: f.Name, Answers: settle,
		Message: fmt.Sprintf("nothing tells which layer this artwork is%s; name it as your CAD system would%s", looks, ways),
	})
}

// reportLeftovers tells about files that belong to nothing.
func (r *reading) reportLeftovers(ctx context.Context) {
	reported := map[string]bool{}
	r.reportBackups()
	for i, f := range r.set.Results {
		switch {
		case f.Used, f.Backup:
		case f.Outdone != "":
			r.list().Say(pcb.Warning, "layer_twice", f.Name, "the file is of a plot with another number of copper layers than the job file states; %q is used: say if this one is right", f.Outdone)
		case f.Older != "":
			r.list().Say(pcb.Warning, "layer_twice", f.Name, "the file is an older plot of the layer that %q is, which is used: say if this one is right", f.Older)
		case f.CopyOf != "" && f.Role != pcb.RoleOther:
			r.list().Say(pcb.Note, "layer_twice", f.Name, "the file draws the same as %q, which is used", f.CopyOf)
		case f.CopyOf != "":
			r.list().Say(pcb.Note, "older_copy", f.Name, "the file is an older copy of %q, which is used", f.CopyOf)
		case f.Format == classify.FormatGerber && f.Role == pcb.RoleUnknown:
			r.reportPlaceless(i, f)
		case f.Format == classify.FormatArchive:
			r.list().Say(pcb.Problem, "archive_unread", f.Name, "the archive could not be unpacked, so what it holds was not read")
		case f.Format == classify.FormatEmpty && classify.ArtworkName(f.Name):
			r.list().Say(pcb.Problem, "file_empty", f.Name, "the file is empty: what it should draw is missing")
		case f.Format == classify.FormatEmpty:
			r.list().Say(pcb.Note, "file_empty", f.Name, "the file is empty")
		case f.Format == classify.FormatTape:
			r.reportTape(f)
		case mayHoldBoard(f) && !f.Used && !reported[f.Unread()+f.Archive()] && !r.isRefused(f.Name):
			reported[f.Unread()+f.Archive()] = true
			level := pcb.Note
			if len(r.project.Boards) == 0 {
				level = pcb.Problem
			}
			r.list().Say(level, "format_unread", f.Name, "%s", f.Unread())
		case f.Format == classify.FormatUnknown:
			r.list().Say(pcb.Note, "format_unknown", f.Name, "the format of this file is not known; it was not read")
		}
	}
	if pcb.Excess(ctx) != nil {
		return // giveUp says why there is no board
	}
	if r.late || ctx.Err() != nil {
		r.list().Say(pcb.Problem, "time_out", "", "reading took longer than allowed; some files were left out")
	}
	if len(r.project.Boards) == 0 {
		r.list().Say(pcb.Problem, "no_board", "", "no board was found in these files")
	}
}

// isRefused tells whether the reader of a file's format said itself why it read no board.
func (r *reading) isRefused(name string) bool {
	return slices.ContainsFunc(r.project.Findings, func(f pcb.Finding) bool { return f.File == name && f.Code == "format_unread" })
}

// reportTape tells of a drill program that is not read: the text beside it holds the same.
func (r *reading) reportTape(f *classify.Result) {
	text := slices.ContainsFunc(r.set.Results, func(o *classify.Result) bool {
		return o.Format == classify.FormatExcellon && o.Used && o.Archive() == f.Archive() && path.Dir(o.Name) == path.Dir(f.Name)
	})
	if text {
		r.list().Say(pcb.Note, "format_unread", f.Name, "the drill program in the code of punched tape is not read: the text beside it, which tools write with it, holds the same")
		return
	}
	if r.fileAnswers != nil && r.fileAnswers.NoHoles {
		r.list().Say(pcb.Note, "format_unread", f.Name, "the drill program in the code of punched tape is left out: the customer says that the board has no holes")
		return
	}
	r.list().Say(pcb.Problem, "format_unread", f.Name, "the drill program is in the code of punched tape, which is not read: send the text that your CAD system writes with it (.TXT)")
}

// reportBackups tells in one note of the backups that a design tool kept by itself.
func (r *reading) reportBackups() {
	n, first := 0, ""
	for _, f := range r.set.Results {
		if f.Backup {
			if n++; n == 1 {
				first = f.Name
			}
		}
	}
	if n > 0 {
		r.project.Findings = append(r.project.Findings, pcb.Finding{Level: pcb.Note, Code: "tool_backup", File: first, Count: n,
			Message: fmt.Sprintf("%d files are backups that a design tool kept by itself: they were not read, as the upload holds a board beside them", n)})
	}
}

// reasons says of formats why no board is read from their files.
var reasons = map[string]string{
	classify.FormatBOM:        "a bill of materials: it belongs to the assembly",
	classify.FormatPlacement:  "a placement file: it belongs to the assembly",
	classify.FormatTable:      "a table that is neither a bill of materials nor a placement file",
	classify.FormatPDF:        "a document for people; nothing is built from it",
	classify.FormatImage:      "a picture for people; nothing is built from it",
	classify.FormatMechanical: "a model for mechanical design; nothing is built from it",
	classify.FormatOrderFile:  "what it states of the order is taken where the request says nothing",
	classify.FormatReadme:     "text without fabrication notes",
	classify.FormatText:       "text without fabrication notes",
	classify.FormatReport:     "a report of the design tool",
	classify.FormatApertures:  "the artwork holds its apertures itself",
	classify.FormatDrillRep:   "the drill files say as much themselves",
	classify.FormatLayerPairs: "the files say as much themselves",
	classify.FormatExtRep:     "the files say as much themselves",
	classify.FormatNCParam:    "the drill files say as much themselves",
	sources.KiCad:             "part of the project; the board is in the .kicad_pcb",
}

// explain completes the reports of files that no board was read from.
func (r *reading) explain() {
	for _, f := range r.set.Results {
		if why := reasons[f.Format]; !f.Used && why != "" {
			f.Why = why
		}
	}
}
