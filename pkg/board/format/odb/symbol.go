package odb

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// symbolKinds are the standard symbols' prefixes, longer ones before those they
// begin with.
var symbolKinds = []string{
	"donut_rc", "donut_sr", "donut_r", "donut_s", "donut_o", "sr_ths", "rc_ths", "rc_tho", "o_ths", "oblong_ths",
	"s_ths", "s_tho", "s_thr", "thr", "ths", "hex_l", "hex_s", "oval_h", "oval", "oct", "rect", "moire", "hole", "null",
	"bfr", "bfs", "tri", "el", "di", "r", "s",
}

// A dimensions is the numbers in a symbol's name, in nanometres where they are
// lengths.
type dimensions struct {
	raw    []float64
	unit   float64
	radius float64 // of xr
	cut    float64 // of xc
	which  string  // corners
}

func (d dimensions) length(i int) int64 {
	if i >= len(d.raw) {
		return 0
	}
	return max(0, nm(d.raw[i]*d.unit))
}

func (d dimensions) number(i int) float64 {
	if i >= len(d.raw) {
		return 0
	}
	return d.raw[i]
}

// standardSymbol gives the shape of a standard symbol: its name is its kind and
// its sizes in mils or micrometres, unit being the nanometres of one. empty is
// true for those that draw nothing.
func standardSymbol(name string, unit float64) (s artwork.Shape, empty, ok bool) {
	low := strings.ToLower(name)
	for _, kind := range symbolKinds {
		rest, found := strings.CutPrefix(low, kind)
		if !found || rest == "" || (rest[0] < '0' || rest[0] > '9') && rest[0] != '.' {
			continue
		}
		d, sound := parseDimensions(rest, unit)
		if !sound {
			return s, false, false
		}
		if kind == "null" || kind == "hole" && d.length(0) == 0 {
			return s, true, true
		}
		s, ok = shapeOf(kind, d)
		return s, false, ok
	}
	return s, false, false
}

// parseDimensions splits "60x30xr5x12": sizes, then a corner's radius or cut and
// which corners have it.
func parseDimensions(s string, unit float64) (dimensions, bool) {
	d := dimensions{unit: unit}
	corners := false
	for _, part := range strings.Split(s, "x") {
		if part == "" {
			return d, false
		}
		switch {
		case corners:
			d.which = part
			continue
		case part[0] == 'r' || part[0] == 'c':
			v, err := size(part[1:])
			if err != nil {
				return d, false
			}
			corners = true
			if part[0] == 'r' {
				d.radius = v
			} else {
				d.cut = v
			}
			continue
		}
		v, err := size(part)
		if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			return d, false
		}
		d.raw = append(d.raw, v)
	}
	return d, len(d.raw) > 0
}

// size reads digits and a point. Go reads 27.56_111 as a number too, and it is a
// symbol's size and the angle that its tool turned it by.
func size(s string) (float64, error) {
	if strings.Trim(s, "0123456789.") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(s, 64)
}

// rotateSymbol gives a standard symbol that the name of a job's own symbol says is
// turned clockwise, as Altium writes rect35x28_111: for jobs that have lost their symbols.
func rotateSymbol(name string, unit float64) (s artwork.Shape, empty, ok bool) {
	i := strings.LastIndexByte(name, '_')
	if i < 0 {
		return s, false, false
	}
	angle, err := size(name[i+1:])
	if err != nil || angle >= 360 {
		return s, false, false
	}
	s, empty, ok = standardSymbol(name[:i], unit)
	if !ok || empty {
		return s, empty, ok
	}
	a := s.Build()
	prims := make([]pcb.Primitive, len(a.Primitives))
	for k := range a.Primitives {
		prims[k] = a.Primitives[k].Place(geom.Transform{Rotation: -angle})
	}
	return custom(name, prims), false, true
}

func shapeOf(kind string, d dimensions) (artwork.Shape, bool) {
	a, b := d.length(0), d.length(1)
	switch kind {
	case "r", "hole":
		return artwork.Circle(a), true
	case "s":
		return d.rect(a, a), true
	case "rect":
		return d.rect(a, b), true
	case "oval":
		return artwork.Obround(a, b), true
	case "oct":
		return artwork.CornerRect(a, b, d.length(2), true, [4]bool{true, true, true, true}), true
	case "el":
		return pathShape("el", ellipse(a, b)), true
	case "di":
		return pathShape("di", corners(-a/2, 0, 0, -b/2, a/2, 0, 0, b/2)), true
	case "tri":
		return pathShape("tri", corners(-a/2, -b/2, a/2, -b/2, 0, b/2)), true
	case "hex_l":
		r := d.length(2)
		return pathShape("hex", corners(-a/2, 0, -a/2+r, -b/2, a/2-r, -b/2, a/2, 0, a/2-r, b/2, -a/2+r, b/2)), true
	case "hex_s":
		r := d.length(2)
		return pathShape("hex", corners(0, -b/2, a/2, -b/2+r, a/2, b/2-r, 0, b/2, -a/2, b/2-r, -a/2, -b/2+r)), true
	case "oval_h":
		return pathShape("oval_h", halfOval(a, b)), true
	case "bfr", "bfs":
		return artwork.Butterfly(a, kind == "bfs"), true
	case "moire":
		return d.moire(), true
	}
	return d.ring(kind, a, b)
}

