package upload

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/internal/parallel"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/merge"
	"boardorder/pkg/board/upload/notes"
	"boardorder/pkg/board/upload/panel"
	"boardorder/pkg/board/upload/parts"
	"boardorder/pkg/board/upload/processes"
	"boardorder/pkg/board/upload/roles"
	"boardorder/pkg/board/upload/sources"
	"boardorder/pkg/board/upload/stackup"
)

// A File is one file of an upload, archives unpacked; the member m of an
// archive a is named a!/m.
type File struct {
	Name string
	Data []byte
}

// Options bound a reading. The zero Options suit a service.
type Options struct {
	Limits pcb.Limits // where ctx has no budget yet
	// Answers are read as though the files said them. They name files by their whole names.
	Answers *answers.FileAnswers
}

// Read reads an upload. When ctx ends the files not yet read are left out, and
// a finding says so. Of a board that costs more than the budget there is the name and a
// finding alone; where the whole upload does, there is no board: a finding names the
// file that took most of it.
func Read(ctx context.Context, files []File, opt Options) *pcb.Project {
	said := opt.Answers
	if said.Empty() {
		return read(ctx, files, opt, nil)
	}
	kept, left := leaveOut(files, said)
	p := read(ctx, kept, opt, omitOutline(said))
	if said.Outline != "" && !drawsOutline(p, said.Outline) {
		p = read(ctx, kept, opt, said)
	}
	settleOutline(p, said.Outline)
	p.Refused = append(p.Refused, unusable(p, said)...)
	p.Files = append(p.Files, left...)
	return p
}

// readOnce reads the files that are of the upload's boards, within one budget. roles are
// the answers that give files another role than the files themselves do.
func readOnce(ctx context.Context, files []File, opt Options, roles *answers.FileAnswers) *reading {
	ctx, end := pcb.WithBudget(ctx, opt.Limits)
	defer end()
	r := newReader(ctx, files, opt.Answers, roles)
	var whole []sources.Boards
	_ = parallel.Run(context.WithoutCancel(ctx), 2, func(i int) { // each looks at ctx itself
		if i == 0 {
			whole = sources.Read(ctx, r.files, r.set)
		} else {
			r.gerbers()
		}
	})
	r.merger.Projects(whole)
	panel.FindPanels(r.meter, r.merger.Sizes, r.project.Boards, r.list())
	for _, b := range r.project.Boards {
		stackup.MarkPresets(&b.Facts)
		stackup.MarkCopper(b)
		r.askAboutBareLands(b)
	}
	r.projectStackTables()
	notes.Reader{Files: r.files, Set: r.set, Boards: r.project.Boards, List: r.list()}.Read()
	panel.StateSeparating(r.project.Boards)
	for _, b := range r.project.Boards {
		b.Facts.Dielectrics.Offer(stackup.Dielectrics(b))
	}
	processes.Reader{Files: r.files, Set: r.set, Boards: r.project.Boards}.State()
	parts.CompareLists(r.files, r.set, r.list())
	r.leftovers()
	r.explain()
	r.finish()
	return r
}

// reading is the work on one upload.
type reading struct {
	ctx     context.Context
	meter   pcb.Meter
	files   []classify.File
	set     *classify.Set
	project *pcb.Project
	late    bool
	hints   map[int]roles.Guess // what files without a role look like
	merger  *merge.Merger
	said    *answers.FileAnswers
}

// projectStackTables reads the tables that somebody wrote beside a design tool's own
// file: they are for the fabricator, as notes are.
func (r *reading) projectStackTables() {
	for i, f := range r.set.Results {
		if f.Format != classify.FormatStackup || f.Used {
			continue
		}
		if b := group.BoardBeside(r.project.Boards, f.Name); b != nil {
			u := group.Upload{Files: r.files, Set: r.set, Group: &classify.Group{Layers: len(b.Copper())}}
			stackup.Table{Upload: u, List: findings.Of(b), Board: b}.Read(i)
		}
	}
}

// result is what classification found out about file i.
func (r *reading) result(i int) *classify.Result { return r.set.Results[i] }

func newReader(ctx context.Context, files []File, said, given *answers.FileAnswers) *reading {
	r := &reading{said: said, ctx: ctx, meter: pcb.MeterOf(ctx), project: &pcb.Project{}, hints: map[int]roles.Guess{}}
	for _, f := range files {
		r.files = append(r.files, classify.File(f))
	}
	r.set = classify.ClassifyAnswered(r.files, given)
	r.merger = merge.New(r.meter, r.set, r.project)
	return r
}

// list is the list of findings about the upload as a whole.
func (r *reading) list() *findings.List { return (*findings.List)(&r.project.Findings) }

// find adds a finding about the upload as a whole.
func (r *reading) find(level pcb.Level, code, file, format string, args ...any) {
	r.project.Findings = append(r.project.Findings, pcb.Finding{Code: code, Level: level, File: file, Message: fmt.Sprintf(format, args...)})
}

// designFormats hold a board, so that leaving one aside needs a word.
var designFormats = map[string]bool{
	classify.FormatODB: true, classify.FormatIPC2581: true, classify.FormatEagleBoard: true, classify.FormatAltium: true, classify.FormatDesign: true, classify.FormatWorkspace: true,
}

