package faulty

import (
	"math"

	"boardorder/pkg/board/geom"
)

// connect gives every net that has neither pad nor via a via, so that its copper
// is no leftover: at the end of a leg that leads away from everything else, or
// within an area.
func (s *Sketch) connect() {
	has := map[string]bool{"": true}
	for i := range s.Pads {
		has[s.Pads[i].Net] = true
	}
	for i := range s.Vias {
		has[s.Vias[i].Net] = true
	}
	for _, t := range s.Tracks {
		if !has[t.Net] && s.leg(t) {
			has[t.Net] = true
		}
	}
	for i := range s.Zones {
		if z := &s.Zones[i]; !has[z.Net] {
			s.Vias = append(s.Vias, Via{At: s.roomiestPoint(z), Size: 700 * um, Drill: 350 * um, Net: z.Net})
			has[z.Net] = true
		}
	}
}

// leg leads on from an end of a track, in the direction with most room, to a via.
func (s *Sketch) leg(t Track) bool {
	best, room := Stroke{}, 0.0
	for _, end := range [][2]geom.Point{{t.B, t.pointBefore()}, {t.A, t.pointAfter()}} {
		ahead := math.Atan2(float64(end[0].Y-end[1].Y), float64(end[0].X-end[1].X))
		for turn := -75.0; turn <= 75; turn += 15 {
			sin, cos := math.Sincos(ahead + turn*math.Pi/180)
			k := line(end[0], end[0].Add(geom.Pt(nm(3e6*cos), nm(3e6*sin))))
			if r := s.room(k, t.Net); r > room {
				best, room = k, r
			}
		}
	}
	if room == 0 {
		return false
	}
	s.track(Track{Layer: t.Layer, Net: t.Net, Width: max(t.Width, 200*um), Stroke: best})
	s.Vias = append(s.Vias, Via{At: best.B, Size: 700 * um, Drill: 350 * um, Net: t.Net})
	return true
}

// pointBefore is a point of the stroke shortly before its end.
func (s Stroke) pointBefore() geom.Point {
	if s.Turn == 0 {
		return s.A
	}
	return rotateAbout(s.C, s.B, -float64(s.Turn))
}

// pointAfter is a point of the stroke shortly after its beginning.
func (s Stroke) pointAfter() geom.Point {
	if s.Turn == 0 {
		return s.B
	}
	return rotateAbout(s.C, s.A, float64(s.Turn))
}

// room is how far the further half of a leg stays from other copper, holes and
// edges; 0 when it comes too near.
func (s *Sketch) room(k Stroke, net string) float64 {
	const far = 800_000
	if d := s.distance(k.B, net); d < 1.2*far {
		return 0
	}
	least := math.Inf(1)
	for i := 4; i <= 10; i++ {
		p := geom.Pt(k.A.X+(k.B.X-k.A.X)*int64(i)/10, k.A.Y+(k.B.Y-k.A.Y)*int64(i)/10)
		least = min(least, s.distance(p, net))
	}
	if least < far {
		return 0
	}
	return least
}

// roomiestPoint is the point of an area with most room.
func (s *Sketch) roomiestPoint(z *Zone) geom.Point {
	b := geom.BoxOf(z.Outer...)
	var at geom.Point
	room := math.Inf(-1)
	for x := b.Min.X; x < b.Max.X; x += 250 * um {
		for y := b.Min.Y; y < b.Max.Y; y += 250 * um {
			p := geom.Pt(x, y)
			if !containsPoint(z.Outer, p) {
				continue
			}
			d := min(s.distance(p, z.Net), pathDistance(polygon(z.Outer...), p))
			if d > room {
				at, room = p, d
			}
		}
	}
	return at
}

// distance is from a point to the nearest middle of copper of other nets, hole or
// edge, roughly.
func (s *Sketch) distance(p geom.Point, net string) float64 {
	d := math.Inf(1)
	for _, t := range s.Tracks {
		if t.Net != net {
			d = min(d, pathDistance([]Stroke{t.Stroke}, p)-float64(t.Width)/2)
		}
	}
	for i := range s.Pads {
		if q := &s.Pads[i]; q.Net != net || q.Drill > 0 {
			d = min(d, p.Dist(q.At)-float64(max(q.X, q.Y))/2)
		}
	}
	for _, v := range s.Vias {
		d = min(d, p.Dist(v.At)-float64(v.Size)/2)
	}
	for _, z := range s.Zones {
		if z.Net == net {
			continue
		}
		in := containsPoint(z.Outer, p)
		for _, h := range z.Holes {
			in = in && !containsPoint(h, p)
			d = min(d, pathDistance(polygon(h...), p))
		}
		if d = min(d, pathDistance(polygon(z.Outer...), p)); in {
			return 0
		}
	}
	for _, chain := range s.Outline {
		d = min(d, pathDistance(chain, p)-700_000)
	}
	for _, o := range s.Openings {
		d = min(d, pathDistance(polygon(o.Points...), p))
	}
	if len(s.Outline) > 0 && !geom.BoxOf(corners(s.Outline[0])...).Contains(p) {
		return 0
	}
	return d
}

func corners(chain []Stroke) (out []geom.Point) {
	for _, k := range chain {
		out = append(out, k.A, k.B)
	}
	return out
}

// pathDistance is the distance to strokes, arcs in steps.
func pathDistance(chain []Stroke, p geom.Point) float64 {
	d := math.Inf(1)
	for _, k := range chain {
		if k.Turn == 0 {
			d = min(d, lineDistance(k.A, k.B, p))
			continue
		}
		m := k.middle()
		d = min(d, lineDistance(k.A, m, p), lineDistance(m, k.B, p), p.Dist(m))
	}
	return d
}

func lineDistance(a, b, p geom.Point) float64 {
	ab := b.Sub(a)
	t := 0.0
	if l := ab.Dot(ab); l > 0 {
		t = max(0, min(1, p.Sub(a).Dot(ab)/l))
	}
	return math.Hypot(float64(p.X-a.X)-t*float64(ab.X), float64(p.Y-a.Y)-t*float64(ab.Y))
}

func containsPoint(pts []geom.Point, p geom.Point) bool {
	in := false
	for i, a := range pts {
		b := pts[(i+1)%len(pts)]
		if (a.Y > p.Y) != (b.Y > p.Y) && float64(p.X) < float64(b.X-a.X)*float64(p.Y-a.Y)/float64(b.Y-a.Y)+float64(a.X) {
			in = !in
		}
	}
	return in
}
