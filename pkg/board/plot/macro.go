package plot

import (
	"strconv"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// maxVertices is the most that the outline of a macro may have.
const maxVertices = 5000

// macroBody writes an aperture as t turns it as the primitives of a macro. fits
// is false when an outline would be too long and areas can take its place.
func macroBody(a *board.Aperture, t geom.Transform) (body []byte, fits bool) {
	for i := range a.Primitives {
		p := &a.Primitives[i]
		if i == 0 && plainKind(a) == board.RoundRectShape && len(p.Area.Bends) == 4 && !p.Clear {
			body = appendRounded(body, a, t)
			continue
		}
		q := p.Place(t)
		switch q.Kind {
		case board.CirclePrimitive:
			body = appendCircle(body, exposure(q.Clear), q.A, q.Radius)
		case board.StrokePrimitive:
			body = appendStroke(body, exposure(q.Clear), q)
		default:
			pts := corners(q.Area)
			if len(pts) > maxVertices && a.Simple() {
				return nil, false
			}
			body = appendOutline(body, exposure(q.Clear), pts)
		}
	}
	return body, true
}

func exposure(clear bool) byte {
	if clear {
		return '0'
	}
	return '1'
}

// corners gives the corners of a path, its arcs in chords that are as fine as
// the length of an outline allows.
func corners(p geom.Path) []geom.Point {
	for tolerance := 500.0; ; tolerance *= 2 {
		pts := p.Flatten(tolerance)
		if n := len(pts); n > 1 && pts[0] == pts[n-1] {
			pts = pts[:n-1]
		}
		if len(pts) <= maxVertices || len(pts) <= len(p.Points) || tolerance > 1e5 {
			return pts
		}
	}
}

func appendCircle(out []byte, exposure byte, c geom.Point, radius int64) []byte {
	if radius <= 0 {
		return out
	}
	out = append(out, '1', ',', exposure)
	return append(appendNumbers(out, 2*radius, c.X, c.Y), "*\n"...)
}

// appendStroke is a line with round ends.
func appendStroke(out []byte, exposure byte, p board.Primitive) []byte {
	out = appendCircle(out, exposure, p.A, p.Radius)
	if p.A == p.B || p.Radius <= 0 {
		return out
	}
	out = appendCircle(out, exposure, p.B, p.Radius)
	out = append(out, '2', '0', ',', exposure)
	return append(appendNumbers(out, 2*p.Radius, p.A.X, p.A.Y, p.B.X, p.B.Y), ",0*\n"...)
}

func appendOutline(out []byte, exposure byte, pts []geom.Point) []byte {
	if len(pts) < 3 {
		return out
	}
	out = append(out, '4', ',', exposure, ',')
	out = append(strconv.AppendInt(out, int64(len(pts)), 10), ',')
	for _, q := range pts {
		out = append(appendMM(append(out, '\n'), q.X), ',')
		out = append(appendMM(out, q.Y), ',')
	}
	out = append(appendMM(append(out, '\n'), pts[0].X), ',')
	return append(appendMM(out, pts[0].Y), ",0*\n"...)
}

// appendRounded is a rounded rectangle: its corners as circles, and the octagon
// between them.
func appendRounded(out []byte, a *board.Aperture, t geom.Transform) []byte {
	hx, hy, r := a.X/2, a.Y/2, a.Corner
	at := func(x, y int64) geom.Point { return t.Apply(geom.Pt(x, y)) }
	out = appendOutline(out, '1', []geom.Point{
		at(-hx+r, -hy), at(hx-r, -hy), at(hx, -hy+r), at(hx, hy-r), at(hx-r, hy), at(-hx+r, hy), at(-hx, hy-r), at(-hx, -hy+r),
	})
	for _, s := range [4]geom.Point{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}} {
		out = appendCircle(out, '1', at(s.X*(hx-r), s.Y*(hy-r)), t.Length(r))
	}
	return out
}

func appendNumbers(out []byte, v ...int64) []byte {
	for _, n := range v {
		out = appendMM(append(out, ','), n)
	}
	return out
}
