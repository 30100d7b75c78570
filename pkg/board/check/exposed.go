package check

import (
	"context"
	"fmt"
	"math"

	"boardorder/pkg/board/geom"
)

// exposed judges what openings show beside their pads: copper of another net, or
// too near to it; and openings that show copper but no pad.
func exposed(ctx context.Context, in *input) result {
	g := in.gauge(MaskToCopper, false).levels(Note, Note)
	var foreign, plain places
	var r result
	for _, f := range in.faces() {
		if f.doubtful {
			continue
		}
		s, err := in.surface(f)
		if err != nil {
			return unknown(ExposedCopper, err)
		}
		if s.drawnPads() {
			r.unchecked = append(r.unchecked, fmt.Sprintf("%s: the files draw the pads of the %s side line by line, so they cannot be told from other copper",
				ExposedCopper.Words(), f.side))
			continue
		}
		for k := range f.parts {
			if k%64 == 0 && ctx.Err() != nil {
				break
			}
			if len(f.over[k]) == 0 {
				s.plain(int32(k), &plain)
			} else {
				s.beside(int32(k), g, &foreign, in.reach(MaskToCopper, false))
			}
		}
	}
	r.add(found(ExposedCopper, Warning, func(n int) string {
		return fmt.Sprintf("%s of pads in the solder mask also %s copper of another net: solder may join the two.", plural(n, "opening"), either(n, "shows", "show"))
	}, &foreign))
	r.add(found(ExposedCopper, Note, func(n int) string {
		return fmt.Sprintf("%s in the solder mask %s copper that is no pad. That is right for heat sinks, shields, antennas and contacts.", plural(n, "opening"), either(n, "shows", "show"))
	}, &plain))
	r.add(g.result(func(j judged) string {
		return fmt.Sprintf("%s of pads in the solder mask %s within %s of copper of another net (the fabricator wants %s): the mask may not cover it.",
			plural(j.count, "opening"), either(j.count, "comes", "come"), mm(j.value), mm(j.limit))
	}))
	return r
}

// drawnPads tells whether most openings show no pad: the copper is such that pads
// cannot be told.
func (f *face) drawnPads() bool {
	with := 0
	for _, o := range f.over {
		if len(o) > 0 {
			with++
		}
	}
	return 2*with < len(f.over)
}

// plain tells of an opening without pad that shows copper.
func (s *surface) plain(k int32, out *places) {
	for _, i := range s.parts[k] {
		hit := false
		s.layer.Near(&s.openings.shapes[i], 0, func(item int, d float64, at, _ geom.Point) bool {
			if !s.openings.dark(int(i), at) {
				return true
			}
			hit = true
			out.at(Place{Layer: s.mask.Name, At: at, To: at, Objects: [2]string{"mask opening", "copper"}, Nets: [2]string{s.netName(s.layer.Items[item].Net)}})
			return false
		})
		if hit {
			return
		}
	}
}

// beside measures from an opening to copper that is not joined to any of its pads.
// Other pads have openings of their own: see [bridges].
func (s *surface) beside(k int32, g *gauge, foreign *places, reach int64) {
	own, nets := map[int32]bool{}, map[int32]bool{}
	vias := true
	for _, i := range s.over[k] {
		own[s.node[s.pads.features[i]]] = true
		nets[s.pads.feature(int(i)).Net] = true
		vias = vias && s.via(i)
	}
	if vias {
		return
	}
	best, found := Place{}, false
	for _, i := range s.parts[k] {
		s.layer.Near(&s.openings.shapes[i], float64(reach), func(n int, d float64, at, to geom.Point) bool {
			item := &s.layer.Items[n]
			if own[s.copper.Node(s.at, n)] || item.Net > 0 && nets[item.Net] || item.Feature >= 0 && isPad(s.layer.DrawnAs(n)) {
				return true
			}
			v := max(0, int64(math.Round(d)))
			if found && v >= best.Value {
				return true
			}
			found = true
			best = Place{Layer: s.mask.Name, At: at, To: to, Value: v, Objects: [2]string{"opening of " + s.words(s.over[k][0]), "copper"},
				Nets: [2]string{s.net(s.over[k][0]), s.netName(item.Net)}}
			return true
		})
	}
	switch {
	case !found:
	case best.Value <= tolerance:
		foreign.at(best)
	default:
		best.Distance = true
		g.add(best)
	}
}
