package boardfacts

import (
	"cmp"
	"context"
	"math"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/places"
)

// stateFingers finds gold fingers: a row of equal long pads that end at the edge of the board and
// have no holes. A key that is cut between them makes them sure: sockets have one for the card
// not to be turned, and a part that is soldered there would not need it, whatever paste the files
// put on. Without one they get no paste, or are as many and as long on both sides as no connector's
// that is soldered; those of one side may still be a socket's, so that a card has them on both
// sides of one place, or says that they are a connector's, or has them as long as a cartridge.
func (r Rim) stateFingers(ctx context.Context, edges *places.Edges) {
	b := r.Board
	if b.Facts.GoldFingers.Known {
		return
	}
	var opposite []fingers
	for _, l := range b.Copper() {
		if l.Side != pcb.Top && l.Side != pcb.Bottom {
			continue
		}
		rows := r.findRows(ctx, l, edges)
		for _, row := range rows {
			how, sure := row.judge(opposite, edges)
			if sure > 0 {
				b.Facts.GoldFingers.Offer(pcb.State(true, pcb.Source{File: l.File, Line: int(row.first.Line)}, sure, how))
			}
		}
		opposite = rows
	}
}

// fingers are the pads of one row.
type fingers struct {
	first    *pcb.Feature
	vertical bool // the pads lie along the Y axis
	pasted   bool // solder paste is printed on them
	alone    bool // there are enough of them without paste to be fingers by themselves
	length   int64
	centres  []geom.Point
	box      geom.Box // of the centres
}

const (
	fewestFingers   = 8
	longFingers     = 20                     // as many without a paste file to ask
	fingerReach     = 1500 * geom.Micrometre // from the end of the pad to the edge
	cardReach       = 2100 * geom.Micrometre // of a pad as long as a card's, where the edge is drawn with room for a bevel
	longestFinger   = 15 * geom.Millimetre   // modules of old computers have 12.7 mm
	cardFinger      = 3 * geom.Millimetre    // lands of connectors at the edge are shorter
	cartridgeFinger = 5 * geom.Millimetre    // no connector's lands are as long, whatever paste the files put on
	widestKey       = 8                      // in pitches: that of M.2 takes the place of four contacts
)

// judge says how a row is known to be fingers, and how surely; 0 for not at all. Opposite are the rows
// of the other side.
func (f fingers) judge(opposite []fingers, edges *places.Edges) (how string, sure float64) {
	faces := func(o fingers) bool { return f.vertical == o.vertical && f.box.Grow(fingerReach).Overlaps(o.box) }
	const ends = "a row of long pads without paste ends at the edge of the board"
	switch {
	case f.hasKey(edges):
		return "a row of long pads with a key cut between them ends at the edge of the board", 0.85
	case (f.isOfCard() || f.isOfCartridge()) && slices.ContainsFunc(opposite, func(o fingers) bool {
		return faces(o) && (f.pasted || o.pasted) && (f.isOfCard() && o.isOfCard() || f.isOfCartridge() && o.isOfCartridge())
	}):
		return "rows of long pads end at the edge of the board on both sides", 0.6
	case f.pasted && f.isOfCard() && f.isOfCartridge():
		return "a row of many pads as long as those of a cartridge ends at the edge of the board", 0.6
	case f.pasted:
		return "", 0
	case f.alone && (f.first.Function == pcb.FuncConnectorPad || slices.ContainsFunc(opposite, func(o fingers) bool { return o.alone && faces(o) })):
		return ends, 0.85
	case f.alone || slices.ContainsFunc(opposite, func(o fingers) bool { return !o.pasted && faces(o) }):
		return ends, 0.6
	}
	return "", 0
}

// isOfCard reports whether the pads are as many and as long as those of a card.
func (f fingers) isOfCard() bool { return len(f.centres) >= longFingers && f.length >= cardFinger }

// isOfCartridge reports whether the pads are longer than the lands of any connector.
func (f fingers) isOfCartridge() bool { return f.length >= cartridgeFinger }

// hasKey reports whether the pads lie in one pitch, and the board is cut in between two of them.
func (f fingers) hasKey(edges *places.Edges) bool {
	along := func(p geom.Point) int64 {
		if f.vertical {
			return p.X
		}
		return p.Y
	}
	at := slices.Clone(f.centres)
	slices.SortFunc(at, func(a, b geom.Point) int { return cmp.Compare(along(a), along(b)) })
	pitch := int64(math.MaxInt64)
	for i := range at[1:] {
		pitch = min(pitch, along(at[i+1])-along(at[i]))
	}
	if pitch < 300*geom.Micrometre { // drawn twice, or finer than any card
		return false
	}
	keyed := false
	for i := range at[1:] {
		gap := along(at[i+1]) - along(at[i])
		steps := (gap + pitch/2) / pitch
		if off := gap - steps*pitch; steps > widestKey || max(off, -off) > pitch/10 {
			return false
		}
		keyed = keyed || steps > 1 && edges.Cross(at[i], at[i+1])
	}
	return keyed
}

