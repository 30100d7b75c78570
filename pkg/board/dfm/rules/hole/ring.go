package hole

import (
	"context"
	"fmt"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Ring judges the copper around holes.
var Ring = rule.Rule{Judges: []dfm.Name{dfm.AnnularRing, dfm.ViaRing, dfm.NPTHRing}, Run: rings}

// rings judges how much copper there is around holes. On a layer where a hole has
// no copper there is none to be measured: pads that nothing is connected to are
// left out of inner layers on purpose.
func rings(ctx context.Context, in *measure.Input) rule.Result {
	c, err := in.Copper()
	if err != nil {
		return rule.Unknown(dfm.AnnularRing, err)
	}
	t := in.Drills()
	const chunk = 64
	each := measure.Collect(ctx, (len(t.List)+chunk-1)/chunk, func(k int) []ring {
		var out []ring
		p := &annularRing{c: c}
		for i := k * chunk; i < min(len(t.List), (k+1)*chunk); i++ {
			out = appendRings(in, out, p, &t.List[i])
		}
		return out
	})
	var r rule.Result
	for _, inner := range [2]bool{false, true} {
		r.Add(judgeRings(in, each, inner))
	}
	r.Add(ringless(each))
	for _, inner := range [2]bool{false, true} {
		r.Add(reportChanceCuts(each, inner))
	}
	return r
}

// reportChanceCuts tells of holes that cut copper whose middle is elsewhere: no ring, but holes
// and copper that do not belong together. On inner layers holes pass copper that is none of
// theirs where their own pads were left out, or the order of the layers is another.
func reportChanceCuts(each [][]ring, inner bool) rule.Result {
	var at rule.Places
	seen := map[geom.Point]bool{}
	for _, rings := range each {
		for _, q := range rings {
			if q.chance && q.inner == inner && !seen[q.place.At] {
				seen[q.place.At] = true
				at.AddUnmeasured(q.place)
			}
		}
	}
	level, layers := dfm.MustFix, "outer"
	if inner {
		level, layers = dfm.Warning, "inner"
	}
	return rule.PlaceFinding(dfm.AnnularRing, level, func(n int) string {
		return fmt.Sprintf("%s %s into copper on %s layers that lies beside %s middle: holes and copper do not fit each other there; say which is right.",
			words.Plural(n, "plated hole"), words.Inflect(n, "cuts", "cut"), layers, words.Inflect(n, "its", "their"))
	}, &at)
}

// ringless says which plated holes have pads just as large as themselves: drawn so
// on purpose, and not possible to plate.
func ringless(each [][]ring) rule.Result {
	var at rule.Places
	seen := map[geom.Point]bool{}
	for _, rings := range each {
		for _, q := range rings {
			if q.none && !seen[q.place.At] {
				seen[q.place.At] = true
				at.AddUnmeasured(q.place)
			}
		}
	}
	return rule.PlaceFinding(dfm.AnnularRing, dfm.Warning, func(n int) string {
		return fmt.Sprintf("%s %s pads no larger than the hole: without a ring of copper they come out without plating.",
			words.Plural(n, "plated hole"), have(n))
	}, &at)
}

func have(n int) string {
	if n == 1 {
		return "has"
	}
	return "have"
}

// ringSlack is more than the usual tolerance: the hole and its pad come from two
// files, each of which rounds.
const ringSlack = dfm.Tolerance + 600

// A ring is the copper of one layer around a hole.
type ring struct {
	check  dfm.Name
	inner  bool
	none   bool // the pad is just as large as the hole
	chance bool // the copper lies beside the middle of the hole
	place  dfm.Place
}

// judgeRings says of each hole the worst of its rings on outer or inner layers.
func judgeRings(in *measure.Input, each [][]ring, inner bool) rule.Result {
	var r rule.Result
	for _, n := range [3]dfm.Name{dfm.AnnularRing, dfm.ViaRing, dfm.NPTHRing} {
		g := rule.MinimumCheck(in, n, inner)
		g.Slack = ringSlack
		worst := map[geom.Point]dfm.Place{}
		for _, rings := range each {
			for _, q := range rings {
				if q.check != n || q.inner != inner || q.none || q.chance {
					continue
				}
				if old, ok := worst[q.place.At]; !ok || q.place.Value < old.Value {
					worst[q.place.At] = q.place
				}
			}
		}
		for _, p := range worst {
			g.Add(p)
		}
		r.Add(g.Result(ringWords(n, inner)))
	}
	return r
}

func ringWords(n dfm.Name, inner bool) func(rule.Breach) string {
	what := map[dfm.Name]string{dfm.AnnularRing: "plated hole", dfm.ViaRing: "via", dfm.NPTHRing: "non-plated hole"}[n]
	layers := map[bool]string{false: "outer", true: "inner"}[inner]
	return func(j rule.Breach) string {
		verb := have(j.Count)
		s := fmt.Sprintf("%s %s a ring of copper narrower than %s on %s layers: the narrowest is %s.",
			words.Plural(j.Count, what), verb, words.MM(j.Limit), layers, words.MM(j.Value))
		if j.Value < 0 {
			s = fmt.Sprintf("%s %s a ring of copper narrower than %s on %s layers; one hole reaches %s beyond its pad.",
				words.Plural(j.Count, what), verb, words.MM(j.Limit), layers, words.MM(-j.Value))
		}
		if j.Hard {
			return s + " A drill that wanders cuts the connection."
		}
		return s
	}
}

// appendRings measures a hole on each layer that it passes, in the room of an annular ring.
func appendRings(in *measure.Input, out []ring, p *annularRing, d *measure.Drilled) []ring {
	if d.Kind == pcb.RoutedHole || d.Twice || in.Unmade()[d.At] || in.Border().CutsHole(d) {
		return out
	}
	c := p.c
	plated := d.Plating == pcb.Plated || c.Holes[d.At] >= 0
	name := dfm.NPTHRing
	switch {
	case plated && d.Lead() && !in.IsMasked(d):
		name = dfm.AnnularRing
	case plated:
		name = dfm.ViaRing
	}
	for k, l := range c.Layers {
		if !copper.Spans(d.Hole, l.Layer) || !plated && !l.Outer || !in.Judged()[k] {
			continue
		}
		if in.Reach(name, !l.Outer) == measure.Unasked {
			continue
		}
		limit := in.Limit(name, !l.Outer)
		p.l, p.layer, p.d, p.barrel, p.node = l, k, d, &d.Barrels[0], c.Holes[d.At]
		p.removed = p.node >= 0 && in.Away()[p.node]
		v, item, at, ok := p.measure(max(limit.Min, limit.Recommended))
		if !ok || v < 0 && !measure.IsPadItem(l, item) && l.Items[item].Shape.IsArea() {
			continue // no pad here, and the hole touches an area of its net
		}
		if l.Layer.Negative && v < float64(limit.Min) && p.isHeld(float64(limit.Min)) {
			continue // a plane's edge or a line that parts it, on one side of the hole
		}
		none := v <= float64(measure.NoRing) && p.flush(item)
		if d.Plating != pcb.Plated && (none || v <= float64(measure.NoRing)) {
			continue // copper no larger than a bare hole goes away with it
		}
		place := in.PlaceBeside(l, item, measure.HoleWords(d.Hole), d.A.Mid(d.B), at, v)
		place.Distance = false
		chance := !none && v < -float64(measure.NoRing) && !p.isIntended(item)
		out = append(out, ring{check: name, inner: !l.Outer, none: none, chance: chance, place: place})
	}
	return out
}
