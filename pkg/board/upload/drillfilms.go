package upload

import (
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Shares by which a film is told to be that of the holes where nothing else says so.
const (
	fewestFlashes = 10   // from which the shares say something
	drilledLands  = 0.6  // of the flashes, that lie on lands of both sides and are smaller
	otherLands    = 0.05 // of the flashes at most, that lie on lands otherwise; holes of screws have none
	fewestTools   = 2    // sizes: marks in the middle of holes have one
)

// drillFilms takes a film for the holes where the upload has no drill data: one that is a
// drawing of them by its name, or called by nothing that is known, and whose flashes lie
// in lands of both sides and are smaller. Those of masks and pastes are not; drawings
// have strokes for symbols.
func (a *assembly) drillFilms() {
	if slices.ContainsFunc(a.group.Members, func(i int) bool { return a.result(i).Role == pcb.RoleDrill }) {
		return
	}
	top, bottom := a.landSizes(pcb.Top), a.landSizes(pcb.Bottom)
	if len(top) < fewestFlashes || len(bottom) < fewestFlashes {
		return
	}
	var film *artwork
	for _, w := range a.art {
		r := a.result(w.index)
		if r.Role != pcb.RoleDrillDrawing && r.Role != pcb.RoleUnknown || r.IsStated(r.Role) || !a.holesOf(w.Layer, top, bottom) {
			continue
		}
		if film != nil {
			return // two films: which of them is it
		}
		film = w
	}
	if film == nil {
		return
	}
	r := a.result(film.index)
	film.Layer.Role, r.Role, r.Confidence = pcb.RoleDrill, pcb.RoleDrill, 0.6
	film.Layer.Side, r.Side = pcb.NoSide, pcb.NoSide
	r.Why += "; it flashes holes on lands of both sides, and no other file holds any"
	film.Layer.Features = slices.DeleteFunc(film.Layer.Features, func(f pcb.Feature) bool { return f.Kind != pcb.FlashFeature }) // frames and words
	a.say(pcb.Warning, "drill_film", r.Name, "there is no drill file; the holes were taken from what this film flashes on the lands: say so if they are not to be drilled so, or send a drill file")
}

// holesOf tells whether a layer flashes holes: in several sizes, most in lands of both sides
// that are larger, and hardly one on a land of one side or on one that it covers.
func (a *assembly) holesOf(l *pcb.Layer, top, bottom lands) bool {
	flashes, fit, other := 0, 0, 0
	sizes := map[int64]bool{}
	for i := range l.Features {
		f := &l.Features[i]
		if f.Kind != pcb.FlashFeature {
			continue
		}
		if f.Clear || !a.meter.Spend(pcb.Lookups, 18) {
			return false
		}
		flashes++
		d := l.Width(f)
		sizes[d] = true
		switch up, down := top.widthAt(f.A), bottom.widthAt(f.A); {
		case d > 0 && d < up && d < down:
			fit++
		case up > 0 || down > 0:
			other++
		}
	}
	return flashes >= fewestFlashes && len(sizes) >= fewestTools && float64(fit) >= drilledLands*float64(flashes) && float64(other) <= otherLands*float64(flashes)
}

// lands are the flashes of a copper side, by cells of a grid, and how wide they are.
type lands map[geom.Point][]land

type land struct {
	at   geom.Point
	wide int64
}

func (a *assembly) landSizes(s pcb.Side) lands {
	const most = 8 // of a cell: more say nothing new
	out := lands{}
	for _, w := range a.copperArt() {
		if w.Layer.Side != s {
			continue
		}
		for i := range w.Layer.Features {
			if f := &w.Layer.Features[i]; f.Kind == pcb.FlashFeature && !f.Clear {
				if c := cell(f.A); len(out[c]) < most {
					box := w.Layer.Apertures[f.Shape].Box // a land is as narrow however it is turned
					out[c] = append(out[c], land{f.A, w.Layer.Transforms[f.Transform].Length(min(box.Width(), box.Height()))})
				}
			}
		}
	}
	return out
}

// widthAt is how wide the widest land at a place is, within play; 0 for none.
func (l lands) widthAt(p geom.Point) int64 {
	c, wide := cell(p), int64(0)
	for dx := int64(-1); dx <= 1; dx++ {
		for dy := int64(-1); dy <= 1; dy++ {
			for _, d := range l[geom.Pt(c.X+dx, c.Y+dy)] {
				if d.at.Dist(p) <= movedPlay {
					wide = max(wide, d.wide)
				}
			}
		}
	}
	return wide
}
