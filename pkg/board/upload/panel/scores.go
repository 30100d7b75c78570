package panel

import (
	"fmt"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
)

// scoreWords are the words beside a line along which boards are scored.
var scoreWords = pattern.Lazy(`(?i)^\s*v[ -]?(?:cuts?|scor(?:e|es|ing)|grooves?)\s*$`)

// TakeScores makes a layer of the V-scores that a board's drawings show: lines level or upright
// from one edge of all boards to the opposite one or beyond, on a layer whose lettering calls them
// so. Tools that make panels draw them among the comments.
func TakeScores(m pcb.Meter, b *pcb.Board) {
	box := b.Outline.Bounds()
	if box.Empty() || len(b.Find(pcb.RoleVCut, pcb.NoSide)) > 0 {
		return
	}
	for _, l := range b.Layers {
		if l.Role != pcb.RoleMechanical && l.Role != pcb.RoleFabDrawing || !callsScores(l) || !m.Spend(pcb.Lookups, len(l.Features)) {
			continue
		}
		scores := *l
		scores.Role, scores.Features, scores.Texts = pcb.RoleVCut, nil, nil
		for i := range l.Features {
			if f := &l.Features[i]; f.Kind == pcb.LineFeature && !f.Clear && runsAcross(box, f.A, f.B) {
				scores.Features = append(scores.Features, *f)
			}
		}
		if len(scores.Features) == 0 {
			continue
		}
		b.Layers = append(b.Layers, &scores)
		if partsBoards(m, b.Outline, &scores) {
			b.Facts.Panel.Offer(pcb.State(true, pcb.Source{File: l.File}, 0.7, "V-score lines are drawn"))
		}
		b.Findings = append(b.Findings, pcb.Finding{Code: "score_noted", Level: pcb.Note, File: l.File, Layer: l.Name, Count: len(scores.Features),
			Message: fmt.Sprintf("%d lines of the layer %q, whose lettering calls them V-scores, are taken for such", len(scores.Features), l.Name)})
		return
	}
}

func callsScores(l *pcb.Layer) bool {
	for _, t := range l.Texts {
		if scoreWords().MatchString(t.Text) {
			return true
		}
	}
	return false
}

// runsAcross tells whether a line runs level or upright through a box, from edge to edge.
func runsAcross(box geom.Box, p, q geom.Point) bool {
	const play = geom.Millimetre / 2
	switch {
	case p.X == q.X:
		return p.X > box.Min.X && p.X < box.Max.X && min(p.Y, q.Y) <= box.Min.Y+play && max(p.Y, q.Y) >= box.Max.Y-play
	case p.Y == q.Y:
		return p.Y > box.Min.Y && p.Y < box.Max.Y && min(p.X, q.X) <= box.Min.X+play && max(p.X, q.X) >= box.Max.X-play
	}
	return false
}

// TakeCrossings makes V-scores of the lines on the layer of a panel's outline that run past the
// whole of it on both sides, as a blade does: nothing of a board's edge lies out there.
func TakeCrossings(m pcb.Meter, boards []*pcb.Board) {
	for _, b := range boards {
		box := b.Outline.Bounds()
		if p := b.Facts.Panel; !p.Known || !p.Value || box.Empty() || len(b.Find(pcb.RoleVCut, pcb.NoSide)) > 0 {
			continue
		}
		for _, l := range b.Find(pcb.RoleOutline, pcb.NoSide) {
			if !m.Spend(pcb.Lookups, len(l.Features)) {
				return
			}
			if scores := crossingsOf(l, box); scores != nil {
				b.Layers = append(b.Layers, scores)
				b.Findings = append(b.Findings, pcb.Finding{Code: "score_noted", Level: pcb.Warning, File: l.File, Layer: l.Name, Count: len(scores.Features),
					Message: fmt.Sprintf("%d lines of the layer %q run past the whole panel on both sides, as V-scores do, and are taken for such; if they are a drawing, leave them out", len(scores.Features), l.Name)})
				break
			}
		}
	}
}

// crossingsOf is a layer of the lines that run through a box and farther than a millimetre past both of its
// edges; nil where there are none.
func crossingsOf(l *pcb.Layer, box geom.Box) *pcb.Layer {
	const past = geom.Millimetre
	scores := *l
	scores.Role, scores.Features, scores.Texts = pcb.RoleVCut, nil, nil
	for i := range l.Features {
		f := &l.Features[i]
		way := geom.EmptyBox().Add(f.A).Add(f.B)
		if f.Kind != pcb.LineFeature || f.Clear || !runsAcross(box, f.A, f.B) {
			continue
		}
		if upright := f.A.X == f.B.X; upright && way.Min.Y < box.Min.Y-past && way.Max.Y > box.Max.Y+past || !upright && way.Min.X < box.Min.X-past && way.Max.X > box.Max.X+past {
			scores.Features = append(scores.Features, *f)
		}
	}
	if len(scores.Features) == 0 {
		return nil
	}
	return &scores
}

// WarnOfInnerLines raises what was said of lines that the outline of a panel draws across copper,
// where nothing draws V-scores: the boards are parted somewhere, and lines that were taken as
// drawing are where that may be meant.
func WarnOfInnerLines(boards []*pcb.Board) {
	for _, b := range boards {
		if p := b.Facts.Panel; !p.Known || !p.Value || len(b.Find(pcb.RoleVCut, pcb.NoSide)) > 0 {
			continue
		}
		for i := range b.Findings {
			if f := &b.Findings[i]; f.Code == "outline_inner_line" && f.Level < pcb.Warning {
				f.Level = pcb.Warning
				f.Message += "; the files hold a panel: no V-scores are made along them, so if its boards are to be parted there, send them as a layer of their own"
			}
		}
	}
}
