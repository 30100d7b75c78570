package check

import (
	"context"
	"fmt"
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/shape"
)

// bridges judges the mask that is left between openings over pads of different
// nets: solder runs across where it is too narrow to hold.
func bridges(ctx context.Context, in *input) result {
	g := in.gauge(MaskBridge, false).levels(Warning, Note)
	var gangs places
	for _, f := range in.faces() {
		if f.doubtful {
			continue
		}
		s, err := in.surface(f)
		if err != nil {
			return unknown(MaskBridge, err)
		}
		s.narrow(ctx, g, in.reach(MaskBridge, false))
		s.gangs(&gangs)
	}
	r := g.result(func(j judged) string {
		return fmt.Sprintf("The solder mask between %s of different nets is narrower than %s (down to %s): it may not hold, and solder may bridge the pads.",
			either(j.count, "two pads", fmt.Sprint(j.count, " pairs of pads")), mm(j.limit), mm(j.value))
	})
	if g.limit.Min > 0 {
		r.add(found(MaskBridge, Note, func(n int) string {
			return fmt.Sprintf("%s in the solder mask %s several pads of different nets without mask between them.", plural(n, "opening"), either(n, "shows", "show"))
		}, &gangs))
	}
	return r
}

// A web is the mask between two openings.
type web struct {
	x, y        int32 // pads of different nets
	apart, seen bool
	value       int64 // the narrowest
	at, to      geom.Point
}

// narrow measures between openings, once for each pair of them. Openings that
// show no pad to be soldered, as those of vias and of drawings, are left out.
func (s *surface) narrow(ctx context.Context, g *gauge, reach int64) {
	webs := map[[2]int32]*web{}
	n := 0
	limit, far := float64(max(g.limit.Min, g.limit.Recommended)), float64(reach)
	shown, boxes := s.shown()
	shape.NewIndex(boxes).Pairs(reach, func(i, j int) {
		if n++; n%1024 == 0 && ctx.Err() != nil || distant(boxes[i], boxes[j], far) {
			return
		}
		i, j = int(shown[i]), int(shown[j])
		a, b := min(s.opening[i], s.opening[j]), max(s.opening[i], s.opening[j])
		if a == b {
			return
		}
		w := webs[[2]int32{a, b}]
		if w == nil {
			w = &web{}
			w.x, w.y, w.apart = s.apart(a, b)
			webs[[2]int32{a, b}] = w
		}
		if !w.apart || w.seen && w.value <= 0 {
			return
		}
		enough := far
		if w.seen {
			enough = min(far, float64(w.value)+1)
		}
		d, p, q, ok := s.openings.shapes[i].Within(&s.openings.shapes[j], enough)
		v := int64(math.Round(d))
		if !ok || w.seen && (v > w.value || v == w.value && !before(p, w.at)) {
			return
		}
		w.seen, w.value, w.at, w.to = true, v, p, q
		// What is wider than the smallest so far says nothing unless it breaks a limit.
		far = max(limit, min(far, d+1))
	})
	for _, w := range webs {
		if w.seen {
			g.add(Place{Layer: s.mask.Name, At: w.at, To: w.to, Value: w.value, Distance: true,
				Objects: [2]string{s.words(w.x), s.words(w.y)}, Nets: [2]string{s.net(w.x), s.net(w.y)}})
		}
	}
}

// shown gives the shapes of openings that show a pad to be soldered, and their boxes.
func (s *surface) shown() (shapes []int32, boxes []geom.Box) {
	for i := range s.openings.shapes {
		if len(s.nets[s.opening[i]]) > 0 {
			shapes = append(shapes, int32(i))
			boxes = append(boxes, s.openings.shapes[i].Bounds())
		}
	}
	return shapes, boxes
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
