// Package boardedge finds the file that draws the edge of a board: where several claim to,
// where those that claim to draw something else, and where none does. The shape itself is
// found by package outline.
package boardedge

import (
	"context"
	"fmt"
	"math"
	"slices"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/outline"
	"boardorder/pkg/board/upload/places"
)

// A Search looks for the file that draws the edge of a board among its artwork. It gives
// files the role of the outline, and takes it from them, and says why.
type Search struct {
	Files []*artwork.File
	Meter pcb.Meter
	*findings.List
}

// pickOutline picks among outline files the smallest shape that closes round
// all of the copper.
func (s Search) pickOutline(ctx context.Context, ws []*artwork.File) *artwork.File {
	content := geom.EmptyBox()
	for _, w := range s.Files {
		if w.Layer.Role == pcb.RoleCopper {
			content = content.Union(places.Extent(w.Layer))
		}
	}
	best, score := ws[0], -1.0
	for _, w := range ws {
		if v := Score(ctx, w.Layer, content) + w.Result.Confidence/10; v > score {
			best, score = w, v
		}
	}
	return best
}

// Correct looks for the board's edge elsewhere where the files that are outlines
// by their names draw something else, such as a part of a drawing: nothing of theirs
// even reaches round half of the pads, or only corners of a frame do. A mechanical layer that
// goes round them takes their place; where a drawing or a silkscreen does, none of them is the outline, and the
// shape is looked for in these. A layer that was made the outline for want of another
// is one no more, and what states that it is the board's profile stays.
func (s Search) Correct(ctx context.Context) {
	pads := SamplePads(s.Files)
	if len(pads) == 0 {
		return
	}
	var named, mechanical, drawings []*artwork.File
	for _, w := range s.Files {
		switch {
		case w.Layer.Role == pcb.RoleOutline:
			named = append(named, w)
		case w.Layer.Role == pcb.RoleMechanical:
			mechanical = append(mechanical, w)
		case showsEdge[w.Layer.Role]:
			drawings = append(drawings, w)
		}
	}
	if len(named) == 0 || named[0].Result.HasAnswer(pcb.RoleOutline) {
		return
	}
	reaching := slices.DeleteFunc(slices.Clone(named), func(w *artwork.File) bool { return !reaches(w.Layer, pads) || s.drawsBeside(ctx, w, pads) })
	if slices.ContainsFunc(reaching, func(w *artwork.File) bool { return !s.drawsCorners(ctx, w, pads) }) {
		return
	}
	if best := s.tightest(ctx, mechanical, pads); best != nil {
		s.takeOutline(best, named)
		return
	}
	if len(reaching) > 0 {
		return // corners are better than nothing
	}
	certain := slices.ContainsFunc(named, func(w *artwork.File) bool { return w.Result.IsAttributed(pcb.RoleOutline) })
	drawn := slices.ContainsFunc(named, func(w *artwork.File) bool { return len(w.Layer.Features) > 0 })
	if best := s.tightest(ctx, drawings, pads); best != nil && drawn && !certain {
		s.rejectOutlines(named, best)
		return
	}
	for _, n := range named {
		if r := n.Result; r.LastResort {
			n.Layer.Role, r.Role = pcb.RoleMechanical, pcb.RoleMechanical
			r.Why += "; what it draws does not go round the board"
		}
	}
}

// drawsBeside tells whether a file that is the outline by its name only closes shapes, and
// hardly a pad lies in one of them: dimensions and words, drawn round the board.
func (s Search) drawsBeside(ctx context.Context, w *artwork.File, pads []geom.Point) bool {
	const hardly = 0.05
	edges := outline.Edges(w.Layer)
	if w.Result.IsStated(pcb.RoleOutline) || len(edges) > maxDrawn || !s.Meter.SpendTimes(pcb.Lookups, 1, len(edges)) {
		return false
	}
	var boxes []geom.Box
	for _, s := range outline.Find(ctx, edges).Outline.Areas {
		boxes = append(boxes, s.Bounds())
	}
	within := 0
	for _, p := range pads {
		if !s.Meter.Spend(pcb.Lookups, len(boxes)) {
			return false
		}
		if slices.ContainsFunc(boxes, func(b geom.Box) bool { return b.Contains(p) }) {
			within++
		}
	}
	return len(boxes) > 0 && float64(within) < hardly*float64(len(pads))
}

// drawsCorners tells whether a file that is the outline by its extension only draws less than
// half of the way round the pads: corners and arcs of a keep-out.
func (s Search) drawsCorners(ctx context.Context, w *artwork.File, pads []geom.Point) bool {
	edges := outline.Edges(w.Layer)
	if !w.Result.ExtensionOnly(pcb.RoleOutline) || len(edges) > maxDrawn || !s.Meter.SpendTimes(pcb.Lookups, 1, len(edges)) {
		return false
	}
	drawn, box := 0.0, geom.BoxOf(pads...)
	for _, e := range edges {
		drawn += e.Len()
	}
	return drawn < float64(box.Width()+box.Height())
}

// maxDrawn is of how many lines a file is looked at.
const maxDrawn = 20_000

