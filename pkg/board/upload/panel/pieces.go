package panel

import (
	"fmt"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/outline"
)

// StateSeparating states that a board is several, where its outline comes in pieces as large as
// boards and nothing says for certain that they are a panel: which of them to build, and in
// what, is for people.
func StateSeparating(boards []*pcb.Board) {
	const sure = 0.7 // of what says that it is a panel
	for _, b := range boards {
		n, panel := outline.Boards(b.Outline), b.Facts.Panel
		if n < 2 || panel.IsStated() && panel.Value && panel.Confidence >= sure {
			continue
		}
		b.Facts.Needs(pcb.State(pcb.Separating, b.Outline.Source, 0.9, fmt.Sprintf("an outline in %d pieces", n)))
	}
}