// ring gives the donuts and thermals.
func (d dimensions) ring(kind string, a, b int64) (artwork.Shape, bool) {
	switch kind {
	case "donut_r":
		return artwork.Donut(a, b, false), true
	case "donut_s":
		return artwork.Donut(a, b, true), true
	case "donut_sr":
		return punchHole(pcb.Rect(a, a), circlePrimitive(b)), true
	case "donut_rc":
		c := d.length(2)
		return punchHole(pcb.Rect(a, b), pcb.Rect(max(0, a-2*c), max(0, b-2*c)).Primitives...), true
	case "donut_o":
		c := d.length(2)
		return punchHole(pcb.Obround(a, b), pcb.Obround(max(0, a-2*c), max(0, b-2*c)).Primitives...), true
	case "thr", "ths":
		return artwork.Thermal(a, b, d.length(4), int(d.number(3)), d.number(2), false), true
	case "s_ths", "s_tho", "s_thr", "sr_ths":
		return artwork.Thermal(a, b, d.length(4), int(d.number(3)), d.number(2), true), true
	case "rc_ths", "rc_tho", "o_ths", "oblong_ths":
		return d.longThermal(kind == "o_ths" || kind == "oblong_ths"), true
	}
	return artwork.Shape{}, false
}

// rect is a rectangle, some or all of its corners rounded or cut. Corners count
// counter-clockwise from the upper right.
func (d dimensions) rect(x, y int64) artwork.Shape {
	size, cut := nm(d.radius*d.unit), false
	if d.cut > 0 {
		size, cut = nm(d.cut*d.unit), true
	}
	if size == 0 {
		return artwork.Rect(x, y)
	}
	which := [4]bool{true, true, true, true}
	if d.which != "" {
		for i := range which {
			which[i] = strings.Contains(d.which, strconv.Itoa(i+1))
		}
	}
	if !cut && which == [4]bool{true, true, true, true} {
		return artwork.RoundRect(x, y, size)
	}
	return artwork.CornerRect(x, y, size, cut, which)
}

func circlePrimitive(d int64) pcb.Primitive { return pcb.Circle(d).Primitives[0] }

func punchHole(a pcb.Aperture, hole ...pcb.Primitive) artwork.Shape {
	prims := append([]pcb.Primitive{}, a.Primitives...)
	for _, h := range hole {
		h.Clear = true
		prims = append(prims, h)
	}
	return custom("donut", prims)
}

// custom is keyed by what it is made of, which for a symbol is little.
func custom(kind string, prims []pcb.Primitive) artwork.Shape {
	return artwork.Shape{Key: kind + fmt.Sprint(prims), Build: func() pcb.Aperture { return pcb.Custom(kind, prims) }}
}

func pathShape(kind string, p geom.Path) artwork.Shape {
	return custom(kind, []pcb.Primitive{{Kind: pcb.AreaPrimitive, Area: p}})
}

func corners(xy ...int64) geom.Path {
	p := geom.Path{Closed: true}
	for i := 0; i+1 < len(xy); i += 2 {
		p.LineTo(geom.Pt(xy[i], xy[i+1]))
	}
	return p
}

func ellipse(w, h int64) geom.Path {
	p := geom.Path{Closed: true}
	const steps = 72
	for i := range steps {
		s, c := math.Sincos(2 * math.Pi * float64(i) / steps)
		p.LineTo(geom.Pt(nm(c*float64(w)/2), nm(s*float64(h)/2)))
	}
	return p
}

// halfOval has its left half square and its right one round.
func halfOval(w, h int64) geom.Path {
	p := corners(-w/2, h/2, -w/2, -h/2, w/2-h/2, -h/2)
	p.ArcTo(geom.Pt(w/2-h/2, h/2), geom.Pt(w/2-h/2, 0), false)
	return p
}

// longThermal is a rectangular or oblong ring of the air gap's width, cut by
// spokes.
func (d dimensions) longThermal(round bool) artwork.Shape {
	w, h, gap, air := d.length(0), d.length(1), d.length(4), d.length(5)
	outer, inner := pcb.Rect(w, h), pcb.Rect(max(0, w-2*air), max(0, h-2*air))
	if round {
		outer, inner = pcb.Obround(w, h), pcb.Obround(max(0, w-2*air), max(0, h-2*air))
	}
	prims := append([]pcb.Primitive{}, outer.Primitives...)
	for _, p := range inner.Primitives {
		p.Clear = true
		prims = append(prims, p)
	}
	n := min(max(int(d.number(3)), 0), 64)
	reach := w + h
	for i := range n {
		bar := geom.Rect(geom.Box{Min: geom.Pt(0, -gap/2), Max: geom.Pt(reach, gap/2)})
		turn := d.number(2) + 360*float64(i)/float64(n)
		prims = append(prims, pcb.Primitive{Kind: pcb.AreaPrimitive, Clear: true, Area: geom.Transform{Rotation: turn}.Path(bar)})
	}
	return custom("thermal", prims)
}

// moire is rings and a cross: ring width and gap, their number, the cross's width
// and length and its angle.
func (d dimensions) moire() artwork.Shape {
	width, gap := d.length(0), d.length(1)
	var prims []pcb.Primitive
	n := int(min(max(d.number(2), 0), 50))
	for i := n; i > 0; i-- {
		outer := 2 * int64(i) * (width + gap)
		hole := circlePrimitive(max(0, outer-2*width))
		hole.Clear = true
		prims = append(prims, circlePrimitive(outer), hole)
	}
	line, length := d.length(3), d.length(4)
	for _, turn := range [2]float64{0, 90} {
		p := pcb.Rect(length, line).Primitives[0]
		p.Area = geom.Transform{Rotation: -d.number(5) + turn}.Path(p.Area)
		prims = append(prims, p)
	}
	return custom("moire", prims)
}
