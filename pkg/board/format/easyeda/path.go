package easyeda

import (
	"errors"
	"math"
	"strconv"

	"boardorder/pkg/board/geom"
)

// A frame puts the coordinates of a document on the board.
type frame struct {
	x, y float64 // of what is the board's origin
	unit float64 // millimetres
	down bool    // Y grows downwards
}

// standard are the coordinates of EasyEDA Standard.
func standard(x, y float64) frame { return frame{x: x, y: y, unit: 0.254, down: true} }

func (f frame) point(x, y float64) geom.Point {
	dy := y - f.y
	if f.down {
		dy = -dy
	}
	return geom.Pt(geom.MM((x-f.x)*f.unit), geom.MM(dy*f.unit))
}

func (f frame) length(v float64) int64 { return geom.MM(v * f.unit) }

// sound tells whether a number is one of a board's.
func (f frame) sound(v float64) bool {
	return math.Abs(v)*f.unit <= geom.Millimetres(geom.MaxCoord) // false for NaN
}

var errPath = errors.New("a path that is not understood")

// A pathReader goes through the data of a path as SVG writes it.
type pathReader struct {
	frame
	in    string
	at    int
	paths []geom.Path
	x, y  float64 // of the pen
	sx    float64 // where the path began
	sy    float64
	cx    float64 // the last control point
	cy    float64
}

// readPath reads the data of a path: a path for each piece of it, those that are closed
// marked so.
func readPath(f frame, s string) ([]geom.Path, error) {
	r := pathReader{frame: f, in: s}
	command := byte(0)
	for {
		r.skip()
		if r.at == len(r.in) {
			return r.paths, nil
		}
		if c := r.in[r.at]; c|0x20 >= 'a' && c|0x20 <= 'z' {
			command = c
			r.at++
		} else if command|0x20 == 'z' || command == 0 {
			return nil, errPath
		}
		if err := r.run(command); err != nil {
			return nil, err
		}
		switch command {
		case 'M':
			command = 'L'
		case 'm':
			command = 'l'
		}
	}
}

func (r *pathReader) skip() {
	for r.at < len(r.in) && (r.in[r.at] <= ' ' || r.in[r.at] == ',') {
		r.at++
	}
}

// numbers reads the next numbers; those of flags are one digit each.
func (r *pathReader) numbers(out []float64, flags ...int) error {
	for i := range out {
		r.skip()
		start := r.at
		for r.at < len(r.in) && r.isNumber(start) {
			r.at++
			if len(flags) == 2 && (i == flags[0] || i == flags[1]) {
				break
			}
		}
		v, err := strconv.ParseFloat(r.in[start:r.at], 64)
		if err != nil || !r.sound(v) {
			return errPath
		}
		out[i] = v
	}
	return nil
}

// isNumber tells whether the character at hand goes on with the number begun at start.
func (r *pathReader) isNumber(start int) bool {
	switch c := r.in[r.at]; c {
	case '+', '-':
		return r.at == start || r.in[r.at-1]|0x20 == 'e'
	case '.':
		for _, d := range []byte(r.in[start:r.at]) {
			if d == '.' || d|0x20 == 'e' {
				return false
			}
		}
		return true
	case 'e', 'E':
		return r.at > start
	default:
		return c >= '0' && c <= '9'
	}
}

// run carries out one command.
func (r *pathReader) run(command byte) error {
	var v [7]float64
	var dx, dy float64
	if command >= 'a' {
		dx, dy = r.x, r.y
	}
	n := map[byte]int{'m': 2, 'l': 2, 'h': 1, 'v': 1, 'c': 6, 's': 4, 'q': 4, 't': 2, 'a': 7, 'z': 0}
	count, ok := n[command|0x20]
	if !ok {
		return errPath
	}
	if command|0x20 == 'a' {
		if err := r.numbers(v[:count], 3, 4); err != nil {
			return err
		}
	} else if err := r.numbers(v[:count]); err != nil {
		return err
	}
	if command|0x20 != 'm' && len(r.paths) == 0 {
		return errPath
	}
	kx, ky := r.x, r.y
	switch command | 0x20 {
	case 'm':
		r.x, r.y = v[0]+dx, v[1]+dy
		r.sx, r.sy = r.x, r.y
		kx, ky = r.x, r.y
		r.paths = append(r.paths, geom.Path{Points: []geom.Point{r.point(r.x, r.y)}})
	case 'l':
		r.line(v[0]+dx, v[1]+dy)
	case 'h':
		r.line(v[0]+dx, r.y)
	case 'v':
		r.line(r.x, v[0]+dy)
	case 'c':
		kx, ky = v[2]+dx, v[3]+dy
		r.bend(v[0]+dx, v[1]+dy, kx, ky, v[4]+dx, v[5]+dy)
	case 's':
		kx, ky = v[0]+dx, v[1]+dy
		r.bend(2*r.x-r.cx, 2*r.y-r.cy, kx, ky, v[2]+dx, v[3]+dy)
	case 'q':
		kx, ky = v[0]+dx, v[1]+dy
		r.quadratic(kx, ky, v[2]+dx, v[3]+dy)
	case 't':
		kx, ky = 2*r.x-r.cx, 2*r.y-r.cy
		r.quadratic(kx, ky, v[0]+dx, v[1]+dy)
	case 'a':
		r.arc(v[0], v[1], v[2], v[3] != 0, v[4] != 0, v[5]+dx, v[6]+dy)
	case 'z':
		p := &r.paths[len(r.paths)-1]
		if n := len(p.Points); n > 1 && p.Points[0] == p.Points[n-1] && (len(p.Bends) == 0 || int(p.Bends[len(p.Bends)-1].At) != n-2) {
			p.Points = p.Points[:n-1]
		}
		p.Closed = true
		r.x, r.y = r.sx, r.sy
	}
	if c := command | 0x20; c == 'm' || c == 'l' || c == 'h' || c == 'v' || c == 'a' || c == 'z' {
		kx, ky = r.x, r.y
	}
	r.cx, r.cy = kx, ky
	return nil
}

