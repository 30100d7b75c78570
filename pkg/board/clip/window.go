package clip

import (
	"math"

	"boardorder/pkg/board/geom"
)

// Window cuts rings down to a box: inside it they cover the same, outside nothing is
// promised. Rings that lie apart from the box are left out.
func (rs Rings) Window(box geom.Box) Rings {
	var out Rings
	for _, r := range rs {
		b := geom.BoxOf(r...)
		switch {
		case len(r) == 0 || !b.Overlaps(box):
		case box.ContainsBox(b):
			out = append(out, r)
		default:
			if cut := r.window(box); len(cut) > 2 {
				out = append(out, cut)
			}
		}
	}
	return out
}

// window keeps of the ring, side by side, what lies on the inner side.
func (r Ring) window(box geom.Box) Ring {
	r = r.half(func(p geom.Point) int64 { return p.X - box.Min.X })
	r = r.half(func(p geom.Point) int64 { return box.Max.X - p.X })
	r = r.half(func(p geom.Point) int64 { return p.Y - box.Min.Y })
	return r.half(func(p geom.Point) int64 { return box.Max.Y - p.Y })
}

// half keeps the points whose depth is not negative, and those where edges cross
// over.
func (r Ring) half(depth func(geom.Point) int64) Ring {
	var out Ring
	for i, q := range r {
		p := r[(i+len(r)-1)%len(r)]
		dp, dq := depth(p), depth(q)
		if dp < 0 != (dq < 0) {
			t := float64(dp) / float64(dp-dq)
			at := geom.Pt(p.X+int64(math.Round(t*float64(q.X-p.X))), p.Y+int64(math.Round(t*float64(q.Y-p.Y))))
			out = append(out, at)
		}
		if dq >= 0 {
			out = append(out, q)
		}
	}
	return out
}
