package artwork

import (
	"fmt"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Donut is a ring, or a square with a square hole.
func Donut(outer, inner int64, square bool) Shape {
	return Shape{fmt.Sprint("donut", outer, inner, square), func() pcb.Aperture {
		if square {
			return pcb.Rect(outer, outer).PunchHole(inner, inner)
		}
		return pcb.Circle(outer).PunchHole(inner, 0)
	}}
}

// Thermal is a ring cut by gaps at equal angles, the first at deg degrees.
func Thermal(outer, inner, gap int64, spokes int, deg float64, square bool) Shape {
	return Shape{fmt.Sprint("thermal", outer, inner, gap, spokes, deg, square), func() pcb.Aperture {
		d := Donut(outer, inner, square).Build()
		prims := d.Primitives
		for i := range min(max(spokes, 0), 64) {
			turn := deg + 360*float64(i)/float64(spokes)
			bar := geom.Rect(geom.Box{Min: geom.Pt(0, -gap/2), Max: geom.Pt(outer, gap/2)})
			prims = append(prims, pcb.Primitive{Kind: pcb.AreaPrimitive, Clear: true,
				Area: geom.Transform{Rotation: turn}.Path(bar)})
		}
		return pcb.Custom("thermal", prims)
	}}
}

// Butterfly is the upper left and lower right quarter of a circle or square.
func Butterfly(d int64, square bool) Shape {
	return Shape{fmt.Sprint("butterfly", d, square), func() pcb.Aperture {
		r := d / 2
		var prims []pcb.Primitive
		for _, s := range [2]int64{-1, 1} {
			p := geom.Path{Closed: true, Points: []geom.Point{{}}}
			p.LineTo(geom.Pt(s*r, 0))
			if square {
				p.LineTo(geom.Pt(s*r, -s*r))
				p.LineTo(geom.Pt(0, -s*r))
			} else {
				p.ArcTo(geom.Pt(0, -s*r), geom.Point{}, true)
			}
			prims = append(prims, pcb.Primitive{Kind: pcb.AreaPrimitive, Area: p})
		}
		return pcb.Custom("butterfly", prims)
	}}
}

// CornerRect is a rectangle of x by y some of whose corners (upper right, upper
// left, lower left, lower right) are cut off or rounded by d.
func CornerRect(x, y, d int64, cut bool, which [4]bool) Shape {
	d = max(0, min(d, x/2, y/2))
	kind := pcb.RoundRectShape
	if cut {
		kind = pcb.ChamferShape
	}
	return Shape{fmt.Sprint(kind, x, y, d, which), func() pcb.Aperture {
		a := pcb.Area(kind, cornerPath(x/2, y/2, d, cut, which))
		a.X, a.Y, a.Corner = x, y, d
		return a
	}}
}

func cornerPath(hx, hy, d int64, cut bool, which [4]bool) geom.Path {
	p := geom.Path{Closed: true}
	corner := func(at, along, out geom.Point, worked bool) {
		if !worked || d == 0 {
			p.LineTo(at)
			return
		}
		from := at.Sub(geom.Pt(along.X*d, along.Y*d))
		to := at.Add(geom.Pt(out.X*d, out.Y*d))
		p.LineTo(from)
		if cut {
			p.LineTo(to)
			return
		}
		p.ArcTo(to, from.Add(geom.Pt(out.X*d, out.Y*d)), false)
	}
	corner(geom.Pt(hx, -hy), geom.Pt(1, 0), geom.Pt(0, 1), which[3])
	corner(geom.Pt(hx, hy), geom.Pt(0, 1), geom.Pt(-1, 0), which[0])
	corner(geom.Pt(-hx, hy), geom.Pt(-1, 0), geom.Pt(0, -1), which[1])
	corner(geom.Pt(-hx, -hy), geom.Pt(0, -1), geom.Pt(1, 0), which[2])
	return p
}
