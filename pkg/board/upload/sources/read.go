package sources

import (
	"context"
	"slices"

	"boardorder/pkg/board/pcb"
)

// Boards is what a source gave.
type Boards struct {
	Source
	Boards   []*pcb.Board
	Findings []pcb.Finding
}

// Read reads boards of formats that hold a whole one. formats are those of the files, in
// their order: nothing else that is found out about files is looked at, so that artwork
// can be read beside it.
func Read(ctx context.Context, all []File, formats []string) []Boards {
	var out []Boards
	for _, s := range sources {
		var files []File
		for i, f := range formats {
			if slices.Contains(s.Formats, f) {
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
