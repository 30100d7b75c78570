// Package group gives the files of an upload as one of its boards sees them: those of its
// own group, and those that lie beside them.
package group

import (
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/format/gbrjob"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
)

// An Upload is an upload as one group of its files sees it.
type Upload struct {
	Files []classify.File
	Set   *classify.Set // of all files
	Group *classify.Group
}

// Result is what classification found out about file i.
func (u Upload) Result(i int) *classify.Result { return u.Set.Results[i] }

// LiesBeside tells whether a file that is of no group belongs to this one: it is the only
// one, or has files in the same archive or folder.
func (u Upload) LiesBeside(r *classify.Result) bool {
	return len(u.Set.Groups) == 1 || slices.ContainsFunc(u.Group.Members, func(m int) bool { return isNear(u.Result(m).Name, r.Name) })
}

// OwnsJob tells whether a job file belongs to the group: it lists its files, or lies with
// them.
func (u Upload) OwnsJob(r *classify.Result, j *gbrjob.Job) bool {
	if len(j.Files) > 0 {
		listed := 0
		for _, f := range j.Files {
			if slices.ContainsFunc(u.Group.Members, func(m int) bool { return strings.EqualFold(BaseName(u.Result(m).Name), path.Base(f.Path)) }) {
				listed++
			}
		}
		return listed*2 > len(j.Files)
	}
	return len(u.Set.Groups) == 1 || slices.ContainsFunc(u.Group.Members, func(m int) bool { return path.Dir(u.Result(m).Name) == path.Dir(r.Name) })
}

// Source is where a hole of a board was read.
func (u Upload) Source(h *pcb.Hole) pcb.Source {
	if h.File < 0 || int(h.File) >= len(u.Files) {
		return pcb.Source{}
	}
	return pcb.Source{File: u.Files[h.File].Name, Line: int(h.Line)}
}

// BoardBeside is the board that a file of no group is about: the only one, or the only one
// with files in the same folder or archive; nil for none.
func BoardBeside(boards []*pcb.Board, file string) *pcb.Board {
	if len(boards) == 1 {
		return boards[0]
	}
	var found *pcb.Board
	for _, b := range boards {
		for _, l := range b.Layers {
			if isNear(l.File, file) {
				if found != nil && found != b {
					return nil
				}
				found = b
			}
		}
	}
	return found
}

// isNear tells whether two files are of one folder or one archive.
func isNear(a, b string) bool {
	return path.Dir(a) == path.Dir(b) || classify.Archive(a) == classify.Archive(b) && classify.Archive(a) != ""
}

// BaseName is a file's name without folders.
func BaseName(name string) string {
	return name[strings.LastIndexByte(name, '/')+1:]
}

// Stem is the name of a file without folders and extension.
func Stem(name string) string {
	base := BaseName(name)
	return strings.TrimSuffix(base, path.Ext(base))
}

// ShareStem reports whether files differ in their extensions only.
func ShareStem(a, b string) bool { return strings.EqualFold(Stem(a), Stem(b)) }
