package geom

import "math"

// Flatten turns the path into corner points, arcs into chords that stray at
// most tolerance nanometres from the curve. A closed path's first point is not
// repeated. The points of a path without arcs are returned as they are, not copied.
func (p Path) Flatten(tolerance float64) []Point {
	if len(p.Bends) == 0 {
		if n := len(p.Points); p.Closed && n > 2 && p.wraps() {
			return p.Points[:n-1]
		}
		return p.Points
	}
	out := make([]Point, 0, len(p.Points)+8*len(p.Bends))
	out = append(out, p.Points[0])
	for e := range p.Edges() {
		out = e.AppendFlat(out, tolerance)
	}
	if n := len(out); p.Closed && n > 1 && out[0] == out[n-1] {
		out = out[:n-1]
	}
	return out
}

// AppendFlat appends the points of the edge after A, B included.
func (e Edge) AppendFlat(out []Point, tolerance float64) []Point {
	if e.Turn == Straight {
		return append(out, e.B)
	}
	sweep := e.Sweep()
	ra, rb := e.A.Dist(e.Centre), e.B.Dist(e.Centre)
	n := chords(max(ra, rb), sweep, tolerance)
	start := e.A.Sub(e.Centre).Angle()
	for i := 1; i < n; i++ {
		t := float64(i) / float64(n)
		out = append(out, e.Centre.Polar(ra+(rb-ra)*t, start+sweep*t))
	}
	return append(out, e.B)
}

// Chords is how many lines [Edge.AppendFlat] makes of an edge.
func Chords(e Edge, tolerance float64) int {
	if e.Turn == Straight {
		return 1
	}
	return chords(max(e.A.Dist(e.Centre), e.B.Dist(e.Centre)), e.Sweep(), tolerance)
}

// chords is how many equal chords an arc needs to stay within tolerance.
func chords(r, sweep, tolerance float64) int {
	const least, most = math.Pi / 720, math.Pi / 2
	step := most
	if r > tolerance && tolerance > 0 {
		step = max(least, min(most, 2*math.Acos(1-tolerance/r)))
	}
	return max(1, int(math.Ceil(math.Abs(sweep)/step)))
}
