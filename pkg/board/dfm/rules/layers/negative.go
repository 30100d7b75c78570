package layers

import (
	"context"

	"boardorder/pkg/board"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
)

// Negative tells of planes given as negatives.
var Negative = rule.Rule{Judges: []dfm.Name{dfm.NegativePlane}, Run: negatives}

// negatives tells of planes given as negatives: read so, or likely to be meant so.
func negatives(_ context.Context, in *measure.Input) rule.Result {
	var read, meant []string
	for _, l := range in.Board.Copper() {
		switch {
		case l.Negative:
			read = append(read, measure.LayerWords(l))
		case l.Side == board.Inner && in.SeemsNegative(l):
			meant = append(meant, measure.LayerWords(l))
		}
	}
	var r rule.Result
	if n := len(read); n > 0 {
		r.Add(rule.OfLayers(dfm.NegativePlane, dfm.Note, n, read, "%s drawn as a negative: what the file draws is taken away from a full plane. It was read so.", words.List(read, "is", "are")))
	}
	if n := len(meant); n > 0 {
		r.Add(rule.OfLayers(dfm.NegativePlane, dfm.Warning, n, meant,
			"%s nothing but discs round the holes, larger than the pads outside: if this is a plane given as a negative, say so; as it is, these would be discs of copper.",
			words.List(meant, "holds", "hold")))
	}
	return r
}
