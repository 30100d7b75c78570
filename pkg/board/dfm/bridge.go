package dfm

import (
	"context"
	"fmt"
	"math"
	"slices"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/shape"
)

// bridges judges the mask that is left between openings: solder runs across where it
// is too narrow to hold. Between pads of one net that harms nothing electrically, but
// what comes loose lies elsewhere, and parts float.
func bridges(ctx context.Context, in *input) result {
	g := in.gauge(MaskBridge, false).levels(Warning, Note)
	same := in.gauge(MaskBridge, false).levels(Note, Note)
	var gangs places
	surfaces, err := in.surfaces()
	if err != nil {
		return unknown(MaskBridge, err)
	}
	for _, s := range surfaces {
		s.narrow(ctx, g, same, in.reach(MaskBridge, false))
		s.gangs(&gangs)
	}
	r := g.result(func(j judged) string {
		return fmt.Sprintf("The solder mask between %s of different nets is narrower than %s (down to %s): it may not hold, and solder may bridge the pads.",
			either(j.count, "two pads", fmt.Sprint(j.count, " pairs of pads")), mm(j.limit), mm(j.value))
	})
	one := same.result(func(j judged) string {
		return fmt.Sprintf("The solder mask between %s of one net is narrower than %s (down to %s): it may not hold.",
			either(j.count, "two pads", fmt.Sprint(j.count, " pairs of pads")), mm(j.limit), mm(j.value))
	})
	one.measures = nil // verdicts are about pads that must not be joined
	r.add(one)
	if g.limit.Min > 0 {
		r.add(found(MaskBridge, Note, func(n int) string {
			return fmt.Sprintf("%s in the solder mask %s several pads of different nets without mask between them.", plural(n, "opening"), either(n, "shows", "show"))
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
func (s *surface) narrow(ctx context.Context, g, same *gauge, reach int64) {
	shown, boxes := s.shown()
	n := 0
	shape.NewIndex(boxes).Metered(board.MeterOf(ctx)).Pairs(reach, func(i, j int) {
		enough := float64(max(g.worth(reach), same.worth(reach)))
		if n++; n%1024 == 0 && ctx.Err() != nil || distant(boxes[i], boxes[j], enough) {
			return
		}
		a, b := shown[i], shown[j]
		to := g
		x, y, ok := s.apart(a, b)
		if !ok {
			if x, y, ok = s.twoPads(a, b); !ok {
				return
			}
			to = same
		}
		if len(s.parts[a]) > len(s.parts[b]) {
			a, b, i, j = b, a, j, i
		}
		w := s.web(a, b, boxes[j], enough)
		if w.seen {
			to.add(Place{Layer: s.mask.Name, At: w.at, To: w.to, Value: int64(math.Round(w.d)), Distance: true,
				Objects: [2]string{s.words(x), s.words(y)}, Nets: [2]string{s.net(x), s.net(y)}})
		}
	})
}

// web finds the narrowest mask between openings a and b, whose box is given.
func (s *surface) web(a, b int32, box geom.Box, enough float64) web {
	w := web{}
	for _, i := range s.parts[a] {
		if distant(s.openings.boxes[i], box, enough) {
			continue
		}
		s.openings.index.Search(s.openings.boxes[i].Grow(int64(enough)+1), func(j int) bool {
			if s.opening[j] != b || w.seen && w.d < 0.5 {
				return true
			}
			if w.seen {
				enough = min(enough, math.Round(w.d)+1)
			}
			w.measure(s.openings, min(int(i), j), max(int(i), j), enough)
			return true
		})
	}
	return w
}

// measure takes the distance of two shapes where it is less than what is known; of
// equal ones that which comes first.
func (w *web) measure(s *sheet, i, j int, enough float64) {
	if distant(s.boxes[i], s.boxes[j], enough) {
		return
	}
	d, p, q, ok := s.shapes[i].Within(&s.shapes[j], enough)
	v, known := math.Round(d), math.Round(w.d)
	if ok && (!w.seen || v < known || v == known && before(p, w.at)) {
		*w = web{true, d, p, q}
	}
}

// shown gives the openings that show a pad to be soldered, and their boxes.
func (s *surface) shown() (openings []int32, boxes []geom.Box) {
	for k, parts := range s.parts {
		if len(s.nets[k]) == 0 {
			continue
		}
		box := geom.EmptyBox()
		for _, i := range parts {
			box = box.Union(s.openings.boxes[i])
		}
		openings, boxes = append(openings, int32(k)), append(boxes, box)
	}
	return openings, boxes
}

// apart finds a pad of each of two openings that are of different nets.
func (s *surface) apart(a, b int32) (int32, int32, bool) {
	for _, i := range s.nets[a] {
		for _, j := range s.nets[b] {
			if s.differ(i, j) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// twoPads gives a pad of each of two openings over pads of one net; not ok where both
// show the same pad.
func (s *surface) twoPads(a, b int32) (int32, int32, bool) {
	for _, i := range s.over[a] {
		if slices.Contains(s.over[b], i) {
			return 0, 0, false
		}
	}
	return s.nets[a][0], s.nets[b][0], true
}

// samples gives for each opening pads of up to two nets: enough to tell whether it
// shows one that differs from another's. Vias do not count, as nothing is soldered
// to them.
func (s *surface) samples() [][]int32 {
	out := make([][]int32, len(s.over))
	for k, over := range s.over {
		for _, i := range over {
			if n := len(out[k]); s.via(i) || n > 0 && !s.differ(out[k][0], i) {
				continue
			}
			if out[k] = append(out[k], i); len(out[k]) == 2 {
				break
			}
		}
	}
	return out
}

// gangs finds openings that show several pads at once.
func (s *surface) gangs(out *places) {
	for _, n := range s.nets {
		if len(n) == 2 {
			out.at(Place{Layer: s.mask.Name, At: s.pads.feature(int(n[0])).A, To: s.pads.feature(int(n[1])).A,
				Objects: [2]string{s.words(n[0]), s.words(n[1])}, Nets: [2]string{s.net(n[0]), s.net(n[1])}})
		}
	}
}
