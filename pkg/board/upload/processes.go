package upload

import (
	"fmt"
	"strings"

	"boardorder/pkg/board"
)

// inkProcesses are what layers of a role are made with.
var inkProcesses = map[board.Role]board.Process{
	board.RoleCarbon: board.CarbonPrinting, board.RolePeelable: board.PeelableMasking, board.RoleViaFill: board.ViaFilling,
	board.RoleGoldFinger: board.SelectiveFinish,
}

// processes states what boards need that a plain one is made without: by what their layers
// are for, and tells of it.
func (r *reading) processes() {
	for _, b := range r.project.Boards {
		for _, l := range b.Layers {
			if p, ok := inkProcesses[l.Role]; ok && len(l.Features) > 0 {
				b.Facts.Needs(board.State(p, board.Source{File: l.File}, 0.9, "a layer for it"))
			}
		}
		for _, p := range b.Facts.Processes {
			if p.Value == board.Separating {
				continue // a check tells of it, with the pieces
			}
			words := p.Value.Words()
			b.Findings = append(b.Findings, board.Finding{
				Code: string(p.Value), Level: board.Warning, File: p.Source.File, Line: p.Source.Line,
				Message: fmt.Sprintf("%s%s: the files show it (%s), and a plain board is made without", strings.ToUpper(words[:1]), words[1:], p.How),
			})
		}
	}
}
