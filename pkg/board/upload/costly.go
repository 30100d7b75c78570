package upload

import (
	"context"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
)

// A costlyBoard costs more than the budget: its files, and the finding that says so.
type costlyBoard struct {
	name    string
	files   []pcb.FileReport
	finding pcb.Finding
}

// read reads the files of an upload. Where one board costs more than the budget, the
// others are read without it, and its name stays; where they cost more again, the upload
// is given up.
func read(ctx context.Context, files []File, opt Options, roles *answers.FileAnswers) *pcb.Project {
	r := readOnce(ctx, files, opt, roles)
	all := r.project
	c, ok := r.costly()
	if !ok {
		return all
	}
	rest := slices.DeleteFunc(slices.Clone(files), func(f File) bool {
		return slices.ContainsFunc(c.files, func(r pcb.FileReport) bool { return r.Name == f.Name })
	})
	p := readOnce(ctx, rest, opt, roles).project
	if len(p.Boards) == 0 {
		return all
	}
	p.Boards = append(p.Boards, &pcb.Board{Name: c.name, Findings: []pcb.Finding{c.finding}})
	p.Files = append(p.Files, c.files...)
	return p
}

// costly is the board of the file that took most of a budget that was used up; false
// where it was not, or no file is to blame.
func (r *reading) costly() (costlyBoard, bool) {
	e := r.excess
	if e == nil || e.File == "" {
		return costlyBoard{}, false
	}
	i := slices.IndexFunc(r.files, func(f classify.File) bool { return f.Name == e.File })
	if i < 0 {
		return costlyBoard{}, false
	}
	of := r.set.Results[i]
	c := costlyBoard{name: strings.TrimSuffix(path.Base(of.Name), path.Ext(of.Name)), finding: e.Finding()}
	if of.Group >= 0 {
		c.name = r.set.Groups[of.Group].Name
	}
	for k, f := range r.set.Results {
		if k == i || of.Group >= 0 && f.Group == of.Group {
			report := f.FileReport
			report.Board, report.Used = c.name, false
			c.files = append(c.files, report)
		}
	}
	return c, true
}
