package outline

import (
	"context"
	"fmt"
	"slices"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Shape finds the board's outline in its outline layers and sets Outline and
// the facts Width and Height. What is odd becomes findings: gaps with size and
// place, sheet frames and drawings that were left aside, an outline that is
// missing or open. Layers, Holes and Routes must be there already, for the
// copper and the holes tell the board from what is drawn around it. layer files are layers
// whose files say that they show the edge as well. When ctx ends the outline is not
// found to the end.
func Shape(ctx context.Context, b *pcb.Board, layerFiles ...*pcb.Layer) {
	layers := b.Find(pcb.RoleOutline, pcb.NoSide)
	if len(layers) == 0 {
		if search(ctx, b) {
			return
		}
		b.Findings = append(b.Findings, pcb.Finding{Code: "outline_missing", Level: pcb.Problem,
			Message: "no file holds the outline of the board, so its size and shape are not known: send the layer that draws the board's edge (such as Edge.Cuts, GKO or GM1), or say with file_answers.outline which file does",
			Answers: []answers.Answer{answers.Outline("")}})
		return
	}
	if drawsNothing(layers) && (edgeOfHairlines(ctx, b) || edgeOfLayerFiles(ctx, b, layerFiles)) {
		return
	}
	file := layers[0].File
	ctx = pcb.FileContext(ctx, file)
	s := selection{ctx: ctx, meter: pcb.MeterOf(ctx), board: b, file: file, layer: layers[0].Name, content: content(b, layers), drawnToo: strokeSet(layers)}
	r := Find(ctx, s.edges(layers))
	b.Outline = r.Outline
	b.Outline.Source = pcb.Source{File: file}
	s.dropFrames()
	switch {
	case s.drawsParts() || s.drawsBodies():
		s.searchElsewhere("the outline layer draws outlines of parts, and none of the board, so its size and shape are not known")
		return
	case s.drawsDetail():
		s.searchElsewhere("the outline layer draws a shape that leaves nearly all of the copper outside, and none of the board, so its size and shape are not known: send the layer that draws the board's edge, or say with file_answers.outline which file does")
		return
	}
	s.dropBodies()
	s.mergeCrossed()
	s.dropDrawings()
	s.dropRepeats()
	s.dropMarks()
	s.dropSpikes()
	s.report(r.Gaps)
	s.open()
	s.size()
}

// drawsNothing tells whether no line is on any of the layers: their files are as good as
// not sent.
func drawsNothing(layers []*pcb.Layer) bool {
	return !slices.ContainsFunc(layers, func(l *pcb.Layer) bool { return len(Edges(l)) > 0 })
}

// searchElsewhere looks for the shape elsewhere, and says why when there is none: the
// outline layer draws something else.
func (s *selection) searchElsewhere(why string) {
	at := s.outlineBox().Min
	s.board.Outline = pcb.Outline{}
	if search(s.ctx, s.board) {
		return
	}
	s.find(pcb.Problem, "outline_missing", at, 0, "%s", why)
	s.board.Findings[len(s.board.Findings)-1].Answers = []answers.Answer{answers.Outline("")}
}

// Edges gives the centre lines of what an outline layer draws: lines, arcs and
// the borders of regions. Flashes have no centre line.
func Edges(l *pcb.Layer) []geom.Edge {
	var out []geom.Edge
	for i := range l.Features {
		f := &l.Features[i]
		switch {
		case f.Clear || f.Kind == pcb.FlashFeature || f.Function == pcb.FuncDrawing:
		case f.Kind == pcb.RegionFeature:
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
// tool puts on every layer file.
func content(b *pcb.Board, outlines []*pcb.Layer) []geom.Point {
	out := copperContent(b, outlines)
	for i := 0; i < len(b.Holes); i += len(b.Holes)/maxSampled + 1 {
		out = append(out, b.Holes[i].A)
	}
	return out
}

// maxSampled is about how many places are taken of what a board has.
const maxSampled = 1000

// copperContent samples where the board has copper.
func copperContent(b *pcb.Board, outlines []*pcb.Layer) []geom.Point {
	var out []geom.Point
	n := 0
	copper := b.Copper()
	for _, l := range copper {
		n += len(l.Features)
	}
	onOutline := strokeSet(outlines)
	step := n/maxSampled + 1
	for _, l := range copper {
		for i := 0; i < len(l.Features); i += step {
			if f := &l.Features[i]; !f.Clear && !onOutline[strokeOf(l, f)] {
				out = append(out, f.A)
			}
		}
	}
	return out
}

// stroke is where a line or an arc is drawn, or the corners of an area: of one that is
// filled, such as a letter, its first point and how far it reaches.
type stroke struct {
	kind    pcb.FeatureKind
	corners int
	a, b    geom.Point
}

func strokeOf(l *pcb.Layer, f *pcb.Feature) stroke {
	if f.Kind == pcb.RegionFeature {
		if p := l.Regions[f.Shape].Outer; len(p.Points) > 0 {
			return stroke{f.Kind, len(p.Points), p.Points[0], p.Bounds().Max}
		}
	}
	return stroke{f.Kind, 0, f.A, f.B}
}

// strokeSet gives the lines, arcs and filled areas of layers.
func strokeSet(layers []*pcb.Layer) map[stroke]bool {
	drawn := map[stroke]bool{}
	for _, l := range layers {
		for i := range l.Features {
			if f := &l.Features[i]; !f.Clear && f.Kind != pcb.FlashFeature {
				drawn[strokeOf(l, f)] = true
			}
		}
	}
	return drawn
}

// selection tells the board from the other things on its outline layers.
type selection struct {
	ctx         context.Context
	meter       pcb.Meter
	board       *pcb.Board
	file, layer string
	content     []geom.Point
	drawnToo    map[stroke]bool // what the outline's layers draw
	across      []indexedCopper // nil before it is asked for
	panel       bool            // of which one cell is filled: whether that or all is wanted is asked
}

func (s *selection) find(level pcb.Level, code string, at geom.Point, size int64, format string, args ...any) {
	s.board.Findings = append(s.board.Findings, pcb.Finding{Code: code, Level: level, File: s.file, Layer: s.layer,
		At: &at, Size: size, Message: fmt.Sprintf(format, args...)})
}

// report names gaps that were closed: tiny ones together, wide ones each.
func (s *selection) report(gaps []Gap) {
	const (
		tiny = 50 * geom.Micrometre
		most = 20
	)
	small, stated := 0, 0
	for _, g := range gaps {
		if s.meter.HasEnded() {
			return
		}
		if !s.isOnBoard(g) {
			continue // of a drawing beside the board
		}
		if g.Size <= tiny {
			small++
			continue
		}
		if stated++; stated <= most {
			at := g.From.Mid(g.To)
			s.find(pcb.Warning, "outline_gap", at, g.Size, "the outline has a gap of %.3f mm at %s; closed with a straight line",
				geom.Millimetres(g.Size), place(at))
			last := &s.board.Findings[len(s.board.Findings)-1]
			last.At, last.To = &g.From, &g.To
		}
	}
	if small > 0 {
		s.find(pcb.Note, "outline_gap_tiny", gaps[0].From, tiny, "the outline has %d gaps below 0.05 mm; closed", small)
	}
}

// isOnBoard tells whether a gap lies on the edge of a piece of board.
func (s *selection) isOnBoard(g Gap) bool {
	const near = 2 * geom.Micrometre
	for _, a := range s.board.Outline.Areas {
		if a.Bounds().Grow(near).Contains(g.From) && s.meter.Spend(pcb.Lookups, cornersOf(a)) {
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
	return fmt.Sprintf("x %.2f mm, y %.2f mm", geom.Millimetres(p.X), geom.Millimetres(p.Y))
}

// size states width and height: of the closed areas, or with less confidence of
// what did not close.
func (s *selection) size() {
	o := &s.board.Outline
	box := o.Bounds()
	if box.Empty() {
		s.board.Findings = append(s.board.Findings, pcb.Finding{Code: "outline_missing", Level: pcb.Problem,
			File: s.file, Layer: s.layer, Message: "the outline file draws no outline, so the board's size and shape are not known: send one that draws the board's edge, or say with file_answers.outline which file does",
			Answers: []answers.Answer{answers.Outline("")}})
		return
	}
	if s.panel {
		return
	}
	conf, how := 0.95, "centre line of the outline"
	if !o.Closed {
		conf, how = 0.5, "extent of an outline that does not close"
	}
	s.board.Facts.Width.Offer(pcb.State(box.Width(), o.Source, conf, how))
	s.board.Facts.Height.Offer(pcb.State(box.Height(), o.Source, conf, how))
}
