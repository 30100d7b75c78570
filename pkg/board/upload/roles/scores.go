package roles

import (
	"cmp"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/places"
)

// RejectScores leaves files aside that are V-scores by their name only and hold no line that a
// blade can run along. Where the file says of itself that it is a comment or a drawing, it
// takes a straight line from edge to edge of the board, as a blade runs, to believe the
// name; where it says nothing, a line longer than those of lettering.
func RejectScores(m pcb.Meter, files []*artwork.File, list *findings.List) {
	reportDrawnScores(files, list)
	var edge *pcb.Layer
	for _, w := range files {
		if w.Layer.Role == pcb.RoleOutline && !places.Extent(w.Layer).Empty() {
			edge = w.Layer
		}
	}
	for _, w := range files {
		r := w.Result
		if w.Layer.Role != pcb.RoleVCut || r.IsStated(pcb.RoleVCut) {
			continue
		}
		empty, comment := places.Extent(w.Layer).Empty(), r.Comment()
		switch {
		case empty && !comment, !empty && edge == nil:
			continue
		case !empty && (!comment && len(longStrokes(w.Layer)) > 0 || crosses(m, w.Layer, edge)):
			continue
		}
		w.Layer.Role, r.Role = pcb.RoleFabDrawing, pcb.RoleFabDrawing
		if empty {
			r.Why += "; it draws nothing"
			continue
		}
		w.Result.LeaveAside("it is V-scores by its name, but draws no straight line from edge to edge of the board")
		level := pcb.Warning
		if len(longStrokes(w.Layer)) == 0 {
			level = pcb.Note // words and rounds
		}
		list.Say(level, "score_doubtful", r.Name, "the file is V-scores by its name, but draws no straight line from edge to edge of the board: no scores were made of it; say so if there are to be any")
	}
}

// reportDrawnScores tells of drawings that show V-scores where no file is of these: nothing is
// built from a drawing.
func reportDrawnScores(files []*artwork.File, list *findings.List) {
	if slices.ContainsFunc(files, func(w *artwork.File) bool { return w.Layer.Role == pcb.RoleVCut }) {
		return
	}
	for _, w := range files {
		if r := w.Result; r.ShowsScores {
			list.Say(pcb.Warning, "score_noted", r.Name, "the drawing shows V-scores, and no file of its own draws them: no scores would be made; send them as a layer of their own, or say that the boards come from a panel")
			return
		}
	}
}

// scoreWays is how many of the longest lines of a file are looked at.
const scoreWays = 64

// crosses reports whether a layer draws a straight line across what another goes round: its
// ends lie at the edge or beyond, its middle between them. Dashes of one line, level or
// upright, are one.
func crosses(m pcb.Meter, l, edge *pcb.Layer) bool {
	box := places.Extent(edge)
	ways := straightWays(l)
	for _, e := range ways[:min(len(ways), scoreWays)] {
		if !m.SpendTimes(pcb.Lookups, 2, len(edge.Features)) {
			return true
		}
		if box.Contains(e.Mid()) && isAtEdge(edge, box, e.A) && isAtEdge(edge, box, e.B) {
			return true
		}
	}
	return false
}

// isAtEdge reports whether a point lies at a line of the outline, or beyond its extent.
func isAtEdge(edge *pcb.Layer, box geom.Box, p geom.Point) bool {
	const near = 2 * geom.Millimetre
	return !box.Grow(-near).Contains(p) || slices.ContainsFunc(edge.Features, func(f pcb.Feature) bool {
		if f.Clear || f.Kind != pcb.LineFeature && f.Kind != pcb.ArcFeature {
			return false
		}
		_, d := edge.Edge(&f).Nearest(p)
		return d <= float64(near)
	})
}

// minScore is how long a line is that is not of lettering.
const minScore = 5 * geom.Millimetre

// longStrokes are the long straight lines that a layer draws, as strokes or along areas: some
// tools paint lines as areas.
func longStrokes(l *pcb.Layer) []geom.Edge {
	var out []geom.Edge
	add := func(p, q geom.Point) {
		if p.Dist(q) >= float64(minScore) {
			out = append(out, geom.Line(p, q))
		}
	}
	for i := range l.Features {
		switch f := &l.Features[i]; {
		case f.Clear:
		case f.Kind == pcb.LineFeature:
			add(f.A, f.B)
		case f.Kind == pcb.RegionFeature:
			pts := l.Regions[f.Shape].Outer.Points
			for k := range pts {
				add(pts[k], pts[(k+1)%len(pts)])
			}
		}
	}
	return out
}

// straightWays are the straight lines that a layer draws, longest first: each long one, and
// from end to end all strokes that lie on one level or upright line.
func straightWays(l *pcb.Layer) []geom.Edge {
	out := longStrokes(l)
	level, upright := map[int64]geom.Edge{}, map[int64]geom.Edge{}
	for i := range l.Features {
		f := &l.Features[i]
		if f.Clear || f.Kind != pcb.LineFeature {
			continue
		}
		if f.A.Y == f.B.Y {
			extendLine(level, f.A.Y, f, func(p geom.Point) int64 { return p.X })
		}
		if f.A.X == f.B.X {
			extendLine(upright, f.A.X, f, func(p geom.Point) int64 { return p.Y })
		}
	}
	for _, lines := range [2]map[int64]geom.Edge{level, upright} {
		for _, e := range lines {
			if e.A.Dist(e.B) >= float64(minScore) {
				out = append(out, e)
			}
		}
	}
	slices.SortFunc(out, func(x, y geom.Edge) int {
		return cmp.Or(cmp.Compare(y.A.Dist(y.B), x.A.Dist(x.B)), cmp.Compare(x.A.X, y.A.X), cmp.Compare(x.A.Y, y.A.Y), cmp.Compare(x.B.X, y.B.X), cmp.Compare(x.B.Y, y.B.Y))
	})
	return out
}

// extendLine makes the line at a coordinate as long as a stroke on it asks for.
func extendLine(lines map[int64]geom.Edge, at int64, f *pcb.Feature, by func(geom.Point) int64) {
	e, ok := lines[at]
	if !ok {
		e = geom.Line(f.A, f.A)
	}
	for _, p := range [2]geom.Point{f.A, f.B} {
		if by(p) < by(e.A) {
			e.A = p
		}
		if by(p) > by(e.B) {
			e.B = p
		}
	}
	lines[at] = e
}
