package mask

import (
	"context"
	"fmt"
	"math"
	"slices"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// Exposed judges openings over copper that is no pad.
var Exposed = rule.Rule{Judges: []dfm.Name{dfm.ExposedCopper, dfm.MaskToCopper}, Run: judgeExposed}

// judgeExposed judges what openings show beside their pads: copper of another net, or
// too near to it; and openings that show copper but no pad.
func judgeExposed(ctx context.Context, in *measure.Input) rule.Result {
	g := rule.MinimumCheck(in, dfm.MaskToCopper, false).Levels(dfm.Note, dfm.Note)
	var foreign, plain rule.Places
	var r rule.Result
	surfaces, err := in.MaskedSides()
	if err != nil {
		return rule.Unknown(dfm.ExposedCopper, err)
	}
	for _, s := range surfaces {
		if opensAll(in, s.Side) {
			r.Add(rule.LayerFinding(dfm.ExposedCopper, dfm.MustFix, 1, []string{s.Mask.Name},
				"The solder mask of the %s side, %s, opens the whole board with its tracks: it would have no mask there. The file may be inverted: send it with its openings, or leave it out if no mask is wanted.", s.Face, measure.LayerWords(s.Mask)))
			continue
		}
		if lacksPads(s.Side) {
			r.Unchecked = append(r.Unchecked, fmt.Sprintf("%s: the files draw the pads of the %s side line by line, so they cannot be told from other copper",
				dfm.ExposedCopper.Words(), s.Face))
			continue
		}
		for k := range s.Parts {
			if k%64 == 0 && ctx.Err() != nil {
				break
			}
			if len(s.Over[k]) == 0 {
				plainOpening(s, int32(k), &plain)
			} else {
				measureBeside(s, int32(k), g, &foreign, g.UsefulReach(in.Reach(dfm.MaskToCopper, false)))
			}
		}
	}
	r.Add(rule.PlaceFinding(dfm.ExposedCopper, dfm.Warning, func(n int) string {
		return fmt.Sprintf("%s of pads in the solder mask also %s copper of another net: solder may join the two.", words.Plural(n, "opening"), words.Inflect(n, "shows", "show"))
	}, &foreign))
	r.Add(rule.PlaceFinding(dfm.ExposedCopper, dfm.Note, func(n int) string {
		return fmt.Sprintf("%s in the solder mask %s copper that is no pad. That is right for heat sinks, shields, antennas and contacts.", words.Plural(n, "opening"), words.Inflect(n, "shows", "show"))
	}, &plain))
	r.Add(g.Result(func(j rule.Breach) string {
		return fmt.Sprintf("%s of pads in the solder mask %s within %s of copper of another net (the fabricator wants %s): the mask may not cover it.",
			words.Plural(j.Count, "opening"), words.Inflect(j.Count, "comes", "come"), words.MM(j.Value), words.MM(j.Limit))
	}))
	return r
}

// opensAll reports whether a mask opens nearly all of the board, over more than a few tracks.
func opensAll(in *measure.Input, s *measure.Side) bool {
	const (
		steps  = 12 // of a grid over the board, each way
		tracks = 10
	)
	n := 0
	for i := range s.Copper.Features {
		if f := &s.Copper.Features[i]; f.Kind == pcb.LineFeature && f.A != f.B && !f.Clear {
			n++
		}
	}
	box := in.Board.Outline.Bounds()
	if n < tracks || box.Empty() || !in.Board.Outline.Closed {
		return false
	}
	within := 0
	for _, a := range in.Board.Outline.Areas {
		for k := range steps * steps {
			p := geom.Pt(box.Min.X+box.Width()*int64(2*(k%steps)+1)/(2*steps), box.Min.Y+box.Height()*int64(2*(k/steps)+1)/(2*steps))
			if !a.Contains(p) {
				continue
			}
			within++
			open := false
			s.Openings.Index.Search(geom.BoxOf(p), func(i int) bool {
				open = s.Openings.Shapes[i].Contains(p) && s.Openings.Dark(i, p)
				return !open
			})
			if !open {
				return false
			}
		}
	}
	return within >= steps
}

// lacksPads reports whether most openings show no pad: the copper is such that pads
// cannot be told.
func lacksPads(f *measure.Side) bool {
	with := 0
	for _, o := range f.Over {
		if len(o) > 0 {
			with++
		}
	}
	return 2*with < len(f.Over)
}

// plainOpening tells of an opening without pad that shows copper.
func plainOpening(s *measure.MaskedSide, k int32, out *rule.Places) {
	for _, i := range s.Parts[k] {
		hit := false
		s.Layer.VisitNear(&s.Openings.Shapes[i], 0, func(item int, d float64, at, _ geom.Point) bool {
			if !s.Openings.Dark(int(i), at) {
				return true
			}
			hit = true
			out.AddUnmeasured(dfm.Place{Layer: s.Mask.Name, At: at, To: at, Objects: [2]string{"mask opening", "copper"}, Nets: [2]string{s.NetName(s.Layer.Items[item].Net)}})
			return false
		})
		if hit {
			return
		}
	}
}

// measureBeside measures from an opening to copper that is not joined to any of its pads.
// Other pads have openings of their own: see [Bridge].
func measureBeside(s *measure.MaskedSide, k int32, g *rule.LimitCheck, foreign *rule.Places, reach int64) {
	var own, nets []int32
	vias := true
	for _, i := range s.Over[k] {
		own = addToSet(own, s.Node[s.Pads.Features[i]])
		nets = addToSet(nets, s.Pads.Feature(int(i)).Net)
		vias = vias && s.IsVia(i)
	}
	if vias {
		return
	}
	best, nearest, found, bare := dfm.Place{}, 0, false, false
	for _, i := range s.Parts[k] {
		opening, box := &s.Openings.Shapes[i], s.Openings.Boxes[i]
		s.Layer.Index.Search(box.Grow(reach+1), func(n int) bool {
			item := &s.Layer.Items[n]
			enough := float64(reach)
			if found { // what is farther away than the nearest so far says nothing
				enough = min(enough, float64(best.Value+1))
			}
			if slices.Contains(own, s.Copper.Node(s.At, n)) || item.Net > 0 && slices.Contains(nets, item.Net) ||
				measure.Distant(box, item.Shape.Bounds(), enough) || item.Feature >= 0 && measure.IsPad(s.Layer.FeatureOf(n)) {
				return true
			}
			d, at, to, ok := opening.DistWithin(&item.Shape, enough)
			v := max(0, int64(math.Round(d)))
			if !ok || found && v >= best.Value && v > 0 {
				return true
			}
			p := dfm.Place{At: at, To: to, Value: v}
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
	pad := s.Over[k][0]
	best.Layer = s.Mask.Name
	best.Objects = [2]string{"opening of " + s.Words(pad), "copper"}
	best.Nets = [2]string{s.Net(pad), s.NetName(s.Layer.Items[nearest].Net)}
	if bare {
		foreign.AddUnmeasured(best)
		return
	}
	best.Distance = true
	g.Add(best)
}

// addToSet adds a number to a set of few.
func addToSet(set []int32, v int32) []int32 {
	if slices.Contains(set, v) {
		return set
	}
	return append(set, v)
}

// reaches reports whether copper lies clearly within an opening, not only at its rim:
// where, on a line a little inside of the rim.
func reaches(opening, item *shape.Shape) (geom.Point, bool) {
	const depth, step = 10_000, 40_000
	path := rimOf(opening)
	if path.Area() < 0 {
		path = path.Reverse()
	}
	for e := range path.Edges() {
		r := measure.Rim{Edge: e, Inward: 1}
		n := 1 + int(e.Len()/step)
		for k := range n {
			p := r.PointAt((float64(k) + 0.5) / float64(n))
			in := r.InnerNormal(p)
			p = geom.Pt(p.X+int64(in.X*depth), p.Y+int64(in.Y*depth))
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
