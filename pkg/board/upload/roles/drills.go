package roles

import (
	"slices"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/places"
)

// Shares by which a layer file is told to be that of the holes where nothing else says so.
const (
	fewestFlashes = 10   // from which the shares say something
	drilledLands  = 0.6  // of the flashes, that lie on lands of both sides and are smaller
	otherLands    = 0.05 // of the flashes at most, that lie on lands otherwise; holes of screws have none
	fewestTools   = 2    // sizes: marks in the middle of holes have one
)

// FindDrillArtwork takes a layer file for the holes where the upload has no drill data: one that is a
// drawing of them by its name, or called by nothing that is known, and whose flashes lie
// in lands of both sides and are smaller. Those of masks and pastes are not; drawings
// have strokes for symbols.
func FindDrillArtwork(m pcb.Meter, u group.Upload, files []*artwork.File, list *findings.List) {
	if slices.ContainsFunc(u.Group.Members, func(i int) bool { return u.Result(i).Role == pcb.RoleDrill }) {
		return
	}
	top, bottom := places.LandsOf(artwork.Layers(artwork.Copper(files)), pcb.Top), places.LandsOf(artwork.Layers(artwork.Copper(files)), pcb.Bottom)
	if len(top) < fewestFlashes || len(bottom) < fewestFlashes {
		return
	}
	var found *artwork.File
	for _, w := range files {
		r := w.Result
		if r.Role != pcb.RoleDrillDrawing && r.Role != pcb.RoleUnknown || r.IsStated(r.Role) || !flashesHoles(m, w.Layer, top, bottom) {
			continue
		}
		if found != nil {
			return // two files: which of them is it
		}
		found = w
	}
	if found == nil {
		return
	}
	r := found.Result
	found.Layer.Role, r.Role, r.Confidence = pcb.RoleDrill, pcb.RoleDrill, 0.6
	found.Layer.Side, r.Side = pcb.NoSide, pcb.NoSide
	r.Why += "; it flashes holes on lands of both sides, and no other file holds any"
	found.Layer.Features = slices.DeleteFunc(found.Layer.Features, func(f pcb.Feature) bool { return f.Kind != pcb.FlashFeature }) // frames and words
	list.Say(pcb.Warning, "drill_film", r.Name, "there is no drill file; the holes were taken from what this layer file flashes on the lands: say so if they are not to be drilled so, or send a drill file")
}

// flashesHoles tells whether a layer flashes holes: in several sizes, most in lands of both sides
// that are larger, and hardly one on a land of one side or on one that it covers.
func flashesHoles(m pcb.Meter, l *pcb.Layer, top, bottom places.Lands) bool {
	flashes, fit, other := 0, 0, 0
	sizes := map[int64]bool{}
	for i := range l.Features {
		f := &l.Features[i]
		if f.Kind != pcb.FlashFeature {
			continue
		}
		if f.Clear || !m.Spend(pcb.Lookups, 18) {
			return false
		}
		flashes++
		d := l.Width(f)
		sizes[d] = true
		switch up, down := top.WidthAt(f.A), bottom.WidthAt(f.A); {
		case d > 0 && d < up && d < down:
			fit++
		case up > 0 || down > 0:
			other++
		}
	}
	return flashes >= fewestFlashes && len(sizes) >= fewestTools && float64(fit) >= drilledLands*float64(flashes) && float64(other) <= otherLands*float64(flashes)
}
