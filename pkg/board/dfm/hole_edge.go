package dfm

import (
	"context"
	"fmt"

	"boardorder/pkg/board"
)

// holeEdges judges holes near the cut of the outline. Plated holes that the cut
// goes through near their middle are castellations and have limits of their own.
func holeEdges(_ context.Context, in *input) result {
	cut, scored, t := in.border(), in.scored(), in.drills()
	if cut.none() {
		return result{}
	}
	g, size := in.gauge(HoleToEdge, false), in.gauge(CastellationSize, false)
	var half, broken places
	reach := float64(in.reach(HoleToEdge, false))
	for i := range t.list {
		d := &t.list[i]
		if d.twice || d.Function == board.FuncCutOut || d.Kind == board.RoutedHole || !cut.near(d.box, int64(reach)) && !scored.near(d.box, int64(reach)) {
			continue
		}
		p := Place{At: d.A, To: d.B, Value: d.Diameter, Objects: [2]string{holeWords(d.Hole), "edge of the board"}, Nets: [2]string{in.netName(d.Net)}}
		if d.Plating == board.Plated && cut.cutsHole(d) {
			half.at(p)
			size.add(p)
			continue
		}
		v, at, to, ok := cut.within(&d.walls[0], reach)
		if w, p, q, near := scored.within(&d.walls[0], reach); near && (!ok || w < v) {
			v, at, to, ok = w, p, q, true
		}
		if !ok || !cut.inside(d.A) && v > 0 {
			continue
		}
		p.At, p.To, p.Value, p.Distance = at, to, length(v), true
		if v <= 0 && d.Plating != board.Plated {
			broken.at(p) // an opening in the edge: as good as milled
			continue
		}
		g.add(p)
	}
	r := g.result(func(j judged) string {
		return fmt.Sprintf("%s %s closer than %s to the edge of the board (the closest is %s away): the board may break out there.",
			plural(j.count, "hole"), be(j.count), mm(j.limit), mm(j.value))
	})
	r.add(size.result(func(j judged) string {
		return fmt.Sprintf("%s on the edge %s smaller than %s (the smallest is %s): half of so small a hole does not stay plated.",
			plural(j.count, "plated hole"), be(j.count), mm(j.limit), mm(j.value))
	}))
	r.add(found(Castellation, Note, func(n int) string {
		return fmt.Sprintf("%s on the edge of the board (castellations): they need a process of their own.", plural(n, "plated half hole"))
	}, &half))
	r.add(found(HoleToEdge, Note, func(n int) string {
		return fmt.Sprintf("%s %s cut by the edge of the board.", plural(n, "hole"), be(n))
	}, &broken))
	return r
}