// findRows finds the rows of long pads at the edge of a side.
func (r Rim) findRows(ctx context.Context, l *pcb.Layer, edges *places.Edges) []fingers {
	pasted := r.pastePlaces(l.Side)
	fewest := fewestFingers
	if len(pasted) == 0 {
		fewest = longFingers
	}
	drilled := places.Holes{}
	for i := range r.Board.Holes {
		drilled.Add(places.Hole{X: r.Board.Holes[i].A.X, Y: r.Board.Holes[i].A.Y}, 0, 0)
	}
	type row struct {
		aperture         int32      // of a flash
		size             geom.Point // of an area
		vertical, pasted bool
		at               int64
	}
	var found []fingers
	at := map[row]int{}
	for i := range l.Features {
		if ctx.Err() != nil { // a turned flash of a large macro is long to measure
			return nil
		}
		f := &l.Features[i]
		box, ok := boxOfPad(l, f)
		if !ok {
			continue
		}
		centre := box.Centre()
		if f.Kind == pcb.FlashFeature {
			centre = f.A
		}
		vertical, ok := isFinger(box, centre, edges)
		if !ok || drilled.Has(places.Hole{X: centre.X, Y: centre.Y}, 0, 0) {
			continue
		}
		k := row{f.Shape, geom.Point{}, vertical, pasted.SizeAt(centre) > 0, places.Round(centre).X}
		if f.Kind == pcb.RegionFeature {
			k.aperture, k.size = -1, geom.Pt(places.Round(geom.Pt(box.Width(), box.Height())).X, places.Round(geom.Pt(box.Width(), box.Height())).Y)
		}
		if vertical {
			k.at = places.Round(centre).Y
		}
		i, known := at[k]
		if !known {
			i = len(found)
			at[k], found = i, append(found, fingers{first: f, vertical: vertical, pasted: k.pasted, box: geom.EmptyBox()})
			found[i].length = max(box.Width(), box.Height())
		}
		found[i].centres = append(found[i].centres, centre)
		found[i].box = found[i].box.Add(centre)
	}
	found = slices.DeleteFunc(found, func(f fingers) bool { return len(f.centres) < fewestFingers })
	for i := range found {
		found[i].alone = !found[i].pasted && len(found[i].centres) >= fewest
	}
	return found
}

// boxOfPad is the box of what may be a pad: a flash that is no circle, or an area that fills its box
// as tools draw pads of shapes of their own.
func boxOfPad(l *pcb.Layer, f *pcb.Feature) (geom.Box, bool) {
	switch {
	case f.Clear:
	case f.Kind == pcb.FlashFeature:
		switch l.Apertures[f.Shape].Kind {
		case pcb.RectShape, pcb.ObroundShape, pcb.RoundRectShape, pcb.MacroShape:
			return l.FeatureBounds(f), true
		}
	case f.Kind == pcb.RegionFeature:
		const filled = 0.75
		box := l.FeatureBounds(f)
		if max(box.Width(), box.Height()) <= longestFinger {
			return box, l.Regions[f.Shape].Area() >= filled*float64(box.Width())*float64(box.Height())
		}
	}
	return geom.Box{}, false
}

// isFinger tells whether a pad is long, points at an edge of the board and ends near it, and whether
// it lies along the Y axis.
func isFinger(box geom.Box, centre geom.Point, edges *places.Edges) (vertical, ok bool) {
	w, h := box.Width(), box.Height()
	long, short := max(w, h), min(w, h)
	if short == 0 || float64(long) < 1.8*float64(short) || long < geom.Millimetre || long > longestFinger {
		return false, false
	}
	gap := fingerReach
	if long >= cardFinger {
		gap = cardReach
	}
	half, reach := geom.Pt(0, long/2), geom.Pt(0, long/2+gap)
	if w > h {
		half, reach = geom.Pt(long/2, 0), geom.Pt(long/2+gap, 0)
	}
	if !edges.ComeWithin(centre.Add(half), float64(gap)) && !edges.ComeWithin(centre.Sub(half), float64(gap)) {
		return false, false
	}
	return h > w, edges.Cross(centre, centre.Add(reach)) != edges.Cross(centre, centre.Sub(reach))
}

// pastePlaces maps the places of a side's paste openings.
func (r Rim) pastePlaces(side pcb.Side) places.PadSizes {
	out := places.PadSizes{}
	for _, l := range r.Board.Find(pcb.RolePaste, side) {
		for i := range l.Features {
			if f := &l.Features[i]; f.Kind == pcb.FlashFeature && !f.Clear {
				out[places.Round(f.A)] = 1
			} else if f.Kind == pcb.RegionFeature {
				out[places.Round(l.Regions[f.Shape].Bounds().Centre())] = 1
			}
		}
	}
	return out
}
