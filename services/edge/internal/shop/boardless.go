package shop

import (
	"slices"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
)

// isBoardless reports whether files were read to their end and hold nothing of a board.
func isBoardless(read boards.ReadFiles) bool {
	isCut := slices.ContainsFunc(read.Findings, func(f contract.Finding) bool { return f.Check == "too_complex" })
	return read.Digest != "" && len(read.Boards) == 0 && len(read.Refused) == 0 && !isCut
}

// askForBoard says what to send, on the page of files that hold no board.
func (p voice) askForBoard(v *boardPage, r *contract.Refusal) {
	v.Title, v.Add.Label = p.Text("Your files"), p.Text("Gerber and drill files in one zip, or a KiCad, EAGLE, Altium or EasyEDA project")
	if r != nil && r.Code == contract.DesignFiles {
		v.Refusal = &refusalView{
			Heading: p.Text("No board was found in these files"), Findings: v.Refusal.Findings,
			Text: p.Text("Please add the board’s own data: Gerber and drill files in one zip, or a KiCad, EAGLE, Altium or EasyEDA project."),
		}
	}
}
