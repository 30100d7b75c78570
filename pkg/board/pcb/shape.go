package pcb

import (
	"math"

	"boardorder/pkg/board/geom"
)

// Circle is a round aperture of diameter d.
func Circle(d int64) Aperture {
	return Aperture{Kind: CircleShape, X: d, Y: d}.compile(circle(geom.Point{}, d))
}

// Rect is a rectangular aperture.
func Rect(x, y int64) Aperture {
	return Aperture{Kind: RectShape, X: x, Y: y}.compile(rect(x, y))
}

// Obround is a rectangle whose shorter sides are half circles.
func Obround(x, y int64) Aperture {
	return Aperture{Kind: ObroundShape, X: x, Y: y}.compile(obround(x, y))
}

// RegularPolygon has n corners on a circle of diameter d, the first on the X
// axis turned by deg degrees.
func RegularPolygon(d int64, n int, deg float64) Aperture {
	return Aperture{Kind: PolygonShape, X: d, Y: d, Vertices: n, Rotation: deg}.compile(regular(d, n, deg))
}

// RoundRect is a rectangle whose corners are rounded with radius r.
func RoundRect(x, y, r int64) Aperture {
	r = max(0, min(r, x/2, y/2))
	a := Aperture{Kind: RoundRectShape, X: x, Y: y, Corner: r}
	switch {
	case r == 0:
		return a.compile(rect(x, y))
	case r == x/2 || r == y/2:
		return a.compile(obround(x, y))
	}
	hx, hy := x/2, y/2
	p := geom.Path{Closed: true}
	p.LineTo(geom.Pt(-hx+r, -hy))
	p.LineTo(geom.Pt(hx-r, -hy))
	p.ArcTo(geom.Pt(hx, -hy+r), geom.Pt(hx-r, -hy+r), false)
	p.LineTo(geom.Pt(hx, hy-r))
	p.ArcTo(geom.Pt(hx-r, hy), geom.Pt(hx-r, hy-r), false)
	p.LineTo(geom.Pt(-hx+r, hy))
	p.ArcTo(geom.Pt(-hx, hy-r), geom.Pt(-hx+r, hy-r), false)
	p.LineTo(geom.Pt(-hx, -hy+r))
	p.ArcTo(geom.Pt(-hx+r, -hy), geom.Pt(-hx+r, -hy+r), false)
	return a.compile(Primitive{Kind: AreaPrimitive, Area: p})
}

// Area is an aperture of the kind given that covers the inside of a closed
// path: trapezoids, chamfered pads.
func Area(kind ShapeKind, p geom.Path) Aperture {
	p.Closed = true
	a := Aperture{Kind: kind}.compile(Primitive{Kind: AreaPrimitive, Area: p})
	a.X, a.Y = a.Box.Width(), a.Box.Height()
	return a
}

// Custom is an aperture made of primitives, in order.
func Custom(name string, prims []Primitive) Aperture {
	a := Aperture{Kind: MacroShape, Name: name}.compile(prims...)
	a.X, a.Y = a.Box.Width(), a.Box.Height()
	return a
}

// PunchHole puts a hole in the middle: round of diameter x when y is 0, else
// rectangular.
func (a Aperture) PunchHole(x, y int64) Aperture {
	if x <= 0 {
		return a
	}
	a.HoleX, a.HoleY = x, y
	hole := circle(geom.Point{}, x)
	if y > 0 {
		hole = rect(x, y)
	}
	hole.Clear = true
	a.Primitives = append(a.Primitives, hole)
	return a
}

func (a Aperture) compile(prims ...Primitive) Aperture {
	a.Primitives, a.Box = prims, geom.EmptyBox()
	for i := range prims {
		if !prims[i].Clear {
			a.Box = a.Box.Union(prims[i].Bounds())
		}
	}
	return a
}

func circle(c geom.Point, d int64) Primitive {
	return Primitive{Kind: CirclePrimitive, A: c, B: c, Radius: d / 2}
}

func rect(x, y int64) Primitive {
	b := geom.Box{Min: geom.Pt(-x/2, -y/2), Max: geom.Pt(x/2, y/2)}
	return Primitive{Kind: AreaPrimitive, Area: geom.Rect(b)}
}

func obround(x, y int64) Primitive {
	switch {
	case x > y:
		h := (x - y) / 2
		return Primitive{Kind: StrokePrimitive, A: geom.Pt(-h, 0), B: geom.Pt(h, 0), Radius: y / 2}
	case y > x:
		h := (y - x) / 2
		return Primitive{Kind: StrokePrimitive, A: geom.Pt(0, -h), B: geom.Pt(0, h), Radius: x / 2}
	}
	return circle(geom.Point{}, x)
}

func regular(d int64, n int, deg float64) Primitive {
	p := geom.Path{Closed: true}
	for i := range n {
		a := (deg + 360*float64(i)/float64(n)) * math.Pi / 180
		p.LineTo(geom.Point{}.Polar(float64(d)/2, a))
	}
	return Primitive{Kind: AreaPrimitive, Area: p}
}
