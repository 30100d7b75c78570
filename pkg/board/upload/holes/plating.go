package holes

import (
	"fmt"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/places"
)

// plateRest takes a drill file that says nothing of plating for the
// plated one when another file holds the holes without.
func (s Drilling) plateRest() {
	bare := false
	for _, d := range s.Programs {
		bare = bare || d.Plating == pcb.NonPlated && !d.Again
	}
	if !bare {
		return
	}
	for _, d := range s.Programs {
		f := d.Result
		if d.Plating != pcb.PlatingUnknown || f.Format != classify.FormatExcellon || len(d.Hits)+len(d.Slots) == 0 {
			continue
		}
		d.Plating, f.Plating, d.Rest = pcb.Plated, pcb.Plated, true
		for t := range d.Tools {
			if d.Tools[t].Plating == pcb.PlatingUnknown {
				d.Tools[t].Plating = pcb.Plated
			}
		}
		f.Why += "; plated, as another file holds the holes without plating"
	}
}

// plateByPads settles holes whose files say nothing: one in the middle of a
// larger pad is plated.
func (s Drilling) plateByPads() {
	open := 0
	for i := range s.Board.Holes {
		if s.Board.Holes[i].Plating == pcb.PlatingUnknown {
			open++
		}
	}
	if open == 0 {
		return
	}
	sizes := places.PadSizesOf(s.Board.Copper())
	found := 0
	looked := s.Meter.Tally(pcb.Lookups)
	for i := range s.Board.Holes {
		h := &s.Board.Holes[i]
		if !looked.Add(3) {
			return
		}
		if h.Plating == pcb.PlatingUnknown && h.Diameter > 0 && sizes.SizeAt(h.A.Mid(h.B)) > h.Diameter {
			h.Plating = pcb.Plated
			found++
		}
	}
	if found == 0 {
		return
	}
	bare := s.markBare()
	s.Add(pcb.Finding{
		Code: "plating_deduced", Level: pcb.Note, Count: found + bare,
		Message: fmt.Sprintf("no file says which holes are plated; of %d, %d lie in pads and are taken as plated, %d away from all copper as not", open, found, bare),
	})
}

// markBare takes holes that no copper comes near for those without plating. It
// is asked for the few that are left.
func (s Drilling) markBare() int {
	const most = 64
	var rest []*pcb.Hole
	for i := range s.Board.Holes {
		if h := &s.Board.Holes[i]; h.Plating == pcb.PlatingUnknown && h.Diameter > 0 {
			rest = append(rest, h)
		}
	}
	if len(rest) > most {
		return 0
	}
	for _, l := range s.Board.Copper() {
		if rest = s.dropTouched(l, rest); len(rest) == 0 {
			break
		}
	}
	for _, h := range rest {
		h.Plating = pcb.NonPlated
	}
	return len(rest)
}

// dropTouched are those of some holes whose barrels the copper of a layer does not
// reach. A layer on which what is drawn is taken away is too much to ask here: it
// reaches all.
func (s Drilling) dropTouched(l *pcb.Layer, holes []*pcb.Hole) []*pcb.Hole {
	if l.Negative {
		return nil
	}
	within := geom.EmptyBox()
	for _, h := range holes {
		within = within.Union(geom.BoxOf(h.A.Mid(h.B)).Grow(h.Diameter / 2))
	}
	for i := range l.Features {
		f := &l.Features[i]
		if f.Clear {
			continue
		}
		box := l.FeatureBounds(f)
		if !box.Overlaps(within) {
			continue
		}
		holes = slices.DeleteFunc(holes, func(h *pcb.Hole) bool {
			at, reach := h.A.Mid(h.B), h.Diameter/2
			return box.Grow(reach).Contains(at) && s.Meter.Spend(pcb.Lookups, countCorners(l, f)) && touches(l, f, at, reach)
		})
	}
	return holes
}

// countCorners is how many corners a feature's area has.
func countCorners(l *pcb.Layer, f *pcb.Feature) int {
	if f.Kind != pcb.RegionFeature {
		return 1
	}
	n := len(l.Regions[f.Shape].Outer.Points)
	for _, h := range l.Regions[f.Shape].Holes {
		n += len(h.Points)
	}
	return n
}

// touches tells whether a feature comes within reach of a place. Flashes are
// judged by their box, which the caller has done.
func touches(l *pcb.Layer, f *pcb.Feature, at geom.Point, reach int64) bool {
	switch f.Kind {
	case pcb.RegionFeature:
		if l.Regions[f.Shape].Contains(at) {
			return true
		}
		d, _ := l.Regions[f.Shape].EdgeDistance(at)
		return d <= float64(reach)
	case pcb.FlashFeature:
		return true
	}
	_, d := l.Edge(f).Nearest(at)
	return d <= float64(reach+l.Width(f)/2)
}
