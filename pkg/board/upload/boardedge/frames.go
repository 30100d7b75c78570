package boardedge

import (
	"context"
	"slices"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/outline"
	"boardorder/pkg/board/upload/places"
)

// AskAboutFrames asks which of two is the board's edge, where two layers draw a plain frame
// round all copper and holes, one close within the other, and nothing but the extension
// of its name says that the one taken is the outline: tools use the same extensions for
// keep-outs and for frames of dimensions. stated are the sizes that job files give the board, said
// what the customer says. Where it asks, the board has no size.
func (s Search) AskAboutFrames(ctx context.Context, b *pcb.Board, stated []Size, fileAnswers *answers.FileAnswers) {
	box := b.Outline.Bounds()
	if !b.Outline.Closed || len(b.Outline.Areas) != 1 {
		return
	}
	i := slices.IndexFunc(s.Files, func(w *artwork.File) bool { return w.Layer.Role == pcb.RoleOutline })
	if i < 0 || !s.Files[i].Result.ExtensionOnly(pcb.RoleOutline) || slices.ContainsFunc(stated, func(z Size) bool { return z.isOf(box) }) {
		return
	}
	points := SamplePads(s.Files)
	if len(points) == 0 {
		return
	}
	for k := range b.Holes {
		points = append(points, b.Holes[k].A)
	}
	for _, w := range s.Files {
		if w.Layer.Role != pcb.RoleMechanical {
			continue
		}
		other, ok := outline.Frame(ctx, w.Layer, points)
		if !ok || !areNested(box, other) {
			continue
		}
		taken, second := s.Files[i].Result, w.Result
		if fileAnswers != nil && fileAnswers.Outline == taken.Name {
			return
		}
		s.Say(pcb.Problem, "outline_doubt", taken.Name,
			"the file draws a frame of %.2f x %.2f mm round all copper, and %q one of %.2f x %.2f mm, and nothing says which of them is the board's edge: say which with file_answers.outline",
			geom.Millimetres(box.Width()), geom.Millimetres(box.Height()), second.Name, geom.Millimetres(other.Width()), geom.Millimetres(other.Height()))
		s.Ask(answers.Outline(taken.Name), answers.Outline(second.Name))
		b.Facts.Width, b.Facts.Height = pcb.Fact[int64]{}, pcb.Fact[int64]{}
		return
	}
}

// areNested tells whether one of two frames lies within the other, close to it on
// every side and not the same.
func areNested(p, q geom.Box) bool {
	if max(p.Width(), p.Height()) > max(q.Width(), q.Height()) {
		p, q = q, p
	}
	const play = 50 * geom.Micrometre
	return q.Grow(play).ContainsBox(p) && p.Grow(framesBeside).ContainsBox(q) &&
		(q.Width()-p.Width() > framesApart || q.Height()-p.Height() > framesApart)
}

// A Size is how large a job file says that the board is.
type Size struct{ Width, Height int64 }

// isOf tells whether a box has the size, turned or not.
func (z Size) isOf(box geom.Box) bool {
	return places.IsNear(z.Width, box.Width(), framesApart) && places.IsNear(z.Height, box.Height(), framesApart) ||
		places.IsNear(z.Height, box.Width(), framesApart) && places.IsNear(z.Width, box.Height(), framesApart)
}
