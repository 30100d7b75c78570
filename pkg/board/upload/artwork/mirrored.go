package artwork

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/format/gerber"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/group"
)

// TurnBack turns files back that are plotted in a mirror, as those of the bottom side are
// where the emulsion is thought of: beside the other files they show the board where it is
// not. They are turned only where they lie beside the copper as plotted, and on it as drawn.
// A file that is turned is read anew, and takes its place in the slice.
func TurnBack(ctx context.Context, m pcb.Meter, files []*File, list *findings.List) {
	const beside, on = 0.1, 0.8 // of the file's box, at most and at least
	if !slices.ContainsFunc(files, func(w *File) bool { return w.Mirrored }) {
		return
	}
	copper := geom.EmptyBox()
	for _, w := range files {
		if w.Layer.Role == pcb.RoleCopper && !w.Mirrored {
			copper = copper.Union(w.Layer.BoundsWithin(m))
		}
	}
	if copper.Empty() {
		return
	}
	var turned []string
	for k, w := range files {
		if !w.Mirrored || w.NeedsApertures || shareOn(w.Layer.BoundsWithin(m), copper) > beside {
			continue
		}
		drawn := &File{File: gerber.Read(ctx, w.Result.Name, w.Data, gerber.Options{AsDrawn: true}), Index: w.Index, Result: w.Result, Data: w.Data}
		if shareOn(drawn.Layer.BoundsWithin(m), copper) < on {
			continue
		}
		describe(drawn, list)
		files[k] = drawn
		turned = append(turned, strconv.Quote(group.BaseName(w.Result.Name)))
	}
	if len(turned) > 0 {
		list.Say(pcb.Note, "films_turned", "", "layer files that are plotted in a mirror, as those of the bottom side often are, were turned back to lie on the others: %s", strings.Join(turned, ", "))
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
