package upload

import (
	"slices"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/outline"
	"boardorder/pkg/board/upload/places"
)

// Bounds on frames of which either may be the board's edge.
const (
	framesApart  = 300 * geom.Micrometre // and less is one frame, drawn twice
	framesBeside = 5 * geom.Millimetre   // on each side, and more is a sheet, a rail or a drawing
)

// secondFrame asks which of two is the board's edge, where two layers draw a plain frame
// round all copper and holes, one close within the other, and nothing but the extension
// of its name says that the one taken is the outline: tools use the same extensions for
// keep-outs and for frames of dimensions.
func (a *assembly) secondFrame() {
	b := a.board
	box := b.Outline.Bounds()
	if !b.Outline.Closed || len(b.Outline.Areas) != 1 {
		return
	}
	i := slices.IndexFunc(a.art, func(w *artwork.File) bool { return w.Layer.Role == pcb.RoleOutline })
	if i < 0 || !a.art[i].Result.ExtensionOnly(pcb.RoleOutline) || a.jobAgrees(box) {
		return
	}
	points := a.copperPads()
	if len(points) == 0 {
		return
	}
	for k := range b.Holes {
		points = append(points, b.Holes[k].A)
	}
	for _, w := range a.art {
		if w.Layer.Role != pcb.RoleMechanical {
			continue
		}
		other, ok := outline.Frame(a.ctx, w.Layer, points)
		if !ok || !areNested(box, other) {
			continue
		}
		taken, second := a.art[i].Result, w.Result
		if a.said != nil && a.said.Outline == taken.Name {
			return
		}
		a.Say(pcb.Problem, "outline_doubt", taken.Name,
			"the file draws a frame of %.2f x %.2f mm round all copper, and %q one of %.2f x %.2f mm, and nothing says which of them is the board's edge: say which with file_answers.outline",
			geom.Millimetres(box.Width()), geom.Millimetres(box.Height()), second.Name, geom.Millimetres(other.Width()), geom.Millimetres(other.Height()))
		a.Ask(answers.Outline(taken.Name), answers.Outline(second.Name))
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

// jobAgrees tells whether a job file states the size of a box.
func (a *assembly) jobAgrees(box geom.Box) bool {
	for i := range a.Set.Results {
		if j := a.Set.Jobs[i]; j != nil && a.OwnsJob(a.Result(i), j) {
			w, h := a.jobSize(j)
			if places.IsNear(w, box.Width(), framesApart) && places.IsNear(h, box.Height(), framesApart) || places.IsNear(h, box.Width(), framesApart) && places.IsNear(w, box.Height(), framesApart) {
				return true
			}
		}
	}
	return false
}
