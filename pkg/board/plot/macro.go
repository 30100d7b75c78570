package plot

import (
	"strconv"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// maxVertices is the most that the outline of a macro may have.
const maxVertices = 5000

// macroBody writes an aperture as t turns it as the primitives of a macro:
// circles as they are, all else as outlines. fits is false when an outline would
// be too long and areas can take its place.
func macroBody(a *board.Aperture, t geom.Transform) (body []byte, fits bool) {
	for i := range a.Primitives {
		p := a.Primitives[i].Place(t)
		exposure := byte('1')
		if p.Clear {
			exposure = '0'
		}
		if p.Kind == board.CirclePrimitive || p.Kind == board.StrokePrimitive && p.A == p.B {
			body = appendCircle(body, exposure, p.A, p.Radius)
			continue
		}
		if p.Kind == board.StrokePrimitive && p.Radius <= 0 {
			continue
		}
		pts := corners(p.Path())
		if len(pts) > maxVertices && a.Simple() {
			return nil, false
		}
		body = appendOutline(body, exposure, pts)
	}
	return body, true
}

// corners gives the corners of a path, its arcs in chords that are as fine as
// the length of an outline allows.
func corners(p geom.Path) []geom.Point {
	const finest, coarsest = 200.0, 1e5
	for tolerance := finest; ; tolerance *= 2 {
		pts := p.Flatten(tolerance)
		if n := len(pts); n > 1 && pts[0] == pts[n-1] {
			pts = pts[:n-1]
		}
		if len(pts) <= maxVertices || len(p.Bends) == 0 || tolerance > coarsest {
			return pts
		}
	}
}

func appendCircle(out []byte, exposure byte, c geom.Point, radius int64) []byte {
	if radius <= 0 {
		return out
	}
	out = append(out, '1', ',', exposure, ',')
	out = append(appendMM(out, 2*radius), ',')
	out = append(appendMM(out, c.X), ',')
	return append(appendMM(out, c.Y), "*\n"...)
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
