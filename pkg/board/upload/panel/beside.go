package panel

import (
	"fmt"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

const (
	// shortest is how long a line of V-scores is that is no stroke of a letter.
	shortest = 5 * geom.Millimetre
	// maxSketch is how many things a layer draws of which lines alone tell: more are a drawing
	// with its frame and tables.
	maxSketch = 40
)

// ReportScoresBeside tells of V-scores that lie outside of the outline, and asks for the panel that
// they are of. A layer that nothing calls one of V-scores has them where single lines run past the
// whole board, as a blade does.
func ReportScoresBeside(m pcb.Meter, boards []*pcb.Board) {
	for _, b := range boards {
		box := b.Outline.Bounds()
		if box.Empty() || !b.Outline.Closed {
			continue
		}
		for _, l := range b.Layers {
			named := l.Role == pcb.RoleVCut || isDrawing(l) && callsScores(l)
			if !named && (!isDrawing(l) && l.Role != pcb.RoleOutline || len(l.Features) > maxSketch) || !m.SpendTimes(pcb.Lookups, len(l.Features), maxSketch) {
				continue
			}
			if lines := linesBeside(l, box, named); len(lines) > 0 {
				reportBeside(b, l, lines, named)
			}
		}
	}
}

func isDrawing(l *pcb.Layer) bool {
	return l.Role == pcb.RoleMechanical || l.Role == pcb.RoleFabDrawing
}

// linesBeside are the lines of a layer that lie outside of a box and may be V-scores.
func linesBeside(l *pcb.Layer, box geom.Box, named bool) (out []geom.Point) {
	const play = geom.Millimetre / 2
	for i := range l.Features {
		f := &l.Features[i]
		way := geom.EmptyBox().Add(f.A).Add(f.B)
		if f.Clear || f.Kind != pcb.LineFeature || f.A.Dist(f.B) < float64(shortest) || way.Overlaps(box.Grow(play)) {
			continue
		}
		if l.Role == pcb.RoleVCut || named && runsPast(way, box.Grow(-play)) || runsPast(way, box.Grow(play)) && isSingle(l, i) {
			out = append(out, f.A.Mid(f.B))
		}
	}
	return out
}

// runsPast tells whether a level or upright line is as long as a box that it lies beside.
func runsPast(way, box geom.Box) bool {
	return way.Height() == 0 && way.Min.X <= box.Min.X && way.Max.X >= box.Max.X || way.Width() == 0 && way.Min.Y <= box.Min.Y && way.Max.Y >= box.Max.Y
}

// isSingle tells whether the ends of a line of a layer touch nothing else of it: those of frames,
// tables and dimensions do.
func isSingle(l *pcb.Layer, line int) bool {
	const touch = geom.Millimetre / 5
	own := l.Features[line]
	for i := range l.Features {
		f := &l.Features[i]
		if i == line || f.Clear {
			continue
		}
		box := l.FeatureBounds(f).Grow(touch)
		if box.Contains(own.A) || box.Contains(own.B) {
			return false
		}
	}
	return true
}

func reportBeside(b *pcb.Board, l *pcb.Layer, lines []geom.Point, named bool) {
	what := "lines that run past the whole board, as V-scores of a panel do, are"
	if named {
		what = "V-scores are"
		if !b.Facts.Panel.IsStated() {
			b.Facts.PanelWanted.Offer(pcb.State(true, pcb.Source{File: l.File}, 0.7, "V-scores lie outside of the board"))
		}
	}
	at := slices.MinFunc(lines, func(p, q geom.Point) int { return int(p.X - q.X) })
	b.Findings = append(b.Findings, pcb.Finding{Code: "score_beside", Level: pcb.Warning, File: l.File, Layer: l.Name, At: &at, Count: len(lines),
		Message: fmt.Sprintf("%s drawn outside of the board's outline (%d): the board is priced by itself and nothing is made of them; if it comes in a panel, send the frame of the panel as the outline, or have the fabricator make the panel with fab_options.panel_by", what, len(lines))})
}