// placeless tells about artwork that no layer was found for, and what can be said of it.
func (r *reading) placeless(i int, f *classify.Result) {
	looks, ways, level := "", "", pcb.Warning
	var settle []answers.Answer
	if g := r.hints[i].Role; g != pcb.RoleUnknown {
		looks = fmt.Sprintf(" (it looks like %s)", g)
	}
	switch r.hints[i].Role {
	case pcb.RoleCopper:
		level = pcb.Problem // a layer of copper fewer is another board
		if b := group.BoardBeside(r.project.Boards, f.Name); b != nil {
			b.Facts.CopperUnknown.Offer(pcb.State(true, pcb.Source{File: f.Name}, 0.9, "looks like copper"))
		}
		ways, settle = ", name all copper files of the board from top to bottom in file_answers.layer_order, or this one in file_answers.leave_out", []answers.Answer{answers.LayerOrder(), answers.LeaveOut(f.Name)}
	case pcb.RoleOutline:
		ways, settle = ", or in file_answers.outline if it is the edge of the board", []answers.Answer{answers.Outline(f.Name)}
	}
	if r.hints[i].Blank {
		level = pcb.Note // whatever it is, nothing is lost
	}
	r.project.Findings = append(r.project.Findings, pcb.Finding{
		Code: "role_unknown", Level: level, File: f.Name, Answers: settle,
		Message: fmt.Sprintf("nothing tells which layer this artwork is%s; name it as your CAD system would%s", looks, ways),
	})
}

// leftovers tells about files that belong to nothing.
func (r *reading) leftovers() {
	told := map[string]bool{}
	r.toolBackups()
	for i, f := range r.set.Results {
		switch {
		case f.Used, f.Backup:
		case f.Outdone != "":
			r.find(pcb.Warning, "layer_twice", f.Name, "the file is of a plot with another number of copper layers than the job file states; %q is used: say if this one is right", f.Outdone)
		case f.Older != "":
			r.find(pcb.Warning, "layer_twice", f.Name, "the file is an older plot of the layer that %q is, which is used: say if this one is right", f.Older)
		case f.CopyOf != "" && f.Role != pcb.RoleOther:
			r.find(pcb.Note, "layer_twice", f.Name, "the file draws the same as %q, which is used", f.CopyOf)
		case f.CopyOf != "":
			r.find(pcb.Note, "older_copy", f.Name, "the file is an older copy of %q, which is used", f.CopyOf)
		case f.Format == classify.FormatGerber && f.Role == pcb.RoleUnknown:
			r.placeless(i, f)
		case f.Format == classify.FormatArchive:
			r.find(pcb.Problem, "archive_unread", f.Name, "the archive could not be unpacked, so what it holds was not read")
		case f.Format == classify.FormatEmpty && classify.ArtworkName(f.Name):
			r.find(pcb.Problem, "file_empty", f.Name, "the file is empty: what it should draw is missing")
		case f.Format == classify.FormatEmpty:
			r.find(pcb.Note, "file_empty", f.Name, "the file is empty")
		case f.Format == classify.FormatTape:
			r.tape(f)
		case designFormats[f.Format] && !f.Used && !told[f.Unread()+f.Archive()]:
			told[f.Unread()+f.Archive()] = true
			level := pcb.Note
			if len(r.project.Boards) == 0 {
				level = pcb.Problem
			}
			r.find(level, "format_unread", f.Name, "%s", f.Unread())
		case f.Format == classify.FormatUnknown:
			r.find(pcb.Note, "format_unknown", f.Name, "the format of this file is not known; it was not read")
		}
	}
	if pcb.Excess(r.ctx) != nil {
		return // giveUp says why there is no board
	}
	if r.late || r.ctx.Err() != nil {
		r.find(pcb.Problem, "time_out", "", "reading took longer than allowed; some files were left out")
	}
	if len(r.project.Boards) == 0 {
		r.find(pcb.Problem, "no_board", "", "no board was found in these files")
	}
}

// tape tells of a drill program that is not read: the text beside it holds the same.
func (r *reading) tape(f *classify.Result) {
	text := slices.ContainsFunc(r.set.Results, func(o *classify.Result) bool {
		return o.Format == classify.FormatExcellon && o.Used && o.Archive() == f.Archive() && path.Dir(o.Name) == path.Dir(f.Name)
	})
	if text {
		r.find(pcb.Note, "format_unread", f.Name, "the drill program in the code of punched tape is not read: the text beside it, which tools write with it, holds the same")
		return
	}
	if r.said != nil && r.said.NoHoles {
		r.find(pcb.Note, "format_unread", f.Name, "the drill program in the code of punched tape is left out: the customer says that the board has no holes")
		return
	}
	r.find(pcb.Problem, "format_unread", f.Name, "the drill program is in the code of punched tape, which is not read: send the text that your CAD system writes with it (.TXT)")
}

// toolBackups tells in one note of the backups that a design tool kept by itself.
func (r *reading) toolBackups() {
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

// finish puts the findings in order of weight and hands over the file reports.
func (r *reading) finish() {
	r.giveUp()
	for _, f := range r.set.Results {
		r.project.Files = append(r.project.Files, f.FileReport)
	}
	sortFindings(r.project.Findings)
	for _, b := range r.project.Boards {
		sortFindings(b.Findings)
	}
}

// giveUp leaves no board where the budget was used up: each may lack something.
func (r *reading) giveUp() {
	e := pcb.Excess(r.ctx)
	if e == nil {
		return
	}
	r.project.Boards = nil
	r.project.Findings = append(r.project.Findings, e.Finding())
	for _, f := range r.set.Results {
		f.Used = false
	}
}

// sortFindings puts the worst first and keeps the order otherwise.
func sortFindings(f []pcb.Finding) {
	slices.SortStableFunc(f, func(a, b pcb.Finding) int { return cmp.Compare(b.Level, a.Level) })
}

// runEach calls do for every index, several at once. What ctx cuts off is not called.
func (r *reading) runEach(n int, do func(i int)) {
	if parallel.Run(r.ctx, n, do) != nil {
		r.late = true
	}
}
