// Package panel states what speaks for a panel of boards: layers, pieces of the outline,
// names, comments, and other boards of the upload.
package panel

import (
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/places"
)

// State gathers what speaks for a panel: attributes, V-score lines, pieces.
func State(m pcb.Meter, files []*artwork.File, b *pcb.Board) {
	f := &b.Facts
	for _, w := range files {
		src := pcb.Source{File: w.Layer.File}
		if p := w.Attribute(".Part"); len(p) > 0 && (p[0] == "Array" || p[0] == "FabricationPanel" || p[0] == "CustomerPanel") {
			f.Panel.Offer(pcb.State(true, src, 0.9, "part attribute of the artwork"))
		}
		if w.Layer.Role == pcb.RoleVCut && partsBoards(m, b.Outline, w.Layer) {
			f.Panel.Offer(pcb.State(true, src, 0.7, "V-score lines are drawn"))
		}
	}
	StatePieces(b)
	StateRepeats(m, b)
	if namesPanel(b.Name) {
		f.Panel.Offer(pcb.State(true, pcb.Source{}, 0.5, "name of the files"))
	}
}

// StatePieces takes a board whose outline has several pieces for a panel, the surer where they
// share edges: a V-score lies there, whatever layer would name it.
func StatePieces(b *pcb.Board) {
	if len(b.Outline.Areas) < 2 {
		return
	}
	sure, how := 0.6, "the outline has several pieces"
	if b.Outline.IsScored() {
		sure, how = pcb.ScoredConfidence, "pieces of the outline share straight edges, as boards do that a V-score parts"
	}
	b.Facts.Panel.Offer(pcb.State(true, b.Outline.Source, sure, how))
	b.Facts.BoardsInPanel.Offer(pcb.State(countFilledPieces(b), b.Outline.Source, 0.5, "pieces of the outline"))
}

// countFilledPieces counts the pieces of the outline that holes are drilled in; all where none
// has any. The rest are rails.
func countFilledPieces(b *pcb.Board) int {
	n := 0
	for _, a := range b.Outline.Areas {
		box := a.Bounds()
		if slices.ContainsFunc(b.Holes, func(h pcb.Hole) bool { return box.Contains(h.A) && a.Contains(h.A) }) {
			n++
		}
	}
	if n == 0 {
		return len(b.Outline.Areas)
	}
	return n
}

// partsBoards tells whether scores run through what the outline holds. Along its edge they
// part the board from its panel, which the files do not hold.
func partsBoards(m pcb.Meter, o pcb.Outline, l *pcb.Layer) bool {
	const (
		longest = 5 * geom.Millimetre // of a stroke of letters
		beside  = geom.Millimetre     // of the edge
	)
	edges, whole := places.NewEdges(o, m), o.Bounds()
	for i := range l.Features {
		f := &l.Features[i]
		if f.Kind == pcb.LineFeature && f.A.Dist(f.B) > float64(longest) && (whole.Empty() || whole.Overlaps(geom.EmptyBox().Add(f.A).Add(f.B))) && !(edges.ComeWithin(f.A.Mid(f.B), float64(beside)) && len(o.Areas) == 1) {
			return true
		}
	}
	return false
}
