package outline

import (
	"context"
	"fmt"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// Shape finds the board's outline in its outline layers and sets Outline and
// the facts Width and Height. What is odd becomes findings: gaps with size and
// place, sheet frames and drawings that were left aside, an outline that is
// missing or open. Layers, Holes and Routes must be there already, for the
// copper and the holes tell the board from what is drawn around it. When ctx ends
// the outline is not found to the end.
func Shape(ctx context.Context, b *board.Board) {
	layers := b.Find(board.RoleOutline, board.NoSide)
	if len(layers) == 0 {
		if search(ctx, b) {
			return
		}
		b.Findings = append(b.Findings, board.Finding{Code: "outline_missing", Level: board.Problem,
			Message: "no file holds the outline of the board, so its size and shape are not known: send the layer that draws the board's edge (such as Edge.Cuts, GKO or GM1), or at least the board's width and height"})
		return
	}
	file := layers[0].File
	ctx = board.ForFile(ctx, file)
	s := selection{ctx: ctx, meter: board.MeterOf(ctx), board: b, file: file, layer: layers[0].Name, content: content(b, layers)}
	r := Find(ctx, s.edges(layers))
	b.Outline = r.Outline
	b.Outline.Source = board.Source{File: file}
	s.dropFrames()
	s.mergeCrossed()
	s.dropDrawings()
	s.report(r.Gaps)
	s.open()
	s.size()
}

// Edges gives the centre lines of what an outline layer draws: lines, arcs and
// the borders of regions. Flashes have no centre line.
func Edges(l *board.Layer) []geom.Edge {
	var out []geom.Edge
	for i := range l.Features {
		f := &l.Features[i]
		switch {
		case f.Clear || f.Kind == board.FlashFeature || f.Function == board.FuncDrawing:
		case f.Kind == board.RegionFeature:
			out = border(out, l.Regions[f.Shape].Outer)
		default:
			out = append(out, l.Edge(f))
		}
	}
	return out
}

func border(out []geom.Edge, p geom.Path) []geom.Edge {
	for e := range p.Edges() {
		out = append(out, e)
	}
	return out
}

// content samples where the board has copper and holes: at most some two thousand
// places. What the outline's layers draw too is none: a title and a frame that the
// tool puts on every film.
func content(b *board.Board, outlines []*board.Layer) []geom.Point {
	var out []geom.Point
	const most = 1000
	n := 0
	copper := b.Copper()
	for _, l := range copper {
		n += len(l.Features)
	}
	onOutline := drawnOn(outlines)
	step := n/most + 1
	for _, l := range copper {
		for i := 0; i < len(l.Features); i += step {
			if f := &l.Features[i]; !f.Clear && !onOutline[strokeOf(f)] {
				out = append(out, f.A)
			}
		}
	}
	for i := 0; i < len(b.Holes); i += len(b.Holes)/most + 1 {
		out = append(out, b.Holes[i].A)
	}
	return out
}

// stroke is where a line or an arc is drawn.
type stroke struct {
	kind board.FeatureKind
	a, b geom.Point
}

func strokeOf(f *board.Feature) stroke { return stroke{f.Kind, f.A, f.B} }

// drawnOn gives the lines and arcs of layers.
func drawnOn(layers []*board.Layer) map[stroke]bool {
	drawn := map[stroke]bool{}
	for _, l := range layers {
		for i := range l.Features {
			if f := &l.Features[i]; !f.Clear && (f.Kind == board.LineFeature || f.Kind == board.ArcFeature) {
				drawn[strokeOf(f)] = true
			}
		}
	}
	return drawn
}

// selection tells the board from the other things on its outline layers.
type selection struct {
	ctx         context.Context
	meter       board.Meter
	board       *board.Board
	file, layer string
	content     []geom.Point
}

func (s *selection) find(level board.Level, code string, at geom.Point, size int64, format string, args ...any) {
	s.board.Findings = append(s.board.Findings, board.Finding{Code: code, Level: level, File: s.file, Layer: s.layer,
		At: &at, Size: size, Message: fmt.Sprintf(format, args...)})
}

// report names gaps that were closed: tiny ones together, wide ones each.
func (s *selection) report(gaps []Gap) {
	const (
		tiny = 50 * geom.Micrometre
		most = 20
	)
	small, said := 0, 0
	for _, g := range gaps {
		if s.meter.Ended() {
			return
		}
		if !s.onBoard(g) {
			continue // of a drawing beside the board
		}
		if g.Size <= tiny {
			small++
			continue
		}
		if said++; said <= most {
			at := g.From.Mid(g.To)
			s.find(board.Warning, "outline_gap", at, g.Size, "the outline has a gap of %.3f mm at %s; closed with a straight line",
				geom.ToMM(g.Size), place(at))
			last := &s.board.Findings[len(s.board.Findings)-1]
			last.At, last.To = &g.From, &g.To
		}
	}
	if small > 0 {
		s.find(board.Note, "outline_gap_tiny", gaps[0].From, tiny, "the outline has %d gaps below 0.05 mm; closed", small)
	}
}

// onBoard tells whether a gap lies on the edge of a piece of board.
func (s *selection) onBoard(g Gap) bool {
	const near = 2 * geom.Micrometre
	for _, a := range s.board.Outline.Areas {
		if a.Bounds().Grow(near).Contains(g.From) && s.meter.Spend(board.Lookups, cornersOf(a)) {
			if d, _ := a.EdgeDistance(g.From); d <= float64(near) {
				return true
			}
		}
	}
	return false
}

// cornersOf is how many corners an area has.
func cornersOf(a geom.Polygon) int {
	n := len(a.Outer.Points)
	for _, h := range a.Holes {
		n += len(h.Points)
	}
	return n
}

func place(p geom.Point) string {
	return fmt.Sprintf("x %.2f mm, y %.2f mm", geom.ToMM(p.X), geom.ToMM(p.Y))
}

// dropFrames takes away sheet frames: an area all of whose content lies inside
// one of its own holes is the paper, and that hole is the board.
func (s *selection) dropFrames() {
	if len(s.content) == 0 {
		return
	}
	o := &s.board.Outline
	for again := true; again; {
		again = false
		for i, a := range o.Areas {
			if !s.meter.Spend(board.Lookups, len(s.content)*cornersOf(a)/8) {
				return
			}
			if !s.framed(a) {
				continue
			}
			box := a.Bounds()
			s.find(board.Note, "outline_frame", box.Min, box.Width(),
				"a frame of %.1f x %.1f mm is drawn around the board; left aside", geom.ToMM(box.Width()), geom.ToMM(box.Height()))
			o.Areas = renest(o.Areas, i, s.meter)
			again = true
			break
		}
	}
}

// framed tells whether one hole of an area holds nearly all of what lies in it.
func (s *selection) framed(a geom.Polygon) bool {
	if len(a.Holes) == 0 {
		return false
	}
	box, within := a.Bounds(), 0
	counts := make([]int, len(a.Holes))
	boxes := make([]geom.Box, len(a.Holes))
	for i, h := range a.Holes {
		boxes[i] = h.Bounds()
	}
	for _, p := range s.content {
		if !box.Contains(p) || a.Outer.Winding(p) == 0 {
			continue
		}
		within++
		for i, h := range a.Holes {
			if boxes[i].Contains(p) && h.Winding(p) != 0 {
				counts[i]++
				break
			}
		}
	}
	for _, n := range counts {
		if within > 0 && n*100 >= within*98 && n*2 > len(s.content) {
			return true
		}
	}
	return false
}

// renest drops the outer path of area i and sorts everything else anew.
func renest(areas []geom.Polygon, i int, m board.Meter) []geom.Polygon {
	paths := append([]geom.Path{}, areas[i].Holes...)
	for j, a := range areas {
		if j != i {
			paths = append(append(paths, a.Outer), a.Holes...)
		}
	}
	return nest(paths, m)
}

// small is how many times smaller than the largest area one is no board of its own,
// unless a part sits on it.
const small = 20

func largest(areas []geom.Polygon) float64 {
	most := 0.0
	for _, a := range areas {
		most = max(most, a.Area())
	}
	return most
}

// dropDrawings takes away areas that hold neither copper nor holes where others
// do: letters, dimensions, title blocks.
func (s *selection) dropDrawings() {
	o := &s.board.Outline
	if len(s.content) == 0 || len(o.Areas) < 2 {
		return
	}
	var keep, rest []geom.Polygon
	large := largest(o.Areas)
	for _, a := range o.Areas {
		if s.holdsContent(a) && (a.Area() > large/small || s.holdsPad(a)) {
			keep = append(keep, a)
		} else {
			rest = append(rest, a)
		}
	}
	keep, rest = addRails(keep, rest)
	if len(keep) == 0 || len(rest) == 0 {
		return
	}
	o.Areas = keep
	if n := likeOne(keep, rest); n > 0 {
		s.find(board.Warning, "outline_repeated", rest[0].Bounds().Min, 0,
			"the outline layer draws the board %d times, but only one of them holds copper: one board is priced; to have a panel, say so or draw all of it", n+1)
		return
	}
	s.find(board.Note, "outline_drawing", rest[0].Bounds().Min, 0,
		"%d closed shapes on the outline layer hold no copper and no holes; taken as drawing, not as board", len(rest))
}

// likeOne counts the empty shapes that are as large as the only board: cells of a
// panel that the fabricator is meant to fill.
func likeOne(boards, empty []geom.Polygon) int {
	const play = 200 * geom.Micrometre // cells share lines, which are cut in halves or not
	if len(boards) != 1 {
		return 0
	}
	n, b := 0, boards[0].Bounds()
	for _, a := range empty {
		if box := a.Bounds(); near(box.Width(), b.Width(), play) && near(box.Height(), b.Height(), play) {
			n++
		}
	}
	return n
}

func near(a, b, play int64) bool { return a-b <= play && b-a <= play }

// addRails keeps the empty pieces of a panel: those beside several boards and not
// small against them.
func addRails(boards, empty []geom.Polygon) (keep, rest []geom.Polygon) {
	const near = 5 * geom.Millimetre
	large := largest(boards)
	whole, least, n := geom.EmptyBox(), large, 0
	for _, a := range boards {
		if area := a.Area(); area > large/small {
			whole, least, n = whole.Union(a.Bounds()), min(least, area), n+1
		}
	}
	if n < 2 {
		return boards, empty
	}
	keep = boards
	for _, a := range empty {
		if a.Area() > least/small && whole.Grow(near).Overlaps(a.Bounds()) {
			keep = append(keep, a)
			continue
		}
		rest = append(rest, a)
	}
	return keep, rest
}

func (s *selection) holdsContent(a geom.Polygon) bool {
	box := a.Bounds()
	for _, p := range s.content {
		if box.Contains(p) && s.meter.Spend(board.Lookups, len(a.Outer.Points)) && a.Outer.Winding(p) != 0 {
			return true
		}
	}
	return false
}

// holdsPad tells whether copper is flashed or a hole is made in an area: the name of
// a film, written beside the board, is only drawn.
func (s *selection) holdsPad(a geom.Polygon) bool {
	box := a.Bounds()
	in := func(p geom.Point) bool {
		return box.Contains(p) && s.meter.Spend(board.Lookups, len(a.Outer.Points)) && a.Outer.Winding(p) != 0
	}
	for i := range s.board.Holes {
		if in(s.board.Holes[i].A) {
			return true
		}
	}
	for _, l := range s.board.Copper() {
		if !s.meter.Spend(board.Lookups, len(l.Features)) {
			return true
		}
		for i := range l.Features {
			if f := &l.Features[i]; f.Kind == board.FlashFeature && !f.Clear && in(f.A) {
				return true
			}
		}
	}
	return false
}

// open judges the chains that did not close. With the board found, those away
// from it are drawings; without, the outline is broken.
func (s *selection) open() {
	o := &s.board.Outline
	if len(o.Open) == 0 {
		o.Closed = len(o.Areas) > 0
		return
	}
	if len(o.Areas) > 0 && s.covered() {
		s.beyond()
		inside := 0
		box := o.Bounds().Grow(-geom.Micrometre)
		for _, p := range o.Open {
			if box.Overlaps(p.Bounds()) {
				inside++
			}
		}
		if inside > 0 {
			s.find(board.Note, "outline_stray_lines", o.Open[0].Points[0], 0,
				"%d lines on the outline layer do not belong to a closed shape; taken as drawing", inside)
		}
		o.Closed = true
		return
	}
	o.Closed = false
	if s.bridge() {
		return
	}
	longest := o.Open[0]
	for _, p := range o.Open {
		if p.Length() > longest.Length() {
			longest = p
		}
	}
	from, to := last(longest), first(longest)
	s.find(board.Problem, "outline_open", from, int64(from.Dist(to)),
		"the outline does not close: it ends at %s, %.3f mm from where it began (%s)",
		place(from), from.Dist(to)/1e6, place(to))
}

// beyond tells of open chains that lead from the board's edge out and back to it: a
// rail or another piece of the board that does not close, and so was lost.
func (s *selection) beyond() {
	const (
		out  = geom.Millimetre / 2 // further than a slip of the pen
		long = 5 * geom.Millimetre
		most = 500 // more chains are a drawing
	)
	o := &s.board.Outline
	if len(o.Open) > most {
		return
	}
	box := geom.EmptyBox()
	for _, a := range o.Areas {
		box = box.Union(a.Bounds())
	}
	box = box.Grow(out)
	for _, p := range o.Open {
		if box.ContainsBox(p.Bounds()) || p.Length() < float64(long) || !s.atEdge(first(p)) || !s.atEdge(last(p)) {
			continue
		}
		s.find(board.Warning, "outline_beyond", first(p), 0,
			"the outline layer draws a line from the board's edge at %s out to %s and back to the edge, which closes no shape; it is left out of the board and its size: close it if it is a part of the board, such as a rail",
			place(first(p)), place(outer(p, box)))
		last := &s.board.Findings[len(s.board.Findings)-1]
		to := outer(p, box)
		last.To = &to
	}
}

// atEdge tells whether a point lies no further from the board's edge than gaps that
// are closed.
func (s *selection) atEdge(p geom.Point) bool {
	for _, a := range s.board.Outline.Areas {
		if a.Bounds().Grow(MaxGap).Contains(p) && s.meter.Spend(board.Lookups, cornersOf(a)) {
			if d, _ := a.EdgeDistance(p); d <= float64(MaxGap) {
				return true
			}
		}
	}
	return false
}

// outer is a corner of a path that lies outside of a box, or its first.
func outer(p geom.Path, box geom.Box) geom.Point {
	for _, q := range p.Points {
		if !box.Contains(q) {
			return q
		}
	}
	return first(p)
}

// bridge closes wide gaps so that there is a shape to show, when that gives one
// round the board. The outline stays open: somebody has to look at it.
func (s *selection) bridge() bool {
	const wide = 10 * geom.Millimetre
	o := &s.board.Outline
	closed, rest, gaps := closeGaps(nil, o.Open, wide, s.meter)
	if len(closed) == 0 {
		return false
	}
	before := o.Areas
	for _, a := range before {
		closed = append(append(closed, a.Outer), a.Holes...)
	}
	o.Areas = nest(closed, s.meter)
	if !s.covered() {
		o.Areas = before
		return false
	}
	o.Open = rest
	s.dropDrawings()
	for _, g := range gaps {
		if at := g.From.Mid(g.To); s.onBoard(g) {
			s.find(board.Problem, "outline_open", at, g.Size, "the outline does not close: it has a gap of %.3f mm at %s",
				geom.ToMM(g.Size), place(at))
			last := &s.board.Findings[len(s.board.Findings)-1]
			last.At, last.To = &g.From, &g.To
		}
	}
	return true
}

// covered tells whether the closed areas hold nearly all of the board's content.
func (s *selection) covered() bool {
	if len(s.content) == 0 {
		open := geom.EmptyBox()
		for _, p := range s.board.Outline.Open {
			open = open.Union(p.Bounds())
		}
		return s.board.Outline.Bounds().Grow(geom.Millimetre).ContainsBox(open)
	}
	in := 0
	boxes := make([]geom.Box, len(s.board.Outline.Areas))
	for i, a := range s.board.Outline.Areas {
		boxes[i] = a.Bounds()
	}
	for _, p := range s.content {
		for i, a := range s.board.Outline.Areas {
			if boxes[i].Contains(p) && s.meter.Spend(board.Lookups, len(a.Outer.Points)) && a.Outer.Winding(p) != 0 {
				in++
				break
			}
		}
	}
	return in*100 >= len(s.content)*80
}

// size states width and height: of the closed areas, or with less confidence of
// what did not close.
func (s *selection) size() {
	o := &s.board.Outline
	box := o.Bounds()
	if box.Empty() {
		s.board.Findings = append(s.board.Findings, board.Finding{Code: "outline_missing", Level: board.Problem,
			File: s.file, Layer: s.layer, Message: "the outline file draws no outline, so the board's size and shape are not known: send one that draws the board's edge, or at least the board's width and height"})
		return
	}
	conf, how := 0.95, "centre line of the outline"
	if !o.Closed {
		conf, how = 0.5, "extent of an outline that does not close"
	}
	s.board.Facts.Width.Offer(board.State(box.Width(), o.Source, conf, how))
	s.board.Facts.Height.Offer(board.State(box.Height(), o.Source, conf, how))
}
