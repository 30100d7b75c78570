package check

import (
	"context"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// Smallest measures the narrowest track, gap and ring of a board without judging
// them, and offers them to its facts. What is wider than a millimetre, or not
// there at all, stays unknown.
func Smallest(ctx context.Context, b *board.Board) error {
	const far = geom.Millimetre
	o := Options{
		Reach: map[Name]int64{TrackWidth: far, TrackSpacing: far / 2, PadSpacing: far / 2},
		Only:  []Name{TrackWidth, TrackSpacing, AnnularRing},
	}
	r, err := Run(ctx, b, o)
	if err != nil {
		return err
	}
	r.Offer(&b.Facts)
	return nil
}

// Offer gives the smallest track, gap and ring that were measured to a board's facts.
func (r *Report) Offer(f *board.Facts) {
	for _, m := range r.Measures {
		var fact *board.Fact[int64]
		switch m.Check {
		case TrackWidth:
			fact = &f.MinTrack
		case TrackSpacing, PadSpacing:
			fact = &f.MinGap
		case AnnularRing, ViaRing:
			fact = &f.MinRing
		default:
			continue
		}
		measured := board.State(m.Place.Value, board.Source{}, 0.9, "measured on the copper")
		if fact.Known && fact.How == measured.How && fact.Value <= m.Place.Value {
			continue
		}
		if fact.How == measured.How {
			*fact = measured
			continue
		}
		fact.Offer(measured)
	}
}
