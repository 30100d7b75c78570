package dfm

import (
	"context"
	"fmt"
	"math"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/shape"
)

// exposed judges what openings show beside their pads: copper of another net, or
// too near to it; and openings that show copper but no pad.
func exposed(ctx context.Context, in *input) result {
	g := in.gauge(MaskToCopper, false).levels(Note, Note)
	var foreign, plain places
	var r result
	surfaces, err := in.surfaces()
	if err != nil {
		return unknown(ExposedCopper, err)
	}
	for _, s := range surfaces {
		if s.drawnPads() {
			r.unchecked = append(r.unchecked, fmt.Sprintf("%s: the files draw the pads of the %s side line by line, so they cannot be told from other copper",
				ExposedCopper.Words(), s.side))
			continue
		}
		for k := range s.parts {
			if k%64 == 0 && ctx.Err() != nil {
				break
			}
			if len(s.over[k]) == 0 {
				s.plain(int32(k), &plain)
			} else {
				s.beside(int32(k), g, &foreign, g.worth(in.reach(MaskToCopper, false)))
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
	var own, nets []int32
	vias := true
	for _, i := range s.over[k] {
		own = with(own, s.node[s.pads.features[i]])
		nets = with(nets, s.pads.feature(int(i)).Net)
		vias = vias && s.via(i)
	}
	if vias {
		return
	}
	best, nearest, found, bare := Place{}, 0, false, false
	for _, i := range s.parts[k] {
		opening, box := &s.openings.shapes[i], s.openings.boxes[i]
		s.layer.Index.Search(box.Grow(reach+1), func(n int) bool {
			item := &s.layer.Items[n]
			enough := float64(reach)
			if found { // what is farther away than the nearest so far says nothing
				enough = min(enough, float64(best.Value+1))
			}
			if slices.Contains(own, s.copper.Node(s.at, n)) || item.Net > 0 && slices.Contains(nets, item.Net) ||
				distant(box, item.Shape.Bounds(), enough) || item.Feature >= 0 && isPad(s.layer.DrawnAs(n)) {
				return true
			}
			d, at, to, ok := opening.Within(&item.Shape, enough)
			v := max(0, int64(math.Round(d)))
			if !ok || found && v >= best.Value && v > 0 {
				return true
			}
			p := Place{At: at, To: to, Value: v}
			if v == 0 {
				if q, ok := reaches(opening, &item.Shape); ok {
					p.At, p.To = q, q
					bare = true
				}
			}
			best, nearest, found = p, n, true
			return !bare
		})
		if bare {
			break
		}
	}
	if !found {
		return
	}
	pad := s.over[k][0]
	best.Layer = s.mask.Name
	best.Objects = [2]string{"opening of " + s.words(pad), "copper"}
	best.Nets = [2]string{s.net(pad), s.netName(s.layer.Items[nearest].Net)}
	if bare {
		foreign.at(best)
		return
	}
	best.Distance = true
	g.add(best)
}

// with adds a number to a set of few.
func with(set []int32, v int32) []int32 {
	if slices.Contains(set, v) {
		return set
	}
	return append(set, v)
}

// reaches tells whether copper lies clearly within an opening, not only at its rim:
// where, on a line a little inside of the rim.
func reaches(opening, item *shape.Shape) (geom.Point, bool) {
	const depth, step = 10_000, 40_000
	path := rimOf(opening)
	if path.Area() < 0 {
		path = path.Reverse()
	}
	for e := range path.Edges() {
		r := rim{Edge: e, inward: 1}
		n := 1 + int(e.Len()/step)
		for k := range n {
			p := r.at((float64(k) + 0.5) / float64(n))
			in := r.into(p)
			p = geom.Pt(p.X+int64(in.x*depth), p.Y+int64(in.y*depth))
			if opening.Contains(p) && item.Contains(p) {
				return p, true
			}
		}
	}
	return geom.Point{}, false
}

// rimOf is the outline of an opening.
func rimOf(s *shape.Shape) geom.Path {
	if s.IsArea() {
		return s.Polygon().Outer
	}
	e := s.Edge()
	return geom.Capsule(e.A, e.B, int64(s.Width()/2))
}
