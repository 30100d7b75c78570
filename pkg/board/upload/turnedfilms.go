package upload

import (
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/format/gerber"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/group"
)

// turnFilms turns back films that are plotted in a mirror, as those of the bottom side are
// where the emulsion is thought of: beside the other films they show the board where it is
// not. They are turned only where they lie beside the copper as plotted, and on it as drawn.
func (a *assembly) turnFilms() {
	const beside, on = 0.1, 0.8 // of the film's box, at most and at least
	if !slices.ContainsFunc(a.art, func(w *artwork.File) bool { return w.Mirrored }) {
		return
	}
	copper := geom.EmptyBox()
	for _, w := range a.art {
		if w.Layer.Role == pcb.RoleCopper && !w.Mirrored {
			copper = copper.Union(w.Layer.BoundsWithin(a.meter))
		}
	}
	if copper.Empty() {
		return
	}
	var turned []string
	for k, w := range a.art {
		if !w.Mirrored || w.NeedsApertures || shareOn(w.Layer.BoundsWithin(a.meter), copper) > beside {
			continue
		}
		f := a.Files[w.Index]
		drawn := &artwork.File{File: gerber.Read(a.ctx, f.Name, f.Data, gerber.Options{AsDrawn: true}), Index: w.Index, Result: w.Result, Data: w.Data}
		if shareOn(drawn.Layer.BoundsWithin(a.meter), copper) < on {
			continue
		}
		a.describe(drawn)
		a.art[k] = drawn
		turned = append(turned, strconv.Quote(group.BaseName(f.Name)))
	}
	if len(turned) > 0 {
		a.Say(pcb.Note, "films_turned", "", "films that are plotted in a mirror, as those of the bottom side often are, were turned back to lie on the others: %s", strings.Join(turned, ", "))
	}
}

// shareOn is how much of the area of a box lies on another.
func shareOn(box, on geom.Box) float64 {
	if box.Empty() || !box.Overlaps(on) {
		return 0
	}
	width := min(box.Max.X, on.Max.X) - max(box.Min.X, on.Min.X)
	height := min(box.Max.Y, on.Max.Y) - max(box.Min.Y, on.Min.Y)
	return float64(width) * float64(height) / max(1, float64(box.Width())*float64(box.Height()))
}
