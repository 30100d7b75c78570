package outline

import (
	"context"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/pcb"
)

// Pieces tells of boards that come in several pieces.
var Pieces = rule.Rule{Judges: []dfm.Name{dfm.BoardPieces}, Run: pieces}

// pieces tells of an outline in several pieces. They are built and paid for as one
// board of the size of all; where nothing says that they are a panel, several
// designs may lie in one file by accident.
func pieces(_ context.Context, in *measure.Input) rule.Result {
	const sure = 0.7 // of what says that it is a panel
	areas := in.Board.Outline.Areas
	if len(areas) < 2 {
		return rule.Result{}
	}
	panel, level := in.Board.Facts.Panel, dfm.Warning
	if panel.IsStated() && panel.Value && panel.Confidence >= sure {
		level = dfm.Note
	}
	box := in.Board.Outline.Bounds()
	what, next := "that are not joined", "Send each by itself if they are boards of their own; if they are a panel, order it with fab_options.panel_by: customer and the number of boards in it, side by side in fab_options.panel_columns and one above the other in fab_options.panel_rows. Else our team quotes them."
	if in.Board.Outline.IsScored() {
		if panel.Confidence <= pcb.ScoredConfidence && len(in.Scored().Rims) == 0 {
			level = dfm.Warning
		}
		what, next = "that share straight edges", "They are taken for one panel that is scored along these (V-score): confirm it, with fab_options.panel_by: customer, panel_columns and panel_rows (boards side by side and one above the other) so that its boards are counted, or send each by itself if they are to come apart."
	}
	r := rule.LayerFinding(dfm.BoardPieces, level, len(areas), nil,
		"The outline holds %s %s, %s by %s together. %s",
		words.Plural(len(areas), "piece"), what, words.MM(box.Width()), words.MM(box.Height()), next)
	for i := range areas {
		if i == dfm.MaxPlaces {
			break
		}
		b := areas[i].Bounds()
		r.Findings[0].Places = append(r.Findings[0].Places, dfm.Place{At: b.Min, To: b.Max, Objects: [2]string{"piece of board"}})
	}
	return r
}
