package dfm

import (
	"context"
	"slices"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// negatives tells of planes given as negatives: read so, or likely to be meant so.
func negatives(_ context.Context, in *input) result {
	var read, meant []string
	for _, l := range in.board.Copper() {
		switch {
		case l.Negative:
			read = append(read, layerWords(l))
		case l.Side == board.Inner && in.seemsNegative(l):
			meant = append(meant, layerWords(l))
		}
	}
	var r result
	if n := len(read); n > 0 {
		r.add(say(NegativePlane, Note, n, read, "%s drawn as a negative: what the file draws is taken away from a full plane. It was read so.", list(read, "is", "are")))
	}
	if n := len(meant); n > 0 {
		r.add(say(NegativePlane, Warning, n, meant,
			"%s nothing but discs round the holes, larger than the pads outside: if this is a plane given as a negative, say so; as it is, these would be discs of copper.",
			list(meant, "holds", "hold")))
	}
	return r
}

// list joins names and gives the verb that fits.
func list(names []string, one, many string) string {
	if len(names) == 1 {
		return names[0] + " " + one
	}
	s := ""
	for i, n := range names {
		switch {
		case i == len(names)-1:
			s += " and "
		case i > 0:
			s += ", "
		}
		s += n
	}
	return s + " " + many
}

// seemsNegative tells whether an inner layer draws what is cut out of a plane: discs
// at holes only, larger than the pads that the same holes have on the outer layers,
// and no tracks or pours.
func (in *input) seemsNegative(l *board.Layer) bool {
	const least = 8
	discs, lines := map[geom.Point]int64{}, 0
	for i := range l.Features {
		f := &l.Features[i]
		switch {
		case f.Clear || f.Kind == board.RegionFeature || f.Net > 0:
			return false
		case f.Kind == board.FlashFeature:
			b := l.Apertures[f.Shape].Box
			discs[f.A] = min(b.Width(), b.Height())
		default:
			lines++
		}
	}
	if len(discs) < least || lines > len(discs) {
		return false
	}
	outer := in.outer(board.Top)
	if outer == nil {
		return false
	}
	var ratios []float64
	holes := newHoleMap(in.board, in.meter)
	for i := range outer.Features {
		f := &outer.Features[i]
		d := discs[f.A]
		if f.Kind != board.FlashFeature || f.Clear || d == 0 || holes.at(f.A) == nil {
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
