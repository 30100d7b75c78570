package boardfacts

import (
	"context"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/places"
)

// stateFingers finds gold fingers: a row of equal long pads that end at the
// edge of the board, have no holes and get no solder paste. Those of one side may be a
// socket's, which is soldered where paste is put on otherwise; a card has them on both
// sides of one place, or says that they are a connector's.
func (s Reader) stateFingers(ctx context.Context) {
	b := s.Board
	if len(b.Outline.Areas) == 0 || b.Facts.GoldFingers.Known {
		return
	}
	edges := places.NewEdges(b.Outline, s.Meter)
	var opposite []fingers
	for _, l := range b.Copper() {
		if l.Side != pcb.Top && l.Side != pcb.Bottom {
			continue
		}
		rows := s.findRows(ctx, l, edges)
		for _, row := range rows {
			sure := 0.6
			if row.first.Function == pcb.FuncConnectorPad || slices.ContainsFunc(opposite, row.faces) {
				sure = 0.85
			}
			b.Facts.GoldFingers.Offer(pcb.State(true, pcb.Source{File: l.File, Line: int(row.first.Line)}, sure, "a row of long pads without paste ends at the edge of the board"))
		}
		opposite = rows
	}
}

// fingers are the pads of one row.
type fingers struct {
	first    *pcb.Feature
	vertical bool // the pads lie along the Y axis
	count    int
	box      geom.Box // of their centres
}

// faces reports whether a row lies behind another, on the other side of the board.
func (f fingers) faces(o fingers) bool {
	return f.vertical == o.vertical && f.box.Grow(fingerReach).Overlaps(o.box)
}

const (
	fewestFingers = 8
	longFingers   = 20                     // as many without a paste file to ask
	fingerReach   = 1500 * geom.Micrometre // from the end of the pad to the edge
	longestFinger = 15 * geom.Millimetre   // modules of old computers have 12.7 mm
)

// findRows finds the rows of fingers of a side.
func (s Reader) findRows(ctx context.Context, l *pcb.Layer, edges *places.Edges) []fingers {
	pasted := s.pastePlaces(l.Side)
	fewest := fewestFingers
	if len(pasted) == 0 {
		fewest = longFingers
	}
	drilled := places.Holes{}
	for i := range s.Board.Holes {
		drilled.Add(places.Hole{X: s.Board.Holes[i].A.X, Y: s.Board.Holes[i].A.Y}, 0, 0)
	}
	type row struct {
		shape    int32
		vertical bool
		at       int64
	}
	var found []fingers
	at := map[row]int{}
	for i := range l.Features {
		if ctx.Err() != nil { // a turned flash of a large macro is long to measure
			return nil
		}
		f := &l.Features[i]
		vertical, ok := isFinger(l, f, edges)
		if !ok || pasted.SizeAt(f.A) > 0 || drilled.Has(places.Hole{X: f.A.X, Y: f.A.Y}, 0, 0) {
			continue
		}
		k := row{f.Shape, vertical, places.Round(f.A).X}
		if vertical {
			k.at = places.Round(f.A).Y
		}
		i, known := at[k]
		if !known {
			i = len(found)
			at[k], found = i, append(found, fingers{first: f, vertical: vertical, box: geom.EmptyBox()})
		}
		found[i].count++
		found[i].box = found[i].box.Add(f.A)
	}
	return slices.DeleteFunc(found, func(r fingers) bool { return r.count < fewest })
}

// isFinger tells whether a flash is a long pad that points at an edge of the board
// and ends near it, and whether it lies along the Y axis.
func isFinger(l *pcb.Layer, f *pcb.Feature, edges *places.Edges) (vertical, ok bool) {
	if f.Kind != pcb.FlashFeature || f.Clear {
		return false, false
	}
	switch l.Apertures[f.Shape].Kind {
	case pcb.RectShape, pcb.ObroundShape, pcb.RoundRectShape, pcb.MacroShape:
	default:
		return false, false
	}
	box := l.FeatureBounds(f)
	w, h := box.Width(), box.Height()
	long, short := max(w, h), min(w, h)
	if short == 0 || float64(long) < 1.8*float64(short) || long < geom.Millimetre || long > longestFinger {
		return false, false
	}
	end := geom.Pt(0, long/2)
	if w > h {
		end = geom.Pt(long/2, 0)
	}
	return h > w, edges.ComeWithin(f.A.Add(end), float64(fingerReach)) != edges.ComeWithin(f.A.Sub(end), float64(fingerReach))
}

// pastePlaces maps the places of a side's paste openings.
func (s Reader) pastePlaces(side pcb.Side) places.PadSizes {
	out := places.PadSizes{}
	for _, l := range s.Board.Find(pcb.RolePaste, side) {
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
