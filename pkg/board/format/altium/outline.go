package altium

import (
	"math"
	"strconv"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/outline"
)

// A vertex is a corner, and how the edge after it bends: round a centre, from one
// angle counter-clockwise to the other, in either direction.
type vertex struct {
	at, centre geom.Point
	round      bool
	radius     int64
	from, to   float64 // degrees
}

// vertices are the corners that a record in words lists; the last one is the first.
func (p properties) vertices() []vertex {
	var out []vertex
	for i := 0; ; i++ {
		n := strconv.Itoa(i)
		if !p.has("VX"+n) || !p.has("VY"+n) {
			return out
		}
		out = append(out, vertex{
			at: geom.Pt(p.length("VX"+n), p.length("VY"+n)), centre: geom.Pt(p.length("CX"+n), p.length("CY"+n)),
			round: p.number("KIND"+n, 0) != 0, radius: p.length("R" + n), from: p.float("SA" + n), to: p.float("EA" + n),
		})
	}
}

// contour is the closed path through corners. The last one repeats the first, or not
// where a file is older.
func contour(v []vertex, origin geom.Point) geom.Path {
	n := len(v)
	if n > 1 && v[n-1].at.Dist(v[0].at) <= closing && !v[n-1].round {
		n--
	}
	path := geom.Path{Closed: true}
	for i := range n {
		a, b := v[i].at.Sub(origin), v[(i+1)%n].at.Sub(origin)
		if e := v[i].edge(a, b, origin); e.A != e.B || e.IsArc() {
			path.Add(e)
		}
	}
	return path
}

// closing is how far the last corner may lie from the first that it repeats.
const closing = 1_000

// edge leads from a to b as the vertex bends it.
func (v *vertex) edge(a, b, origin geom.Point) geom.Edge {
	if !v.round || v.radius <= 0 {
		return geom.Line(a, b)
	}
	c := v.centre.Sub(origin)
	first := c.Polar(float64(v.radius), v.from*math.Pi/180)
	last := c.Polar(float64(v.radius), v.to*math.Pi/180)
	if a.Dist(b) <= closing && math.Abs(v.to-v.from) < 180 {
		return geom.Line(a, b)
	}
	return geom.ArcEdge(a, b, c, a.Dist(first) > a.Dist(last))
}

// outline draws the board shape and its cutouts.
func (b *builder) outline() error {
	v := b.design.board.vertices()
	if len(v) < 3 && !(len(v) > 0 && v[0].round) {
		return &refusal{"outline_missing", "the file holds no board shape: define it in Altium, or send Gerbers with an outline"}
	}
	s := artwork.NewSheet("Board Shape", b.file, pcb.RoleOutline, pcb.NoSide).SetMeter(b.meter)
	b.b.Layers = append(b.b.Layers, s.Layer)
	m := artwork.Meta{Function: pcb.FuncProfile}
	shape := contour(v, b.origin)
	s.Path(shape, 0, m)
	for i := range b.design.regions {
		if r := &b.design.regions[i]; r.cutout {
			m.Line = r.record
			s.Path(contour(r.outer, b.origin), 0, m)
		}
	}
	b.shape = shape.Bounds()
	return nil
}

// settle finds the outline among what was drawn, and says where other lines frame the
// copper more closely than the board shape does.
func (b *builder) settle() {
	outline.Shape(b.ctx, b.b)
	b.b.Outline.Source.File = b.file
	made := b.contentBounds()
	for _, l := range b.frames() {
		box := b.framed[l]
		if box.ContainsBox(made) && b.shape.Grow(closing).ContainsBox(box) && (b.shape.Width()-box.Width() > apart || b.shape.Height()-box.Height() > apart) {
			b.finding(pcb.Warning, "outline_doubt", "the board shape is %.2f x %.2f mm, and lines on %s frame %.2f x %.2f mm round all copper: the board is taken to have the board shape; say if the smaller one is meant",
				geom.Millimetres(b.shape.Width()), geom.Millimetres(b.shape.Height()), b.layerName(l), geom.Millimetres(box.Width()), geom.Millimetres(box.Height()))
			return
		}
	}
}

// apart is by how much two outlines are different ones.
const apart = 500_000

// frames are the layers that the outline is also drawn on by habit.
func (b *builder) frames() []layer {
	var out []layer
	for l := keepOut; l <= lastMechanical; l++ {
		if _, ok := b.framed[l]; ok {
			out = append(out, l)
		}
	}
	return out
}

// contentBounds is the box round all copper and holes.
func (b *builder) contentBounds() geom.Box {
	box := geom.EmptyBox()
	for _, l := range b.b.Copper() {
		box = box.Union(l.Bounds())
	}
	for i := range b.b.Holes {
		box = box.Union(b.b.HoleBounds(&b.b.Holes[i]))
	}
	return box
}
