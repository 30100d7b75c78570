package artwork

import (
	"strings"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// isNegativePlane tells whether an inner layer draws what is taken away from a plane: it
// says so, or is called as its tool calls planes, and draws nothing that would stay.
func isNegativePlane(w *File) bool {
	f := w.Result
	switch {
	case statesPolarity(w, "Positive"):
		return false
	case f.NegativeFilm:
		return !IsRouted(w.Layer)
	case (f.InternalPlane || f.Plane || statesAltiumPlane(w) || isNegativeLayerFile(w.Layer)) && mostlyOpen(w.Layer) && !IsRouted(w.Layer):
		return true
	}
	return statesPolarity(w, "Negative") && holdsClearances(w.Layer)
}

// seemsNegative tells whether an inner layer of which nothing says so can only be a negative:
// thermal reliefs and clearances, which would join nothing if they were copper.
func seemsNegative(w *File) bool {
	return !statesPolarity(w, "Positive") && holdsClearances(w.Layer) && mostlyOpen(w.Layer) && !IsRouted(w.Layer) && copper.Reliefs(w.Layer)
}

// statesPolarity tells whether the file states a polarity. Some tools do without saying
// that it is copper.
func statesPolarity(w *File, want string) bool {
	polarity := w.Attribute(".FilePolarity")
	return len(polarity) > 0 && strings.EqualFold(polarity[0], want)
}

// statesAltiumPlane tells whether Altium states that the layer is a plane, which it plots as a
// negative only and said so in no word up to its version 20.
func statesAltiumPlane(w *File) bool {
	software, function := w.Attribute(".GenerationSoftware"), w.Attribute(".FileFunction")
	return len(software) > 0 && strings.HasPrefix(software[0], "Altium") && len(function) > 3 && function[0] == "Copper" && function[3] == "Plane"
}

// holdsClearances tells whether a layer holds what is taken away from a plane, and nothing
// else: flashes round the holes, and strokes that part the plane. Areas, copper of
// a net and more strokes than flashes are drawn to stay. Titles beside the board are
// neither.
func holdsClearances(l *pcb.Layer) bool {
	const beside = 5 * geom.Millimetre
	place, flashes, strokes := flashBox(l).Grow(beside), 0, 0
	for i := range l.Features {
		switch f := &l.Features[i]; {
		case f.Clear || f.Net > 0 || f.Kind == pcb.RegionFeature:
			return false
		case f.Kind == pcb.FlashFeature:
			flashes++
		case place.Overlaps(l.FeatureBounds(f)):
			strokes++
		}
	}
	return flashes > 0 && strokes <= flashes
}

// flashBox is the box of where something is flashed.
func flashBox(l *pcb.Layer) geom.Box {
	place := geom.EmptyBox()
	for i := range l.Features {
		if f := &l.Features[i]; f.Kind == pcb.FlashFeature && !f.Clear {
			place = place.Add(f.A)
		}
	}
	return place
}

// isNegativeLayerFile tells whether a layer is drawn as Allegro draws a negative: all of it
// filled, the plane's area taken out of that, then flashes for what is not to be part of
// the plane. As a positive that would be a rim, and within it lands that nothing joins.
func isNegativeLayerFile(l *pcb.Layer) bool {
	const least = 8
	if len(l.Features) < 2 || l.Features[0].Kind != pcb.RegionFeature || l.Features[0].Clear ||
		l.Features[1].Kind != pcb.RegionFeature || !l.Features[1].Clear {
		return false
	}
	all, plane := l.FeatureBounds(&l.Features[0]), l.FeatureBounds(&l.Features[1])
	if !all.ContainsBox(plane) || 2*common(plane, plane) < common(all, all) && !holdsFlashes(l, plane) {
		return false
	}
	flashes, strokes := 0, 0
	for i := range l.Features[2:] {
		switch f := &l.Features[2+i]; {
		case f.Net > 0, f.Clear && f.Kind == pcb.FlashFeature: // clearances in a pour
			return false
		case f.Clear: // tracks within the plane
		case f.Kind == pcb.FlashFeature:
			flashes++
		case f.Kind != pcb.RegionFeature:
			strokes++
		}
	}
	return flashes >= least && strokes <= flashes
}

// holdsFlashes tells whether nearly all that is flashed lies in a box and takes up a quarter of
// it: layer files of one size are larger than the boards on them.
func holdsFlashes(l *pcb.Layer, box geom.Box) bool {
	in, all := 0, 0
	place := geom.EmptyBox()
	for i := range l.Features {
		if f := &l.Features[i]; f.Kind == pcb.FlashFeature && !f.Clear {
			all++
			if box.Contains(f.A) {
				in++
				place = place.Add(f.A)
			}
		}
	}
	return in > 0 && 20*in >= 19*all && 4*common(place, place) >= common(box, box)
}

// mostlyOpen tells whether a layer flashes something and covers less than half of the
// place that its flashes take up: a plane drawn as it will be covers most of it. Parts
// are counted as often as they are drawn, and areas with the box round them; what lies
// outside, such as a sheet's frame, is not counted, nor what a large clear area takes
// away again.
func mostlyOpen(l *pcb.Layer) bool {
	place := flashBox(l)
	if place.Empty() {
		return false
	}
	if place.Width() == 0 || place.Height() == 0 {
		place = l.Bounds()
	}
	covered := 0.0
	for i := range l.Features {
		f := &l.Features[i]
		switch {
		case f.Clear && f.Kind == pcb.RegionFeature && 2*common(l.FeatureBounds(f), place) >= common(place, place):
			covered = 0
			fallthrough
		case f.Clear:
			continue
		}
		if f.Kind == pcb.LineFeature && place.Contains(f.A) && place.Contains(f.B) {
			covered += f.A.Dist(f.B) * float64(l.Width(f))
			continue
		}
		covered += common(l.FeatureBounds(f), place)
	}
	return covered < 0.5*float64(place.Width())*float64(place.Height())
}

// IsRouted tells whether a quarter of the strokes begin or end where something is flashed,
// as tracks do between their bends: some people call layers of signals by the extension
// of planes.
func IsRouted(l *pcb.Layer) bool {
	lands := map[geom.Point]bool{}
	for i := range l.Features {
		if f := &l.Features[i]; f.Kind == pcb.FlashFeature && !f.Clear {
			lands[f.A] = true
		}
	}
	strokes, joined := 0, 0
	for i := range l.Features {
		f := &l.Features[i]
		if f.Clear || f.Kind == pcb.FlashFeature || f.Kind == pcb.RegionFeature || f.A == f.B {
			continue
		}
		strokes++
		if lands[f.A] || lands[f.B] {
			joined++
		}
	}
	return strokes > 0 && 4*joined >= strokes
}

// common is the area that two boxes share.
func common(a, b geom.Box) float64 {
	w := min(a.Max.X, b.Max.X) - max(a.Min.X, b.Min.X)
	h := min(a.Max.Y, b.Max.Y) - max(a.Min.Y, b.Min.Y)
	return float64(max(w, 0)) * float64(max(h, 0))
}