// tightest is the file that goes round the pads most closely; nil when none does.
func (s Search) tightest(ctx context.Context, ws []*artwork.File, pads []geom.Point) *artwork.File {
	const far = 3 // times the extent of the pads: a frame
	box := geom.BoxOf(pads...).Grow(2 * geom.Millimetre)
	best, least := (*artwork.File)(nil), far*float64(box.Width())*float64(box.Height())
	for _, w := range ws {
		if area, ok := outline.AreaAround(ctx, w.Layer, pads); ok && area < least {
			best, least = w, area
		}
	}
	return best
}

// rejectOutlines leaves files aside that are outlines by name and do not go round the board,
// as another does that is for something else.
func (s Search) rejectOutlines(named []*artwork.File, other *artwork.File) {
	for _, n := range named {
		r := n.Result
		n.Layer.Role, r.Role = pcb.RoleMechanical, pcb.RoleMechanical
		n.Result.LeaveAside("what it draws does not go round the board, as the " + other.Layer.Role.String() + " " + other.Result.Name + " does")
		s.Say(pcb.Warning, "outline_elsewhere", r.Name, "the file is the outline by its name, but does not go round the board, as a line of %q does: it was not taken for the board's edge; say so if it is", other.Result.Name)
		s.Ask(answers.Outline(r.Name), answers.Outline(other.Result.Name))
	}
}

// takeOutline makes w the outline in the place of others.
func (s Search) takeOutline(w *artwork.File, named []*artwork.File) {
	r, drawn := w.Result, slices.ContainsFunc(named, func(w *artwork.File) bool { return len(w.Layer.Features) > 0 })
	for _, n := range named {
		n.Layer.Role = pcb.RoleMechanical
		n.Result.Role = pcb.RoleMechanical
		n.Result.LeaveAside("what it draws does not go round the board, as " + r.Name + " does")
	}
	w.Layer.Role, r.Role = pcb.RoleOutline, pcb.RoleOutline
	r.Why += "; it draws a closed line round the board"
	if !drawn { // nobody can choose it
		s.Say(pcb.Warning, "outline_elsewhere", r.Name, "%s is the outline by its name and draws nothing; the board's shape was taken from %s, which goes round it", named[0].Result.Name, r.Name)
		s.Ask(answers.Outline(r.Name))
		return
	}
	s.Add(pcb.Finding{
		Code: "outline_elsewhere", Level: pcb.Warning, File: r.Name,
		Message: fmt.Sprintf("%s is the outline by its name, but does not go round the board; the board's shape was taken from %s, which does",
			named[0].Result.Name, r.Name),
		Answers: []answers.Answer{answers.Outline(r.Name), answers.Outline(named[0].Result.Name)},
	})
}

// SamplePads samples where copper is flashed; nothing when that is too little to
// tell where the board is.
func SamplePads(files []*artwork.File) []geom.Point {
	const few, most = 10, 2000
	var all []geom.Point
	for _, w := range files {
		if w.Layer.Role != pcb.RoleCopper {
			continue
		}
		for i := range w.Layer.Features {
			if f := &w.Layer.Features[i]; !f.Clear && f.Kind == pcb.FlashFeature {
				all = append(all, f.A)
			}
		}
	}
	if len(all) < few {
		return nil
	}
	step := len(all)/most + 1
	pads := all[:0]
	for i := 0; i < len(all); i += step {
		pads = append(pads, all[i])
	}
	return pads
}

// reaches tells whether half of the pads lie within the extent of what a layer draws.
func reaches(l *pcb.Layer, pads []geom.Point) bool {
	box, within := places.Extent(l), 0
	for i := range l.Features {
		if f := &l.Features[i]; !f.Clear && f.Kind == pcb.ArcFeature { // a circle ends where it begins
			box = box.Union(l.Edge(f).Bounds())
		}
	}
	for _, p := range pads {
		if box.Contains(p) {
			within++
		}
	}
	return 2*within >= len(pads)
}

// Score is 0 for a layer that closes nothing, and approaches 2 for one
// that closes tightly round the content.
func Score(ctx context.Context, l *pcb.Layer, content geom.Box) float64 {
	edges := outline.Edges(l)
	if len(edges) == 0 || len(edges) > 200_000 {
		return 0
	}
	o := outline.Find(ctx, edges).Outline
	if len(o.Areas) == 0 {
		return 0.1
	}
	box := o.Bounds()
	if content.Empty() {
		return 1
	}
	if !box.Grow(geom.Millimetre / 2).ContainsBox(content) {
		return 0.3
	}
	area := func(b geom.Box) float64 { return float64(b.Width()) * float64(b.Height()) }
	return 1 + math.Min(1, area(content)/math.Max(1, area(box)))
}

// showsEdge are the roles of layer files that tools draw the edge in beside what they are for.
var showsEdge = map[pcb.Role]bool{
	pcb.RoleDrillDrawing: true, pcb.RoleFabDrawing: true, pcb.RoleAssembly: true, pcb.RoleSilk: true, pcb.RoleUnknown: true,
}

// Drawings are the layers for something else whose files say that they show the board's
// edge as well.
func Drawings(files []*artwork.File, b *pcb.Board) (out []*pcb.Layer) {
	for _, w := range files {
		if w.Result.ShowsEdge && showsEdge[w.Layer.Role] && slices.Contains(b.Layers, w.Layer) {
			out = append(out, w.Layer)
		}
	}
	return out
}
