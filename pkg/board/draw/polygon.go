package draw

import (
	"math"

	"boardorder/pkg/board/geom"
)

// flatness is how far, in pixels, chords may stray from a curve.
const flatness = 0.08

// polygon is a closed chain of corners in pixels; sign makes its inside positive.
type polygon struct {
	pts  []float32 // x, y, x, y, …
	sign float32
}

// flatten turns a closed path into a polygon relative to the view.
func (v *view) flatten(p geom.Path, place func(geom.Point) (float32, float32)) polygon {
	flat := p.Flatten(flatness / v.scale)
	out := make([]float32, 0, 2*len(flat))
	for _, q := range flat {
		x, y := place(q)
		out = append(out, x, y)
	}
	return polygon{out, sign(out)}
}

// sign is +1 where the corners run so that the raster counts them positive.
func sign(pts []float32) float32 {
	area := 0.0
	n := len(pts)
	if n < 6 {
		return 1
	}
	ox, oy := float64(pts[0]), float64(pts[1])
	for i := 2; i+3 < n; i += 2 {
		area += (float64(pts[i])-ox)*(float64(pts[i+3])-oy) - (float64(pts[i+2])-ox)*(float64(pts[i+1])-oy)
	}
	if area > 0 {
		return -1
	}
	return 1
}

// fill adds a polygon moved by dx, dy; a factor of -1 makes it a hole.
func (r *raster) fill(p polygon, dx, dy, factor float32) {
	n := len(p.pts)
	if n < 6 {
		return
	}
	s := p.sign * factor
	x0, y0 := p.pts[n-2]+dx, p.pts[n-1]+dy
	for i := 0; i < n; i += 2 {
		x1, y1 := p.pts[i]+dx, p.pts[i+1]+dy
		r.line(x0, y0, x1, y1, s)
		x0, y0 = x1, y1
	}
}

// capsule adds a line drawn with a round pen of radius rad, in pixels.
func (r *raster) capsule(ax, ay, bx, by, rad float32) {
	if rad <= 0 {
		return
	}
	dx, dy := bx-ax, by-ay
	l := float32(math.Sqrt(float64(dx*dx + dy*dy)))
	ux, uy := float32(1), float32(0)
	if l > 1e-6 {
		ux, uy = dx/l, dy/l
	}
	n := halfSteps(rad)
	s64, c64 := math.Sincos(math.Pi / float64(n))
	s, c := float32(s64), float32(c64)
	// Start right of the direction of travel and run round the far end.
	vx, vy := uy*rad, -ux*rad
	px, py := ax+vx, ay+vy
	sx, sy := px, py
	emit := func(x, y float32) {
		r.line(px, py, x, y, -1)
		px, py = x, y
	}
	emit(bx+vx, by+vy)
	for range n {
		vx, vy = vx*c-vy*s, vx*s+vy*c
		emit(bx+vx, by+vy)
	}
	emit(ax+vx, ay+vy)
	for i := range n {
		vx, vy = vx*c-vy*s, vx*s+vy*c
		if i == n-1 {
			emit(sx, sy)
			break
		}
		emit(ax+vx, ay+vy)
	}
}

// halfSteps is how many chords make a half circle of radius rad pixels.
func halfSteps(rad float32) int {
	if rad <= 2*flatness {
		return 2
	}
	step := 2 * math.Acos(1-flatness/float64(rad))
	return max(2, min(360, int(math.Ceil(math.Pi/step))))
}

// arcBand adds an arc drawn with a round pen: for wide arcs one closed band, for
// tight ones a row of capsules.
func (r *raster) arcBand(v *view, e geom.Edge, rad float32) {
	flat := e.AppendFlat([]geom.Point{e.A}, flatness/v.scale)
	ax, ay := v.at(flat[0])
	if float64(rad) >= e.Radius()*v.scale*0.95 || len(flat) < 4 {
		for _, q := range flat[1:] {
			bx, by := v.at(q)
			r.capsule(ax, ay, bx, by, rad)
			ax, ay = bx, by
		}
		return
	}
	cx, cy := v.at(e.Centre)
	outer := make([]float32, 0, 4*len(flat)+8*halfSteps(rad))
	inner := make([]float32, 0, 2*len(flat))
	for _, q := range flat {
		x, y := v.at(q)
		dx, dy := x-cx, y-cy
		l := float32(math.Sqrt(float64(dx*dx + dy*dy)))
		if l == 0 {
			continue
		}
		dx, dy = dx/l*rad, dy/l*rad
		outer = append(outer, x+dx, y+dy)
		inner = append(inner, x-dx, y-dy)
	}
	bx, by := v.at(e.B)
	if e.A == e.B {
		p, q := polygon{outer, sign(outer)}, polygon{inner, sign(inner)}
		r.fill(p, 0, 0, 1)
		r.fill(q, 0, 0, -1)
		return
	}
	for i := len(inner) - 2; i >= 0; i -= 2 {
		outer = append(outer, inner[i], inner[i+1])
	}
	r.fill(polygon{outer, sign(outer)}, 0, 0, 1)
	r.capsule(ax, ay, ax, ay, rad)
	r.capsule(bx, by, bx, by, rad)
}
