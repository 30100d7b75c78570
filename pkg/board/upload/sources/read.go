package sources

import (
	"context"
	"slices"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
)

// Boards is what a source gave.
type Boards struct {
	Source
	Boards   []*pcb.Board
	Findings []pcb.Finding
}

// Read reads boards of formats that hold a whole one. It only looks at the
// formats of files, so that artwork can be read beside it.
func Read(ctx context.Context, all []classify.File, set *classify.Set) []Boards {
	var out []Boards
	for _, s := range List() {
		var files []classify.File
		for i, f := range set.Results {
			if slices.Contains(s.Formats, f.Format) {
				files = append(files, all[i])
			}
		}
		if len(files) > 0 {
			boards, findings := s.read(ctx, files)
			out = append(out, Boards{s, boards, findings})
		}
	}
	return out
}

// HoldsBoard tells whether a file of the upload holds a whole board.
func HoldsBoard(set *classify.Set) bool {
	for _, s := range List() {
		for _, f := range set.Results {
			if f.Format == s.Formats[0] {
				return true
			}
		}
	}
	return false
}
