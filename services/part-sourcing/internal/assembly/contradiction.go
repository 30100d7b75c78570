package assembly

import (
	"slices"

	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/mpn"
)

// Contradict reports whether two lists surely mean different parts by a line each: other
// numbers, or passive parts of another value or size. A list that says less says nothing
// else.
func Contradict(a, b *bom.Line) bool {
	for _, n := range pairNumbers(a, b) {
		if mpn.Key(n[0]) != "" && mpn.Key(n[1]) != "" {
			return mpn.Family(n[0]) != mpn.Family(n[1]) && !allows(a, n[1]) && !allows(b, n[0])
		}
	}
	x, known := passive.Parse(identity.Words(a))
	y, reported := passive.Parse(identity.Words(b))
	if known && reported {
		return x.Kind != y.Kind || x.Value != y.Value || x.Size != "" && y.Size != "" && x.Size != y.Size
	}
	return !a.Exact() && !b.Exact() && mpn.Looks(a.Value) && mpn.Looks(b.Value) && !mpn.Same(a.Value, b.Value)
}

func allows(l *bom.Line, number string) bool {
	return slices.ContainsFunc(l.Alternates, func(p bom.Part) bool { return mpn.Same(p.MPN, number) })
}