// pen is the path that is being drawn: after one that was closed another begins.
func (r *pathReader) pen() *geom.Path {
	p := &r.paths[len(r.paths)-1]
	if p.Closed {
		r.paths = append(r.paths, geom.Path{Points: []geom.Point{r.point(r.x, r.y)}})
		p = &r.paths[len(r.paths)-1]
	}
	return p
}

func (r *pathReader) line(x, y float64) {
	p := r.pen()
	if q := r.point(x, y); q != p.Points[len(p.Points)-1] {
		p.LineTo(q)
	}
	r.x, r.y = x, y
}

func (r *pathReader) quadratic(x1, y1, x, y float64) {
	r.bend(r.x+(x1-r.x)*2/3, r.y+(y1-r.y)*2/3, x+(x1-x)*2/3, y+(y1-y)*2/3, x, y)
}

// bend draws a cubic Bézier curve as chords.
func (r *pathReader) bend(x1, y1, x2, y2, x, y float64) {
	x0, y0 := r.x, r.y
	n := curveSteps((math.Hypot(x1-x0, y1-y0) + math.Hypot(x2-x1, y2-y1) + math.Hypot(x-x2, y-y2)) * r.unit)
	for i := 1; i <= n; i++ {
		t := float64(i) / float64(n)
		u := 1 - t
		a, b, c, d := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
		r.line(a*x0+b*x1+c*x2+d*x, a*y0+b*y1+c*y2+d*y)
	}
	r.x, r.y = x, y
}

// curveSteps is how many chords draw a curve of a length in millimetres: one for each
// tenth of a millimetre, but for long ones.
func curveSteps(length float64) int {
	const fewest, most = 6, 64
	return int(min(max(length*10, fewest), most))
}

// arc draws an arc of a circle; that of an ellipse is drawn as chords.
func (r *pathReader) arc(rx, ry, turn float64, large, sweep bool, x, y float64) {
	a, b := r.point(r.x, r.y), r.point(x, y)
	rx, ry = math.Abs(rx), math.Abs(ry)
	if rx == 0 || ry == 0 || a == b {
		r.line(x, y)
		return
	}
	sin, cos := math.Sincos(turn * math.Pi / 180)
	hx, hy := (r.x-x)/2, (r.y-y)/2
	px, py := cos*hx+sin*hy, -sin*hx+cos*hy
	if k := px*px/(rx*rx) + py*py/(ry*ry); k > 1 {
		rx, ry = rx*math.Sqrt(k), ry*math.Sqrt(k)
	}
	k := math.Sqrt(max(0, (rx*rx*ry*ry-rx*rx*py*py-ry*ry*px*px)/(rx*rx*py*py+ry*ry*px*px)))
	if large == sweep {
		k = -k
	}
	ox, oy := k*rx*py/ry, -k*ry*px/rx // the centre, in the ellipse's own axes
	mx, my := cos*ox-sin*oy+(r.x+x)/2, sin*ox+cos*oy+(r.y+y)/2
	if math.Abs(rx-ry) <= 0.01*rx && r.sound(mx) && r.sound(my) {
		r.pen().ArcTo(b, r.point(mx, my), sweep == r.down)
		r.x, r.y = x, y
		return
	}
	from := math.Atan2((py-oy)/ry, (px-ox)/rx)
	angle := math.Atan2((-py-oy)/ry, (-px-ox)/rx) - from
	switch {
	case sweep && angle < 0:
		angle += 2 * math.Pi
	case !sweep && angle > 0:
		angle -= 2 * math.Pi
	}
	n := curveSteps(math.Abs(angle) * max(rx, ry) * r.unit)
	for i := 1; i < n; i++ {
		s, c := math.Sincos(from + angle*float64(i)/float64(n))
		r.line(cos*rx*c-sin*ry*s+mx, sin*rx*c+cos*ry*s+my)
	}
	r.line(x, y)
}
