package measure

import (
	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// IsDrilledPad reports whether an item is a stroke that is the pad of a hole for a lead,
// as far as nothing states it to be a track.
func (in *Input) IsDrilledPad(l *copper.Layer, i int) bool {
	found := false
	if l.Items[i].Function == pcb.FuncConductor {
		return false
	}
	t := in.Drills()
	t.Index.Search(l.Items[i].Shape.Bounds(), func(k int) bool {
		d := &t.List[k]
		found = d.Lead() && copper.Spans(d.Hole, l.Layer) && l.PadStroke(i, d.Hole)
		return !found
	})
	return found
}

// IsDrilledOut reports whether a hole takes a point of a layer's copper.
func (in *Input) IsDrilledOut(l *copper.Layer, p geom.Point) bool {
	found := false
	t := in.Drills()
	t.Index.Search(geom.BoxOf(p), func(k int) bool {
		d := &t.List[k]
		if !copper.Spans(d.Hole, l.Layer) {
			return true
		}
		for w := range d.Barrels {
			found = found || d.Barrels[w].Contains(p)
		}
		return !found
	})
	return found
}
