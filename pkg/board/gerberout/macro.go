package gerberout

import (
	"math"
	"strconv"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// maxVertices is the most that the outline of a macro gets: the format allows
// 5000, but some readers hold no more than fifty.
const maxVertices = 50

// macroBody writes an aperture as t turns it as the primitives of a macro. fits
// is false when an outline would be too long and areas can take its place.
func macroBody(a *pcb.Aperture, t geom.Transform) (body []byte, fits bool) {
	for i := range a.Primitives {
		p := a.Primitives[i].Place(t)
		exposure := byte('1')
		if p.Clear {
			exposure = '0'
		}
		switch {
		case i == 0 && plainKind(a) == pcb.RoundRectShape && len(p.Area.Bends) == 4:
			body = appendRounded(body, p.Area)
		case p.Kind == pcb.CirclePrimitive:
			body = appendCircle(body, exposure, p.A, p.Radius)
		case p.Kind == pcb.StrokePrimitive:
			body = appendStroke(body, exposure, &p)
		default:
			pts := corners(p.Area)
			if len(pts) > maxVertices && a.Simple() {
				return nil, false
			}
			body = appendOutline(body, exposure, pts)
		}
	}
	return body, true
}

// corners gives the corners of a path, its arcs in chords.
func corners(p geom.Path) []geom.Point {
	const tolerance = 500
	pts := p.Flatten(tolerance)
	if n := len(pts); n > 1 && pts[0] == pts[n-1] {
		pts = pts[:n-1]
	}
	return pts
}

// appendRounded is a rectangle with four round corners: these as circles, and
// the octagon between them.
func appendRounded(out []byte, p geom.Path) []byte {
	out = appendOutline(out, '1', corners(geom.Path{Points: p.Points, Closed: true}))
	for e := range p.Edges() {
		if e.IsArc() {
			out = appendCircle(out, '1', e.Centre, int64(math.Round(e.Radius())))
		}
	}
	return out
}

// appendStroke is a line with round ends.
func appendStroke(out []byte, exposure byte, p *pcb.Primitive) []byte {
	out = appendCircle(out, exposure, p.A, p.Radius)
	if p.A == p.B || p.Radius <= 0 {
		return out
	}
	out = appendCircle(out, exposure, p.B, p.Radius)
	out = append(out, '2', '0', ',', exposure)
	for _, v := range [5]int64{2 * p.Radius, p.A.X, p.A.Y, p.B.X, p.B.Y} {
		out = appendMM(append(out, ','), v)
	}
	return append(out, ",0*\n"...)
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
