package render

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
	runs []rows // of runLength edges each; nil when there are few
}

// rows is how far down something reaches.
type rows struct{ min, max float32 }

// runLength is how many edges of a long polygon are skipped at once where a band
// does not meet them.
const runLength = 32

// makePolygon prepares corners for filling.
func makePolygon(pts []float32) polygon {
	p := polygon{pts: pts, sign: sign(pts)}
	n := len(pts)
	if n < 4*2*runLength {
		return p
	}
	last := pts[n-1]
	for i := 1; i < n; i += 2 * runLength {
		r := rows{last, last}
		for j := i; j < min(i+2*runLength, n); j += 2 {
			last = pts[j]
			r.min, r.max = min(r.min, last), max(r.max, last)
		}
		p.runs = append(p.runs, r)
	}
	return p
}

// flatten turns a closed path into a polygon relative to the view.
func (v *view) flatten(p geom.Path, place func(geom.Point) (float32, float32)) polygon {
	flat := p.Flatten(flatness / v.scale)
	out := make([]float32, 0, 2*len(flat))
	for _, q := range flat {
		x, y := place(q)
		out = append(out, x, y)
	}
	return makePolygon(out)
}

// perimeter is the length of the outline, in pixels to the sides and up.
func (p *polygon) perimeter() float32 {
	sum, n := float32(0), len(p.pts)
	for i := 0; i+3 < n; i += 2 {
		sum += max(p.pts[i+2]-p.pts[i], p.pts[i]-p.pts[i+2]) + max(p.pts[i+3]-p.pts[i+1], p.pts[i+1]-p.pts[i+3])
	}
	return sum
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
	if p.runs == nil {
		r.chain(p.pts[n-2:], p.pts, dx, dy, s)
		return
	}
	top, bottom := r.y0-dy, r.y0+float32(r.h)-dy
	before := p.pts[n-2:]
	for i, run := range p.runs {
		pts := p.pts[2*runLength*i : min(2*runLength*(i+1), n)]
		if run.max > top && run.min < bottom {
			r.chain(before, pts, dx, dy, s)
		}
		before = pts[len(pts)-2:]
	}
}

// chain adds the edges from corner before along pts.
func (r *raster) chain(before, pts []float32, dx, dy, sign float32) {
	x0, y0 := before[0]+dx, before[1]+dy
	for i := 0; i+1 < len(pts); i += 2 {
		x1, y1 := pts[i]+dx, pts[i+1]+dy
		r.line(x0, y0, x1, y1, sign)
		x0, y0 = x1, y1
	}
}

// capsule adds a line drawn with a round pen of radius rad, in pixels. Joined
// tells that a line drawn just before ends where this one starts and already
// covers the round start.
func (r *raster) capsule(ax, ay, bx, by, rad float32, joined bool) {
	if rad <= 0 {
		return
	}
	dx, dy := bx-ax, by-ay
	l := float32(math.Sqrt(float64(dx*dx + dy*dy)))
	ux, uy := float32(1), float32(0)
	if l > 1e-6 {
		ux, uy = dx/l, dy/l
	}
	if r.pen.rad != rad {
		r.pen = newPen(rad)
	}
	n, s, c := r.pen.steps, r.pen.sin, r.pen.cos
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
	if joined {
		emit(sx, sy)
		return
	}
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

// pen is a round pen of some radius: how many steps make its half circle, and
// the turn of one step.
type pen struct {
	rad      float32
	steps    int
	sin, cos float32
}

func newPen(rad float32) pen {
	n := halfSteps(rad)
	s, c := math.Sincos(math.Pi / float64(n))
	return pen{rad, n, float32(s), float32(c)}
}

// arcBand adds an arc drawn with a round pen: for wide arcs one closed band, for
// tight ones a row of capsules.
func (r *raster) arcBand(v *view, e geom.Edge, rad float32) {
	cx, cy := v.pixelOf(e.Centre)
	ax, ay := v.pixelOf(e.A)
	bx, by := v.pixelOf(e.B)
	radius := float32(e.Radius() * v.scale)
	sweep := -e.Sweep() // pixels grow downwards
	if v.mirror {
		sweep = -sweep
	}
	if max(ay, by, cy+radius)+rad < r.y0 || min(ay, by, cy-radius)-rad > r.y0+float32(r.h) {
		return
	}
	n := max(1, int(math.Ceil(math.Abs(sweep)/math.Pi*float64(halfSteps(radius+rad)))))
	s, c := math.Sincos(sweep / float64(n))
	dx, dy := float64(ax-cx), float64(ay-cy)
	if l := math.Hypot(dx, dy); l > 0 {
		dx, dy = dx/l, dy/l
	}
	if rad >= radius*0.95 || n < 3 {
		px, py := ax, ay
		for i := range n {
			dx, dy = dx*c-dy*s, dx*s+dy*c
			x, y := cx+radius*float32(dx), cy+radius*float32(dy)
			if i == n-1 {
				x, y = bx, by
			}
			r.capsule(px, py, x, y, rad, i > 0)
			px, py = x, y
		}
		return
	}
	r.outer, r.inner = r.outer[:0], r.inner[:0]
	out, in := radius+rad, radius-rad
	for range n + 1 {
		ux, uy := float32(dx), float32(dy)
		r.outer = append(r.outer, cx+out*ux, cy+out*uy)
		r.inner = append(r.inner, cx+in*ux, cy+in*uy)
		dx, dy = dx*c-dy*s, dx*s+dy*c
	}
	r.band(e.A == e.B)
	if e.A != e.B {
		r.capsule(ax, ay, ax, ay, rad, false)
		r.capsule(bx, by, bx, by, rad, false)
	}
}

// band adds the area between the outer and the inner arc in the scratch space.
func (r *raster) band(full bool) {
	if full {
		r.fill(polygon{pts: r.outer, sign: sign(r.outer)}, 0, 0, 1)
		r.fill(polygon{pts: r.inner, sign: sign(r.inner)}, 0, 0, -1)
		return
	}
	for i := len(r.inner) - 2; i >= 0; i -= 2 {
		r.outer = append(r.outer, r.inner[i], r.inner[i+1])
	}
	r.fill(polygon{pts: r.outer, sign: sign(r.outer)}, 0, 0, 1)
}
