package upload

import (
	"cmp"
	"context"
	"slices"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/internal/parallel"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/boardfacts"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/merge"
	"boardorder/pkg/board/upload/missingholes"
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
	fileAnswers := opt.Answers
	if fileAnswers.Empty() {
		return read(ctx, files, opt, nil)
	}
	kept, left := leaveOut(files, fileAnswers)
	p := read(ctx, kept, opt, omitOutline(fileAnswers))
	if fileAnswers.Outline != "" && !drawsOutline(p, fileAnswers.Outline) {
		p = read(ctx, kept, opt, fileAnswers)
	}
	settleOutline(p, fileAnswers.Outline)
	p.Refused = append(p.Refused, unusable(p, fileAnswers)...)
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
			whole = sources.Read(ctx, r.files, r.set.Formats())
		} else {
			r.makeBoards(ctx)
		}
	})
	for _, w := range whole {
		for _, b := range w.Boards {
			boardfacts.StateWhole(ctx, r.meter, b)
		}
	}
	r.merger.Projects(whole)
	panel.FindPanels(r.meter, r.merger.Sizes, r.project.Boards, r.list())
	for _, b := range r.project.Boards {
		stackup.MarkPresets(&b.Facts)
		stackup.MarkCopper(b)
		missingholes.AskAboutPads(r.meter, r.files, b, r.fileAnswers)
	}
	r.readStackTables()
	notes.Reader{Files: r.files, Set: r.set, Boards: r.project.Boards, List: r.list()}.Read()
	panel.StateSeparating(r.project.Boards)
	panel.TakeCrossings(r.meter, r.project.Boards)
	panel.WarnOfInnerLines(r.project.Boards)
	panel.ReportScoresBeside(r.meter, r.project.Boards)
	for _, b := range r.project.Boards {
		b.Facts.Dielectrics.Offer(stackup.Dielectrics(b))
	}
	processes.Reader{Files: r.files, Set: r.set, Boards: r.project.Boards}.State()
	parts.CompareLists(r.files, r.set, r.list())
	r.reportLeftovers(ctx)
	r.nameShapes()
	r.explain()
	r.finish(ctx)
	return r
}

// reading is the work on one upload.
type reading struct {
	meter       pcb.Meter
	files       []classify.File
	set         *classify.Set
	project     *pcb.Project
	late        bool
	excess      *pcb.TooComplex     // set where the budget was used up
	guesses     map[int]roles.Guess // what files without a role look like
	merger      *merge.Merger
	fileAnswers *answers.FileAnswers
}

// readStackTables reads the tables that somebody wrote beside a design tool's own
// file: they are for the fabricator, as notes are.
func (r *reading) readStackTables() {
	for i, f := range r.set.Results {
		if f.Format != classify.FormatStackup || f.Used {
			continue
		}
		if b := group.BoardBeside(r.project.Boards, f.Name); b != nil {
			u := group.Upload{Files: r.files, Set: r.set, Group: &classify.Group{Layers: len(b.Copper())}}
			stackup.Table{Upload: u, List: findings.ListOf(b), Board: b}.Read(i)
		}
	}
}

func newReader(ctx context.Context, files []File, fileAnswers, given *answers.FileAnswers) *reading {
	r := &reading{fileAnswers: fileAnswers, meter: pcb.MeterOf(ctx), project: &pcb.Project{}, guesses: map[int]roles.Guess{}}
	for _, f := range files {
		r.files = append(r.files, classify.File(f))
	}
	r.set = classify.ClassifyAnswered(r.files, given)
	r.merger = merge.New(r.meter, r.set, r.project)
	return r
}

// list is the list of findings about the upload as a whole.
func (r *reading) list() *findings.List { return (*findings.List)(&r.project.Findings) }

// finish puts the findings in order of weight and hands over the file reports.
func (r *reading) finish(ctx context.Context) {
	r.giveUp(ctx)
	for _, f := range r.set.Results {
		r.project.Files = append(r.project.Files, f.FileReport)
	}
	sortFindings(r.project.Findings)
	for _, b := range r.project.Boards {
		sortFindings(b.Findings)
	}
}

// giveUp leaves no board where the budget was used up: each may lack something.
func (r *reading) giveUp(ctx context.Context) {
	e := pcb.Excess(ctx)
	if r.excess = e; e == nil {
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
