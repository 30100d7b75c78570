// Package outline judges the shape of the board: whether it is there and closed, its
// size, inner corners and narrow places.
package outline

import (
	"context"
	"fmt"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Closed judges whether there is an outline, and closed.
var Closed = rule.Rule{Judges: []dfm.Name{dfm.OutlineMissing, dfm.OutlineOpen}, Run: judgeClosed}

// judgeClosed reports whether the board has a shape, and one that closes.
func judgeClosed(_ context.Context, in *measure.Input) rule.Result {
	o := &in.Board.Outline
	if len(o.Areas) == 0 && len(o.Open) == 0 {
		box := copperBox(in)
		if box.Empty() {
			return rule.Result{}
		}
		r := rule.LayerFinding(dfm.OutlineMissing, dfm.MustFix, 1, nil,
			"No file holds the outline of the board, so nobody knows where to cut it: send the layer that draws the board's edge (such as Edge.Cuts, GKO or GM1), or say with file_answers.outline which file does. The copper alone covers %s by %s, which need not be the board's size.", words.MM(box.Width()), words.MM(box.Height()))
		r.Findings[0].Answers = []answers.Answer{answers.Outline("")}
		r.Findings[0].Places = []dfm.Place{{At: box.Min, To: box.Max}}
		return r
	}
	r := openOutline(in)
	r.Add(reportClosedGaps(in))
	return r
}

// reportClosedGaps names the gaps that the reader closed, small enough to know how.
func reportClosedGaps(in *measure.Input) rule.Result {
	const tiny = 100 * geom.Micrometre
	var gaps rule.Places
	widest, more := int64(0), 0
	for _, f := range in.Board.Findings {
		if f.Code == "outline_gap" && f.Level == pcb.Warning && f.At != nil {
			to := f.At
			if f.To != nil {
				to = f.To
			}
			gaps.AddUnmeasured(dfm.Place{Layer: f.Layer, At: *f.At, To: *to, Value: f.Size, Distance: true})
			widest, more = max(widest, f.Size), more+max(0, f.Count-1)
		}
	}
	level := dfm.Warning
	if widest <= tiny {
		level = dfm.Note
	}
	gaps.Count += more
	return rule.PlaceFinding(dfm.OutlineOpen, level, func(n int) string {
		return fmt.Sprintf("The board's outline has %s of up to %s; %s taken as closed by straight lines.", words.Plural(n, "gap"), words.MM(widest), words.Inflect(n, "it is", "they are"))
	}, &gaps)
}

// openOutline names the ends at which the outline does not close. Lines beside a
// closed shape are told too: they may be cutouts that were not finished.
func openOutline(in *measure.Input) rule.Result {
	o := &in.Board.Outline
	if r := reportBridgedGaps(in); len(r.Findings) > 0 {
		return r
	}
	var open rule.Places
	for _, p := range o.Open {
		if len(p.Points) < 2 || o.Closed && !isOnBoard(in, p.Points[0]) {
			continue
		}
		from, to := p.Points[0], p.Points[len(p.Points)-1]
		open.AddUnmeasured(dfm.Place{At: from, To: to, Value: int64(from.Dist(to)), Distance: true, Objects: [2]string{"end of a line", "end of a line"}})
	}
	switch {
	case len(o.Areas) == 0:
		return rule.PlaceFinding(dfm.OutlineOpen, dfm.MustFix, func(n int) string {
			return fmt.Sprintf("The board's outline does not close: it is in %s with open ends.", words.Plural(n, "piece"))
		}, &open)
	case o.Closed:
		return rule.PlaceFinding(dfm.OutlineOpen, dfm.Note, func(n int) string {
			return fmt.Sprintf("%s on the outline's layer %s to no closed shape and %s taken as drawing.", words.Plural(n, "line"), words.Inflect(n, "belongs", "belong"), words.Be(n))
		}, &open)
	}
	return rule.PlaceFinding(dfm.OutlineOpen, dfm.Warning, func(n int) string {
		return fmt.Sprintf("%s on the outline's layer %s to no closed shape: a cutout meant there would not be made.", words.Plural(n, "line"), words.Inflect(n, "belongs", "belong"))
	}, &open)
}

// reportBridgedGaps names the gaps that the reader closed only to have a shape to show.
func reportBridgedGaps(in *measure.Input) rule.Result {
	if in.Board.Outline.Closed {
		return rule.Result{}
	}
	var gaps rule.Places
	widest := int64(0)
	for _, f := range in.Board.Findings {
		if f.Code == "outline_open" && f.At != nil && f.Size > 0 {
			to := f.At
			if f.To != nil {
				to = f.To
			}
			gaps.AddUnmeasured(dfm.Place{Layer: f.Layer, At: *f.At, To: *to, Value: f.Size, Distance: true})
			widest = max(widest, f.Size)
		}
	}
	return rule.PlaceFinding(dfm.OutlineOpen, dfm.MustFix, func(n int) string {
		return fmt.Sprintf("The board's outline does not close: it has %s of up to %s.", words.Plural(n, "gap"), words.MM(widest))
	}, &gaps)
}

// isOnBoard reports whether a point lies within a piece of board.
func isOnBoard(in *measure.Input, p geom.Point) bool {
	for i := range in.Board.Outline.Areas {
		if a := &in.Board.Outline.Areas[i]; a.Contains(p) {
			return true
		}
	}
	return false
}
