package dfm

import (
	"context"
	"fmt"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// outlines tells whether the board has a shape, and one that closes.
func outlines(_ context.Context, in *input) result {
	o := &in.board.Outline
	if len(o.Areas) == 0 && len(o.Open) == 0 {
		box := in.copperBox()
		if box.Empty() {
			return result{}
		}
		r := say(OutlineMissing, MustFix, 1, nil,
			"No outline of the board was found, so the fabricator does not know where to cut: the copper covers %s by %s.", mm(box.Width()), mm(box.Height()))
		r.findings[0].Places = []Place{{At: box.Min, To: box.Max}}
		return r
	}
	r := in.openOutline()
	r.add(in.closedGaps())
	return r
}

// closedGaps names the gaps that the reader closed, small enough to know how.
func (in *input) closedGaps() result {
	const tiny = 100 * geom.Micrometre
	var gaps places
	widest, more := int64(0), 0
	for _, f := range in.board.Findings {
		if f.Code == "outline_gap" && f.Level == board.Warning && f.At != nil {
			to := f.At
			if f.To != nil {
				to = f.To
			}
			gaps.at(Place{Layer: f.Layer, At: *f.At, To: *to, Value: f.Size, Distance: true})
			widest, more = max(widest, f.Size), more+max(0, f.Count-1)
		}
	}
	level := Warning
	if widest <= tiny {
		level = Note
	}
	gaps.count += more
	return found(OutlineOpen, level, func(n int) string {
		return fmt.Sprintf("The board's outline has %s of up to %s; %s taken as closed by straight lines.", plural(n, "gap"), mm(widest), either(n, "it is", "they are"))
	}, &gaps)
}

// openOutline names the ends at which the outline does not close. Lines beside a
// closed shape are told too: they may be cutouts that were not finished.
func (in *input) openOutline() result {
	o := &in.board.Outline
	if r := in.bridged(); len(r.findings) > 0 {
		return r
	}
	var open places
	for _, p := range o.Open {
		if len(p.Points) < 2 || o.Closed && !in.onBoard(p.Points[0]) {
			continue
		}
		from, to := p.Points[0], p.Points[len(p.Points)-1]
		open.at(Place{At: from, To: to, Value: int64(from.Dist(to)), Distance: true, Objects: [2]string{"end of a line", "end of a line"}})
	}
	switch {
	case len(o.Areas) == 0:
		return found(OutlineOpen, MustFix, func(n int) string {
			return fmt.Sprintf("The board's outline does not close: it is in %s with open ends.", plural(n, "piece"))
		}, &open)
	case o.Closed:
		return found(OutlineOpen, Note, func(n int) string {
			return fmt.Sprintf("%s on the outline's layer %s to no closed shape and %s taken as drawing.", plural(n, "line"), either(n, "belongs", "belong"), be(n))
		}, &open)
	}
	return found(OutlineOpen, Warning, func(n int) string {
		return fmt.Sprintf("%s on the outline's layer %s to no closed shape: a cutout meant there would not be made.", plural(n, "line"), either(n, "belongs", "belong"))
	}, &open)
}

// bridged names the gaps that the reader closed only to have a shape to show.
func (in *input) bridged() result {
	if in.board.Outline.Closed {
		return result{}
	}
	var gaps places
	widest := int64(0)
	for _, f := range in.board.Findings {
		if f.Code == "outline_open" && f.At != nil && f.Size > 0 {
			to := f.At
			if f.To != nil {
				to = f.To
			}
			gaps.at(Place{Layer: f.Layer, At: *f.At, To: *to, Value: f.Size, Distance: true})
			widest = max(widest, f.Size)
		}
	}
	return found(OutlineOpen, MustFix, func(n int) string {
		return fmt.Sprintf("The board's outline does not close: it has %s of up to %s.", plural(n, "gap"), mm(widest))
	}, &gaps)
}

// onBoard tells whether a point lies within a piece of board.
func (in *input) onBoard(p geom.Point) bool {
	for i := range in.board.Outline.Areas {
		if a := &in.board.Outline.Areas[i]; a.Contains(p) {
			return true
		}
	}
	return false
}
