package hole

import (
	"context"
	"fmt"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/pcb"
)

// ToEdge judges holes near the outline, and castellations.
var ToEdge = rule.Rule{Judges: []dfm.Name{dfm.HoleToEdge, dfm.Castellation, dfm.CastellationSize}, Run: judgeEdges}

// judgeEdges judges holes near the cut of the outline. Plated holes that the cut
// goes through near their middle are castellations and have limits of their own.
func judgeEdges(_ context.Context, in *measure.Input) rule.Result {
	cut, scored, t := in.Border(), in.Scored(), in.Drills()
	if cut.IsEmpty() {
		return rule.Result{}
	}
	g, size := rule.MinimumCheck(in, dfm.HoleToEdge, false), rule.MinimumCheck(in, dfm.CastellationSize, false)
	var half, broken rule.Places
	reach := float64(in.Reach(dfm.HoleToEdge, false))
	unmade, breaks := in.Unmade(), in.Breaks()
	for i := range t.List {
		d := &t.List[i]
		if d.Twice || unmade[d.At] || breaks[d.At] || d.Function == pcb.FuncCutOut || d.Kind == pcb.RoutedHole || !cut.IsNear(d.Box, int64(reach)) && !scored.IsNear(d.Box, int64(reach)) {
			continue
		}
		p := dfm.Place{At: d.A, To: d.B, Value: d.Diameter, Objects: [2]string{measure.HoleWords(d.Hole), "edge of the board"}, Nets: [2]string{in.NetName(d.Net)}}
		if d.Plating == pcb.Plated && cut.CutsHole(d) {
			half.AddUnmeasured(p)
			size.Add(p)
			continue
		}
		v, at, to, ok := cut.Distance(&d.Barrels[0], reach)
		if w, p, q, near := scored.Distance(&d.Barrels[0], reach); near && (!ok || w < v) {
			v, at, to, ok = w, p, q, true
		}
		if !ok || !cut.Contains(d.A) && v > 0 {
			continue
		}
		p.At, p.To, p.Value, p.Distance = at, to, measure.Length(v), true
		if v <= 0 && d.Plating != pcb.Plated {
			broken.AddUnmeasured(p) // an opening in the edge: as good as milled
			continue
		}
		g.Add(p)
	}
	r := g.Result(func(j rule.Breach) string {
		return fmt.Sprintf("%s %s closer than %s to the edge of the board (the closest is %s away): the board may break out there.",
			words.Plural(j.Count, "hole"), words.Be(j.Count), words.MM(j.Limit), words.MM(j.Value))
	})
	r.Add(size.Result(func(j rule.Breach) string {
		return fmt.Sprintf("%s on the edge %s smaller than %s (the smallest is %s): half of so small a hole does not stay plated.",
			words.Plural(j.Count, "plated hole"), words.Be(j.Count), words.MM(j.Limit), words.MM(j.Value))
	}))
	r.Add(rule.PlaceFinding(dfm.Castellation, dfm.Note, func(n int) string {
		return fmt.Sprintf("%s on the edge of the board (castellations): they need a process of their own.", words.Plural(n, "plated half hole"))
	}, &half))
	r.Add(rule.PlaceFinding(dfm.HoleToEdge, dfm.Note, func(n int) string {
		return fmt.Sprintf("%s %s cut by the edge of the board.", words.Plural(n, "hole"), words.Be(n))
	}, &broken))
	return r
}
