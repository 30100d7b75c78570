package merge

import (
	"fmt"
	"path"
	"strconv"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/places"
	"boardorder/pkg/board/upload/stackup"
)

// findDifferences tells where a project and its Gerbers' own files state different builds,
// with both values and both files. The better known of the two counts, as Offer decides.
func findDifferences(g, p *pcb.Facts) []pcb.Finding {
	var out []pcb.Finding
	add := func(f *pcb.Finding) {
		if f != nil {
			out = append(out, *f)
		}
	}
	add(differenceOf("thickness", g.Thickness, p.Thickness, func(a, b int64) bool { return places.IsNear(a, b, 50*geom.Micrometre) },
		func(v int64) string { return findings.Millimetres(v) + " mm" }))
	ounces := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) + " oz" }
	add(differenceOf("outer copper", g.OuterCopper, p.OuterCopper, stackup.SameFinished, ounces))
	add(differenceOf("inner copper", g.InnerCopper, p.InnerCopper, stackup.SameWeight, ounces))
	words := func(v string) string { return strconv.Quote(v) }
	add(differenceOf("surface finish", g.Finish, p.Finish, stackup.SameWords, words))
	add(differenceOf("solder mask", g.MaskColour, p.MaskColour, stackup.SameWords, words))
	add(differenceOf("material", g.Material, p.Material, stackup.SameWords, words))
	add(differenceOf("what lies between the copper layers", g.Dielectrics, p.Dielectrics, func(a, b string) bool { return a == b }, func(v string) string { return v }))
	return out
}

// differenceOf is a finding where both state a value, and not the same.
func differenceOf[T any](what string, a, b pcb.Fact[T], same func(a, b T) bool, words func(T) string) *pcb.Finding {
	if !a.IsStated() || !b.IsStated() || a.Source.File == b.Source.File || same(a.Value, b.Value) {
		return nil
	}
	counts := a
	counts.Offer(b)
	return &pcb.Finding{
		Code: "sources_differ", Level: pcb.Warning, File: counts.Source.File, Line: counts.Source.Line,
		Message: fmt.Sprintf("%s: %s says %s, %s says %s; %s counts", what, path.Base(a.Source.File), words(a.Value), path.Base(b.Source.File), words(b.Value), path.Base(counts.Source.File)),
	}
}
