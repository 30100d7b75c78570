package upload

import (
	"bytes"
	"fmt"
	"path"
	"slices"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/missingholes"
)

// leaveOut takes out the files that the customer says are not of the board, with their
// copies, and reports on them.
func leaveOut(files []File, fileAnswers *answers.FileAnswers) (kept []File, left []pcb.FileReport) {
	if len(fileAnswers.LeaveOut) == 0 {
		return files, nil
	}
	d := duplicates{named: fileAnswers.LeaveOut, byName: map[string]File{}, byFolder: map[string][]File{}}
	for _, f := range files {
		d.byName[f.Name] = f
		d.byFolder[path.Dir(f.Name)] = append(d.byFolder[path.Dir(f.Name)], f)
	}
	for _, f := range files {
		why := "left out: the customer says that it is not of the board"
		switch {
		case d.isNamed(f):
		case d.isLeftCopy(f):
			why = "left out: a copy of what the customer says is not of the board"
		default:
			kept = append(kept, f)
			continue
		}
		left = append(left, pcb.FileReport{Name: f.Name, Size: int64(len(f.Data)), Role: pcb.RoleOther, Confidence: 1, Why: why})
	}
	return kept, left
}

// duplicates finds the copies of files that are named to be left out.
type duplicates struct {
	named    []string
	byName   map[string]File
	byFolder map[string][]File
}

func (d duplicates) isNamed(f File) bool { return slices.Contains(d.named, f.Name) }

// isLeftCopy reports whether a file is a copy of a named one, in a folder or an archive that
// repeats what else lies beside that one. Where the whole folder is named, the other stays.
func (d duplicates) isLeftCopy(f File) bool {
	folder := path.Dir(f.Name)
	return slices.ContainsFunc(d.named, func(name string) bool {
		l, found := d.byName[name]
		if !found || path.Dir(name) == folder || group.BaseName(name) != group.BaseName(f.Name) || !bytes.Equal(l.Data, f.Data) {
			return false
		}
		return slices.ContainsFunc(d.byFolder[path.Dir(name)], func(h File) bool {
			g, found := d.byName[path.Join(folder, group.BaseName(h.Name))]
			return found && !d.isNamed(h) && !d.isNamed(g) && bytes.Equal(g.Data, h.Data)
		})
	})
}

// omitOutline are the answers without the outline: the edge may well have been found in
// the file that is named, beside what else it draws.
func omitOutline(fileAnswers *answers.FileAnswers) *answers.FileAnswers {
	rest := *fileAnswers
	rest.Outline = ""
	return &rest
}

// drawsOutline tells whether a board's shape was taken from a file.
func drawsOutline(p *pcb.Project, file string) bool {
	return slices.ContainsFunc(p.Boards, func(b *pcb.Board) bool {
		return b.Outline.Source.File == file && !b.Outline.Bounds().Empty()
	})
}

// doubted are the codes of findings that ask whether a line is the board's edge.
var doubted = []string{"outline_elsewhere", "outline_repeated", "outline_doubt"}

// settleOutline takes the doubt out of an outline that the customer named.
func settleOutline(p *pcb.Project, file string) {
	for _, b := range p.Boards {
		if file == "" || b.Outline.Source.File != file {
			continue
		}
		for i := range b.Findings {
			if f := &b.Findings[i]; slices.Contains(doubted, f.Code) && f.Level != pcb.Problem {
				f.Level, f.Answers = pcb.Note, nil
			}
		}
	}
}

// unusable are the answers that the files contradict, or that they leave no use for.
func unusable(p *pcb.Project, fileAnswers *answers.FileAnswers) []answers.Refused {
	if len(p.Boards) == 0 {
		return nil
	}
	var out []answers.Refused
	refuse := func(field, problem string, allowed []string, format string, args ...any) {
		out = append(out, answers.Refused{Field: field, Problem: problem, Message: fmt.Sprintf(format, args...), Allowed: allowed})
	}
	if fileAnswers.NoHoles && !slices.ContainsFunc(p.Boards, deniesHoles) {
		refuse("no_holes", "contradicts_files", nil, "The files hold %d holes: leave no_holes out, or name the drill files in leave_out.", len(p.Boards[0].Holes))
	}
	if fileAnswers.Outline != "" && !drawsOutline(p, fileAnswers.Outline) {
		if isShape(fileAnswers.Outline) {
			refuse("outline", "unsupported", nil, "A drawing of mechanical design is not read as artwork: upload the edge as Gerber and name that file.")
		} else {
			refuse("outline", "unsupported", nil, "This file draws no closed line that can be the edge of the board.")
		}
	}
	if len(fileAnswers.LayerOrder) > 0 {
		out = append(out, unusableOrder(p, fileAnswers.LayerOrder)...)
	}
	for file := range fileAnswers.ToolSizes {
		if i := slices.IndexFunc(p.Files, func(f pcb.FileReport) bool { return f.Name == file }); i >= 0 && p.Files[i].Format != classify.FormatExcellon {
			refuse("tool_sizes", "unsupported", fileNames(p, func(f pcb.FileReport) bool { return f.Format == classify.FormatExcellon }), "This file is no drill file.")
		}
	}
	return out
}

// deniesHoles reports whether it makes sense to say of a board that it has no more holes.
func deniesHoles(b *pcb.Board) bool {
	return len(b.Holes) == 0 || slices.ContainsFunc(b.Findings, func(f pcb.Finding) bool { return f.Code == missingholes.Denied })
}

// unusableOrder tells of an order of layers that is not that of all copper of a board.
func unusableOrder(p *pcb.Project, order []string) []answers.Refused {
	var home string
	for _, name := range order {
		i := slices.IndexFunc(p.Files, func(f pcb.FileReport) bool { return f.Name == name })
		if i < 0 {
			continue
		}
		f := p.Files[i]
		if f.Format != classify.FormatGerber || f.Role != pcb.RoleCopper {
			return []answers.Refused{{Field: "layer_order", Problem: "unsupported", Message: "A file is named that is no artwork of a copper layer.",
				Allowed: fileNames(p, func(f pcb.FileReport) bool { return f.Format == classify.FormatGerber })}}
		}
		if home != "" && home != f.Board {
			return []answers.Refused{{Field: "layer_order", Problem: "conflict", Message: "The named files are of several boards."}}
		}
		home = f.Board
	}
	copper := fileNames(p, func(f pcb.FileReport) bool { return f.Board == home && f.Role == pcb.RoleCopper })
	if slices.ContainsFunc(copper, func(name string) bool { return !slices.Contains(order, name) }) {
		return []answers.Refused{{Field: "layer_order", Problem: "conflict", Allowed: copper,
			Message: "The files hold more copper than is named: name all of it in the order from top to bottom, and what is not of the board in leave_out."}}
	}
	return nil
}

// fileNames are the names of the files of a kind.
func fileNames(p *pcb.Project, of func(pcb.FileReport) bool) []string {
	var out []string
	for _, f := range p.Files {
		if of(f) {
			out = append(out, f.Name)
		}
	}
	return out
}
