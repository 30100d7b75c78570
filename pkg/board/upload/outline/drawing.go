package outline

import (
	"math"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

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
			if !s.meter.Spend(pcb.Lookups, len(s.content)*cornersOf(a)/8) {
				return
			}
			if !s.isFrame(a) {
				continue
			}
			box := a.Bounds()
			in, narrow := narrowRim(a)
			o.Areas = renest(o.Areas, i, s.meter)
			again = true
			if narrow && !slices.ContainsFunc(o.Areas, func(a geom.Polygon) bool { return a.Bounds() == in && s.isFrame(a) }) {
				s.find(pcb.Warning, "outline_frame", box.Min, box.Width(),
					"the outline layer draws a line of %.1f x %.1f mm, and one of %.1f x %.1f mm close inside it, with nothing between: the inner one is taken as the edge of the board; if the board is larger, send the outline without the inner line",
					geom.Millimetres(box.Width()), geom.Millimetres(box.Height()), geom.Millimetres(in.Width()), geom.Millimetres(in.Height()))
				break
			}
			s.find(pcb.Note, "outline_frame", box.Min, box.Width(),
				"a frame of %.1f x %.1f mm is drawn around the board; left aside", geom.Millimetres(box.Width()), geom.Millimetres(box.Height()))
			break
		}
	}
}

// narrowRim gives the hole that leaves only a rim of an area all round: such an area is no sheet
// round the board, and either line may be its edge. Lines closer than a pen are one line.
func narrowRim(a geom.Polygon) (in geom.Box, ok bool) {
	const widest, pen = 3 * geom.Millimetre, 300 * geom.Micrometre
	box := a.Bounds()
	for _, h := range a.Holes {
		b := h.Bounds()
		gaps := []int64{b.Min.X - box.Min.X, b.Min.Y - box.Min.Y, box.Max.X - b.Max.X, box.Max.Y - b.Max.Y}
		if slices.Max(gaps) <= widest && slices.Max(gaps) > pen {
			return b, true
		}
	}
	return in, false
}

