package dfm

import (
	"context"
	"fmt"

	"boardorder/pkg/board"
	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
)

// rings judges how much copper there is around holes. On a layer where a hole has
// no copper there is none to be measured: pads that nothing is connected to are
// left out of inner layers on purpose.
func rings(ctx context.Context, in *input) result {
	c, err := in.copper()
	if err != nil {
		return unknown(AnnularRing, err)
	}
	t := in.drills()
	const chunk = 64
	each := sharing(ctx, (len(t.list)+chunk-1)/chunk, func(k int) []ring {
		var out []ring
		p := &collar{c: c}
		for i := k * chunk; i < min(len(t.list), (k+1)*chunk); i++ {
			out = in.appendRings(out, p, &t.list[i])
		}
		return out
	})
	var r result
	for _, inner := range [2]bool{false, true} {
		r.add(in.judgeRings(each, inner))
	}
	r.add(ringless(each))
	return r
}

// ringless says which plated holes have pads just as large as themselves: drawn so
// on purpose, and not possible to plate.
func ringless(each [][]ring) result {
	var at places
	seen := map[geom.Point]bool{}
	for _, rings := range each {
		for _, q := range rings {
			if q.none && !seen[q.place.At] {
				seen[q.place.At] = true
				at.at(q.place)
			}
		}
	}
	return found(AnnularRing, Warning, func(n int) string {
		return fmt.Sprintf("%s %s pads no larger than the hole: without a ring of copper they come out without plating.",
			plural(n, "plated hole"), have(n))
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
const ringSlack = tolerance + 600

// A ring is the copper of one layer around a hole.
type ring struct {
	check Name
	inner bool
	none  bool // the pad is just as large as the hole
	place Place
}

// judgeRings says of each hole the worst of its rings on outer or inner layers.
func (in *input) judgeRings(each [][]ring, inner bool) result {
	var r result
	for _, n := range [3]Name{AnnularRing, ViaRing, NPTHRing} {
		g := in.gauge(n, inner)
		g.slack = ringSlack
		worst := map[geom.Point]Place{}
		for _, rings := range each {
			for _, q := range rings {
				if q.check != n || q.inner != inner || q.none {
					continue
				}
				if old, ok := worst[q.place.At]; !ok || q.place.Value < old.Value {
					worst[q.place.At] = q.place
				}
			}
		}
		for _, p := range worst {
			g.add(p)
		}
		r.add(g.result(ringWords(n, inner)))
	}
	return r
}

func ringWords(n Name, inner bool) func(judged) string {
	what := map[Name]string{AnnularRing: "plated hole", ViaRing: "via", NPTHRing: "non-plated hole"}[n]
	layers := map[bool]string{false: "outer", true: "inner"}[inner]
	return func(j judged) string {
		verb := have(j.count)
		s := fmt.Sprintf("%s %s a ring of copper narrower than %s on %s layers: the narrowest is %s.",
			plural(j.count, what), verb, mm(j.limit), layers, mm(j.value))
		if j.value < 0 {
			s = fmt.Sprintf("%s %s a ring of copper narrower than %s on %s layers; one hole reaches %s beyond its pad.",
				plural(j.count, what), verb, mm(j.limit), layers, mm(-j.value))
		}
		if j.hard {
			return s + " A drill that wanders cuts the connection."
		}
		return s
	}
}

// appendRings measures a hole on each layer that it passes, in the room of a collar.
func (in *input) appendRings(out []ring, p *collar, d *drilled) []ring {
	if d.Kind == board.RoutedHole || d.twice || in.border().cutsHole(d) {
		return out
	}
	c := p.c
	plated := d.Plating == board.Plated || c.Holes[d.i] >= 0
	name := NPTHRing
	switch {
	case plated && d.lead():
		name = AnnularRing
	case plated:
		name = ViaRing
	}
	for k, l := range c.Layers {
		if !copper.Spans(d.Hole, l.Layer) || !plated && !l.Outer || !in.judged()[k] {
			continue
		}
		if in.reach(name, !l.Outer) == unasked {
			continue
		}
		limit := in.limit(name, !l.Outer)
		p.l, p.layer, p.d, p.wall, p.node = l, k, d, &d.walls[0], c.Holes[d.i]
		v, item, at, ok := p.measure(max(limit.Min, limit.Recommended))
		if !ok || v < 0 && !isPadItem(l, item) && l.Items[item].Shape.IsArea() {
			continue // no pad here, and the hole touches an area of its net
		}
		none := v <= noRing && p.flush(item)
		if d.Plating != board.Plated && (none || v <= noRing) {
			continue // copper no larger than a bare hole goes away with it
		}
		place := in.beside(l, item, holeWords(d.Hole), d.A.Mid(d.B), at, v)
		place.Distance = false
		out = append(out, ring{name, !l.Outer, none, place})
	}
	return out
}
