package measure

import (
	"slices"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// findJudged tells which copper layers are what they seem: not one of those that
// are likely planes given as negatives without saying so. Gaps between what is
// really taken away would tell nothing.
func findJudged(in *Input) []bool {
	layers := in.Board.Copper()
	out := make([]bool, len(layers))
	for k, l := range layers {
		out[k] = l.Negative || !in.SeemsNegative(l) && !copper.Reliefs(l)
	}
	return out
}

// Outer is the copper layer of a side; nil where there is none.
func (in *Input) Outer(s pcb.Side) *pcb.Layer {
	for _, l := range in.Board.Copper() {
		if l.Side == s {
			return l
		}
	}
	return nil
}

// SeemsNegative reports whether an inner layer draws what is cut out of a plane: discs
// at holes only, larger than the pads that the same holes have on the outer layers,
// and no tracks or pours.
func (in *Input) SeemsNegative(l *pcb.Layer) bool {
	const least = 8
	discs, lines := map[geom.Point]int64{}, 0
	for i := range l.Features {
		f := &l.Features[i]
		switch {
		case f.Clear || f.Kind == pcb.RegionFeature || f.Net > 0:
			return false
		case f.Kind == pcb.FlashFeature:
			b := l.Apertures[f.Shape].Box
			discs[f.A] = min(b.Width(), b.Height())
		default:
			lines++
		}
	}
	if len(discs) < least || lines > len(discs) {
		return false
	}
	outer := in.Outer(pcb.Top)
	if outer == nil {
		return false
	}
	var ratios []float64
	holes := newHoleMap(in.Board, in.Meter)
	for i := range outer.Features {
		f := &outer.Features[i]
		d := discs[f.A]
		if f.Kind != pcb.FlashFeature || f.Clear || d == 0 || holes.holeAt(f.A) == nil {
			continue
		}
		if b := outer.Apertures[f.Shape].Box; b.Width() > 0 {
			ratios = append(ratios, float64(d)/float64(min(b.Width(), b.Height())))
		}
	}
	if len(ratios) < least || len(ratios)*10 < len(discs)*6 {
		return false
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2] >= 1.15
}

// LandsOnly reports whether a layer carries nothing but the lands of holes: nothing
// is connected on it.
func (in *Input) LandsOnly(l *pcb.Layer) bool {
	holes, lands := newHoleMap(in.Board, in.Meter), 0
	for i := range l.Features {
		f := &l.Features[i]
		switch {
		case f.Clear:
		case f.Kind == pcb.LineFeature, f.Kind == pcb.ArcFeature, f.Function == pcb.FuncPour:
			return false
		case holes.holeAt(f.A) == nil && !f.Function.Pad() && f.Function != pcb.FuncViaPad:
			return false
		default:
			lands++
		}
	}
	return lands > 0
}
