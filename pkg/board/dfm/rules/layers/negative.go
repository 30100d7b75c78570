package layers

import (
	"context"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/pcb"
)

// Negative tells of planes given as negatives.
var Negative = rule.Rule{Judges: []dfm.Name{dfm.NegativePlane}, Run: negatives}

// called are layers: what they are called, and how a sentence says that.
type called struct{ names, words []string }

func (c *called) add(l *pcb.Layer) {
	c.names, c.words = append(c.names, l.Name), append(c.words, measure.LayerWords(l))
}

// negatives tells of planes given as negatives: read so, or likely to be meant so.
func negatives(_ context.Context, in *measure.Input) rule.Result {
	var read, meant called
	for _, l := range in.Board.Copper() {
		switch {
		case l.Negative:
			read.add(l)
		case l.Side == pcb.Inner && in.SeemsNegative(l):
			meant.add(l)
		}
	}
	var r rule.Result
	if n := len(read.names); n > 0 {
		r.Add(rule.LayerFinding(dfm.NegativePlane, dfm.Note, n, read.names, "%s drawn as a negative: what the file draws is taken away from a full plane. It was read so.", words.List(read.words, "is", "are")))
	}
	if n := len(meant.names); n > 0 {
		r.Add(rule.LayerFinding(dfm.NegativePlane, dfm.Warning, n, meant.names,
			"%s nothing but discs round the holes, larger than the pads outside: if this is a plane given as a negative, say so; as it is, these would be discs of copper.",
			words.List(meant.words, "holds", "hold")))
	}
	return r
}