// isFrame tells whether one hole of an area holds nearly all of what lies in it.
func (s *selection) isFrame(a geom.Polygon) bool {
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
func renest(areas []geom.Polygon, i int, m pcb.Meter) []geom.Polygon {
	paths := append([]geom.Path{}, areas[i].Holes...)
	for j, a := range areas {
		if j != i {
			paths = append(append(paths, a.Outer), a.Holes...)
		}
	}
	return Nest(paths, m)
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

// Boards counts the pieces of an outline that may be boards of their own: they are not small
// against the largest.
func Boards(o pcb.Outline) int {
	n, large := 0, largest(o.Areas)
	for _, a := range o.Areas {
		if a.Area() > large/small {
			n++
		}
	}
	return n
}

// dropDrawings takes away areas that are no board where others are: letters, dimensions,
// title blocks, tables. A board holds a hole, a pad or an opening of the mask; strokes alone,
// which are plotted on copper too, make none.
func (s *selection) dropDrawings() {
	o := &s.board.Outline
	if len(s.content) == 0 || len(o.Areas) < 2 {
		return
	}
	holds, lands := make([]bool, len(o.Areas)), make([]bool, len(o.Areas))
	for i, a := range o.Areas {
		holds[i] = s.holdsContent(a)
		lands[i] = holds[i] && s.holdsLand(a)
	}
	anyLand := slices.Contains(lands, true)
	var keep, rest []geom.Polygon
	large := largest(o.Areas)
	for i, a := range o.Areas {
		if lands[i] && (a.Area() >= minPiece || a.Area() > large/small) || holds[i] && !anyLand && a.Area() > large/small {
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
	n := countCells(keep, rest)
	if n >= emptyCells {
		s.panel = true
		whole := geom.EmptyBox()
		for _, a := range append(rest, keep...) {
			whole = whole.Union(a.Bounds())
		}
		one := keep[0].Bounds()
		s.find(pcb.Problem, "outline_repeated", rest[0].Bounds().Min, 0,
			"the outline layer draws the board %d times, in %.2f x %.2f mm, but only one of them, of %.2f x %.2f mm, holds copper: say whether one board or a panel is wanted, and for a panel send files that fill all of it",
			n+1, geom.Millimetres(whole.Width()), geom.Millimetres(whole.Height()), geom.Millimetres(one.Width()), geom.Millimetres(one.Height()))
		return
	}
	if n > 0 {
		s.find(pcb.Warning, "outline_repeated", rest[0].Bounds().Min, 0,
			"the outline layer draws the board %d times, but only one of them holds copper: one board is priced; to have a panel, say so or draw all of it", n+1)
		return
	}
	if i := slices.IndexFunc(rest, func(a geom.Polygon) bool { return a.Area() > largest(keep)/small && s.holdsContent(a) }); i >= 0 {
		box := rest[i].Bounds()
		s.find(pcb.Warning, "outline_drawing", box.Min, 0,
			"a closed shape of %.1f x %.1f mm on the outline layer holds strokes on copper, and no hole, no pad and no opening of the mask: taken as drawing, not as board; say so if it is a board",
			geom.Millimetres(box.Width()), geom.Millimetres(box.Height()))
		return
	}
	if i, whole := findCutOff(keep, rest); i >= 0 {
		one := boundsOf(keep)
		s.find(pcb.Warning, "outline_drawing", rest[i].Bounds().Min, 0,
			"a line on the outline layer parts %.2f x %.2f mm in two, and only one side of it, of %.2f x %.2f mm, holds copper or holes: that is taken as the board, and the rest as drawing; if the board is larger, send the outline without that line",
			geom.Millimetres(whole.Width()), geom.Millimetres(whole.Height()), geom.Millimetres(one.Width()), geom.Millimetres(one.Height()))
		return
	}
	if i := findCrossing(keep, rest, s.meter); i >= 0 {
		box := rest[i].Bounds()
		s.find(pcb.Warning, "outline_drawing", box.Min, 0,
			"a closed shape of %.2f x %.2f mm on the outline layer crosses the edge of the board and holds no copper and no hole: it is taken as drawing, so that nothing is cut off there; if the board ends at it, send an outline that is one line",
			geom.Millimetres(box.Width()), geom.Millimetres(box.Height()))
		return
	}
	s.find(pcb.Note, "outline_drawing", rest[0].Bounds().Min, 0,
		"%d closed shapes on the outline layer hold no copper and no holes; taken as drawing, not as board", len(rest))
}

// findCrossing finds an empty shape that lies partly within a board and partly outside, as what is
// milled off at an edge does; -1 for none. Letters do too, but are small.
func findCrossing(boards, empty []geom.Polygon, m pcb.Meter) int {
	for i, a := range empty {
		for _, b := range boards {
			if a.Area() >= minPiece && a.Bounds().Overlaps(b.Bounds()) && m.Spend(pcb.Lookups, 16*len(a.Outer.Points)*len(b.Outer.Points)) && liesAcross(a, b) {
				return i
			}
		}
	}
	return -1
}

// liesAcross tells whether the edge of one shape runs within another and outside of it, farther from
// its edge than lines are drawn apart that are meant to be one.
func liesAcross(a, b geom.Polygon) bool {
	const off = geom.Millimetre / 5
	path := a.Outer
	path.Closed = true
	within, outside := false, false
	for e := range path.Edges() {
		for k := range int64(4) {
			p := geom.Pt(e.A.X+(e.B.X-e.A.X)*k/4, e.A.Y+(e.B.Y-e.A.Y)*k/4)
			in := 0
			for _, q := range []geom.Point{geom.Pt(off, 0), geom.Pt(-off, 0), geom.Pt(0, off), geom.Pt(0, -off)} {
				if b.Outer.Winding(p.Add(q)) != 0 {
					in++
				}
			}
			within, outside = within || in == 4, outside || in == 0
		}
	}
	return within && outside
}

// findCutOff finds an empty shape that shares a long edge with a board, as where a line parts it,
// and the bounds of both; -1 where none does.
func findCutOff(boards, empty []geom.Polygon) (int, geom.Box) {
	whole := boundsOf(boards)
	for i, a := range empty {
		for _, b := range boards {
			if box := b.Bounds(); 3*commonLength(a, b) >= float64(min(box.Width(), box.Height())) {
				return i, whole.Union(a.Bounds())
			}
		}
	}
	return -1, whole
}

func boundsOf(areas []geom.Polygon) geom.Box {
	box := geom.EmptyBox()
	for _, a := range areas {
		box = box.Union(a.Bounds())
	}
	return box
}

// commonLength is how far the straight edges of two shapes run along each other.
func commonLength(a, b geom.Polygon) float64 {
	const play, most = 2 * float64(geom.Micrometre), 1_000_000 // pairs; more are no board's
	if len(a.Outer.Points)*len(b.Outer.Points) > most || !a.Bounds().Grow(int64(play)).Overlaps(b.Bounds()) {
		return 0
	}
	p, q, sum := a.Outer, b.Outer, 0.0
	p.Closed, q.Closed = true, true
	for e := range p.Edges() {
		l := e.A.Dist(e.B)
		if e.IsArc() || l == 0 {
			continue
		}
		ux, uy := float64(e.B.X-e.A.X)/l, float64(e.B.Y-e.A.Y)/l
		along := func(p geom.Point) (t, off float64) {
			x, y := float64(p.X-e.A.X), float64(p.Y-e.A.Y)
			return x*ux + y*uy, math.Abs(x*uy - y*ux)
		}
		for f := range q.Edges() {
			from, d := along(f.A)
			to, g := along(f.B)
			if !f.IsArc() && d <= play && g <= play {
				sum += max(0, min(l, max(from, to))-max(0, min(from, to)))
			}
		}
	}
	return sum
}

// emptyCells is how many empty shapes as large as the board make a panel that is not
// filled. A single one may be another view of the board.
const emptyCells = 2

// countCells counts the empty shapes that are as large as the only board: cells of a
// panel that the fabricator is meant to fill.
func countCells(boards, empty []geom.Polygon) int {
	const play = 200 * geom.Micrometre // cells share lines, which are cut in halves or not
	if len(boards) != 1 {
		return 0
	}
	n, b := 0, boards[0].Bounds()
	for _, a := range empty {
		if box := a.Bounds(); isNear(box.Width(), b.Width(), play) && isNear(box.Height(), b.Height(), play) {
			n++
		}
	}
	return n
}

func isNear(a, b, play int64) bool { return a-b <= play && b-a <= play }

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
		return addEdgeRails(boards, empty, whole)
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

// addEdgeRails keeps the rails of a single board: empty pieces as long as it along two opposite
// sides of it, each touching.
func addEdgeRails(boards, empty []geom.Polygon, whole geom.Box) (keep, rest []geom.Polygon) {
	const play = 50 * geom.Micrometre
	side := func(b geom.Box) int {
		level := isNear(b.Min.X, whole.Min.X, play) && isNear(b.Max.X, whole.Max.X, play)
		upright := isNear(b.Min.Y, whole.Min.Y, play) && isNear(b.Max.Y, whole.Max.Y, play)
		switch {
		case level && isNear(b.Min.Y, whole.Max.Y, play):
			return 1
		case level && isNear(b.Max.Y, whole.Min.Y, play):
			return 2
		case upright && isNear(b.Min.X, whole.Max.X, play):
			return 3
		case upright && isNear(b.Max.X, whole.Min.X, play):
			return 4
		}
		return 0
	}
	var at [5]int
	for _, a := range empty {
		at[side(a.Bounds())]++
	}
	keep = boards
	for _, a := range empty {
		if k := side(a.Bounds()); k > 0 && at[(k-1)^1+1] > 0 {
			keep = append(keep, a)
		} else {
			rest = append(rest, a)
		}
	}
	return keep, rest
}

func (s *selection) holdsContent(a geom.Polygon) bool {
	box := a.Bounds()
	for _, p := range s.content {
		if box.Contains(p) && s.meter.Spend(pcb.Lookups, len(a.Outer.Points)) && a.Outer.Winding(p) != 0 {
			return true
		}
	}
	return false
}

// holdsLand tells whether copper is flashed, a hole is made or the mask is opened in an
// area: the name of a layer file, written beside the board, is only drawn, and so is what the
// outline's layer draws as well, such as the letters of a sheet that is plotted on all layer files.
func (s *selection) holdsLand(a geom.Polygon) bool {
	box := a.Bounds()
	in := func(p geom.Point) bool {
		return box.Contains(p) && s.meter.Spend(pcb.Lookups, len(a.Outer.Points)) && a.Outer.Winding(p) != 0
	}
	for i := range s.board.Holes {
		if in(s.board.Holes[i].A) {
			return true
		}
	}
	var filled row
	for _, l := range s.board.Layers {
		if l.Role != pcb.RoleCopper && l.Role != pcb.RoleMask {
			continue
		}
		if !s.meter.Spend(pcb.Lookups, len(l.Features)) {
			return true
		}
		for i := range l.Features {
			f := &l.Features[i]
			if f.Clear || !isLand(l, f) || s.drawnToo[strokeOf(l, f)] {
				continue
			}
			at := l.FeatureBounds(f)
			switch {
			case !in(at.Centre()):
			case f.Kind != pcb.RegionFeature || f.Function.Pad():
				return true
			default:
				filled.add(at)
			}
		}
	}
	return filled.n > 0 && !filled.writing()
}

// A row gathers filled openings of the mask that may be the letters of one line.
type row struct {
	n       int
	all     geom.Box
	tallest int64
	widest  int64
}

func (r *row) add(b geom.Box) {
	if r.n == 0 {
		r.all = geom.EmptyBox()
	}
	r.n++
	r.all = r.all.Union(b)
	r.tallest, r.widest = max(r.tallest, b.Height()), max(r.widest, b.Width())
}

// writing tells whether they stand in one line, upright or level, as the name of a layer file
// does in the title of a sheet.
func (r *row) writing() bool {
	const fewest = 3
	return r.n >= fewest && (2*r.all.Height() <= 3*r.tallest || 2*r.all.Width() <= 3*r.widest)
}

// isLand tells whether a feature may be a land or an opening of the mask: not a stroke, nor
// an area of copper that nothing calls a pad.
func isLand(l *pcb.Layer, f *pcb.Feature) bool {
	return f.Kind == pcb.FlashFeature || f.Function.Pad() || f.Kind == pcb.RegionFeature && l.Role == pcb.RoleMask
}
