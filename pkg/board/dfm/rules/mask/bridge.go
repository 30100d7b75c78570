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

// Bridge judges the mask between openings.
var Bridge = rule.Rule{Judges: []dfm.Name{dfm.MaskBridge}, Run: bridges}

// bridges judges the mask that is left between openings: solder runs across where it
// is too narrow to hold. Between pads of one net that harms nothing electrically, but
// what comes loose lies elsewhere, and parts float.
func bridges(ctx context.Context, in *measure.Input) rule.Result {
	g := rule.MinimumCheck(in, dfm.MaskBridge, false).Levels(dfm.Warning, dfm.Note)
	same := rule.MinimumCheck(in, dfm.MaskBridge, false).Levels(dfm.Note, dfm.Note)
	var gangs rule.Places
	surfaces, err := in.MaskedSides()
	if err != nil {
		return rule.Unknown(dfm.MaskBridge, err)
	}
	for _, s := range surfaces {
		narrow(ctx, s, g, same, in.Reach(dfm.MaskBridge, false))
		gangReliefs(s, &gangs)
	}
	r := g.Result(func(j rule.Breach) string {
		return fmt.Sprintf("The solder mask between %s of different nets is narrower than %s (down to %s): it may not hold, and solder may bridge the pads.",
			words.Inflect(j.Count, "two pads", fmt.Sprint(j.Count, " pairs of pads")), words.MM(j.Limit), words.MM(j.Value))
	})
	one := same.Result(func(j rule.Breach) string {
		return fmt.Sprintf("The solder mask between %s of one net is narrower than %s (down to %s): it may not hold.",
			words.Inflect(j.Count, "two pads", fmt.Sprint(j.Count, " pairs of pads")), words.MM(j.Limit), words.MM(j.Value))
	})
	one.Measures = nil // verdicts are about pads that must not be joined
	r.Add(one)
	if g.Limit.Min > 0 {
		r.Add(rule.PlaceFinding(dfm.MaskBridge, dfm.Note, func(n int) string {
			return fmt.Sprintf("%s in the solder mask %s several pads of different nets without mask between them.", words.Plural(n, "opening"), words.Inflect(n, "shows", "show"))
		}, &gangs))
	}
	return r
}

// A web is the mask between two openings.
type web struct {
	seen   bool
	d      float64 // the narrowest
	at, to geom.Point
}

// narrow measures between openings, once for each pair of them. Openings that
// show no pad to be soldered, as those of vias and of drawings, are left out.
func narrow(ctx context.Context, s *measure.MaskedSide, g, same *rule.LimitCheck, reach int64) {
	shown, boxes := padOpenings(s)
	n := 0
	shape.NewIndex(boxes).SetMeter(pcb.MeterOf(ctx)).Pairs(reach, func(i, j int) {
		enough := float64(max(g.UsefulReach(reach), same.UsefulReach(reach)))
		if n++; n%1024 == 0 && ctx.Err() != nil || measure.Distant(boxes[i], boxes[j], enough) {
			return
		}
		a, b := shown[i], shown[j]
		to := g
		x, y, ok := findForeignPair(s, a, b)
		if !ok {
			if x, y, ok = twoPads(s, a, b); !ok {
				return
			}
			to = same
		}
		if len(s.Parts[a]) > len(s.Parts[b]) {
			a, b, i, j = b, a, j, i
		}
		w := webOf(s, a, b, boxes[j], enough)
		if w.seen {
			to.Add(dfm.Place{Layer: s.Mask.Name, At: w.at, To: w.to, Value: int64(math.Round(w.d)), Distance: true,
				Objects: [2]string{s.Words(x), s.Words(y)}, Nets: [2]string{s.Net(x), s.Net(y)}})
		}
	})
}

// webOf finds the narrowest mask between openings a and b, whose box is given.
func webOf(s *measure.MaskedSide, a, b int32, box geom.Box, enough float64) web {
	w := web{}
	for _, i := range s.Parts[a] {
		if measure.Distant(s.Openings.Boxes[i], box, enough) {
			continue
		}
		s.Openings.Index.Search(s.Openings.Boxes[i].Grow(int64(enough)+1), func(j int) bool {
			if s.Opening[j] != b || w.seen && w.d < 0.5 {
				return true
			}
			if w.seen {
				enough = min(enough, math.Round(w.d)+1)
			}
			w.measure(s.Openings, min(int(i), j), max(int(i), j), enough)
			return true
		})
	}
	return w
}

// measure takes the distance of two shapes where it is less than what is known; of
// equal ones that which comes first.
func (w *web) measure(s *measure.DrawnLayer, i, j int, enough float64) {
	if measure.Distant(s.Boxes[i], s.Boxes[j], enough) {
		return
	}
	d, p, q, ok := s.Shapes[i].DistWithin(&s.Shapes[j], enough)
	v, known := math.Round(d), math.Round(w.d)
	if ok && (!w.seen || v < known || v == known && measure.Precedes(p, w.at)) {
		*w = web{true, d, p, q}
	}
}

// padOpenings gives the openings that show a pad to be soldered, and their boxes.
func padOpenings(s *measure.MaskedSide) (openings []int32, boxes []geom.Box) {
	for k, parts := range s.Parts {
		if len(s.Nets[k]) == 0 {
			continue
		}
		box := geom.EmptyBox()
		for _, i := range parts {
			box = box.Union(s.Openings.Boxes[i])
		}
		openings, boxes = append(openings, int32(k)), append(boxes, box)
	}
	return openings, boxes
}

// findForeignPair finds a pad of each of two openings that are of different nets.
func findForeignPair(s *measure.MaskedSide, a, b int32) (int32, int32, bool) {
	for _, i := range s.Nets[a] {
		for _, j := range s.Nets[b] {
			if s.Differ(i, j) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// twoPads gives a pad of each of two openings over pads of one net; not ok where both
// show the same pad.
func twoPads(s *measure.MaskedSide, a, b int32) (int32, int32, bool) {
	for _, i := range s.Over[a] {
		if slices.Contains(s.Over[b], i) {
			return 0, 0, false
		}
	}
	return s.Nets[a][0], s.Nets[b][0], true
}

// gangReliefs finds openings that show several pads at once.
func gangReliefs(s *measure.MaskedSide, out *rule.Places) {
	for _, n := range s.Nets {
		if len(n) == 2 {
			out.AddUnmeasured(dfm.Place{Layer: s.Mask.Name, At: s.Pads.Feature(int(n[0])).A, To: s.Pads.Feature(int(n[1])).A,
				Objects: [2]string{s.Words(n[0]), s.Words(n[1])}, Nets: [2]string{s.Net(n[0]), s.Net(n[1])}})
		}
	}
}
