package gerber

import (
	"fmt"
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// macroBuilder turns macro primitives into shapes.
type macroBuilder struct {
	unit float64 // nanometres in the file's unit
	out  []pcb.Primitive
	seen int // primitives that taken has counted
}

// countNewCorners counts the corners of the primitives added since it was last asked.
func (b *macroBuilder) countNewCorners() int {
	n := 0
	for ; b.seen < len(b.out); b.seen++ {
		n += 4 + len(b.out[b.seen].Area.Points)
	}
	return n
}

// maxPrimitives bounds what one macro may draw.
const maxPrimitives = 20_000

// add appends primitive code with its arguments; it tells, in words, what is wrong.
func (b *macroBuilder) add(code int, a []float64) string {
	if len(b.out) >= maxPrimitives {
		return "too many primitives"
	}
	get := func(i int) float64 {
		if i < len(a) {
			return a[i]
		}
		return 0
	}
	least := map[int]int{1: 4, 2: 6, 20: 6, 21: 5, 22: 5, 4: 6, 5: 5, 6: 8, 7: 5}
	n, known := least[code]
	switch {
	case code == 3: // an old end mark
		return ""
	case !known:
		return fmt.Sprintf("unknown primitive %d", code)
	case code == 4 && len(a) > 1 && a[1] == 0: // an outline without a side draws nothing
		return ""
	case len(a) < n:
		return fmt.Sprintf("primitive %d lacks parameters", code)
	}
	switch code {
	case 1:
		c := b.point(get(2), get(3), get(4))
		b.put(get(0), pcb.Primitive{Kind: pcb.CirclePrimitive, A: c, B: c, Radius: b.nm(get(1) / 2)})
	case 2, 20:
		b.vectorLine(get)
	case 21:
		b.box(get(0), get(3)-get(1)/2, get(4)-get(2)/2, get(1), get(2), get(5))
	case 22:
		b.box(get(0), get(3), get(4), get(1), get(2), get(5))
	case 4:
		return b.outline(a)
	case 5:
		return b.polygon(get)
	case 6:
		b.moire(get)
	case 7:
		return b.thermal(get)
	}
	return ""
}

func (b *macroBuilder) nm(v float64) int64 {
	const limit = 4e9
	v *= b.unit
	if math.IsNaN(v) {
		return 0
	}
	return int64(math.Round(max(-limit, min(limit, v))))
}

// point is x, y turned by deg degrees round the origin.
func (b *macroBuilder) point(x, y, deg float64) geom.Point {
	switch q := math.Mod(deg, 360); q {
	case 0:
	case 90, -270:
		x, y = -y, x
	case 180, -180:
		x, y = -x, -y
	case 270, -90:
		x, y = y, -x
	default:
		s, c := math.Sincos(deg * math.Pi / 180)
		x, y = x*c-y*s, x*s+y*c
	}
	return geom.Pt(b.nm(x), b.nm(y))
}

func (b *macroBuilder) put(exposure float64, p pcb.Primitive) {
	p.Clear = math.Round(exposure) == 0
	p.Radius = max(p.Radius, 0)
	b.out = append(b.out, p)
}

func (b *macroBuilder) area(exposure float64, pts ...geom.Point) {
	b.put(exposure, pcb.Primitive{Kind: pcb.AreaPrimitive, Area: geom.Path{Points: pts, Closed: true}})
}

func (b *macroBuilder) vectorLine(get func(int) float64) {
	w, x1, y1, x2, y2, rot := get(1)/2, get(2), get(3), get(4), get(5), get(6)
	l := math.Hypot(x2-x1, y2-y1)
	if l == 0 {
		return
	}
	nx, ny := -(y2-y1)/l*w, (x2-x1)/l*w
	b.area(get(0), b.point(x1-nx, y1-ny, rot), b.point(x2-nx, y2-ny, rot), b.point(x2+nx, y2+ny, rot), b.point(x1+nx, y1+ny, rot))
}

func (b *macroBuilder) box(exposure, x, y, w, h, rot float64) {
	b.area(exposure, b.point(x, y, rot), b.point(x+w, y, rot), b.point(x+w, y+h, rot), b.point(x, y+h, rot))
}

// outline has n+1 points, the last equal to the first, and a rotation. Some
// tools count wrongly, so what is there decides.
func (b *macroBuilder) outline(a []float64) string {
	n := int(max(0, min(a[1], 1e5)))
	rest, why := a[2:], ""
	pairs := n + 1
	if len(rest) < 2*pairs {
		pairs = len(rest) / 2
		why = fmt.Sprintf("an outline of %d points has only %d", n+1, pairs)
	}
	rot := 0.0
	if len(rest) > 2*pairs {
		rot = rest[2*pairs]
	}
	pts := make([]geom.Point, 0, pairs)
	for i := range pairs {
		pts = append(pts, b.point(rest[2*i], rest[2*i+1], rot))
	}
	if k := len(pts); k > 1 && pts[0] == pts[k-1] {
		pts = pts[:k-1]
	}
	if len(pts) >= 3 {
		b.area(a[0], pts...)
	}
	return why
}

func (b *macroBuilder) polygon(get func(int) float64) string {
	n := int(get(1))
	if n < 3 || n > 1000 {
		return fmt.Sprintf("a polygon has %d corners", n)
	}
	pts := make([]geom.Point, n)
	for i := range pts {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		pts[i] = b.point(get(2)+get(4)/2*c, get(3)+get(4)/2*s, get(5))
	}
	b.area(get(0), pts...)
	return ""
}

// moire is concentric rings and a cross.
func (b *macroBuilder) moire(get func(int) float64) {
	x, y, rot := get(0), get(1), get(8)
	c := b.point(x, y, rot)
	outer, thick, gap := get(2), get(3), get(4)
	for range int(max(0, min(get(5), 1000))) {
		if outer <= 0 {
			break
		}
		b.ring(c, outer, outer-2*thick)
		if thick+gap <= 0 {
			break
		}
		outer -= 2 * (thick + gap)
	}
	t, l := get(6), get(7)
	b.box(1, x-l/2, y-t/2, l, t, rot)
	b.box(1, x-t/2, y-l/2, t, l, rot)
}

// ring is the area between two circles, as one path with a cut between them.
func (b *macroBuilder) ring(c geom.Point, outer, inner float64) {
	ro, ri := b.nm(outer/2), b.nm(inner/2)
	if ri <= 0 {
		b.put(1, pcb.Primitive{Kind: pcb.CirclePrimitive, A: c, B: c, Radius: ro})
		return
	}
	p := geom.Path{Closed: true}
	o, i := geom.Pt(c.X+ro, c.Y), geom.Pt(c.X+ri, c.Y)
	p.LineTo(o)
	p.ArcTo(o, c, false)
	p.LineTo(i)
	p.ArcTo(i, c, true)
	p.LineTo(o)
	b.put(1, pcb.Primitive{Kind: pcb.AreaPrimitive, Area: p})
}

// thermal is a ring with four gaps: four pieces.
func (b *macroBuilder) thermal(get func(int) float64) string {
	x, y, ro, ri, g, rot := get(0), get(1), get(2)/2, get(3)/2, get(4)/2, get(5)
	if ro <= 0 || g < 0 || ri < 0 || ri >= ro || g >= ro*math.Sqrt2/2 {
		return "a thermal's sizes do not fit together"
	}
	c := b.point(x, y, rot)
	far := math.Sqrt(ro*ro - g*g)
	for q := range 4 {
		// Turned in quarter turns round the thermal's own centre, then with the macro.
		at := func(px, py float64) geom.Point {
			for range q {
				px, py = -py, px
			}
			return b.point(x+px, y+py, rot)
		}
		p := geom.Path{Closed: true}
		p.LineTo(at(far, g))
		p.ArcTo(at(g, far), c, false)
		if ri <= g*math.Sqrt2 {
			p.LineTo(at(g, g))
		} else {
			near := math.Sqrt(ri*ri - g*g)
			p.LineTo(at(g, near))
			p.ArcTo(at(near, g), c, true)
		}
		b.put(1, pcb.Primitive{Kind: pcb.AreaPrimitive, Area: p})
	}
	return ""
}
