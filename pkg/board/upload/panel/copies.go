package panel

import (
	"fmt"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/boardsize"
	"boardorder/pkg/board/upload/findings"
)

// otherPanel are panels that no boards are broken out of: those of a case, of a control, of
// the sun.
var (
	panelWord  = pattern.Lazy(`(?i)panel`)
	otherPanel = pattern.Lazy(`(?i)(?:front|back|rear|side|end|top|bottom|face|cover|control|patch|solar|touch|light|key|button|switch|display|lcd|led|instrument)s?[ _.\-]?panel|panels?[ _.\-]?(?:graphic|mount|meter|plate|front|back|art)`)
)

// namesPanel reports whether the name of a board says that it is a panel of boards.
func namesPanel(name string) bool {
	return len(panelWord().FindAllString(name, -1)) > len(otherPanel().FindAllString(name, -1))
}

// FindPanels finds boards that are panels of another board in the upload: several
// times its holes on at least that many times its area.
func FindPanels(m pcb.Meter, sizes boardsize.Sizes, boards []*pcb.Board, list *findings.List) {
	for _, p := range boards {
		if !m.Spend(pcb.Pairs, len(boards)) {
			return
		}
		for _, b := range boards {
			if p == b {
				continue
			}
			n := countCopies(sizes, p, b)
			if n < 2 {
				continue
			}
			how := fmt.Sprintf("holds %d times what board %q does", n, b.Name)
			p.Facts.Panel.Offer(pcb.State(true, p.Outline.Source, 0.75, how))
			p.Facts.BoardsInPanel.Offer(pcb.State(n, p.Outline.Source, 0.75, how))
			list.Say(pcb.Note, "panel_of_board", p.Outline.Source.File, "%q looks like a panel of %d boards %q", p.Name, n, b.Name)
			break
		}
	}
}

// countCopies is how often b fits into p, by plated holes and area; 0 when it does not
// come out even.
func countCopies(sizes boardsize.Sizes, p, b *pcb.Board) int {
	f, g := &p.Facts, &b.Facts
	if !f.CopperLayers.Known || f.CopperLayers.Value != g.CopperLayers.Value || g.PlatedHoles.Value < 4 || f.PlatedHoles.Value%g.PlatedHoles.Value != 0 {
		return 0
	}
	whole, drawn := sizes.Measure(p)
	one, single := sizes.Measure(b)
	n := f.PlatedHoles.Value / g.PlatedHoles.Value
	if least := float64(n) * one.Area(); n < 2 || !drawn || !single || whole.Area() < 0.95*least || whole.Area() > 3*least {
		return 0
	}
	return n
}
